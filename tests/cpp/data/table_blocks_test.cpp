// SPDX-License-Identifier: Apache-2.0
// Tests of files as blocks of rows: cells and types are those of reading the file whole.
#include "bough/table_blocks.hpp"

#include <zlib.h>

#include <random>

#include "data/bytes.hpp"
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

struct Cells {
  std::vector<Texts> columns;
  std::vector<std::string> names;
  std::vector<Dtype> types;
  int restarts = 0;
  bool operator==(const Cells& other) const {
    return columns == other.columns && names == other.names && types == other.types;
  }
};

void add(Cells& cells, const Table& table) {
  if (cells.names.empty()) {
    cells.columns.resize(table.n_columns());
    for (std::size_t c = 0; c < table.n_columns(); ++c) {
      cells.names.push_back(table.name(c));
      cells.types.push_back(type_of(table, table.name(c)));
    }
  }
  ASSERT_EQ(table.n_columns(), cells.names.size());
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    EXPECT_EQ(table.name(c), cells.names[c]);
    EXPECT_EQ(type_of(table, cells.names[c]), cells.types[c]) << cells.names[c];
    const Texts texts = texts_of(table, cells.names[c]);
    cells.columns[c].insert(cells.columns[c].end(), texts.begin(), texts.end());
  }
}

Cells pass(TableBlocks& blocks, std::int64_t rows) {
  Cells cells;
  int restarts = 0;
  while (const std::optional<Table> table = blocks.next(rows)) {
    EXPECT_GE(table->n_rows(), 1);
    EXPECT_LE(table->n_rows(), rows);
    if (blocks.started_over()) {
      ++restarts;
      cells = {};
    }
    add(cells, *table);
  }
  cells.restarts = restarts;
  return cells;
}

Cells whole(const std::string& path, const ReadOptions& options = {}) {
  Cells cells;
  add(cells, read_table(path, options));
  return cells;
}

Cells one_pass(const std::string& path, std::int64_t rows, const ReadOptions& options = {}) {
  const std::string paths[] = {path};
  return pass(*open_table_blocks(paths, options), rows);
}

void expect_same(const std::string& text, const ReadOptions& options = {},
                 const std::string& name = "blocks.csv") {
  const TempFile file(name, text);
  const Cells all = whole(file.path(), options);
  for (const std::int64_t rows : {1, 2, 3, 1000}) {
    const std::string paths[] = {file.path()};
    const std::unique_ptr<TableBlocks> blocks = open_table_blocks(paths, options);
    const Cells first = pass(*blocks, rows);
    EXPECT_EQ(first, all) << rows << " rows a time, first pass";
    EXPECT_LE(first.restarts, 1);
    blocks->rewind();
    const Cells second = pass(*blocks, rows);
    EXPECT_EQ(second, all) << rows << " rows a time, second pass";
    EXPECT_EQ(second.restarts, 0);
  }
}

TEST(TableBlocks, types_are_those_of_the_whole_file) {
  expect_same("a,b\n1,x\n2,\"y\n,z\"\n\n3,x\n4,?\n5,w\n\n\n");
  expect_same("n\n1\n2\nword\n3\n");                   // a word below numbers
  expect_same("b\ntrue\nfalse\n?\n1\ntrue\n");         // a number among truths
  expect_same("b\n?\n?\ntrue\nfalse\n?\n?\n?\n");      // nothing at first, then truths
  expect_same("b,c\n?,1\n?,1\nx,1\n?,1\n");            // nothing at first, then text
  expect_same("i\n1\n2\n9007199254740993\n?\n4\n");    // whole numbers that need 64 bits
  expect_same("i\n1\n9007199254740993\n?\n2.5\n4\n");  // and one that is not whole: doubles
  expect_same("i\n2.5\n9007199254740993\n9007199254740995\n");
  expect_same("c\n1e2\n5\n007\n100\n");  // codes with a letter, and zeros later
  expect_same("c\n007\n5\n1e2\n100\n");
  expect_same("i\n1e2\n9007199254740993\n?\n4\n");
  expect_same("a,b\n1,1\n2,2\n3,3\nx,4\n5,5\n6,y\n");  // two surprises, one extra pass
  expect_same("1,2\n3,4\n");                           // no header
  expect_same("a;b\n1,5;2\n3,25;4\n");                 // another delimiter
  expect_same("a\tb\r\n1\t2\r\n3\tx\r\n", {}, "blocks.tsv");
  expect_same("x\n\n1\n\n2\n\n\n");  // empty lines are cells of a single column
  expect_same("a,b\n1,2\n");
}

TEST(TableBlocks, options_are_those_of_reading_whole) {
  ReadOptions options;
  options.text_columns = {"a"};
  options.numeric_columns = {"b"};
  options.missing = {"", "-"};
  expect_same("a,b,c\n1,1,1\n2,true,-\n?,-,4\n", options);
  options = {};
  options.max_rows = 2;
  expect_same("a\n1\n2\nword\n", options);
  options = {};
  options.header = false;
  expect_same("a,b\n1,2\n", options);
}

TEST(TableBlocks, arff_is_read_in_blocks) {
  expect_same(
      "% comment\n@relation r\n@attribute n numeric\n@attribute c {red, blue}\n@attribute s "
      "string\n@data\n1,red,'a b'\n?,?,?\n% "
      "more\n3,blue,c\n4,red,c",
      {}, "blocks.arff");
}

TEST(TableBlocks, random_tables_have_the_cells_and_types_of_the_whole_file) {
  std::mt19937 random(7);
  const Texts words = {"1",   "2.5", "-3", "true", "False", "?", "", "x", "\"q\"\"\n,r\"", "9007199254740993",
                       "1e5", "NA",  " 7 "};
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n_columns = 1 + random() % 4;
    std::vector<std::size_t> most(n_columns);
    for (std::size_t& m : most) m = 1 + random() % words.size();
    std::string text;
    for (std::size_t c = 0; c < n_columns; ++c) text += (c > 0 ? ",c" : "c") + std::to_string(c);
    text += '\n';
    const int n_rows = 1 + static_cast<int>(random() % 12);
    for (int row = 0; row < n_rows; ++row) {
      for (std::size_t c = 0; c < n_columns; ++c) {
        if (c > 0) text += ',';
        text += words[random() % most[c]];
      }
      text += '\n';
    }
    expect_same(text);
    if (HasFailure()) FAIL() << text;
  }
}

TEST(TableBlocks, a_large_file_is_read_in_blocks_of_the_size_asked_for) {
  std::string text = "n,word\n";
  for (int i = 0; i < 120000; ++i)
    text += std::to_string(i) + ",\"some word \"\"" + std::to_string(i % 7) + "\"\"\"\r\n";
  ASSERT_GT(text.size(), std::size_t{1} << 21);
  const TempFile file("large_blocks.csv", text);
  const std::string paths[] = {file.path()};
  const std::unique_ptr<TableBlocks> blocks = open_table_blocks(paths);
  std::vector<std::int64_t> sizes;
  double last = 0.0;
  while (const std::optional<Table> table = blocks->next(50000)) {
    sizes.push_back(table->n_rows());
    EXPECT_GE(blocks->fraction(), last);
    last = blocks->fraction();
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{50000, 50000, 20000}));
  EXPECT_EQ(blocks->fraction(), 1.0);
}

TEST(TableBlocks, compressed_files_are_read_twice) {
  std::string text = "n,word\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ",w" + std::to_string(i % 7) + "\n";
  const TempFile plain("plain_blocks.csv", text);
  const TempFile packed("packed_blocks.csv.gz", "");
  gzFile gz = gzopen(packed.path().c_str(), "wb");
  gzwrite(gz, text.data(), static_cast<unsigned>(text.size()));
  gzclose(gz);
  const std::string paths[] = {packed.path()};
  const std::unique_ptr<TableBlocks> blocks = open_table_blocks(paths);
  const Cells all = whole(plain.path());
  EXPECT_EQ(pass(*blocks, 900), all);
  EXPECT_EQ(blocks->fraction(), 1.0);
  blocks->rewind();
  EXPECT_EQ(pass(*blocks, 900), all);
}

TEST(TableBlocks, several_files_are_one_table) {
  const TempFile first("first.csv", "a,b\n1,x\n2,y\n");
  const TempFile second("second.csv", "b;a\nz;3\nx;word\n");
  const TempFile both("both.csv", "a,b\n1,x\n2,y\n3,z\nword,x\n");
  const std::string paths[] = {first.path(), second.path()};
  for (const std::int64_t rows : {1, 100}) {
    const std::unique_ptr<TableBlocks> blocks = open_table_blocks(paths);
    EXPECT_EQ(pass(*blocks, rows), whole(both.path()));
  }
}

TEST(TableBlocks, what_cannot_be_is_refused_by_name) {
  const TempFile good("good.csv", "a,b\n1,2\n");
  const TempFile other("other.csv", "a,c\n1,2\n");
  const TempFile more("more.csv", "a,b,c\n1,2,3\n");
  const TempFile empty("empty.csv", "");
  const TempFile no_rows("norows.csv", "a,b\n");
  const TempFile sparse("sparse.svm", "1 1:2\n");
  const auto message = [](std::vector<std::string> paths) {
    return std::string(error_of([&] { pass(*open_table_blocks(paths), 10); }).what());
  };
  EXPECT_MENTIONS(message({good.path(), other.path()}),
                  other.path() + " lacks the column \"b\" of " + good.path());
  EXPECT_MENTIONS(message({good.path(), more.path()}),
                  more.path() + " has a column \"c\" more than " + good.path());
  EXPECT_MENTIONS(message({empty.path()}), empty.path() + " is empty");
  EXPECT_MENTIONS(message({good.path(), empty.path()}), empty.path() + " is empty");
  EXPECT_MENTIONS(message({no_rows.path()}), "no rows");
  EXPECT_MENTIONS(message({sparse.path()}), "svmlight");
  EXPECT_MENTIONS(message({"-"}), "standard input");
  EXPECT_MENTIONS(message({"/dev/null"}), "cannot be read twice");
  EXPECT_MENTIONS(message({good.path() + ".not"}), "cannot open");
  EXPECT_MENTIONS(message({}), "no file");
}

TEST(TableBlocks, a_damaged_row_is_named_by_file_and_line) {
  std::string text = "a,b\n";
  for (int i = 0; i < 3000; ++i) text += i == 2345 ? "7\n" : "1,2\n";
  const TempFile file("damaged.csv", text);
  const Error error = error_of([&] { one_pass(file.path(), 500); });
  EXPECT_MENTIONS(std::string(error.what()), file.path());
  EXPECT_MENTIONS(std::string(error.what()), "line 2347");
}

TEST(TableBlocks, a_file_that_changes_is_noticed) {
  const TempFile file("changes.csv", "a,b\n1,2\n3,4\n");
  const std::string paths[] = {file.path()};
  const std::unique_ptr<TableBlocks> blocks = open_table_blocks(paths);
  pass(*blocks, 10);
  std::ofstream(file.path(), std::ios::app) << "5,6\n";
  const Error error = error_of([&] { blocks->rewind(); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_MENTIONS(std::string(error.what()), file.path() + " has changed");
}

}  // namespace
}  // namespace bough
