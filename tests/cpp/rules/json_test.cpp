// SPDX-License-Identifier: Apache-2.0
// Rule sets as JSON: there and back, and whatever strangers send.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "data/support.hpp"
#include "model/random_model.hpp"
#include "rules/support.hpp"

namespace bough {
namespace {

TEST(rules_json, random_sets_come_back_as_they_were) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const RuleSet rules = tree_rules(samples::RandomModel(seed).make());
    EXPECT_EQ(RuleSet::from_json(rules.to_json()), rules);
  }
  const test::MadeTable made = test::made_table(3, 200, 3);
  const RuleSet rules = c45_rules(test::grown(made.table), made.table);
  EXPECT_EQ(RuleSet::from_json(rules.to_json()), rules);
}

TEST(rules_json, files_come_back_and_models_are_told_apart) {
  const test::MadeTable made = test::made_table(3, 100);
  const Model model = test::grown(made.table);
  const RuleSet rules = tree_rules(model);
  const std::string path = (std::filesystem::temp_directory_path() / "bough_rules_test.json").string();
  rules.save(path);
  EXPECT_EQ(RuleSet::load(path), rules);
  std::filesystem::remove(path);
  EXPECT_TRUE(is_rule_set(rules.to_json()));
  EXPECT_FALSE(is_rule_set(model.to_json()));
  EXPECT_FALSE(is_rule_set(model.to_bytes()));
  EXPECT_FALSE(is_rule_set(""));
  EXPECT_EQ(test::error_of([&] { RuleSet::from_json(model.to_json()); }).code(), ErrorCode::bad_model);
  EXPECT_EQ(test::error_of([&] { RuleSet::load(path); }).code(), ErrorCode::io);
}

TEST(rules_json, wrong_members_are_named) {
  const test::MadeTable made = test::made_table(3, 100);
  const std::string text = tree_rules(test::grown(made.table)).to_json();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    const std::size_t at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  };
  const auto message = [](const std::string& json) {
    return std::string(test::error_of([&] { RuleSet::from_json(json); }).what());
  };
  EXPECT_MENTIONS(message(with("\"column\":\"a\"", "\"column\":\"q\"")), "rules[0].if[0].column");
  EXPECT_MENTIONS(message(with("\"format\": [1,0]", "\"format\": [2,0]")), "2.0");
  EXPECT_MENTIONS(message(with("\"task\"", "\"tusk\"")), "tusk");
  EXPECT_MENTIONS(message(with("\"missing\":", "\"missing\":7,\"missing\":1e9,\"text\":3,\"at_most\":")), "");
  EXPECT_MENTIONS(message(text.substr(0, text.size() / 2)), "truncated");
  EXPECT_MENTIONS(message(std::string(100000, '[')), "deeper");
}

// Bytes changed, cut out, doubled, and pieces of other places put in.
std::string mutate(std::string text, std::mt19937_64& random) {
  for (std::uint64_t i = 1 + random() % 4; i > 0 && !text.empty(); --i) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % std::min<std::size_t>(40, text.size() - at);
    switch (random() % 6) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
      case 3: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random() % 10);
        break;
      }
      case 4: {
        static const char* const kWords[] = {"-1",      "1e400", "null", "true",       "\"inf\"",
                                             "\"nan\"", "[]",    "{}",   "99999999999"};
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, kWords[random() % 9]);
        break;
      }
      default:
        text[at] = "[]{},:\"\\"[random() % 8];
    }
  }
  return text;
}

TEST(rules_json, damaged_texts_are_refused_or_give_a_set_that_answers) {
  std::mt19937_64 random(42);
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Model model = test::single(samples::RandomModel(seed).make(), 0);
    const std::string text = tree_rules(model).to_json();
    if (text.size() > 20000) continue;
    const Table table = test::telling_table(model, 5, random);
    for (int i = 0; i < 150; ++i) {
      try {
        const RuleSet rules = RuleSet::from_json(mutate(text, random));
        ++accepted;
        EXPECT_EQ(rules.predict(table).size(), 5 * rules.n_outputs());
        write_rules(rules, "text");
        write_rules(rules, "csv");
        write_rules(rules, "sql");
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::bad_model || error.code() == ErrorCode::bad_data ||
                    error.code() == ErrorCode::not_supported)
            << error.what();
      }
    }
  }
  EXPECT_GT(accepted, 0U);
}

}  // namespace
}  // namespace bough
