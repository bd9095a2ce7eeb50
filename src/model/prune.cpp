// SPDX-License-Identifier: Apache-2.0
// Models with their trees pruned.
#include "bough/prune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/parallel.hpp"
#include "model/choose_tree.hpp"
#include "model/cost_complexity_cv.hpp"
#include "model/prune_rows.hpp"
#include "model/treatment.hpp"
#include "params/conflicts.hpp"
#include "prune/reduced_error.hpp"

namespace bough {
namespace {

std::int64_t count_leaves(const Model::Parts& parts) {
  std::int64_t n = 0;
  for (const Tree& tree : parts.trees) n += tree.n_leaves();
  return n;
}

// Every tree pruned, and a note of what was done. A table about another tree is dropped.
template <class PruneTree>
Model with_pruned_trees(const Model& model, const std::string& how, const PruneTree& prune_tree) {
  Model::Parts parts = model.parts();
  const std::int64_t before = count_leaves(parts);
  for (std::size_t i = 0; i < parts.trees.size(); ++i) parts.trees[i] = prune_tree(parts.trees[i], i);
  const std::int64_t after = count_leaves(parts);
  if (after < before) {
    forget_larger_tree(parts);
    parts.cp_table.clear();
  }
  if (!how.empty())
    parts.provenance.notes.push_back(fmt::format("pruned by {}: {} of {} leaves left", how, after, before));
  return Model(std::move(parts));
}

void refuse_risk(const Model& model, std::string_view risk) {
  refuse_honest(model.params());
  if (risk != "error") return;
  refuse_losses(model.params(), "pruning by error");
  if (model.task() == Task::regression)
    throw Error(ErrorCode::bad_params, "the risk error is of classes, and the model predicts numbers",
                "use the risk impurity: what the criterion minimises");
}

}  // namespace

Model prune(const Model& model, double alpha) {
  return prune(model, alpha, "impurity");
}

Model prune(const Model& model, double alpha, std::string_view risk) {
  refuse_risk(model, risk);
  const Params& old = model.params();
  double before = old.ccp_alpha;
  if (const auto& table = model.parts().pruning_table)
    before = std::max(before, table->alphas[table->chosen]);
  const std::string_view old_risk =
      old.pruning == "cost_complexity" ? std::string_view(old.pruning_risk) : "impurity";
  // Prices of one risk give nested trees: what the lower one has cut is cut by the higher one too. Then the
  // parameters can say it all; else a note does.
  const bool told = old.search == "greedy" &&
                    (resolved_pruning(old) == "none" || old.pruning == "cost_complexity") &&
                    (before == 0.0 || old_risk == risk);
  const Model pruned = with_pruned_trees(
      model, told ? "" : fmt::format("the price {} of a leaf", alpha), [&](const Tree& tree, std::size_t i) {
        const std::vector<double> risks =
            named_risk(risk == "impurity" ? tree : counted_tree(model, i), risk);
        return prune(tree, cost_complexity_path(tree, risks), alpha);
      });
  if (!told || alpha == 0.0) return pruned;
  Model::Parts parts = pruned.parts();
  parts.params.ccp_alpha = std::max(before, alpha);
  if (risk != "impurity") parts.params.pruning = "cost_complexity";
  parts.params.pruning_risk = risk;
  reset_idle_params(parts.params);
  return Model(std::move(parts));
}

Model prune_to_leaves(const Model& model, NodeId leaves, std::string_view risk) {
  if (model.trees().size() != 1)
    throw Error(ErrorCode::not_supported,
                "pruning to a number of leaves is for one tree, and this model has several", "use a price");
  if (leaves < 1)
    throw Error(ErrorCode::bad_params, fmt::format("trees have at least 1 leaf, not {}", leaves));
  refuse_risk(model, risk);
  const PruningPath path = cost_complexity_path(
      model.tree(), named_risk(risk == "impurity" ? model.tree() : counted_tree(model), risk));
  for (std::size_t i = 0; i < path.alphas.size(); ++i) {
    const double next =
        i + 1 < path.alphas.size() ? path.alphas[i + 1] : std::numeric_limits<double>::infinity();
    if (next == path.alphas[i] || path.n_leaves[i] > leaves) continue;
    return i == 0 ? model : prune(model, price_between(path.alphas[i], next), risk);
  }
  return model;
}

Model cost_complexity_cv(const Table& table, const FitSpec& spec, const Params& params,
                         const Execution& execution) {
  Params own = params;
  own.pruning = "cost_complexity";
  own.ccp_alpha = 0.0;
  return fit(table, spec, own, execution);
}

Model reduced_error(const Model& model, const Table& pruning, const ReducedErrorOptions& options,
                    const Execution& execution) {
  if (model.trees().size() != 1)
    throw Error(ErrorCode::not_supported,
                fmt::format("reduced-error pruning is for one tree, not {}", model.trees().size()),
                "prune the trees one by one");
  refuse_losses(model.params(), "reduced-error pruning");
  refuse_unanswered(model, "reduced-error pruning");
  refuse_treatment(model, "reduced-error pruning", "use ccp_alpha");
  const Loss own = natural_loss(model.parts().criterion, model.task(), model.params().quantile);
  refuse_leaf_values(options.leaf_values, own, model.params());
  refuse_unshrunken_values(options.leaf_values, model);
  Loss loss = own;
  if (options.measure == ErrorMeasure::squared)
    loss.kind = model.task() == Task::classification ? Loss::Kind::brier : Loss::Kind::squared;
  const RowReader reader(pruning, model.features());
  const PruneRows read = read_prune_rows(model, pruning, options.weight);
  JudgeRows rows{&reader, {}, {}, read.weights};
  for (const auto& codes : read.classes) rows.classes.emplace_back(codes);
  for (const auto& numbers : read.numbers) rows.numbers.emplace_back(numbers);
  std::optional<Model> pruned;
  with_threads(execution.threads, [&] {
    pruned = with_pruned_trees(model, fmt::format("reduced error on {} rows", pruning.n_rows()),
                               [&](const Tree& tree, std::size_t) {
                                 return reduced_error(tree, rows, loss, options.leaf_values, own);
                               });
  });
  return std::move(*pruned);
}

Model critical_value(const Model& model, double critical) {
  return with_pruned_trees(model, fmt::format("the critical value {}", critical),
                           [&](const Tree& tree, std::size_t) { return critical_value(tree, critical); });
}

Model minimum_description(const Model& model) {
  refuse_undescribed(model.parts().criterion);
  refuse_unanswered(model, "pruning by description length");
  const std::vector<std::uint32_t> n_levels = model.n_levels();
  return with_pruned_trees(model, "description length", [&](const Tree& tree, std::size_t i) {
    return cut_like(tree, minimum_description(counted_tree(model, i), n_levels));
  });
}

Model simplify(const Model& model, Alike alike) {
  refuse_losses(model.params(), "merging leaves that agree");
  refuse_unanswered(model, "merging leaves that agree");
  return with_pruned_trees(model, "merging leaves that agree",
                           [&](const Tree& tree, std::size_t) { return simplify(tree, alike); });
}

}  // namespace bough
