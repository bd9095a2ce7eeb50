// SPDX-License-Identifier: Apache-2.0
// Why a model answers as it does: the decision of one row, step by step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// One test on the way of a row.
struct PathStep {
  NodeId node = 0;
  NodeId next = 0;
  std::string column;       ///< name of the tested column (oblique: the formula)
  std::string cell;         ///< the row's value as text; "missing" when it is
  std::string test;         ///< the condition that held, in words: "age <= 41.5", "job is one of a, b"
  bool missing = false;     ///< the cell was missing, so a rule and not a value decided
  bool unseen = false;      ///< the category was never seen in training
  std::string surrogate{};  ///< the test of another column that decided for a missing cell, in words
};

/// The way of one row and what it leads to.
struct PathExplanation {
  std::vector<PathStep> steps;
  NodeId leaf = 0;             ///< where the row ends (the largest part of it, when a missing cell split it)
  std::string prediction;      ///< of this tree, per output, joined by ", "
  std::vector<double> values;  ///< class shares or values of this tree's answer, all outputs
  std::string together{};      ///< of all trees of the model, when there are several
  std::int64_t leaf_rows = 0;
  std::vector<std::string> sentences;  ///< the same as readable sentences
};

/// Throws bad_data when the columns do not fit the model, bad_params when there is no such row (from 0) or
/// tree.
PathExplanation explain_row(const Model& model, const Table& table, std::int64_t row, std::size_t tree = 0);
std::string to_json(const PathExplanation& explanation);

/// The condition under which a row goes from `node` to its child number `child`, in words with the model's
/// names. Numbers have about `digits` significant digits (0: all of them), thresholds as many more as they need to
/// stand where they stand among the cells; long lists of categories are shortened.
std::string condition_text(const Model& model, const Tree& tree, NodeId node, std::int32_t child,
                           int digits = 6);

/// A name on one line: control signs, direction marks and broken UTF-8 are escaped; it is put in quotes when
/// it is empty, holds a comma or a quote, or begins or ends with a blank.
std::string one_line(std::string_view name);

}  // namespace bough
