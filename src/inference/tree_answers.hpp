// SPDX-License-Identifier: Apache-2.0
// What the single trees of a model say about rows, block by block, and which rows they have drawn.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bough/model.hpp"
#include "data/cells.hpp"
#include "model/combine.hpp"
#include "predict/grid.hpp"

namespace bough {

/// Bits of all rows and trees: which were drawn.
class DrawnRows {
 public:
  DrawnRows(const Model& forest, std::size_t n_rows, std::span<const double> weights);
  [[nodiscard]] bool has(std::size_t tree, std::size_t row) const noexcept {
    return (bits_[tree * words_ + row / 64] >> (row % 64) & 1) != 0;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Some rows, and what one tree at a time says about them. Keep one per thread.
class TreeBlock {
 public:
  /// by_share: of every tree, whether rows may end in several of its leaves.
  TreeBlock(const Model& model, const GridBlock& block, const std::vector<char>& by_share);

  [[nodiscard]] std::size_t begin() const noexcept { return block_.begin; }
  [[nodiscard]] std::size_t count() const noexcept { return block_.count; }
  /// Sends all rows down a tree.
  void enter(std::size_t tree);
  /// Where row begin() + i ended in the entered tree.
  [[nodiscard]] NodeId leaf(std::size_t i) const noexcept { return leaves_[i]; }
  /// What the entered tree says about row begin() + i: shares of the classes of every output, or numbers.
  /// Empty where it says nothing. Valid until the next call.
  std::span<const double> answer(std::size_t i);

 private:
  const Model& model_;
  const GridBlock& block_;
  Combiner combiner_;
  std::size_t tree_ = 0;
  const std::vector<char>& by_share_;
  std::vector<NodeId> leaves_;
  std::vector<double> values_;
};

/// Calls body(block) for all rows, possibly in parallel. Blocks do not depend on the number of threads.
void for_tree_blocks(const Model& model, const RowReader& rows, const std::function<void(TreeBlock&)>& body);

}  // namespace bough
