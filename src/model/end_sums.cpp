// SPDX-License-Identifier: Apache-2.0
// Makes the ends of a tree ready to be added.
#include "model/end_sums.hpp"

#include <algorithm>

namespace bough {
namespace {

// The index of the only number that is not 0 when that is 1, else the size.
std::size_t only_one(std::span<const double> values) {
  const auto found = std::find_if(values.begin(), values.end(), [](double v) { return v != 0.0; });
  if (found == values.end() || *found != 1.0) return values.size();
  const bool more = std::any_of(found + 1, values.end(), [](double v) { return v != 0.0; });
  return more ? values.size() : static_cast<std::size_t>(found - values.begin());
}

}  // namespace

EndSums::EndSums(Combiner& combiner, std::size_t i, const CompactTree& compact)
    : width_(combiner.width()), ends_(compact.n_places(), 0) {
  std::vector<double> sum(width_);
  for (std::size_t place = 0; place < ends_.size(); ++place) {
    if (!compact.can_end(static_cast<Slot>(place))) continue;
    std::fill(sum.begin(), sum.end(), 0.0);
    const bool speaks = combiner.add(i, sum, [&](std::size_t tree, std::span<double> out) {
      combiner.answer_at(tree, compact.node(static_cast<Slot>(place)), out);
    });
    if (!speaks) {
      ends_[place] = kSilent;
      continue;
    }
    if (const std::size_t one = only_one(sum); one < width_) {
      ends_[place] = static_cast<std::uint32_t>(one);
      continue;
    }
    ends_[place] = kMany + static_cast<std::uint32_t>(values_.size() / width_);
    values_.insert(values_.end(), sum.begin(), sum.end());
  }
}

}  // namespace bough
