// SPDX-License-Identifier: Apache-2.0
// The nearest counterfactual: the smallest change of a row that makes a tree answer otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

struct CounterfactualSpec {
  std::vector<std::string> fixed{};     ///< columns that cannot change
  std::vector<std::string> increase{};  ///< columns that can only rise (numbers, ordinal levels)
  std::vector<std::string> decrease{};  ///< columns that can only fall
  std::string target{};                 ///< the target to flip; empty: the first
  std::string wanted{};              ///< classification: the class to reach; empty: any other than the answer
  std::optional<double> at_least{};  ///< regression: the answer to reach; one of the two is needed
  std::optional<double> at_most{};
  /// Rows that say how far a column's cells spread and whether they are whole numbers; null: those of the
  /// row's table. One row says neither, and then a sentence of the result says so.
  const Table* reference = nullptr;
};

/// One cell that changes.
struct CellChange {
  std::string column;
  std::string from;       ///< the row's cell as text; "missing" when it is
  std::string to;         ///< the new cell as text
  std::string condition;  ///< what is enough, in words: "more than 2.45", "one of a, b"
  ColId index = 0;        ///< of the feature
  double cell = 0.0;      ///< the new cell as trees see it: a number, or a level index
  double size = 0.0;      ///< change in units of the column's spread; 1 for a category or a missing cell
};

struct Counterfactual {
  bool found = false;
  std::vector<CellChange> changes;  ///< by column; empty when the row has the wanted answer already
  double distance = 0.0;            ///< sum of the sizes
  std::string before;               ///< the answer of the row
  std::string after;                ///< the answer of the changed row
  NodeId leaf = -1;                 ///< where the changed row ends
  std::vector<double> cells;        ///< the changed row, a cell per feature as trees see it
  std::vector<std::string> sentences;
};

/// The change of the fewest columns, and of these the one of the smallest distance, after which the model
/// gives another answer (the first leaf of such a change, when several are as near). Exact: every leaf is
/// looked at that could be nearer. A number moves to the nearest one that passes the test: the next whole
/// number where the column has only such, the next float where it is stored so, else the next double. Spread
/// is the standard deviation of the reference rows (1 where it is 0). Cells never become missing, and
/// categories only change to known ones. Throws not_supported for models of several trees, oblique tests, and
/// a missing cell of the row that surrogates decide or that is shared between children; bad_params for
/// columns, classes and rows (from 0) that do not exist.
Counterfactual counterfactual(const Model& model, const Table& table, std::int64_t row,
                              const CounterfactualSpec& spec = {});
/// The same for several rows, in parallel.
std::vector<Counterfactual> counterfactuals(const Model& model, const Table& table,
                                            std::span<const std::int64_t> rows,
                                            const CounterfactualSpec& spec = {},
                                            const Execution& execution = {});
std::string to_json(const Counterfactual& counterfactual);

}  // namespace bough
