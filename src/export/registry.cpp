// SPDX-License-Identifier: Apache-2.0
// The table of export formats.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "bough/rules.hpp"
#include "explain/condition.hpp"
#include "explain/words.hpp"
#include "export/binary_ir.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

// clang-format off
constexpr std::array kFormats{
  Format{"c", ".h", "A C99 header that predicts on its own: constant tables or nested if, nothing else.", write_c, false, header_note},
  Format{"cpp", ".hpp", "The same as a C++17 header with a namespace.", write_cpp, false, header_note},
  Format{"dot", ".dot", "One tree as a Graphviz picture.", write_dot},
  Format{"json", ".json", "The whole model: what a program needs to use or rebuild it.", write_json},
  Format{"json-schema", ".schema.json", "The JSON Schema of all models in JSON.", write_json_schema},
  Format{"onnx", ".onnx", "The whole model as ONNX: labels, probabilities or values, and leaves.", write_onnx, true},
  Format{"pmml", ".pmml", "PMML 4.4, for programs that read it.", write_pmml},
  Format{"python", ".py", "A Python module that predicts on its own and imports nothing.", write_python},
  Format{"rules", ".rules", "One tree as if-then sentences (`bough rules` writes other forms).", write_rules_text},
  Format{"sklearn", ".sklearn.json", "Trees of numbers as the arrays that scikit-learn keeps, in JSON.", write_sklearn},
  Format{"sql", ".sql", "SQL for DuckDB, PostgreSQL or SQLite: a CASE, or a table of nodes.", write_sql},
  Format{"svg", ".svg", "One tree as a picture (`bough plot` draws more).", write_svg},
  Format{"text", ".txt", "One tree as indented text.", write_text},
  Format{"treelite", ".treelite", "A treelite checkpoint, for GTIL, FIL and tl2cgen.", write_treelite, true},
};
// clang-format on

static_assert(std::ranges::is_sorted(kFormats, {}, &Format::name));

bool is_numbers(const Field& field) {
  return field.kind == Kind::numeric;
}

}  // namespace

std::span<const Format> export_formats() noexcept {
  return kFormats;
}

const Format& export_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &Format::name);
  if (found != kFormats.end()) return *found;
  std::array<std::string_view, kFormats.size()> names;
  std::ranges::transform(kFormats, names.begin(), &Format::name);
  throw Error(ErrorCode::bad_params, fmt::format("there is no export format {}", shown_name(name)),
              fmt::format("the formats are {}", fmt::join(names, ", ")));
}

std::string export_model(const Model& model, std::string_view format, const ExportOptions& options) {
  const Format& to = export_format(format);
  if (to.name != "json" && std::ranges::any_of(model.trees(), [](const Tree& tree) {
        return tree.extras().contains("unanswered");
      }))
    throw Error(
        ErrorCode::not_supported,
        fmt::format("format {} cannot express leaves without an answer (honest_prior=ignore)", to.name),
        "fit with another honest_prior, or export json");
  return to.write(model, options);
}

std::vector<std::string> export_notes(const Model& model, std::string_view format,
                                      const ExportOptions& options) {
  const std::string_view name = export_format(format).name;
  const bool takes = name == "c" || name == "cpp" || name == "onnx";
  const bool floats = takes && (options.float32 || (name == "onnx" && options.opset < 3));
  const bool numbers = std::ranges::any_of(model.features().fields, &is_numbers);
  std::vector<std::string> notes;
  if (floats && numbers)
    notes.emplace_back(
        "cells are floats: rows whose numbers are all float32 end in the leaves of the model; others are "
        "rounded "
        "first, and one that stands close to a threshold may end in another leaf");
  const bool follows = name == "onnx" || name == "pmml" || name == "treelite";
  if (follows && divides_rows(model))
    notes.emplace_back(
        "rows with missing cells go to the branch of most training rows; the model divides them among the "
        "branches");
  if (name == "sql" && divides_rows(model))
    notes.emplace_back(
        "the model divides rows with missing cells among branches: the query ends with an error where a row "
        "needs "
        "that");
  return notes;
}

const Tree& chosen_tree(const Model& model, const ExportOptions& options) {
  return tree_at(model, options.tree);
}

std::vector<NodeId> descendants(const Tree& tree) {
  std::vector<NodeId> below(static_cast<std::size_t>(tree.n_nodes()), 0);
  for (NodeId node = tree.n_nodes() - 1; node >= 0; --node)
    for (const NodeId child : tree.children(node))
      below[static_cast<std::size_t>(node)] += 1 + below[static_cast<std::size_t>(child)];
  return below;
}

std::string write_rules_text(const Model& model, const ExportOptions& options) {
  static_cast<void>(chosen_tree(model, options));
  const std::string of_several = model.trees().size() == 1 ? "" : tree_of_words(model, options.tree) + ":\n";
  return of_several + write_rules(tree_rules(model, options.tree), "text");
}

std::string write_json(const Model& model, const ExportOptions&) {
  return model.to_json();
}

}  // namespace bough
