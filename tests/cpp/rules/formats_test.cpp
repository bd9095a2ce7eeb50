// SPDX-License-Identifier: Apache-2.0
// Rules as text, Markdown, CSV and SQL, word by word.
#include <gtest/gtest.h>

#include "bough/export.hpp"
#include "data/support.hpp"
#include "rules/support.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

// One rule with every kind of condition on hand-made columns, and a default.
RuleSet sample(RuleMatch match = RuleMatch::first) {
  RuleSet::Parts parts;
  parts.match = match;
  parts.features.fields = {
      {"age", Kind::numeric, Role::feature, {}},
      {"size", Kind::ordinal, Role::feature, {Levels::Type::text, {"S", "M", "L", "XL"}, {}}},
      {"job", Kind::category, Role::feature, {Levels::Type::text, {"cook", "dean's | aide", "pilot"}, {}}},
      {"code", Kind::category, Role::feature, {Levels::Type::integer, {"3", "7"}, {3.0, 7.0}}},
  };
  parts.targets.fields = {{"y", Kind::category, Role::target, {Levels::Type::text, {"no", "yes"}, {}}}};
  const auto condition = [](Form form, ColId column) {
    RuleCondition out;
    out.form = form;
    out.column = column;
    return out;
  };
  RuleCondition age = condition(Form::range, 0);
  age.above = 18.5;
  age.at_most = 65.0;
  RuleCondition size = condition(Form::range, 1);
  size.above = 0.0;
  size.at_most = 2.0;
  size.missing = 1.0;
  RuleCondition job = condition(Form::none_of, 2);
  job.levels = {1};
  job.missing = 1.0;
  RuleCondition code = condition(Form::one_of, 3);
  code.levels = {0, 1};
  Rule first;
  first.conditions = {age, size, job, code};
  first.values = {1.0, 3.0};
  first.n_rows = 4;
  first.weight = 4.0;
  first.right = {3.0};
  first.estimated_error = 0.46;
  first.node = 7;
  Rule second = first;
  second.conditions = {condition(Form::missing, 0)};
  second.conditions[0].missing = 1.0;
  parts.rules = {first, second};
  parts.fallback = {6.0, 0.0};
  parts.n_rows = 10;
  parts.weight = 10.0;
  parts.base = {5.0, 5.0};
  return RuleSet(std::move(parts));
}

TEST(rule_formats, text_reads_like_sentences) {
  // confidence 3 / 4, lift 0.75 / 0.5.
  EXPECT_EQ(write_rules(sample(), "text"),
            "2 rules with 7 conditions; the first matching rule decides; counts from 10 rows\n"
            "\n"
            "Rule 1: 4 rows (40% of all), confidence 75%, lift 1.5, estimated accuracy 54%\n"
            "  if  18.5 < age ≤ 65\n"
            "  and M ≤ size ≤ L, or missing\n"
            "  and job = cook, pilot or other, or missing\n"
            "  and code = 3, 7\n"
            "  then yes\n"
            "\n"
            "Rule 2: 4 rows (40% of all), confidence 75%, lift 1.5, estimated accuracy 54%\n"
            "  if  age is missing\n"
            "  then yes\n"
            "\n"
            "Otherwise no\n");
}

TEST(rule_formats, markdown_is_a_table) {
  const std::string text = write_rules(sample(), "md");
  EXPECT_MENTIONS(text, "| rule | if | then | rows | coverage | confidence | lift | estimated accuracy |\n");
  EXPECT_MENTIONS(text, "|---:|---|---|---:|---:|---:|---:|---:|\n");
  EXPECT_MENTIONS(text,
                  "cook, pilot or other, or missing) and code = 3, 7 | yes | 4 | 40% | 75% | 1.5 | 54% |\n");
  EXPECT_MENTIONS(text, "\nOtherwise no.\n");
}

TEST(rule_formats, csv_is_read_back_by_our_own_reader) {
  const Table table = parse_table(write_rules(sample(), "csv"));
  EXPECT_EQ(table.n_rows(), 3);
  const auto cell = [&](const char* name, std::int64_t row) {
    return cell_text(table.column(table.find(name).value()), row);
  };
  EXPECT_EQ(cell("conditions", 0),
            "18.5 < age ≤ 65 and (M ≤ size ≤ L, or missing) and (job = cook, pilot or other, or missing) and "
            "code = 3, 7");
  EXPECT_EQ(cell("confidence", 0), "0.75");
  EXPECT_EQ(cell("support", 1), "0.3");
  EXPECT_EQ(cell("rule", 2), "default");
  EXPECT_EQ(cell("prediction", 2), "no");
  EXPECT_EQ(cell("node", 1), "7");
}

// The level of an ordinal column that nobody knows counts as missing.
TEST(rule_formats, sql_is_one_case_over_typed_cells) {
  const std::string text = rules_as_sql(sample(), "sqlite");
  EXPECT_MENTIONS(text, "-- SQLite, written by bough ");
  EXPECT_MENTIONS(
      text,
      "(SELECT CASE\n"
      "  WHEN c.cc0 > 18.5 AND c.cc0 <= 65.0 AND (c.cc1 IN ('M', 'L') OR (c.cc1 IN ('S', 'M', 'L', 'XL')) IS "
      "NOT TRUE) AND (c.cc2 NOT IN ('dean''s | aide') OR c.cc2 IS NULL) AND c.cc3 IN (3, 7) THEN 'yes'\n"
      "  WHEN c.cc0 IS NULL THEN 'yes'\n"
      "  ELSE 'no'\n"
      "END\n"
      "FROM (SELECT CASE WHEN typeof(`age`) IN ('real', 'integer', 'null')");
  EXPECT_TRUE(text.ends_with(" AS cc3) AS c) AS \"y\"\n")) << text;
  EXPECT_EQ(write_rules(sample(), "sql"), rules_as_sql(sample(), "duckdb"));
  EXPECT_EQ(test::error_of([] { rules_as_sql(sample(), "oracle"); }).code(), ErrorCode::bad_params);
}

TEST(rule_formats, date_columns_are_kept_and_read_as_days) {
  RuleSet::Parts parts = sample().parts();
  EXPECT_EQ(rules_as_sql(sample(), "sqlite").find("julianday"), std::string::npos);
  EXPECT_EQ(sample().to_json().find("date_columns"), std::string::npos);
  parts.dates = {0};
  const RuleSet rules(parts);
  EXPECT_MENTIONS(rules_as_sql(rules, "sqlite"), "julianday");
  EXPECT_EQ(RuleSet::from_json(rules.to_json()), rules);
  parts.dates = {1};  // levels are no days
  EXPECT_EQ(test::error_of([&] { RuleSet{parts}; }).code(), ErrorCode::bad_model);
  parts.dates = {0, 0};
  EXPECT_EQ(test::error_of([&] { RuleSet{parts}; }).code(), ErrorCode::bad_model);
}

TEST(rule_formats, sql_refuses_what_it_cannot_hold) {
  RuleSet::Parts parts = sample(RuleMatch::shares).parts();
  parts.rules[0].conditions[0].missing = 0.25;
  const Error error = test::error_of([&] { write_rules(RuleSet(parts), "sql"); });
  EXPECT_EQ(error.code(), ErrorCode::not_supported);
  EXPECT_MENTIONS(write_rules(RuleSet(parts), "text"), "18.5 < age ≤ 65, or missing (25% of it)");
}

TEST(rule_formats, an_unknown_format_is_answered_with_the_known_ones) {
  const Error error = test::error_of([] { write_rules(sample(), "pdf"); });
  EXPECT_EQ(error.code(), ErrorCode::bad_params);
  EXPECT_MENTIONS(error.hint(), "csv, json, md, sql, text");
}

TEST(rule_formats, sums_and_several_outputs_have_words) {
  RuleSet::Parts parts;
  parts.task = Task::regression;
  parts.features.fields = {{"a", Kind::numeric, Role::feature, {}}, {"b", Kind::numeric, Role::feature, {}}};
  parts.targets.fields = {{"u", Kind::numeric, Role::target, {}}, {"v", Kind::numeric, Role::target, {}}};
  Rule rule;
  RuleCondition sum;
  sum.terms = {{0, 1.0}, {1, -0.5}};
  sum.at_most = 3.0;
  rule.conditions = {sum};
  rule.values = {1.5, -2.0};
  rule.n_rows = 3;
  rule.weight = 3.0;
  rule.spread = 0.25;
  parts.rules = {rule};
  parts.fallback = {0.0, 0.0};
  parts.n_rows = 4;
  parts.weight = 4.0;
  const RuleSet rules(std::move(parts));
  EXPECT_MENTIONS(
      write_rules(rules, "text"),
      "Rule 1: 3 rows (75% of all), spread 0.25\n  if  a - 0.5 * b ≤ 3\n  then u = 1.5, v = -2\n");
  EXPECT_MENTIONS(write_rules(rules, "sql"),
                  "WHEN NULLIF((1e0 * c.c0 + -0.5e0 * c.c1), 'NaN'::DOUBLE) <= 3e0 THEN 1.5e0\n");
  Table table;
  table.add("a", std::vector<double>{1.0, 9.0, test::kMissing});
  table.add("b", std::vector<double>{1.0, 1.0, 1.0});
  EXPECT_EQ(rules.predict(table), (std::vector<double>{1.5, -2.0, 0.0, 0.0, 0.0, 0.0}));
}

TEST(rule_formats, parts_that_do_not_fit_are_refused) {
  const auto refused = [](auto change) {
    RuleSet::Parts parts = sample().parts();
    change(parts);
    EXPECT_EQ(test::error_of([&] { RuleSet set(std::move(parts)); }).code(), ErrorCode::bad_model);
  };
  refused([](auto& parts) { parts.rules[0].values.pop_back(); });
  refused([](auto& parts) { parts.rules[0].right.push_back(1.0); });
  refused([](auto& parts) { parts.fallback = {1.0}; });
  refused([](auto& parts) { parts.base[0] = -1.0; });
  refused([](auto& parts) { parts.targets.fields.clear(); });
  refused([](auto& parts) { parts.rules[0].conditions[0].column = 4; });
  refused([](auto& parts) { parts.rules[0].conditions[0].column = -1; });
  refused([](auto& parts) { parts.rules[0].conditions[0].above = test::kMissing; });
  refused([](auto& parts) { parts.rules[0].conditions[0].missing = 1.5; });
  refused([](auto& parts) { parts.rules[0].conditions[2].levels = {2, 1}; });
  refused([](auto& parts) { parts.rules[0].conditions[2].levels = {3}; });
  refused([](auto& parts) { parts.rules[0].conditions[2].levels = {}; });
  refused([](auto& parts) { parts.rules[0].conditions[2].above = 1.0; });
  refused([](auto& parts) { parts.rules[1].conditions[0].form = static_cast<Form>(9); });
}

}  // namespace
}  // namespace bough
