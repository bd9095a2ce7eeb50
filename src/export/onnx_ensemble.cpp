// SPDX-License-Identifier: Apache-2.0
// Tree operators of ONNX. Every tree has an output of its own and every end weighs its number, so one
// operator gives the ends of all trees exactly, whatever the engine does about sums; values of any width are
// looked up afterwards. Nothing is left to post_transform, which engines disagree about.
#include "export/onnx_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bough/error.hpp"

namespace bough::onnx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The largest float at or below: x <= t and x <= floor_float(t) are the same for every float x.
float floor_float(double value) {
  const auto near = static_cast<float>(value);
  return static_cast<double>(near) > value ? std::nextafter(near, -std::numeric_limits<float>::infinity())
                                           : near;
}

// TreeEnsemble of version 5: inner nodes and leaves in lists of their own.
class NewOperator {
 public:
  NewOperator(const YesNoModel& model, const Columns& columns) : model_(model), columns_(columns) {}

  std::string add(Graph& graph, const std::string& cells, Ends& ends) {
    for (std::size_t t = 0; t < model_.trees.size(); ++t) add_tree(t, ends);
    const auto n = static_cast<std::int64_t>(modes_.size());
    Attributes attributes;
    attributes.number("aggregate_function", 1)
        .number("n_targets", static_cast<std::int64_t>(model_.trees.size()))
        .number("post_transform", 0)
        .numbers("leaf_targetids", leaf_targets_)
        .tensor("leaf_weights", Tensor::of(leaf_weights_, {static_cast<std::int64_t>(leaf_weights_.size())}))
        .numbers("nodes_falseleafs", no_is_leaf_)
        .numbers("nodes_falsenodeids", no_)
        .numbers("nodes_featureids", features_)
        .numbers("nodes_missing_value_tracks_true", missing_yes_)
        .tensor("nodes_modes", Tensor::of_bytes(modes_, Type::uint8, {n}))
        .tensor("nodes_splits", Tensor::of(splits_, {n}))
        .numbers("nodes_trueleafs", yes_is_leaf_)
        .numbers("nodes_truenodeids", yes_)
        .numbers("tree_roots", roots_);
    if (!members_.empty())
      attributes.tensor("membership_values",
                        Tensor::of(members_, {static_cast<std::int64_t>(members_.size())}));
    return graph.add("TreeEnsemble", {cells}, attributes, kMl);
  }

 private:
  enum : std::uint8_t { kLessOrEqual = 0, kEqual = 4, kMember = 6 };

  void add_tree(std::size_t t, Ends& ends) {
    const std::vector<YesNoNode>& nodes = model_.trees[t].nodes;
    // Numbers of inner nodes and of leaves are counted apart.
    std::vector<std::int64_t> at(nodes.size());
    auto inner = static_cast<std::int64_t>(modes_.size());
    if (looks_like_a_leaf(nodes)) add_leaf(t, 0);
    auto leaf = static_cast<std::int64_t>(leaf_weights_.size());
    roots_.push_back(inner);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].question != Question::end) {
        at[i] = inner++;
        continue;
      }
      at[i] = leaf++;
      add_leaf(t, ends.size());
      ends.tree.push_back(t);
      ends.node.push_back(nodes[i].origin);
    }
    if (nodes.size() == 1) {
      // A root must ask something: both answers are the one leaf, which is listed twice.
      add_leaf(t, ends.size() - 1);
      add_question(kLessOrEqual, 0, 0.0, false);
      connect(at[0], true, at[0] + 1, true);
    }
    for (const YesNoNode& node : nodes) {
      if (node.question == Question::end) continue;
      const bool swapped = ask(node);
      const auto yes = static_cast<std::size_t>(node.yes), no = static_cast<std::size_t>(node.no);
      const bool yes_ends = nodes[yes].question == Question::end,
                 no_ends = nodes[no].question == Question::end;
      if (swapped) {
        connect(at[no], no_ends, at[yes], yes_ends);
      } else {
        connect(at[yes], yes_ends, at[no], no_ends);
      }
    }
  }

  // onnxruntime up to 1.25 takes a root for a leaf when its inner child and its leaf happen to have the same
  // number in their two lists (microsoft/onnxruntime issue 24679). A leaf that nobody goes to moves the
  // numbers apart.
  [[nodiscard]] bool looks_like_a_leaf(const std::vector<YesNoNode>& nodes) const {
    if (nodes.size() == 1) return false;
    const std::int32_t yes = nodes[0].yes, no = nodes[0].no;
    const bool yes_ends = nodes[static_cast<std::size_t>(yes)].question == Question::end;
    if (yes_ends == (nodes[static_cast<std::size_t>(no)].question == Question::end)) return false;
    const auto before = [&](std::int32_t at, bool ends) {
      return std::count_if(nodes.begin(), nodes.begin() + at,
                           [&](const YesNoNode& node) { return (node.question == Question::end) == ends; });
    };
    const std::int32_t end = yes_ends ? yes : no, other = yes_ends ? no : yes;
    return static_cast<std::ptrdiff_t>(leaf_weights_.size()) + before(end, true) ==
           static_cast<std::ptrdiff_t>(modes_.size()) + before(other, false);
  }

  void add_leaf(std::size_t tree, std::size_t number) {
    leaf_targets_.push_back(static_cast<std::int64_t>(tree));
    leaf_weights_.push_back(static_cast<double>(number));
  }

  void add_question(std::uint8_t mode, std::int64_t feature, double split, bool missing_yes) {
    modes_.push_back(mode);
    features_.push_back(feature);
    splits_.push_back(split);
    missing_yes_.push_back(missing_yes ? 1 : 0);
  }

  void connect(std::int64_t yes, bool yes_is_leaf, std::int64_t no, bool no_is_leaf) {
    yes_.push_back(yes);
    yes_is_leaf_.push_back(yes_is_leaf ? 1 : 0);
    no_.push_back(no);
    no_is_leaf_.push_back(no_is_leaf ? 1 : 0);
  }

  // True: the question asked is the opposite.
  bool ask(const YesNoNode& node) {
    if (node.question != Question::set) {
      const std::int64_t feature = node.question == Question::sum
                                       ? columns_.sums[node.part]
                                       : columns_.cells[static_cast<std::size_t>(node.column)];
      add_question(kLessOrEqual, feature, node.threshold, node.missing_yes);
      return false;
    }
    // Codes are a known few, so the rarer side is as good as the other.
    const std::string& members = model_.sets[node.part].members;
    const std::int64_t feature = columns_.cells[static_cast<std::size_t>(node.column)];
    const auto n_yes = static_cast<std::size_t>(std::ranges::count(members, '1'));
    const bool swapped = 2 * n_yes > members.size();
    const char wanted = swapped ? '0' : '1';
    const std::size_t n_wanted = swapped ? members.size() - n_yes : n_yes;
    if (n_wanted == 0) {
      add_question(kLessOrEqual, feature, -kInfinity, false);  // never
    } else if (n_wanted == 1) {
      add_question(kEqual, feature, static_cast<double>(members.find(wanted)), false);
    } else {
      add_question(kMember, feature, 0.0, false);
      for (std::size_t code = 0; code < members.size(); ++code)
        if (members[code] == wanted) members_.push_back(static_cast<double>(code));
      members_.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    return swapped;
  }

  const YesNoModel& model_;
  const Columns& columns_;
  std::vector<std::uint8_t> modes_;
  std::vector<double> splits_, leaf_weights_, members_;
  std::vector<std::int64_t> features_, missing_yes_, yes_, no_, yes_is_leaf_, no_is_leaf_, roots_,
      leaf_targets_;
};

// TreeEnsembleRegressor of versions 1 (float32) and 3 (doubles as tensors).
class OldOperator {
 public:
  OldOperator(const YesNoModel& model, const Columns& columns) : model_(model), columns_(columns) {}

  std::string add(Graph& graph, const std::string& cells, bool doubles, Ends& ends) {
    for (std::size_t t = 0; t < model_.trees.size(); ++t) add_tree(t, ends);
    // Answers are float32 even where cells are doubles.
    if (ends.size() > std::size_t{1} << 24)
      throw Error(ErrorCode::not_supported,
                  fmt::format("the operators of ai.onnx.ml below 5 cannot number {} leaves", ends.size()),
                  "export with opset 5 (--opset 5)");
    Attributes attributes;
    attributes.text("aggregate_function", "SUM")
        .number("n_targets", static_cast<std::int64_t>(model_.trees.size()))
        .text("post_transform", "NONE")
        .numbers("nodes_falsenodeids", no_)
        .numbers("nodes_featureids", features_)
        .numbers("nodes_missing_value_tracks_true", missing_yes_)
        .texts("nodes_modes", modes_)
        .numbers("nodes_nodeids", ids_)
        .numbers("nodes_treeids", trees_)
        .numbers("nodes_truenodeids", yes_)
        .numbers("target_ids", target_ids_)
        .numbers("target_nodeids", target_nodes_)
        .numbers("target_treeids", target_ids_);
    if (doubles) {
      attributes
          .tensor("nodes_values_as_tensor", Tensor::of(splits_, {static_cast<std::int64_t>(splits_.size())}))
          .tensor("target_weights_as_tensor",
                  Tensor::of(weights_, {static_cast<std::int64_t>(weights_.size())}));
    } else {
      std::vector<float> splits(splits_.size());
      std::ranges::transform(splits_, splits.begin(), floor_float);
      attributes.reals("nodes_values", splits)
          .reals("target_weights", std::vector<float>(weights_.begin(), weights_.end()));
    }
    return graph.add("TreeEnsembleRegressor", {cells}, attributes, kMl);
  }

 private:
  void add_tree(std::size_t t, Ends& ends) {
    const auto tree = static_cast<std::int64_t>(t);
    std::int64_t id = 0;
    for (const YesNoNode& node : model_.trees[t].nodes) {
      const bool is_end = node.question == Question::end;
      trees_.push_back(tree);
      ids_.push_back(id);
      modes_.emplace_back(is_end ? "LEAF" : "BRANCH_LEQ");
      yes_.push_back(is_end ? 0 : node.yes);
      no_.push_back(is_end ? 0 : node.no);
      missing_yes_.push_back(node.missing_yes ? 1 : 0);
      features_.push_back(is_end ? 0 : feature(node));
      splits_.push_back(is_end ? 0.0 : node.question == Question::set ? 0.5 : node.threshold);
      if (is_end) {
        target_ids_.push_back(tree);
        target_nodes_.push_back(id);
        weights_.push_back(static_cast<double>(ends.size()));
        ends.tree.push_back(t);
        ends.node.push_back(node.origin);
      }
      ++id;
    }
  }

  [[nodiscard]] std::int64_t feature(const YesNoNode& node) const {
    if (node.question == Question::sum) return columns_.sums[node.part];
    if (node.question == Question::set) return columns_.sets[node.part];
    return columns_.cells[static_cast<std::size_t>(node.column)];
  }

  const YesNoModel& model_;
  const Columns& columns_;
  std::vector<std::string> modes_;
  std::vector<double> splits_, weights_;
  std::vector<std::int64_t> trees_, ids_, features_, missing_yes_, yes_, no_, target_ids_, target_nodes_;
};

}  // namespace

std::string add_ensemble(Graph& graph, const YesNoModel& model, const Columns& columns,
                         const std::string& cells, std::int64_t ml, Ends& ends) {
  const std::string numbers = ml >= 5 ? NewOperator(model, columns).add(graph, cells, ends)
                                      : OldOperator(model, columns).add(graph, cells, ml >= 3, ends);
  return graph.add("Cast", {numbers}, Attributes().number("to", static_cast<std::int64_t>(Type::int64)));
}

}  // namespace bough::onnx
