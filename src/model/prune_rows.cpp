// SPDX-License-Identifier: Apache-2.0
// Rows of a pruning table as a model sees them.
#include "model/prune_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "grow/estimate.hpp"
#include "model/choose_tree.hpp"
#include "model/prepare_rules.hpp"

namespace bough {
namespace {

const Table::Column& target_column(const Table& table, const Field& field, std::string_view use) {
  if (const auto index = table.find(field.name)) return table.column(*index);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  throw Error(ErrorCode::bad_data,
              fmt::format("the rows to {} with have no column '{}', the target", use, field.name),
              fmt::format("the columns are {}", list_some(names, 12)));
}

[[noreturn]] void refuse_missing(const Field& field, std::size_t row, std::string_view use) {
  throw Error(ErrorCode::bad_data, fmt::format("the target '{}' is missing in row {}", field.name, row + 1),
              fmt::format("remove the row: rows to {} with need a known answer", use));
}

std::vector<std::uint32_t> read_classes(const Table& table, const Field& field, std::string_view use) {
  const Table::Column& column = target_column(table, field, use);
  std::vector<std::int32_t> codes(static_cast<std::size_t>(table.n_rows()));
  LevelReader(column, field.levels).read(0, codes);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] == kMissingLevel) refuse_missing(field, row, use);
    if (codes[row] < 0)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("'{}' in row {} is not a class of the model's target '{}'",
                      cell_text(column, static_cast<std::int64_t>(row)), row + 1, field.name),
          fmt::format("the classes are {}; remove rows of others", list_some(field.levels.names, 12)));
  }
  return {codes.begin(), codes.end()};
}

std::vector<double> read_target(const Table& table, const Field& field, std::string_view use) {
  const Table::Column& column = target_column(table, field, use);
  if (!is_number_column(column))
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' holds text, the model predicts numbers", field.name),
                "give the column as numbers");
  std::vector<double> numbers(static_cast<std::size_t>(table.n_rows()));
  read_numbers(column, 0, numbers);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (std::isnan(numbers[row])) refuse_missing(field, row, use);
    if (std::fabs(numbers[row]) > kMostTarget)
      refuse_large_target(field.name, numbers[row], static_cast<std::int64_t>(row) + 1);
  }
  return numbers;
}

std::vector<double> read_row_weights(const Table& table, const std::string& name) {
  if (name.empty()) return {};
  const auto index = table.find(name);
  if (!index || !is_number_column(table.column(*index)))
    throw Error(ErrorCode::bad_data, fmt::format("there is no column '{}' of numbers to use as weight", name),
                "name a column of the table");
  std::vector<double> weights(static_cast<std::size_t>(table.n_rows()));
  read_numbers(table.column(*index), 0, weights);
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (!(weights[row] >= 0.0) || !std::isfinite(weights[row]))
      throw Error(ErrorCode::bad_data,
                  fmt::format("the weight '{}' is {} in row {}", name, weights[row], row + 1),
                  "weights must be finite and not negative; 0 leaves a row out");
  return weights;
}

// As in training: the weights of a row's classes are multiplied in.
void apply_class_weight(const Model& model, PruneRows& rows) {
  const ClassWeight& wish = model.params().class_weight;
  if (!wish.balanced && wish.by_name.empty()) return;
  const std::vector<double> given = rows.weights;
  for (std::size_t o = 0; o < rows.classes.size(); ++o) {
    const std::vector<std::string>& names = model.targets().fields[o].levels.names;
    std::vector<double> factor(names.size(), 1.0);
    if (wish.balanced) factor = balancing_factors(class_sums(rows.classes[o], names.size(), given));
    if (rows.weights.empty()) rows.weights.assign(rows.classes[o].size(), 1.0);
    for (std::size_t c = 0; c < factor.size(); ++c)
      if (const auto found = wish.by_name.find(names[c]); found != wish.by_name.end())
        factor[c] = found->second;
    for (std::size_t i = 0; i < rows.weights.size(); ++i) rows.weights[i] *= factor[rows.classes[o][i]];
  }
}

}  // namespace

PruneRows read_prune_rows(const Model& model, const Table& table, const std::string& weight,
                          std::string_view use) {
  if (table.n_rows() == 0)
    throw Error(ErrorCode::bad_data, fmt::format("there are no rows to {} with", use),
                "give rows that the tree was not grown on");
  PruneRows rows;
  for (const Field& field : model.targets().fields) {
    if (model.task() == Task::classification)
      rows.classes.push_back(read_classes(table, field, use));
    else
      rows.numbers.push_back(read_target(table, field, use));
  }
  rows.weights = read_row_weights(table, weight);
  apply_class_weight(model, rows);
  if (!rows.weights.empty() &&
      std::none_of(rows.weights.begin(), rows.weights.end(), [](double w) { return w > 0.0; }))
    throw Error(ErrorCode::bad_data, fmt::format("every row to {} with has the weight 0", use),
                "give some rows a weight");
  if (!rows.weights.empty())
    check_weight_size(std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0));
  return rows;
}

LeafValues leaf_values_named(std::string_view name) {
  if (name == "train") return LeafValues::train;
  if (name == "prune") return LeafValues::prune;
  if (name == "both") return LeafValues::both;
  throw Error(ErrorCode::bad_params, fmt::format("there are no leaf values '{}'", name),
              "use train, prune or both");
}

void refuse_leaf_values(LeafValues wish, const Loss& loss, const Params& params) {
  if (wish == LeafValues::train) return;
  if (std::any_of(params.monotonic_cst.begin(), params.monotonic_cst.end(),
                  [](const auto& entry) { return entry.second != 0.0; }))
    throw Error(ErrorCode::not_supported, "new leaf values could break the monotone constraints of the tree",
                "use leaf values of the training rows");
  if (wish == LeafValues::both && (loss.kind == Loss::Kind::absolute || loss.kind == Loss::Kind::pinball))
    throw Error(ErrorCode::not_supported,
                "medians and quantiles of training and pruning rows cannot be joined",
                "use leaf values of the training or of the pruning rows");
}

Tree cut_like(const Tree& tree, const Tree& pruned) {
  std::vector<NodeId> gone;
  std::vector<std::pair<NodeId, NodeId>> open{{0, 0}};
  while (!open.empty()) {
    const auto [node, twin] = open.back();
    open.pop_back();
    if (pruned.is_leaf(twin)) {
      if (!tree.is_leaf(node)) gone.push_back(node);
      continue;
    }
    const auto children = tree.children(node), twins = pruned.children(twin);
    for (std::size_t i = 0; i < children.size(); ++i) open.emplace_back(children[i], twins[i]);
  }
  return cut(tree, gone);
}

void forget_larger_tree(Model::Parts& parts) {
  parts.pruning_table.reset();
  parts.search.reset();
  parts.extras.erase(kSizes);
}

void refuse_unshrunken_values(LeafValues wish, const Model& model) {
  if (wish == LeafValues::train || shrinkage_strength(model) == 0.0) return;
  throw Error(ErrorCode::not_supported,
              fmt::format("new leaf values would stand without shrinkage beside others with shrinkage {:g}",
                          shrinkage_strength(model)),
              "use leaf values of the training rows, or fit without shrinkage");
}

void refuse_losses(const Params& params, std::string_view how) {
  if (params.loss_matrix.empty()) return;
  throw Error(ErrorCode::not_supported, fmt::format("{} does not weigh the losses of loss_matrix", how),
              "prune by cp, which does, or fit without loss_matrix (class_weight and priors are weighed)");
}

void refuse_honest(const Params& params) {
  if (!params.honest) return;
  throw Error(ErrorCode::not_supported,
              "the nodes of an honest tree hold other rows than those that chose its splits, so it cannot be "
              "pruned by "
              "its own impurity or error afterwards",
              "fit with ccp_alpha or another pruning, which cut the tree before its values are estimated");
}

void refuse_unanswered(const Model& model, std::string_view what) {
  const auto silent = [](const Tree& tree) { return tree.extras().contains(std::string(kUnanswered)); };
  if (std::none_of(model.trees().begin(), model.trees().end(), silent)) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("{} compares what nodes answer, and with honest_prior=ignore some answer nothing", what),
      "fit with honest_prior=ancestor, or with a pruning, which cuts before values are estimated");
}

void refuse_undescribed(std::string_view criterion) {
  if (criterion != "absolute_error" && criterion != "quantile" && criterion != "poisson") return;
  throw Error(ErrorCode::not_supported,
              fmt::format("pruning by description length does not support criterion={}", criterion),
              "use squared_error, or another pruning");
}

}  // namespace bough
