// SPDX-License-Identifier: Apache-2.0
// What goes into the page: parts of one JSON document, and columns of numbers beside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bough/report.hpp"
#include "report/pack.hpp"

namespace bough {

/// A text that travels beside the document, under an id that the document names.
struct Blob {
  std::string id;
  std::string text;
};

/// The truth about the rows of a table, as far as it is there.
struct RowLabels {
  bool known = false;  ///< every target column is in the table
  std::vector<std::vector<std::int32_t>>
      classes;                               ///< per output and row; -1: a label the model does not know
  std::vector<std::vector<double>> numbers;  ///< per output and row
  std::vector<double> weights;               ///< per row; empty: all 1
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};
RowLabels read_row_labels(const Model& model, const Table& table, std::string_view weight);

/// What an error along the pruning path is: class_error, squared_error, absolute_error, pinball or
/// poisson_deviance.
std::string_view error_measure(const Model& model);
/// Sums of errors that every node would make as a leaf, per output.
struct NodeLosses {
  std::vector<std::vector<double>> leaf;     ///< of all rows that reach the node
  std::vector<std::vector<double>> stopped;  ///< of the rows that end at an inner node
  std::vector<double> weights;               ///< of the rows that reach the node
  double total = 0.0;                        ///< weight of all rows
};
/// Of several outputs that are numbers the model knows only the mean: then there is one list for all of them.
NodeLosses training_losses(const Model& model, std::size_t tree);
NodeLosses table_losses(const Model& model, const Tree& tree, const Table& table, const RowLabels& truth);
/// Whether rows of these losses fall into a tree as those of its training did.
bool fall_as_training(const Model& model, const NodeLosses& losses);

/// One tree: its arrays go into the blob; `held_out` may be null.
Json tree_data(const Model& model, std::size_t tree, const NodeLosses* held_out, Blob& blob);
/// The rows that travel in the page, thinned out to about options.max_rows, with truth and answers.
Json rows_data(const Model& model, const Table& table, const RowLabels& truth, const ReportOptions& options,
               std::span<const RowId> numbers, Blob& blob);
/// Scores, confusion, ROC, calibration of every output, on all rows.
Json quality_data(const Model& model, const Table& table, const RowLabels& truth,
                  const ReportOptions& options);
/// Best tests of all columns at the first nodes, searched anew on the training rows; by node.
Json why_data(const Model& model, const Table& training, const ReportOptions& options);
/// What shuffling every column costs on the rows.
Json permutation_data(const Model& model, const Table& table, const ReportOptions& options);
/// Columns, levels and what the table holds of them; parameters; provenance; the pruning table.
Json features_data(const Model& model, const Table* table);
Json model_facts(const Model& model);
Json pruning_data(const Model& model);
/// The path of sizes; null where no size was chosen.
Json sizes_data(const Model& model);
/// Trees with other columns at the root, searched on the training rows; null where there are none.
Json roots_data(const Model& model, const Table& training, const ReportOptions& options);

/// Of several trees: the one most like the forest, the out-of-bag error against trees, out-of-bag importances, as far as
/// the tables tell; null for a single tree.
Json forest_data(const Model& model, const Table* held_out, const ReportOptions& options);

/// Numbers as JSON, with null for what is not finite.
Json json_number(double value);
Json json_numbers(const std::vector<double>& values);

}  // namespace bough
