// SPDX-License-Identifier: Apache-2.0
// Random tables for the tests of plans, divided into blocks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include "base/parallel.hpp"
#include "model/bag_marks.hpp"
#include "model/prepare.hpp"
#include "scale/plan.hpp"
#include "scale/provenance.hpp"
#include "scale/row_block.hpp"
#include "scale/summary.hpp"

namespace bough {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline std::uint64_t seed() {
  const char* text = std::getenv("BOUGH_SEED");
  return text == nullptr ? 20261115 : std::strtoull(text, nullptr, 10);
}

struct PlanCase {
  Table table;
  FitSpec spec;
  Params params;
};

inline std::vector<std::int32_t> draw_codes(std::mt19937_64& random, std::size_t n, int levels,
                                            double missing) {
  std::vector<std::int32_t> codes(n);
  for (std::int32_t& code : codes)
    code = std::uniform_real_distribution<>()(random) < missing
               ? -1
               : static_cast<std::int32_t>(random() % static_cast<unsigned>(levels));
  return codes;
}

inline std::vector<std::string> words(int count, const std::string& begin) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(begin + std::to_string(i));
  return out;
}

// A byte per cell, and bits that say which are known.
inline void add_truths(Table& table, std::mt19937_64& random, const std::string& name, std::size_t n,
                       double missing) {
  const auto cells = std::make_shared<std::vector<std::uint8_t>>(n),
             valid = std::make_shared<std::vector<std::uint8_t>>(n / 8 + 1);
  const std::vector<std::int32_t> codes = draw_codes(random, n, 2, missing);
  for (std::size_t i = 0; i < n; ++i) {
    (*cells)[i] = codes[i] > 0;
    if (codes[i] >= 0) (*valid)[i / 8] = static_cast<std::uint8_t>((*valid)[i / 8] | 1u << i % 8);
  }
  Chunk chunk;
  chunk.data = cells->data();
  chunk.stride = 1;
  chunk.length = static_cast<std::int64_t>(n);
  chunk.validity = valid->data();
  table.view(name, ColumnView{Dtype::boolean, {chunk}, nullptr});
  table.hold(cells);
  table.hold(valid);
}

// Columns of every kind; what the target is changes from case to case.
inline PlanCase draw_case(std::mt19937_64& random, int which) {
  const std::size_t n = 2 + random() % 900;
  const auto chance = [&](double p) { return std::uniform_real_distribution<>()(random) < p; };
  std::normal_distribution<> normal;
  PlanCase out;
  std::vector<float> floats(n);
  std::vector<double> doubles(n), steps(n), weights(n), numbers(n), counts(n);
  std::vector<std::int64_t> whole(n);
  for (std::size_t i = 0; i < n; ++i) {
    floats[i] = chance(0.1) ? static_cast<float>(kNaN) : static_cast<float>(normal(random));
    doubles[i] = chance(0.2) ? -0.0 : normal(random);
    steps[i] = chance(0.05) ? kNaN : static_cast<double>(random() % 5);
    whole[i] = static_cast<std::int64_t>(random() % 1000) + (which % 5 == 0 ? std::int64_t{1} << 54 : 0);
    weights[i] = chance(0.1) ? 0.0 : 1.0 + static_cast<double>(random() % 4) / 4.0;
    numbers[i] = 1.0 + std::fabs(normal(random));
    counts[i] = static_cast<double>(random() % 4);
  }
  weights[0] = 1.0;
  out.table.add("floats", floats);
  out.table.add("doubles", doubles);
  out.table.add("steps", steps);
  out.table.add("whole", std::span<const std::int64_t>(whole));
  out.table.add("words", draw_codes(random, n, 5, 0.1), words(6, "w"));
  out.table.add("many", draw_codes(random, n, 400, 0.1), words(400, "m"));
  out.table.add("size", draw_codes(random, n, 3, 0.1), std::vector<std::string>{"small", "middle", "large"});
  out.table.add("codes", counts);
  out.table.add("nothing", std::vector<double>(n, kNaN));
  out.table.add("nobody", std::vector<std::int32_t>(n, -1), std::vector<std::string>{"x"});
  out.table.add("w", weights);
  std::vector<std::int32_t> classes = draw_codes(random, n, which % 4 == 0 ? 300 : 3, 0.0);
  classes[0] = 0, classes[1] = 1;
  out.table.add("class", classes, words(300, "c"));
  out.table.add("number", numbers);
  out.table.add("label", counts);
  out.spec.columns.push_back({"size", Kind::ordinal, {}, {"small", "middle", "large", "huge"}});
  add_truths(out.table, random, "truth", n, 0.1);
  add_truths(out.table, random, "answer", n, 0.0);
  out.spec.columns.push_back({"codes", Kind::category, {}, {}});
  out.spec.ignored = {"nobody"};
  switch (which % 7) {
    case 0:
      out.spec.targets = {"class"};
      break;
    case 1:
      out.spec.targets = {"number"};
      break;
    case 2:
      out.spec.targets = {"label"};
      break;
    case 3:
      out.spec.targets = {"class", "label"};
      break;
    case 4:
      out.spec.targets = {"number", "label"}, out.params.task = "regression";
      break;
    case 5:
      out.spec.targets = {"number"}, out.params.criterion = "poisson";
      break;
    default:
      out.spec.targets = {"answer"};
      break;
  }
  if (which % 2 == 0) out.spec.weight = "w";
  if (which % 4 == 1) out.spec.columns.push_back({"w", {}, Role::weight, {}});
  const bool classes_named = which % 7 == 0 || which % 7 == 3;
  if (classes_named && which % 4 < 2) out.params.class_weight.balanced = true;
  if (classes_named && which % 4 == 2) out.params.class_weight.by_name["c1"] = 0.0;
  if (which % 7 == 1) out.params.task = "regression";
  if (which % 7 == 6 && which % 2 == 0) out.params.task = "regression";
  out.params.max_depth = 2;
  return out;
}

inline std::vector<std::vector<RowId>> divide(std::mt19937_64& random, std::size_t n, std::size_t n_blocks) {
  std::vector<std::size_t> ends(n_blocks - 1);
  for (std::size_t& end : ends) end = random() % (n + 1);
  if (n_blocks > 3) ends[1] = ends[0];  // an empty block
  std::sort(ends.begin(), ends.end());
  ends.push_back(n);
  std::vector<std::vector<RowId>> blocks;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    blocks.emplace_back(end - begin);
    std::iota(blocks.back().begin(), blocks.back().end(), static_cast<RowId>(begin));
    begin = end;
  }
  return blocks;
}

inline ScalePlan plan_of(const PlanCase& one, const std::vector<std::vector<RowId>>& blocks,
                         std::mt19937_64* random = nullptr) {
  std::vector<std::string> summaries;
  for (const std::vector<RowId>& rows : blocks)
    summaries.push_back(summarise(one.table.take(rows), one.spec, one.params));
  if (random != nullptr) {
    std::shuffle(summaries.begin(), summaries.end(), *random);
    if (summaries.size() > 2) {
      const std::string two = merge_summaries(std::span(summaries).first(2));
      summaries.erase(summaries.begin(), summaries.begin() + 2);
      summaries.push_back(two);
    }
  }
  return make_plan(merge_summaries(summaries), one.spec, one.params);
}

inline std::vector<std::vector<RowId>> all_rows(const Table& table) {
  std::vector<std::vector<RowId>> blocks(1, std::vector<RowId>(static_cast<std::size_t>(table.n_rows())));
  std::iota(blocks[0].begin(), blocks[0].end(), RowId{0});
  return blocks;
}

inline std::vector<RowBlock> code(const Table& table, const ScalePlan& plan,
                                  const std::vector<std::vector<RowId>>& blocks) {
  std::vector<RowBlock> coded;
  std::int64_t first = 0;
  for (const std::vector<RowId>& rows : blocks) {
    coded.emplace_back(table.take(rows), plan, first);
    first += static_cast<std::int64_t>(rows.size());
  }
  return coded;
}

inline BlockFacts facts_of(std::vector<RowBlock>& blocks) {
  BlockFacts facts;
  for (RowBlock& block : blocks) facts.merge(BlockFacts::from_bytes(block.state().rows.facts.bytes()));
  return facts;
}

inline std::shared_ptr<std::byte[]> aligned(std::string_view bytes) {
  const std::shared_ptr<std::byte[]> room(
      static_cast<std::byte*>(std::aligned_alloc(64, (bytes.size() + 256 + 63) / 64 * 64)),
      [](std::byte* memory) { std::free(memory); });
  std::memcpy(room.get(), bytes.data(), bytes.size());
  return room;
}

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what() + " | " + error.hint();
  }
  return "nothing";
}

}  // namespace bough
