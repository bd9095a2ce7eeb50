// SPDX-License-Identifier: Apache-2.0
// Tests of svmlight files.
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

Table parse(const std::string& text) {
  ReadOptions options;
  options.format = "svmlight";
  return parse_table(text, options);
}

TEST(Svmlight, labels_are_dense_and_features_sparse) {
  const Table table = parse("# a comment\n+1 1:0.5 3:2 # tail\n-1 qid:3 2:-1\n\n1.5\n");
  EXPECT_EQ(table.n_columns(), 4u);
  EXPECT_EQ(table.name(0), "label");
  EXPECT_EQ(numbers_of(table, "label"), (Numbers{1, -1, 1.5}));
  EXPECT_EQ(numbers_of(table, "f1"), (Numbers{0.5, 0, 0}));
  EXPECT_EQ(numbers_of(table, "f2"), (Numbers{0, -1, 0}));
  EXPECT_EQ(numbers_of(table, "f3"), (Numbers{2, 0, 0}));
  EXPECT_TRUE(std::holds_alternative<SparseView>(table.column(1)));
}

TEST(Svmlight, indices_are_kept_as_given_and_columns_sorted) {
  const Table table = parse("0 5:1 10:2\n1 0:3\n");
  EXPECT_EQ(table.name(1), "f0");
  EXPECT_EQ(table.name(2), "f5");
  EXPECT_EQ(table.name(3), "f10");
}

TEST(Svmlight, words_may_be_labels) {
  EXPECT_EQ(texts_of(parse("cat 1:1\n2 1:2\n"), "label"), (Texts{"cat", "2"}));
}

TEST(Svmlight, errors_name_the_line) {
  EXPECT_MENTIONS(std::string(error_of([] { parse("1 1:1\n1 2:x\n"); }).what()), "line 2: \"2:x\"");
  EXPECT_MENTIONS(std::string(error_of([] { parse("1 1\n"); }).what()), "line 1");
  EXPECT_MENTIONS(std::string(error_of([] { parse("1 3:1 2:1\n"); }).what()), "index 2 follows index 3");
  EXPECT_MENTIONS(std::string(error_of([] { parse("1:1 2:1\n"); }).what()), "label");
  EXPECT_MENTIONS(std::string(error_of([] { parse("# nothing\n"); }).what()), "no rows");
}

TEST(Svmlight, the_file_name_tells_the_format) {
  const TempFile file("x.libsvm", "1 1:1\n0 1:2\n");
  EXPECT_EQ(numbers_of(read_table(file.path()), "f1"), (Numbers{1, 2}));
}

}  // namespace
}  // namespace bough
