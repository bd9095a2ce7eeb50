// SPDX-License-Identifier: Apache-2.0
// The table of formats.
#include <gtest/gtest.h>

#include <algorithm>

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
  EXPECT_EQ(complaint("pdf"), "there is no export format pdf | the formats are dot, json, text");
  EXPECT_EQ(complaint(""), "there is no export format \"\" | the formats are dot, json, text");
  EXPECT_EQ(complaint("text", {.tree = 1}),
            "there is no tree 1 in a model of 1 tree | trees are counted from 0");
  EXPECT_EQ(complaint("dot", {.tree = 7}),
            "there is no tree 7 in a model of 1 tree | trees are counted from 0");
}

TEST(Export, json_is_the_model_itself) {
  EXPECT_EQ(export_model(iris(), "json"), iris().to_json());
}

}  // namespace
}  // namespace bough
