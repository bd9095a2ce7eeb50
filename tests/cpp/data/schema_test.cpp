// SPDX-License-Identifier: Apache-2.0
// Tests of inferred kinds, the user's wishes, and the schema as JSON.
#include <cmath>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Table people() {
  return parse_table(
      "age,size,grade,smokes,w,y\n30,small,1,true,1,a\n40,large,3,false,2,b\n?,small,2,true,1,a\n");
}

TEST(Schema, kinds_follow_the_physical_types) {
  const Schema schema = infer_schema(people());
  ASSERT_EQ(schema.fields.size(), 6u);
  EXPECT_EQ(schema.fields[0].kind, Kind::numeric);
  EXPECT_EQ(schema.fields[1].kind, Kind::category);
  EXPECT_EQ(schema.fields[1].levels.names, (Texts{"large", "small"}));
  EXPECT_EQ(schema.fields[2].kind, Kind::numeric);
  EXPECT_EQ(schema.fields[3].kind, Kind::category);
  EXPECT_EQ(schema.fields[3].levels.type, Levels::Type::boolean);
  for (const Field& field : schema.fields) EXPECT_EQ(field.role, Role::feature);
  EXPECT_EQ(schema.find("grade"), 2u);
  EXPECT_FALSE(schema.find("nope").has_value());
}

TEST(Schema, wishes_win_and_may_come_in_pieces) {
  const std::vector<ColumnSpec> specs{{"size", {}, {}, {"small", "large"}}, {"grade", Kind::ordinal, {}, {}},
                                      {"y", {}, Role::target, {}},          {"w", {}, Role::weight, {}},
                                      {"age", Kind::category, {}, {}},      {"age", {}, Role::ignored, {}}};
  const Schema schema = infer_schema(people(), specs);
  EXPECT_EQ(schema.fields[1].kind, Kind::ordinal);
  EXPECT_EQ(schema.fields[1].levels.names, (Texts{"small", "large"}));
  EXPECT_EQ(schema.fields[2].kind, Kind::ordinal);
  EXPECT_EQ(schema.fields[2].levels.numbers, (Numbers{1, 2, 3}));
  EXPECT_EQ(schema.fields[5].role, Role::target);
  EXPECT_EQ(schema.fields[4].role, Role::weight);
  EXPECT_EQ(schema.fields[0].kind, Kind::category);
  EXPECT_EQ(schema.fields[0].role, Role::ignored);
}

TEST(Schema, an_order_of_numbers_may_run_against_their_size_and_name_more) {
  const std::vector<ColumnSpec> specs{{"grade", {}, {}, {"4", "3", "2", "1"}}};
  const Schema schema = infer_schema(people(), specs);
  EXPECT_EQ(schema.fields[2].levels.numbers, (Numbers{4, 3, 2, 1}));
  EXPECT_EQ(schema.fields[2].levels.type, Levels::Type::integer);
}

TEST(Schema, wishes_that_make_no_sense_are_refused_by_name) {
  const auto refused = [](const ColumnSpec& spec) {
    return error_of([&] { infer_schema(people(), std::vector<ColumnSpec>{spec}); });
  };
  const Error unknown = refused({"agee", Kind::numeric, {}, {}});
  EXPECT_EQ(unknown.code(), ErrorCode::bad_params);
  EXPECT_MENTIONS(std::string(unknown.what()), "\"agee\" (is it \"age\"?)");
  EXPECT_MENTIONS(std::string(refused({"size", Kind::ordinal, {}, {}}).what()), "no order was given");
  EXPECT_MENTIONS(refused({"size", Kind::ordinal, {}, {}}).hint(), "\"large\", \"small\"");
  EXPECT_MENTIONS(std::string(refused({"size", {}, {}, {"small"}}).what()), "holds \"large\"");
  EXPECT_MENTIONS(std::string(refused({"size", {}, {}, {"small", "large", "small"}}).what()),
                  "\"small\" twice");
  EXPECT_MENTIONS(std::string(refused({"grade", {}, {}, {"low", "1", "2", "3"}}).what()), "\"low\"");
  EXPECT_MENTIONS(std::string(refused({"size", Kind::category, {}, {"a"}}).what()), "not ordinal");
  const Error text = refused({"size", Kind::numeric, {}, {}});
  EXPECT_MENTIONS(std::string(text.what()), "\"size\"");
  EXPECT_MENTIONS(std::string(text.what()), "row 1: \"small\"");
  EXPECT_MENTIONS(std::string(refused({"y", {}, Role::weight, {}}).what()), "the weight");
}

TEST(Schema, what_json_cannot_hold_and_json_without_a_bottom_are_refused) {
  Schema odd;
  odd.fields.push_back({"\xff", Kind::numeric, Role::feature, {}});
  EXPECT_MENTIONS(std::string(error_of([&] { (void)schema_to_json(odd); }).what()), "UTF-8");
  const std::string deep = R"({"columns": [{"name": "a", "kind": )" + std::string(200'000, '[') +
                           std::string(200'000, ']') + "}]}";
  EXPECT_MENTIONS(std::string(error_of([&] { (void)schema_from_json(deep); }).what()), "deeper than 32");
}

TEST(Schema, json_gives_the_schema_back) {
  const std::vector<ColumnSpec> specs{{"size", {}, {}, {"small", "large"}},
                                      {"grade", Kind::category, {}, {}},
                                      {"y", {}, Role::target, {}},
                                      {"w", {}, Role::weight, {}}};
  const Schema schema = infer_schema(people(), specs);
  EXPECT_EQ(schema_from_json(schema_to_json(schema)), schema);
  Field odd{"odd", Kind::category, Role::group, {}};
  odd.levels = {Levels::Type::real, {"-inf", "0.5", "1e+19"}, {-INFINITY, 0.5, 1e19}};
  const Schema reals{{odd}};
  EXPECT_EQ(schema_from_json(schema_to_json(reals)), reals);
}

TEST(Schema, json_is_written_one_column_per_line) {
  const Schema schema{{Field{"a b", Kind::numeric, Role::target, {}}}};
  EXPECT_EQ(schema_to_json(schema),
            "{\"columns\": [\n  {\"name\":\"a b\",\"kind\":\"numeric\",\"role\":\"target\"}\n]}\n");
}

TEST(Schema, json_written_by_hand_may_leave_things_out) {
  const Schema schema = schema_from_json(R"({"columns": [
    {"name": "a"},
    {"name": "b", "order": ["low", "high"]},
    {"name": "c", "kind": "category"},
    {"name": "d", "kind": "ordinal", "order": [3, 1, 2]}]})");
  EXPECT_EQ(schema.fields[0].kind, Kind::numeric);
  EXPECT_EQ(schema.fields[0].role, Role::feature);
  EXPECT_EQ(schema.fields[1].kind, Kind::ordinal);
  EXPECT_EQ(schema.fields[2].levels.size(), 0u);
  EXPECT_EQ(schema.fields[3].levels.type, Levels::Type::integer);
  EXPECT_EQ(schema.fields[3].levels.numbers, (Numbers{3, 1, 2}));
}

TEST(Schema, levels_are_of_their_type_and_columns_without_levels_have_none) {
  for (const char* levels : {R"("type": "integer", "levels": [1.5])", R"("type": "boolean", "levels": [7])"})
    EXPECT_MENTIONS(
        std::string(error_of([&] {
                      schema_from_json(std::string(R"({"columns": [{"name": "a", "kind": "category", )") +
                                       levels + "}]}");
                    }).what()),
        "is not of type");
  EXPECT_MENTIONS(
      std::string(error_of([] {
                    schema_from_json(R"({"columns": [{"name": "a", "kind": "numeric", "levels": [1, 2]}]})");
                  }).what()),
      "levels do nothing, because its kind is numeric");
  const Schema typed = schema_from_json(R"({"columns": [{"name": "a", "kind": "numeric", "type": "real"}]})");
  EXPECT_EQ(schema_from_json(schema_to_json(typed)), typed);
}
TEST(Schema, bad_json_is_refused_with_its_place) {
  const auto refused = [](const char* text) { return error_of([&] { schema_from_json(text); }); };
  EXPECT_MENTIONS(std::string(refused("{").what()), "line 1: the JSON stops in the middle");
  EXPECT_MENTIONS(std::string(refused("[]").what()), "columns");
  EXPECT_MENTIONS(std::string(refused(R"({"columns": [{"kind": "numeric"}]})").what()), "column 0");
  EXPECT_MENTIONS(refused(R"({"columns": [{"name": "a", "kinds": "numeric"}]})").hint(), "\"kind\"");
  EXPECT_MENTIONS(refused(R"({"columns": [{"name": "a", "kind": "number"}]})").hint(),
                  "numeric, ordinal, category");
  EXPECT_MENTIONS(std::string(refused(R"({"columns": [{"name": "a"}, {"name": "a"}]})").what()),
                  "\"a\" appears twice");
  EXPECT_MENTIONS(std::string(refused(R"({"columns": [{"name": "a", "levels": ["x", "x"]}]})").what()),
                  "\"x\"");
  EXPECT_MENTIONS(
      std::string(refused(R"({"columns": [{"name": "a", "type": "integer", "levels": ["x"]}]})").what()),
      "integer");
}

TEST(Schema, a_schema_turns_into_the_wishes_that_made_it) {
  const std::vector<ColumnSpec> specs{
      {"size", {}, {}, {"small", "large"}}, {"grade", Kind::category, {}, {}}, {"y", {}, Role::target, {}}};
  const Schema schema = infer_schema(people(), specs);
  EXPECT_EQ(infer_schema(people(), schema_specs(schema)), schema);
}

}  // namespace
}  // namespace bough
