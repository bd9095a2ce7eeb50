// SPDX-License-Identifier: Apache-2.0
// Dividing rows, growing on one part, estimating with the other.
#include "model/honest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/divide_rows.hpp"
#include "model/folds.hpp"

namespace bough {
namespace {

HonestPrior prior_named(std::string_view name) {
  if (name == "empirical") return HonestPrior::empirical;
  if (name == "uniform") return HonestPrior::uniform;
  return name == "ignore" ? HonestPrior::ignore : HonestPrior::ancestor;
}

// What rows are divided by: the arms of a treatment, or the classes; nothing when the parameters say so.
std::vector<ClassTarget> division_classes(const Targets& targets, const Params& params) {
  if (!params.honest_stratify) return {};
  if (targets.treated.empty()) return targets.classes;
  return {{2, std::vector<std::uint32_t>(targets.treated.begin(), targets.treated.end())}};
}

// The tree of the rows that `estimates` leaves, told again by the others.
PrunedTree one_tree(const EndFinder& finder, const Prepared& prepared, const std::vector<char>& estimates,
                    const EstimateSpec& spec, const GrowOne& grow_one) {
  std::vector<char> chooses(estimates.size(), 0);
  for (const RowId row : prepared.values.rows) chooses[row] = estimates[row] ? 0 : 1;
  PrunedTree grown = grow_one(part_of(prepared, chooses));
  const Prepared others = part_of(prepared, estimates);
  const std::vector<NodeId> ends = finder.ends(grown.grown.tree, others.values.rows);
  grown.grown.tree =
      estimate(grown.grown.tree, NodeRows(grown.grown.tree, others.values.rows, ends), others.values, spec);
  return grown;
}

}  // namespace

HonestWeights divide_weights(const Targets& targets, std::span<const double> weights, std::size_t n_rows,
                             const Params& params, std::uint64_t key) {
  std::vector<RowId> rows;
  for (std::size_t row = 0; row < n_rows; ++row)
    if (weights.empty() || weights[row] > 0.0) rows.push_back(static_cast<RowId>(row));
  const std::vector<ClassTarget> classes = division_classes(targets, params);
  const std::vector<char> estimates = divide_rows(rows, n_rows, classes, params.honest_fraction, key);
  HonestWeights parts{std::vector<double>(n_rows, 0.0), std::vector<double>(n_rows, 0.0)};
  std::size_t n_estimate = 0;
  for (const RowId row : rows) {
    (estimates[row] ? parts.estimate : parts.choose)[row] = weights.empty() ? 1.0 : weights[row];
    n_estimate += estimates[row] ? 1 : 0;
  }
  if (n_estimate == 0 || n_estimate == rows.size())
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{} rows cannot be divided with honest_fraction={}", rows.size(), params.honest_fraction),
        "give more rows, or raise max_samples");
  return parts;
}

void check_division(const Prepared& prepared, const std::vector<char>& estimates, const Params& params) {
  const auto missing = [&](std::int64_t have, bool to_estimate, const std::string& what) {
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{} has {} row{}, of which honest_fraction={} leaves none to {}", what, have,
                    have == 1 ? "" : "s", params.honest_fraction,
                    to_estimate ? "estimate values" : "choose splits"),
        params.honest_stratify
            ? "change honest_fraction, or give more such rows"
            : "divide class by class (honest_stratify), change honest_fraction, or give more such rows");
  };
  const auto n = static_cast<std::int64_t>(prepared.values.rows.size());
  const std::int64_t n_estimate = std::count(estimates.begin(), estimates.end(), char{1});
  if (n_estimate == 0 || n_estimate == n) missing(n, n_estimate == 0, "the table");
  for (std::size_t arm = 0; arm < 2 && !prepared.values.treated.empty(); ++arm) {
    std::int64_t all = 0, held = 0;
    for (const RowId row : prepared.values.rows) {
      if (prepared.values.treated[row] != arm) continue;
      ++all;
      held += estimates[row];
    }
    const Field& field = prepared.treatment.fields.front();
    if (held == 0 || held == all)
      missing(all, held == 0,
              fmt::format("the arm '{}' of the treatment '{}'", field.levels.names[arm], field.name));
    const std::int64_t fewest = std::min(held, all - held);
    if (fewest < params.min_samples_arm)
      throw Error(
          ErrorCode::bad_data,
          fmt::format(
              "the arm '{}' of the treatment '{}' has {} rows, of which honest_fraction={} leaves {} to {}, "
              "fewer than min_samples_arm={}",
              field.levels.names[arm], field.name, all, params.honest_fraction, fewest,
              held == fewest ? "estimate effects" : "choose splits", params.min_samples_arm),
          "give more rows of that arm, lower min_samples_arm, or turn honest off");
  }
  for (std::size_t o = 0; o < prepared.values.classes.size(); ++o) {
    const ClassTarget& target = prepared.values.classes[o];
    std::vector<std::int64_t> all(target.n_classes, 0), held(target.n_classes, 0);
    for (const RowId row : prepared.values.rows) {
      ++all[target.codes[row]];
      held[target.codes[row]] += estimates[row];
    }
    const Field& field = prepared.targets.fields[o];
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c] > 1 && (held[c] == 0 || held[c] == all[c]))
        missing(all[c], held[c] == 0,
                fmt::format("the class '{}' of '{}'", field.levels.names[c], field.name));
  }
}

void warn_singleton_classes(Prepared& prepared) {
  for (std::size_t o = 0; o < prepared.values.classes.size(); ++o) {
    const ClassTarget& target = prepared.values.classes[o];
    std::vector<std::int64_t> all(target.n_classes, 0);
    for (const RowId row : prepared.values.rows) ++all[target.codes[row]];
    const Field& field = prepared.targets.fields[o];
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c] == 1)
        prepared.notes.push_back(fmt::format(
            "the class '{}' of '{}' has one row, which chooses splits or estimates values, not both",
            field.levels.names[c], field.name));
  }
}

void check_honest(const Params& params, Task task) {
  if (params.honest && task == Task::regression && params.honest_method == "apply" &&
      params.honest_prior == "uniform")
    throw Error(ErrorCode::not_supported, "honest trees do not support honest_prior=uniform for numbers",
                "use ancestor, empirical or ignore");
}

EstimateSpec estimate_spec(const Params& params, CriterionId criterion) {
  EstimateSpec spec;
  spec.criterion = criterion;
  spec.quantile = params.quantile;
  spec.min_rows = params.min_honest_rows;
  spec.min_share = params.min_weight_fraction_leaf;
  spec.prune = params.honest_method == "prune";
  spec.prior = prior_named(params.honest_prior);
  spec.spreads = params.forest == 0;
  return spec;
}

std::vector<PrunedTree> grow_honest(const Table& table, const Prepared& prepared, const Params& params,
                                    CriterionId criterion, const GrowOne& grow_one) {
  const std::vector<ClassTarget> classes = division_classes(prepared.values, params);
  const std::vector<char> estimates =
      divide_rows(prepared.values.rows, static_cast<std::size_t>(table.n_rows()), classes,
                  params.honest_fraction, static_cast<std::uint64_t>(params.seed));
  check_division(prepared, estimates, params);
  const EstimateSpec spec = estimate_spec(params, criterion);
  const EndFinder finder(table, prepared.features);
  std::vector<PrunedTree> trees;
  trees.push_back(one_tree(finder, prepared, estimates, spec, grow_one));
  if (!params.cross_fit) return trees;
  std::vector<char> exchanged(estimates.size(), 0);
  for (const RowId row : prepared.values.rows) exchanged[row] = estimates[row] ? 0 : 1;
  trees.push_back(one_tree(finder, prepared, exchanged, spec, grow_one));
  for (PrunedTree& tree : trees) tree.table.reset();  // a pruning table is about one tree
  return trees;
}

}  // namespace bough
