// SPDX-License-Identifier: Apache-2.0
// The page as a text: what it holds for which model, and that it is complete in itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bough/prune.hpp"
#include "bough/report.hpp"
#include "draw/palette.hpp"
#include "explain/models.hpp"
#include "report/report_data.hpp"
#include "report/unpacked.hpp"

namespace bough {
namespace {

using Json = nlohmann::json;

using namespace bough::testing;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Json document(const std::string& page) {
  return Json::parse(element(page, "data"));
}
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Rows of iris(): leaves are setosa, versicolor (node 3) and virginica (node 4).
Table flowers() {
  Table table;
  table.add("petal length", std::vector<double>{1.0, 2.45, 4.0, 5.0, 6.0, kNaN});
  table.add("petal width", std::vector<double>{0.2, 0.2, 1.0, 1.7, 2.0, 2.0});
  table.add("species", std::vector<std::string>{"setosa", "versicolor", "versicolor", "virginica",
                                                "virginica", "virginica"});
  return table;
}

TEST(Page, the_frame_is_small_and_asks_for_nothing) {
  EXPECT_LT(report_frame_size(), 120'000U);
  const std::string page = report_page(iris());
  for (const char* outside : {"src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  // Namespaces are names, not addresses; nothing else looks like one.
  EXPECT_EQ(count(page, "://"), count(page, "http://www.w3.org/"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Page, hostile_names_stay_names) {
  const std::string evil = "</script><script>alert(1)</script><!--\u2028'\"\\";
  const Model model =
      one_split({levels(evil, Kind::category, {evil, "x"})}, map_split(NodeKind::subset, 0, {0, 1}, {0, 1}));
  const std::string page = report_page(model, nullptr, {.title = evil});
  const std::string plain = report_page(
      one_split({levels("a", Kind::category, {"b", "x"})}, map_split(NodeKind::subset, 0, {0, 1}, {0, 1})));
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<!--"), 0U);
  EXPECT_EQ(document(page)["features"][0]["name"], evil);
  EXPECT_EQ(document(page)["features"][0]["levels"][0], evil);
  EXPECT_EQ(document(page)["title"], evil);
}

TEST(Page, rows_travel_with_cells_truth_and_answers) {
  const Table table = flowers();
  const std::string page = report_page(iris(), &table);
  const Json data = document(page);
  const auto rows = unpacked(data["rows"]["columns"], element(page, "rows"));
  EXPECT_EQ(rows.at("x1"), (std::vector<double>{0.2, 0.2, 1.0, 1.7, 2.0, 2.0}));
  EXPECT_TRUE(std::isnan(rows.at("x0")[5]));
  EXPECT_EQ(rows.at("truth0"), (std::vector<double>{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(rows.at("answer0"), (std::vector<double>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(data["quality"][0]["confusion"], Json({{1, 0, 0}, {1, 1, 0}, {0, 1, 2}}));
  EXPECT_EQ(data["features"][0]["missing"], 1);
  EXPECT_FALSE(data["permutation"].is_null());
}

TEST(Page, more_rows_than_wanted_are_thinned_out_evenly) {
  const Table table = flowers();
  const std::string page = report_page(iris(), &table, {.max_rows = 3});
  const Json data = document(page);
  EXPECT_EQ(data["rows"]["step"], 2);
  EXPECT_EQ(unpacked(data["rows"]["columns"], element(page, "rows")).at("truth0"),
            (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(data["quality"][0]["rows"], 6);  // scores use all of them
}

// Node by node, of the six rows (the one with a missing length goes right): as a leaf the root answers setosa
// and gets 5 wrong; node 1 has rows 1 and 2 and gets the versicolor wrong; node 2 answers versicolor for four
// rows, 1 of them one; node 3 has the rows of widths 1.0 and 1.7; node 4 those of 2.0.
TEST(Page, held_out_errors_are_kept_for_every_node) {
  const Model model = iris();
  const Table table = flowers();
  const NodeLosses losses = table_losses(model, model.tree(), table, read_row_labels(model, table, ""));
  EXPECT_EQ(losses.leaf[0], (std::vector<double>{5, 1, 3, 1, 0}));
  EXPECT_EQ(losses.weights, (std::vector<double>{6, 2, 4, 2, 2}));
  EXPECT_EQ(losses.total, 6.0);
  // Training: 100 of 150 at the root, none at node 1, 50 of 100, 5 of 54, 1 of 46.
  const std::vector<double> training = training_losses(model, 0).leaf[0];
  const std::vector<double> wanted{100, 0, 50, 5, 1};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(training[i], wanted[i], 1e-12) << i;
}

TEST(Page, rows_that_stop_at_a_node_are_counted_there) {
  const Model model = one_split({numeric("a")}, numeric_split(0, 1.5, missing_stops));
  Table table;
  table.add("a", std::vector<double>{1.0, kNaN, kNaN});
  table.add("answer", std::vector<std::string>{"yes", "no", "yes"});
  const NodeLosses losses = table_losses(model, model.tree(), table, read_row_labels(model, table, ""));
  EXPECT_EQ(losses.stopped[0], (std::vector<double>{1, 0, 0}));  // the node answers no
  EXPECT_EQ(losses.leaf[0], (std::vector<double>{2, 1, 0}));
}

TEST(Page, classes_have_the_colours_of_the_pictures) {
  const Json colours = document(report_page(iris()))["colours"];
  ASSERT_EQ(colours.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(colours[i], hex(class_colour(i)));
}

TEST(Page, rows_of_training_are_known_by_where_they_fall) {
  Table table;
  table.add("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  table.add("y", std::vector<double>{1, 1, 2, 2, 5, 5, 9, 9.5});
  FitSpec spec;
  spec.targets = {"y"};
  const Model model = fit(table, spec);
  EXPECT_TRUE(looks_like_training(model, table));
  Table other;
  other.add("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  other.add("y", std::vector<double>{1, 1, 2, 2, 5, 6, 9, 9.5});
  EXPECT_FALSE(looks_like_training(model, other));
  EXPECT_FALSE(looks_like_training(model, table.take(std::vector<RowId>{0, 1, 2, 3, 4, 5, 6})));
}

TEST(Page, data_without_the_target_can_be_traced_but_not_scored) {
  Table table;
  table.add("petal length", std::vector<double>{1.0});
  table.add("petal width", std::vector<double>{1.0});
  const Json data = document(report_page(iris(), &table));
  EXPECT_FALSE(data.contains("quality"));
  EXPECT_FALSE(data.contains("permutation"));
  EXPECT_EQ(data["rows"]["truth"], false);
}

TEST(Page, a_single_leaf_and_a_model_without_statistics_have_pages) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, {.n_rows = 0, .weight = 0.0, .impurity = 0.0, .values = {1.0, 3.0}});
  Model::Parts parts = class_parts({numeric("a")}, class_target("t", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  const Json data = document(report_page(Model(std::move(parts))));
  EXPECT_EQ(data["trees"][0]["nodes"], 1);
  EXPECT_EQ(data["trees"][0]["weight"], 0.0);
  for (const Json& column : data["trees"][0]["columns"]) EXPECT_NE(column[0], "step");
}

TEST(Page, the_step_of_every_node_is_that_of_the_pruning_path) {
  const Model model = iris();
  const std::string page = report_page(model);
  const auto columns = unpacked(document(page)["trees"][0]["columns"], element(page, "tree0"));
  const PruningPath path = cost_complexity_path(model.tree());
  for (std::size_t i = 1; i < path.nodes.size(); ++i)
    EXPECT_EQ(columns.at("step")[static_cast<std::size_t>(path.nodes[i])], static_cast<double>(i));
  EXPECT_EQ(columns.at("alpha"), path.alphas);
}

TEST(Page, what_cannot_be_is_refused_by_name) {
  Table table;
  table.add("petal length", std::vector<double>{1.0});
  EXPECT_THROW(static_cast<void>(report_page(iris(), &table)), Error);  // a column is absent
  EXPECT_THROW(static_cast<void>(report_page(iris(), nullptr, {.max_rows = 0})), Error);
  EXPECT_THROW(static_cast<void>(report_page(iris(), nullptr, {.repeats = -1})), Error);
}

}  // namespace
}  // namespace bough
