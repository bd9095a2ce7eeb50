// SPDX-License-Identifier: Apache-2.0
// What every node of a tree gets wrong as a leaf, on the training rows and on others: from these sums the
// page draws the errors along the pruning path, whichever nodes are leaves by then.
#include <algorithm>
#include <cmath>

#include "bough/prune.hpp"
#include "data/cells.hpp"
#include "inference/scores.hpp"
#include "model/combine.hpp"
#include "prune/node_errors.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

// Answers of every node: n_outputs numbers each (classes as indices).
std::vector<double> node_answers(const Model& model, const Tree& tree) {
  const std::size_t outputs = tree.n_outputs();
  std::vector<double> answers;
  answers.reserve(static_cast<std::size_t>(tree.n_nodes()) * outputs);
  std::vector<double> values(tree.value_width());
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    node_weights(tree, node, extra_weight(model.parts()), values);
    std::size_t at = 0;
    for (const std::uint32_t width : tree.output_widths()) {
      const std::span<const double> part = std::span<const double>(values).subspan(at, width);
      answers.push_back(tree.task() == Task::regression
                            ? part.front()
                            : static_cast<double>(choose_class(model.parts(), part)));
      at += width;
    }
  }
  return answers;
}

double distance(std::string_view measure, double truth, double answer, double quantile) {
  const double gap = truth - answer;
  if (measure == "class_error") return truth == answer ? 0.0 : 1.0;
  if (measure == "absolute_error") return std::fabs(gap);
  if (measure == "pinball") return gap >= 0.0 ? quantile * gap : (quantile - 1.0) * gap;
  if (measure == "poisson_deviance") return deviance_of(truth, answer) / 2.0;
  return gap * gap;
}

}  // namespace

RowLabels read_row_labels(const Model& model, const Table& table, std::string_view weight) {
  RowLabels truth;
  const auto n = static_cast<std::size_t>(table.n_rows());
  if (!weight.empty()) {
    if (const auto at = table.find(weight)) {
      truth.weights.resize(n);
      read_numbers(table.column(*at), 0, truth.weights);
    }
  }
  if (!model.parts().treatment.fields.empty()) return truth;  // no row shows its effect
  for (const Field& field : model.targets().fields)
    if (!table.find(field.name)) return truth;
  truth.known = true;
  for (const Field& field : model.targets().fields) {
    const Table::Column& column = table.column(*table.find(field.name));
    if (model.task() == Task::classification) {
      std::vector<std::int32_t>& classes = truth.classes.emplace_back(n);
      LevelReader(column, field.levels).read(0, classes);
      for (std::int32_t& code : classes) code = code < 0 ? -1 : code;
    } else {
      read_numbers(column, 0, truth.numbers.emplace_back(n));
    }
  }
  return truth;
}

std::string_view error_measure(const Model& model) {
  if (model.task() == Task::classification) return "class_error";
  const std::string& criterion = model.parts().criterion;
  if (criterion == "absolute_error") return "absolute_error";
  if (criterion == "quantile") return "pinball";
  if (criterion == "poisson") return "poisson_deviance";
  return "squared_error";
}

namespace {

// What a node of given class weights gets wrong about rows of other ones (its own, or those that stop there),
// per output.
std::vector<double> class_losses(const Tree& tree, NodeId node, std::span<const double> answers,
                                 std::span<const double> weights) {
  const std::size_t outputs = tree.n_outputs();
  std::vector<double> wrong(outputs);
  std::size_t at = 0;
  for (std::size_t output = 0; output < outputs; ++output) {
    const auto answer = static_cast<std::size_t>(answers[static_cast<std::size_t>(node) * outputs + output]);
    for (std::size_t i = 0; i < tree.output_widths()[output]; ++i)
      if (i != answer) wrong[output] += weights[at + i];
    at += tree.output_widths()[output];
  }
  return wrong;
}

// What rows of a mean add to their error when a node answers otherwise, per unit of weight and mean over outputs.
// Medians and quantiles do not tell: their errors are those of the rows' own.
double beside_mean(std::string_view measure, std::span<const double> means, std::span<const double> answers) {
  double sum = 0.0;
  for (std::size_t i = 0; i < means.size(); ++i)
    if (measure == "squared_error" || (measure == "poisson_deviance" && answers[i] > 0.0))
      sum += distance(measure, means[i], answers[i], 0.5);
  return sum / static_cast<double>(means.size());
}

// Rows of training that stop at an inner node: what its children do not have. Of numbers their squares follow
// from those of the node and its children, w * impurity + w * (mean - answer)^2 each.
std::vector<double> stopped_losses(const Tree& tree, NodeId node, std::span<const double> answers) {
  const auto children = tree.children(node);
  double weight = tree.weight(node);
  for (const NodeId child : children) weight -= tree.weight(child);
  const bool classes = tree.task() == Task::classification;
  if (tree.is_leaf(node) || weight <= 1e-9 * tree.weight(node))
    return std::vector<double>(classes ? tree.n_outputs() : 1);
  std::vector<double> rest(tree.value_width()), part(tree.value_width());
  tree.values(node, rest);
  if (classes) {
    for (const NodeId child : children) {
      tree.values(child, part);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= part[i];
    }
    return class_losses(tree, node, answers, rest);
  }
  const auto own = answers.subspan(static_cast<std::size_t>(node) * rest.size(), rest.size());
  double sum = tree.weight(node) * (tree.impurity(node) + beside_mean("squared_error", rest, own));
  for (const NodeId child : children) {
    tree.values(child, part);
    sum -= tree.weight(child) * (tree.impurity(child) + beside_mean("squared_error", part, own));
  }
  return {sum};
}

}  // namespace

NodeLosses training_losses(const Model& model, std::size_t index) {
  NodeLosses losses;
  const Tree tree = counted_tree(model, index);  // its rows; what they are answered says the model's own tree
  losses.total = tree.weight(0);
  std::vector<double> values(tree.value_width());
  const std::vector<double> answers = node_answers(model, model.trees()[index]);
  const std::string_view measure = error_measure(model);
  losses.leaf.resize(tree.task() == Task::regression ? 1 : tree.n_outputs());
  losses.stopped.resize(losses.leaf.size());
  const auto append = [](std::vector<std::vector<double>>& lists, const std::vector<double>& one) {
    for (std::size_t i = 0; i < one.size(); ++i) lists[i].push_back(one[i]);
  };
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    if (tree.task() == Task::regression) {
      const auto own = std::span<const double>(answers).subspan(
          static_cast<std::size_t>(node) * values.size(), values.size());
      append(losses.leaf, {tree.weight(node) * (tree.impurity(node) + beside_mean(measure, values, own))});
    } else {
      append(losses.leaf, class_losses(tree, node, answers, values));
    }
    append(losses.stopped, stopped_losses(tree, node, answers));
    losses.weights.push_back(tree.weight(node));
  }
  return losses;
}

NodeLosses table_losses(const Model& model, const Tree& tree, const Table& table, const RowLabels& truth) {
  const auto n = static_cast<std::size_t>(tree.n_nodes());
  const std::size_t outputs = tree.n_outputs();
  const std::vector<std::vector<double>> zeros(outputs, std::vector<double>(n));
  NodeLosses losses{zeros, zeros, std::vector<double>(n), 0.0};
  const std::vector<double> answers = node_answers(model, tree);
  const std::vector<NodeId> parents = tree.parents();
  const std::string_view measure = error_measure(model);
  const double quantile = model.params().quantile;
  const auto add = [&](std::vector<std::vector<double>>& sums, const RowEnd& end, std::size_t node) {
    for (std::size_t output = 0; output < outputs; ++output) {
      const double real = truth.classes.empty() ? truth.numbers[output][end.row]
                                                : static_cast<double>(truth.classes[output][end.row]);
      sums[output][node] += end.weight * distance(measure, real, answers[node * outputs + output], quantile);
    }
  };
  const RowReader reader(table, model.features());
  JudgeRows rows;
  rows.reader = &reader;
  rows.weights = truth.weights;
  for (const RowEnd& end : row_ends(tree, rows)) {
    losses.total += end.weight;
    if (!tree.is_leaf(end.node)) add(losses.stopped, end, static_cast<std::size_t>(end.node));
    for (NodeId node = end.node; node >= 0; node = parents[static_cast<std::size_t>(node)]) {
      const auto at = static_cast<std::size_t>(node);
      losses.weights[at] += end.weight;
      add(losses.leaf, end, at);
    }
  }
  return losses;
}

// A hash of the training cells would need the way they were read then. The weight and the errors of every
// node say as much, unless there are very few of them.
bool fall_as_training(const Model& model, const NodeLosses& losses) {
  const Tree& tree = model.tree();
  if (model.trees().size() > 1 || tree.n_leaves() < 3 || !(tree.weight(0) > 0.0)) return false;
  const NodeLosses training = training_losses(model, 0);
  const auto near = [](double a, double b, double unit) { return std::fabs(a - b) <= 1e-6 * unit; };
  const double root = losses.leaf.empty() ? 0.0 : std::max(training.leaf[0][0], training.total * 1e-9);
  for (std::size_t node = 0; node < losses.weights.size(); ++node) {
    if (!near(losses.weights[node], training.weights[node], training.total)) return false;
    const bool together = training.leaf.size() < losses.leaf.size();
    double sum = 0.0;
    for (std::size_t output = 0; output < losses.leaf.size(); ++output) {
      sum += losses.leaf[output][node] / static_cast<double>(losses.leaf.size());
      if (!together && !near(losses.leaf[output][node], training.leaf[output][node], root)) return false;
    }
    if (together && !near(sum, training.leaf[0][node], root)) return false;
  }
  return true;
}

}  // namespace bough
