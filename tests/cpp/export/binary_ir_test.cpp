// SPDX-License-Identifier: Apache-2.0
// Trees as questions with two answers: every row ends where route() takes it.
#include "export/binary_ir.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bough/export.hpp"
#include "explain/models.hpp"
#include "predict/walk.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Columns 0 and 1 are numbers, 2 is a category of five levels, 3 has four ordered ones.
Model model_of(std::vector<Tree> trees) {
  Model::Parts parts;
  parts.combine = trees.size() > 1 ? Combine::mean : Combine::single;
  parts.trees = std::move(trees);
  parts.features.fields = {testing::numeric("a"), testing::numeric("b"),
                           testing::levels("c", Kind::category, {"p", "q", "r", "s", "t"}),
                           testing::levels("d", Kind::ordinal, {"low", "middle", "high", "top"})};
  parts.targets.fields = {testing::class_target("y", {"no", "yes"})};
  parts.criterion = "gini";
  return Model(std::move(parts));
}

double sum_of(const std::vector<ObliqueTerm>& terms, const std::vector<double>& row) {
  double sum = 0.0;
  for (const ObliqueTerm& term : terms) sum += term.weight * row[static_cast<std::size_t>(term.column)];
  return sum;
}

NodeId end_of(const Model& model, const YesNoModel& asked, std::size_t tree, const std::vector<double>& row) {
  const std::vector<YesNoNode>& nodes = asked.trees[tree].nodes;
  std::size_t at = 0;
  while (nodes[at].question != Question::end) {
    const YesNoNode& node = nodes[at];
    bool yes = false;
    if (node.question == Question::set) {
      const double cell = row[static_cast<std::size_t>(node.column)];
      const std::size_t n_levels = model.n_levels()[static_cast<std::size_t>(node.column)];
      const std::size_t code = std::isnan(cell) ? missing_code(n_levels)
                               : cell < 0.0     ? unknown_code(n_levels)
                                                : static_cast<std::size_t>(cell);
      yes = asked.sets[node.part].members[code] == '1';
    } else {
      const double cell = node.question == Question::sum ? sum_of(asked.sums[node.part], row)
                                                         : row[static_cast<std::size_t>(node.column)];
      yes = std::isnan(cell) ? node.missing_yes : cell <= node.threshold;
    }
    at = static_cast<std::size_t>(yes ? node.yes : node.no);
  }
  return nodes[at].origin;
}

std::vector<std::vector<double>> all_rows() {
  std::vector<std::vector<double>> rows;
  for (const double a : {-kInfinity, -1.0, std::nextafter(0.5, 0.0), 0.5, std::nextafter(0.5, 1.0), 2.0, 3.0,
                         7.0, kInfinity, kMissing})
    for (const double b : {-2.0, -0.0, 1.0, kInfinity, kMissing})
      for (const double c : {-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, kMissing})
        for (const double d : {-1.0, 0.0, 1.0, 3.0, kMissing}) rows.push_back({a, b, c, d});
  return rows;
}

void expect_same_ends(const Model& model, const YesNoWishes& wishes) {
  const YesNoModel asked = yes_no_model(model, wishes);
  for (const std::vector<double>& row : all_rows())
    for (std::size_t t = 0; t < model.trees().size(); ++t) {
      const auto cells = [&](ColId column) { return row[static_cast<std::size_t>(column)]; };
      ASSERT_EQ(end_of(model, asked, t, row), find_leaf(model.trees()[t], cells))
          << "kind " << static_cast<int>(model.trees()[t].kind(0)) << " missing to "
          << model.trees()[t].missing_to(0) << " row " << row[0] << ' ' << row[1] << ' ' << row[2] << ' '
          << row[3];
    }
}

// A stump of every kind with every way of missing cells that is a child or a stop.
std::vector<Tree> stumps() {
  std::vector<Tree> trees;
  for (const std::int32_t to : {0, 1, static_cast<std::int32_t>(missing_stops)}) {
    trees.push_back(samples::stump(samples::numeric(0, 0.5, to)));
    trees.push_back(samples::stump(samples::numeric(1, kInfinity, to)));
    trees.push_back(samples::stump(samples::ordinal(3, 2.0, to)));
    trees.push_back(samples::stump(samples::equality(2, 3.0, to)));
    trees.push_back(samples::stump(samples::mapped(2, {0, 2, 3}, {0, 1, 0}, std::max(to, 0), to)));
    trees.push_back(samples::stump(samples::mapped(2, {0, 1, 3, 4}, {2, 1, 0, 3}, 2, to), 4));
    trees.push_back(samples::stump(samples::interval(0, {-0.5, 0.5, 2.0, 4.0}, to), 5));
    trees.push_back(samples::stump(samples::oblique({{0, 2.0}, {1, -0.5}}, 1.0, to)));
  }
  return trees;
}

TEST(YesNo, rows_end_where_the_tree_sends_them) {
  for (Tree& tree : stumps()) {
    const Model model = model_of({std::move(tree)});
    expect_same_ends(model, {.format = "a test"});
  }
  expect_same_ends(model_of(stumps()), {.format = "a test", .shared = true});
}

Tree with_surrogates(std::int32_t missing_to) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  const auto first = builder.split(root, samples::numeric(0, 0.5, missing_to), 2);
  Alternative number, set, order;
  for (Alternative* test : {&number, &set, &order}) test->role = AlternativeRole::surrogate;
  number.turned = true;
  number.column = 1;
  set.kind = NodeKind::subset;
  set.column = 2;
  set.map_levels = {1, 4};
  set.map_children = {1, 0};
  order.kind = NodeKind::ordinal;
  order.turned = true;
  order.column = 3;
  order.threshold = 1.0;
  builder.set_alternatives(root, {set, number, order});
  builder.set_stats(first, samples::counts(1, 4));
  builder.set_stats(first + 1, samples::counts(3, 0));
  builder.set_stats(root, samples::counts(4, 4));
  return std::move(builder).finish();
}

TEST(YesNo, surrogates_are_asked_where_nodes_may_be_shared) {
  for (const std::int32_t to : {static_cast<std::int32_t>(missing_surrogate),
                                static_cast<std::int32_t>(missing_surrogate_or_stops)}) {
    const Model model = model_of({with_surrogates(to)});
    expect_same_ends(model, {.format = "a test", .shared = true});
    EXPECT_THROW(yes_no_model(model, {.format = "a test"}), Error);
  }
}

TEST(YesNo, what_cannot_be_asked_is_refused_with_its_node) {
  const auto complaint = [](const Tree& tree, bool sums) {
    try {
      yes_no_model(model_of({tree}), {.format = "X", .sums = sums});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_supported);
      EXPECT_FALSE(error.hint().empty());
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(complaint(samples::stump(samples::numeric(0, 0.5, missing_by_share)), true)
                .find("X cannot say node 0 of tree 0: its missing cells go to all children by share"),
            std::string::npos);
  EXPECT_NE(complaint(samples::stump(samples::oblique({{0, 1.0}}, 1.0)), false).find("oblique"),
            std::string::npos);
}

// What the engines say about the bytes is asked in tests/exports; here every writer runs under the
// sanitizers.
TEST(YesNo, every_format_for_engines_writes_trees_and_forests_of_every_kind) {
  const Model forest = model_of(stumps());
  for (const auto& [format, option, value] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"onnx", "opset", "5"},
                                                                      {"onnx", "opset", "3"},
                                                                      {"sql", "dialect", "duckdb"},
                                                                      {"sql", "dialect", "postgresql"},
                                                                      {"sql", "dialect", "sqlite"}}) {
    ExportOptions options;
    set_export_option(options, format, option, value);
    EXPECT_FALSE(export_model(forest, format, options).empty());
    for (Tree& tree : stumps())
      EXPECT_FALSE(export_model(model_of({std::move(tree)}), format, options).empty());
  }
}

}  // namespace
}  // namespace bough
