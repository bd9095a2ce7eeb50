// SPDX-License-Identifier: Apache-2.0
// Summaries, plans, blocks and their facts: the same as those of all rows together, and of fit().
#include "scale/plan.hpp"

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
#include "scale/row_block.hpp"
#include "scale/sign.hpp"
#include "scale/summary.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::uint64_t seed() {
  const char* text = std::getenv("BOUGH_SEED");
  return text == nullptr ? 20261115 : std::strtoull(text, nullptr, 10);
}

struct Case {
  Table table;
  FitSpec spec;
  Params params;
};

std::vector<std::int32_t> draw_codes(std::mt19937_64& random, std::size_t n, int levels, double missing) {
  std::vector<std::int32_t> codes(n);
  for (std::int32_t& code : codes)
    code = std::uniform_real_distribution<>()(random) < missing
               ? -1
               : static_cast<std::int32_t>(random() % static_cast<unsigned>(levels));
  return codes;
}

std::vector<std::string> words(int count, const std::string& begin) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(begin + std::to_string(i));
  return out;
}

// A byte per cell, and bits that say which are known.
void add_truths(Table& table, std::mt19937_64& random, const std::string& name, std::size_t n,
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
Case draw_case(std::mt19937_64& random, int which) {
  const std::size_t n = 2 + random() % 900;
  const auto chance = [&](double p) { return std::uniform_real_distribution<>()(random) < p; };
  std::normal_distribution<> normal;
  Case out;
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

std::vector<std::vector<RowId>> divide(std::mt19937_64& random, std::size_t n, std::size_t n_blocks) {
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

ScalePlan plan_of(const Case& one, const std::vector<std::vector<RowId>>& blocks,
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

std::vector<std::vector<RowId>> all_rows(const Table& table) {
  std::vector<std::vector<RowId>> blocks(1, std::vector<RowId>(static_cast<std::size_t>(table.n_rows())));
  std::iota(blocks[0].begin(), blocks[0].end(), RowId{0});
  return blocks;
}

std::vector<RowBlock> code(const Table& table, const ScalePlan& plan,
                           const std::vector<std::vector<RowId>>& blocks) {
  std::vector<RowBlock> coded;
  std::int64_t first = 0;
  for (const std::vector<RowId>& rows : blocks) {
    coded.emplace_back(table.take(rows), plan, first);
    first += static_cast<std::int64_t>(rows.size());
  }
  return coded;
}

BlockFacts facts_of(std::vector<RowBlock>& blocks) {
  BlockFacts facts;
  for (RowBlock& block : blocks) facts.merge(BlockFacts::from_bytes(block.state().rows.facts.bytes()));
  return facts;
}

std::shared_ptr<std::byte[]> aligned(std::string_view bytes) {
  const std::shared_ptr<std::byte[]> room(
      static_cast<std::byte*>(std::aligned_alloc(64, (bytes.size() + 256 + 63) / 64 * 64)),
      [](std::byte* memory) { std::free(memory); });
  std::memcpy(room.get(), bytes.data(), bytes.size());
  return room;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(error_name(error.code())) + ": " + error.what() + " | " + error.hint();
  }
  return "nothing";
}

TEST(Plan, blocks_agree_with_all_rows_together_and_with_fit) {
  std::mt19937_64 random(seed());
  for (int which = 0; which < 60; ++which) {
    SCOPED_TRACE(which);
    const Case one = draw_case(random, which);
    const auto n = static_cast<std::size_t>(one.table.n_rows());
    const auto blocks = divide(random, n, 1 + random() % 7);
    const ScalePlan whole = plan_of(one, all_rows(one.table)), plan = plan_of(one, blocks, &random);
    ASSERT_EQ(plan.bytes(), whole.bytes());
    ASSERT_EQ(ScalePlan::from_bytes(plan.bytes()).bytes(), plan.bytes());
    std::vector<RowBlock> coded = code(one.table, plan, blocks),
                          single = code(one.table, plan, all_rows(one.table));
    const BlockFacts facts = facts_of(coded), all = facts_of(single);
    ASSERT_EQ(facts.bytes(), all.bytes());
    check_facts(plan, facts);

    const Prepared prepared = prepare(one.table, one.spec, one.params);
    ASSERT_EQ(plan.parts().task, prepared.task);
    ASSERT_EQ(plan.features(), prepared.features);
    ASSERT_EQ(plan.targets(), prepared.targets);
    ASSERT_EQ(plan_notes(plan, facts), prepared.notes);
    const BlockRows& rows = single[0].state().rows;
    ASSERT_TRUE(std::equal(rows.weights.begin(), rows.weights.end(), prepared.weights.begin(),
                           prepared.weights.end()));
    for (std::size_t o = 0; o < rows.classes.size(); ++o)
      ASSERT_TRUE(std::equal(rows.classes[o].begin(), rows.classes[o].end(),
                             prepared.values.classes[o].codes.begin()));
    for (std::size_t o = 0; o < rows.numbers.size(); ++o)
      ASSERT_TRUE(
          std::equal(rows.numbers[o].begin(), rows.numbers[o].end(), prepared.values.numbers[o].raw.begin()));
    ASSERT_EQ(facts.all_weights_one ? std::vector<double>() : weights_mark(facts.weights_mark),
              weights_mark(prepared.weights));

    Model::Parts parts;
    sign_blocks(parts, plan, facts);
    for (const char* engine : {"auto", "lists"}) {
      const Model model = fit(one.table, one.spec, one.params, {1, {}, engine});
      ASSERT_EQ(parts.provenance.data_hash, model.parts().provenance.data_hash) << engine;
      ASSERT_EQ(parts.provenance.n_rows, model.parts().provenance.n_rows);
      ASSERT_EQ(parts.provenance.library_version, model.parts().provenance.library_version);
      std::vector<std::string> notes = parts.provenance.notes;
      if (model.parts().provenance.notes.size() > notes.size())
        notes.push_back(model.parts().provenance.notes.back());
      ASSERT_EQ(notes, model.parts().provenance.notes);
    }
  }
}

TEST(Plan, blocks_hold_the_codes_of_one_coding) {
  std::mt19937_64 random(seed() + 1);
  for (int which = 0; which < 30; ++which) {
    SCOPED_TRACE(which);
    const Case one = draw_case(random, which);
    const auto blocks = divide(random, static_cast<std::size_t>(one.table.n_rows()), 1 + random() % 7);
    const ScalePlan plan = plan_of(one, blocks, &random);
    std::vector<RowBlock> coded = code(one.table, plan, blocks);
    Fingerprint fingerprint;
    Monitor monitor;
    const CodedTable table = make_codes(one.table, plan.features(), CodeUse::buckets, fingerprint, monitor);
    const bool byte_class = plan.parts().task == Task::classification && plan.targets().fields.size() == 1 &&
                            plan.targets().fields[0].levels.size() <= 255;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      // As a stranger gets it.
      const std::shared_ptr<std::byte[]> copy = aligned(text_of(coded[b].image()));
      RowBlock read = RowBlock::view(copy, {copy.get(), coded[b].image().size()});
      ASSERT_EQ(text_of(read.image()), text_of(coded[b].image()));
      const CodedTable& part = read.state().rows.table;
      ASSERT_EQ(part.slot_begins, table.slot_begins);
      ASSERT_EQ(part.row_stride, table.row_stride);
      ASSERT_EQ(read.n_rows(), static_cast<std::int64_t>(blocks[b].size()));
      for (std::size_t j = 0; j < table.columns.size(); ++j) {
        const CodedColumn &mine = part.columns[j], &theirs = table.columns[j];
        ASSERT_EQ(mine.cuts, theirs.cuts);
        ASSERT_EQ(mine.n_buckets, theirs.n_buckets);
        ASSERT_EQ(mine.numbers.is_float(), theirs.numbers.is_float());
        for (std::size_t i = 0; i < blocks[b].size(); ++i) {
          const auto row = static_cast<RowId>(i);
          ASSERT_EQ(part.codes(static_cast<ColId>(j))[i], table.codes(static_cast<ColId>(j))[blocks[b][i]]);
          ASSERT_EQ(part.by_row[i * part.row_stride + mine.slot],
                    table.by_row[blocks[b][i] * table.row_stride + theirs.slot]);
          const double x = part.cell(static_cast<ColId>(j), row),
                       y = table.cell(static_cast<ColId>(j), blocks[b][i]);
          ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)));
        }
      }
      for (std::size_t i = 0; byte_class && i < blocks[b].size(); ++i)
        ASSERT_EQ(part.by_row[(i + 1) * part.row_stride - 1], read.state().rows.classes[0][i]);
    }
    BlockFacts facts = facts_of(coded);
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      ASSERT_EQ(facts.has_missing[j] != 0, table.columns[j].has_missing);
      ASSERT_EQ(facts.single[j], table.columns[j].single);
    }
  }
}

TEST(Plan, data_hash_knows_cells_and_rows_but_no_order) {
  std::mt19937_64 random(seed() + 2);
  for (int which = 0; which < 12; ++which) {
    const Case one = draw_case(random, which);
    const auto n = static_cast<std::size_t>(one.table.n_rows());
    std::vector<RowId> order(n);
    std::iota(order.begin(), order.end(), RowId{0});
    std::shuffle(order.begin(), order.end(), random);
    const auto hash = [&](const Table& table) {
      return fit(table, one.spec, one.params).parts().provenance.data_hash;
    };
    const std::string first = hash(one.table);
    EXPECT_EQ(hash(one.table.take(order)), first);

    // One column alone in another order: other rows, the same cells.
    if (n > 20) {
      Table shuffled;
      const Table moved = one.table.take(order);
      for (std::size_t c = 0; c < one.table.n_columns(); ++c)
        shuffled.view(
            one.table.name(c),
            std::get<ColumnView>((one.table.name(c) == one.spec.targets[0] ? moved : one.table).column(c)));
      EXPECT_NE(hash(shuffled), first);
    }
  }
}

TEST(Plan, floats_and_doubles_of_one_value_are_the_same_data) {
  std::vector<float> floats;
  std::vector<double> doubles, y;
  for (int i = 0; i < 200; ++i) {
    floats.push_back(i % 7 == 0 ? std::nanf("") : static_cast<float>(i) / 3.0F);
    doubles.push_back(i % 7 == 0 ? -kNaN : static_cast<double>(floats.back()));
    y.push_back(i % 2);
  }
  Table a, b;
  a.add("x", floats);
  b.add("x", doubles);
  a.add("y", y);
  b.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  EXPECT_EQ(fit(a, spec, {}).parts().provenance.data_hash, fit(b, spec, {}).parts().provenance.data_hash);
  const std::vector<std::string> mixed = {summarise(a, spec, {}), summarise(b, spec, {})};
  const ScalePlan plan = make_plan(merge_summaries(mixed), spec, {});
  EXPECT_FALSE(plan.parts().columns[0].is_float);
  std::vector<RowBlock> blocks;
  blocks.emplace_back(a, plan, 0);
  blocks.emplace_back(b, plan, 200);
  EXPECT_FALSE(blocks[0].state().rows.table.columns[0].numbers.is_float());
  EXPECT_EQ(blocks[0].state().rows.facts.cells_hash, blocks[1].state().rows.facts.cells_hash);
  EXPECT_TRUE(make_plan(summarise(a, spec, {}), spec, {}).parts().columns[0].is_float);
}

TEST(Plan, samples_of_many_rows_merge_in_any_order) {
  std::mt19937_64 random(seed() + 3);
  FitSpec spec;
  spec.targets = {"y"};
  std::vector<std::string> summaries;
  std::vector<double> all;
  for (int b = 0; b < 5; ++b) {
    const std::size_t n = b == 2 ? 40'000 : 7'000;
    std::vector<double> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = static_cast<double>(random() % 1'000'000) + 1e6 * b, y[i] = static_cast<double>(i % 3);
    all.insert(all.end(), x.begin(), x.end());
    Table table;
    table.add("x", x);
    table.add("y", y);
    summaries.push_back(summarise(table, spec, {}));
  }
  const std::string merged = merge_summaries(summaries);
  EXPECT_EQ(Summary::from_bytes(merged).sampled.size(), kSummaryRows);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(summaries.begin(), summaries.end(), random);
    const std::vector<std::string> two = {merge_summaries(std::span(summaries).first(3)),
                                          merge_summaries(std::span(summaries).last(2))};
    ASSERT_EQ(merge_summaries(two), merged);
  }
  // Cuts divide all rows about evenly: 226 buckets of 68000 rows have 300 on average.
  const ScalePlan plan = make_plan(merged, spec, {});
  const std::vector<double>& cuts = plan.parts().columns[0].cuts;
  ASSERT_GT(cuts.size(), 200u);
  std::sort(all.begin(), all.end());
  for (std::size_t c = 1; c < cuts.size(); ++c) {
    const auto count = std::lower_bound(all.begin(), all.end(), cuts[c]) -
                       std::lower_bound(all.begin(), all.end(), cuts[c - 1]);
    EXPECT_LT(count, 900) << c;
  }
}

TEST(Plan, empty_and_unclear_columns_take_the_type_of_others) {
  FitSpec spec;
  spec.targets = {"y"};
  spec.columns.push_back({"size", Kind::ordinal, {}, {"s", "m", "l"}});
  const std::vector<double> none(3, kNaN), y = {0, 1, 0}, x = {1, 2, 3};
  const std::vector<std::int32_t> missing(3, -1), codes = {0, 1, 2};
  const std::vector<std::string> letters = {"s", "m", "l"};
  Table known, unclear, empty;
  known.add("size", codes, letters), known.add("text", codes, letters), known.add("number", x),
      known.add("y", y);
  unclear.add("size", none), unclear.add("text", none), unclear.add("number", missing, letters),
      unclear.add("y", y);
  const std::vector<double> zero;
  for (const char* name : {"size", "text", "number", "y"}) empty.add(name, zero);
  for (int order = 0; order < 2; ++order) {
    std::vector<std::string> summaries = {summarise(known, spec, {}), summarise(empty, spec, {}),
                                          summarise(unclear, spec, {})};
    if (order == 1) std::reverse(summaries.begin(), summaries.end());
    const ScalePlan plan = make_plan(merge_summaries(summaries), spec, {});
    EXPECT_EQ(plan.n_rows(), 6);
    EXPECT_EQ(plan.features().fields[0].kind, Kind::ordinal);
    EXPECT_EQ(plan.features().fields[0].levels.names, letters);
    EXPECT_EQ(plan.features().fields[1].kind, Kind::category);
    EXPECT_EQ(plan.features().fields[2].kind, Kind::numeric);
    RowBlock block(unclear, plan, 3), nobody(empty, plan, 6);
    for (const std::uint8_t flag : block.state().rows.facts.has_missing) EXPECT_EQ(flag, 1);
    EXPECT_EQ(nobody.n_rows(), 0);
  }
}

TEST(Plan, damaged_bytes_are_refused) {
  std::mt19937_64 random(seed() + 4);
  const Case one = [&] {
    for (;;)
      if (Case drawn = draw_case(random, 3); drawn.table.n_rows() > 40) return drawn;
  }();
  std::vector<RowId> few(40);
  std::iota(few.begin(), few.end(), RowId{0});
  Case some{one.table.take(few), one.spec, one.params};
  const std::string summary = summarise(some.table, some.spec, some.params);
  const ScalePlan plan = make_plan(summary, some.spec, some.params);
  const std::string planned = plan.bytes(), facts = [&] {
    RowBlock block(some.table, plan, 0);
    return block.state().rows.facts.bytes();
  }();
  RowBlock block(some.table, plan, 0);
  const std::string image(text_of(block.image()));
  for (std::size_t n = 0; n < summary.size(); ++n)
    ASSERT_THROW(Summary::from_bytes(std::string_view(summary).substr(0, n)), Error) << n;
  for (std::size_t n = 0; n < planned.size(); ++n)
    ASSERT_THROW(ScalePlan::from_bytes(std::string_view(planned).substr(0, n)), Error) << n;
  for (std::size_t n = 0; n < facts.size(); ++n)
    ASSERT_THROW(BlockFacts::from_bytes(std::string_view(facts).substr(0, n)), Error) << n;
  const std::shared_ptr<std::byte[]> copy = aligned(image);
  for (std::size_t n = 0; n < image.size(); n += n < 4096 ? 1 : 37)
    ASSERT_THROW(RowBlock::view(copy, {copy.get(), n}), Error) << n;
  for (int i = 0; i < 2000; ++i) {
    const auto change = [&](const std::string& from) {
      std::string bytes = from;
      bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
      return bytes;
    };
    // Such bytes may still mean something: then they can be used.
    for (const auto& body : std::vector<std::function<void()>>{
             [&] { make_plan(change(summary), some.spec, some.params); },
             [&] {
               merge_summaries(std::vector<std::string>{change(summary), summary});
             },
             [&] { static_cast<void>(ScalePlan::from_bytes(change(planned))); },
             [&] { BlockFacts::from_bytes(change(facts)); }}) {
      try {
        body();
      } catch (const Error&) {
      }
    }
    const std::shared_ptr<std::byte[]> other = aligned(change(image));
    ASSERT_THROW(RowBlock::view(other, {other.get(), image.size()}), Error);
  }
}

struct Refusal {
  const char* param;
  const char* value;
  const char* words;
};

TEST(Plan, what_blocks_do_not_know_is_refused_by_name) {
  const Refusal all[] = {
      {"criterion", "absolute_error", "criterion=absolute_error"},
      {"criterion", "quantile", "criterion=quantile"},
      {"criterion", "gain_ratio", "criterion=gain_ratio"},
      {"algorithm", "c45", "algorithm=c45"},
      {"algorithm", "id3", "algorithm=id3"},
      {"splitter", "hist", "splitter=hist"},
      {"splitter", "random", "splitter=random"},
      {"missing_policy", "surrogate", "missing_policy=surrogate"},
      {"missing_policy", "stop", "missing_policy=stop"},
      {"competitors", "3", "competitors"},
      {"column_costs", "x=2", "column_costs"},
      {"cp", "0.01", "cp"},
      {"oblique", "true", "oblique"},
      {"max_leaf_nodes", "8", "max_leaf_nodes"},
      {"lookahead", "2", "lookahead=2"},
      {"tao", "2", "tao"},
      {"honest", "true", "honest"},
      {"priors", "a=0.5,b=0.5", "priors"},
      {"loss_matrix", "0,1;5,0", "loss_matrix"},
      {"calibration_fraction", "0.2", "calibration_fraction"},
      {"leaf_samples", "true", "leaf_samples"},
      {"pruning", "cost_complexity", "pruning=cost_complexity without a price"},
      {"pruning", "reduced_error", "pruning=reduced_error"},
      {"class_weight", "balanced_subsample", "class_weight=balanced_subsample"},
      {"little_bags", "2", "little_bags"},
  };
  FitSpec spec;
  spec.targets = {"y"};
  for (const Refusal& one : all) {
    Params params;
    set_param(params, one.param, one.value);
    const std::string error = error_of([&] { check_scale_params(spec, params); });
    EXPECT_EQ(error.rfind(
                  std::string("not_supported: training on blocks does not know ") + one.words + " yet | ", 0),
              0u)
        << error;
    EXPECT_NE(error.find("or train in memory"), std::string::npos);
  }
  spec.treatment = "t";
  EXPECT_EQ(error_of([&] { check_scale_params(spec, {}); }),
            "not_supported: training on blocks does not know a treatment yet | drop the treatment, or train "
            "in memory");
  Params allowed;
  spec.treatment.clear();
  for (const auto& [name, value] : {std::pair{"ccp_alpha", "0.01"},
                                    {"pruning", "cost_complexity"},
                                    {"monotonic_cst", "x=1"},
                                    {"interaction_cst", "x,z"},
                                    {"max_features", "sqrt"},
                                    {"category_split", "equality"},
                                    {"class_weight", "balanced"},
                                    {"forest", "5"}})
    set_param(allowed, name, value);
  EXPECT_EQ(error_of([&] { check_scale_params(spec, allowed); }), "nothing");
}

TEST(Plan, columns_that_differ_between_blocks_are_named) {
  FitSpec spec;
  spec.targets = {"y"};
  const std::vector<double> x = {1, 2, 3}, y = {0, 1, 0};
  const std::vector<std::string> text = {"a", "b", "c"};
  const auto table = [&](std::vector<std::string> names, const std::string& as_text = {}) {
    Table out;
    for (const std::string& name : names) {
      if (name == as_text)
        out.add(name, text);
      else
        out.add(name, name == "y" ? y : x);
    }
    return summarise(out, spec, {});
  };
  const auto merged = [&](const std::string& a, const std::string& b) {
    const std::string one = error_of([&] { merge_summaries(std::vector<std::string>{a, b}); });
    EXPECT_EQ(error_of([&] { merge_summaries(std::vector<std::string>{b, a}); }), one);
    return one;
  };
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"x", "z", "y"}, "x")),
            "bad_data: column 'x' holds numbers in some blocks and text in others | read it as the same type "
            "everywhere");
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"x", "y"})),
            "bad_data: some blocks have the column 'z' that others do not have: 3 columns against 2 | give "
            "every block the same "
            "columns, or ignore those");
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"z", "x", "y"})),
            "bad_data: the columns of blocks stand in different orders: column 1 is 'x' in some and 'z' in "
            "others | give every "
            "block the same columns in the same order");
  const ScalePlan plan = make_plan(table({"x", "z", "y"}), spec, {});
  Table without, worded;
  without.add("x", x), without.add("y", y);
  worded.add("x", text), worded.add("z", x), worded.add("y", y);
  EXPECT_EQ(error_of([&] { RowBlock(without, plan, 0); }),
            "bad_data: the block has no column 'z', which the plan has | its columns are x, y");
  EXPECT_EQ(error_of([&] { RowBlock(worded, plan, 0); }),
            "bad_data: column 'x' holds text in this block, but numbers in the plan | read it as numbers in "
            "every block");
  Table sparse;
  const std::int32_t rows[] = {0};
  sparse.view("x", SparseView{Dtype::f64, x.data(), rows, false, 1, 3});
  sparse.add("y", y);
  EXPECT_EQ(error_of([&] { summarise(sparse, spec, {}); }),
            "not_supported: training on blocks does not know sparse columns yet, and 'x' is one | make it "
            "dense, or train in memory");
}

TEST(Plan, targets_and_weights_are_checked_as_fit_does) {
  FitSpec spec;
  spec.targets = {"y"};
  spec.weight = "w";
  const auto check = [&](std::vector<double> y, std::vector<double> w, const Params& params) {
    Table table;
    table.add("x", std::vector<double>(y.size(), 1.0));
    table.add("y", y);
    table.add("w", w);
    const std::string whole = error_of([&] { fit(table, spec, params); });
    const std::string blocks = error_of([&] {
      const ScalePlan plan = make_plan(summarise(table, spec, params), spec, params);
      RowBlock block(table, plan, 0);
      check_facts(plan, block.state().rows.facts);
    });
    return std::pair(whole, blocks);
  };
  Params poisson, regression, nobody;
  poisson.criterion = "poisson";
  regression.task = "regression";
  nobody.task = "classification";
  nobody.class_weight.by_name = {{"0", 0.0}, {"1", 0.0}};
  const std::vector<double> ones(3, 1.0), y = {0, 1, 0};
  const std::vector<std::tuple<std::vector<double>, std::vector<double>, Params>> cases = {
      {{0, kNaN, 1}, ones, {}},    {{kNaN, kNaN, kNaN}, ones, {}}, {{0, 1, INFINITY}, ones, {}},
      {{0, -1, 1}, ones, poisson}, {{0, 0, 0}, ones, poisson},     {{0, 1e200, 1}, ones, regression},
      {y, {1, -1, 1}, {}},         {y, {1, kNaN, 1}, {}},          {y, {0, 0, 0}, {}},
      {y, ones, nobody},
  };
  for (const auto& [targets, weights, params] : cases) {
    const auto [whole, blocks] = check(targets, weights, params);
    EXPECT_NE(whole, "nothing");
    EXPECT_EQ(blocks, whole);
  }
  Table none;
  for (const char* name : {"x", "y", "w"}) none.add(name, std::vector<double>());
  EXPECT_EQ(error_of([&] { make_plan(summarise(none, spec, {}), spec, {}); }),
            "bad_data: the table has no rows | give at least one row");
  // A summary for other parameters has not counted the classes.
  Table counted;
  for (const char* name : {"x", "y", "w"}) counted.add(name, y);
  Params balanced;
  balanced.class_weight.balanced = true;
  EXPECT_EQ(
      error_of([&] { make_plan(summarise(counted, spec, {}), spec, balanced); }),
      "bad_data: the summary does not have the classes of 'y' | summarise all blocks by the same parameters");
  Params named;
  named.class_weight.by_name = {{"7", 2.0}};
  const auto [whole, blocks] = check(y, ones, named);
  EXPECT_EQ(blocks, whole);
}

}  // namespace
}  // namespace bough
