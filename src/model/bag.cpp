// SPDX-License-Identifier: Apache-2.0
// Drawing the rows of a tree.
#include "model/bag.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kBagStream = 0x626167ULL;  // keeps the draws of rows apart from those of columns

std::size_t bag_size(const Params& params, std::size_t n_rows) {
  if (!params.max_samples) return n_rows;
  if (params.max_samples->unit == Amount::Unit::fraction)
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(params.max_samples->value * static_cast<double>(n_rows))));
  return static_cast<std::size_t>(params.max_samples->resolve_down(static_cast<std::int64_t>(n_rows)));
}

// Weights inverse to the frequency of the classes among the drawn rows, over all outputs.
void balance(const Targets& targets, std::span<const std::uint32_t> drawn, std::vector<double>& weights) {
  for (const ClassTarget& target : targets.classes) {
    std::vector<double> counts(target.n_classes, 0.0);
    double n = 0.0;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const double times = drawn.empty() ? 1.0 : drawn[row];
      counts[target.codes[row]] += times;
      n += times;
    }
    const auto present =
        static_cast<double>(std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0.0; }));
    for (std::size_t row = 0; row < weights.size(); ++row)
      if (weights[row] > 0.0) weights[row] *= n / (present * counts[target.codes[row]]);
  }
}

}  // namespace

std::uint64_t tree_key(const Params& params, std::size_t tree) noexcept {
  return mix(static_cast<std::uint64_t>(params.seed), tree);
}

std::vector<std::uint32_t> drawn_rows(const Params& params, std::size_t tree, std::size_t n_rows) {
  if (!params.bootstrap) return {};
  std::vector<std::uint32_t> times(n_rows, 0);
  const std::uint64_t key = mix(tree_key(params, tree), kBagStream);
  const std::size_t n = bag_size(params, n_rows);
  for (std::size_t i = 0; i < n; ++i) ++times[below(draw(key, i), n_rows)];
  return times;
}

std::vector<double> bag_weights(const Params& params, std::size_t tree, const Targets& targets,
                                std::span<const double> weights, std::size_t n_rows) {
  const std::vector<std::uint32_t> drawn = drawn_rows(params, tree, n_rows);
  const bool balanced = params.class_weight.subsample && targets.is_classification();
  if (drawn.empty() && !balanced) return {weights.begin(), weights.end()};
  std::vector<double> out(n_rows, 1.0);
  if (!weights.empty()) std::copy(weights.begin(), weights.end(), out.begin());
  for (std::size_t row = 0; row < drawn.size(); ++row) out[row] *= drawn[row];
  if (balanced) balance(targets, drawn, out);
  return out;
}

}  // namespace bough
