// SPDX-License-Identifier: Apache-2.0
// Tests of Parquet and Arrow files as blocks of rows. files/ten.parquet has row groups of 4, 4 and 2 rows,
// files/ten.arrows batches of 3, 4 and 3 rows with a dictionary each, and another order of the same columns;
// `when` is a date.
#include <cstdlib>

#include "bough/table_blocks.hpp"
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

const std::string kParquet = "tests/cpp/data/files/ten.parquet";
const std::string kStream = "tests/cpp/data/files/ten.arrows";
const std::vector<std::string> kIgnored{"when"};
const Texts kNumbers{"0.5", "1.5", "<missing>", "3.5", "4.5", "5.5", "6.5", "7.5", "8.5", "9.5"};
const Texts kWords{"a", "b", "<missing>", "a", "a longer word, of 25 bytes", "b", "c", "a", "b", "c"};

/// The component of this build.
class ArrowFiles : public testing::Test {
 protected:
  void SetUp() override {
#ifdef BOUGH_COMPONENT_FOLDER
    ::setenv("BOUGH_ARROW_PATH", BOUGH_COMPONENT_FOLDER, 1);
#else
    GTEST_SKIP() << "built without the Arrow component";
#endif
  }
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Pass {
  Texts numbers, words;
  std::vector<std::int64_t> rows;
};

Pass pass_over(TableBlocks& blocks, std::int64_t rows) {
  Pass all;
  while (const std::optional<Table> table = blocks.next(rows)) {
    all.rows.push_back(table->n_rows());
    for (const std::string& text : texts_of(*table, "x")) all.numbers.push_back(text);
    for (const std::string& text : texts_of(*table, "word")) all.words.push_back(text);
    EXPECT_EQ(texts_of(*table, "when"), Texts(static_cast<std::size_t>(table->n_rows()), "<missing>"));
    EXPECT_EQ(type_of(*table, "x"), Dtype::f64);
    EXPECT_EQ(type_of(*table, "word"), Dtype::text);
  }
  return all;
}

TEST_F(ArrowFiles, blocks_have_the_rows_that_are_asked_for_wherever_groups_end) {
  for (const std::string& path : {kParquet, kStream}) {
    const auto blocks = open_table_blocks({&path, 1}, {}, kIgnored);
    EXPECT_EQ(blocks->n_rows(), path == kParquet ? 10 : -1);
    const std::vector<std::vector<std::int64_t>> lengths{
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {3, 3, 3, 1}, {7, 3}, {10}, {10}};
    std::size_t i = 0;
    for (const std::int64_t rows : {1, 3, 7, 10, 1000}) {
      const Pass all = pass_over(*blocks, rows);
      EXPECT_EQ(all.numbers, kNumbers);
      EXPECT_EQ(all.words, kWords);
      EXPECT_EQ(all.rows, lengths[i++]);
      EXPECT_EQ(blocks->fraction(), 1.0);
      EXPECT_EQ(blocks->next(5), std::nullopt);
      blocks->rewind();
    }
    // In the middle, with other lengths.
    EXPECT_EQ(blocks->next(6)->n_rows(), 6);
    EXPECT_EQ(texts_of(*blocks->next(1), "x"), Texts{"6.5"});
    blocks->rewind();
    EXPECT_EQ(texts_of(*blocks->next(1), "x"), Texts{"0.5"});
  }
}

TEST_F(ArrowFiles, tables_outlive_the_files_and_blocks_they_come_from) {
  const TempFile copy("copy.parquet", bytes_of(kParquet));
  std::vector<Table> kept;
  {
    const std::string path = copy.path();
    const auto blocks = open_table_blocks({&path, 1}, {}, kIgnored);
    while (std::optional<Table> table = blocks->next(4)) kept.push_back(std::move(*table));
    std::filesystem::remove(path);
  }
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(texts_of(kept[1], "word"), (Texts{"a longer word, of 25 bytes", "b", "c", "a"}));
  EXPECT_EQ(kept[2].n_rows(), 2);
}

TEST_F(ArrowFiles, several_files_are_one_sequence_of_rows) {
  // The stream's words are a dictionary, the other file's are not.
  const std::string mixed[] = {kParquet, kStream};
  EXPECT_MENTIONS(std::string(error_of([&] { open_table_blocks(mixed, {}, kIgnored); }).what()),
                  "\"word\" is string in " + kParquet + " and dictionary of string in " + kStream);
  const std::string twice[] = {kStream, kStream};
  const auto blocks = open_table_blocks(twice, {.max_rows = 17}, kIgnored);
  const Pass all = pass_over(*blocks, 8);
  EXPECT_EQ(all.rows, (std::vector<std::int64_t>{8, 8, 1}));
  EXPECT_EQ(all.words[13], "a");
  EXPECT_EQ(all.words[14], kWords[4]);
}

TEST_F(ArrowFiles, columns_are_read_as_asked_for) {
  const Table table = read_table(kParquet, {.text_columns = {"x"}}, kIgnored);
  EXPECT_EQ(type_of(table, "x"), Dtype::text);
  EXPECT_EQ(texts_of(table, "x"), kNumbers);
  const Error error = error_of([] { read_table(kParquet, {.numeric_columns = {"word"}}, kIgnored); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "column \"word\", row 1: \"a\" is not a number");
  EXPECT_MENTIONS(
      std::string(error_of([] { read_table(kParquet, {.text_columns = {"words"}}, kIgnored); }).what()),
      "words");
  EXPECT_MENTIONS(std::string(error_of([] { read_table(kParquet); }).what()), "\"when\" (date)");
  EXPECT_EQ(unreadable_columns(kParquet), kIgnored);
}

TEST_F(ArrowFiles, a_file_that_changes_or_vanishes_between_two_passes_is_noticed) {
  for (const bool gone : {false, true}) {
    const TempFile copy("pass.parquet", bytes_of(kParquet));
    const std::string path = copy.path();
    const auto blocks = open_table_blocks({&path, 1}, {}, kIgnored);
    EXPECT_EQ(pass_over(*blocks, 100).rows.size(), 1U);
    if (gone)
      std::filesystem::remove(path);
    else
      std::ofstream(path, std::ios::binary | std::ios::app) << "more";
    const Error error = error_of([&] {
      blocks->rewind();
      blocks->next(100);
    });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_MENTIONS(std::string(error.what()), path);
  }
}

}  // namespace
}  // namespace bough
