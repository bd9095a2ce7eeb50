// SPDX-License-Identifier: Apache-2.0
// Files that somebody made wrong on purpose, with a right checksum: refused with words that name the trouble,
// in bounded memory.
#include "model/hostile.hpp"
#include "model/small_model.hpp"

namespace bough::hostile {
namespace {

using samples::small_model;

constexpr std::size_t kSmall = std::size_t{64} << 10;

void expect_refused(const Outcome& outcome, std::size_t size, const std::string& words) {
  EXPECT_NE(outcome.said.find(words), std::string::npos) << "instead of '" << words << "': " << outcome.said;
  EXPECT_LE(outcome.memory, 3 * size + kSmall) << outcome.said;
}

template <class Change>
void expect_forged_json(const Json& good, const std::string& words, Change change) {
  Json document = good;
  change(document);
  const std::string text = sealed_json(document);
  expect_refused(read_model(text), text.size(), words);
}

Json& arrays(Json& document) {
  return document["trees"][0]["arrays"];
}

// Nodes: 0 (children 1, 2), 2 (3, 4), 4 (5, 6). 0 tests a number, 2 a set of three levels, 4 an order.
TEST(ForgedFiles, arrays_of_json_that_make_no_tree_are_refused_by_name) {
  const Json good = Json::parse(small_model().to_json());
  struct Case {
    const char* array;
    std::size_t index;
    Json value;
    const char* words;
  };
  const std::vector<Case> cases{
      {"children", 2, 0, "child 0 cannot hang below it"},  // a cycle through the root
      {"children", 2, 2, "child 2 cannot hang below it"},  // a cycle of one
      {"children", 5, 3, "child 3 cannot hang below it"},  // back up
      {"children", 3, 3, "out of preorder"},               // two parents
      {"children", 1, 3, "out of preorder"},
      {"children", 0, 7, "child 7 cannot hang below it"},
      {"children", 0, -1, "child -1 cannot hang below it"},
      {"children", 0, 2147483648U, "wrong size"},
      {"children", 0, 1.5, "no whole number"},
      {"children_at", 1, 1'000'000, "does not cut"},
      {"children_at", 2, 0, "does not cut"},
      {"children_at", 0, 1, "does not cut"},
      {"children_at", 7, 5, "does not cut"},
      {"children_at", 7, -1, "wrong size"},
      {"kind", 0, 8, "unknown kind 8"},
      {"kind", 0, 255, "unknown kind 255"},
      {"kind", 0, 256, "wrong size"},
      {"kind", 0, 0, "children do not fit its kind"},
      {"kind", 1, 1, "0 children do not fit its kind"},
      {"kind", 0, 4, "map of levels does not fit"},
      {"kind", 0, 6, "cuts do not fit"},
      {"kind", 0, 7, "terms do not fit"},
      {"kind", 4, 1, "which holds levels"},
      {"column", 0, 3, "tests column 3 of 3"},
      {"column", 0, -1, "tests column -1 of 3"},
      {"column", 0, 1, "which holds levels"},
      {"column", 2, 0, "level"},
      {"threshold", 0, "nan", "threshold is nan"},
      {"threshold", 4, 3.5, "is no level"},
      {"threshold", 4, 0.0, "is no level"},
      {"threshold", 4, "inf", "is no level"},
      {"threshold", 2, 1.0, "map of levels with a threshold"},
      {"missing_to", 0, 2, "missing cells go to child 2 of 2"},
      {"missing_to", 0, -5, "missing cells go to child -5 of 2"},
      {"unseen_to", 0, 2, "unseen categories go to child 2 of 2"},
      {"unseen_to", 0, -1, "unseen categories go to child -1 of 2"},
      {"n_rows", 0, -22, "holds -22 rows"},
      {"n_rows", 0, 21, "more rows than itself"},
      {"n_rows", 0, 23, "holds 23 rows, its children 22"},
      {"n_rows", 1, 9223372036854775807, "more rows than itself"},
      {"weight", 3, -1.0, "holds the weight -1"},
      {"weight", 3, "nan", "holds the weight nan"},
      {"weight", 3, "inf", "holds the weight inf"},
      {"impurity", 0, "inf", "impurity is not finite"},
      {"gain", 0, "-inf", "gain is not finite"},
      {"gain", 1, 1.0, "a leaf with the parts of a split"},
      {"child_share", 0, 2.0, "share is 2"},
      {"child_share", 0, -0.5, "share is -0.5"},
      {"child_share", 0, "nan", "share is nan"},
      {"child_share", 0, 0.0, "add up to"},
      {"map_level", 2, 3, "names level 3 of 3"},
      {"map_level", 2, 1, "do not increase"},
      {"map_child", 0, 2, "names child 2 of 2"},
      {"map_child", 0, 1, "no level goes to its child 0"},
      {"map_at", 3, 2, "map of levels does not fit"},
      {"value", 0, "nan", "not finite"},
      {"value", 0, "inf", "not finite"},
      {"value", 0, -1.0, "negative"},
      {"value", 0, "many", "no number"},
      {"value", 0, nullptr, "no number"},
      {"value", 0, Json::array(), "no number"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(testing::Message() << one.array << "[" << one.index << "] = " << one.value);
    expect_forged_json(good, one.words, [&](Json& d) { arrays(d)[one.array][one.index] = one.value; });
  }
}

TEST(ForgedFiles, arrays_of_binary_files_that_make_no_tree_are_refused_by_name) {
  const std::string good = small_model().to_bytes();
  const auto expect = [&](const std::string& bytes, const char* words) {
    expect_refused(read_model(bytes), bytes.size(), words);
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  expect(with_number<std::int32_t>(good, "children", 2, 0), "child 0 cannot hang below it");
  expect(with_number<std::int32_t>(good, "children", 3, 3), "out of preorder");
  expect(with_number<std::int32_t>(good, "children", 0, 7), "child 7 cannot hang below it");
  expect(with_number<std::int32_t>(good, "children", 0, -2147483647 - 1), "cannot hang below it");
  expect(with_number<std::uint64_t>(good, "children_at", 1, ~std::uint64_t{0}), "does not cut");
  expect(with_number<std::uint64_t>(good, "children_at", 7, std::uint64_t{1} << 62), "does not cut");
  expect(with_number<std::uint8_t>(good, "kind", 0, 8), "unknown kind 8");
  expect(with_number<std::uint8_t>(good, "kind", 0, 0), "children do not fit its kind");
  expect(with_number<std::int32_t>(good, "column", 0, 2147483647), "tests column 2147483647 of 3");
  expect(with_number<double>(good, "threshold", 0, std::numeric_limits<double>::signaling_NaN()),
         "threshold is nan");
  expect(with_number<double>(good, "value", 1, -infinite), "not finite");
  expect(with_number<double>(good, "weight", 1, -1e-300), "holds the weight");
  expect(with_number<std::int64_t>(good, "n_rows", 0, std::numeric_limits<std::int64_t>::min()),
         "holds -9223372036854775808");
  expect(with_number<std::uint32_t>(good, "map_level", 2, 4294967295U), "names level 4294967295 of 3");
  expect(with_number<std::uint16_t>(good, "map_child", 2, 65535), "names child 65535 of 2");
  expect(with_number<std::int32_t>(good, "missing_to", 0, 100), "missing cells go to child 100 of 2");
}

TEST(ForgedFiles, directories_of_arrays_are_refused_by_name) {
  const std::string bytes = small_model().to_bytes();
  const Json good = metadata_of(bytes);
  const auto expect = [&](const char* words, auto change) {
    Json metadata = good;
    change(metadata);
    const std::string forged = with_metadata(bytes, metadata.dump());
    expect_refused(read_model(forged), forged.size(), words);
  };
  for (const std::uint64_t count :
       {std::uint64_t{1} << 20, std::uint64_t{1} << 32, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    expect("reaches beyond the end", [&](Json& d) { arrays(d)["value"][2] = count; });
    expect("reaches beyond the end", [&](Json& d) { arrays(d)["kind"][2] = count; });
    expect("instead of", [&](Json& d) { arrays(d)["value"][1] = count; });
  }
  expect("wrong size", [](Json& d) { arrays(d)["kind"][2] = -1; });
  expect("no whole number", [](Json& d) { arrays(d)["kind"][2] = 7.0; });
  expect("starts at 0 instead of 64",
         [](Json& d) { arrays(d)["column"][1] = 0; });  // two arrays on the same bytes
  expect("does not point to an array of u8", [](Json& d) { arrays(d)["kind"][0] = "f64"; });
  expect("does not point to an array of u8", [](Json& d) { arrays(d)["kind"].push_back(1); });
  expect("does not point to an array of u8", [](Json& d) { arrays(d)["kind"] = {{"u8", 0}}; });
  expect("'trees[0].arrays.gain' is absent", [](Json& d) { arrays(d).erase("gain"); });
  expect("several nodes and no children", [](Json& d) { arrays(d).erase("children"); });
  expect("without 'children_at'", [](Json& d) { arrays(d).erase("children_at"); });
  expect("unknown member 'surprise'", [](Json& d) { arrays(d)["surprise"] = 1; });
  expect("unknown member 'surprise'", [](Json& d) { d["surprise"] = 1; });
  expect("unknown member", [](Json& d) { d["features"][0]["surprise"] = 1; });
  expect("cannot be understood", [](Json& d) { d["params"]["surprise"] = 1; });
  expect("has 'value' without 'values_at'", [](Json& d) { d["trees"][0]["outputs"] = {4'000'000'000U}; });
  expect("outputs are [3] wide, the targets [2]", [](Json& d) { d["trees"][0]["outputs"] = {3}; });
  expect("too wide", [](Json& d) { d["trees"][0]["outputs"] = {4'000'000'000U, 4'000'000'000U}; });
  expect("no outputs", [](Json& d) { d["trees"][0]["outputs"] = Json::array(); });
  expect("belong to no array", [](Json& d) { d["trees"] = Json::array(); });
  expect("instead of", [](Json& d) { d["trees"].push_back(d["trees"][0]); });
  expect("not one of classification, regression", [](Json& d) { d["task"] = "guessing"; });
  expect("not one of single, mean, vote", [](Json& d) { d["combine"] = "guess"; });
  expect("two features are called 'age'", [](Json& d) { d["features"][1]["name"] = "age"; });
  expect("names level", [](Json& d) { d["features"][2]["levels"]["names"] = {"blue"}; });
  expect("'provenance.n_rows' holds", [](Json& d) { d["provenance"]["n_rows"] = 1e300; });
  expect("'provenance' is absent", [](Json& d) { d.erase("provenance"); });
  expect("several nodes", [](Json& d) {
    for (const char* slab : {"children", "children_at", "child_share"}) arrays(d).erase(slab);
  });
}

TEST(ForgedFiles, newer_versions_are_refused_by_name_in_both_forms) {
  const Json good = Json::parse(small_model().to_json());
  expect_forged_json(good, "newer than", [](Json& d) { d["format"] = {2, 0}; });
  expect_forged_json(good, "newer than", [](Json& d) { d["format"] = {1, 3}; });
  expect_forged_json(good, "does not exist", [](Json& d) { d["format"] = {0, 9}; });
  expect_forged_json(good, "[major, minor]", [](Json& d) { d["format"] = {1, 2, 3}; });
  expect_forged_json(good, "unknown member 'later'", [](Json& d) { d["later"] = true; });
  for (const std::size_t at : {8U, 10U}) {
    std::string bytes = small_model().to_bytes();
    bytes[at] = static_cast<char>(bytes[at] + 1);
    bytes = sealed(bytes);
    expect_refused(read_model(bytes), bytes.size(), "newer than");
  }
  for (const std::size_t at : {12U, 15U, 32U, 63U}) {
    std::string bytes = small_model().to_bytes();
    bytes[at] = 1;
    bytes = sealed(bytes);
    expect_refused(read_model(bytes), bytes.size(), "unused bytes");
  }
}

// Both the JSON twin and the metadata of a binary file.
void expect_bomb(const std::string& text, const std::string& words) {
  const std::string binary = with_metadata(small_model().to_bytes(), text);
  for (const std::string& bytes : {text, binary}) {
    const bool json = bytes.front() != '\x89';
    const Outcome outcome = outcome_of(
        bytes, [&](std::string_view b) { return json ? Model::from_json(b) : Model::from_bytes(b); }, use);
    EXPECT_NE(outcome.said.find(words), std::string::npos) << outcome.said;
    EXPECT_LE(outcome.memory, 3 * bytes.size() + kSmall) << outcome.said;
  }
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(ForgedFiles, bombs_of_json_are_refused_in_bounded_memory) {
#if defined(BOUGH_CHECKED)
  constexpr std::size_t million = 200'000;  // sanitizers
#else
  constexpr std::size_t million = 1'000'000;
#endif
  expect_bomb(std::string(million, '['), "nested deeper than 32");
  expect_bomb(repeated("{\"a\":", million), "nested deeper than 32");
  expect_bomb(std::string(33, '[') + std::string(33, ']'), "nested deeper than 32");
  expect_bomb("{\"bough\":\"model\",\"x\":" + std::string(31, '[') + "1" + std::string(31, ']') + "}", "");
  expect_bomb("{\"bough\":" + std::string(million, '9') + "}", "larger than any double");
  expect_bomb("{\"bough\":1e999999999999}", "larger than any double");
  expect_bomb("{\"bough\":-1e400}", "larger than any double");
  expect_bomb("{\"a\":\"" + std::string(4 * million, 'x'), "truncated");
  expect_bomb("{\"a\":\"\\ud800\"}", "half a character");
  expect_bomb("{\"a\":\"\xc3\x28\"}", "not UTF-8");
  expect_bomb("{\"a\":\"\n\"}", "control character");
  expect_bomb("{\"a\":01}", "expected");
  expect_bomb("{\"a\":1,}", "expected");
  expect_bomb("{\"a\" 1}", "':' is expected");
  expect_bomb("{\"a\":tru}", "a value is expected");
  expect_bomb("{} {}", "more behind its end");
  expect_bomb("{\"a\":[" + repeated("0,", 2 * million) + "0]}", "");
  expect_bomb("[" + repeated("[],", million) + "0]", "");
  expect_bomb("{\"trees\":[" + repeated("{},", million) + "{}]}", "");
}

TEST(ForgedFiles, names_that_come_twice_are_refused_wherever_they_do) {
  const std::string text = small_model().to_json();
  const auto with = [&](const std::string& before, const std::string& more) {
    std::string twice = text;
    twice.insert(twice.find(before) + before.size(), more);
    return outcome_of(
               twice, [](std::string_view b) { return Model::from_json(b); }, use)
        .said;
  };
  EXPECT_NE(with("{", "\"task\":\"regression\",").find("'task' twice"), std::string::npos);
  EXPECT_NE(with("\"params\": {", "\"max_depth\":1,").find("'max_depth' twice"), std::string::npos);
  EXPECT_NE(with("\"arrays\":{", "\"k\\u0069nd\":[1],").find("'kind' twice"), std::string::npos);
  EXPECT_NE(with("\"extras\":{", "\"a\":[1],\"a\":[1]").find("'a' twice"), std::string::npos);
  const std::string bytes = small_model().to_bytes();
  std::string metadata = metadata_of(bytes).dump();
  const auto forged = [&](const std::string& before, const std::string& more) {
    std::string twice = metadata;
    twice.insert(twice.find(before) + before.size(), more);
    return read_model(with_metadata(bytes, twice)).said;
  };
  EXPECT_NE(forged("{", "\"task\":\"regression\",").find("'task' twice"), std::string::npos);
  EXPECT_NE(forged("\"params\":{", "\"max_depth\":1,").find("'max_depth' twice"), std::string::npos);
  EXPECT_NE(forged("\"arrays\":{", "\"kind\":[\"u8\",0,7],").find("'kind' twice"), std::string::npos);
  EXPECT_NE(forged("\"features\":[{", "\"name\":\"a\",").find("'name' twice"), std::string::npos);
}

// Things that take more memory than their text: names, members, trees, parameters.
TEST(ForgedFiles, what_would_grow_in_memory_is_refused_at_four_times_the_file) {
  const std::string bytes = small_model().to_bytes();
  const Json good = metadata_of(bytes);
  const auto expect = [&](const Json& pointer_value, const char* member, const std::string& long_text,
                          const char* words) {
    Json metadata = good;
    metadata[Json::json_pointer(member)] = pointer_value;
    std::string text = metadata.dump();
    const std::string mark = "\"@\"";
    text.replace(text.find(mark), mark.size(), long_text);
    const std::string forged = with_metadata(bytes, text);
    const Outcome outcome = read_model(forged);
    EXPECT_NE(outcome.said.find(words), std::string::npos) << member << ": " << outcome.said;
    EXPECT_LE(outcome.memory, 3 * forged.size() + LoadBudget::kSlack + kSmall) << member;
    std::printf("%-28s %8zu bytes, %.1f MiB taken\n", member, forged.size(),
                static_cast<double>(outcome.memory) / 1048576.0);
  };
  const char* words = "more memory than four times its file";
  constexpr std::size_t many = 1'000'000;
  expect("@", "/provenance/notes", "[" + repeated("\"\",", many) + "\"\"]", words);
  expect("@", "/features/2/levels/names", "[" + repeated("\"\",", many) + "\"\"]", words);
  std::string members, weights;
  for (std::size_t i = 0; i < many / 4; ++i) {
    members += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":[]";
    weights += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  }
  expect("@", "/extras", "{" + members + "}", words);
  expect("@", "/trees/0/extras", "{" + members + "}", "does not point to an array");
  expect("@", "/params/class_weight", "{" + weights + "}", words);
  expect("@", "/params/loss_matrix", "[" + repeated("[],", many) + "[]]", words);
}

// What honest files take: less than what forged ones may.
TEST(ForgedFiles, a_large_model_is_read_in_less_than_four_times_its_file) {
  std::mt19937_64 random(20261115);
  std::vector<double> x, y;
  for (int i = 0; i < 4000; ++i) {
    x.push_back(static_cast<double>(random() % 1'000'000) / 64);
    y.push_back(static_cast<double>(random() % 1'000));
  }
  Table table;
  table.add("x", x);
  table.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  const Model model = fit(table, spec);
  for (const std::string& bytes : {model.to_bytes(), model.to_json()}) {
    const Outcome outcome = read_model(bytes);
    EXPECT_EQ(outcome.said, "");
    EXPECT_LE(outcome.memory, 3 * bytes.size());
    std::printf("%d nodes, %zu bytes: reading takes %.2f x the file, beside its own bytes\n",
                model.tree().n_nodes(), bytes.size(),
                static_cast<double>(outcome.memory) / static_cast<double>(bytes.size()));
  }
}

TEST(ForgedFiles, a_long_object_of_parameters_is_read_in_time_in_proportion) {
  // Members found by looking at all of them would take minutes here.
  std::string text = R"({"class_weight":{)";
  for (int i = 0; i < 100'000; ++i) text += (i == 0 ? "\"c" : ",\"c") + std::to_string(i) + "\":1";
  EXPECT_EQ(params_from_json(text + "}}").class_weight.by_name.size(), 100'000U);
}

}  // namespace
}  // namespace bough::hostile
