// SPDX-License-Identifier: Apache-2.0
// What a block notes about the trees under growth: the weights and fixed-point targets of its rows, and which
// rows each node has. All of it follows from the rows and a request, and is made again where it is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/targets.hpp"
#include "scale/request.hpp"
#include "scale/row_block.hpp"
#include "split/histogram/block_search.hpp"

namespace bough {

/// Row weights of a tree in a block: how often its rows were drawn, or their own weights; empty: all 1.
std::vector<double> tree_weights(const BlockRows& rows, const BagRule& bag, std::uint32_t tree);
/// The targets of the block's rows by a frame whose exponents are known; numbers stay 0 while their unit
/// is not (`unit_known`). `weights` as given by tree_weights.
Targets fixed_targets(const BlockRows& rows, const TreeFrame& frame, std::span<const double> weights,
                      bool unit_known = true);

class TreeNotes {
 public:
  /// tree_weights(), kept until the fixed points are known.
  std::span<const double> weights(const BlockRows& rows, const BagRule& bag, std::uint32_t tree);
  /// Brings the notes up to a request.
  void catch_up(const BlockRows& rows, const BagRule& bag, const TreeRequest& request);
  /// Lets go of what is cheap to make again.
  void forget() noexcept;

  [[nodiscard]] Rows rows(EngineNode node) const;
  [[nodiscard]] const Targets& targets() const noexcept { return *targets_; }
  [[nodiscard]] const BlockCounter& counter() const noexcept { return *counter_; }

 private:
  struct NodeRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  void divide(const BlockRows& rows, std::span<const SplitStep> steps);

  std::optional<std::vector<double>> weights_;
  std::vector<std::uint8_t> draws_;  // how often each row was drawn; empty: not known
  std::unique_ptr<Targets> targets_;
  std::unique_ptr<BlockCounter> counter_;
  std::vector<RowId> order_;  // rows, node after node
  std::vector<NodeRange> nodes_;
  std::size_t n_steps_ = 0;  // splits that order_ knows
};

/// Of one training.
class JobNotes final : public BlockNotes {
 public:
  std::uint64_t job = 0;
  std::vector<std::pair<std::uint32_t, TreeNotes>> trees;
  TreeNotes& of(std::uint32_t tree);
};

}  // namespace bough
