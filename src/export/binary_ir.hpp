// SPDX-License-Identifier: Apache-2.0
// Trees as questions with two answers: what engines can run that know no intervals, no branches of many ways
// and no rows that stop inside a tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// What a question looks at. A missing cell counts as NaN.
enum class Question : std::uint8_t {
  end,     ///< none: rows end here
  number,  ///< yes: cell of `column` <= threshold
  sum,     ///< yes: value of sum number `part` <= threshold
  set      ///< yes: the code of the cell of `column` is in set number `part`
};

/// A question, or an end. Nodes of a tree are numbers into YesNoTree::nodes; 0 is the root.
struct YesNoNode {
  Question question = Question::end;
  bool missing_yes = false;  ///< number, sum: NaN is a yes
  ColId column = -1;         ///< number, set
  double threshold = 0.0;    ///< number, sum; may be infinite
  std::uint32_t part = 0;    ///< sum, set
  std::int32_t yes = -1, no = -1;
  NodeId origin = 0;  ///< the node of the tree that asks it, or where rows end
  /// The tree divides rows whose cell is missing, or a level it does not know, among several children. Set at
  /// the first question of a node only.
  bool divides_missing = false, divides_unknown = false;
};

struct YesNoTree {
  std::vector<YesNoNode> nodes;  ///< numeric trees of two children keep the ids of their nodes
};

/// Codes of a level column: its levels by number, then unknown_code, then missing_code.
struct LevelSet {
  ColId column = 0;
  std::string members;  ///< '1' or '0' for every code
};

struct YesNoModel {
  std::vector<YesNoTree> trees;
  std::vector<LevelSet> sets;                  ///< different from each other
  std::vector<std::vector<ObliqueTerm>> sums;  ///< added in order, different from each other
};

/// What becomes of rows that a node divides among its children by share.
enum class Divided : std::uint8_t {
  refused,  ///< the model is refused
  marked,   ///< the question says which they are
  largest   ///< they go to the child of most rows; the model is refused where rows of training were divided
};

/// How much the writer can say.
struct YesNoWishes {
  std::string_view format;  ///< for refusals: "ONNX"
  bool shared = false;      ///< nodes may have several parents: surrogates can be asked
  bool sums = true;         ///< oblique tests can be asked
  Divided divided = Divided::refused;
};

/// Of every tree whether rows with missing cells were divided among the children of a node in training (C4.5).
std::vector<bool> divided_in_training(const Model& model);
/// Whether rows of some kind would be divided among the children of a node.
bool divides_rows(const Model& model);

inline std::uint32_t unknown_code(std::size_t n_levels) {
  return static_cast<std::uint32_t>(n_levels);
}
inline std::uint32_t missing_code(std::size_t n_levels) {
  return static_cast<std::uint32_t>(n_levels) + 1;
}

/// Every tree of a model. Throws not_supported, naming the node, the reason and a way out, for rows that go
/// to several children by share and for what the wishes exclude. Time in proportion to nodes and the levels
/// they name.
YesNoModel yes_no_model(const Model& model, const YesNoWishes& wishes);

/// Refuses a node of a tree in the words of all writers.
[[noreturn]] void refuse_node(std::string_view format, std::size_t tree, NodeId node,
                              const std::string& reason, const std::string& way_out);

}  // namespace bough
