// SPDX-License-Identifier: Apache-2.0
// Subtree raising: pessimistic pruning that may put the heaviest branch of a node in its place.
//
// Bottom up, a node whose charge as a leaf exceeds neither that of its branches nor that of its heaviest
// branch given all its rows (each by more than 0.1) becomes a leaf; else the heaviest branch takes its place
// when that is not dearer than the branches together, gets the rows of its former siblings, and is pruned
// again. Rows whose tested cell is missing go to the branches by their share of the known rows that are there
// now.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/exact_grid.hpp"
#include "bough/pessimistic.hpp"
#include "criterion/registry.hpp"
#include "predict/route.hpp"
#include "prune/pessimistic.hpp"

namespace bough {
namespace {

constexpr std::int32_t kMostDepth = 2000;  // functions here call themselves once per level

// Impurity of class weights; their scale does not matter, so integers of 40 bits stand for them.
double impurity_of(CriterionId criterion, std::span<const double> classes, double weight) {
  if (weight <= 0.0) return 0.0;
  std::vector<std::int64_t> counts;
  std::int64_t total = 0;
  for (const double c : classes) {
    counts.push_back(std::llround(c / weight * 0x1p40));
    total += counts.back();
  }
  return with_class_criterion(criterion, [&](auto tag) {
    return decltype(tag)::type::impurity(ClassSide{counts, total});
  });
}

struct Part {
  std::size_t row = 0;
  double weight = 0.0;
};
using Parts = std::vector<Part>;

struct Counts {
  std::vector<double> classes;
  double weight = 0.0;

  [[nodiscard]] double errors() const {
    return weight - (classes.empty() ? 0.0 : *std::max_element(classes.begin(), classes.end()));
  }
};

// A node of the tree under the knife: the split of node `origin`, children of its own.
struct Cell {
  NodeId origin = 0;
  std::vector<Cell> children;
  Counts counts;
  std::vector<double> shares;
  Parts parts;
  std::int64_t n_rows = 0;
  double impurity = 0.0;
  double gain = 0.0;

  [[nodiscard]] bool is_leaf() const noexcept { return children.empty(); }
};

class Pruner {
 public:
  Pruner(const Tree& tree, const PessimisticSpec& spec, const PruningRows& rows)
      : tree_(tree),
        spec_(spec),
        rows_(&rows),
        grid_(rows.weights.empty() ? ExactGrid(static_cast<double>(rows.classes.size()))
                                   : ExactGrid(rows.weights)),
        criterion_(resolve_criterion(spec.criterion, Task::classification)) {
    root_ = read(0);
    if (rows_->cells.size() % std::max<std::size_t>(rows_->classes.size(), 1) != 0 ||
        (!rows_->weights.empty() && rows_->weights.size() != rows_->classes.size()))
      throw Error(ErrorCode::internal, "pruning rows of different lengths");
    Parts all;
    for (std::size_t i = 0; i < rows_->classes.size(); ++i) add({i, grid_.nearest(weight_of(i))}, all);
    hand_down(root_, std::move(all));
  }
  void refill() {
    Parts all = std::move(root_.parts);
    refill(root_, std::move(all));
  }

  void prune() { prune(root_); }

  [[nodiscard]] Tree result() const {
    TreeBuilder builder(tree_.task(), {tree_.output_widths().front()});
    write(builder, builder.root(), root_, root_.counts);
    return std::move(builder).finish();
  }

 private:
  static void add(Part part, Parts& parts) {
    if (part.weight > 0.0) parts.push_back(part);
  }
  [[nodiscard]] double weight_of(std::size_t row) const {
    return rows_->weights.empty() ? 1.0 : rows_->weights[row];
  }

  [[nodiscard]] Cell read(NodeId node) const {
    Cell cell;
    cell.origin = node;
    cell.n_rows = tree_.n_rows(node);
    cell.impurity = tree_.impurity(node);
    cell.gain = tree_.gain(node);
    cell.counts.weight = tree_.weight(node);
    cell.counts.classes.resize(tree_.value_width());
    // A branch without rows answers with its parent's classes; it has none of its own.
    if (cell.counts.weight > 0.0) tree_.values(node, cell.counts.classes);
    const auto shares = tree_.child_shares(node);
    cell.shares.assign(shares.begin(), shares.end());
    for (const NodeId child : tree_.children(node)) cell.children.push_back(read(child));
    return cell;
  }

  [[nodiscard]] std::int32_t branch(const Cell& cell, std::size_t row) const {
    const std::size_t stride = rows_->classes.size();
    return route(tree_, cell.origin,
                 [&](ColId column) { return rows_->cells[static_cast<std::size_t>(column) * stride + row]; });
  }

  // The shares of the branches among rows whose way is known; equal ones when there are none.
  [[nodiscard]] std::vector<double> shares_of(const Cell& cell, const Parts& parts) const {
    std::vector<double> shares(cell.children.size());
    double known = 0.0;
    for (const Part& part : parts) {
      const std::int32_t to = branch(cell, part.row);
      if (to < 0) continue;
      shares[static_cast<std::size_t>(to)] += part.weight;
      known += part.weight;
    }
    for (double& share : shares)
      share = known > 0.0 ? share / known : 1.0 / static_cast<double>(shares.size());
    return shares;
  }

  [[nodiscard]] std::vector<Parts> divide(const Cell& cell, const Parts& parts,
                                          std::span<const double> shares) const {
    std::vector<Parts> out(cell.children.size());
    for (const Part& part : parts) {
      const std::int32_t to = branch(cell, part.row);
      if (to >= 0) {
        out[static_cast<std::size_t>(to)].push_back(part);
      } else if (to == missing_by_share) {
        for (std::size_t i = 0; i < out.size(); ++i)
          if (shares[i] > (spec_.j48 ? kWekaSlack : 0.0))
            add({part.row, grid_.nearest(part.weight * shares[i])}, out[i]);
      }
    }
    return out;
  }

  [[nodiscard]] Counts count(const Parts& parts) const {
    Counts counts;
    counts.classes.resize(tree_.value_width());
    for (const Part& part : parts) {
      counts.classes[rows_->classes[part.row]] += part.weight;
      counts.weight += part.weight;
    }
    return counts;
  }

  // Gives the nodes below their rows, by the shares they have.
  void hand_down(Cell& cell, Parts parts) {
    if (!cell.is_leaf()) {
      std::vector<Parts> below = divide(cell, parts, cell.shares);
      for (std::size_t i = 0; i < below.size(); ++i) hand_down(cell.children[i], std::move(below[i]));
    }
    cell.parts = std::move(parts);
  }

  // The same with new shares, weights and statistics.
  void refill(Cell& cell, Parts parts) {
    cell.counts = count(parts);
    cell.n_rows = static_cast<std::int64_t>(parts.size());
    cell.impurity = impurity_of(criterion_, cell.counts.classes, cell.counts.weight);
    if (!cell.is_leaf()) {
      cell.shares = shares_of(cell, parts);
      std::vector<Parts> below = divide(cell, parts, cell.shares);
      double inside = 0.0;
      for (std::size_t i = 0; i < below.size(); ++i) {
        refill(cell.children[i], std::move(below[i]));
        inside += cell.children[i].counts.weight * cell.children[i].impurity;
      }
      cell.gain = std::max(cell.counts.weight * cell.impurity - inside, 0.0);
    }
    cell.parts = std::move(parts);
  }

  [[nodiscard]] double charge(const Counts& counts) const {
    return leaf_charge(counts.errors(), counts.weight, spec_);
  }
  [[nodiscard]] double charge(const Cell& cell) const {
    if (cell.is_leaf()) return charge(cell.counts);
    double sum = 0.0;
    for (const Cell& child : cell.children) sum += charge(child);
    return sum;
  }
  // Charge of a branch if these rows came to it.
  [[nodiscard]] double charge(const Cell& cell, const Parts& parts) const {
    if (cell.is_leaf()) return charge(count(parts));
    const std::vector<Parts> below = divide(cell, parts, shares_of(cell, parts));
    double sum = 0.0;
    for (std::size_t i = 0; i < below.size(); ++i) sum += charge(cell.children[i], below[i]);
    return sum;
  }

  // The heaviest child; of equals the first, in Weka the last.
  [[nodiscard]] std::size_t heaviest(const Cell& cell) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < cell.children.size(); ++i) {
      const double more = cell.children[i].counts.weight - cell.children[best].counts.weight;
      if (spec_.j48 ? more > -kWekaSlack : more > 0.0) best = i;
    }
    return best;
  }

  void prune(Cell& cell) {
    if (cell.is_leaf()) return;
    for (Cell& child : cell.children) prune(child);
    const double slack = slack_of(spec_);
    const std::size_t heavy = heaviest(cell);
    const double as_leaf = charge(cell.counts), as_tree = charge(cell);
    const double raised = charge(cell.children[heavy], cell.parts);
    if (as_leaf <= as_tree + slack && as_leaf <= raised + slack) return cell.children.clear();
    if (raised > as_tree + slack) return;
    Parts parts = std::move(cell.parts);
    Cell branch = std::move(cell.children[heavy]);
    cell = std::move(branch);
    refill(cell, std::move(parts));
    prune(cell);
  }

  // `above` are the classes of the nearest node up that holds rows.
  void write(TreeBuilder& builder, TreeBuilder::Handle handle, const Cell& cell, const Counts& above) const {
    const Counts& own = cell.counts.weight > 0.0 ? cell.counts : above;
    builder.set_stats(handle, {cell.n_rows, cell.counts.weight, cell.impurity, own.classes});
    for (const auto& [name, values] : tree_.extras())
      builder.set_extra(name, handle, values[static_cast<std::size_t>(cell.origin)]);
    if (cell.is_leaf()) return;
    Split split = tree_.split(cell.origin);
    split.gain = cell.gain;
    const TreeBuilder::Handle first =
        builder.split(handle, split, static_cast<std::int32_t>(cell.children.size()), cell.shares);
    for (std::size_t i = 0; i < cell.children.size(); ++i)
      write(builder, first + static_cast<TreeBuilder::Handle>(i), cell.children[i], own);
  }

  const Tree& tree_;
  const PessimisticSpec& spec_;
  const PruningRows* rows_;
  ExactGrid grid_;  // of weights of rows and parts of rows: their sums do not depend on the order of rows
  CriterionId criterion_;
  Cell root_;
};

}  // namespace

Tree refill_tree(const Tree& tree, const PruningRows& rows, const std::string& criterion) {
  check_one_class_target(tree);
  const PessimisticSpec spec{.criterion = criterion};
  Pruner pruner(tree, spec, rows);
  pruner.refill();
  return pruner.result();
}

Tree prune_pessimistic(const Tree& tree, const PessimisticSpec& spec, const PruningRows& rows) {
  if (!spec.subtree_raising) return prune_pessimistic(tree, spec);
  check_confidence_factor(spec.confidence_factor);
  check_one_class_target(tree);
  if (tree.depth() > kMostDepth)
    throw Error(ErrorCode::not_supported, "the tree is deeper than 2000 levels, too deep for subtree raising",
                "set max_depth, or switch subtree_raising off");
  Pruner pruner(tree, spec, rows);
  pruner.prune();
  return pruner.result();
}

}  // namespace bough
