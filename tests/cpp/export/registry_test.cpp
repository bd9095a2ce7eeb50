// SPDX-License-Identifier: Apache-2.0
// The table of formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bough/export.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

std::string complaint(std::string_view format, const ExportOptions& options = {}) {
  try {
    static_cast<void>(export_model(iris(), format, options));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(Export, formats_are_sorted_documented_and_write_every_model) {
  const auto formats = export_formats();
  EXPECT_TRUE(std::ranges::is_sorted(formats, {}, &Format::name));
  for (const Format& format : formats) {
    EXPECT_FALSE(format.doc.empty()) << format.name;
    EXPECT_TRUE(format.extension.starts_with('.')) << format.name;
    for (const Model& model : {iris(), chain(3)})
      EXPECT_FALSE(export_model(model, format.name).empty()) << format.name;
  }
}

TEST(Export, an_unknown_format_or_tree_is_refused) {
  std::string names;
  for (const Format& format : export_formats())
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  EXPECT_EQ(complaint("pdf"), "there is no export format pdf | the formats are " + names);
  EXPECT_EQ(complaint(""), "there is no export format \"\" | the formats are " + names);
  EXPECT_EQ(complaint("text", {.tree = 1}),
            "there is no tree 1 in a model of 1 tree | trees are counted from 0");
  EXPECT_EQ(complaint("dot", {.tree = 7}),
            "there is no tree 7 in a model of 1 tree | trees are counted from 0");
}

TEST(Export, options_are_documented_taken_by_formats_that_exist_and_have_unique_names) {
  std::set<std::string_view> names;
  for (const ExportOption& option : export_options()) {
    EXPECT_FALSE(option.doc.empty()) << option.name;
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    for (const std::string_view format : option.formats) EXPECT_EQ(export_format(format).name, format);
  }
}

std::string option_complaint(std::string_view format, std::string_view name, std::string_view text) {
  ExportOptions options;
  try {
    set_export_option(options, format, name, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(Export, options_are_set_by_name_and_refused_where_a_format_does_not_look_at_them) {
  ExportOptions options;
  set_export_option(options, "dot", "filled", "false");
  set_export_option(options, "text", "max_depth", "3");
  EXPECT_FALSE(options.filled);
  EXPECT_EQ(options.max_depth, 3);
  EXPECT_EQ(option_complaint("json", "max_depth", "3"),
            "the export format json has no option max_depth | it has no options");
  EXPECT_EQ(
      option_complaint("text", "filled", "true"),
      "the export format text has no option filled | its options are tree, max_depth, precision, missing");
  EXPECT_EQ(option_complaint("dot", "filled", "yes"),
            "the export option filled cannot be yes | it is true or false");
  EXPECT_EQ(option_complaint("dot", "tree", "-1"),
            "the export option tree cannot be -1 | it is a whole number");
}

TEST(Export, json_is_the_model_itself) {
  EXPECT_EQ(export_model(iris(), "json"), iris().to_json());
}

}  // namespace
}  // namespace bough
