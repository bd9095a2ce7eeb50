// SPDX-License-Identifier: Apache-2.0
// The split scan with its windows open: every test of every column at some rows, with its score.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "split/engine.hpp"

namespace bough {

/// One test that the scan looked at. Weights and gain are in the user's units; `score` is what the search
/// compares.
struct TracedCut {
  NodeKind kind = NodeKind::numeric;
  double threshold = 0.0;             ///< numeric, ordinal, equality: as in a Split
  std::vector<std::uint32_t> left{};  ///< subset: levels on the left, which holds the lowest present one
  bool missing_left = false;
  bool allowed = true;  ///< respects the limits on rows, weight and values
  std::size_t left_rows = 0;
  std::size_t right_rows = 0;
  double left_weight = 0.0;
  double right_weight = 0.0;
  double score = 0.0;  ///< 0 where a side is empty
  double gain = 0.0;
};

struct TracedLevel {
  std::uint32_t level = 0;
  std::vector<RowId> rows{};
};

struct TracedColumn {
  ColId id = 0;
  bool constant = true;
  bool heuristic = false;
  std::size_t n_missing = 0;
  bool found = false;
  double key = 0.0;  ///< by which columns are compared: score or gain, divided by the column's cost
  Split split{};     ///< the best test
  TracedCut best{};
  std::vector<RowId> rows{};          ///< that took part: all, or those whose cell is known
  std::vector<RowId> left{};          ///< of these, the ones on the left of the best test
  std::vector<TracedCut> cuts{};      ///< in the order of the scan; missing cells right, then left
  std::vector<TracedLevel> levels{};  ///< categories: rows of every level present
};

/// What the trace is asked about.
struct TraceTask {
  const EncodedTable* table = nullptr;
  const Targets* targets = nullptr;
  const EngineOptions* options = nullptr;  ///< splitter=random is traced as best; buckets are not used
  Limits limits{};
  std::span<const RowId> rows{};
  std::span<const ColId> columns{};
};

/// The columns in the given order. Scores, limits and ties are those of the engines.
std::vector<TracedColumn> trace_columns(const TraceTask& task);

/// The values of two sides as monotone bounds see them.
struct SideValues {
  double left = 0.0;
  double right = 0.0;
};
SideValues side_values(const Targets& targets, const EngineOptions& options, std::span<const RowId> rows,
                       std::span<const RowId> left);

}  // namespace bough
