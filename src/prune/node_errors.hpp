// SPDX-License-Identifier: Apache-2.0
// What every node of a tree would get wrong about given rows if it were a leaf: the ground of reduced error
// pruning and of cross-validation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed.hpp"
#include "bough/tree.hpp"
#include "data/cells.hpp"

namespace bough {

/// What an error is. Errors are added over the outputs.
struct Loss {
  enum class Kind : std::uint8_t { class_error, brier, log, squared, absolute, pinball };
  Kind kind = Kind::class_error;
  double quantile = 0.5;  ///< pinball only
};

/// Rows that judge a tree: where their cells, targets and weights are. All parts are indexed by the row's
/// number.
struct JudgeRows {
  const RowReader* reader = nullptr;
  std::vector<std::span<const std::uint32_t>> classes;  ///< per output, classification
  std::vector<std::span<const double>> numbers;         ///< per output, regression
  std::span<const double> weights;                      ///< rows of weight 0 do not count; empty: all count 1
  [[nodiscard]] double weight(RowId row) const noexcept { return weights.empty() ? 1.0 : weights[row]; }
};

/// (A part of) a row and the node where it ends.
struct RowEnd {
  RowId row = 0;
  NodeId node = 0;
  double weight = 0.0;
};

/// Where the rows end, in row order.
std::vector<RowEnd> row_ends(const Tree& tree, const JudgeRows& rows);

/// Values that nodes would have as leaves: value_width numbers per node, as Tree::values.
using NodeValues = std::vector<double>;
NodeValues stored_values(const Tree& tree);

/// The units that sums of errors are counted in: weights times 2^-lift are at most 1, errors times 2^exponent
/// have at most 62 bits. Squares are counted in 2^(2 * (exponent - 31)).
struct ErrorScale {
  int exponent = 0;
  int lift = 0;
};
/// For rows of at most this weight and errors of about this size.
ErrorScale error_scale(double largest_error, double heaviest);
/// An upper bound for the error of a row: `gap` is the largest distance of a truth and a value.
double largest_error(const Loss& loss, std::size_t n_outputs, double gap);

/// That distance, where numbers lie in [low, high] and `usual` is one bound: a smaller one where they lie close together far
/// from 0, for at the other one all errors could be less than a unit.
double largest_gap(double low, double high, double usual);

/// Sums of errors as integers: equal errors have equal sums, whatever the order of rows.
struct NodeErrors {
  std::vector<int128> leaf;                           ///< per node: of all rows that reach it, by its value
  std::vector<int128> stopped;                        ///< per inner node: of the rows that end there
  std::vector<int128> leaf_squares, stopped_squares;  ///< the same for squared errors
};

/// `values` give the error of a node as a leaf; rows that stop at an inner node get its stored value.
NodeErrors node_errors(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends,
                       const NodeValues& values, const Loss& loss, const ErrorScale& scale);

/// Sums over rows that every node gets: class weights per class, or weight * number per output, and the
/// weight.
struct RowSums {
  std::vector<double> values;   ///< value_width per node
  std::vector<double> weights;  ///< per node
};
RowSums row_sums(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends);

}  // namespace bough
