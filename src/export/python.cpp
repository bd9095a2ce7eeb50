// SPDX-License-Identifier: Apache-2.0
// A model as a Python module that needs nothing but the language.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "explain/words.hpp"
#include "export/code_tables.hpp"
#include "export/code_text.hpp"
#include "export/formats.hpp"
#include "export/python_runtime.hpp"

namespace bough {
namespace {

std::string number(double value) {
  if (std::isinf(value)) return value > 0.0 ? "float(\"inf\")" : "-float(\"inf\")";
  return double_literal(value);
}

// Text inside a docstring: shown on one line, nothing that ends it.
std::string doc_text(std::string_view text) {
  std::string out = python_string(shown_name(text));
  return out.substr(1, out.size() - 2);
}

class PythonWriter {
 public:
  explicit PythonWriter(const Model& model)
      : model_(model),
        tables_(code_tables(model, CodeCells::doubles)),
        classes_(model.task() == Task::classification) {}

  std::string write() {
    opening();
    names();
    test_tables();
    value_tables();
    text_ += kPythonRuntime;
    return std::move(text_);
  }

 private:
  void opening() {
    const std::size_t trees = tables_.roots.size();
    text_ = fmt::format("\"\"\"A {} of {}, written by bough {}.\n\nPredicts:",
                        trees > 1 ? fmt::format("model of {} trees", trees) : "decision tree",
                        classes_ ? "classes" : "numbers", version());
    for (const Field& field : model_.targets().fields) text_ += fmt::format(" {};", doc_text(field.name));
    text_ += "\n\n    predict(row)         ";
    text_ += classes_ ? "the class\n    predict_proba(row)   shares of the classes, in the order of CLASSES\n"
                      : "the number\n";
    text_ +=
        "    leaf(row)            the node where the row ends\n\n"
        "A row is a dict with all names of COLUMNS, or a list in their order. Numbers are numbers, "
        "categories\n"
        "their values as CATEGORIES has them (others are fine: the tree knows what to do), missing cells "
        "None or\n"
        "NaN. It needs Python 3.8 and nothing else.\n\"\"\"\n\n";
  }

  void list(std::string_view name, const std::vector<std::string>& parts) {
    if (parts.empty()) {
      text_ += fmt::format("{} = ()\n", name);
      return;
    }
    text_ += fmt::format("{} = (\n{},\n)\n", name, wrapped_list(parts, "    "));
  }

  template <class T, class Word>
  void list(std::string_view name, const std::vector<T>& values, const Word& word) {
    std::vector<std::string> parts;
    parts.reserve(values.size());
    for (const T& value : values) parts.push_back(word(value));
    list(name, parts);
  }

  static std::string level_value(const Levels& levels, std::size_t i) {
    switch (levels.type) {
      case Levels::Type::text:
        return python_string(levels.names[i]);
      case Levels::Type::boolean:
        return levels.numbers[i] != 0.0 ? "True" : "False";
      case Levels::Type::integer:
        if (std::abs(levels.numbers[i]) < 0x1p53) return fmt::format("{:.0f}", levels.numbers[i]);
        return number(levels.numbers[i]);
      case Levels::Type::real:
        break;
    }
    return number(levels.numbers[i]);
  }

  static std::string level_tuple(const Levels& levels) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < levels.size(); ++i) parts.push_back(level_value(levels, i));
    return fmt::format("(\n{},\n)", wrapped_list(parts, "    "));
  }

  void names() {
    list("COLUMNS", model_.features().fields, [](const Field& field) { return python_string(field.name); });
    text_ += "# By the place of the column.\nCATEGORIES = {\n";
    for (std::size_t i = 0; i < model_.features().fields.size(); ++i) {
      const Field& field = model_.features().fields[i];
      if (field.kind != Kind::numeric)
        text_ += fmt::format("    {}: {},\n", i, field.levels.size() == 0 ? "()" : level_tuple(field.levels));
    }
    text_ += "}\n";
    list("TARGETS", model_.targets().fields, [](const Field& field) { return python_string(field.name); });
    text_ += "# Of every target; empty for numbers.\n";
    if (classes_) {
      list("CLASSES", model_.targets().fields, [](const Field& field) { return level_tuple(field.levels); });
    } else {
      text_ += "CLASSES = ()\n";
    }
    text_ +=
        "_LEVELS = [\n"
        "    {value: i for i, value in enumerate(CATEGORIES[column])} if column in CATEGORIES else None\n"
        "    for column in range(len(COLUMNS))\n]\n";
  }

  void test_tables() {
    const auto plain = [](std::uint32_t value) { return std::to_string(value); };
    const auto child = [](std::uint32_t value) {
      return value == CodeTables::kShares  ? std::string("-2")
             : value == CodeTables::kStops ? std::string("-1")
                                           : std::to_string(value);
    };
    text_ += "\n# One entry per node, the trees one after the other.\n";
    list("_ROOTS", tables_.roots, plain);
    list("_TEST", tables_.test, plain);
    list("_COLUMN", tables_.column, plain);
    list("_NEXT", tables_.next, plain);
    list("_AT", tables_.at, plain);
    list("_MISSING", tables_.missing, child);
    list("_STOP_AT", tables_.stop_at, plain);
    list("_SHARES_AT", tables_.shares_at, plain);
    list("_SURROGATES_AT", tables_.surrogates_at, plain);
    text_ += "# What tests look up.\n";
    list("_NUMBERS", tables_.numbers, number);
    list("_KIDS", tables_.kids, plain);
    list("_BITS", tables_.bits, plain);
    list("_MAP", tables_.map, child);
    list("_CUTS", tables_.cuts, number);
    list("_TERM_COLUMNS", tables_.term_columns, plain);
    list("_TERM_WEIGHTS", tables_.term_weights, number);
    list("_SHARES", tables_.shares, number);
    list("_SURROGATES", tables_.surrogates, [](const CodeSurrogate& one) {
      return fmt::format("({}, {}, {}, {})", static_cast<int>(one.test), one.turned ? "True" : "False",
                         one.column, one.at);
    });
  }

  void value_tables() {
    constexpr const char* kCombine[] = {"single", "mean", "vote"};
    text_ += fmt::format("_COMBINE = \"{}\"\n", kCombine[static_cast<std::size_t>(model_.parts().combine)]);
    const auto widths = model_.tree().output_widths();
    list("_WIDTHS", std::vector<std::uint32_t>(widths.begin(), widths.end()),
         [](std::uint32_t value) { return std::to_string(value); });
    std::vector<std::string> rows, choices;
    for (std::size_t i = 0; i < tables_.n_rows; ++i) {
      std::vector<std::string> row;
      for (std::size_t k = 0; k < tables_.width; ++k)
        row.push_back(number(tables_.values[i * tables_.width + k]));
      rows.push_back(fmt::format("({},)", fmt::join(row, ", ")));
      const std::size_t outputs = model_.n_outputs();
      if (!classes_) continue;
      const auto own = std::span(tables_.choices).subspan(i * outputs, outputs);
      choices.push_back(fmt::format("({},)", fmt::join(own, ", ")));
    }
    list("_VALUES", rows);
    list("_CHOICES", choices);
    std::vector<std::string> loss;
    for (const auto& row : model_.params().loss_matrix) {
      std::vector<std::string> numbers;
      for (const double value : row) numbers.push_back(number(value));
      loss.push_back(fmt::format("({},)", fmt::join(numbers, ", ")));
    }
    list("_LOSS", loss);
  }

  const Model& model_;
  CodeTables tables_;
  bool classes_;
  std::string text_;
};

}  // namespace

std::string write_python(const Model& model, const ExportOptions&) {
  return PythonWriter(model).write();
}

}  // namespace bough
