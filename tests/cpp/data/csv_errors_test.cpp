// SPDX-License-Identifier: Apache-2.0
// Tests of what is wrong with delimited text: every error says where.
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Error refused(const std::string& text, const ReadOptions& options = {}) {
  const Error error = error_of([&] { parse_table(text, options); });
  EXPECT_FALSE(error.hint().empty()) << error.what();
  return error;
}

TEST(CsvErrors, an_empty_file_and_a_lone_header_are_refused) {
  EXPECT_MENTIONS(std::string(refused("").what()), "empty");
  EXPECT_MENTIONS(std::string(refused("\n\r\n  \n").what()), "empty");
  EXPECT_MENTIONS(std::string(refused("\xEF\xBB\xBF").what()), "empty");
  EXPECT_MENTIONS(std::string(refused("a,b,c\n").what()), "header of 3 columns and no rows");
}

TEST(CsvErrors, ragged_rows_name_line_and_counts) {
  const Error shorter = refused("a,b,c\n1,2,3\n4,5\n");
  EXPECT_EQ(shorter.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(shorter.what()), "line 3: 2 cells where 3 are expected");
  EXPECT_MENTIONS(std::string(shorter.what()), "ends after column \"b\"");
  const Error longer = refused("a,b\n1,2\n\n3,4,5,6\n");
  EXPECT_MENTIONS(std::string(longer.what()), "line 4: 4 cells where 2 are expected");
  EXPECT_MENTIONS(std::string(longer.what()), "behind column \"b\"");
}

TEST(CsvErrors, lines_inside_quotes_are_counted) {
  EXPECT_MENTIONS(std::string(refused("a,b\n\"x\ny\nz\",1\n2\n").what()), "line 5: 1 cell where 2");
}

TEST(CsvErrors, an_open_quote_is_found_where_it_opens) {
  const Error error = refused("a,b\nx,1\ny,\"open\nz,3\n");
  EXPECT_MENTIONS(std::string(error.what()), "line 3, column \"b\"");
  EXPECT_MENTIONS(std::string(error.what()), "never closed");
  EXPECT_MENTIONS(std::string(refused("a,b\n\"x\"y,1\n").what()),
                  "line 2, column \"a\": text follows a closing quote");
}

TEST(CsvErrors, duplicated_names_are_listed_with_their_places) {
  const Error error = refused("a,b,a,b\n1,2,3,4\n");
  EXPECT_MENTIONS(std::string(error.what()), "\"a\" (columns 1 and 3)");
  EXPECT_MENTIONS(std::string(error.what()), "\"b\" (columns 2 and 4)");
}

TEST(CsvErrors, words_in_columns_asked_for_as_numbers_name_line_and_column) {
  ReadOptions options;
  options.numeric_columns = {"b"};
  const Error error = refused("a,b\nx,1\ny,2\nz,two\n", options);
  EXPECT_MENTIONS(std::string(error.what()), "line 4, column \"b\": \"two\" is not a number");
}

TEST(CsvErrors, wishes_for_columns_that_are_not_there_are_refused) {
  ReadOptions options;
  options.text_columns = {"agee"};
  const Error error = refused("age,b\n1,2\n", options);
  EXPECT_EQ(error.code(), ErrorCode::bad_params);
  EXPECT_MENTIONS(std::string(error.what()), "\"agee\" (is it \"age\"?)");
  options.text_columns = {"b"};
  options.numeric_columns = {"b"};
  EXPECT_EQ(error_of([&] { parse_table("age,b\n1,2\n", options); }).code(), ErrorCode::bad_params);
}

TEST(CsvErrors, nul_bytes_and_other_encodings_are_refused) {
  const std::string nul("a,b\n1,x\0y\n", 10);
  EXPECT_MENTIONS(std::string(refused(nul).what()), "line 2, column \"b\": a NUL byte");
  const std::string quoted_nul("a,b\n1,\"x\0y\"\n", 12);
  EXPECT_MENTIONS(std::string(refused(quoted_nul).what()), "NUL byte");
  const std::string after_number("a,b\n1\0,2\n", 9);
  EXPECT_MENTIONS(std::string(refused(after_number).what()), "line 2");
  EXPECT_MENTIONS(std::string(refused("a,b\n1,caf\xE9\n").what()), "line 2, column \"b\"");
  EXPECT_MENTIONS(std::string(refused("caf\xE9,b\n1,2\n").what()), "line 1");
  EXPECT_EQ(refused(std::string("\xFF\xFE"
                                "a\0",
                                4))
                .code(),
            ErrorCode::not_supported);
}

TEST(CsvErrors, characters_that_cannot_separate_are_refused) {
  for (const char c : {'"', '\n', '5', 'e', '.', '-'}) {
    ReadOptions options;
    options.delimiter = c;
    EXPECT_EQ(refused("a,b\n1,2\n", options).code(), ErrorCode::bad_params) << c;
  }
}

TEST(CsvErrors, unknown_formats_and_absent_files_are_refused) {
  ReadOptions options;
  options.format = "xml";
  EXPECT_EQ(refused("a\n1\n", options).code(), ErrorCode::bad_params);
  const Error absent = error_of([] { read_table("/nonexistent/no.csv"); });
  EXPECT_EQ(absent.code(), ErrorCode::io);
  EXPECT_MENTIONS(std::string(absent.what()), "/nonexistent/no.csv");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bough_" + std::to_string(::getpid()) + "_empty");
  std::filesystem::create_directory(folder);
  EXPECT_EQ(error_of([&] { read_table(folder.string()); }).code(), ErrorCode::io);
  std::filesystem::remove(folder);
}

TEST(CsvErrors, errors_name_the_file) {
  const TempFile file("ragged.csv", "a,b\n1\n");
  EXPECT_MENTIONS(std::string(error_of([&] { read_table(file.path()); }).what()), file.path() + ": line 2");
}

}  // namespace
}  // namespace bough
