// SPDX-License-Identifier: Apache-2.0
// Growing level by level, one step at a time: whoever drives asks for the tasks of a level, has them done
// wherever the rows are, and hands over the answers. Several trees can thus advance together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/open_nodes.hpp"

namespace bough {

/// A tree that grows by levels. The engine divides nodes and knows how many rows they have; who answers the
/// tasks does not matter. Everything that is given must outlive the grower. `targets` may be a shape: classes
/// without codes, numbers without values, no rows; but total_weight and the exponents must be set.
class LevelGrower {
 public:
  LevelGrower(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
              Monitor& monitor);

  /// Whether there are tasks.
  [[nodiscard]] bool open() const noexcept { return !to_finish_.empty() || !batch_.tasks.empty(); }
  /// Nodes whose whole subtrees the engine wants to grow (Engine::finishes), by rules().
  [[nodiscard]] const std::vector<FinishTask>& to_finish() const noexcept { return to_finish_; }
  /// Nodes that need a proposal. What the tasks view stays as it is until take(), even when the grower is
  /// moved.
  [[nodiscard]] const std::vector<NodeTask>& to_search() const noexcept { return batch_.tasks; }
  /// The leaves of to_finish() in the tree.
  [[nodiscard]] const std::vector<TreeBuilder::Handle>& finish_handles() const noexcept {
    return finish_handles_;
  }
  /// Puts a subtree in the place of a leaf of the tree so far, whose node is `node`.
  void put(TreeBuilder::Handle leaf, EngineNode node, const std::vector<FinishedNode>& subtree) {
    nodes_.put(leaf, node, subtree);
  }
  [[nodiscard]] SubtreeRules rules() const { return nodes_.rules(); }
  /// Depth of the nodes of this level.
  [[nodiscard]] std::int32_t depth() const noexcept { return depth_; }

  /// The answers to all tasks, in their order: nodes are divided (Engine::expect, Engine::split), and the
  /// next level is there.
  void take(std::vector<std::vector<FinishedNode>> finished, std::vector<Proposal> proposals);

  /// The engine's node of every handle of the tree so far.
  [[nodiscard]] std::span<const EngineNode> engine_nodes() const noexcept { return nodes_.engine_nodes(); }
  /// The tree so far as nodes in preorder, for another tree to put in the place of a leaf.
  [[nodiscard]] std::vector<FinishedNode> preorder() const { return nodes_.preorder(); }

  /// The tree, once nothing is open; statistics from Engine::rows.
  Grown finish() { return nodes_.finish(); }
  /// The same with statistics from what leaves know, by handle (those of inner nodes are not looked at).
  /// `poisson`: by output, for that criterion only. Throws not_supported for criteria whose values are not
  /// made of sums, and for treatments.
  Grown finish(std::span<const LeafTotals> leaves, std::span<const PoissonFrame> poisson = {}) {
    return nodes_.finish(leaves, poisson);
  }

 private:
  void start(std::vector<OpenLeaf> level);

  NodeGrower nodes_;
  std::int32_t depth_ = 0;
  std::vector<FinishTask> to_finish_;
  std::vector<TreeBuilder::Handle> finish_handles_;  // by to_finish_
  OpenBatch batch_;
};

}  // namespace bough
