// SPDX-License-Identifier: Apache-2.0
// The compact layout answers as the simple walk from the root does, bit by bit, for every kind of node, cell
// and memory.
#include "model/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "model/combine.hpp"
#include "model/random_model.hpp"
#include "predict/walk.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What the model says by the simple walk.
struct Expected {
  std::vector<double> predictions;
  std::vector<std::vector<double>> shares;  // per output
  std::vector<std::vector<NodeId>> leaves;  // per tree
};

template <class T>
Expected walk_simply(const Model& model, const CellGrid<T>& cells, std::size_t n_rows) {
  Expected expected;
  Combiner combiner(model.parts());
  const std::size_t width = model.n_outputs();
  expected.predictions.resize(n_rows * width);
  for (std::size_t i = 0; i < n_rows; ++i)
    combiner.predict(cells.row(i), std::span(expected.predictions).subspan(i * width, width));
  for (std::size_t output = 0; model.task() == Task::classification && output < width; ++output) {
    const std::size_t classes = model.targets().fields[output].levels.size();
    std::vector<double>& shares = expected.shares.emplace_back(n_rows * classes);
    for (std::size_t i = 0; i < n_rows; ++i)
      combiner.shares(cells.row(i), output_start(model.parts(), output),
                      std::span(shares).subspan(i * classes, classes));
  }
  for (const Tree& tree : model.trees()) {
    std::vector<NodeId>& leaves = expected.leaves.emplace_back();
    for (std::size_t i = 0; i < n_rows; ++i) leaves.push_back(find_leaf(tree, cells.row(i)));
  }
  return expected;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

template <class T>
void expect_same(const Model& model, const MatrixView& matrix, const CellGrid<T>& cells) {
  const auto n_rows = static_cast<std::size_t>(matrix.rows);
  const Expected expected = walk_simply(model, cells, n_rows);
  std::vector<double> predictions(expected.predictions.size());
  model.predict(matrix, predictions);
  EXPECT_TRUE(same_bits(predictions, expected.predictions));
  for (std::size_t output = 0; output < expected.shares.size(); ++output) {
    std::vector<double> shares(expected.shares[output].size());
    model.predict_proba(matrix, output, shares);
    EXPECT_TRUE(same_bits(shares, expected.shares[output])) << "output " << output;
  }
  for (std::size_t tree = 0; tree < expected.leaves.size(); ++tree) {
    std::vector<NodeId> leaves(n_rows);
    model.apply(matrix, tree, leaves);
    EXPECT_EQ(leaves, expected.leaves[tree]) << "tree " << tree;
  }
}

// The same numbers as a row-major and a column-major matrix.
template <class T>
void check_layouts(const Model& model, const std::vector<T>& rows, std::size_t n_rows,
                   std::size_t n_columns) {
  const Dtype dtype = sizeof(T) == 4 ? Dtype::f32 : Dtype::f64;
  const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  const auto n = static_cast<std::ptrdiff_t>(n_rows), p = static_cast<std::ptrdiff_t>(n_columns);
  expect_same(model, {dtype, rows.data(), n, p, p * size, size}, CellGrid<T>{rows.data(), p, 1});
  std::vector<T> columns(rows.size());
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t j = 0; j < n_columns; ++j) columns[j * n_rows + i] = rows[i * n_columns + j];
  expect_same(model, {dtype, columns.data(), n, p, size, n * size}, CellGrid<T>{columns.data(), 1, n});
  // At an odd address.
  std::vector<char> odd(rows.size() * sizeof(T) + 1);
  if (!rows.empty()) std::memcpy(odd.data() + 1, rows.data(), rows.size() * sizeof(T));
  expect_same(model, {dtype, odd.data() + 1, n, p, p * size, size}, CellGrid<T>{rows.data(), p, 1});
  std::vector<double> one(model.n_outputs()), all(n_rows * one.size());
  model.predict({dtype, rows.data(), n, p, p * size, size}, all);
  for (std::size_t i = 0; i < n_rows; ++i) {
    model.predict_row(std::span(rows).subspan(i * n_columns, n_columns), one);
    EXPECT_TRUE(same_bits(one, std::span(all).subspan(i * one.size(), one.size())));
  }
}

TEST(Predictor, answers_as_the_simple_walk_for_every_kind_of_node) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomModel random(seed);
    const Model model = random.make();
    const auto& fields = model.features().fields;
    const std::size_t n_rows = random.below(3) == 0 ? random.below(9) : 40;
    std::vector<double> rows;
    for (std::size_t i = 0; i < n_rows * fields.size(); ++i) {
      const Field& field = fields[i % fields.size()];
      const std::uint64_t draw = random.below(12);
      rows.push_back(draw == 0   ? kNan
                     : draw == 1 ? (field.kind == Kind::numeric ? kInf : -1.0)
                     : draw == 2 ? -kInf
                     : field.kind == Kind::numeric
                         ? random.number()
                         : static_cast<double>(random.below(field.levels.size() + 2)));
    }
    check_layouts(model, rows, n_rows, fields.size());
    const std::vector<float> floats(rows.begin(), rows.end());
    check_layouts(model, floats, n_rows, fields.size());
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// Enough rows for a look at them, most of them the same as the row before; in the last tables hardly any.
TEST(Predictor, answers_rows_that_are_repeated_as_the_simple_walk) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomModel random(seed);
    const Model model = random.make();
    const auto& fields = model.features().fields;
    const std::size_t n_rows = 128 + random.below(200), n_columns = fields.size();
    std::vector<double> rows;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const bool repeated = i > 0 && random.below(8) < (seed < 45 ? 6U : 1U);
      for (std::size_t j = 0; j < n_columns; ++j) {
        const double other = fields[j].kind == Kind::numeric
                                 ? random.number()
                                 : static_cast<double>(random.below(fields[j].levels.size() + 2));
        rows.push_back(repeated ? rows[rows.size() - n_columns] : random.below(9) == 0 ? kNan : other);
      }
    }
    check_layouts(model, rows, n_rows, n_columns);
    check_layouts(model, std::vector<float>(rows.begin(), rows.end()), n_rows, n_columns);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// A number that is often a float, or between two, or beyond all of them.
double edgy(std::mt19937_64& random) {
  const float base = static_cast<float>(static_cast<double>(random() % 41) - 20.0) / 7.0F;
  switch (random() % 9) {
    case 0:
      return kInf;
    case 1:
      return random() % 2 == 0 ? 1e39 : -1e39;
    case 2:
      return static_cast<double>(random() % 5) * 1e-46;
    case 3:
      return std::nextafter(static_cast<double>(base), kInf);
    case 4:
      return std::nextafter(static_cast<double>(base), -kInf);
    case 5:
      return random() % 2 == 0 ? std::numeric_limits<float>::max() : std::numeric_limits<float>::lowest();
    case 6:
      return -kInf;
    default:
      return base;
  }
}

// Tests of numbers only; every `other`-th node does something else with missing cells than sending them to a
// child.
Model number_model(std::mt19937_64& random, std::size_t n_columns, std::size_t n_splits,
                   std::uint64_t other) {
  TreeBuilder builder(Task::regression, {1});
  std::vector<TreeBuilder::Handle> leaves{builder.root()};
  for (std::size_t i = 0; i < n_splits; ++i) {
    const std::size_t where = random() % 3 == 0 ? leaves.size() - 1 : random() % leaves.size();
    const std::int32_t missing = other > 0 && random() % other == 0
                                     ? -1 - static_cast<std::int32_t>(random() % 3)
                                     : static_cast<std::int32_t>(random() % 2);
    const auto first = builder.split(
        leaves[where], numeric(static_cast<ColId>(random() % n_columns), edgy(random), missing), 2);
    leaves[where] = first;
    leaves.push_back(first + 1);
  }
  for (auto node = static_cast<TreeBuilder::Handle>(builder.n_handles()) - 1; node >= 0; --node) {
    NodeStats stats{1, 1.0, 0.0, {static_cast<double>(node)}};
    if (!builder.is_leaf(node))
      stats.n_rows =
          builder.stats(builder.children(node)[0]).n_rows + builder.stats(builder.children(node)[1]).n_rows;
    builder.set_stats(node, stats);
  }
  Model::Parts parts;
  parts.task = Task::regression;
  parts.trees.push_back(std::move(builder).finish());
  for (std::size_t j = 0; j < n_columns; ++j)
    parts.features.fields.push_back({"x" + std::to_string(j), Kind::numeric, Role::feature, {}});
  parts.targets.fields.push_back({"y", Kind::numeric, Role::target, {}});
  parts.criterion = "squared_error";
  return Model(std::move(parts));
}

TEST(Predictor, floats_and_doubles_part_at_the_very_threshold) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n_columns = 1 + random() % 5;
    // Shallow and deep trees, with and without missing cells, are walked in different ways.
    const std::size_t n_splits = round % 6 == 0 ? 3000 : round % 6 == 1 ? random() % 12 : random() % 400;
    const Model model = number_model(random, n_columns, n_splits, round % 4 == 3 ? 10 : 0);
    const std::uint64_t gaps = random() % 3 == 0 ? std::uint64_t{1} << 40 : 15;
    const std::size_t n_rows = random() % 5 == 0 ? random() % 20 : 600;
    std::vector<double> rows;
    for (std::size_t i = 0; i < n_rows * n_columns; ++i)
      rows.push_back(random() % gaps == 0 ? kNan : edgy(random));
    check_layouts(model, rows, n_rows, n_columns);
    std::vector<float> floats;
    for (const double cell : rows) {
      const auto near = static_cast<float>(cell);
      floats.push_back(random() % 3 == 0 ? std::nextafter(near, random() % 2 == 0 ? 9e9F : -9e9F) : near);
    }
    check_layouts(model, floats, n_rows, n_columns);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(Predictor, places_that_do_not_fit_beside_the_column_take_the_wider_nodes) {
  std::mt19937_64 random(12);
  const std::size_t n_columns = std::size_t{1} << 19;
  const Model model = number_model(random, n_columns, 3000, 0);
  std::vector<float> floats;
  for (std::size_t i = 0; i < 12 * n_columns; ++i) floats.push_back(static_cast<float>(edgy(random)));
  const auto p = static_cast<std::ptrdiff_t>(n_columns);
  expect_same(model, {Dtype::f32, floats.data(), 12, p, p * 4, 4}, CellGrid<float>{floats.data(), p, 1});
}

TEST(Predictor, a_chain_of_100000_splits_is_walked_to_its_end) {
  TreeBuilder builder(Task::regression, {1});
  auto open = builder.root();
  for (int i = 0; i < 100'000; ++i) open = builder.split(open, numeric(0, -static_cast<double>(i)), 2);
  for (std::size_t h = 0; h < builder.n_handles(); ++h)
    builder.set_stats(static_cast<std::int32_t>(h), {0, 1.0, 0.0, {static_cast<double>(h)}});
  const Tree tree = std::move(builder).finish();
  const CompactTree compact(tree);
  std::vector<float> cells;
  for (int i = 0; i < 20; ++i) cells.push_back(-static_cast<float>(i) * 6000.0F);
  std::vector<CompactTree::End> ends(cells.size());
  const CellGrid<float> grid{cells.data(), 1, 1};
  compact.find(grid, ends);
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(compact.node(ends[i]), find_leaf(tree, grid.row(i)));
}

TEST(Predictor, a_table_of_numbers_in_one_piece_and_one_in_pieces_give_the_same) {
  std::mt19937_64 random(13);
  const Model model = number_model(random, 3, 50, 0);
  std::vector<float> rows;
  for (int i = 0; i < 3 * 5000; ++i)
    rows.push_back(random() % 20 == 0 ? std::nanf("") : static_cast<float>(edgy(random)));
  Table whole, pieces;
  whole.view_matrix(Dtype::f32, rows.data(), 5000, 3, 12, 4);
  for (const std::size_t j : {2U, 0U, 1U}) {
    std::vector<float> column;
    for (std::size_t i = j; i < rows.size(); i += 3) column.push_back(rows[i]);
    pieces.add("x" + std::to_string(j), column);
  }
  EXPECT_EQ(model.predict(whole), model.predict(pieces));
  EXPECT_EQ(model.apply(whole), model.apply(pieces));
}

TEST(Predictor, threads_may_ask_a_fresh_model_at_once) {
  std::mt19937_64 random(14);
  const Model model = number_model(random, 2, 300, 0);
  const std::vector<double> row{0.5, -0.5};
  std::vector<double> answers(8);
  std::vector<std::thread> threads;
  for (double& answer : answers) threads.emplace_back([&] { model.predict_row(row, {&answer, 1}); });
  for (std::thread& thread : threads) thread.join();
  const Model copy = model;
  double expected = 0.0;
  copy.predict_row(row, {&expected, 1});
  for (const double answer : answers) EXPECT_EQ(answer, expected);
}

TEST(Predictor, sizes_that_do_not_fit_are_refused) {
  std::mt19937_64 random(15);
  const Model model = number_model(random, 2, 3, 0);
  const std::vector<double> cells(6, 0.0);
  std::vector<double> out(3);
  EXPECT_THROW(model.predict({Dtype::f64, cells.data(), 2, 3, 24, 8}, out), Error);
  EXPECT_THROW(model.predict({Dtype::f64, cells.data(), 2, 2, 16, 8}, out), Error);
  EXPECT_THROW(model.predict({Dtype::i32, cells.data(), 3, 2, 8, 4}, out), Error);
  EXPECT_THROW(model.predict_row(std::span(cells), std::span(out).first(1)), Error);
}

}  // namespace
}  // namespace bough
