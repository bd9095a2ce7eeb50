// SPDX-License-Identifier: Apache-2.0
// Dividing rows, growing on one part, estimating with the other.
#include "model/honest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "model/classics.hpp"
#include "model/folds.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kHonestSalt = 0x40e57;

HonestPrior prior_named(std::string_view name) {
  if (name == "empirical") return HonestPrior::empirical;
  if (name == "uniform") return HonestPrior::uniform;
  return name == "ignore" ? HonestPrior::ignore : HonestPrior::ancestor;
}

void refuse(bool asked, std::string_view what, std::string_view hint) {
  if (asked)
    throw Error(ErrorCode::not_supported, fmt::format("honest trees do not know {}", what),
                std::string(hint));
}

// Rows of equal labels together, the labels increasing; all of them without classes.
std::vector<std::vector<RowId>> strata(std::span<const RowId> rows, std::span<const ClassTarget> classes) {
  std::vector<std::vector<RowId>> parts;
  if (classes.size() == 1) {
    parts.resize(classes.front().n_classes);
    for (const RowId row : rows) parts[classes.front().codes[row]].push_back(row);
    return parts;
  }
  std::map<std::vector<std::uint32_t>, std::vector<RowId>> by_labels;
  std::vector<std::uint32_t> labels(classes.size());
  for (const RowId row : rows) {
    for (std::size_t o = 0; o < classes.size(); ++o) labels[o] = classes[o].codes[row];
    by_labels[labels].push_back(row);
  }
  for (auto& [_, part] : by_labels) parts.push_back(std::move(part));
  return parts;
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

std::vector<char> divide_rows(std::span<const RowId> rows, std::size_t n_rows,
                              std::span<const ClassTarget> classes, double honest_fraction,
                              std::uint64_t key) {
  const std::uint64_t stream = mix(key, kHonestSalt);
  std::vector<std::pair<std::uint64_t, RowId>> order;
  order.reserve(rows.size());
  std::vector<char> estimates(n_rows, 0);
  // Of the rows from `begin` on, a stratum, those of the lowest draws.
  const auto choose = [&](std::size_t begin, std::size_t end) {
    const auto upto = [&](std::size_t i) {
      return static_cast<std::size_t>(std::floor(static_cast<double>(i) * honest_fraction + 0.5));
    };
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(upto(end) - upto(begin));
    std::nth_element(first, last, order.begin() + static_cast<std::ptrdiff_t>(end));
    std::for_each(first, last, [&](const auto& one) { estimates[one.second] = 1; });
  };
  for (const std::vector<RowId>& stratum : strata(rows, classes)) {
    const std::size_t begin = order.size();
    for (const RowId row : stratum) order.emplace_back(draw(stream, row), row);
    choose(begin, order.size());
  }
  return estimates;
}

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

void note_lonely_classes(Prepared& prepared) {
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
  if (params.cross_fit && !params.honest)
    throw Error(ErrorCode::bad_params, "cross_fit exchanges the two parts of honest trees, but honest is off",
                "turn honest on, or drop cross_fit");
  if (!params.honest) return;
  refuse(is_classic(params), fmt::format("algorithm={}", params.algorithm), "use algorithm=cart");
  refuse(!params.priors.empty(), "priors", "use class_weight");
  refuse(!params.loss_matrix.empty(), "loss_matrix", "use class_weight");
  refuse(std::any_of(params.monotonic_cst.begin(), params.monotonic_cst.end(),
                     [](const auto& entry) { return entry.second != 0.0; }),
         "monotonic_cst: values of other rows could break the constraints", "leave monotonic_cst out");
  refuse(task == Task::regression && params.honest_method == "apply" && params.honest_prior == "uniform",
         "honest_prior=uniform for numbers", "use ancestor, empirical or ignore");
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
