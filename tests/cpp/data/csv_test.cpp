// SPDX-License-Identifier: Apache-2.0
// Tests of delimited text: quotes, line ends, missing tokens, types.
#include <cmath>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

TEST(Csv, plain_files_become_typed_columns) {
  const Table table = parse_table("n,r,b,t\n1,0.5,true,x\n-2,1e3,FALSE,y\n3,.25,True,x\n");
  EXPECT_EQ(table.n_rows(), 3);
  EXPECT_EQ(numbers_of(table, "n"), (Numbers{1, -2, 3}));
  EXPECT_EQ(type_of(table, "n"), Dtype::f64);
  EXPECT_EQ(numbers_of(table, "r"), (Numbers{0.5, 1000, 0.25}));
  EXPECT_EQ(type_of(table, "b"), Dtype::boolean);
  EXPECT_EQ(texts_of(table, "b"), (Texts{"true", "false", "true"}));
  EXPECT_EQ(type_of(table, "t"), Dtype::text);
  EXPECT_EQ(texts_of(table, "t"), (Texts{"x", "y", "x"}));
  EXPECT_EQ(std::get<ColumnView>(column_of(table, "t")).dictionary->length(), 2);
}

TEST(Csv, quotes_keep_delimiters_line_ends_and_quotes) {
  const Table table = parse_table("a,b\n\"x,y\",1\n\"line 1\nline 2\",2\n\"say \"\"hi\"\"\",3\n\"\"\"\",4\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"x,y", "line 1\nline 2", "say \"hi\"", "\""}));
  EXPECT_EQ(numbers_of(table, "b"), (Numbers{1, 2, 3, 4}));
}

TEST(Csv, quotes_inside_an_unquoted_cell_are_plain_characters) {
  const Table table = parse_table("a,b\n5\" pipe,1\nx\"y\"z,2\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"5\" pipe", "x\"y\"z"}));
}

TEST(Csv, blanks_around_cells_go_but_blanks_inside_quotes_stay) {
  const Table table = parse_table("a , b\n  x y ,\t1 \n \" z \" , 2\n");
  EXPECT_EQ(table.name(0), "a");
  EXPECT_EQ(table.name(1), "b");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"x y", " z "}));
  EXPECT_EQ(numbers_of(table, "b"), (Numbers{1, 2}));
}

TEST(Csv, quoted_numbers_are_numbers) {
  EXPECT_EQ(numbers_of(parse_table("\"a\"\n\"1\"\n\"2.5\"\n"), "a"), (Numbers{1, 2.5}));
}

TEST(Csv, line_ends_of_all_kinds_and_a_byte_order_mark_are_understood) {
  for (const char* text :
       {"\xEF\xBB\xBF"
        "a,b\n1,2\n3,4\n",
        "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4", "a,b\n1,2\n3,4", "\n\na,b\n\n1,2\n   \n3,4\n\n\n"}) {
    const Table table = parse_table(text);
    EXPECT_EQ(table.name(0), "a") << text;
    EXPECT_EQ(numbers_of(table, "a"), (Numbers{1, 3})) << text;
    EXPECT_EQ(numbers_of(table, "b"), (Numbers{2, 4})) << text;
  }
}

TEST(Csv, the_delimiter_is_guessed_or_given) {
  for (const std::string d : {",", ";", "\t", "|"}) {
    const Table table = parse_table("a" + d + "b\n1" + d + "2\n3" + d + "4\n");
    ASSERT_EQ(table.n_columns(), 2u) << d;
    EXPECT_EQ(numbers_of(table, "b"), (Numbers{2, 4}));
  }
  // Commas inside semicolon cells differ from row to row; quotes hide them altogether.
  EXPECT_EQ(parse_table("a;b\n1,5;x\n2;y,z\n").n_columns(), 2u);
  EXPECT_EQ(parse_table("a;b\n\"p,q\";1\n\"r,s\";2\n").n_columns(), 2u);
  ReadOptions options;
  options.delimiter = ':';
  EXPECT_EQ(numbers_of(parse_table("a:b\n1:2\n", options), "b"), (Numbers{2}));
  options = {};
  options.format = "tsv";
  EXPECT_EQ(texts_of(parse_table("a\tb\nx, y\t2\n", options), "a"), (Texts{"x, y"}));
}

TEST(Csv, one_column_needs_no_delimiter_and_keeps_empty_lines_as_missing) {
  const Table table = parse_table("a\n1\n\n3\n\n\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"1", "<missing>", "3"}));
}

TEST(Csv, the_header_is_told_by_its_cells_or_by_option) {
  const Table bare = parse_table("1,2\n3,4\n");
  EXPECT_EQ(bare.name(0), "x0");
  EXPECT_EQ(numbers_of(bare, "x1"), (Numbers{2, 4}));
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(texts_of(parse_table("a,b\nc,d\n", options), "x0"), (Texts{"a", "c"}));
  options.header = true;
  EXPECT_EQ(numbers_of(parse_table("2019,2020\n3,4\n", options), "2020"), (Numbers{4}));
  EXPECT_EQ(parse_table(",b\n1,2\n").name(0), "x0");
}

TEST(Csv, names_that_are_numbers_are_told_from_a_row) {
  // A word above a number is a name; a word above a word says nothing.
  EXPECT_EQ(numbers_of(parse_table("a,2019\n1,2\n3,4\n"), "2019"), (Numbers{2, 4}));
  EXPECT_EQ(texts_of(parse_table("5.1,setosa\n4.9,setosa\n"), "x1"), (Texts{"setosa", "setosa"}));
  EXPECT_EQ(numbers_of(parse_table("?,2\n1,3\n"), "x1"), (Numbers{2, 3}));
  EXPECT_THROW((void)parse_table("a,2019\n\"1,2\n"), Error);
}

TEST(Csv, names_that_are_known_are_names) {
  ReadOptions options;
  options.known_names = {"weight", "grew"};
  const std::string_view text = "country,2019,grew\nA,1,yes\n";
  EXPECT_EQ(parse_table(text).name(1), "x1");
  EXPECT_EQ(parse_table(text, options).name(1), "2019");
  options.known_names.clear();
  options.text_columns = {"country"};
  EXPECT_EQ(numbers_of(parse_table(text, options), "2019"), (Numbers{1}));
}

TEST(Csv, missing_tokens_match_whole_cells_and_none_is_a_value) {
  const Table table =
      parse_table("a,b\n,none\n?,NA\nNA,None\nN/A,nan\n NaN ,x\nnull,null\n\"\",\"?\"\n1,NAN\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"<missing>", "<missing>", "<missing>", "<missing>", "<missing>",
                                         "<missing>", "<missing>", "1"}));
  EXPECT_EQ(type_of(table, "a"), Dtype::f64);
  EXPECT_EQ(texts_of(table, "b"),
            (Texts{"none", "<missing>", "None", "<missing>", "x", "<missing>", "<missing>", "NAN"}));
}

TEST(Csv, missing_tokens_can_be_chosen_and_may_be_numbers) {
  ReadOptions options;
  options.missing = {"-999", "none"};
  const Table table = parse_table("a,b\n-999,x\n1,none\n-9990,NA\n", options);
  EXPECT_EQ(texts_of(table, "a"), (Texts{"<missing>", "1", "-9990"}));
  EXPECT_EQ(texts_of(table, "b"), (Texts{"x", "<missing>", "NA"}));
}

TEST(Csv, a_column_of_missing_cells_is_numeric) {
  const Table table = parse_table("a,b\n?,1\nNA,2\n");
  EXPECT_EQ(type_of(table, "a"), Dtype::f64);
  EXPECT_EQ(texts_of(table, "a"), (Texts{"<missing>", "<missing>"}));
}

TEST(Csv, text_among_numbers_makes_the_column_text_as_it_was_written) {
  const Table table = parse_table("a,b,c\n01,true,1\n?,?,?\n2.50,7,true\nx,false,0\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"01", "<missing>", "2.50", "x"}));
  EXPECT_EQ(texts_of(table, "b"), (Texts{"true", "<missing>", "7", "false"}));
  EXPECT_EQ(texts_of(table, "c"), (Texts{"1", "<missing>", "true", "0"}));
}

TEST(Csv, types_can_be_asked_for) {
  ReadOptions options;
  options.text_columns = {"zip"};
  options.numeric_columns = {"flag", "n"};
  const Table table = parse_table("zip,flag,n\n01234,true,1\n?,false,?\n", options);
  EXPECT_EQ(texts_of(table, "zip"), (Texts{"01234", "<missing>"}));
  EXPECT_EQ(type_of(table, "flag"), Dtype::f64);
  EXPECT_EQ(numbers_of(table, "flag"), (Numbers{1, 0}));
}

TEST(Csv, whole_numbers_stay_exact) {
  const Table table = parse_table(
      "a,b,c,d\n9007199254740992,9007199254740993,9007199254740993,99999999999999999999\n"
      "1,?,0.5,1\n");
  EXPECT_EQ(type_of(table, "a"), Dtype::f64);
  EXPECT_EQ(type_of(table, "b"), Dtype::i64);
  EXPECT_EQ(texts_of(table, "b"), (Texts{"9007199254740993", "<missing>"}));
  EXPECT_EQ(type_of(table, "c"), Dtype::f64);
  // Beyond 64 bits whole numbers are codes: as numbers different ones would become the same.
  EXPECT_EQ(type_of(table, "d"), Dtype::text);
  EXPECT_EQ(texts_of(table, "d"), (Texts{"99999999999999999999", "1"}));
  // 2^60 is exact as a double.
  EXPECT_EQ(type_of(parse_table("a\n1152921504606846976\n-1\n"), "a"), Dtype::f64);
}

TEST(Csv, digits_around_an_e_are_codes_beside_leading_zeros) {
  const Table table = parse_table(
      "a,b,c,d,e,f\n"
      "1e2,1e2,1e2,01e5,9007199254740993,1e2\n"
      "007,7,007,1e5,1e2,-007\n"
      "100,100,1.5,100000,5,100\n");
  EXPECT_EQ(texts_of(table, "a"), (Texts{"1e2", "007", "100"}));
  EXPECT_EQ(numbers_of(table, "b"), (Numbers{100, 7, 100}));
  EXPECT_EQ(numbers_of(table, "c"), (Numbers{100, 7, 1.5}));  // numbers that begin with zeros
  EXPECT_EQ(texts_of(table, "d"), (Texts{"01e5", "1e5", "100000"}));
  EXPECT_EQ(numbers_of(table, "e"), (Numbers{9007199254740992, 100, 5}));
  EXPECT_EQ(texts_of(table, "f"), (Texts{"1e2", "-007", "100"}));
  ReadOptions options;
  options.numeric_columns = {"a"};
  EXPECT_EQ(numbers_of(parse_table("a\n1e2\n007\n", options), "a"), (Numbers{100, 7}));
}

TEST(Csv, numbers_of_all_spellings_are_read) {
  const Table table = parse_table("a\n+1\n-.5\n3.\n1E-2\ninf\n-Infinity\n1e400\n0.1234567890123456789\n");
  const Numbers cells = numbers_of(table, "a");
  EXPECT_EQ(cells[0], 1);
  EXPECT_EQ(cells[1], -0.5);
  EXPECT_EQ(cells[2], 3);
  EXPECT_EQ(cells[3], 0.01);
  EXPECT_EQ(cells[4], INFINITY);
  EXPECT_EQ(cells[5], -INFINITY);
  EXPECT_EQ(cells[6], INFINITY);
  EXPECT_EQ(cells[7], 0.1234567890123456789);
}

TEST(Csv, reading_can_stop_after_some_rows) {
  ReadOptions options;
  options.max_rows = 2;
  EXPECT_EQ(parse_table("a\n1\n2\nbroken,row\n", options).n_rows(), 2);
}

TEST(Csv, many_rows_and_levels_survive) {
  std::string text = "id,v\n";
  for (int i = 0; i < 20000; ++i) text += "id" + std::to_string(i % 5000) + "," + std::to_string(i) + "\n";
  const Table table = parse_table(text);
  ASSERT_EQ(table.n_rows(), 20000);
  EXPECT_EQ(collect_levels(column_of(table, "id")).size(), 5000u);
  EXPECT_EQ(cell_text(column_of(table, "id"), 19999), "id4999");
  EXPECT_EQ(numbers_of(table, "v")[12345], 12345);
}

}  // namespace
}  // namespace bough
