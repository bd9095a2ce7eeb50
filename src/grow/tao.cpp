// SPDX-License-Identifier: Apache-2.0
// Tree alternating optimisation.
//
// A pass visits the inner nodes level by level, the deepest first. At a node every row has a loss in either
// subtree as it stands; the test is chosen anew so that the sum over its rows is least (tao_search.hpp) and
// taken only when that sum falls, so the training loss never rises. Nodes of one level do not share rows and
// are visited side by side. A row's leaf is kept up to date, so a node only has to find the leaf of the
// subtree where the row is not. After the levels come the leaves, which take the values of their rows, and
// branches without rows are dropped.
//
// Losses are integers: weights of wrong classes, or squared errors in a fixed point whose scale belongs to
// the node. Cost of a pass: rows x depth steps down the tree, and rows x columns per level for the tests.
// Nothing recurses.
#include "grow/tao.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/exact_grid.hpp"
#include "base/fixed.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "grow/fill.hpp"
#include "grow/row_test.hpp"
#include "grow/tao_answers.hpp"
#include "grow/tao_search.hpp"

namespace bough {

using NodeIndex = std::int32_t;

struct TaoNode {
  Split split;
  RowTest test;
  NodeIndex children[2] = {-1, -1};
  std::int32_t depth = 0;
  [[nodiscard]] bool is_leaf() const noexcept { return children[0] < 0; }
};

namespace {

constexpr std::size_t kRowsAtOnce = 1 << 13;

[[noreturn]] void refuse(NodeId node, std::string_view what) {
  throw Error(ErrorCode::not_supported, fmt::format("tao does not support {} (node {})", what, node),
              "it refines trees of two branches per node whose rows go one way");
}

void check(const Tree& tree) {
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    if (tree.kind(node) == NodeKind::multiway) refuse(node, "tests with a branch per value");
    if (tree.kind(node) == NodeKind::interval) refuse(node, "tests with a branch per interval");
    if (tree.missing_to(node) == missing_by_share) refuse(node, "rows that are divided by share");
    if (tree.missing_to(node) == missing_stops || tree.missing_to(node) == missing_surrogate_or_stops)
      refuse(node, "rows that stop at a node");
    if (tree.missing_to(node) < 0) refuse(node, "surrogates");
  }
}

}  // namespace

class TreeRefiner::Work {
 public:
  Work(const Tree& tree, const EncodedTable& table, const Targets& targets, const TaoSpec& spec)
      : table_(&table),
        targets_(&targets),
        spec_(spec),
        answers_(targets),
        leaf_of_(static_cast<std::size_t>(table.n_rows), 0) {
    check(tree);
    task_ = tree.task();
    widths_.assign(tree.output_widths().begin(), tree.output_widths().end());
    nodes_.resize(static_cast<std::size_t>(tree.n_nodes()));
    const std::vector<std::int32_t> depths = tree.depths();
    for (NodeId id = 0; id < tree.n_nodes(); ++id) {
      TaoNode& node = nodes_[static_cast<std::size_t>(id)];
      node.depth = depths[static_cast<std::size_t>(id)];
      if (tree.is_leaf(id)) continue;
      node.split = tree.split(id);
      node.test = RowTest(node.split, table);
      std::copy_n(tree.children(id).begin(), 2, node.children);
    }
    settle();
  }

  bool pass(Monitor& monitor) {
    changed_ = 0;
    std::vector<std::vector<RowId>> rows = rows_of_leaves();
    const std::vector<std::vector<NodeIndex>> levels = inner_levels();
    for (std::size_t d = levels.size(); d-- > 0;) {
      parallel_for(levels[d].size(), [&](std::size_t i) {
        const NodeIndex id = levels[d][i];
        const TaoNode& node = at(id);
        std::vector<RowId>& left = rows[static_cast<std::size_t>(node.children[0])];
        std::vector<RowId>& right = rows[static_cast<std::size_t>(node.children[1])];
        std::vector<RowId>& here = rows[static_cast<std::size_t>(id)];
        here.resize(left.size() + right.size());
        std::merge(left.begin(), left.end(), right.begin(), right.end(), here.begin());
        std::vector<RowId>().swap(left);
        std::vector<RowId>().swap(right);
        monitor.tick();
        visit(id, here);
      });
    }
    settle();
    return changed_ > 0;
  }

  [[nodiscard]] double loss(const Targets& targets) const {
    std::vector<double> losses(targets.rows.size());
    parallel_ranges(losses.size(), internal_limits().parallel_refit, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const RowId row = targets.rows[i];
        losses[i] = answers_.loss(targets, row, descend(0, row)) * static_cast<double>(targets.weight(row));
      }
    });
    return std::ldexp(sorted_sum(std::move(losses)), -targets.weight_exponent);
  }

  [[nodiscard]] Tree finish() const {
    const Tree plain = build(nullptr);
    return build(&plain);
  }

 private:
  [[nodiscard]] TaoNode& at(NodeIndex id) { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const TaoNode& at(NodeIndex id) const { return nodes_[static_cast<std::size_t>(id)]; }

  [[nodiscard]] NodeIndex descend(NodeIndex id, RowId row) const {
    while (!at(id).is_leaf()) id = at(id).children[at(id).test.side(row).child];
    return id;
  }

  // Rows to leaves, branches without rows away, values to leaves.
  void settle() {
    parallel_ranges(targets_->rows.size(), internal_limits().parallel_refit,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        leaf_of_[targets_->rows[i]] = descend(0, targets_->rows[i]);
                    });
    drop_dead();
    answers_.fit(nodes_.size(), leaf_of_);
  }

  void drop_dead() {
    std::vector<std::int64_t> counts(nodes_.size(), 0);
    for (const RowId row : targets_->rows) ++counts[static_cast<std::size_t>(leaf_of_[row])];
    for (std::size_t i = nodes_.size(); i-- > 0;)  // children come after their parents
      if (!nodes_[i].is_leaf())
        for (const NodeIndex child : nodes_[i].children) counts[i] += counts[static_cast<std::size_t>(child)];
    std::vector<NodeIndex> renamed(nodes_.size(), -1);
    std::vector<TaoNode> kept;
    struct Open {
      NodeIndex node = 0;
      NodeIndex parent = -1;
      int side = 0;
    };
    std::vector<Open> open{{0, -1, 0}};
    while (!open.empty()) {
      const Open one = open.back();
      open.pop_back();
      NodeIndex id = one.node;
      while (!at(id).is_leaf()) {
        const auto rows = [&](int side) { return counts[static_cast<std::size_t>(at(id).children[side])]; };
        if (rows(0) > 0 && rows(1) > 0) break;
        id = at(id).children[rows(0) > 0 ? 0 : 1];
      }
      const auto name = static_cast<NodeIndex>(kept.size());
      renamed[static_cast<std::size_t>(id)] = name;
      kept.push_back(std::move(at(id)));
      TaoNode& node = kept.back();
      node.depth = one.parent < 0 ? 0 : kept[static_cast<std::size_t>(one.parent)].depth + 1;
      if (one.parent >= 0) kept[static_cast<std::size_t>(one.parent)].children[one.side] = name;
      if (node.is_leaf()) continue;
      open.push_back({node.children[1], name, 1});
      open.push_back({node.children[0], name, 0});
    }
    nodes_ = std::move(kept);
    for (const RowId row : targets_->rows) leaf_of_[row] = renamed[static_cast<std::size_t>(leaf_of_[row])];
  }

  [[nodiscard]] std::vector<std::vector<RowId>> rows_of_leaves() const {
    std::vector<std::vector<RowId>> rows(nodes_.size());
    for (const RowId row : targets_->rows) rows[static_cast<std::size_t>(leaf_of_[row])].push_back(row);
    return rows;
  }

  [[nodiscard]] std::vector<std::vector<NodeIndex>> inner_levels() const {
    std::vector<std::vector<NodeIndex>> levels;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_leaf()) continue;
      const auto depth = static_cast<std::size_t>(nodes_[i].depth);
      if (levels.size() <= depth) levels.resize(depth + 1);
      levels[depth].push_back(static_cast<NodeIndex>(i));
    }
    return levels;
  }

  // A row at the node under visit.
  struct Visitor {
    std::int32_t side = 0;
    NodeIndex other = 0;  // its leaf in the other subtree
    double difference = 0.0;
  };

  void visit(NodeIndex id, std::span<const RowId> rows) {
    std::vector<Visitor> visitors(rows.size());
    const TaoNode& node = at(id);
    parallel_ranges(rows.size(), internal_limits().parallel_refit, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Visitor& v = visitors[i];
        v.side = node.test.side(rows[i]).child;
        v.other = descend(node.children[1 - v.side], rows[i]);
        const NodeIndex own = leaf_of_[rows[i]];
        v.difference = answers_.difference(rows[i], v.side == 0 ? own : v.other, v.side == 0 ? v.other : own);
      }
    });
    const std::vector<std::int64_t> deltas = fixed_deltas(rows, visitors);
    std::vector<CareRow> care;
    std::int64_t total = 0, present = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (deltas[i] == 0) continue;
      care.push_back({rows[i], deltas[i]});
      total += deltas[i];
      if (visitors[i].side == 0) present += deltas[i];
    }
    // No test can do better than to send every row to its better side.
    std::int64_t ideal = 0;
    for (const CareRow& one : care) ideal += std::min<std::int64_t>(one.delta, 0);
    if (care.empty() || present == ideal) return;
    choose(id, rows, visitors, {table_, care, total}, present);
  }

  // loss on the left minus loss on the right, with weights, as integers whose sums do not overflow.
  [[nodiscard]] std::vector<std::int64_t> fixed_deltas(std::span<const RowId> rows,
                                                       std::span<const Visitor> visitors) const {
    std::vector<std::int64_t> deltas(rows.size());
    if (targets_->is_classification()) {
      // Weights sum to less than 2^61: with many outputs the last bits of large ones are dropped.
      const auto n_outputs = static_cast<std::int64_t>(targets_->n_outputs());
      const int shift = targets_->total_weight > (INT64_MAX >> 2) / n_outputs
                            ? bit_length(static_cast<uint128>(n_outputs))
                            : 0;
      for (std::size_t i = 0; i < rows.size(); ++i)
        deltas[i] = (targets_->weight(rows[i]) >> shift) * static_cast<std::int64_t>(visitors[i].difference);
      return deltas;
    }
    std::vector<double> sizes(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      sizes[i] = std::fabs(visitors[i].difference) * static_cast<double>(targets_->weight(rows[i]));
    const double sum = sorted_sum(std::move(sizes));
    if (!(sum > 0.0)) return deltas;
    const int exponent = 60 - std::ilogb(sum);
    for (std::size_t i = 0; i < rows.size(); ++i)
      deltas[i] = to_fixed(visitors[i].difference * static_cast<double>(targets_->weight(rows[i])), exponent);
    return deltas;
  }

  void choose(NodeIndex id, std::span<const RowId> rows, std::span<const Visitor> visitors,
              const CareRows& care, std::int64_t present) {
    TaoNode& node = at(id);
    std::optional<TaoTest> best = best_axis_test(care, spec_.equality);
    if (spec_.oblique) {
      std::optional<TaoTest> sum = best_oblique_test(care, node.split.terms);
      if (sum && (!best || sum->loss < best->loss)) best = std::move(sum);
    }
    // No test at all: every row to one subtree, which drop_dead() puts in the node's place.
    const std::int64_t alone = std::min<std::int64_t>(0, care.total);
    if (alone < present && (!best || alone <= best->loss)) {
      take(id, rows, visitors, {node.split, RowTest::always(care.total < 0 ? 0 : 1), false});
      return;
    }
    if (!best || best->loss >= present) return;
    Split split = to_split(*best, rows);
    RowTest test(split, *table_);
    take(id, rows, visitors, {std::move(split), std::move(test), best->swapped});
  }

  // The split of a test; cells that decided nothing go with the heavier side.
  [[nodiscard]] Split to_split(const TaoTest& test, std::span<const RowId> rows) const {
    Split split;
    const auto make = [&](bool left_is_larger) {
      if (test.terms.empty())
        return bough::to_split(test.candidate,
                               table_->columns[static_cast<std::size_t>(test.candidate.column)].n_codes,
                               test.missing_known, left_is_larger);
      Split out;
      out.kind = NodeKind::oblique;
      out.terms = test.terms;
      out.threshold = test.threshold;
      out.missing_to = out.unseen_to = left_is_larger ? 0 : 1;
      return out;
    };
    split = make(false);
    if (test.missing_known) return split;
    const RowTest compiled(split, *table_);
    std::int64_t balance = 0;
    for (const RowId row : rows) {
      const RowTest::Side side = compiled.side(row);
      if (side.met == RowTest::Met::known)
        balance += side.child == 0 ? targets_->weight(row) : -targets_->weight(row);
    }
    return balance > 0 ? make(true) : split;
  }

  struct Change {
    Split split;
    RowTest test;
    bool swapped = false;
  };

  // Writes the change down unless a leaf would be left with too few rows.
  void take(NodeIndex id, std::span<const RowId> rows, std::span<const Visitor> visitors, Change change) {
    TaoNode& node = at(id);
    std::vector<NodeIndex> leaves(rows.size());
    parallel_ranges(rows.size(), internal_limits().parallel_refit, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::int32_t child = change.test.side(rows[i]).child;
        leaves[i] =
            (change.swapped ? 1 - child : child) == visitors[i].side ? leaf_of_[rows[i]] : visitors[i].other;
      }
    });
    if (!large_enough(rows, leaves)) return;
    for (std::size_t i = 0; i < rows.size(); ++i) leaf_of_[rows[i]] = leaves[i];
    if (change.swapped) std::swap(node.children[0], node.children[1]);
    node.split = std::move(change.split);
    node.test = std::move(change.test);
    ++changed_;
  }

  [[nodiscard]] bool large_enough(std::span<const RowId> rows, std::span<const NodeIndex> leaves) const {
    if (spec_.min_samples_leaf <= 1 && spec_.min_weight_leaf <= 0.0) return true;
    std::vector<std::pair<NodeIndex, std::int64_t>> ends;
    for (std::size_t i = 0; i < rows.size(); ++i) ends.emplace_back(leaves[i], targets_->weight(rows[i]));
    std::sort(ends.begin(), ends.end());
    for (std::size_t begin = 0; begin < ends.size();) {
      std::size_t end = begin;
      std::int64_t weight = 0;
      for (; end < ends.size() && ends[end].first == ends[begin].first; ++end) weight += ends[end].second;
      if (static_cast<std::int64_t>(end - begin) < spec_.min_samples_leaf ||
          static_cast<double>(weight) < spec_.min_weight_leaf)
        return false;
      begin = end;
    }
    return true;
  }

  // What a node's training rows have shown it, and the weight of its sides.
  struct Facts {
    bool missing = false;
    bool unseen = false;
    std::int64_t weight[2] = {0, 0};
  };

  [[nodiscard]] std::vector<Facts> facts() const {
    std::vector<Facts> facts(nodes_.size());
    for (const RowId row : targets_->rows) {
      for (NodeIndex id = 0; !at(id).is_leaf();) {
        const RowTest::Side side = at(id).test.side(row);
        Facts& here = facts[static_cast<std::size_t>(id)];
        here.missing |= side.met == RowTest::Met::missing;
        here.unseen |= side.met == RowTest::Met::unseen;
        here.weight[side.child] += targets_->weight(row);
        id = at(id).children[side.child];
      }
    }
    return facts;
  }

  // The tree; gains come from the impurities of `measured`, the same tree made before.
  [[nodiscard]] Tree build(const Tree* measured) const {
    const std::vector<Facts> known = facts();
    TreeBuilder builder(task_, widths_);
    std::vector<TreeBuilder::Handle> handles(nodes_.size(), -1);
    handles[0] = builder.root();
    // Nodes are in preorder, and so are the ids of `measured`.
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const TaoNode& node = nodes_[i];
      if (node.is_leaf()) continue;
      Split split = node.split;
      const Facts& here = known[i];
      if (!here.missing && !here.unseen) {
        split.missing_to = here.weight[0] > here.weight[1] ? 0 : 1;
        if (split.kind != NodeKind::equality) split.unseen_to = split.missing_to;
      }
      split.gain = measured != nullptr ? gain(*measured, static_cast<NodeId>(i)) : 0.0;
      split.score = split.gain;
      const TreeBuilder::Handle first = builder.split(handles[i], split, 2);
      handles[static_cast<std::size_t>(node.children[0])] = first;
      handles[static_cast<std::size_t>(node.children[1])] = first + 1;
    }
    const std::vector<std::vector<RowId>> rows = rows_of_leaves();
    std::vector<std::span<const RowId>> by_handle(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) by_handle[static_cast<std::size_t>(handles[i])] = rows[i];
    fill(builder, by_handle, *targets_, {spec_.criterion, 0.5, {}, false});
    return std::move(builder).finish();
  }

  static double gain(const Tree& tree, NodeId node) {
    double gain = tree.weight(node) * tree.impurity(node);
    for (const NodeId child : tree.children(node)) gain -= tree.weight(child) * tree.impurity(child);
    return std::max(gain, 0.0);
  }

  const EncodedTable* table_;
  const Targets* targets_;
  TaoSpec spec_;
  Task task_ = Task::classification;
  std::vector<std::uint32_t> widths_;
  TaoAnswers answers_;
  std::vector<TaoNode> nodes_;      // in preorder after settle()
  std::vector<NodeIndex> leaf_of_;  // per row of the table
  std::atomic<std::int64_t> changed_{0};
};

TreeRefiner::TreeRefiner(const Tree& tree, const EncodedTable& table, const Targets& targets,
                         const TaoSpec& spec)
    : work_(std::make_unique<Work>(tree, table, targets, spec)) {}
TreeRefiner::~TreeRefiner() = default;
TreeRefiner::TreeRefiner(TreeRefiner&&) noexcept = default;
TreeRefiner& TreeRefiner::operator=(TreeRefiner&&) noexcept = default;

bool TreeRefiner::pass(Monitor& monitor) {
  return work_->pass(monitor);
}
double TreeRefiner::loss(const Targets& targets) const {
  return work_->loss(targets);
}
Tree TreeRefiner::finish() const {
  return work_->finish();
}

}  // namespace bough
