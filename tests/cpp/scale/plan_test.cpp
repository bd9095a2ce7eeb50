// SPDX-License-Identifier: Apache-2.0
// Summaries, plans, blocks and their facts: the same as those of all rows together, and of fit().
#include "scale/plan_cases.hpp"

namespace bough {
namespace {

TEST(Plan, blocks_agree_with_all_rows_together_and_with_fit) {
  std::mt19937_64 random(seed());
  for (int which = 0; which < 60; ++which) {
    SCOPED_TRACE(which);
    const PlanCase one = draw_case(random, which);
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

    const Model::Parts parts = assemble_model({}, {}, model_facts(plan, facts));
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
    const PlanCase one = draw_case(random, which);
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
    const PlanCase one = draw_case(random, which);
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
  const PlanCase one = [&] {
    for (;;)
      if (PlanCase drawn = draw_case(random, 3); drawn.table.n_rows() > 40) return drawn;
  }();
  std::vector<RowId> few(40);
  std::iota(few.begin(), few.end(), RowId{0});
  PlanCase some{one.table.take(few), one.spec, one.params};
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
    ASSERT_THROW((void)ScalePlan::from_bytes(std::string_view(planned).substr(0, n)), Error) << n;
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

}  // namespace
}  // namespace bough
