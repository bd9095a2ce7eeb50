// SPDX-License-Identifier: Apache-2.0
// Honest trees against a plain fit with weights of 0 and arithmetic over the rows that it did not see.
#include "model/honest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "bough/model.hpp"
#include "bough/pessimistic.hpp"
#include "bough/prune.hpp"
#include "model/bag.hpp"
#include "model/divide_rows.hpp"

namespace bough {
namespace {

Table noisy(std::uint64_t seed, std::int64_t n, bool classes) {
  std::mt19937_64 random(seed);
  std::vector<double> x, z, y, weight;
  std::vector<std::string> c, labels, other;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(static_cast<double>(random() % 100));
    z.push_back(random() % 9 == 0 ? std::nan("") : static_cast<double>(random() % 20));
    c.push_back(std::string(1, static_cast<char>('a' + random() % 5)));
    const double value =
        (x.back() > 50 ? 6.0 : 0.0) + (c.back() < "c" ? 3.0 : 0.0) + static_cast<double>(random() % 7);
    y.push_back(value);
    labels.push_back(value < 4 ? "low" : value < 9 ? "middle" : "high");
    other.push_back(x.back() > 30 ? "yes" : "no");
    weight.push_back(i % 11 == 0 ? 0.0 : static_cast<double>(1 + random() % 3));
  }
  Table table;
  table.add("x", x);
  table.add("z", z);
  table.add("c", c);
  if (classes) {
    table.add("y", labels);
    table.add("other", other);
  } else {
    table.add("y", y);
    std::vector<double> twice;
    for (const double value : y) twice.push_back(2.0 * value - static_cast<double>(random() % 3));
    table.add("other", twice);
  }
  table.add("weight", weight);
  return table;
}

struct Case {
  bool classes;
  bool weighted;
  bool both_targets;
  std::string extra;  // a parameter as name=value, or empty
};

class HonestTree : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    table = noisy(7, 400, c.classes);
    spec.targets = c.both_targets ? std::vector<std::string>{"y", "other"} : std::vector<std::string>{"y"};
    if (!c.both_targets) spec.ignored.push_back("other");
    if (c.weighted)
      spec.weight = "weight";
    else
      spec.ignored.push_back("weight");
    params.honest = true;
    params.min_honest_rows = 3;
    params.max_depth = 6;
    params.seed = 5;
    if (const std::size_t at = c.extra.find('='); at != std::string::npos)
      set_param(params, c.extra.substr(0, at), c.extra.substr(at + 1));
    prepared = prepare(table, spec, params);
    const auto classes = std::span<const ClassTarget>(prepared.values.classes);
    estimates = divide_rows(prepared.values.rows, 400, classes, 0.5, 5);
  }

  [[nodiscard]] double weight(std::size_t row) const {
    return prepared.weights.empty() ? 1.0 : prepared.weights[row];
  }

  // The tree that the other rows grow, by a plain fit with weights.
  [[nodiscard]] Model structure() const {
    Table with = table;
    std::vector<double> weights(400);
    for (std::size_t i = 0; i < 400; ++i) weights[i] = estimates[i] ? 0.0 : weight(i);
    with.add("structure weight", weights);
    FitSpec plain = spec;
    plain.weight = "structure weight";
    if (!spec.weight.empty()) plain.ignored.push_back(spec.weight);
    Params own = params;
    own.honest = false;
    own.honest_method = Params().honest_method;
    own.min_honest_rows = Params().min_honest_rows;
    return fit(with, plain, own);
  }

  // Rows, weight and sums per node, row by row up the tree.
  struct Sums {
    std::int64_t rows = 0;
    double weight = 0.0;
    std::vector<double> values;
    std::multiset<double> targets;
  };
  [[nodiscard]] std::vector<Sums> sums(const Model& model) const {
    const Tree& tree = model.tree();
    std::vector<Sums> out(static_cast<std::size_t>(tree.n_nodes()));
    for (Sums& one : out) one.values.assign(tree.value_width(), 0.0);
    const DecisionPaths paths = model.decision_path(table);
    for (std::size_t row = 0; row < 400; ++row) {
      if (!estimates[row]) continue;
      for (std::int64_t k = paths.starts[row]; k < paths.starts[row + 1]; ++k) {
        Sums& node = out[static_cast<std::size_t>(paths.nodes[static_cast<std::size_t>(k)])];
        ++node.rows;
        node.weight += weight(row);
        std::size_t at = 0;
        for (const ClassTarget& target : prepared.values.classes) {
          node.values[at + target.codes[row]] += weight(row);
          at += target.n_classes;
        }
        for (const NumberTarget& target : prepared.values.numbers)
          node.values[at++] += weight(row) * target.raw[row];
        if (!prepared.values.numbers.empty()) node.targets.insert(prepared.values.numbers[0].raw[row]);
      }
    }
    return out;
  }

  Table table;
  FitSpec spec;
  Params params;
  Prepared prepared;
  std::vector<char> estimates;
};

TEST_P(HonestTree, has_the_structure_of_one_part_and_the_values_of_the_other) {
  const Model honest = fit(table, spec, params), plain = structure();
  const Tree &tree = honest.tree(), &grown = plain.tree();
  ASSERT_EQ(tree.n_nodes(), grown.n_nodes());
  ASSERT_GT(tree.n_leaves(), 4);
  const std::vector<Sums> expected = sums(plain);
  const std::vector<NodeId> parents = tree.parents();
  std::vector<double> values(tree.value_width());
  bool any_short = false;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    EXPECT_EQ(tree.kind(node), grown.kind(node));
    EXPECT_EQ(tree.column(node), grown.column(node));
    EXPECT_EQ(tree.threshold(node), grown.threshold(node));
    EXPECT_EQ(tree.gain(node), grown.gain(node));
    EXPECT_EQ(tree.extras().at("structure_rows")[static_cast<std::size_t>(node)],
              static_cast<double>(grown.n_rows(node)));
    const Sums& own = expected[static_cast<std::size_t>(node)];
    EXPECT_EQ(tree.n_rows(node), own.rows);
    EXPECT_DOUBLE_EQ(tree.weight(node), own.weight);
    NodeId from = node;
    while (expected[static_cast<std::size_t>(from)].rows < 3) from = parents[static_cast<std::size_t>(from)];
    any_short |= from != node;
    const Sums& source = expected[static_cast<std::size_t>(from)];
    tree.values(node, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], GetParam().classes ? source.values[i] : source.values[i] / source.weight, 1e-9)
          << "node " << node << " value " << i;
  }
  EXPECT_TRUE(any_short) << "the data should have leaves with too few rows";
}

TEST_P(HonestTree, pruning_undoes_every_split_with_a_small_side_and_no_other) {
  params.honest_method = "prune";
  const Model honest = fit(table, spec, params), plain = structure();
  const std::vector<Sums> expected = sums(plain);
  std::vector<NodeId> cuts;
  for (NodeId node = 0; node < plain.tree().n_nodes(); ++node)
    for (const NodeId child : plain.tree().children(node))
      if (expected[static_cast<std::size_t>(child)].rows < 3) cuts.push_back(node);
  const Model cut_back = cut(plain, cuts);
  ASSERT_LT(cut_back.tree().n_nodes(), plain.tree().n_nodes());
  ASSERT_EQ(honest.tree().n_nodes(), cut_back.tree().n_nodes());
  for (NodeId node = 0; node < honest.tree().n_nodes(); ++node) {
    EXPECT_EQ(honest.tree().threshold(node), cut_back.tree().threshold(node));
    EXPECT_TRUE(honest.tree().n_rows(node) >= 3);
  }
  EXPECT_EQ(honest.apply(table), cut_back.apply(table));
}

TEST_P(HonestTree, exchanged_parts_are_averaged) {
  params.cross_fit = true;
  const Model honest = fit(table, spec, params);
  ASSERT_EQ(honest.trees().size(), 2U);
  const std::vector<double> answers = honest.predict(table);
  std::int64_t rows = 0;
  for (const Tree& tree : honest.trees()) rows += tree.n_rows(0);
  EXPECT_EQ(rows, static_cast<std::int64_t>(prepared.values.rows.size())) << "every row estimates once";
  std::vector<double> mean;
  for (const Tree& tree : honest.trees()) {
    Model::Parts parts = honest.parts();
    parts.trees = {tree};
    parts.combine = Combine::single;
    const Model one{std::move(parts)};
    const std::vector<double> part = GetParam().classes ? one.predict_proba(table) : one.predict(table);
    mean.resize(part.size(), 0.0);
    for (std::size_t i = 0; i < part.size(); ++i) mean[i] += part[i] / 2.0;
  }
  const std::vector<double> joint = GetParam().classes ? honest.predict_proba(table) : answers;
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(joint[i], mean[i], 1e-12);
}

TEST_P(HonestTree, answers_agree_and_survive_files_and_threads) {
  const Model honest = fit(table, spec, params);
  EXPECT_EQ(Model::from_bytes(honest.to_bytes()).to_bytes(), honest.to_bytes());
  EXPECT_EQ(Model::from_json(honest.to_json()).to_bytes(), honest.to_bytes());
  Execution one;
  one.threads = 1;
  EXPECT_EQ(fit(table, spec, params, one).to_bytes(), honest.to_bytes());
  const std::vector<double> answers = honest.predict(table);
  const std::vector<NodeId> leaves = honest.apply(table);
  const std::size_t n_outputs = honest.n_outputs();
  for (std::size_t o = 0; o < n_outputs && GetParam().classes; ++o) {
    const std::vector<double> shares = honest.predict_proba(table, o);
    const std::size_t width = honest.targets().fields[o].levels.size();
    for (std::size_t row = 0; row < 400; ++row) {
      const auto first = shares.begin() + static_cast<std::ptrdiff_t>(row * width);
      EXPECT_EQ(std::max_element(first, first + static_cast<std::ptrdiff_t>(width)) - first,
                static_cast<std::ptrdiff_t>(answers[row * n_outputs + o]));
    }
  }
  std::vector<double> values(honest.tree().value_width());
  for (std::size_t row = 0; row < 400 && !GetParam().classes; ++row) {
    honest.tree().values(leaves[row], values);
    for (std::size_t o = 0; o < n_outputs; ++o) EXPECT_EQ(values[o], answers[row * n_outputs + o]);
  }
}

INSTANTIATE_TEST_SUITE_P(all, HonestTree,
                         testing::Values(Case{false, false, false, ""}, Case{true, false, false, ""},
                                         Case{false, true, true, ""}, Case{true, true, true, ""},
                                         Case{true, true, false, "missing_policy=stop"},
                                         Case{false, true, false, "pruning=reduced_error"},
                                         Case{true, false, false, "category_split=equality"},
                                         Case{false, false, false, "ccp_alpha=0.01"}));

TEST(HonestRows, divide_every_class_to_within_one_row_and_depend_on_the_seed) {
  ClassTarget target{3, {}};
  std::vector<RowId> rows;
  for (RowId row = 0; row < 101; ++row) {
    target.codes.push_back(row % 7 == 0 ? 2 : row % 2);
    if (row % 5 != 0) rows.push_back(row);
  }
  for (const double fraction : {0.2, 0.5, 0.77}) {
    std::map<std::uint32_t, std::pair<double, double>> counts;
    const std::vector<char> estimates = divide_rows(rows, 101, std::span(&target, 1), fraction, 3);
    for (const RowId row : rows) {
      counts[target.codes[row]].first += 1.0;
      counts[target.codes[row]].second += estimates[row];
    }
    for (const auto& [code, pair] : counts) EXPECT_NEAR(pair.second, fraction * pair.first, 1.0) << code;
    for (RowId row = 0; row < 101; row += 5) EXPECT_EQ(estimates[row], 0) << "a row that was not given";
    EXPECT_NE(divide_rows(rows, 101, std::span(&target, 1), fraction, 4), estimates);
  }
}

TEST(HonestTrees, priors_of_a_leaf_without_rows) {
  // x parts the classes; the only estimating rows are at x = 0, so the other side has none of its own.
  Table table;
  table.add("x", std::vector<double>{0, 0, 0, 0, 1, 1});
  table.add("y", std::vector<std::string>{"a", "a", "b", "a", "b", "b"});
  FitSpec spec;
  spec.targets = {"y"};
  const Prepared prepared = prepare(table, spec, {});
  TreeBuilder builder(Task::classification, {2});
  Split split;
  split.kind = NodeKind::numeric;
  split.column = 0;
  split.threshold = 0.5;
  builder.split(builder.root(), split, 2);
  for (int h = 0; h < 3; ++h) builder.set_stats(h, {h == 0 ? 2 : 1, h == 0 ? 2.0 : 1.0, 0.0, {1, 1}});
  const Tree tree = std::move(builder).finish();
  const std::vector<RowId> rows{0, 1, 2};  // a, a, b
  const NodeRows by_node(tree, rows, std::vector<NodeId>{1, 1, 1});
  Targets targets = prepared.values;
  const auto values = [&](HonestPrior prior, bool prune) {
    EstimateSpec how;
    how.prior = prior;
    how.prune = prune;
    const Tree out = estimate(tree, by_node, targets, how);
    std::vector<double> at(2);
    out.values(out.n_nodes() - 1, at);
    EXPECT_EQ(out.n_nodes(), prune ? 1 : 3);
    return at;
  };
  EXPECT_EQ(values(HonestPrior::ancestor, false), (std::vector<double>{2, 1}));
  EXPECT_EQ(values(HonestPrior::empirical, false), (std::vector<double>{2, 1}));
  EXPECT_EQ(values(HonestPrior::uniform, false), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(HonestPrior::ancestor, true), (std::vector<double>{2, 1}));
}

TEST(HonestTrees, variance_of_a_mean_is_that_of_the_textbook) {
  Table table;
  table.add("x", std::vector<double>{0, 1, 2, 3});
  table.add("y", std::vector<double>{1, 2, 4, 9});
  table.add("w", std::vector<double>{1, 2, 1, 1});
  FitSpec spec;
  spec.targets = {"y"};
  spec.weight = "w";
  const Prepared prepared = prepare(table, spec, {});
  TreeBuilder builder(Task::regression, {1});
  builder.root();
  builder.set_stats(0, {1, 1.0, 0.0, {0.0}});
  const Tree tree = std::move(builder).finish();
  EstimateSpec how;
  how.criterion = CriterionId::squared_error;
  const Tree out =
      estimate(tree, NodeRows(tree, std::vector<RowId>{0, 1, 2, 3}, std::vector<NodeId>{0, 0, 0, 0}),
               prepared.values, how);
  // m = (1 + 4 + 4 + 9) / 5 = 3.6; n = 25 / 7; sum of w^2 (y - m)^2 = 6.76 + 4 * 2.56 + 0.16 + 29.16 = 46.32
  EXPECT_DOUBLE_EQ(out.extras().at("effective_rows")[0], 25.0 / 7.0);
  EXPECT_NEAR(out.extras().at("mean_variance")[0], 46.32 / 25.0 / (1.0 - 7.0 / 25.0), 1e-12);
}

TEST(HonestTrees, errors_name_the_class_and_the_way_out) {
  Table table;
  table.add("x", std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  table.add("y", std::vector<std::string>{"a", "a", "a", "a", "b", "b", "b", "b", "rare", "rare"});
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.honest = true;
  params.honest_fraction = 0.8;  // 8 of 10: 3 of a, 3 of b, both of the last
  const auto message = [&](const Params& own) {
    try {
      fit(table, spec, own);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.hint();
    }
    return std::string("no error");
  };
  EXPECT_NE(message(params).find(
                "the class 'rare' of 'y' has 2 rows, of which honest_fraction=0.8 leaves none to choose"),
            std::string::npos)
      << message(params);
  Params cross;
  cross.cross_fit = true;
  EXPECT_NE(message(cross).find("honest is off"), std::string::npos);
  params.algorithm = "c45";
  EXPECT_NE(message(params).find("honest trees do not support algorithm=c45"), std::string::npos);
  Params bags;
  bags.forest = 5;
  bags.little_bags = 2;
  EXPECT_NE(message(bags).find("honest is off"), std::string::npos);
  bags.honest = true;
  EXPECT_NE(message(bags).find("5 trees are not two or more groups of 2"), std::string::npos);
}

TEST(HonestForest, trees_divide_the_rows_they_draw_and_groups_share_half_of_all) {
  const Table table = noisy(11, 300, false);
  FitSpec spec;
  spec.targets = {"y"};
  spec.ignored = {"weight", "other"};
  Params params;
  params.honest = true;
  params.forest = 6;
  params.little_bags = 3;
  params.seed = 2;
  const Model forest = fit(table, spec, params);
  ASSERT_EQ(forest.trees().size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto drawn = drawn_rows(params, i, 300);
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), 1U), 150);
    EXPECT_EQ(drawn, drawn_rows(params, i / 3 * 3, 300)) << "trees of a group share their rows";
    EXPECT_EQ(forest.trees()[i].n_rows(0), 75) << "half of the half estimates";
  }
  EXPECT_NE(drawn_rows(params, 0, 300), drawn_rows(params, 3, 300));
  EXPECT_NE(forest.trees()[0], forest.trees()[1]) << "every tree divides for itself";
  Execution one;
  one.threads = 1;
  EXPECT_EQ(fit(table, spec, params, one).to_bytes(), forest.to_bytes());
  // The root of a tree answers with the mean of its estimating rows.
  const Prepared prepared = prepare(table, spec, params);
  const auto drawn = drawn_rows(params, 4, 300);
  std::vector<double> weights(drawn.begin(), drawn.end());
  const HonestWeights parts = divide_weights(prepared.values, weights, 300, params, tree_key(params, 4));
  double sum = 0.0;
  for (std::size_t row = 0; row < 300; ++row) {
    EXPECT_TRUE(parts.choose[row] == 0.0 || parts.estimate[row] == 0.0);
    sum += parts.estimate[row] * prepared.values.numbers[0].raw[row];
  }
  double root = 0.0;
  forest.trees()[4].values(0, std::span(&root, 1));
  EXPECT_NEAR(root, sum / 75.0, 1e-12);
}

// With few estimating rows some leaves of a full tree have none and answer nothing: there is no error to
// compare, and merging such a leaf with its sibling would make it answer.
TEST(HonestTrees, that_answer_nothing_somewhere_are_not_pruned_by_answers) {
  const auto expect_refused = [](const auto& prune) {
    try {
      static_cast<void>(prune());
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_supported);
      EXPECT_NE(std::string(error.what()).find("honest_prior=ignore"), std::string::npos) << error.what();
    }
  };
  for (const bool classes : {true, false}) {
    const Table table = noisy(5, 200, classes);
    FitSpec spec;
    spec.targets = {"y"};
    spec.ignored = {"weight"};
    Params params;
    params.honest = true;
    params.honest_fraction = 0.2;
    params.honest_prior = "ignore";
    const Model model = fit(table, spec, params);
    ASSERT_TRUE(model.tree().extras().contains("unanswered"));
    expect_refused([&] { return reduced_error(model, table); });
    expect_refused([&] { return simplify(model); });
    expect_refused([&] { return minimum_description(model); });
    if (classes) expect_refused([&] { return prune_pessimistic(model, PessimisticSpec{}); });
    params.honest_prior = "ancestor";
    EXPECT_LE(reduced_error(fit(table, spec, params), table).tree().n_nodes(), model.tree().n_nodes());
  }
}

}  // namespace
}  // namespace bough
