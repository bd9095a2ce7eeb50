// SPDX-License-Identifier: Apache-2.0
// Growing in steps by an engine without rows, and statistics from sums that were made in pieces: the trees of
// grow().
#include "grow/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "data/encoded.hpp"
#include "grow/whole_tree.hpp"
#include "model/grow_spec.hpp"
#include "model/prepare.hpp"
#include "oracle/build.hpp"
#include "oracle/draw.hpp"
#include "tree/access.hpp"

namespace bough {
namespace {

using namespace oracle;

// Knows how many rows nodes have, but not which.
class BlindEngine final : public Engine {
 public:
  explicit BlindEngine(Engine& inner) : inner_(&inner) {}
  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    return inner_->best(tasks, monitor);
  }
  void expect(std::span<const Division> divisions) override { inner_->expect(divisions); }
  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    return inner_->split(node, proposal);
  }
  [[nodiscard]] Rows rows(EngineNode /*node*/) const override {
    ADD_FAILURE() << "rows were asked for";
    return {};
  }
  [[nodiscard]] std::size_t n_rows(EngineNode node) const override { return inner_->rows(node).size(); }

 private:
  Engine* inner_;
};

// What the driver of a cluster knows about targets.
Targets shape_of(const Targets& targets) {
  Targets shape;
  shape.weight_exponent = targets.weight_exponent;
  shape.total_weight = targets.total_weight;
  for (const ClassTarget& target : targets.classes) shape.classes.push_back({target.n_classes, {}});
  for (const NumberTarget& target : targets.numbers)
    shape.numbers.push_back({{}, {{}, target.fixed.exponent}, target.fine});
  return shape;
}

constexpr std::size_t kBlocks = 3;

// Rows that block b would have.
std::vector<RowId> part(std::span<const RowId> rows, std::size_t b) {
  std::vector<RowId> out;
  for (const RowId row : rows)
    if (row * 7 % 5 % kBlocks == b) out.push_back(row);
  return out;
}

std::vector<PoissonFrame> frames_by_blocks(const Targets& targets) {
  std::vector<PoissonFrame> frames;
  for (std::size_t o = 0; o < targets.numbers.size(); ++o) {
    int128 sum = 0;
    for (std::size_t b = 0; b < kBlocks; ++b) sum += target_sum(part(targets.rows, b), targets, o);
    const NumberTarget& target = targets.numbers[o];
    const double centre = poisson_centre(sum, targets.total_weight, target.fixed.exponent);
    double largest = 0.0;
    for (std::size_t b = 0; b < kBlocks; ++b)
      largest = std::max(largest, largest_excess(part(targets.rows, b), target, centre));
    frames.push_back(poisson_frame(centre, largest));
  }
  return frames;
}

// Through bytes, the last block first.
LeafTotals totals_by_blocks(std::span<const RowId> rows, const Targets& targets, CriterionId criterion,
                            std::span<const PoissonFrame> frames) {
  std::string bytes;
  for (std::size_t b = kBlocks; b-- > 0;)
    leaf_totals(part(rows, b), targets, criterion, frames).append_to(bytes);
  LeafTotals out;
  std::string_view left = bytes;
  while (!left.empty()) out.merge(LeafTotals::read(left));
  return out;
}

struct Both {
  Tree whole;
  Tree steps;
  std::int32_t levels = 0;
};

Both grow_both(const Case& sample) {
  const Prepared prepared = prepare(to_table(sample), fit_spec(sample), sample.params);
  const CriterionId criterion = resolve_criterion(sample.params.criterion, prepared.task);
  const GrowSpec spec = grow_spec(prepared, sample.params, criterion);
  Fingerprint fingerprint;
  Monitor monitor;
  const EncodedTable encoded = encode(to_table(sample), prepared.features, fingerprint, monitor);
  const std::size_t n_columns = encoded.columns.size();
  Both out;
  const auto engine = make_lists_engine(encoded, prepared.values, spec.engine);
  out.whole = grow(*engine, n_columns, prepared.values, spec, monitor).tree;

  const auto rows = make_lists_engine(encoded, prepared.values, spec.engine);
  BlindEngine blind(*rows);
  const Targets shape = shape_of(prepared.values);
  std::vector<LevelGrower> growers;
  growers.emplace_back(blind, n_columns, shape, spec, monitor);
  const std::vector<NodeTask> tasks = growers[0].to_search();
  growers.reserve(growers.capacity() + 1);  // moves the grower: what tasks view must not move
  if (!tasks.empty()) {
    EXPECT_EQ(tasks[0].columns.data(), growers[0].to_search()[0].columns.data());
  }
  LevelGrower& grower = growers[0];
  for (; grower.open(); ++out.levels) {
    EXPECT_EQ(grower.depth(), out.levels);
    EXPECT_TRUE(grower.to_finish().empty());
    grower.take({}, blind.best(grower.to_search(), monitor));
  }
  const std::vector<PoissonFrame> frames =
      criterion == CriterionId::poisson ? frames_by_blocks(prepared.values) : std::vector<PoissonFrame>();
  std::vector<LeafTotals> totals;
  for (const EngineNode node : grower.engine_nodes())
    totals.push_back(totals_by_blocks(rows->rows(node), prepared.values, criterion, frames));
  out.steps = grower.finish(totals, frames).tree;
  return out;
}

bool of_sums(const std::string& criterion) {
  return criterion != "absolute_error" && criterion != "quantile";
}

TEST(Steps, a_tree_grown_by_levels_without_rows_is_the_tree_of_grow) {
  std::int32_t levels = 0, trees = 0;
  for (std::uint64_t i = 0; i < scaled(2 * Shape::kCombinations); ++i) {
    const std::uint64_t seed = table_seed("steps", i);
    Dice dice(seed);
    const Shape shape = Shape::nth(i);
    if (!of_sums(shape.criterion)) continue;
    Case sample = draw_case(shape, dice);
    if (dice.chance(0.3)) sample.params.max_depth = 3;
    if (dice.chance(0.3)) sample.params.min_samples_leaf = Amount::count(3);
    const Both both = grow_both(sample);
    levels += both.levels;
    ++trees;
    ASSERT_EQ(both.steps, both.whole) << "seed " << seed << "\n" << describe(sample);
  }
  EXPECT_GT(levels, trees);  // many trees have several levels
}

TEST(Steps, values_are_held_in_their_bounds_by_sums_too) {
  std::size_t clipped = 0;
  for (std::uint64_t i = 0; i < scaled(60); ++i) {
    Dice dice(table_seed("steps_bounds", i));
    Shape shape;
    shape.criterion = i % 3 == 0 ? "gini" : i % 3 == 1 ? "squared_error" : "poisson";
    shape.columns = Columns::numeric;
    Case sample = draw_rows(shape, 60, dice);
    if (sample.classes && sample.n_classes[0] != 2) continue;
    const Both free = grow_both(sample);
    for (const PlainColumn& column : sample.columns) sample.params.monotonic_cst[column.name] = 1.0;
    const Both both = grow_both(sample);
    ASSERT_EQ(both.steps, both.whole) << describe(sample);
    clipped += both.whole != free.whole ? 1 : 0;
  }
  EXPECT_GT(clipped, 0U);
}

TEST(Steps, sums_that_are_cut_short_are_refused_and_never_read_beyond) {
  LeafTotals leaf;
  leaf.n_rows = 300;
  leaf.weight = std::int64_t{1} << 60;
  leaf.counts = {0, -1, INT64_MAX, INT64_MIN};
  leaf.numbers.resize(2);
  leaf.numbers[1].fine = -(int128{1} << 100);
  leaf.numbers[1].squares = {1, 2};
  leaf.numbers[1].lowest = -2.5;
  std::string bytes;
  leaf.append_to(bytes);
  std::string_view all = bytes;
  const LeafTotals back = LeafTotals::read(all);
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(back.n_rows, leaf.n_rows);
  EXPECT_EQ(back.weight, leaf.weight);
  EXPECT_EQ(back.counts, leaf.counts);
  ASSERT_EQ(back.numbers.size(), 2U);
  EXPECT_TRUE(back.numbers[1].fine == leaf.numbers[1].fine);
  EXPECT_TRUE(back.numbers[1].squares.high == 1 && back.numbers[1].squares.low == 2);
  EXPECT_EQ(back.numbers[1].lowest, -2.5);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::string some = bytes.substr(0, n);
    std::string_view view = some;
    EXPECT_THROW(LeafTotals::read(view), Error) << n;
  }
  std::string_view huge = "\x02\x02\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  EXPECT_THROW(LeafTotals::read(huge), Error);
}

TEST(Steps, criteria_without_sums_are_refused_by_name) {
  Targets targets;
  targets.numbers.resize(1);
  try {
    leaf_totals({}, targets, CriterionId::absolute_error);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_supported);
    EXPECT_NE(std::string(error.what()).find("absolute_error"), std::string::npos);
  }
}

TEST(Steps, a_leaf_that_nobody_knows_is_zeros) {
  TreeBuilder builder(Task::classification, {3});
  Split split;
  split.kind = NodeKind::numeric;
  builder.split(builder.root(), split, 2);
  std::vector<LeafTotals> leaves(3);
  leaves[1].n_rows = 2;
  leaves[1].weight = 5;
  leaves[1].counts = {4, 0, 1};
  Targets shape;
  shape.total_weight = 5;
  shape.classes.push_back({3, {}});
  fill(builder, leaves, shape, {}, {});
  EXPECT_EQ(builder.stats(1).values, (std::vector<double>{4, 0, 1}));
  EXPECT_EQ(builder.stats(0).values, builder.stats(1).values);
  const NodeStats empty = builder.stats(2);
  EXPECT_EQ(empty.n_rows, 0);
  EXPECT_EQ(empty.weight, 0.0);
  EXPECT_EQ(empty.impurity, 0.0);
  EXPECT_EQ(empty.values, (std::vector<double>{0, 0, 0}));
}

// y log y is measured from the mean; where that is 0, from 1: 0 log 0 - 0 + 1.
TEST(Steps, rows_of_nothing_but_zeros_have_a_poisson_centre) {
  const double centre = poisson_centre(0, 7, 3);
  EXPECT_EQ(centre, 1.0);
  EXPECT_EQ(poisson_frame(centre, 1.0).excess(0.0), 1.0);
  EXPECT_EQ(poisson_centre(14 * 8, 7, 3), 2.0);  // 14 in eighths of a weight of 7
}

TEST(Steps, growing_says_that_it_grows) {
  Case sample = class_case({0, 1, 0, 1});
  add_numeric(sample, {1, 2, 3, 4});
  const Prepared prepared = prepare(to_table(sample), fit_spec(sample), sample.params);
  const GrowSpec spec =
      grow_spec(prepared, sample.params, resolve_criterion(sample.params.criterion, prepared.task));
  std::vector<std::string> stages;
  Monitor monitor([&](std::string_view stage, double, std::int64_t) {
    stages.emplace_back(stage);
    return true;
  });
  Fingerprint fingerprint;
  Monitor silent;
  const EncodedTable encoded = encode(to_table(sample), prepared.features, fingerprint, silent);
  monitor.stage("before");
  const auto engine = make_lists_engine(encoded, prepared.values, spec.engine);
  static_cast<void>(grow(*engine, encoded.columns.size(), prepared.values, spec, monitor));
  ASSERT_FALSE(stages.empty());
  for (const std::string& stage : stages) EXPECT_EQ(stage, "grow");
}

TEST(Steps, a_tree_that_is_written_in_one_go_has_the_class_weights_of_its_rows) {
  Case sample = class_case({0, 1, 2, 1});
  add_numeric(sample, {1, 2, 3, 4});
  const Prepared prepared = prepare(to_table(sample), fit_spec(sample), sample.params);
  const WholeNode root{.begin = 0, .end = 4, .right = 2, .column = 0, .kind = NodeKind::numeric};
  const std::vector<WholeNode> nodes{root, {.begin = 0, .end = 2}, {.begin = 2, .end = 4}};
  const std::vector<RowId> rows{0, 1, 2, 3};
  for (const CriterionId criterion : {CriterionId::gini, CriterionId::entropy}) {
    const Tree tree = whole_tree(nodes, rows, prepared.values, {3}, 1, criterion);
    EXPECT_EQ(node_values(tree, 0), (std::vector<double>{1, 2, 1}));
    EXPECT_EQ(node_values(tree, 1), (std::vector<double>{1, 1, 0}));
    EXPECT_EQ(node_values(tree, 2), (std::vector<double>{0, 1, 1}));
    // What nobody looks through again is right, and the tree that is put together node by node.
    EXPECT_NO_THROW(tree.check(1));
    EXPECT_TRUE(TreeAccess::plainly_right(tree, 1, {}));
    EXPECT_TRUE(TreeAccess::made_for(tree, 1));
    EXPECT_FALSE(TreeAccess::made_for(tree, 2));
    const Tree again = TreeBuilder::from(tree).finish();
    EXPECT_EQ(again, tree);
    EXPECT_FALSE(TreeAccess::made_for(again, 1));
  }
}

TEST(Steps, numbers_beyond_doubles_are_looked_at_again) {
  PlainTree plain(1, 1);
  plain.kind[0] = NodeKind::leaf;
  plain.column[0] = plain.right[0] = -1;
  plain.n_rows[0] = 1;
  plain.weight[0] = 1.0;
  EXPECT_TRUE(TreeAccess::made_for(TreeAccess::make(Task::regression, {1}, plain, 3), 3));
  for (std::vector<double>* numbers : {&plain.value, &plain.impurity, &plain.gain, &plain.weight}) {
    const double before = std::exchange(numbers->front(), std::numeric_limits<double>::infinity());
    const Tree tree = TreeAccess::make(Task::regression, {1}, plain, 3);
    EXPECT_FALSE(TreeAccess::made_for(tree, 3));
    EXPECT_THROW(tree.check(3), Error);
    numbers->front() = before;
  }
}

TEST(Steps, a_tree_that_is_grown_in_one_go_ends_with_all_rows_done) {
  Case sample = class_case({0, 1, 0, 1});
  add_numeric(sample, {1, 2, 3, 4});
  double done = 0.0;
  Execution execution{.threads = 1};
  execution.engine = "ranked";
  execution.progress = [&](const Progress& now) {
    if (now.stage == "grow") done = std::max(done, now.fraction);
    std::this_thread::sleep_for(std::chrono::milliseconds(110));  // so that the next tick tells again
    return true;
  };
  static_cast<void>(fit(to_table(sample), fit_spec(sample), sample.params, execution));
  EXPECT_EQ(done, 1.0);
}

}  // namespace
}  // namespace bough
