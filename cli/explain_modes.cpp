// SPDX-License-Identifier: Apache-2.0
// What bough explain prints for nodes, Shapley values, leaves, importances and counterfactuals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/causal.hpp"
#include "bough/counterfactual.hpp"
#include "bough/explain.hpp"
#include "bough/importance.hpp"
#include "bough/json.hpp"
#include "bough/reasons.hpp"
#include "bough/shap.hpp"
#include "bough/why.hpp"
#include "errors.hpp"
#include "explain.hpp"
#include "output.hpp"
#include "report.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

std::string output_name(const Model& model, const ShapOutput& output) {
  if (is_causal(model)) return effect_words(model);
  if (output.label.empty()) return output.target;
  return model.n_outputs() == 1 ? output.label : output.target + "=" + output.label;
}

// The output that --target and --class name; without --class the one that is predicted for the row.
std::size_t followed(const ExplainFlags& flags, const Model& model, const Table& table,
                     const ShapValues& shap) {
  const std::string target = flags.target.empty() ? model.targets().fields.front().name : flags.target;
  std::string label = flags.label;
  const auto field = model.targets().find(target);
  if (!field)
    throw Error(ErrorCode::bad_params, fmt::format("--target: the model has no target '{}'", target),
                did_you_mean(target, std::vector{model.targets().fields.front().name}));
  if (label.empty() && model.task() == Task::classification) label = model.predict_labels(table)[*field];
  for (std::size_t o = 0; o < shap.outputs.size(); ++o)
    if (shap.outputs[o].target == target && shap.outputs[o].label == label) return o;
  const std::vector<std::string>& names = model.targets().fields[*field].levels.names;
  throw Error(ErrorCode::bad_params, fmt::format("--class: '{}' is not a class of '{}'", label, target),
              "the classes are " + some_of(names, 12));
}

// Digits at which a sum of a large number and small ones shows what these change.
int sum_digits(double large, double small) {
  constexpr int kUsual = 5, kMost = 15;
  const double size = std::fabs(large);
  if (!(small > 0.0) || !(size > small)) return kUsual;
  return std::min(kUsual + static_cast<int>(std::log10(size / small)), kMost);
}

void print_row_values(const ExplainFlags& flags, const Model& model, const Table& table,
                      const ShapValues& shap) {
  const std::size_t o = followed(flags, model, table, shap);
  std::vector<std::size_t> order(shap.n_columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t j) { return std::fabs(shap.at(0, j, o)); });
  double sum = shap.expected[o];
  std::size_t width = 8;
  for (std::size_t j = 0; j < shap.n_columns; ++j) {
    sum += shap.at(0, j, o);
    width = std::max(width, display_width(one_line(model.features().fields[j].name)));
  }
  const std::string what =
      model.task() == Task::classification
          ? fmt::format("probability of {}", one_line(output_name(model, shap.outputs[o])))
          : one_line(output_name(model, shap.outputs[o]));
  print(fmt::format("Shapley values of {}{}:\n",
                    model.task() == Task::classification || is_causal(model) ? "the " : "", what));
  const double largest = order.empty() ? 0.0 : std::fabs(shap.at(0, order.front(), o));
  const int digits = sum_digits(shap.expected[o], largest);
  print(fmt::format("  {}  {:>10.{}g}\n", pad_right("expected", width), shap.expected[o], digits));
  for (const std::size_t j : order)
    print(fmt::format("  {}  {:>+10.5g}\n", pad_right(one_line(model.features().fields[j].name), width),
                      shap.at(0, j, o)));
  print(fmt::format("  {}  {:>10.{}g}\n", pad_right("sum", width), sum, digits));
}

// One line per row and output.
void print_values(const Model& model, const ShapValues& shap) {
  std::string text = "row,output,expected";
  for (const Field& field : model.features().fields) text += ',' + csv_cell(field.name);
  print(text + '\n');
  for (std::int64_t row = 0; row < shap.n_rows; ++row)
    for (std::size_t o = 0; o < shap.outputs.size(); ++o) {
      text =
          fmt::format("{},{},{}", row + 1, csv_cell(output_name(model, shap.outputs[o])), shap.expected[o]);
      for (std::size_t j = 0; j < shap.n_columns; ++j) text += fmt::format(",{}", shap.at(row, j, o));
      print(text + '\n');
    }
}

}  // namespace

void explain_node(const ExplainFlags& flags, const Model& model) {
  const Table table = asked_table(flags, model, "--node");
  const std::int64_t node = option_integer(*flags.node, "--node");
  if (!flags.weight.empty()) require_column(table, flags.weight, "--weight", flags.data);
  require_at_least(0, flags.points, "--points", "0 means all cuts");
  WhySpec spec;
  spec.tree = tree_index(model, flags.tree);
  spec.weight = flags.weight;
  spec.most_points = static_cast<std::size_t>(flags.points);
  const WhySplit why =
      why_split(model, table, static_cast<NodeId>(std::clamp<std::int64_t>(node, -1, INT32_MAX)), spec);
  print(flags.json ? to_json(why) + '\n' : to_text(why));
}

void explain_shap(const ExplainFlags& flags, const Model& model) {
  const bool one = flags.row.has_value() || !flags.values.empty();
  Table table;
  if (one) {
    const AskedRow asked = asked_row(flags, model, Reading::up_to_row);
    const auto row = static_cast<RowId>(asked.row);
    table = asked.table.take(std::span(&row, 1));
  } else {
    table = asked_table(flags, model, "--shap");
  }
  ShapSpec spec;
  Table background;
  if (!flags.background.empty()) {
    background = read_rows(flags.background, read_options(flags.read), model);
    spec.background = &background;
  }
  const ShapValues shap = shap_values(model, table, spec, execution_for("Shapley values", flags.threads));
  if (flags.json) return print(to_json(model, shap) + '\n');
  one ? print_row_values(flags, model, table, shap) : print_values(model, shap);
}

void explain_leaves(const ExplainFlags& flags, const Model& model) {
  const LeafChanges leaves = leaf_changes(model, tree_index(model, flags.tree));
  const std::size_t width = leaves.outputs.size();
  if (flags.json) {
    Json json = Json::array();
    for (std::size_t i = 0; i < leaves.leaves.size(); ++i) {
      Json columns = Json::array();
      for (std::size_t j = 0; j < leaves.n_columns; ++j) {
        const auto* begin = leaves.values.data() + (i * leaves.n_columns + j) * width;
        columns.push_back(std::vector<double>(begin, begin + width));
      }
      json.push_back({{"leaf", leaves.leaves[i]}, {"changes", std::move(columns)}});
    }
    return print_data(json.dump(2) + '\n');
  }
  std::string text = "leaf,output";
  for (const Field& field : model.features().fields) text += ',' + csv_cell(field.name);
  print_data(text + '\n');
  for (std::size_t i = 0; i < leaves.leaves.size(); ++i)
    for (std::size_t o = 0; o < width; ++o) {
      text = fmt::format("{},{}", leaves.leaves[i], csv_cell(output_name(model, leaves.outputs[o])));
      for (std::size_t j = 0; j < leaves.n_columns; ++j)
        text += fmt::format(",{}", leaves.values[(i * leaves.n_columns + j) * width + o]);
      print_data(text + '\n');
    }
}

void explain_importance(const ExplainFlags& flags, const Model& model) {
  const Table table = asked_table(flags, model, "--importance");
  if (!flags.weight.empty()) require_column(table, flags.weight, "--weight", flags.data);
  const ImportanceSpec spec{flags.score, flags.repeats, flags.level, flags.seed, flags.weight};
  const Importances all =
      permutation_importance(model, table, spec, execution_for("importance", flags.threads));
  if (flags.json) return print(to_json(all) + '\n');
  std::vector<const ColumnImportance*> order;
  std::size_t width = 6;
  for (const ColumnImportance& one : all.columns) {
    order.push_back(&one);
    width = std::max(width, display_width(one_line(one.column)));
  }
  std::ranges::stable_sort(order, std::greater<>(), [](const ColumnImportance* one) { return one->mean; });
  print(fmt::format("{} {} on {}; loss when a column is shuffled, mean of {}, {:g}% interval:\n", all.score,
                    score_text(all.base), rows_text(all.n_rows), all.repeats, 100.0 * all.level));
  for (const ColumnImportance* one : order)
    print(fmt::format(
        "  {}  {:>9}  {}\n", pad_right(one_line(one->column), width), score_text(one->mean),
        std::isnan(one->low) ? "" : fmt::format("{} to {}", score_text(one->low), score_text(one->high))));
}

void explain_counterfactual(const ExplainFlags& flags, const Model& model) {
  const auto [table, row] = asked_row(flags, model, Reading::whole);
  CounterfactualSpec spec;
  spec.fixed = split_lists(flags.fixed);
  spec.increase = split_lists(flags.increase);
  spec.decrease = split_lists(flags.decrease);
  spec.target = flags.target;
  spec.wanted = flags.label;
  if (flags.at_least) spec.at_least = option_number(*flags.at_least, "--at-least");
  if (flags.at_most) spec.at_most = option_number(*flags.at_most, "--at-most");
  Table background;
  if (!flags.background.empty()) {
    background = read_rows(flags.background, read_options(flags.read), model);
    spec.reference = &background;
  }
  const Counterfactual nearest = counterfactual(model, table, row, spec);
  if (flags.json) return print(to_json(nearest) + '\n');
  for (const std::string& sentence : nearest.sentences) print(sentence + '\n');
}

}  // namespace bough::cli
