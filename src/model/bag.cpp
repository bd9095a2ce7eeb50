// SPDX-License-Identifier: Apache-2.0
// Drawing the rows of a tree.
#include "model/bag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "model/bag_kernels.hpp"
#include "model/divide_rows.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kBagStream = 0x626167ULL;  // keeps the draws of rows apart from those of columns
constexpr std::uint64_t kHalfStream = 0x68616c66ULL;

// The sum of the weights up to and including every row, in the order of the rows.
std::vector<double> running_sums(std::span<const double> weights) {
  std::vector<double> sums(weights.size());
  double sum = 0.0;
  for (std::size_t row = 0; row < weights.size(); ++row) sums[row] = sum += weights[row];
  return sums;
}

bool all_equal(std::span<const double> weights) {
  return std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
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

// Half of the rows, the same for the trees of a group; of these as many as max_samples says. Nothing is drawn
// twice.
std::vector<std::uint32_t> half_sample(const Params& params, std::size_t tree, std::size_t n_rows) {
  std::vector<RowId> rows(n_rows);
  std::iota(rows.begin(), rows.end(), RowId{0});
  const std::size_t group = tree / static_cast<std::size_t>(params.little_bags);
  rows = lowest_draws(rows, std::max<std::size_t>(1, n_rows / 2),
                      mix(mix(static_cast<std::uint64_t>(params.seed), kHalfStream), group));
  if (params.max_samples)
    rows = lowest_draws(rows, bag_size(params, n_rows, {}), mix(tree_key(params, tree), kBagStream));
  std::vector<std::uint32_t> times(n_rows, 0);
  for (const RowId row : rows) times[row] = 1;
  return times;
}

}  // namespace

void check_little_bags(const Params& params) {
  if (params.little_bags == 0) return;
  if (params.little_bags < 2 || params.forest % params.little_bags != 0 ||
      params.forest / params.little_bags < 2)
    throw Error(ErrorCode::bad_params,
                fmt::format("{} trees are not two or more groups of {}", params.forest, params.little_bags),
                "little_bags is 2 or more, and forest a multiple of it");
  if (params.max_samples && params.max_samples->unit == Amount::Unit::fraction &&
      params.max_samples->value >= 0.5)
    throw Error(
        ErrorCode::bad_params,
        fmt::format("max_samples={} does nothing, because the trees of a group share one half of the rows",
                    params.max_samples->value),
        "use a fraction below 0.5, or leave max_samples or little_bags out");
}

std::uint64_t tree_key(const Params& params, std::size_t tree) noexcept {
  return mix(static_cast<std::uint64_t>(params.seed), tree);
}

std::uint32_t tree_seed(const Params& params, std::size_t tree) noexcept {
  return static_cast<std::uint32_t>(tree_key(params, tree));
}

std::size_t bag_size(const Params& params, std::size_t n_rows, std::span<const double> weights) {
  if (!params.max_samples) return n_rows;
  if (params.max_samples->unit != Amount::Unit::fraction)
    return static_cast<std::size_t>(params.max_samples->resolve_down(static_cast<std::int64_t>(n_rows)));
  const double total = weights.empty() ? static_cast<double>(n_rows) : running_sums(weights).back();
  const double wanted = std::floor(params.max_samples->value * total);
  if (wanted > static_cast<double>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorCode::bad_params,
                fmt::format("max_samples={} of a total weight of {} are more than 2^31 - 1 rows",
                            params.max_samples->value, total),
                "give max_samples as a whole number");
  return std::max<std::size_t>(1, static_cast<std::size_t>(wanted));
}

std::vector<std::uint32_t> drawn_rows(const Params& params, std::size_t tree, std::size_t n_rows,
                                      std::span<const double> weights) {
  if (params.little_bags > 0) return half_sample(params, tree, n_rows);
  if (!params.bootstrap) return {};
  std::vector<std::uint32_t> times(n_rows, 0);
  const std::uint64_t key = mix(tree_key(params, tree), kBagStream);
  const std::size_t n = bag_size(params, n_rows, weights);
  if (all_equal(weights)) {
    count_draws({key, n, n_rows, 0}, times);
    return times;
  }
  const std::vector<double> sums = running_sums(weights);
  // A row without weight has the sum of the row before it, so the first larger sum is never its own.
  const auto last = std::lower_bound(sums.begin(), sums.end(), sums.back());
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = std::upper_bound(sums.begin(), last, unit(draw(key, i)) * sums.back());
    ++times[static_cast<std::size_t>(at - sums.begin())];
  }
  return times;
}

std::vector<std::uint32_t> drawn_rows_between(const Params& params, std::size_t tree, std::size_t n_all,
                                              std::size_t first, std::size_t n) {
  if (params.little_bags > 0)
    throw Error(ErrorCode::not_supported,
                fmt::format("little_bags={} draws halves of all rows at once", params.little_bags),
                "leave little_bags out, or train on all rows in one memory");
  if (!params.bootstrap) return {};
  std::vector<std::uint32_t> times(n, 0);
  count_draws({mix(tree_key(params, tree), kBagStream), bag_size(params, n_all, {}), n_all, first}, times);
  return times;
}

bool weighs_by_draws(const Params& params, const Targets& targets) noexcept {
  return params.bootstrap && params.little_bags == 0 &&
         !(params.class_weight.subsample && targets.is_classification());
}

std::vector<double> bag_weights(const Params& params, std::size_t tree, const Targets& targets,
                                std::span<const double> weights, std::size_t n_rows) {
  const std::vector<std::uint32_t> drawn = drawn_rows(params, tree, n_rows, weights);
  const bool balanced = params.class_weight.subsample && targets.is_classification();
  if (drawn.empty() && !balanced) return {weights.begin(), weights.end()};
  std::vector<double> out(n_rows, 1.0);
  // Rows that were drawn in proportion to their weights are all worth the same.
  const bool by_weight = !drawn.empty() && params.little_bags == 0;
  if (!weights.empty() && !by_weight) std::copy(weights.begin(), weights.end(), out.begin());
  for (std::size_t row = 0; row < drawn.size(); ++row) out[row] *= drawn[row];
  if (balanced) balance(targets, drawn, out);
  return out;
}

}  // namespace bough
