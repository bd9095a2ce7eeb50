// SPDX-License-Identifier: Apache-2.0
// A slice through the columns of a model: which are shown, which are held, and what the data say about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bough/draw.hpp"

namespace bough {

/// More levels cannot be told apart on an axis.
inline constexpr std::size_t kMostLevels = 60;

/// One shown column.
struct SliceAxis {
  ColId column = 0;
  bool is_levels = false;
  std::size_t n_levels = 0;
  double low = 0.0;  ///< what is shown
  double high = 1.0;
  std::vector<double> cells{};  ///< of the data rows that are drawn
};

struct Slice {
  std::vector<SliceAxis> axes;  ///< one or two
  std::vector<double> cells;    ///< per feature where it is held; the shown ones are NaN
  std::vector<HeldColumn> held;
  std::size_t output = 0;
  std::vector<double> truth;  ///< of the data rows that are drawn; empty: the data have no target
  std::int64_t step = 1;      ///< every so many rows of the data are drawn
  std::int64_t n_rows = 0;    ///< of the data
  std::int64_t n_drawn = 0;

  [[nodiscard]] bool shows(ColId column) const {
    for (const SliceAxis& axis : axes)
      if (axis.column == column) return true;
    return false;
  }
};

/// `n_axes` is 1 or 2. `model` has the trees that matter only.
Slice make_slice(const Model& model, const Table* data, const SliceOptions& options, std::size_t n_axes);

/// The cuts of all trees across a shown column of numbers, increasing, inside what is shown.
std::vector<double> cuts_of(const Model& model, const Slice& slice, const SliceAxis& axis);

/// The model with one of its trees only.
Model with_tree(const Model& model, std::size_t tree);

/// What the model answers at places of a slice; a place has a number per axis.
struct SliceAnswer {
  double value = 0.0;
  std::vector<double> shares;
  bool operator==(const SliceAnswer&) const = default;
};
std::vector<SliceAnswer> answers_at(const Model& model, const Slice& slice, const std::vector<Point>& places);

/// Which of the drawn rows the model answers otherwise than the slice does at their place, because of what they
/// hold in the columns that are held here; empty when nothing is held or there are no data.
std::vector<bool> rows_from_elsewhere(const Model& model, const Slice& slice, const Table* data);

/// Name of a feature for people.
std::string column_name(const Model& model, ColId column);
/// "age 37 (median), job cook (most frequent)", about `most` of them; empty when nothing is held.
std::string held_words(const Slice& slice, std::size_t most = 10);

}  // namespace bough
