// SPDX-License-Identifier: Apache-2.0
// rpart's numbers and words for the nodes of a tree.
#include "export/rpart_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "explain/outcome.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 61;

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// Which of two sides every level goes to: L, R or - for levels that the test does not name.
std::string letters(std::size_t n_levels, std::span<const std::uint32_t> levels,
                    std::span<const std::uint16_t> children, std::size_t left) {
  std::string text(n_levels, '-');
  for (std::size_t i = 0; i < levels.size(); ++i) text[levels[i]] = children[i] == left ? 'L' : 'R';
  return text;
}

std::string ordered_letters(std::size_t n_levels, double threshold, char low, char high) {
  std::string text(n_levels, high);
  std::fill_n(text.begin(), std::min(static_cast<std::size_t>(threshold), n_levels), low);
  return text;
}

}  // namespace

RpartView::RpartView(const Model& model, int digits)
    : model_(&model), shrinkage_(shrinkage_strength(model)), digits_(digits) {
  if (!model.parts().treatment.fields.empty())
    throw Error(ErrorCode::not_supported,
                "rpart's losses and deviances are of classes and numbers, and this tree estimates effects",
                "use --style tree");
  if (model.trees().size() != 1)
    throw Error(ErrorCode::not_supported,
                fmt::format("the model has {} trees, not one", model.trees().size()),
                "rpart's forms are for single trees");
  const Tree& all = tree();
  if (shrinkage_ > 0.0) counted_ = counted_tree(model);
  numbers_.assign(at(all.n_nodes()), 0);
  left_.assign(numbers_.size(), 0);
  numbers_[0] = 1;
  for (NodeId node = 0; node < all.n_nodes(); ++node) {
    if (all.is_leaf(node)) continue;
    const auto children = all.children(node);
    if (children.size() != 2)
      throw Error(ErrorCode::not_supported,
                  fmt::format("node {} has {} children, not two", node, children.size()),
                  "rpart's forms are for binary trees; use --style tree");
    left_[at(node)] = mean(children[0]) < mean(children[1]) ? 0 : 1;
    if (numbers_[at(node)] == 0 || numbers_[at(node)] >= kMostNumber) continue;
    numbers_[at(children[left_[at(node)]])] = 2 * numbers_[at(node)];
    numbers_[at(children[1 - left_[at(node)]])] = 2 * numbers_[at(node)] + 1;
  }
  depths_ = all.depths();
  parents_ = all.parents();
  order_.resize(numbers_.size());
  std::iota(order_.begin(), order_.end(), NodeId{0});
  std::sort(order_.begin(), order_.end(),
            [&](NodeId a, NodeId b) { return numbers_[at(a)] < numbers_[at(b)]; });
  risk_ = cp_risk(counted(), model.params().loss_matrix);
  complexity_ = cp_complexity(all, risk_, std::max(model.params().cp, 0.0) * risk_[0]);
}

void RpartView::require_numbers() const {
  const auto found = std::find(numbers_.begin(), numbers_.end(), std::uint64_t{0});
  if (found == numbers_.end()) return;
  throw Error(ErrorCode::not_supported,
              fmt::format("the tree is {} levels deep, and rpart's numbers of nodes, which double at every "
                          "level, end at 61",
                          *std::max_element(depths_.begin(), depths_.end())),
              "use the style tree, or prune the tree (max_depth)");
}

const Field& RpartView::field(ColId column) const {
  return model_->features().fields[static_cast<std::size_t>(column)];
}

// Losses weigh classes as they do in the search.
double RpartView::mean(NodeId node) const {
  const std::vector<double> values = counts(node);
  if (tree().task() == Task::regression) return values.front();
  const NumberGrid& loss = model_->params().loss_matrix;
  double sum = 0.0, total = 0.0;
  for (std::size_t c = 0; c < tree().output_widths().front(); ++c) {
    const double weight =
        loss.empty() ? values[c] : values[c] * std::accumulate(loss[c].begin(), loss[c].end(), 0.0);
    sum += static_cast<double>(c) * weight;
    total += weight;
  }
  return total > 0.0 ? sum / total : 0.0;
}

std::vector<double> RpartView::counts(NodeId node) const {
  std::vector<double> values(tree().value_width());
  counted().values(node, values);
  return values;
}

std::string RpartView::number_text(double value) const {
  return bough::number_text(value, digits_);
}

std::string RpartView::cut_text(double cut) const {
  return bough::number_text(cut, cut_digits(cut, digits_, digits_));
}

std::string RpartView::level_list(NodeId node, std::size_t child) const {
  std::vector<std::string> names;
  const auto levels = tree().map_levels(node);
  const auto children = tree().map_children(node);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (children[i] == child) names.push_back(shown_name(field(tree().column(node)).levels.names[levels[i]]));
  return join(names, ",");
}

std::string RpartView::label(NodeId node) const {
  const NodeId parent = parents_[at(node)];
  if (parent < 0) return "root";
  const std::size_t child = tree().children(parent)[0] == node ? 0 : 1;
  const double threshold = tree().threshold(parent);
  if (tree().kind(parent) == NodeKind::oblique)
    return fmt::format("a sum{}{}", child == 0 ? "<=" : ">", number_text(threshold));
  const Field& tested = field(tree().column(parent));
  const std::string name = shown_name(tested.name);
  switch (tree().kind(parent)) {
    case NodeKind::ordinal: {
      const auto middle = std::min(static_cast<std::size_t>(threshold), tested.levels.size());
      std::vector<std::string> names;
      for (std::size_t l = child == 0 ? 0 : middle; l < (child == 0 ? middle : tested.levels.size()); ++l)
        names.push_back(shown_name(tested.levels.names[l]));
      return fmt::format("{}={}", name, join(names, ","));
    }
    case NodeKind::equality:
      return fmt::format("{}{}{}", name, child == 0 ? "=" : "!=",
                         shown_name(tested.levels.names[static_cast<std::size_t>(threshold)]));
    case NodeKind::subset:
    case NodeKind::multiway:
      return fmt::format("{}={}", name, level_list(parent, child));
    case NodeKind::interval:
      return fmt::format("{}{}{}", name, child == 0 ? "<=" : "> ", cut_text(tree().cuts(parent)[0]));
    default:
      return fmt::format("{}{}{}", name, child == 0 ? "<=" : "> ", cut_text(threshold));
  }
}

std::string RpartView::primary(NodeId node) const {
  Alternative test;
  const Split split = tree().split(node);
  if (split.kind == NodeKind::oblique) return fmt::format("a sum <= {}", number_text(split.threshold));
  test.role = AlternativeRole::surrogate;  // its sides are the node's children
  test.kind = split.kind == NodeKind::multiway ? NodeKind::subset : split.kind;
  test.column = split.column;
  test.threshold = split.kind == NodeKind::interval ? split.cuts[0] : split.threshold;
  test.map_levels = split.map_levels;
  test.map_children = split.map_children;
  return alternative(node, test);
}

std::string RpartView::alternative(NodeId node, const Alternative& test) const {
  const Field& tested = field(test.column);
  const std::string name = shown_name(tested.name);
  const std::size_t left_side = test.role == AlternativeRole::surrogate ? left(node) : 0;
  const bool holds_left = (test.turned ? std::size_t{1} : std::size_t{0}) == left_side;
  if (test.kind == NodeKind::subset)
    return fmt::format("{} splits as {}", name,
                       letters(tested.levels.size(), test.map_levels, test.map_children, left_side));
  if (test.kind == NodeKind::ordinal)
    return fmt::format("{} splits as {}", name,
                       ordered_letters(tested.levels.size(), test.threshold, holds_left ? 'L' : 'R',
                                       holds_left ? 'R' : 'L'));
  if (test.kind == NodeKind::equality)
    return fmt::format("{} = {} to the {}", name,
                       shown_name(tested.levels.names[static_cast<std::size_t>(test.threshold)]),
                       holds_left ? "left" : "right");
  return fmt::format("{} <= {} to the {}", name, cut_text(test.threshold), holds_left ? "left" : "right");
}

std::string RpartView::answer(NodeId node) const {
  return outcomes_words(outcomes(*model_, tree(), node), digits_);
}

std::vector<double> RpartView::shares(NodeId node) const {
  return outcomes(*model_, tree(), node).front().shares;
}

double RpartView::complexity(NodeId node) const {
  return risk_[0] > 0.0 ? complexity_[at(node)] / risk_[0] : 0.0;
}

std::vector<std::uint64_t> rpart_numbers(const Model& model) {
  const RpartView view(model, 7);
  std::vector<std::uint64_t> numbers;
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node) numbers.push_back(view.number(node));
  return numbers;
}

std::vector<NodeId> nodes_of_rpart(const Model& model, std::span<const std::uint64_t> numbers) {
  const std::vector<std::uint64_t> known = rpart_numbers(model);
  std::vector<NodeId> nodes;
  for (const std::uint64_t number : numbers) {
    const auto found = std::find(known.begin(), known.end(), number);
    if (number == 0 || found == known.end())
      throw Error(
          ErrorCode::bad_params, fmt::format("there is no node {} in rpart's count", number),
          "the children of node k are 2k and 2k + 1, the root is 1; 'bough show --style rpart' prints them");
    nodes.push_back(static_cast<NodeId>(found - known.begin()));
  }
  return nodes;
}

}  // namespace bough
