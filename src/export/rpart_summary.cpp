// SPDX-License-Identifier: Apache-2.0
// Every node of a tree with its split, the competitors and the surrogates, as rpart's summary has it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "export/rpart_view.hpp"

namespace bough {
namespace {

class SummaryWriter {
 public:
  SummaryWriter(const Model& model, int digits) : model_(model), view_(model, digits) {}

  std::string write() {
    view_.require_numbers();
    for (const NodeId node : view_.order()) write_node(node);
    return std::move(text_);
  }

 private:
  void write_node(NodeId node) {
    const Tree& tree = view_.tree();
    text_ += fmt::format("\nNode number {}: {} observations", view_.number(node), tree.n_rows(node));
    if (!tree.is_leaf(node))
      text_ += fmt::format(",    complexity param={}", view_.number_text(view_.complexity(node)));
    text_ += '\n';
    model_.task() == Task::classification ? write_classes(node) : write_number(node);
    if (!tree.is_leaf(node)) write_split(node);
  }

  void write_classes(NodeId node) {
    const Tree& tree = view_.tree();
    const double weight = tree.weight(node);
    text_ += fmt::format("  predicted class={}  expected loss={}  P(node)={}\n", view_.answer(node),
                         view_.number_text(weight > 0.0 ? view_.risk(node) / weight : 0.0),
                         view_.number_text(tree.weight(0) > 0.0 ? weight / tree.weight(0) : 0.0));
    std::vector<std::string> weights, shares;
    for (const double value : view_.counts(node)) weights.push_back(view_.number_text(value));
    for (const double share : view_.shares(node)) shares.push_back(fmt::format("{:.3f}", share));
    text_ +=
        fmt::format("    class weights: {}\n   probabilities: {}\n", join(weights, " "), join(shares, " "));
  }

  void write_number(NodeId node) {
    const std::string mse = view_.number_text(view_.tree().impurity(node));
    if (view_.shrinkage() == 0.0) {
      text_ += fmt::format("  mean={}, MSE={}\n", view_.answer(node), mse);
      return;
    }
    std::vector<std::string> means;
    for (const double mean : view_.counts(node)) means.push_back(view_.number_text(mean));
    text_ += fmt::format("  mean={}, MSE={}, predicted={}\n", join(means, ", "), mse, view_.answer(node));
  }

  // What a split improves, as rpart has it: of numbers, as a share of the node's risk.
  [[nodiscard]] std::string improve(NodeId node, double gain) const {
    const bool share = model_.task() == Task::regression && view_.risk(node) > 0.0;
    return view_.number_text(share ? gain / view_.risk(node) : gain);
  }

  void write_split(NodeId node) {
    const Tree& tree = view_.tree();
    const auto children = tree.children(node);
    const NodeId left = children[view_.left(node)], right = children[1 - view_.left(node)];
    text_ += fmt::format("  left son={} ({} obs) right son={} ({} obs)", view_.number(left),
                         tree.n_rows(left), view_.number(right), tree.n_rows(right));
    const std::int64_t stay = tree.n_rows(node) - tree.n_rows(left) - tree.n_rows(right);
    text_ += stay > 0 ? fmt::format(", {} observations remain\n", stay) : "\n";
    text_ += fmt::format("  Primary splits:\n      {}, improve={}\n", view_.primary(node),
                         improve(node, tree.gain(node) / cost(tree.column(node))));
    bool headed = false;
    for (const Alternative& test : tree.alternatives(node)) {
      if (test.role == AlternativeRole::competitor) {
        text_ += fmt::format("      {}, improve={}, ({} missing)\n", view_.alternative(node, test),
                             improve(node, test.score), test.n_rows);
        continue;
      }
      if (!headed) text_ += "  Surrogate splits:\n";
      headed = true;
      text_ += fmt::format("      {}, agree={:.3f}, adj={:.3f}, ({} split)\n", view_.alternative(node, test),
                           test.score, test.adjusted, test.n_rows);
    }
  }

  [[nodiscard]] double cost(ColId column) const {
    if (column < 0) return 1.0;
    const auto& costs = model_.params().column_costs;
    const auto found = costs.find(model_.features().fields[static_cast<std::size_t>(column)].name);
    return found == costs.end() ? 1.0 : found->second;
  }

  const Model& model_;
  RpartView view_;
  std::string text_;
};

}  // namespace

std::string rpart_summary(const Model& model, int digits) {
  std::string nodes = SummaryWriter(model, digits).write();
  return cp_text(model, digits) + nodes;
}

}  // namespace bough
