// SPDX-License-Identifier: Apache-2.0
// Tests of Arrow streams built by hand: types, offsets, chunks, dictionaries, and who releases what.
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "bough/arrow_abi.h"
#include "support.hpp"

namespace bough {
namespace {

using namespace test;

/// Structs alive at this moment, by kind.
struct Live {
  int schemas = 0;
  int arrays = 0;
  int streams = 0;
};
Live live;

/// An array and what it owns.
struct Cells {
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::int64_t null_count = 0;
  std::vector<const void*> buffers;
  std::shared_ptr<Cells> dictionary;
};

struct Column {
  std::string name;
  std::string format;
  std::string dictionary_format;
};

struct ArrayMemory {
  Cells cells;
  std::vector<ArrowArray> child_structs;
  std::vector<ArrowArray*> children;
  ArrowArray dictionary{};
};

void fill_array(ArrowArray& out, ArrayMemory* memory, const Cells& cells) {
  memory->cells = cells;
  out = {};
  out.length = cells.length;
  out.null_count = cells.null_count;
  out.offset = cells.offset;
  out.n_buffers = std::ssize(memory->cells.buffers);
  out.buffers = memory->cells.buffers.data();
  out.private_data = memory;
  ++live.arrays;
  out.release = [](ArrowArray* array) {
    auto* own = static_cast<ArrayMemory*>(array->private_data);
    for (ArrowArray& child : own->child_structs)
      if (child.release != nullptr) child.release(&child);
    if (own->dictionary.release != nullptr) own->dictionary.release(&own->dictionary);
    delete own;
    array->release = nullptr;
    --live.arrays;
  };
  if (cells.dictionary) {
    fill_array(memory->dictionary, new ArrayMemory, *cells.dictionary);
    out.dictionary = &memory->dictionary;
  }
}

struct Batch {
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::vector<Cells> columns;
};

void fill_batch(ArrowArray& out, const Batch& batch) {
  auto* memory = new ArrayMemory;
  fill_array(out, memory, Cells{batch.length, batch.offset, 0, {nullptr}, nullptr});
  memory->child_structs.resize(batch.columns.size());
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    fill_array(memory->child_structs[i], new ArrayMemory, batch.columns[i]);
    memory->children.push_back(&memory->child_structs[i]);
  }
  out.n_children = std::ssize(memory->children);
  out.children = memory->children.data();
}

struct SchemaMemory {
  Column column;
  std::vector<ArrowSchema> child_structs;
  std::vector<ArrowSchema*> children;
  ArrowSchema dictionary{};
};

void fill_schema(ArrowSchema& out, SchemaMemory* memory, const Column& column) {
  memory->column = column;
  out = {};
  out.format = memory->column.format.c_str();
  out.name = memory->column.name.c_str();
  out.private_data = memory;
  ++live.schemas;
  out.release = [](ArrowSchema* schema) {
    auto* own = static_cast<SchemaMemory*>(schema->private_data);
    for (ArrowSchema& child : own->child_structs) child.release(&child);
    if (own->dictionary.release != nullptr) own->dictionary.release(&own->dictionary);
    delete own;
    schema->release = nullptr;
    --live.schemas;
  };
  if (!column.dictionary_format.empty()) {
    fill_schema(memory->dictionary, new SchemaMemory, {"", column.dictionary_format, ""});
    out.dictionary = &memory->dictionary;
  }
}

struct StreamMemory {
  std::string root_format = "+s";
  std::vector<Column> columns;
  std::vector<Batch> batches;
  std::size_t next = 0;
  std::size_t fail_at = 1000;
};

void fill_stream(ArrowArrayStream& out, StreamMemory content) {
  out = {};
  out.private_data = new StreamMemory(std::move(content));
  ++live.streams;
  out.get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
    const auto* own = static_cast<const StreamMemory*>(stream->private_data);
    auto* memory = new SchemaMemory;
    fill_schema(*schema, memory, {"", own->root_format, ""});
    memory->child_structs.resize(own->columns.size());
    for (std::size_t i = 0; i < own->columns.size(); ++i) {
      fill_schema(memory->child_structs[i], new SchemaMemory, own->columns[i]);
      memory->children.push_back(&memory->child_structs[i]);
    }
    schema->n_children = std::ssize(memory->children);
    schema->children = memory->children.data();
    return 0;
  };
  out.get_next = [](ArrowArrayStream* stream, ArrowArray* array) {
    auto* own = static_cast<StreamMemory*>(stream->private_data);
    *array = {};
    if (own->next == own->fail_at) return 5;
    if (own->next < own->batches.size()) fill_batch(*array, own->batches[own->next++]);
    return 0;
  };
  out.get_last_error = [](ArrowArrayStream*) -> const char* { return "the disk is on fire"; };
  out.release = [](ArrowArrayStream* stream) {
    delete static_cast<StreamMemory*>(stream->private_data);
    stream->release = nullptr;
    --live.streams;
  };
}

Table import(StreamMemory content) {
  ArrowArrayStream stream;
  fill_stream(stream, std::move(content));
  Table table = Table::from_arrow(&stream);
  EXPECT_EQ(stream.release, nullptr);
  return table;
}

Error refused(StreamMemory content) {
  return error_of([&] { import(std::move(content)); });
}

class Arrow : public ::testing::Test {
 protected:
  void SetUp() override { live = {}; }
  void TearDown() override {
    EXPECT_EQ(live.schemas, 0);
    EXPECT_EQ(live.arrays, 0);
    EXPECT_EQ(live.streams, 0);
  }
};

template <class T>
void expect_plain(const std::string& format, const std::vector<T>& cells) {
  const std::uint8_t validity = 0b01110;
  // Cells 1..3 of the buffer; bit 1 of the validity belongs to the first of them.
  const Cells array{3, 1, -1, {&validity, cells.data()}, nullptr};
  const Table table = import({"+s", {{"x", format, ""}}, {{3, 0, {array}}}});
  EXPECT_EQ(numbers_of(table, "x"), Numbers(cells.begin() + 1, cells.begin() + 4)) << format;
  EXPECT_EQ(std::get<ColumnView>(table.column(0)).chunks[0].data, cells.data() + 1)
      << "not zero copy: " << format;
}

TEST_F(Arrow, number_types_are_viewed_without_a_copy) {
  expect_plain<std::int8_t>("c", {9, -1, 2, 3, 9});
  expect_plain<std::uint8_t>("C", {9, 1, 200, 3, 9});
  expect_plain<std::int16_t>("s", {9, -1, 2, 3, 9});
  expect_plain<std::uint16_t>("S", {9, 1, 2, 3, 9});
  expect_plain<std::int32_t>("i", {9, -1, 2, 3, 9});
  expect_plain<std::uint32_t>("I", {9, 1, 2, 3, 9});
  expect_plain<std::int64_t>("l", {9, -1, 2, 3, 9});
  expect_plain<std::uint64_t>("L", {9, 1, 2, 3, 9});
  expect_plain<float>("f", {9, -1.5f, 2, 3, 9});
  expect_plain<double>("g", {9, -1.5, 2, 3, 9});
}

TEST_F(Arrow, validity_and_offsets_of_array_and_batch_add_up) {
  const Numbers cells{0, 1, 2, 3, 4, 5};
  const std::uint8_t validity = 0b101111;  // cell 4 is null
  // The array starts at 1, the batch at 2 of it: cells 3, 4, 5.
  const Table table =
      import({"+s", {{"x", "g", ""}}, {{3, 2, {{5, 1, 1, {&validity, cells.data()}, nullptr}}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"3", "<missing>", "5"}));
}

TEST_F(Arrow, booleans_are_bits) {
  const std::uint8_t bits = 0b0110100;
  const Table table = import({"+s", {{"x", "b", ""}}, {{4, 0, {{4, 2, 0, {nullptr, &bits}, nullptr}}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"true", "false", "true", "true"}));
}

TEST_F(Arrow, strings_with_narrow_and_wide_offsets_are_viewed) {
  const std::vector<std::int32_t> narrow{0, 2, 2, 5};
  const std::vector<std::int64_t> wide{0, 2, 2, 5};
  const std::uint8_t validity = 0b101;
  for (const std::string format : {"u", "U"}) {
    const void* offsets = format == "u" ? static_cast<const void*>(narrow.data()) : wide.data();
    const Cells array{3, 0, 1, {&validity, offsets, "abcde"}, nullptr};
    EXPECT_EQ(texts_of(import({"+s", {{"x", format, ""}}, {{3, 0, {array}}}}), "x"),
              (Texts{"ab", "<missing>", "cde"}));
    const Cells slice{1, 2, 0, {nullptr, offsets, "abcde"}, nullptr};
    EXPECT_EQ(texts_of(import({"+s", {{"x", format, ""}}, {{1, 0, {slice}}}}), "x"), (Texts{"cde"}));
  }
}

/// A string view: short texts inline, long ones in data buffer 0.
void put_view(std::vector<char>& views, const std::string& text, std::int32_t offset) {
  char view[16] = {};
  const auto length = static_cast<std::int32_t>(text.size());
  std::memcpy(view, &length, 4);
  std::memcpy(view + 4, text.data(), std::min<std::size_t>(text.size(), length <= 12 ? 12 : 4));
  if (length > 12) std::memcpy(view + 12, &offset, 4);
  views.insert(views.end(), view, view + 16);
}

TEST_F(Arrow, string_views_are_copied) {
  const std::string data = "....a text longer than twelve";
  std::vector<char> views;
  put_view(views, "cut off", 0);
  put_view(views, "short", 0);
  put_view(views, "a text longer than twelve", 4);
  const std::int64_t length = std::ssize(data);
  const Cells array{2, 1, 0, {nullptr, views.data(), data.data(), &length}, nullptr};
  const Table table = import({"+s", {{"x", "vu", ""}}, {{2, 0, {array}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"short", "a text longer than twelve"}));
  const std::int64_t too_short = 10;
  const Cells broken{2, 1, 0, {nullptr, views.data(), data.data(), &too_short}, nullptr};
  EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "vu", ""}}, {{2, 0, {broken}}}}).what()),
                  "outside its buffers");
  const Cells without_texts{2, 1, 0, {nullptr, views.data(), nullptr, &length}, nullptr};
  EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "vu", ""}}, {{2, 0, {without_texts}}}}).what()),
                  "without a buffer");
}

TEST_F(Arrow, null_columns_are_missing_numbers) {
  const Table table = import({"+s", {{"x", "n", ""}}, {{2, 0, {{2, 0, 2, {}, nullptr}}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"<missing>", "<missing>"}));
  EXPECT_TRUE(is_number_column(table.column(0)));
}

TEST_F(Arrow, chunks_follow_each_other_and_empty_ones_are_harmless) {
  const Numbers first{1, 2};
  const Numbers second{3};
  const Table table = import({"+s",
                              {{"x", "g", ""}},
                              {{2, 0, {{2, 0, 0, {nullptr, first.data()}, nullptr}}},
                               {0, 0, {{0, 0, 0, {nullptr, nullptr}, nullptr}}},
                               {1, 0, {{1, 0, 0, {nullptr, second.data()}, nullptr}}}}});
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{1, 2, 3}));
  EXPECT_EQ(std::get<ColumnView>(table.column(0)).chunks.size(), 2u);
}

std::shared_ptr<Cells> words(const std::vector<std::int32_t>& offsets, const char* chars,
                             const std::uint8_t* validity = nullptr) {
  return std::make_shared<Cells>(Cells{
      std::ssize(offsets) - 1, 0, validity == nullptr ? 0 : 1, {validity, offsets.data(), chars}, nullptr});
}

TEST_F(Arrow, a_shared_dictionary_is_viewed) {
  const std::vector<std::int32_t> offsets{0, 1, 2};
  const std::vector<std::uint16_t> codes{1, 0, 1};
  const auto dictionary = words(offsets, "ab");
  const std::uint8_t validity = 0b011;
  const Table table = import({"+s",
                              {{"x", "S", "u"}},
                              {{3, 0, {{3, 0, 1, {&validity, codes.data()}, dictionary}}},
                               {1, 0, {{1, 1, 0, {nullptr, codes.data()}, dictionary}}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"b", "a", "<missing>", "a"}));
  EXPECT_EQ(std::get<ColumnView>(table.column(0)).dtype, Dtype::u16);
}

TEST_F(Arrow, dictionaries_that_differ_between_chunks_are_joined_by_value) {
  const std::vector<std::int32_t> first{0, 1, 2};
  const std::vector<std::int32_t> second{0, 1, 2, 3};
  const std::uint8_t third_is_null = 0b011;
  const std::vector<std::int8_t> codes{0, 1, 2};
  const Table table =
      import({"+s",
              {{"x", "c", "u"}},
              {{2, 0, {{2, 0, 0, {nullptr, codes.data()}, words(first, "ab")}}},
               {3, 0, {{3, 0, 0, {nullptr, codes.data()}, words(second, "bc?", &third_is_null)}}}}});
  EXPECT_EQ(texts_of(table, "x"), (Texts{"a", "b", "b", "c", "<missing>"}));
  EXPECT_EQ(collect_levels(table.column(0)).names, (Texts{"a", "b", "c"}));
}

TEST_F(Arrow, dictionaries_of_numbers_may_differ_too) {
  const std::vector<std::int32_t> first{10, 20};
  const std::vector<std::int32_t> second{30};
  const std::vector<std::uint64_t> codes{1, 0};
  const auto numbers = [](const std::vector<std::int32_t>& values) {
    return std::make_shared<Cells>(Cells{std::ssize(values), 0, 0, {nullptr, values.data()}, nullptr});
  };
  const Table table = import({"+s",
                              {{"x", "L", "i"}},
                              {{2, 0, {{2, 0, 0, {nullptr, codes.data()}, numbers(first)}}},
                               {1, 0, {{1, 1, 0, {nullptr, codes.data()}, numbers(second)}}}}});
  EXPECT_EQ(numbers_of(table, "x"), (Numbers{20, 10, 30}));
}

TEST_F(Arrow, codes_outside_their_dictionary_are_refused) {
  const std::vector<std::int32_t> offsets{0, 1};
  const std::vector<std::int32_t> codes{0, 7};
  const Error error = refused(
      {"+s", {{"colour", "i", "u"}}, {{2, 0, {{2, 0, 0, {nullptr, codes.data()}, words(offsets, "a")}}}}});
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "\"colour\"");
  EXPECT_MENTIONS(std::string(error.what()), "row 2");
}

TEST_F(Arrow, types_we_do_not_read_are_refused_all_at_once_by_name) {
  const Error error = refused(
      {"+s",
       {{"ok", "g", ""}, {"half", "e", ""}, {"items", "+l", ""}, {"when", "tsu:UTC", ""}, {"raw", "z", ""}},
       {}});
  EXPECT_EQ(error.code(), ErrorCode::not_supported);
  for (const char* part :
       {"\"half\" (float16)", "\"items\" (list)", "\"when\" (timestamp)", "\"raw\" (binary)"})
    EXPECT_MENTIONS(std::string(error.what()), part);
  EXPECT_MENTIONS(std::string(refused({"g", {}, {}}).what()), "no table");
}

TEST_F(Arrow, a_stream_that_fails_passes_its_words_on) {
  const Numbers cells{1};
  StreamMemory content{"+s", {{"x", "g", ""}}, {{1, 0, {{1, 0, 0, {nullptr, cells.data()}, nullptr}}}}};
  content.fail_at = 1;
  const Error error = refused(content);
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_MENTIONS(std::string(error.what()), "the disk is on fire");
}

TEST_F(Arrow, missing_buffers_and_short_columns_are_refused) {
  const std::vector<Column> schema{{"x", "g", ""}};
  EXPECT_MENTIONS(
      std::string(refused({"+s", schema, {{2, 0, {{2, 0, 0, {nullptr, nullptr}, nullptr}}}}}).what()),
      "\"x\"");
  EXPECT_MENTIONS(std::string(refused({"+s", schema, {{2, 0, {{2, 0, 0, {nullptr}, nullptr}}}}}).what()),
                  "buffers");
  const Numbers cells{1, 2};
  EXPECT_MENTIONS(
      std::string(refused({"+s", schema, {{3, 0, {{2, 0, 0, {nullptr, cells.data()}, nullptr}}}}}).what()),
      "shorter");
  EXPECT_MENTIONS(std::string(refused({"+s", schema, {{3, 0, {}}}}).what()), "0 columns");
}

TEST_F(Arrow, texts_that_end_before_they_begin_are_refused) {
  const std::vector<std::int8_t> codes{0, 1};
  for (const std::vector<std::int32_t>& offsets : {std::vector<std::int32_t>{0, 2, 1}, {-1, 1, 2}}) {
    const Batch plain{2, 0, {{2, 0, 0, {nullptr, offsets.data(), "ab"}, {}}}};
    EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "u", ""}}, {plain}}).what()), "goes from byte");
    const Batch coded{2, 0, {{2, 0, 0, {nullptr, codes.data()}, words(offsets, "ab")}}};
    EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "c", "u"}}, {coded, coded}}).what()), "goes from byte");
  }
}

TEST_F(Arrow, lengths_and_offsets_whose_sums_leave_their_type_are_refused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<Column> schema{{"x", "g", ""}};
  const Numbers cells{1, 2};
  const auto given = [&](std::int64_t length, std::int64_t offset) {
    return Cells{length, offset, 0, {nullptr, cells.data()}, nullptr};
  };
  EXPECT_MENTIONS(std::string(refused({"+s", schema, {{2, kMost, {given(2, 0)}}}}).what()),
                  "shorter than its batch");
  EXPECT_MENTIONS(std::string(refused({"+s", schema, {{kMost, 1, {given(kMost, 0)}}}}).what()),
                  "shorter than its batch");
  EXPECT_MENTIONS(std::string(refused({"+s", schema, {{1, 1, {given(2, kMost)}}}}).what()),
                  "shorter than its batch");
}

TEST_F(Arrow, dictionaries_of_impossible_length_are_refused) {
  const std::vector<std::int8_t> codes{0, 0};
  const std::vector<std::int32_t> ends{0, 1};
  for (const auto& [length, offset] : {std::pair<std::int64_t, std::int64_t>{-1, 0},
                                       {1, -1},
                                       {1, std::numeric_limits<std::int64_t>::max()}}) {
    const auto dictionary =
        std::make_shared<Cells>(Cells{length, offset, 0, {nullptr, ends.data(), "a"}, nullptr});
    const Batch batch{2, 0, {{2, 0, 0, {nullptr, codes.data()}, dictionary}}};
    EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "c", "u"}}, {batch}}).what()), "a dictionary of");
    EXPECT_MENTIONS(std::string(refused({"+s", {{"x", "c", "u"}}, {batch, batch}}).what()),
                    "a dictionary of");
  }
}

TEST_F(Arrow, a_stream_without_batches_gives_columns_without_rows) {
  const Table table = import({"+s", {{"x", "g", ""}, {"s", "u", ""}, {"d", "i", "u"}}, {}});
  EXPECT_EQ(table.n_rows(), 0);
  EXPECT_EQ(table.n_columns(), 3u);
  EXPECT_EQ(collect_levels(column_of(table, "s")).size(), 0u);
}

TEST_F(Arrow, batches_live_as_long_as_the_table) {
  const Numbers cells{1, 2};
  {
    const Table table =
        import({"+s", {{"x", "g", ""}}, {{2, 0, {{2, 0, 0, {nullptr, cells.data()}, nullptr}}}}});
    EXPECT_EQ(live.arrays, 2);
    EXPECT_EQ(live.schemas, 0);
  }
  EXPECT_EQ(live.arrays, 0);
  ArrowArrayStream gone{};
  EXPECT_THROW(Table::from_arrow(&gone), Error);
  EXPECT_THROW(Table::from_arrow(nullptr), Error);
}

}  // namespace
}  // namespace bough
