// SPDX-License-Identifier: Apache-2.0
// Cross-validated cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, section 3.4).
//
// The path of the tree of all rows has prices 0 = a(0) < a(1) < ... < a(m); its i-th tree is the best one for
// every price in [a(i), a(i + 1)). The trees of the folds are judged at the middle of that range, the
// geometric mean sqrt(a(i) a(i + 1)), the last one at infinity.
//
// Nothing is grown again for a price. Every row of a fold goes down the fold's tree once and leaves its error
// at every node it passes, as if the node were a leaf (node_errors.cpp). Then the steps of the fold's own
// path are taken in order: turning a node into a leaf puts the node's error in the place of its branch's. So
// all prices together cost O(rows * depth + nodes * depth).
#include "model/cost_complexity_cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/exact_grid.hpp"

namespace bough {
namespace {

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// A branch of price 0 is worth nothing: it goes even when the price is 0.
double above_zero(double alpha) {
  return std::max(alpha, std::numeric_limits<double>::denorm_min());
}

// Distinct prices of a path and the leaves after the last step of each.
PruningTable rows_of(const PruningPath& path) {
  PruningTable table;
  for (std::size_t i = 0; i < path.alphas.size(); ++i) {
    if (i > 0 && path.alphas[i] == table.alphas.back()) {
      table.n_leaves.back() = path.n_leaves[i];
    } else {
      table.alphas.push_back(path.alphas[i]);
      table.n_leaves.push_back(path.n_leaves[i]);
    }
  }
  return table;
}

std::vector<double> middles(const std::vector<double>& alphas) {
  std::vector<double> out(alphas.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i + 1 < alphas.size(); ++i)
    out[i] = std::sqrt(alphas[i]) * std::sqrt(alphas[i + 1]);
  return out;
}

// Errors of the judging rows, per price.
struct ErrorSums {
  std::vector<int128> errors, squares;
  double weight = 0.0;
  double squared_weights = 0.0;
};

// A branch's errors as pruning goes on.
class Branches {
 public:
  Branches(const Tree& tree, const NodeErrors& errors)
      : errors_(errors), parents_(tree.parents()), sum_(errors.leaf), squares_(errors.leaf_squares) {
    for (NodeId node = tree.n_nodes(); node-- > 0;) {
      if (tree.is_leaf(node)) continue;
      sum_[at(node)] = errors.stopped[at(node)];
      squares_[at(node)] = errors.stopped_squares[at(node)];
      for (const NodeId child : tree.children(node)) {
        sum_[at(node)] += sum_[at(child)];
        squares_[at(node)] += squares_[at(child)];
      }
    }
  }
  void collapse(NodeId node) {
    const int128 more = errors_.leaf[at(node)] - sum_[at(node)];
    const int128 more_squares = errors_.leaf_squares[at(node)] - squares_[at(node)];
    for (; node >= 0; node = parents_[at(node)]) {
      sum_[at(node)] += more;
      squares_[at(node)] += more_squares;
    }
  }
  [[nodiscard]] int128 sum() const { return sum_[0]; }
  [[nodiscard]] int128 squares() const { return squares_[0]; }

 private:
  const NodeErrors& errors_;
  std::vector<NodeId> parents_;
  std::vector<int128> sum_, squares_;
};

void add_fold(const Tree& tree, const PruningPath& path, const NodeErrors& errors,
              std::span<const double> prices, ErrorSums& sums) {
  Branches branches(tree, errors);
  std::size_t step = 1;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    for (; step < path.nodes.size() && path.alphas[step] <= above_zero(prices[i]); ++step)
      branches.collapse(path.nodes[step]);
    sums.errors[i] += branches.sum();
    sums.squares[i] += branches.squares();
  }
}

double heaviest_row(const Prepared& prepared) {
  return prepared.weights.empty() ? 1.0 : *std::max_element(prepared.weights.begin(), prepared.weights.end());
}

// No leaf answers beyond the targets, so the largest gap is twice the largest target.
ErrorScale scale_of(const CvJob& job) {
  double largest = 0.0;
  for (const NumberTarget& target : job.prepared.values.numbers)
    for (const double y : target.raw) largest = std::max(largest, std::fabs(y));
  return error_scale(largest_error(job.loss, job.prepared.values.n_outputs(), 2 * largest),
                     heaviest_row(job.prepared));
}

// Means and their standard errors. With weights the rows count like (sum w)^2 / sum w^2 of equal weight.
void fill_errors(const ErrorSums& sums, const ErrorScale& scale, std::size_t n_outputs, PruningTable& table) {
  const auto outputs = static_cast<double>(n_outputs);
  const double rows = sums.weight * sums.weight / sums.squared_weights;
  for (std::size_t i = 0; i < sums.errors.size(); ++i) {
    const double mean = std::ldexp(static_cast<double>(sums.errors[i]), scale.lift) / sums.weight;
    table.errors.push_back(std::ldexp(mean, -scale.exponent) / outputs);
    const double half = std::ldexp(mean, -31);
    const double squares = std::ldexp(static_cast<double>(sums.squares[i]), scale.lift) / sums.weight;
    const double spread = std::sqrt(std::max(squares - half * half, 0.0) / rows);
    table.standard_errors.push_back(std::ldexp(spread, 31 - scale.exponent) / outputs);
  }
}

std::size_t choose(const PruningTable& table, std::string_view rule) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < table.errors.size(); ++i)
    if (table.errors[i] <= table.errors[best]) best = i;
  if (rule != "one_se") return best;
  const double most = table.errors[best] + table.standard_errors[best];
  for (std::size_t i = table.errors.size(); i-- > best;)
    if (table.errors[i] <= most) return i;
  return best;
}

}  // namespace

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
  out.table = rows_of(path);
  const std::vector<double> prices = middles(out.table.alphas);
  const ErrorScale scale = scale_of(job);
  ErrorSums sums{std::vector<int128>(prices.size(), 0), std::vector<int128>(prices.size(), 0)};
  const RowReader reader(job.table, prepared.features);
  std::vector<char> keep(job.folds.of_row.size());
  std::vector<double> weights(keep.size()), judged;
  std::vector<PruningPath> fold_paths;
  for (std::int32_t fold = 0; fold < job.folds.n; ++fold) {
    for (std::size_t row = 0; row < keep.size(); ++row) {
      keep[row] = job.folds.grows(fold, row) ? 1 : 0;
      const double weight = prepared.weights.empty() ? 1.0 : prepared.weights[row];
      weights[row] = job.folds.of_row[row] == fold ? weight : 0.0;
      if (weights[row] > 0.0) judged.push_back(weights[row]);
    }
    const Prepared part = part_of(prepared, keep);
    const Grown grown = train(part);
    JudgeRows rows{&reader, {}, {}, weights};
    for (const ClassTarget& target : prepared.values.classes) rows.classes.emplace_back(target.codes);
    for (const NumberTarget& target : prepared.values.numbers) rows.numbers.emplace_back(target.raw);
    const NodeErrors errors =
        node_errors(grown.tree, rows, row_ends(grown.tree, rows), stored_values(grown.tree), job.loss, scale);
    PruningPath fold_path = cost_complexity_path(grown.tree, named_risk(grown.tree, job.params.pruning_risk));
    add_fold(grown.tree, fold_path, errors, prices, sums);
    if (!job.params.shrinkage.cross_validated) continue;
    out.fold_trees.push_back(grown.tree);
    fold_paths.push_back(std::move(fold_path));
  }
  sums.weight = sorted_sum(judged);
  for (double& weight : judged) weight *= weight;
  sums.squared_weights = sorted_sum(std::move(judged));
  fill_errors(sums, scale, prepared.values.n_outputs(), out.table);
  out.table.folds = job.folds.n;
  out.table.risk = job.params.pruning_risk;
  out.table.rule = job.params.pruning_rule;
  out.table.measure = loss_name(job.loss);
  out.table.chosen = choose(out.table, job.params.pruning_rule);
  for (std::size_t fold = 0; fold < fold_paths.size(); ++fold)
    out.fold_trees[fold] =
        prune(out.fold_trees[fold], fold_paths[fold], above_zero(prices[out.table.chosen]));
  out.grown.tree = prune(out.grown.tree, path, above_zero(out.table.alphas[out.table.chosen]));
  return out;
}

}  // namespace bough
