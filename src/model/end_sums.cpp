// SPDX-License-Identifier: Apache-2.0
// Makes the ends of a tree ready to be added.
#include "model/end_sums.hpp"

#include <algorithm>
#include <limits>

namespace bough {

EndSums::EndSums(Combiner& combiner, std::size_t i, const CompactTree& compact)
    : tree_(i), compact_(&compact) {
  const std::size_t width = combiner.width();
  if (width > kMostReady) return;
  std::vector<double> sum(width);
  starts_.push_back(0);
  all_ready_ = true;
  for (std::size_t end = 0; end < compact.n_ends(); ++end) {
    std::fill(sum.begin(), sum.end(), 0.0);
    const bool speaks = add_fresh(combiner, static_cast<End>(end), sum.data());
    all_ready_ &= speaks;
    if (width == 1) {
      values_.push_back(speaks ? sum.front() : std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    if (!speaks) {
      codes_.push_back(kSilent);
      continue;
    }
    const std::size_t before = values_.size();
    for (std::size_t k = 0; k < width; ++k) {
      if (sum[k] == 0.0) continue;  // a sum that began at 0 stays what it is
      indices_.push_back(static_cast<std::uint32_t>(k));
      values_.push_back(sum[k]);
    }
    if (values_.size() == before + 1 && values_.back() == 1.0) {
      codes_.push_back(indices_.back());
      indices_.pop_back();
      values_.pop_back();
      continue;
    }
    codes_.push_back(kMany + static_cast<std::uint32_t>(starts_.size() - 1));
    starts_.push_back(static_cast<std::uint32_t>(values_.size()));
  }
}

bool EndSums::add_fresh(Combiner& combiner, End end, double* sum) const {
  return combiner.add(tree_, {sum, combiner.width()}, [&](std::size_t tree, std::span<double> out) {
    combiner.answer_at(tree, compact_->node(end), out);
  });
}

}  // namespace bough
