// SPDX-License-Identifier: Apache-2.0
// Tests of reading a file block by block.
#include <unistd.h>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Schema schema_of(const std::string& text) {
  return infer_schema(parse_table(text));
}

/// All cells of a column over all blocks, and the sizes of the blocks.
struct Read {
  Texts cells;
  std::vector<std::int64_t> sizes;
};
Read read_blocks(TableStream& stream, const std::string& column, std::int64_t rows) {
  Read read;
  while (const std::optional<Table> block = stream.next(rows)) {
    read.sizes.push_back(block->n_rows());
    for (const std::string& cell : texts_of(*block, column)) read.cells.push_back(cell);
  }
  return read;
}

TEST(TableStream, gives_the_rows_of_the_file_in_blocks) {
  const std::string text = "a,b\n1,x\n2,\"y\n,z\"\n\n3,x\n4,?\n5,w\n\n\n";
  const TempFile file("stream.csv", text);
  TableStream stream(file.path(), {}, schema_of(text));
  const Read read = read_blocks(stream, "b", 2);
  EXPECT_EQ(read.cells, (Texts{"x", "y\n,z", "x", "<missing>", "w"}));
  EXPECT_EQ(read.sizes, (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_FALSE(stream.next(1).has_value());
}

TEST(TableStream, a_large_file_gives_what_reading_it_whole_gives) {
  std::string text = "n,word,mixed\n";
  for (int i = 0; i < 120000; ++i) {
    text += std::to_string(i) + ",\"w \"\"" + std::to_string(i % 7) + "\"\"\n\"," +
            (i % 1000 == 999 ? "x" : "1") + "\n";
  }
  ASSERT_GT(text.size(), std::size_t{1} << 21);
  const TempFile file("large.csv", text);
  const Table whole = read_table(file.path());
  const Schema schema = infer_schema(whole);
  for (const std::string column : {"n", "word", "mixed"}) {
    TableStream stream(file.path(), {}, schema);
    const Read read = read_blocks(stream, column, 50000);
    EXPECT_GT(read.sizes.size(), 2u);
    EXPECT_EQ(read.cells, texts_of(whole, column)) << column;
  }
}

TEST(TableStream, types_come_from_the_schema_in_every_block) {
  const Schema schema = schema_of("n,c,code\n1,red,01\n2,blue,A\n");
  const TempFile file("types.csv", "n,c,code\n?,?,01\n7,red,1\n");
  TableStream stream(file.path(), {}, schema);
  const std::optional<Table> first = stream.next(1);
  const std::optional<Table> second = stream.next(1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(type_of(*first, "n"), Dtype::f64);
  EXPECT_EQ(texts_of(*first, "code"), (Texts{"01"}));
  EXPECT_EQ(texts_of(*second, "code"), (Texts{"1"}));
  Numbers cells(3);
  RowReader(*first, schema).load(0, 1, cells);
  EXPECT_EQ(cells[2], 0);
  RowReader(*second, schema).load(0, 1, cells);
  EXPECT_EQ(cells, (Numbers{7, 1, kUnseenCell}));
}

TEST(TableStream, a_word_in_a_numeric_column_names_its_line) {
  const Schema schema = schema_of("n,c\n1,red\n");
  const TempFile file("word.csv", "n,c\n1,red\n2,red\n\nthree,red\n");
  TableStream stream(file.path(), {}, schema);
  EXPECT_EQ(stream.next(2)->n_rows(), 2);
  EXPECT_MENTIONS(std::string(error_of([&] { stream.next(2); }).what()), "line 5, column \"n\": \"three\"");
}

TEST(TableStream, cells_of_a_category_are_texts_in_every_block) {
  const Schema schema = schema_of("c,n\nred,1\nblue,2\n");
  const TempFile file("retyped.csv", "c,n\n01,1\ntrue,2\nred,2\n");
  for (const std::int64_t rows : {1, 2, 3}) {
    TableStream stream(file.path(), {}, schema);
    EXPECT_EQ(read_blocks(stream, "c", rows).cells, (Texts{"01", "true", "red"}));
  }
}

TEST(TableStream, the_schema_helps_to_find_delimiter_and_header) {
  Schema schema = schema_of("2019;b\n1;2\n");
  schema.fields[0].name = "2019";
  schema.fields[1].name = "b";
  const TempFile file("names.csv", "2019;b\n1;2\n");
  TableStream stream(file.path(), {}, schema);
  const std::optional<Table> block = stream.next(5);
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(texts_of(*block, "2019"), (Texts{"1"}));
}

TEST(TableStream, files_without_a_header_stream_too) {
  const TempFile file("bare.csv", "1,2\n3,4\n5,6");
  TableStream stream(file.path(), {}, schema_of("1,2\n3,4\n"));
  EXPECT_EQ(read_blocks(stream, "x1", 2).cells, (Texts{"2", "4", "6"}));
}

TEST(TableStream, one_column_keeps_inner_empty_lines_only) {
  const TempFile file("one.csv", "a\n1\n\n2\n\n\n\n");
  TableStream stream(file.path(), {}, schema_of("a\n1\n"));
  EXPECT_EQ(read_blocks(stream, "a", 1).cells, (Texts{"1", "<missing>", "2"}));
}

TEST(TableStream, empty_files_lone_headers_and_open_quotes_are_refused) {
  const Schema schema = schema_of("a,b\n1,2\n");
  const TempFile empty("empty.csv", "");
  EXPECT_MENTIONS(std::string(error_of([&] { TableStream(empty.path(), {}, schema); }).what()), "empty");
  const TempFile header("header.csv", "a,b\n");
  TableStream lone(header.path(), {}, schema);
  EXPECT_MENTIONS(std::string(error_of([&] { lone.next(5); }).what()), "no rows");
  const TempFile quote("quote.csv", "a,b\n1,2\n3,\"4\n");
  TableStream open(quote.path(), {}, schema);
  EXPECT_EQ(open.next(1)->n_rows(), 1);
  EXPECT_MENTIONS(std::string(error_of([&] { open.next(1); }).what()), "line 3, column \"b\"");
}

TEST(TableStream, rows_are_given_as_soon_as_they_arrive) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int kept = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ::close(ends[0]);
  const auto send = [&](const std::string& text) {
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  send("a,b\n1,2\n3,");
  TableStream stream("-", {}, schema_of("a,b\n1,2\n"));
  EXPECT_EQ(texts_of(*stream.next(10), "b"), (Texts{"2"}));  // the pipe is still open
  send("4\n5,6");
  EXPECT_EQ(texts_of(*stream.next(10), "b"), (Texts{"4"}));
  ::close(ends[1]);
  EXPECT_EQ(texts_of(*stream.next(10), "b"), (Texts{"6"}));
  EXPECT_FALSE(stream.next(10).has_value());
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
}

TEST(TableStream, sparse_files_get_the_columns_they_do_not_mention) {
  Schema schema = schema_of("f1,f7\n1,2\n");
  const TempFile file("part.svm", "1 1:5\n0 3:1\n1 1:2\n");
  TableStream stream(file.path(), {}, schema);
  const std::optional<Table> block = stream.next(2);
  EXPECT_EQ(numbers_of(*block, "f1"), (Numbers{5, 0}));
  EXPECT_EQ(numbers_of(*block, "f7"), (Numbers{0, 0}));
  EXPECT_EQ(numbers_of(*stream.next(2), "f1"), (Numbers{2}));
  EXPECT_FALSE(stream.next(2).has_value());
}

TEST(TableStream, max_rows_ends_the_stream) {
  const TempFile file("max.csv", "a,b\n1,2\n3,4\n5,6\n");
  ReadOptions options;
  options.max_rows = 2;
  TableStream stream(file.path(), options, schema_of("a,b\n1,2\n"));
  EXPECT_EQ(read_blocks(stream, "a", 10).cells, (Texts{"1", "3"}));
}

}  // namespace
}  // namespace bough
