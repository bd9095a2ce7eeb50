// SPDX-License-Identifier: Apache-2.0
// What must hold for a row to go from a node to one of its children, in parts that texts are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "explain/words.hpp"

namespace bough {

/// Significant digits of thresholds where there is little room, as in the boxes of pictures. Those that end after a
/// few digits have them all (cut_digits). The others are rounded, but tell themselves from the others of their column:
/// rounding moves none by more than a tenth of the way to the next. A column's only threshold gets two digits
/// more than asked for, up to six, for nothing says how close the rows lie.
class CutDigits {
 public:
  /// `digits`: at least so many; 0: all.
  CutDigits(const Tree& tree, int digits);
  [[nodiscard]] int at(NodeId node) const { return digits_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<int> digits_;
};

/// How much of a condition is written out.
struct ConditionStyle {
  int digits = kShownDigits;        ///< significant digits, and of thresholds at least (cut_digits); 0: all
  std::size_t most_names = 5;       ///< longer lists of categories are shortened
  bool missing = false;             ///< add where missing cells go
  const CutDigits* cuts = nullptr;  ///< where there is little room: digits of thresholds, node by node
};

/// A condition on one subject (a column or a formula).
struct Condition {
  enum class Form : std::uint8_t {
    at_most,    ///< subject ≤ first
    more_than,  ///< subject > first
    between,    ///< first < subject ≤ second
    below,      ///< ordinal: subject < first
    from,       ///< ordinal: subject ≥ first
    is,         ///< subject = first
    is_not,
    one_of,  ///< first is a list
    none_of,
    known,
    missing,
    any  ///< every value
  };
  Form form = Form::any;
  std::string subject{};
  std::string first{};
  std::string second{};
  bool takes_missing = false;  ///< missing cells go this way too, and the style asks to say so
};

/// The condition of child number `child` of an inner node. Throws bad_params when there is no such child.
Condition describe(const Model& model, const Tree& tree, NodeId node, std::int32_t child,
                   const ConditionStyle& style = {});

/// The condition of a child of a split that is in no tree, in words.
std::string split_words(const Model& model, const Split& split, std::int32_t child,
                        std::int32_t n_children = 2);

/// "age ≤ 41.5", "job = a, b", and with missing cells "age ≤ 41.5, or missing".
std::string condition_words(const Condition& condition);
/// What holds for the subject of a sentence: "at most 41.5", "one of a, b", "not red".
std::string predicate_words(const Condition& condition);

/// "tree 2 of 10".
std::string tree_of_words(const Model& model, std::size_t tree);

/// "0.5 * a - b" of an oblique node.
std::string formula_words(const Model& model, const Tree& tree, NodeId node,
                          const ConditionStyle& style = {});

}  // namespace bough
