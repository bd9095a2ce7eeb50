// SPDX-License-Identifier: Apache-2.0
// The arrays that scikit-learn keeps about its trees, as JSON.
//
// scikit-learn rounds cells to float32 and compares them with double thresholds: rows of float32 end in the
// same leaves there. An infinite threshold is written as 1e999, which every reader of JSON takes for
// infinity.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bough/json.hpp"
#include "explain/words.hpp"
#include "export/code_text.hpp"
#include "export/formats.hpp"
#include "model/combine.hpp"

namespace bough {
namespace {

std::string json_text(const std::string& text) {
  return ascii_json(text);
}

std::string json_number(double value) {
  if (std::isinf(value)) return value > 0.0 ? "1e999" : "-1e999";
  return double_literal(value);
}

class SklearnWriter {
 public:
  explicit SklearnWriter(const Model& model)
      : model_(model), classes_(model.task() == Task::classification), widths_(model.tree().output_widths()) {
    if (model.parts().combine == Combine::vote)
      refuse("the trees vote; scikit-learn's forests take the mean of class shares");
    if (!model.params().loss_matrix.empty())
      refuse("the model weighs losses, which scikit-learn's trees cannot");
    for (std::size_t i = 0; i < model.trees().size(); ++i) check(i);
  }

  std::string write() {
    const bool one = model_.parts().combine == Combine::single;
    text_ = fmt::format(
        "{{\"format\": \"arrays of scikit-learn's trees\", \"bough\": \"{}\",\n\"estimator\": \"{}{}\",\n",
        version(), one ? "DecisionTree" : "RandomForest", classes_ ? "Classifier" : "Regressor");
    text_ += fmt::format("\"n_features\": {}, \"feature_names\": [{}],\n", model_.features().fields.size(),
                         names(model_.features()));
    text_ +=
        fmt::format("\"n_outputs\": {}, \"n_classes\": [{}],\n", widths_.size(), fmt::join(widths_, ", "));
    if (classes_) {
      text_ += "\"classes\": [";
      for (std::size_t k = 0; k < widths_.size(); ++k)
        text_ += fmt::format("{}[{}]", k == 0 ? "" : ", ", levels(model_.targets().fields[k].levels));
      text_ += "],\n";
    }
    text_ += "\"trees\": [\n";
    for (std::size_t i = 0; i < model_.trees().size(); ++i) {
      if (i > 0) text_ += ",\n";
      add_tree(model_.trees()[i]);
    }
    return std::move(text_) + "\n]}\n";
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw Error(ErrorCode::not_supported, why, "Export another format, such as onnx, c or python.");
  }

  void check(std::size_t number) const {
    const Tree& tree = model_.trees()[number];
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      if (tree.kind(node) != NodeKind::numeric)
        refuse(
            fmt::format("node {} of tree {} does not compare a number; scikit-learn's trees do nothing else",
                        node, number));
      if (tree.missing_to(node) < 0)
        refuse(fmt::format(
            "node {} of tree {} sends missing cells to no single child, which scikit-learn's trees"
            " cannot",
            node, number));
    }
  }

  static std::string names(const Schema& schema) {
    std::string out;
    for (const Field& field : schema.fields) out += (out.empty() ? "" : ", ") + json_text(field.name);
    return out;
  }

  static std::string levels(const Levels& levels) {
    std::string out;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      out += i == 0 ? "" : ", ";
      out += levels.type == Levels::Type::text      ? json_text(levels.names[i])
             : levels.type == Levels::Type::boolean ? std::string(levels.numbers[i] != 0.0 ? "true" : "false")
             : levels.type == Levels::Type::integer ? fmt::format("{:.0f}", levels.numbers[i])
                                                    : json_number(levels.numbers[i]);
    }
    return out;
  }

  template <class Get>
  void array(const char* name, const Tree& tree, const Get& get) {
    text_ += fmt::format(" \"{}\": [", name);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (node > 0) text_ += ", ";
      text_ += get(node);
    }
    text_ += "],\n";
  }

  void add_tree(const Tree& tree) {
    const auto child = [&](NodeId node, std::size_t i) {
      return std::to_string(tree.is_leaf(node) ? -1 : tree.children(node)[i]);
    };
    text_ += fmt::format("{{\"max_depth\": {}, \"node_count\": {},\n", tree.depth(), tree.n_nodes());
    array("children_left", tree, [&](NodeId node) { return child(node, 0); });
    array("children_right", tree, [&](NodeId node) { return child(node, 1); });
    array("feature", tree,
          [&](NodeId node) { return std::to_string(tree.is_leaf(node) ? -2 : tree.column(node)); });
    array("threshold", tree, [&](NodeId node) {
      return tree.is_leaf(node) ? std::string("-2.0") : json_number(tree.threshold(node));
    });
    array("impurity", tree, [&](NodeId node) { return json_number(tree.impurity(node)); });
    array("n_node_samples", tree, [&](NodeId node) { return std::to_string(tree.n_rows(node)); });
    array("weighted_n_node_samples", tree, [&](NodeId node) { return json_number(tree.weight(node)); });
    array("missing_go_to_left", tree, [&](NodeId node) {
      return std::string(!tree.is_leaf(node) && tree.missing_to(node) == 0 ? "1" : "0");
    });
    array("value", tree, [&](NodeId node) { return values(tree, node); });
    text_.replace(text_.size() - 2, 2, "}");
  }

  // Class shares or values, one list per output, all as long as the longest.
  [[nodiscard]] std::string values(const Tree& tree, NodeId node) const {
    std::vector<double> row(tree.value_width());
    node_weights(tree, node, extra_weight(model_.parts()), row);
    normalise_outputs(tree, row);
    const std::uint32_t most = *std::ranges::max_element(widths_);
    std::string out = "[";
    std::size_t at = 0;
    for (const std::uint32_t width : widths_) {
      out += at == 0 ? "[" : ", [";
      for (std::uint32_t i = 0; i < most; ++i) {
        if (i > 0) out += ", ";
        out += i < width ? json_number(row[at + i]) : "0.0";
      }
      out += "]";
      at += width;
    }
    return out + "]";
  }

  const Model& model_;
  bool classes_;
  std::span<const std::uint32_t> widths_;
  std::string text_;
};

}  // namespace

std::string write_sklearn(const Model& model, const ExportOptions&) {
  return SklearnWriter(model).write();
}

}  // namespace bough
