// SPDX-License-Identifier: Apache-2.0
// How much a model's score on labelled rows falls when the cells of a column change places.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

struct ImportanceSpec {
  std::string
      score{};  ///< a score of evaluate(); empty: accuracy, or r2 for numbers (rmse where r2 has no meaning)
  std::int32_t repeats = 10;  ///< shuffles per column, at least 1
  double level = 0.95;        ///< of the intervals
  std::int64_t seed = 0;
  std::string weight{};  ///< column of row weights, or empty
};

/// What shuffling one column does to the score. Positive: the score gets worse without the column.
struct ColumnImportance {
  std::string column;
  double mean = 0.0;       ///< of `losses`
  double deviation = 0.0;  ///< standard deviation of `losses` (n - 1)
  double low = 0.0;        ///< Student's interval of the mean over shuffles; NaN with fewer than two
  double high = 0.0;
  double impurity = 0.0;       ///< Model::importances(), from the training rows
  std::vector<double> losses;  ///< one per shuffle
};

struct Importances {
  std::string score;  ///< its name
  bool higher_is_better = true;
  double base = 0.0;  ///< the score of the rows as they are, mean over the outputs
  std::int64_t n_rows = 0;
  std::int32_t repeats = 0;
  double level = 0.0;
  std::vector<ColumnImportance> columns;  ///< in the order of the model's features
};

/// Permutation importance (Breiman 2001): every column's cells are shuffled among the rows `repeats` times,
/// missing cells with them. The same seed gives the same numbers for any number of threads. Intervals cover
/// the chance of the shuffles, not that of the rows. Throws as evaluate() does, and bad_params for a score
/// that the model does not have.
Importances permutation_importance(const Model& model, const Table& table, const ImportanceSpec& spec = {},
                                   const Execution& execution = {});
std::string to_json(const Importances& importances);

}  // namespace bough
