// SPDX-License-Identifier: Apache-2.0
// Tests of gzip and zstd by content, and of standard input.
#include "data/bytes.hpp"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

#include "support.hpp"

namespace bough {
namespace {

using namespace test;

std::string gzip(const std::string& text) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, text.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string big_csv() {
  std::string text = "a,b\n";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ",w" + std::to_string(i % 10) + "\n";
  return text;
}

void expect_big(const Table& table) {
  ASSERT_EQ(table.n_rows(), 100000);
  EXPECT_EQ(numbers_of(table, "a")[99999], 99999);
  EXPECT_EQ(cell_text(column_of(table, "b"), 99999), "w9");
}

TEST(Bytes, gzip_and_zstd_are_told_by_content_not_by_name) {
  const std::string text = big_csv();
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    ASSERT_LT(packed.size(), text.size());
    expect_big(parse_table(packed));
    const TempFile file("packed.csv", packed);
    expect_big(read_table(file.path()));
  }
  const TempFile plain("plain.csv.gz", text);
  expect_big(read_table(plain.path()));
}

TEST(Bytes, several_members_follow_each_other) {
  const std::string first = "a\n1\n";
  const std::string second = "2\n3\n";
  for (const std::string& packed : {gzip(first) + gzip(second), zstd(first) + zstd(second)})
    EXPECT_EQ(numbers_of(parse_table(packed), "a"), (Numbers{1, 2, 3}));
}

TEST(Bytes, packing_is_undone_three_times_and_no_more) {
  // A file that unpacks to itself would never end.
  std::string packed = "a\n1\n";
  for (int layer = 0; layer < 3; ++layer) packed = layer == 1 ? zstd(packed) : gzip(packed);
  EXPECT_EQ(numbers_of(parse_table(packed), "a"), (Numbers{1}));
  const Error error = error_of([&] { parse_table(gzip(packed)); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "more than 3 times");
}

TEST(Bytes, what_grows_out_of_all_proportion_is_refused) {
  // One layer of zstd makes 128 KiB out of 4 bytes at most; two of them know no bounds.
  const std::string zeros = zstd(std::string(std::size_t{1} << 27, '0'));
  const std::string bomb = zstd(zeros);
  ASSERT_LT(bomb.size() * 40'000, std::size_t{1} << 27);
  const Error error = error_of([&] { parse_table(bomb); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), std::to_string(bomb.size()) + " packed bytes");
}

TEST(Bytes, truncated_and_damaged_data_are_refused) {
  const std::string text = big_csv();
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    const Error cut = error_of([&] { parse_table(packed.substr(0, packed.size() / 2)); });
    EXPECT_EQ(cut.code(), ErrorCode::bad_data);
    EXPECT_MENTIONS(std::string(cut.what()), "ends too early");
    std::string damaged = packed;
    for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 64; ++i)
      damaged[i] = static_cast<char>(~damaged[i]);
    EXPECT_EQ(error_of([&] { parse_table(damaged); }).code(), ErrorCode::bad_data);
  }
}

TEST(Bytes, files_of_other_kinds_are_named) {
  ::setenv("BOUGH_ARROW_PATH", "nowhere", 1);  // neither the component nor Python is asked
  EXPECT_MENTIONS(std::string(error_of([] { parse_table("PAR1...."); }).what()), "Parquet");
  ::unsetenv("BOUGH_ARROW_PATH");
  EXPECT_EQ(error_of([] { parse_table("PK\x03\x04...."); }).code(), ErrorCode::not_supported);
}

TEST(Bytes, standard_input_is_a_file_like_others) {
  const TempFile file("stdin.csv", gzip("a,b\n1,x\n2,y\n"));
  const int kept = ::dup(STDIN_FILENO);
  const int opened = ::open(file.path().c_str(), O_RDONLY);
  ASSERT_GE(::dup2(opened, STDIN_FILENO), 0);
  ::close(opened);
  const Table table = read_table("-");
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  EXPECT_EQ(numbers_of(table, "a"), (Numbers{1, 2}));
}

TEST(Bytes, reading_all_gives_every_byte_and_a_nul) {
  const std::string text(200000, 'q');
  const auto source = open_bytes_in_memory(text);
  const TextBuffer buffer = read_all(*source);
  EXPECT_EQ(buffer.size, text.size());
  EXPECT_EQ(std::string(buffer.data.get()), text);
}

}  // namespace
}  // namespace bough
