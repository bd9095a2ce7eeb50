// SPDX-License-Identifier: Apache-2.0
// Scores, trees and importances as text for people.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bough/inference.hpp"

namespace bough::cli {

/// The largest tree that is shown in full without being asked for.
inline constexpr NodeId kSmallTree = 31;

/// Evaluations of one target set beside each other, with a title each.
using ScoreColumns = std::vector<std::pair<std::string, std::vector<Evaluation>>>;

/// A table of all scores, one block per target.
std::string score_table(const ScoreColumns& columns);
/// A line that says what the brackets in a table of scores are; empty when there are none.
std::string interval_note(std::span<const Evaluation> evaluations);
/// Scores of rows that a tree was grown on say nothing about others: shown and written without intervals.
std::vector<Evaluation> without_intervals(std::vector<Evaluation> evaluations);
/// True class by predicted class; of more than 8 classes the largest confusions.
std::string confusion_table(const Evaluation& evaluation);
/// Recall and precision of every class.
std::string class_table(const Evaluation& evaluation);
/// The lift table by tenths.
std::string lift_table(const Evaluation& evaluation);
/// Importances as bars, the largest first, at most `most`.
std::string importance_bars(const Model& model, std::size_t most);
/// "17 nodes, 9 leaves, depth 5" (and the number of trees when there are several).
std::string size_text(const Model& model);
/// "classification of species (setosa, versicolor, virginica)".
std::string task_text(const Model& model);
/// "1 row", "150 rows".
std::string rows_text(std::int64_t n);
/// Index of the tree that people call `number`; they count from 1. Throws bad_params.
std::size_t tree_index(const Model& model, std::int64_t number);
/// A tree as text: on a terminal with pale branches and answers in the colour of their class, else as it is.
std::string painted_tree(const Model& model, std::string_view text);
/// A word of warning when a tree answers its training rows far better than those held out; else empty. `chosen`: its size
/// was left to choose_tree().
std::string overfitting_note(const Model& model, std::span<const Evaluation> training,
                             std::span<const Evaluation> held_out, bool chosen);
/// The tree when it is small, else its size and the importances.
std::string tree_or_summary(const Model& model);

}  // namespace bough::cli
