// SPDX-License-Identifier: Apache-2.0
// From parameters to ID3, C4.5 and pessimistic pruning.
#include "model/classics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text.hpp"
#include "bough/pessimistic.hpp"
#include "criterion/registry.hpp"
#include "data/cells.hpp"
#include "grow/shrink.hpp"
#include "model/prepare_rules.hpp"
#include "model/prune_rows.hpp"
#include "quinlan/quinlan.hpp"

namespace bough {
namespace {

std::string own_criterion(const Params& params) {
  return params.algorithm == "id3" ? "entropy" : "gain_ratio";
}

void check_target(const Prepared& prepared, const Params& params) {
  if (prepared.task == Task::classification && prepared.values.n_outputs() == 1) return;
  throw Error(ErrorCode::not_supported,
              prepared.task == Task::classification
                  ? fmt::format("algorithm={} takes one target, but there are {}", params.algorithm,
                                prepared.values.n_outputs())
                  : fmt::format("algorithm={} learns classes, but '{}' is a number", params.algorithm,
                                prepared.targets.fields.front().name),
              prepared.task == Task::classification
                  ? "fit one model per target, or use algorithm=cart"
                  : "use algorithm=cart, or set the task to classification");
}

void refuse_numbers(const Prepared& prepared) {
  std::vector<std::string> numeric;
  for (const Field& field : prepared.features.fields)
    if (field.kind == Kind::numeric) numeric.push_back(field.name);
  if (!numeric.empty())
    throw Error(ErrorCode::bad_params,
                fmt::format("algorithm=id3 takes categories, but {} {} numeric", list_some(numeric, 8),
                            numeric.size() == 1 ? "is" : "are"),
                "set discretize=mdl for intervals, declare the columns as categories, or use algorithm=c45");
}

std::vector<double> row_weights(const Targets& targets) {
  std::vector<double> weights(targets.classes.front().codes.size());
  for (const RowId row : targets.rows)
    weights[row] = std::ldexp(static_cast<double>(targets.weight(row)), -targets.weight_exponent);
  return weights;
}

std::vector<double> all_cells(const Table& table, const Schema& features) {
  const RowReader reader(table, features);
  std::vector<double> cells(static_cast<std::size_t>(reader.n_rows()) * reader.n_columns());
  reader.load(0, reader.n_rows(), cells);
  return cells;
}

PessimisticSpec pessimistic_spec(const Params& params, CriterionId criterion) {
  return {params.confidence_factor, params.subtree_raising, params.j48,
          std::string(criterion_info(criterion).name)};
}

std::vector<std::uint32_t> training_classes(const Table& training, const Field& target) {
  const std::optional<std::size_t> at = training.find(target.name);
  if (!at)
    throw Error(ErrorCode::bad_data,
                fmt::format("the table has no column '{}', the target of the model", target.name),
                "give the rows the model was fitted on");
  std::vector<std::int32_t> codes(static_cast<std::size_t>(training.n_rows()));
  LevelReader(training.column(*at), target.levels).read(0, codes);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i] < 0)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("the target '{}' in row {} is missing or no class of the model", target.name, i + 1),
          "give the rows the model was fitted on");
  return {codes.begin(), codes.end()};
}

Model pruned_model(const Model& model, const PessimisticSpec& spec, const PruningRows* rows) {
  refuse_unanswered(model, "pessimistic pruning");
  Model::Parts parts = model.parts();
  for (std::size_t i = 0; i < parts.trees.size(); ++i) {
    const Tree counted = counted_tree(model, i);
    if (rows == nullptr || !spec.subtree_raising)
      parts.trees[i] = cut_like(parts.trees[i], prune_pessimistic(counted, spec));
    else  // a branch that was raised has another way from the root
      parts.trees[i] = shrink(prune_pessimistic(counted, spec, *rows), shrinkage_strength(model));
  }
  parts.params.pruning = "pessimistic";
  parts.params.confidence_factor = spec.confidence_factor;
  parts.params.subtree_raising = rows != nullptr && spec.subtree_raising;
  return Model(std::move(parts));
}

}  // namespace

bool is_classic(const Params& params) {
  return params.algorithm != "cart";
}

void check_algorithm(const Params& params) {
  if (!is_classic(params) || params.criterion == "auto") return;
  const std::string own = own_criterion(params);
  if (find_criterion(params.criterion) == find_criterion(own)) return;
  throw Error(
      ErrorCode::bad_params,
      fmt::format("algorithm={} splits by {}, not by {}", params.algorithm, own, params.criterion),
      fmt::format("leave the criterion at auto, or use algorithm=cart with criterion={}", params.criterion));
}

std::string wanted_criterion(const Params& params, Task task) {
  const bool own = params.criterion == "auto" && is_classic(params) && task == Task::classification;
  return own ? own_criterion(params) : params.criterion;
}

QuinlanSpec quinlan_spec(const Params& params, std::int64_t n_rows) {
  const bool id3 = params.algorithm == "id3";
  QuinlanSpec spec;
  spec.choice = id3 ? QuinlanSpec::Choice::gain : QuinlanSpec::Choice::gain_ratio;
  if (params.discretize != "none")
    spec.intervals =
        params.discretize == "mdl" ? QuinlanSpec::Intervals::all_rows : QuinlanSpec::Intervals::node;
  spec.grouped = params.category_branches == "grouped";
  spec.j48 = params.j48;
  spec.min_branch = params.min_samples_branch ? *params.min_samples_branch : id3 ? 1 : 2;
  if (params.max_depth) spec.max_depth = *params.max_depth;
  spec.min_samples_split = params.min_samples_split.resolve_up(n_rows);
  spec.min_impurity_decrease = params.min_impurity_decrease;
  return spec;
}

Tree grow_classic(const Table& table, const Prepared& prepared, const Params& params,
                  Fingerprint& fingerprint, Monitor& monitor) {
  check_target(prepared, params);
  const bool id3 = params.algorithm == "id3";
  if (id3 && params.discretize == "none") refuse_numbers(prepared);
  const QuinlanSpec spec = quinlan_spec(params, prepared.n_weighted);
  Tree tree =
      grow_quinlan(encode(table, prepared.features, fingerprint, monitor), prepared.values, spec, monitor);
  return params.algorithm == "c45" && params.collapse ? collapse_idle(tree) : tree;
}

Tree pessimistic_by_rows(const Tree& tree, const Table& table, const Prepared& prepared,
                         const Params& params) {
  const CriterionId criterion = resolve_criterion(wanted_criterion(params, prepared.task), prepared.task);
  const PessimisticSpec spec = pessimistic_spec(params, criterion);
  if (!spec.subtree_raising || tree.n_nodes() == 1 || prepared.values.classes.size() != 1)
    return prune_pessimistic(tree, spec);
  const std::vector<double> cells = all_cells(table, prepared.features),
                            weights = row_weights(prepared.values);
  return prune_pessimistic(tree, spec, {cells, prepared.values.classes.front().codes, weights});
}

Model prune_pessimistic(const Model& model, const PessimisticSpec& spec) {
  return pruned_model(model, spec, nullptr);
}

Model prune_pessimistic(const Model& model, const PessimisticSpec& spec, const Table& training,
                        const std::string& weight) {
  // Other targets are refused without a look at the rows.
  if (model.n_outputs() != 1 || model.task() != Task::classification) return prune_pessimistic(model, spec);
  const std::vector<std::uint32_t> classes = training_classes(training, model.targets().fields.front());
  std::vector<double> weights;
  if (!weight.empty()) {
    const std::optional<std::size_t> column = training.find(weight);
    if (!column)
      throw Error(ErrorCode::bad_data, fmt::format("the table has no column '{}' of weights", weight));
    weights.resize(classes.size());
    read_numbers(training.column(*column), 0, weights);
    check_weights(weight, weights);
  }
  const std::vector<double> cells = all_cells(training, model.features());
  const PruningRows rows{cells, classes, weights};
  return pruned_model(model, spec, &rows);
}

}  // namespace bough
