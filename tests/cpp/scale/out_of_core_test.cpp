// SPDX-License-Identifier: Apache-2.0
// Tests of training from the scratch file: the bytes of the model are those of fit() on all rows.
#include "bough/out_of_core.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "scale/memory_blocks.hpp"

namespace bough {
namespace {

/// Numbers with ties, with missing cells, float32, a category with missing cells, an ordinal column, weights,
/// targets.
Table make_table(int n, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int k) { return static_cast<int>(random() % static_cast<unsigned>(k)); };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> a, b, weight, y, z;
  std::vector<float> f;
  std::vector<std::int64_t> few;
  std::vector<std::string> label;
  std::vector<std::int32_t> colour;
  for (int i = 0; i < n; ++i) {
    a.push_back(std::ldexp(static_cast<double>(random()), -20));
    b.push_back(draw(10) == 0 ? kNaN : draw(20) * 0.25);
    f.push_back(static_cast<float>(draw(1000)) / 7.0f);
    few.push_back(draw(4));
    colour.push_back(draw(12) == 0 ? -1 : draw(5));
    weight.push_back(draw(9) == 0 ? 0.0 : 0.5 * (1 + draw(4)));
    const double signal =
        a.back() / 1000.0 + (std::isnan(b.back()) ? 2.0 : b.back()) + (colour.back() == 2 ? 3.0 : 0.0);
    y.push_back(signal + 0.001 * draw(1000));
    z.push_back(draw(100) - static_cast<double>(few.back()));
    label.push_back(signal + draw(2) > 5.0 ? "high" : draw(50) == 0 ? "odd" : "low");
  }
  Table table;
  const std::string colours[] = {"red", "green", "blue", "grey", "gold"};
  table.add("a", a);
  table.add("b", b);
  table.add("f", f);
  table.add("few", few);
  table.add("colour", colour, colours);
  table.add("weight", weight);
  table.add("y", y);
  table.add("z", z);
  table.add("label", label);
  return table;
}

void expect_same(const Table& table, const FitSpec& spec, const Params& params,
                 std::vector<std::int64_t> block_rows) {
  const Model whole = fit(table, spec, params);
  for (const std::int64_t rows : block_rows) {
    MemoryBlocks blocks(table);
    const Model model = fit_out_of_core(blocks, spec, params, {.memory = 1 << 30, .block_rows = rows});
    EXPECT_EQ(model.to_json(), whole.to_json()) << rows << " rows a block";
    EXPECT_EQ(model.to_bytes(), whole.to_bytes()) << rows << " rows a block";
  }
}

Params deep(std::int32_t depth) {
  Params params;
  params.max_depth = depth;
  return params;
}

FitSpec spec_of(std::vector<std::string> targets, std::vector<std::string> ignored, std::string weight = "") {
  FitSpec spec;
  spec.targets = std::move(targets);
  spec.ignored = std::move(ignored);
  spec.weight = std::move(weight);
  return spec;
}

TEST(OutOfCore, classes_numbers_weights_and_several_outputs_give_the_bytes_of_training_in_memory) {
  const Table table = make_table(700, 1);
  const FitSpec classes = spec_of({"label"}, {"y", "z", "weight"});
  expect_same(table, classes, deep(4), {1, 50, 699, 5000});
  expect_same(table, classes, {}, {100});
  expect_same(table, spec_of({"y"}, {"label", "z", "weight"}), deep(6), {64});
  expect_same(table, spec_of({"label"}, {"y", "z"}, "weight"), deep(6), {64});
  expect_same(table, spec_of({"y", "z"}, {"label", "weight"}), deep(5), {64});
  Params balanced = deep(5);
  balanced.class_weight.balanced = true;
  expect_same(table, classes, balanced, {64});
}

TEST(OutOfCore, forests_give_the_bytes_of_training_in_memory) {
  const Table table = make_table(400, 2);
  Params params = deep(6);
  params.forest = 3;
  params.seed = 11;
  expect_same(table, spec_of({"label"}, {"y", "z", "weight"}), params, {90});
  params.bootstrap = false;
  expect_same(table, spec_of({"y"}, {"label", "z"}, "weight"), params, {90});
}

TEST(OutOfCore, one_row_is_a_leaf) {
  expect_same(make_table(1, 3), spec_of({"y"}, {"label", "z", "weight"}), {}, {1, 10});
}

TEST(OutOfCore, what_cannot_be_trained_so_is_refused_before_anything_is_read) {
  MemoryBlocks blocks(make_table(50, 4));
  Params params;
  params.criterion = "absolute_error";
  try {
    fit_out_of_core(blocks, spec_of({"y"}, {"label"}), params, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_supported);
    EXPECT_NE(std::string(error.what()).find("absolute_error"), std::string::npos) << error.what();
  }
  EXPECT_EQ(blocks.calls, 0);
}

TEST(OutOfCore, too_little_memory_names_the_least) {
  MemoryBlocks blocks(make_table(50, 5));
  try {
    fit_out_of_core(blocks, spec_of({"y"}, {"label"}), {}, {.memory = 1 << 20});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    EXPECT_NE(std::string(error.what()).find("at least"), std::string::npos) << error.what();
  }
  EXPECT_EQ(blocks.calls, 0);
}

TEST(OutOfCore, the_least_memory_that_is_named_is_enough) {
  // Rows of 33 * 8 bytes, 8 times each: 135 MB / 8 are blocks of 4,096 rows, which take 143 MB in all; that
  // is blocks of 8,192 rows, which take 152 MB.
  Table table;
  std::vector<double> y(20'000);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i % 2);
  const std::vector<double> same(y.size(), 1.5);
  for (int c = 0; c < 32; ++c) table.add(std::to_string(c), same);
  table.add("y", y);
  std::int64_t memory = 1;
  std::vector<std::string> said;
  while (said.size() < 5) {
    MemoryBlocks blocks(table);
    try {
      fit_out_of_core(blocks, spec_of({"y"}, {}), {}, {.memory = memory});
      break;
    } catch (const Error& error) {
      said.push_back(error.what());
      const std::string words = "at least ";
      memory = parse_bytes(said.back().substr(said.back().find(words) + words.size()));
    }
  }
  // What any table takes, then what this one does.
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0], "a memory of 1 bytes is too little: this takes at least 135 MB");
  EXPECT_EQ(said[1], "a memory of 135 MB is too little: this takes at least 152 MB");
}

TEST(OutOfCore, weights_whose_squares_are_no_doubles_are_refused_as_in_memory) {
  for (const double weight : {1e-90, 1e90, 5e-324, 1e300, 1e308}) {
    Table table;
    std::vector<double> x(40), y(40);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] = static_cast<double>(i) + 0.5;
    table.add("x", x);
    table.add("y", y);
    table.add("w", std::vector<double>(x.size(), weight));
    const FitSpec spec = spec_of({"y"}, {}, "w");
    const auto error_of = [](const auto& body) -> std::string {
      try {
        body();
      } catch (const Error& error) {
        return error.what();
      }
      return "nothing";
    };
    const bool fine = weight == 1e-90 || weight == 1e90;
    const std::string expected = fine ? "nothing"
                                      : "the sum of all weights is " +
                                            std::string(weight == 1e308 ? "inf"
                                                        : weight > 1    ? "4e+301"
                                                                        : "1.97626e-322") +
                                            ", which is not between 1e-100 and 1e100";
    MemoryBlocks blocks(table);
    EXPECT_EQ(error_of([&] { fit(table, spec, {}); }), expected);
    EXPECT_EQ(error_of([&] { fit_out_of_core(blocks, spec, {}, {.block_rows = 7}); }), expected);
  }
}

TEST(OutOfCore, rows_that_disappear_between_the_passes_are_noticed) {
  MemoryBlocks blocks(make_table(50, 6));
  blocks.short_by = 1;
  try {
    fit_out_of_core(blocks, spec_of({"y"}, {"label"}), {}, {.block_rows = 20});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("50 rows at first, then 49"), std::string::npos) << error.what();
  }
}

TEST(OutOfCore, every_stage_reports_and_can_be_cancelled_and_leaves_nothing) {
  const Table table = make_table(400, 7);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bough_stages_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  for (const std::string stage : {"read", "code", "grow"}) {
    MemoryBlocks blocks(table);
    bool seen = false;
    Execution execution;
    execution.progress = [&](const Progress& progress) {
      seen |= progress.stage.starts_with(stage);
      return !seen;
    };
    try {
      fit_out_of_core(blocks, spec_of({"y"}, {"label"}), {}, {.scratch = folder.string(), .block_rows = 10},
                      execution);
      FAIL() << stage;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled) << stage << ": " << error.what();
    }
    EXPECT_TRUE(seen) << stage;
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << stage;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bough
