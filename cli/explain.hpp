// SPDX-License-Identifier: Apache-2.0
// The modes of bough explain: one row, one node, Shapley values, importances, the nearest counterfactual.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "tables.hpp"

namespace bough::cli {

struct ExplainFlags {
  std::string model;
  std::string data;
  std::vector<std::string> values;
  std::optional<std::string> row;
  std::int64_t tree = 1;
  int threads = 0;
  bool json = false;
  ReadFlags read;
  // The modes; without one of them the way of a row is told.
  bool reasons = false;
  std::optional<std::string> node;
  bool shap = false;
  bool leaves = false;
  bool importance = false;
  bool counterfactual = false;
  // What some of them take.
  std::string weight;
  std::string target;
  std::string label;  ///< --class
  std::string background;
  std::string score;
  int repeats = 10;
  std::int64_t seed = 0;
  double level = 0.95;
  std::int64_t points = 200;
  std::vector<std::string> fixed, increase, decrease;
  std::optional<std::string> at_least, at_most;
};

/// The row that was asked for: a table and the row's number in it, from 0. `whole`: the rest of the table is
/// needed too.
struct AskedRow {
  Table table;
  std::int64_t row = 0;
};
enum class Reading : std::uint8_t { up_to_row, whole };
AskedRow asked_row(const ExplainFlags& flags, const Model& model, Reading reading);
/// The table of --data. Throws bad_params when there is none.
Table asked_table(const ExplainFlags& flags, const Model& model, std::string_view mode);
/// A number that an option was given.
double option_number(const std::string& text, std::string_view option);
std::int64_t option_integer(const std::string& text, std::string_view option);

void explain_node(const ExplainFlags& flags, const Model& model);
void explain_shap(const ExplainFlags& flags, const Model& model);
void explain_leaves(const ExplainFlags& flags, const Model& model);
void explain_importance(const ExplainFlags& flags, const Model& model);
void explain_counterfactual(const ExplainFlags& flags, const Model& model);

}  // namespace bough::cli
