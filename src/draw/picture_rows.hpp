// SPDX-License-Identifier: Apache-2.0
// The rows that reach the nodes of a drawn tree: how they are distributed along the tested column.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// One bar: its rows by class, or their number and the sum of their values.
struct RowBar {
  std::vector<double> parts{};
  double count = 0.0;
  double sum = 0.0;
  std::uint32_t level = 0;  ///< of columns of levels
  std::int32_t child = 0;   ///< of columns of levels: where it goes
};

/// The rows of a node along the column that it tests.
struct NodeBars {
  std::vector<RowBar> bars;
  std::vector<double> cuts;   ///< places of the borders between children, in [0, 1]
  std::optional<double> row;  ///< place of the marked row
  double top = 0.0;           ///< rows of the highest bar
};

/// Reads at most about 20,000 rows, every k-th of more. Without the target the model's answers take its place.
class PictureRows {
 public:
  /// `row`: the row of the table whose path is marked. Throws bad_params when there is none such.
  PictureRows(const Model& model, const Tree& tree, const Table& table, std::optional<std::int64_t> row);

  /// Nothing for leaves and for nodes that no row reaches.
  [[nodiscard]] std::optional<NodeBars> bars(NodeId node) const;
  /// Whether the marked row passes or ends here.
  [[nodiscard]] bool on_path(NodeId node) const;

 private:
  [[nodiscard]] double cell(NodeId node, std::size_t row) const;
  [[nodiscard]] double tested(NodeId node, const std::vector<double>& cells) const;
  void put(RowBar& bar, std::size_t row) const;
  [[nodiscard]] NodeBars number_bars(NodeId node) const;
  [[nodiscard]] NodeBars level_bars(NodeId node) const;

  const Tree& tree_;
  std::size_t n_ = 0, n_classes_ = 0;
  std::vector<double> cells_;  ///< column by column
  std::vector<double> truth_;  ///< class index or number; -1: a class the model does not know
  std::vector<std::vector<std::uint32_t>> rows_;  ///< per node
  std::vector<double> marked_;                    ///< the cells of the marked row; empty: none
  std::vector<bool> path_;
};

}  // namespace bough
