// SPDX-License-Identifier: Apache-2.0
// What a node predicts, in words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "explain/words.hpp"

namespace bough {

/// One output of a node: the number or class it predicts, and the share of every class.
struct Outcome {
  const Field* target = nullptr;
  double value = 0.0;          ///< the number, or the index of the class
  std::vector<double> shares;  ///< classes only

  /// The label or number itself, for programs.
  [[nodiscard]] std::string plain() const;
  /// The same for people; a class that is a number carries its column: "setosa", "Survived = 0", "3.14".
  [[nodiscard]] std::string shown(int digits = kShownDigits) const;
  /// A class with its probability: "setosa 97%", "Survived = 0: 97%". Numbers as shown().
  [[nodiscard]] std::string told(int digits = kShownDigits) const;
};

/// Outcomes of class shares (or weights) and values as a tree stores them, output after output.
std::vector<Outcome> outcomes(const Model& model, const Tree& tree, std::span<const double> values);
/// Outcomes of a node.
std::vector<Outcome> outcomes(const Model& model, const Tree& tree, NodeId node);

/// Digits of numbers that a model predicts, in sentences: effects are far less certain than what rows hold.
int answer_digits(const Model& model);

/// Whether the classes of a target are numbers or truth values, which are told with their column.
bool carries_column(const Field& target);
/// A class for people: its name, and with its column where the classes are numbers: "Survived = 0".
std::string class_words(const Field& target, std::size_t level);

/// "12 rows", and "7.4 of 12 rows" where only parts of rows came (of weight 7.4).
std::string rows_words(const Model& model, const Tree& tree, NodeId node, std::string_view noun = "row");

/// Whether parameters give rows of some classes other weights.
bool weighs_classes(const Params& params);
/// Whether shrinkage changed what leaves answer: then their shares are not those of their rows.
bool is_shrunken(const Model& model);
/// Where the value of a node comes from: its own rows unless they are too few.
struct ValueSource {
  enum class Kind : std::uint8_t { own, node, uniform, nothing };
  Kind kind = Kind::own;
  NodeId node = 0;  ///< the node whose value it has; Kind::uniform, Kind::nothing: itself
};
/// Of every node.
std::vector<ValueSource> value_sources(const Model& model, const Tree& tree);
/// ", too few for a value of its own, so it takes that of node 4 above it (12 rows)"; empty for Kind::own.
std::string source_words(const Tree& tree, NodeId node, const ValueSource& source);
/// Whether the shares and means of a node are of weights that rows do not all have alike: by class_weight,
/// priors or a column of weights.
bool is_by_weight(const Model& model, const Tree& tree, NodeId node);
/// "12 rows", and "12 rows, by weight" where that is what the shares or means that follow are of. Rows of one
/// class have its whole share however they are counted.
std::string rows_before_shares(const Model& model, const Tree& tree, NodeId node,
                               std::span<const Outcome> following, std::string_view noun = "row");

/// "versicolor 91%, virginica 9%" or "Survived = 0: 91%, 1: 9%": the answer first, then the other classes of an
/// output that have a share, largest first; about `most` of them.
std::string shares_words(const Outcome& outcome, std::size_t most = 4);
/// "setosa", or with several outputs "species = setosa, width = 3.1".
std::string outcomes_words(std::span<const Outcome> all, int digits = kShownDigits);
/// What a node of a causal tree says, line by line: "effect 1,794", its interval where the tree is honest
/// ("90%: -300 to 3,900"), "60 treated, 125 control". Empty for other models.
std::vector<std::string> effect_lines(const Model& model, const Tree& tree, NodeId node,
                                      int digits = kShownDigits);
/// A leaf on one line, the answer with its probability first: "versicolor 91%, virginica 9% · 54 rows".
std::string leaf_words(const Model& model, const Tree& tree, NodeId node, std::span<const Outcome> all,
                       int digits = kShownDigits);

}  // namespace bough
