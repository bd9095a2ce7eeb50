// SPDX-License-Identifier: Apache-2.0
// The pruners by the name that the parameter `pruning` has for them.
#include "model/pruning.hpp"

#include <fmt/format.h>

#include "bough/error.hpp"
#include "model/classics.hpp"
#include "model/prune_rows.hpp"
#include "prune/reduced_error.hpp"

namespace bough {
namespace {

PrunedTree by_price(const PruningJob& job, const Train& train) {
  const Params& params = job.params;
  if (params.ccp_alpha == 0.0 || params.pruning_risk == "error")
    refuse_losses(params, "choosing a price by error");
  const Loss loss = natural_loss(job.criterion, job.prepared.task, params.quantile);
  if (params.ccp_alpha > 0.0) {
    PrunedTree out{train(job.prepared), {}};
    const Tree& tree = out.grown.tree;
    out.grown.tree =
        prune(tree, cost_complexity_path(tree, named_risk(tree, params.pruning_risk)), params.ccp_alpha);
    return out;
  }
  const Folds folds = make_folds(job.table, job.prepared, job.spec.folds, params.pruning_folds,
                                 static_cast<std::uint64_t>(params.seed));
  CvTree chosen = cost_complexity_cv({job.table, job.prepared, folds, params, loss}, train);
  return {std::move(chosen.grown), std::move(chosen.table), std::move(chosen.fold_trees)};
}

PrunedTree by_held_out_rows(const PruningJob& job, const Train& train) {
  const Params& params = job.params;
  refuse_losses(params, "reduced-error pruning");
  const Prepared& prepared = job.prepared;
  const LeafValues leaf_values = leaf_values_named(params.pruning_leaf_values);
  const Loss loss = natural_loss(job.criterion, prepared.task, params.quantile);
  refuse_leaf_values(leaf_values, loss, params);
  const std::vector<char> held =
      hold_out(prepared, params.pruning_fraction, static_cast<std::uint64_t>(params.seed));
  std::vector<char> keep(held.size());
  std::vector<double> weights(held.size());
  for (std::size_t row = 0; row < held.size(); ++row) {
    keep[row] = held[row] ? 0 : 1;
    weights[row] = !held[row] ? 0.0 : prepared.weights.empty() ? 1.0 : prepared.weights[row];
  }
  PrunedTree out{train(part_of(prepared, keep)), {}};
  const RowReader reader(job.table, prepared.features);
  JudgeRows rows{&reader, {}, {}, weights};
  for (const ClassTarget& target : prepared.values.classes) rows.classes.emplace_back(target.codes);
  for (const NumberTarget& target : prepared.values.numbers) rows.numbers.emplace_back(target.raw);
  out.grown.tree = reduced_error(out.grown.tree, rows, loss, leaf_values, loss);
  return out;
}

std::vector<std::uint32_t> level_counts(const Schema& features) {
  std::vector<std::uint32_t> counts;
  for (const Field& field : features.fields)
    counts.push_back(field.kind == Kind::numeric ? 0 : static_cast<std::uint32_t>(field.levels.size()));
  return counts;
}

}  // namespace

PrunedTree grow_and_prune(const PruningJob& job, const Train& train) {
  const Params& params = job.params;
  const std::string_view pruning = resolved_pruning(params);
  if (pruning == "cost_complexity") return by_price(job, train);
  if (pruning == "reduced_error") return by_held_out_rows(job, train);
  if (pruning == "mdl") refuse_undescribed(job.criterion);
  PrunedTree out{train(job.prepared), {}};
  Tree& tree = out.grown.tree;
  if (pruning == "critical_value") {
    tree = critical_value(tree, params.critical_value);
  } else if (pruning == "mdl") {
    tree = minimum_description(tree, level_counts(job.prepared.features));
  } else if (pruning == "pessimistic") {
    tree = pessimistic_by_rows(tree, job.table, job.prepared, params);
  } else if (pruning == "none") {
    if (params.ccp_alpha > 0.0) tree = prune(tree, params.ccp_alpha);
  } else {
    throw Error(ErrorCode::internal, fmt::format("pruning={} has a name but no implementation", pruning));
  }
  return out;
}

}  // namespace bough
