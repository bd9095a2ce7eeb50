// SPDX-License-Identifier: Apache-2.0
// The table of export options: flags, Python keywords, help and checks all come from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "bough/export.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

using Names = std::string_view;

// Which formats look at an option.
constexpr std::array kOneTree{Names{"dot"}, Names{"svg"}, Names{"text"}};
constexpr std::array kTree{Names{"dot"}, Names{"rules"}, Names{"svg"}, Names{"text"}};
constexpr std::array kDot{Names{"dot"}};
constexpr std::array kOnnx{Names{"onnx"}};
constexpr std::array kSql{Names{"sql"}};
constexpr std::array kDialects{Names{"duckdb"}, Names{"postgresql"}, Names{"sqlite"}};
constexpr std::array kWhat{Names{"answer"}, Names{"probabilities"}, Names{"leaf"}, Names{"all"}};
constexpr std::array kAs{Names{"query"}, Names{"view"}, Names{"expression"}};
constexpr std::array kForms{Names{"auto"}, Names{"case"}, Names{"nodes"}};
constexpr std::array kFloats{Names{"c"}, Names{"cpp"}, Names{"onnx"}};
constexpr std::array kPictures{Names{"dot"}, Names{"svg"}};
constexpr std::array kLabels{Names{"all"}, Names{"root"}, Names{"none"}};

constexpr std::array kHeaders{Names{"c"}, Names{"cpp"}};
constexpr std::array kStyles{Names{"tables"}, Names{"branches"}};

// clang-format off
constexpr std::array kOptions{
  ExportOption{"tree", &ExportOptions::tree, "Which tree, for formats that hold one", kTree},
  ExportOption{"max_depth", &ExportOptions::max_depth, "Levels to write (-1: all, or for svg as many as can be read)", kOneTree},
  ExportOption{"precision", &ExportOptions::precision, "Significant digits of numbers, of thresholds at least (0: all)", kOneTree},
  ExportOption{"filled", &ExportOptions::filled, "Fill nodes with the colour of their class or value", kPictures},
  ExportOption{"missing", &ExportOptions::missing, "Show at every test where missing cells go", kOneTree},
  ExportOption{"rounded", &ExportOptions::rounded, "Draw boxes with round corners", kDot},
  ExportOption{"impurity", &ExportOptions::impurity, "Show the impurity of every node", kPictures},
  ExportOption{"node_ids", &ExportOptions::node_ids, "Show the number of every node", kPictures},
  ExportOption{"proportion", &ExportOptions::proportion, "Show the share of all rows instead of their number", kDot},
  ExportOption{"leaves_parallel", &ExportOptions::leaves_parallel, "Draw all leaves on one level", kDot},
  ExportOption{"rotate", &ExportOptions::rotate, "Draw from left to right instead of downwards", kDot},
  ExportOption{"special_characters", &ExportOptions::special_characters, "HTML labels with mathematical symbols", kDot},
  ExportOption{"label", &ExportOptions::label, "Nodes whose numbers have labels", kDot, kLabels},
  ExportOption{"feature_names", &ExportOptions::feature_names, "Other names for the columns, separated by commas", kPictures},
  ExportOption{"class_names", &ExportOptions::class_names, "Other names for the classes, separated by commas", kPictures},
  ExportOption{"fontname", &ExportOptions::fontname, "Font (default: Helvetica)", kDot},
  ExportOption{"prefix", &ExportOptions::prefix, "Prefix of names (C) or namespace (C++) (default: model)", kHeaders},
  ExportOption{"style", &ExportOptions::style, "Constant tables, or nested if", kHeaders, kStyles},
  ExportOption{"float32", &ExportOptions::float32, "Cells are floats; in C and C++ also thresholds and predictions", kFloats},
  ExportOption{"opset", &ExportOptions::opset, "Version of ai.onnx.ml: 5, or 3 or 2 for older engines", kOnnx},
  ExportOption{"dialect", &ExportOptions::dialect, "Engine (default: duckdb)", kSql, kDialects},
  ExportOption{"table", &ExportOptions::table, "Table to query (default: data)", kSql},
  ExportOption{"name", &ExportOptions::name, "Name of the prediction column, and prefix of the other new ones (default: prediction)", kSql},
  ExportOption{"view", &ExportOptions::view, "Name of the view (default: predictions, or the column's name with _predictions)", kSql},
  ExportOption{"what", &ExportOptions::what, "Columns to add (default: answer)", kSql, kWhat},
  ExportOption{"as", &ExportOptions::as, "A statement, a view or a bare expression (default: query)", kSql, kAs},
  ExportOption{"form", &ExportOptions::form, "A CASE, or a table of nodes (default: auto)", kSql, kForms},
};
// clang-format on

[[noreturn]] void refuse_value(const ExportOption& option, std::string_view text, const std::string& wanted) {
  throw Error(ErrorCode::bad_params,
              fmt::format("the export option {} cannot be {}", option.name, shown_name(text)), wanted);
}

void read(const ExportOption& option, std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse_value(option, text, "it is true or false");
  value = text == "true";
}

template <class T>
requires std::is_same_v<T, int> || std::is_same_v<T, std::size_t>
void read(const ExportOption& option, std::string_view text, T& value) {
  const std::optional<std::int64_t> number = parse_integer(text);
  if (!number || !std::in_range<T>(*number)) refuse_value(option, text, "it is a whole number");
  value = static_cast<T>(*number);
}

void read(const ExportOption& option, std::string_view text, std::string& value) {
  if (!option.choices.empty() && std::ranges::find(option.choices, text) == option.choices.end())
    refuse_value(option, text, fmt::format("it is one of {}", fmt::join(option.choices, ", ")));
  value = text;
}

[[noreturn]] void refuse_option(std::string_view format, std::string_view name) {
  std::vector<std::string_view> taken;
  for (const ExportOption& option : kOptions)
    if (std::ranges::find(option.formats, format) != option.formats.end()) taken.push_back(option.name);
  throw Error(ErrorCode::bad_params,
              fmt::format("the export format {} has no option {}", format, shown_name(name)),
              taken.empty() ? std::string("it has no options")
                            : fmt::format("its options are {}", fmt::join(taken, ", ")));
}

}  // namespace

std::span<const ExportOption> export_options() noexcept {
  return kOptions;
}

void set_export_option(ExportOptions& options, std::string_view format, std::string_view name,
                       std::string_view text) {
  const Format& chosen = export_format(format);
  const auto found = std::ranges::find(kOptions, name, &ExportOption::name);
  if (found == kOptions.end() || std::ranges::find(found->formats, chosen.name) == found->formats.end())
    refuse_option(chosen.name, name);
  std::visit([&](const auto member) { read(*found, text, options.*member); }, found->member);
}

}  // namespace bough
