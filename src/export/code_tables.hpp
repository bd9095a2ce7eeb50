// SPDX-License-Identifier: Apache-2.0
// A model as flat arrays, from which the writers of source code make their constant tables.
//
// The nodes of all trees stand one after the other, each tree in preorder, so that node `roots[t] + i` is
// node i of tree t and the first child of a node is the node after it. What a test needs beside its column
// lies in pools, where equal parts are kept once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// How a node decides. Tests up to `lowest` have two children; those of `map` and `cuts` are listed.
enum class CodeTest : std::uint8_t {
  leaf,
  number,  ///< cell <= numbers[at]
  order,   ///< level < numbers[at]; an unseen one is missing
  equal,   ///< level == numbers[at]
  set,     ///< bits[at + 1 ...]: bit of a level is its child; bits[at]: child of other levels, 255 as missing
  sum,     ///< sum of weights * cells <= weights[at]; columns[at] terms follow
  known,   ///< every cell that is not missing goes to child 0
  lowest,  ///< only -infinity goes to child 0
  map,     ///< map[at + 1 + level]: its child; map[at]: child of other levels
  cuts     ///< child = number of cuts[at ...] below the cell
};

/// A test of a surrogate; `turned`: where it holds the row goes to child 1.
struct CodeSurrogate {
  CodeTest test = CodeTest::number;
  bool turned = false;
  std::uint32_t column = 0;
  std::uint32_t at = 0;  ///< numbers, or map (which says kMissing where the test does not decide)
};

struct CodeTables {
  /// Marks in `missing` and `map` instead of a child; writers narrow them to their widest number.
  static constexpr std::uint32_t kShares = 0xffffffff;   ///< to every child, by share
  static constexpr std::uint32_t kStops = 0xfffffffe;    ///< stays at the node
  static constexpr std::uint32_t kMissing = 0xffffffff;  ///< in maps: as a missing cell

  std::vector<std::uint32_t> roots;
  // One entry per node. `next`: 0 for a leaf, the second child, or where the list of children begins.
  std::vector<std::uint32_t> test, column, next, at, missing;
  // Per node, empty unless some node needs them: row of values of a node where rows stop, first share,
  // first surrogate (one entry more than nodes).
  std::vector<std::uint32_t> stop_at, shares_at, surrogates_at;

  std::vector<double> numbers;      ///< thresholds
  std::vector<std::uint32_t> kids;  ///< number of children, then the children
  std::vector<std::uint32_t> bits;  ///< bytes
  std::vector<std::uint32_t> map;
  std::vector<double> cuts;
  std::vector<std::uint32_t> term_columns;  ///< number of terms, then their columns
  std::vector<double> term_weights;         ///< threshold, then the weights
  std::vector<double> shares;
  std::vector<CodeSurrogate> surrogates;

  std::size_t n_rows = 0;  ///< rows of values
  std::size_t width = 0;   ///< numbers in a row of values: class shares of all outputs, or values
  std::vector<double> values;
  std::vector<std::uint32_t> choices;  ///< class of every output, per row of values (classification)

  std::vector<std::uint32_t> n_levels;  ///< per column
  std::size_t stack = 1;                ///< parts of a row that may be open at once

  [[nodiscard]] std::size_t n_nodes() const noexcept { return test.size(); }
  [[nodiscard]] bool uses(CodeTest kind) const;
  [[nodiscard]] bool has_shares() const noexcept { return !shares_at.empty(); }
  [[nodiscard]] bool has_stops() const noexcept { return !stop_at.empty(); }
  [[nodiscard]] bool has_surrogates() const noexcept { return !surrogates_at.empty(); }
};

/// What cells a program is fed with; floats: thresholds are rounded down, which is the same test for all
/// floats.
enum class CodeCells : std::uint8_t { doubles, floats };

CodeTables code_tables(const Model& model, CodeCells cells);

/// The largest float that is not above `value` (-infinity when there is none).
float float_below(double value);

}  // namespace bough
