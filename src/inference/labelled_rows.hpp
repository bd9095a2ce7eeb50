// SPDX-License-Identifier: Apache-2.0
// The truth about rows and a model's answers to them, ready to be scored in any selection.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "inference/scores.hpp"

namespace bough {

/// The truth of one output and the model's answer to it, for all rows.
struct ScoredOutput {
  Evaluation start;                   ///< target, task, classes
  std::vector<std::int32_t> classes;  ///< true class per row
  std::vector<double> numbers;        ///< true number per row
  std::vector<double> predicted;      ///< class index or number per row
  std::vector<double> chances;        ///< n_known per row
  std::size_t n_known = 0;
};

/// Everything that scoring any subset of the rows needs.
struct Scored {
  std::vector<ScoredOutput> outputs;
  std::vector<double> weights;
  double quantile = 0.5;
  double confidence = 0.95;
  bool intervals = true;  ///< score() gives intervals too

  [[nodiscard]] std::vector<Evaluation> score(std::span<const std::int64_t> rows) const;
  /// Puts what Model::predict gave into the outputs.
  void take_answers(std::span<const double> answers);
};

/// The column of that name; `what` it is for. Throws bad_data, with the names nearest to it, where there is none.
const Table::Column& find_column(const Table& table, std::string_view name, std::string_view what);

/// The truth without answers. Throws as evaluate() does.
Scored read_truth(const Model& model, const Table& table, std::string_view weight);

}  // namespace bough
