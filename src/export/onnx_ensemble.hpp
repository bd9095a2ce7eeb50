// SPDX-License-Identifier: Apache-2.0
// The trees of a model as one tree operator of ONNX.
#pragma once

#include <string>
#include <vector>

#include "export/binary_ir.hpp"
#include "export/onnx_graph.hpp"

namespace bough::onnx {

/// Where the operator finds what the questions look at, among the columns of its input.
struct Columns {
  std::vector<std::int64_t> cells;  ///< of every feature: its numbers, or the codes of its levels
  std::vector<std::int64_t> sums;   ///< of every sum
  std::vector<std::int64_t> sets;   ///< of every set, where `ml` is below 5: 0 for members, 1 for others
};

/// Ends of all trees one after the other: the operator answers with their numbers.
struct Ends {
  std::vector<std::size_t> tree;
  std::vector<NodeId> node;
  [[nodiscard]] std::size_t size() const { return node.size(); }
};

/// Adds the operator of version `ml` of ai.onnx.ml and gives rows by trees: the number of the end in `ends`,
/// int64. Version 5 is TreeEnsemble on doubles, 3 TreeEnsembleRegressor on doubles, 2 the same on float32,
/// with thresholds rounded down to it.
std::string add_ensemble(Graph& graph, const YesNoModel& model, const Columns& columns,
                         const std::string& cells, std::int64_t ml, Ends& ends);

}  // namespace bough::onnx
