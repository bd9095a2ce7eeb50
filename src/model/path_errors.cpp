// SPDX-License-Identifier: Apache-2.0
// Errors along a path of trees.
//
// Nothing is grown again for a price. Every row goes down the tree once and leaves its error at every node it passes, as
// if the node were a leaf (node_errors.cpp). Then the steps of the tree's path are taken in order: turning a node into a
// leaf puts the node's error in the place of its branch's. So all prices together cost O(rows * depth + nodes * depth).
#include "model/path_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/exact_grid.hpp"

namespace bough {
namespace {

std::size_t index(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// A branch's errors as pruning goes on.
class Branches {
 public:
  Branches(const Tree& tree, const NodeErrors& errors)
      : errors_(errors), parents_(tree.parents()), sum_(errors.leaf), squares_(errors.leaf_squares) {
    for (NodeId node = tree.n_nodes(); node-- > 0;) {
      if (tree.is_leaf(node)) continue;
      sum_[index(node)] = errors.stopped[index(node)];
      squares_[index(node)] = errors.stopped_squares[index(node)];
      for (const NodeId child : tree.children(node)) {
        sum_[index(node)] += sum_[index(child)];
        squares_[index(node)] += squares_[index(child)];
      }
    }
  }
  void collapse(NodeId node) {
    const int128 more = errors_.leaf[index(node)] - sum_[index(node)];
    const int128 more_squares = errors_.leaf_squares[index(node)] - squares_[index(node)];
    for (; node >= 0; node = parents_[index(node)]) {
      sum_[index(node)] += more;
      squares_[index(node)] += more_squares;
    }
  }
  [[nodiscard]] int128 sum() const { return sum_[0]; }
  [[nodiscard]] int128 squares() const { return squares_[0]; }

 private:
  const NodeErrors& errors_;
  std::vector<NodeId> parents_;
  std::vector<int128> sum_, squares_;
};

double heaviest_row(const Prepared& prepared) {
  return prepared.weights.empty() ? 1.0 : *std::max_element(prepared.weights.begin(), prepared.weights.end());
}

// No leaf answers beyond the targets, so the largest gap is twice the largest target.
ErrorScale scale_of(const Prepared& prepared, const Loss& loss) {
  double gap = 0.0;
  for (const NumberTarget& target : prepared.values.numbers) {
    if (target.raw.empty()) continue;
    const auto [low, high] = std::minmax_element(target.raw.begin(), target.raw.end());
    gap = std::max(gap, largest_gap(*low, *high, 2.0 * std::max(std::fabs(*low), std::fabs(*high))));
  }
  return error_scale(largest_error(loss, prepared.values.n_outputs(), gap), heaviest_row(prepared));
}

}  // namespace

PruningTable distinct_prices(const PruningPath& path) {
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

std::vector<double> middles(const std::vector<double>& prices) {
  std::vector<double> out(prices.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i + 1 < prices.size(); ++i)
    out[i] = std::sqrt(prices[i]) * std::sqrt(prices[i + 1]);
  return out;
}

double above_zero(double price) {
  return std::max(price, std::numeric_limits<double>::denorm_min());
}

JudgeRows judge_rows(const Prepared& prepared, const RowReader& reader, std::span<const double> weights) {
  JudgeRows rows{&reader, {}, {}, weights};
  for (const ClassTarget& target : prepared.values.classes) rows.classes.emplace_back(target.codes);
  for (const NumberTarget& target : prepared.values.numbers) rows.numbers.emplace_back(target.raw);
  return rows;
}

FoldRows fold_rows(const Prepared& prepared, const Folds& folds, std::int32_t fold,
                   std::vector<double>& judged) {
  std::vector<char> keep(folds.of_row.size());
  std::vector<double> weights(keep.size());
  for (std::size_t row = 0; row < keep.size(); ++row) {
    keep[row] = folds.grows(fold, row) ? 1 : 0;
    const double weight = prepared.weights.empty() ? 1.0 : prepared.weights[row];
    weights[row] = folds.of_row[row] == fold ? weight : 0.0;
    if (weights[row] > 0.0) judged.push_back(weights[row]);
  }
  return {part_of(prepared, keep), std::move(weights)};
}

PathErrors::PathErrors(const Prepared& prepared, const Loss& loss, std::size_t n_trees)
    : loss_(loss),
      n_outputs_(prepared.values.n_outputs()),
      scale_(scale_of(prepared, loss)),
      errors_(n_trees, 0),
      squares_(n_trees, 0) {}

void PathErrors::add_path(const Tree& tree, const PruningPath& path, const JudgeRows& rows,
                          std::span<const RowEnd> ends, const NodeValues& values,
                          std::span<const double> prices) {
  const NodeErrors errors = node_errors(tree, rows, ends, values, loss_, scale_);
  Branches branches(tree, errors);
  std::size_t step = 1;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    for (; step < path.nodes.size() && path.alphas[step] <= above_zero(prices[i]); ++step)
      branches.collapse(path.nodes[step]);
    errors_[i] += branches.sum();
    squares_[i] += branches.squares();
  }
}

void PathErrors::add_tree(std::size_t i, const Tree& tree, const JudgeRows& rows,
                          std::span<const RowEnd> ends, const NodeValues& values) {
  const NodeErrors errors = node_errors(tree, rows, ends, values, loss_, scale_);
  const Branches branches(tree, errors);
  errors_[i] += branches.sum();
  squares_[i] += branches.squares();
}

PathErrors::Means PathErrors::means(std::vector<double> judged) const {
  const double weight = sorted_sum(judged);
  for (double& one : judged) one *= one;
  const double rows = weight * weight / sorted_sum(std::move(judged));
  const auto outputs = static_cast<double>(n_outputs_);
  Means out;
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    const double mean = std::ldexp(static_cast<double>(errors_[i]), scale_.lift) / weight;
    out.errors.push_back(std::ldexp(mean, -scale_.exponent) / outputs);
    const double half = std::ldexp(mean, -31);
    const double squares = std::ldexp(static_cast<double>(squares_[i]), scale_.lift) / weight;
    const double spread = std::sqrt(std::max(squares - half * half, 0.0) / rows);
    out.standard_errors.push_back(std::ldexp(spread, 31 - scale_.exponent) / outputs);
  }
  return out;
}

}  // namespace bough
