// SPDX-License-Identifier: Apache-2.0
// The dictionary of the columns, the parameters, where the model came from, and its pruning table.
#include <algorithm>
#include <cmath>

#include "bough/prune.hpp"
#include "data/cells.hpp"
#include "draw/palette.hpp"
#include "explain/nearest.hpp"
#include "explain/outcome.hpp"
#include "model/effect_interval.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostColours = 256;  // then they come again
constexpr const char* kKinds[] = {"numeric", "ordinal", "category"};

// Range and quartiles of the known numbers of a column.
void describe_numbers(std::vector<double> values, Json& out) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return;
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return json_number(values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]);
  };
  out["quantiles"] = {at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)};
}

// How far a change goes, and which numbers it may lead to: as counterfactual() measures it.
void describe_grid(std::span<const double> cells, const Table::Column& column, Json& out) {
  const ColumnSpread spread = spread_of(cells);
  if (spread.deviation > 0.0) out["spread"] = json_number(spread.deviation);
  const bool floats = std::visit([](const auto& view) { return view.dtype == Dtype::f32; }, column);
  if (floats) out["grid"] = "floats";
  if (spread.whole) out["grid"] = "whole";
}

void describe_levels(std::span<const double> cells, const Field& field, Json& out) {
  std::vector<std::int64_t> counts(field.levels.size());
  std::int64_t unseen = 0;
  for (const double cell : cells) {
    if (cell >= 0.0)
      ++counts[static_cast<std::size_t>(cell)];
    else if (!std::isnan(cell))
      ++unseen;
  }
  out["counts"] = counts;
  if (unseen > 0) out["unseen"] = unseen;
}

// One column at a time: a table may be much larger than what is said about it.
void describe_column(const Table& table, const Field& field, Json& out) {
  Schema alone;
  alone.fields.push_back(field);
  const RowReader reader(table, alone);
  std::vector<double> cells(static_cast<std::size_t>(reader.n_rows()));
  reader.load(0, reader.n_rows(), cells);
  out["missing"] = std::ranges::count_if(cells, [](double cell) { return std::isnan(cell); });
  if (field.kind != Kind::category) describe_grid(cells, table.column(*table.find(field.name)), out);
  if (field.kind == Kind::numeric)
    describe_numbers(std::move(cells), out);
  else
    describe_levels(cells, field, out);
}

}  // namespace

Json features_data(const Model& model, const Table* table) {
  // Says at once what does not fit.
  if (table != nullptr) static_cast<void>(RowReader(*table, model.features()));
  Json out = Json::array();
  for (const Field& field : model.features().fields) {
    Json one{{"name", field.name}, {"kind", kKinds[static_cast<std::size_t>(field.kind)]}};
    if (field.kind != Kind::numeric) one["levels"] = field.levels.names;
    if (table != nullptr) describe_column(*table, field, one);
    out.push_back(std::move(one));
  }
  return out;
}

Json model_facts(const Model& model) {
  Json targets = Json::array();
  for (const Field& field : model.targets().fields) {
    Json one{{"name", field.name}};
    if (model.task() == Task::classification) one["levels"] = field.levels.names;
    targets.push_back(std::move(one));
  }
  Json params = Json::array();
  for (const ParamRow& row : kParams)
    params.push_back({row.name, param_text(model.params(), row), param_default(row), row.group, row.doc});
  const auto widths = model.tree().output_widths();
  Json colours = Json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(std::ranges::max(widths), kMostColours); ++i)
    colours.push_back(hex(class_colour(i)));
  constexpr const char* kCombine[] = {"single", "mean", "vote"};
  const Provenance& from = model.parts().provenance;
  Json effect;
  if (!model.parts().treatment.fields.empty()) {
    const Field& treatment = model.parts().treatment.fields.front();
    effect = {{"treatment", treatment.name},
              {"control", treatment.levels.names[0]},
              {"treated", treatment.levels.names[1]},
              {"coverage", kEffectCoverage}};
  }
  return {{"effect", std::move(effect)},
          {"task", model.task() == Task::classification ? "classification" : "regression"},
          {"criterion", model.parts().criterion},
          {"combine", kCombine[static_cast<std::size_t>(model.parts().combine)]},
          {"targets", std::move(targets)},
          {"widths", std::vector<std::uint32_t>(widths.begin(), widths.end())},
          {"colours", std::move(colours)},
          {"loss", model.params().loss_matrix},
          {"weighs_classes", weighs_classes(model.params())},
          {"shrunken", is_shrunken(model)},
          {"laplace", model.params().leaf_probability == "laplace"},
          {"monotone", !model.params().monotonic_cst.empty()},
          {"quantile", model.params().quantile},
          {"measure", error_measure(model)},
          {"importances", json_numbers(model.importances())},
          {"params", std::move(params)},
          {"version", version()},
          {"provenance",
           {{"library_version", from.library_version},
            {"command", from.command},
            {"data_hash", from.data_hash},
            {"rows", from.n_rows},
            {"engine", from.engine},
            {"notes", from.notes}}}};
}

// Cross-validated errors by price, in the units of the page's errors; null when there are none.
Json pruning_data(const Model& model) {
  if (const auto& table = model.parts().pruning_table) {
    return {{"alphas", json_numbers(table->alphas)},
            {"leaves", table->n_leaves},
            {"errors", json_numbers(table->errors)},
            {"spread", json_numbers(table->standard_errors)},
            {"chosen", table->chosen},
            {"folds", table->folds},
            {"rule", table->rule},
            {"measure", table->measure}};
  }
  const std::vector<CpRow>& rows = model.parts().cp_table;
  if (rows.empty() || std::isnan(rows.front().xerror) || model.trees().size() != 1 ||
      !(model.tree().weight(0) > 0.0))
    return nullptr;
  // rpart's errors are shares of the root's risk, its prices too.
  const double root = error_risk(model.tree()).front();
  Json out{{"alphas", Json::array()},
           {"leaves", Json::array()},
           {"errors", Json::array()},
           {"spread", Json::array()}};
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    out["alphas"].push_back(json_number(row->cp * root));
    out["leaves"].push_back(row->n_splits + 1);
    out["errors"].push_back(json_number(row->xerror * root));
    out["spread"].push_back(json_number(row->xstd * root));
  }
  out["measure"] = error_measure(model);
  return out;
}

}  // namespace bough
