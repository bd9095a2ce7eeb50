// SPDX-License-Identifier: Apache-2.0
// Cross-validated cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, section 3.4).
//
// The path of the tree of all rows has prices 0 = a(0) < a(1) < ... < a(m); its i-th tree is the best one for
// every price in [a(i), a(i + 1)). The trees of the folds are judged at the middle of that range, the
// geometric mean sqrt(a(i) a(i + 1)), the last one at infinity (path_errors.cpp).
#include "model/cost_complexity_cv.hpp"

#include <fmt/format.h>

#include "model/path_errors.hpp"

namespace bough {

std::size_t chosen_price(const PruningTable& table, std::string_view rule) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < table.errors.size(); ++i)
    if (table.errors[i] <= table.errors[best]) best = i;
  if (rule != "one_se") return best;
  const double most = table.errors[best] + table.standard_errors[best];
  for (std::size_t i = table.errors.size(); i-- > best;)
    if (table.errors[i] <= most) return i;
  return best;
}

std::vector<double> named_risk(const Tree& tree, std::string_view risk) {
  if (risk == "impurity") return impurity_risk(tree);
  if (risk == "error") return error_risk(tree);
  throw Error(ErrorCode::bad_params, fmt::format("there is no risk '{}'", risk), "use impurity or error");
}

Loss natural_loss(std::string_view criterion, Task task, double quantile) {
  if (task == Task::classification) return {Loss::Kind::class_error, 0.5};
  if (criterion == "absolute_error") return {Loss::Kind::absolute, 0.5};
  if (criterion == "quantile") return {Loss::Kind::pinball, quantile};
  return {Loss::Kind::squared, 0.5};
}

std::string loss_name(const Loss& loss) {
  switch (loss.kind) {
    case Loss::Kind::class_error:
      return "class_error";
    case Loss::Kind::brier:
      return "brier";
    case Loss::Kind::log:
      return "log_loss";
    case Loss::Kind::absolute:
      return "absolute_error";
    case Loss::Kind::pinball:
      return "pinball";
    case Loss::Kind::squared:
      break;
  }
  return "squared_error";
}

CvTree cost_complexity_cv(const CvJob& job, const Train& train) {
  const Prepared& prepared = job.prepared;
  CvTree out{train(prepared), {}, {}};
  const PruningPath path =
      cost_complexity_path(out.grown.tree, named_risk(out.grown.tree, job.params.pruning_risk));
  out.table = distinct_prices(path);
  const std::vector<double> prices = middles(out.table.alphas);
  PathErrors errors(prepared, job.loss, prices.size());
  const RowReader reader(job.table, prepared.features);
  std::vector<double> judged;
  std::vector<PruningPath> fold_paths;
  for (std::int32_t fold = 0; fold < job.folds.n; ++fold) {
    const FoldRows part = fold_rows(prepared, job.folds, fold, judged);
    const Grown grown = train(part.grown);
    const JudgeRows rows = judge_rows(prepared, reader, part.weights);
    PruningPath fold_path = cost_complexity_path(grown.tree, named_risk(grown.tree, job.params.pruning_risk));
    errors.add_path(grown.tree, fold_path, rows, row_ends(grown.tree, rows), stored_values(grown.tree),
                    prices);
    if (!job.params.shrinkage.cross_validated) continue;
    out.fold_trees.push_back(grown.tree);
    fold_paths.push_back(std::move(fold_path));
  }
  PathErrors::Means means = errors.means(std::move(judged));
  out.table.errors = std::move(means.errors);
  out.table.standard_errors = std::move(means.standard_errors);
  out.table.folds = job.folds.n;
  out.table.risk = job.params.pruning_risk;
  out.table.rule = job.params.pruning_rule;
  out.table.measure = loss_name(job.loss);
  out.table.chosen = chosen_price(out.table, job.params.pruning_rule);
  for (std::size_t fold = 0; fold < fold_paths.size(); ++fold)
    out.fold_trees[fold] =
        prune(out.fold_trees[fold], fold_paths[fold], above_zero(prices[out.table.chosen]));
  out.grown.tree = prune(out.grown.tree, path, above_zero(out.table.alphas[out.table.chosen]));
  return out;
}

}  // namespace bough
