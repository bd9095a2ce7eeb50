// SPDX-License-Identifier: Apache-2.0
// What growing does to open nodes, in whichever order they are taken: stop rules, constraints, column
// sampling, dividing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/monitor.hpp"
#include "grow/fill.hpp"
#include "grow/grow.hpp"
#include "grow/totals.hpp"

namespace bough {

/// A leaf that may still be split.
struct OpenLeaf {
  EngineNode engine = 0;
  TreeBuilder::Handle handle = 0;
  std::int32_t depth = 0;
  std::uint64_t key = 0;
  ValueBounds bounds{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  std::vector<std::uint32_t> groups;  ///< interaction groups that hold every column used so far
};

/// Nodes that are to be searched together, and what engines are told about them. Moving it leaves the tasks
/// valid.
struct OpenBatch {
  std::vector<OpenLeaf> nodes;
  std::vector<NodeTask> tasks;              ///< by node; views `columns`
  std::vector<std::vector<ColId>> columns;  ///< by node, in the order of drawing
};

/// A node and the split that it is going to get.
struct ReadyNode {
  OpenLeaf node;
  Proposal proposal;
};

/// A tree under growth. Everything that is given must outlive it. Neither rows nor targets of rows are looked
/// at before finish().
class NodeGrower {
 public:
  NodeGrower(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
             Monitor& monitor);

  /// The first open node; once.
  OpenLeaf root();
  /// The nodes that may be split; the others stay leaves.
  OpenBatch open(std::vector<OpenLeaf> nodes);
  /// The nodes whose proposals are worth a split; the others stay leaves.
  std::vector<ReadyNode> choose(OpenBatch batch, std::vector<Proposal> proposals);
  /// Divides a node; its children are open.
  std::vector<OpenLeaf> divide(const ReadyNode& ready);
  /// Puts a subtree that the engine has grown in the place of a leaf.
  void put(TreeBuilder::Handle leaf, EngineNode node, const std::vector<FinishedNode>& subtree);
  [[nodiscard]] SubtreeRules rules() const;

  [[nodiscard]] Engine& engine() const noexcept { return *engine_; }
  [[nodiscard]] const GrowSpec& spec() const noexcept { return *spec_; }
  [[nodiscard]] Monitor& monitor() const noexcept { return *monitor_; }
  [[nodiscard]] std::span<const EngineNode> engine_nodes() const noexcept { return engine_nodes_; }
  /// The nodes so far as a subtree that another tree can put() in the place of a leaf.
  [[nodiscard]] std::vector<FinishedNode> preorder() const;

  /// The tree of an engine that grows whole trees; once, and nothing else.
  Grown whole();
  /// The tree, its statistics from the engine's rows; once.
  Grown finish();
  /// The same from what leaves know, by handle (grow/totals.hpp).
  Grown finish(std::span<const LeafTotals> leaves, std::span<const PoissonFrame> poisson);

 private:
  [[nodiscard]] std::int64_t n_rows(const OpenLeaf& node) const {
    return static_cast<std::int64_t>(engine_->n_rows(node.engine));
  }
  [[nodiscard]] bool may_split(const OpenLeaf& node) const;
  [[nodiscard]] std::uint64_t root_key() const;
  [[nodiscard]] bool worth_it(const Proposal& proposal) const;
  [[nodiscard]] NodeTask make_task(const OpenLeaf& node, std::span<const ColId> columns) const;
  [[nodiscard]] std::vector<ColId> draw(const OpenLeaf& node) const;
  [[nodiscard]] ValueBounds child_bounds(const ReadyNode& ready, std::size_t child) const;
  void note(const OpenLeaf& node);
  /// Notes whether a split is one that WholeNode can hold.
  void note(const Split& split, std::size_t n_children);
  /// All nodes in preorder, if they are such, and their rows lie one after the other; else nothing.
  [[nodiscard]] std::vector<WholeNode> whole_nodes() const;

  Engine* engine_;
  const Targets* targets_;
  const GrowSpec* spec_;
  Monitor* monitor_;
  TreeBuilder builder_;
  std::vector<ColId> columns_;
  double min_weight_ = 0.0;
  double total_weight_ = 0.0;
  bool heuristic_ = false;
  bool plain_ = true;                     // all splits are tests of a number or of ordered levels
  std::vector<EngineNode> engine_nodes_;  // by handle
  std::vector<ValueBounds> bounds_;       // by handle; empty without monotone constraints
};

}  // namespace bough
