// SPDX-License-Identifier: Apache-2.0
// What the trees of a forest say about rows that they have not drawn: answers, errors, importances.
//
// Nothing about the bags is stored: they are functions of the seed. So the rows must be the very rows, in the
// very order, that the forest was grown on: those that a tree has drawn must end in its nodes as they did in the fit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/inference.hpp"
#include "bough/model.hpp"

namespace bough {

/// Whether the trees of a forest of these parameters draw rows, and so leave others out.
inline bool leaves_rows_out(const Params& params) noexcept {
  return params.forest > 0 && (params.bootstrap || params.little_bags > 0);
}

/// Which rows were drawn, and how errors are counted.
struct OobSpec {
  std::string weight{};         ///< column of row weights in the fit, or empty
  bool weighted_errors = true;  ///< errors count by that column; false: every row once
  std::int64_t seed = 0;        ///< of the shuffles of oob_importance
};

/// Answers of the trees that have not drawn a row.
struct OutOfBag {
  std::size_t width = 0;  ///< numbers per row: class shares of every output side by side, or one number each
  std::vector<double> values;         ///< row after row; NaN where every tree has drawn the row
  std::vector<std::int32_t> n_trees;  ///< per row: trees that answered
};

/// The weights by which fit() drew the rows of a table: those of the column times those of the classes;
/// empty: all 1.
std::vector<double> fit_weights(const Model& model, const Table& table, std::string_view weight = {});

/// Throws bad_model unless the model is a forest that was grown here with bootstrap, bad_data when the number
/// of rows is not that of the fit or the rows that a tree has drawn are not those of its nodes. `weights` are fit_weights(). The same bytes for any number of threads, as
/// all below.
OutOfBag out_of_bag(const Model& forest, const Table& rows, std::span<const double> weights = {},
                    const Execution& execution = {});

/// Scores of the out-of-bag answers; rows that every tree has drawn are left out.
std::vector<Evaluation> evaluate_out_of_bag(const Model& forest, const Table& table, const OobSpec& spec = {},
                                            const Execution& execution = {});

/// How the out-of-bag error falls with the number of trees.
struct OobCurve {
  std::string measure;               ///< class_error or squared_error: the mean over rows and outputs
  std::vector<double> errors;        ///< of the first 1, 2, ... trees; NaN while no row is out of bag
  std::vector<std::int64_t> n_rows;  ///< rows that some of these trees have not drawn
};
OobCurve oob_curve(const Model& forest, const Table& table, const OobSpec& spec = {},
                   const Execution& execution = {});

/// Breiman's importance of a column.
struct OobColumn {
  std::string column;
  double mean = 0.0;            ///< over the trees: how much the error of a tree on its out-of-bag rows rises
  double standard_error = 0.0;  ///< of that mean; 0 with fewer than two trees
  double impurity = 0.0;        ///< Model::importances()
};
struct OobImportances {
  std::string measure;             ///< as in OobCurve
  double base = 0.0;               ///< mean error of single trees on their out-of-bag rows
  std::vector<OobColumn> columns;  ///< in the order of the model's features
};
/// The cells of a column change places among the out-of-bag rows of a tree (Breiman 2001, section 10), tree
/// by tree.
OobImportances oob_importance(const Model& forest, const Table& table, const OobSpec& spec = {},
                              const Execution& execution = {});

std::string to_json(const OobCurve& curve);
std::string to_json(const OobImportances& importances);

}  // namespace bough
