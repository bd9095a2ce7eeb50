// SPDX-License-Identifier: Apache-2.0
// Images of blocks: layout, checksum, reading.
#include "scale/block_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/hash.hpp"
#include "base/pack.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

constexpr std::array<char, 8> kBlockMagic{'\x89', 'B', 'O', 'U', 'G', 'H', 'R', 'B'};
constexpr std::uint32_t kBlockVersion = 1;
constexpr std::size_t kLine = 64;

struct BlockHeader {
  std::array<char, 8> magic = kBlockMagic;
  std::uint32_t version = kBlockVersion;
  std::uint32_t unused = 0;
  std::uint64_t total = 0;
  std::uint64_t described = 0;
  std::uint64_t checksum = 0;
  std::array<std::uint64_t, 3> spare{};
};
static_assert(sizeof(BlockHeader) == kLine);

[[noreturn]] void refuse(std::string_view how) {
  throw Error(ErrorCode::bad_data, "the image of a block " + std::string(how),
              "make the block again from its rows");
}

// Pieces are hashed side by side, then their hashes.
std::uint64_t checksum(std::span<const std::byte> bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::uint64_t> hashes((bytes.size() + piece - 1) / piece);
  parallel_for(hashes.size(), [&](std::size_t k) {
    const auto part = bytes.subspan(k * piece, std::min(piece, bytes.size() - k * piece));
    hashes[k] = hash_bytes(part.data(), part.size());
  });
  return hash_values(std::span<const std::uint64_t>(hashes), bytes.size());
}

constexpr std::size_t up(std::size_t bytes) noexcept {
  return (bytes + kLine - 1) / kLine * kLine;
}

ColumnShape read_column(Unpacker& from) {
  ColumnShape column;
  column.kind = from.choice<Kind>(3);
  column.n_levels = from.get<std::uint32_t>();
  if (column.kind != Kind::numeric) return column;
  column.cuts.is_float = from.yes();
  column.cuts.dense = from.yes();
  column.cuts.cuts = from.all<double>();
  const std::vector<double>& cuts = column.cuts.cuts;
  if (cuts.size() >= kBuckets - 1 ||
      std::any_of(cuts.begin(), cuts.end(), [](double x) { return std::isnan(x); }) ||
      !std::is_sorted(cuts.begin(), cuts.end()))
    from.fail("hold cuts that are none");
  return column;
}

BlockShape read_description(std::string_view bytes, BlockFacts& facts) {
  Unpacker from(bytes, "a block's description");
  BlockShape shape;
  shape.first_row = from.get<std::int64_t>();
  shape.n_rows = from.get<std::int64_t>();
  if (shape.n_rows < 0 || shape.n_rows > INT32_MAX || shape.first_row < 0 || shape.first_row > INT32_MAX)
    from.fail("hold a number of rows that is none");
  const std::size_t n_columns = from.size(5);
  for (std::size_t j = 0; j < n_columns; ++j) shape.columns.push_back(read_column(from));
  shape.n_classes = from.all<std::uint32_t>();
  shape.n_numbers = from.get<std::uint32_t>();
  if (shape.n_numbers > bytes.size()) from.fail("hold a number of targets that is none");
  shape.weighted = from.yes();
  facts = BlockFacts::from_bytes(from.text());
  from.take(shape.n_numbers);
  from.end();
  if (facts.has_missing.size() != shape.columns.size() || facts.n_rows != shape.n_rows)
    from.fail("contradict themselves");
  return shape;
}

template <class T>
std::span<const T> part(std::span<const std::byte> image, std::size_t at, std::int64_t n_rows) {
  return {reinterpret_cast<const T*>(image.data() + at), static_cast<std::size_t>(n_rows)};
}

}  // namespace

std::string description(const BlockShape& shape, const BlockFacts& facts) {
  Packer to;
  to.put(shape.first_row).put(shape.n_rows).put(static_cast<std::uint64_t>(shape.columns.size()));
  for (const ColumnShape& column : shape.columns) {
    to.put(static_cast<std::uint8_t>(column.kind)).put(static_cast<std::uint32_t>(column.n_levels));
    if (column.kind != Kind::numeric) continue;
    to.put(static_cast<std::uint8_t>(column.cuts.is_float))
        .put(static_cast<std::uint8_t>(column.cuts.dense))
        .put(column.cuts.cuts);
  }
  to.put(shape.n_classes)
      .put(shape.n_numbers)
      .put(static_cast<std::uint8_t>(shape.weighted))
      .put(facts.bytes());
  to.bytes().append(shape.n_numbers, '\0');  // so that their number is bounded by the size
  return to.take();
}

BlockPlaces places(const BlockShape& shape, const CodedTable& table, std::size_t description_bytes) {
  const auto n = static_cast<std::size_t>(shape.n_rows);
  BlockPlaces at;
  std::size_t next = kLine + up(description_bytes);
  const auto take = [&](std::size_t bytes) {
    const std::size_t begin = next;
    next += up(bytes);
    return begin;
  };
  at.by_column = take(table.column_stride * table.n_slots());
  at.by_row = take(table.row_stride * (n + 16));
  for (std::size_t j = 0; j < shape.columns.size(); ++j) {
    const bool numeric = shape.columns[j].kind == Kind::numeric;
    at.cells.push_back(numeric ? take(n * (shape.columns[j].cuts.is_float ? sizeof(float) : sizeof(double)))
                               : 0);
    at.wide.push_back(table.columns[j].wide ? take(n * sizeof(std::uint32_t)) : 0);
  }
  for (std::size_t o = 0; o < shape.n_classes.size(); ++o)
    at.classes.push_back(take(n * sizeof(std::uint32_t)));
  for (std::size_t o = 0; o < shape.n_numbers; ++o) at.numbers.push_back(take(n * sizeof(double)));
  if (shape.weighted) at.weights = take(n * sizeof(double));
  at.total = next;
  return at;
}

void view_parts(CodedTable& table, const BlockShape& shape, const BlockPlaces& at, const std::byte* image) {
  const auto n = static_cast<std::size_t>(shape.n_rows);
  const auto bytes = [&](std::size_t begin) { return reinterpret_cast<const std::uint8_t*>(image + begin); };
  table.by_column = Buffer<std::uint8_t>::view(bytes(at.by_column), table.column_stride * table.n_slots());
  table.by_row = Buffer<std::uint8_t>::view(bytes(at.by_row), table.row_stride * (n + 16));
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    CodedColumn& column = table.columns[j];
    if (column.wide)
      column.wide_codes =
          Buffer<std::uint32_t>::view(reinterpret_cast<const std::uint32_t*>(image + at.wide[j]), n);
    if (column.kind != Kind::numeric) continue;
    const bool is_float = shape.columns[j].cuts.is_float;
    Chunk chunk;
    chunk.data = image + at.cells[j];
    chunk.stride = is_float ? sizeof(float) : sizeof(double);
    chunk.length = shape.n_rows;
    column.numbers =
        NumberSource(ColumnView{is_float ? Dtype::f32 : Dtype::f64, {chunk}, nullptr}, shape.n_rows);
  }
}

void seal(std::span<std::byte> image, std::string_view described) {
  BlockHeader header;
  header.total = image.size();
  header.described = described.size();
  std::memset(image.data() + kLine, 0, up(described.size()));
  std::memcpy(image.data() + kLine, described.data(), described.size());
  header.checksum = checksum(image.subspan(kLine));
  std::memcpy(image.data(), &header, kLine);
}

BlockRows read_image(std::span<const std::byte> image) {
  BlockHeader header;
  if (image.size() < 2 * kLine) refuse("ends early");
  std::memcpy(&header, image.data(), kLine);
  if (header.magic != kBlockMagic) refuse("is none");
  if (header.version != kBlockVersion) refuse("is of another version");
  if (header.total != image.size() || header.described > image.size() - kLine) refuse("ends early");
  if (header.unused != 0 || header.spare != decltype(header.spare){} ||
      checksum(image.subspan(kLine)) != header.checksum)
    refuse("has changed since it was written");
  return read_sealed(image);
}

BlockRows read_sealed(std::span<const std::byte> image) {
  BlockHeader header;
  std::memcpy(&header, image.data(), kLine);
  BlockRows rows;
  const BlockShape shape = read_description(
      {reinterpret_cast<const char*>(image.data()) + kLine, static_cast<std::size_t>(header.described)},
      rows.facts);
  rows.first_row = shape.first_row;
  rows.table = plan_codes(shape.columns, shape.n_rows);
  const BlockPlaces at = places(shape, rows.table, static_cast<std::size_t>(header.described));
  if (at.total != image.size()) refuse("is not as long as it says");
  view_parts(rows.table, shape, at, image.data());
  for (std::size_t j = 0; j < shape.columns.size(); ++j) {
    rows.table.columns[j].has_missing = rows.facts.has_missing[j] != 0;
    rows.table.columns[j].single = rows.facts.single[j];
  }
  rows.n_classes = shape.n_classes;
  for (const std::size_t begin : at.classes)
    rows.classes.push_back(part<std::uint32_t>(image, begin, shape.n_rows));
  for (const std::size_t begin : at.numbers) rows.numbers.push_back(part<double>(image, begin, shape.n_rows));
  if (shape.weighted) rows.weights = part<double>(image, at.weights, shape.n_rows);
  return rows;
}

}  // namespace bough
