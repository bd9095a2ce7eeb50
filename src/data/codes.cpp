// SPDX-License-Identifier: Apache-2.0
// Cuts from a sample, buckets from cuts.
#include "data/codes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/vector_sort.hpp"
#include "data/bucket_kernels.hpp"
#include "data/bundles.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"

namespace bough {
namespace {

constexpr std::size_t kSample = 16384;
constexpr std::size_t kMaxCuts = 254;  // buckets 0 .. 254
constexpr std::size_t kBlockRows = Fingerprint::kBlockRows;

// Quantiles of the sample: 226 even ones and 14 geometric ones at each end.
std::vector<double> sample_levels() {
  constexpr int even = 226, ends = 7;
  std::vector<double> levels;
  for (int j = 1; j < even; ++j) levels.push_back(static_cast<double>(j) / even);
  for (int g = 1; g <= ends; ++g) {
    levels.push_back(std::ldexp(1.0 / even, -g));
    levels.push_back(1.0 - std::ldexp(1.0 / even, -g));
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

// Cuts from a sorted sample. All values when they are few; otherwise quantiles, where a value that is hit
// twice gets a bucket of its own by a second cut just below it.
template <class T>
std::vector<T> choose_cuts(const std::vector<T>& sample, bool& dense) {
  std::vector<T> cuts;
  for (const T x : sample) {
    if (!cuts.empty() && cuts.back() == x) continue;
    if (cuts.size() == kMaxCuts) break;
    cuts.push_back(x);
  }
  dense = sample.empty() || cuts.back() == sample.back();
  if (dense) return cuts;
  cuts.clear();
  static const std::vector<double> levels = sample_levels();
  std::vector<T> heavy;
  for (const double level : levels) {
    const T x = sample[std::min(sample.size() - 1,
                                static_cast<std::size_t>(level * static_cast<double>(sample.size())))];
    if (cuts.empty() || cuts.back() != x) {
      cuts.push_back(x);
    } else if (heavy.empty() || heavy.back() != x) {
      heavy.push_back(x);
    }
  }
  for (const T x : heavy) cuts.push_back(std::nextafter(x, -std::numeric_limits<T>::infinity()));
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.resize(std::min(cuts.size(), kMaxCuts));
  return cuts;
}

template <class T>
struct ColumnCoder {
  CutTable<T> table;
  bool dense = false;

  /// `sample`: some cells of the column, NaN where missing.
  ColumnCoder(CodedColumn& column, std::vector<T> sample) {
    std::erase_if(sample, [](T x) { return std::isnan(x); });
    vector_sort(std::span(sample));
    const std::vector<T> cuts = choose_cuts(sample, dense);
    table.cuts.fill(std::numeric_limits<T>::infinity());
    std::copy(cuts.begin(), cuts.end(), table.cuts.begin());
    column.cuts.assign(cuts.begin(), cuts.end());
    column.n_buckets = static_cast<std::uint32_t>(cuts.size() + 2);  // above the last cut, and missing
    table.missing = static_cast<std::uint8_t>(cuts.size() + 1);
    table.few = cuts.size() < 16;
    for (std::size_t i = 0; i < 16; ++i) table.blocks[i] = table.cuts[16 * i + 15];
    for (std::size_t b = 0; b < cuts.size(); ++b)
      column.single[b] = dense || (b > 0 && std::nextafter(cuts[b - 1], cuts[b]) == cuts[b]);
  }

  // Codes a block, loaded already or not; in a dense column a value that is not its bucket's own clears `single`.
  void code(const T* block, const NumberSource& numbers, std::int64_t begin, std::size_t count, std::uint8_t* out,
            std::array<bool, kBuckets>& single, bool& missing,
            const std::function<void(std::span<const T>)>& seen) const {
    alignas(64) T loaded[kBlockRows];
    if (block == nullptr) {
      numbers.load(begin, std::span<T>(loaded, count));
      block = loaded;
    }
    seen(std::span<const T>(block, count));
    const CellsSeen cells = find_buckets(table, dense, block, count, out);
    missing |= cells.missing;
    for (std::size_t i = 0; dense && cells.between && i < count; ++i)
      if (out[i] != table.missing && block[i] != table.cuts[out[i]]) single[out[i]] = false;
  }
};

// One column's way from cells to bytes, block by block; safe to call for different blocks at once.
class Coder {
 public:
  Coder(CodedColumn& column, const Table::Column& cells, const Field& field, std::int64_t n_rows)
      : column_(&column), cells_(&cells), field_(&field) {
    column.kind = field.kind;
    column.n_levels = static_cast<std::uint32_t>(field.levels.size());
    if (field.kind == Kind::numeric) {
      column.numbers = NumberSource(cells, n_rows);
      return;
    }
    levels_ = std::make_unique<LevelReader>(cells, field.levels);
    column.single.fill(true);
    column.wide = field.levels.size() > kMaxByteLevels;
    column.n_buckets = column.wide ? 2 : column.n_levels + 1;
    if (column.wide) column.wide_codes.resize(static_cast<std::size_t>(n_rows));
  }

  /// Numeric: chooses the cuts by some cells of the column.
  void choose(const std::vector<double>& sample) {
    if (column_->numbers.is_float()) {
      floats_ = std::make_unique<ColumnCoder<float>>(*column_, std::vector<float>(sample.begin(), sample.end()));
    } else {
      doubles_ = std::make_unique<ColumnCoder<double>>(*column_, sample);
    }
  }

  /// Codes rows [begin, begin + count), whose floats may be given, and notes the block in the fingerprint as that of column j.
  void block(const float* given, std::int64_t begin, std::size_t count, std::uint8_t* out, Fingerprint& fingerprint,
             std::size_t j) {
    const std::size_t index = static_cast<std::size_t>(begin) / kBlockRows;
    const auto seen = [&](auto cells) { fingerprint.block(j, index, cells); };
    std::array<bool, kBuckets> single;
    single.fill(true);
    bool missing = false;
    if (column_->kind == Kind::numeric && !floats_ && !doubles_) note_numbers(given, begin, count, seen);
    if (floats_) floats_->code(given, column_->numbers, begin, count, out, single, missing, seen);
    if (doubles_) doubles_->code(nullptr, column_->numbers, begin, count, out, single, missing, seen);
    if (levels_) missing = read_levels(begin, count, out, seen);
    const bool dense = (floats_ && floats_->dense) || (doubles_ && doubles_->dense);
    if (!missing && !dense) return;
    const std::lock_guard lock(mutex_);
    column_->has_missing |= missing;
    if (dense)
      for (std::size_t b = 0; b < kBuckets; ++b) column_->single[b] &= single[b];
  }

 private:
  // Cells only: no codes are wanted.
  template <class Seen>
  void note_numbers(const float* given, std::int64_t begin, std::size_t count, const Seen& seen) const {
    if (given != nullptr) return seen(std::span<const float>(given, count));
    const auto load = [&](auto* block) {
      column_->numbers.load(begin, std::span(block, count));
      seen(std::span<const std::remove_pointer_t<decltype(block)>>(block, count));
    };
    alignas(64) float floats[kBlockRows];
    alignas(64) double doubles[kBlockRows];
    column_->numbers.is_float() ? load(floats) : load(doubles);
  }

  template <class Seen>
  bool read_levels(std::int64_t begin, std::size_t count, std::uint8_t* out, const Seen& seen) {
    std::int32_t levels[kBlockRows];
    bool missing = false;
    levels_->read(begin, std::span(levels, count));
    seen(std::span<const std::int32_t>(levels, count));
    for (std::size_t i = 0; i < count; ++i) {
      if (levels[i] == kUnseenLevel) refuse_unseen(*cells_, *field_, begin + static_cast<std::int64_t>(i));
      missing |= levels[i] < 0;
      if (column_->wide) {
        column_->wide_codes[static_cast<std::size_t>(begin) + i] =
            levels[i] < 0 ? kMissingCode : static_cast<std::uint32_t>(levels[i]);
        out[i] = 0;
      } else {
        out[i] = static_cast<std::uint8_t>(levels[i] < 0 ? column_->missing_bucket() : static_cast<std::size_t>(levels[i]));
      }
    }
    return missing;
  }

  CodedColumn* column_;
  const Table::Column* cells_;
  const Field* field_;
  std::unique_ptr<ColumnCoder<float>> floats_;
  std::unique_ptr<ColumnCoder<double>> doubles_;
  std::unique_ptr<LevelReader> levels_;
  std::mutex mutex_;
};

// Rows spread over the table, one drawn from each of as many equal stretches.
std::vector<RowId> sample_rows(std::size_t n) {
  const std::size_t size = std::min(n, kSample);
  std::vector<RowId> rows(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t low = i * n / size, high = (i + 1) * n / size;
    rows[i] = static_cast<RowId>(low + (n <= kSample ? 0 : below(draw(7, i), high - low)));
  }
  return rows;
}

// Cuts of all numeric columns; returns the cells they were chosen by. Rows are read in blocks, because the cells of a row
// often lie side by side.
std::vector<std::vector<double>> choose_all_cuts(CodedTable& table, std::span<const std::unique_ptr<Coder>> coders, Monitor& monitor) {
  const std::vector<RowId> rows = sample_rows(static_cast<std::size_t>(table.n_rows));
  std::vector<std::vector<double>> samples(table.columns.size());
  constexpr std::size_t block = 64;
  for (std::size_t j = 0; j < samples.size(); ++j)
    if (table.columns[j].kind == Kind::numeric) samples[j].resize(rows.size());
  parallel_ranges((rows.size() + block - 1) / block, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t begin = k * block, end = std::min(rows.size(), begin + block);
      for (std::size_t j = 0; j < samples.size(); ++j) {
        if (samples[j].empty()) continue;
        for (std::size_t i = begin; i < end; ++i) samples[j][i] = table.columns[j].numbers.at(rows[i]);
      }
    }
  });
  parallel_for(samples.size(), [&](std::size_t j) {
    monitor.tick();
    if (table.columns[j].kind == Kind::numeric) coders[j]->choose(samples[j]);
  });
  return samples;
}

// How many columns from j on lie side by side as the floats of a row-major matrix: four, or it is not worth it.
std::size_t beside(const CodedTable& table, std::size_t j) {
  constexpr std::size_t together = 4;
  if (j + together > table.columns.size()) return 1;
  for (std::size_t k = j; k < j + together; ++k)
    if (table.columns[k].kind != Kind::numeric || (k > j && !table.columns[k - 1].numbers.is_beside(table.columns[k].numbers)))
      return 1;
  return together;
}

// Whether a bundled column and its slot agree: two values, and nobody else there where it is up.
bool join_bundle(const std::uint8_t* codes, std::uint8_t mark, std::size_t count, std::uint8_t* slot) noexcept {
  std::uint8_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool up = codes[i] == 1;
    wrong |= static_cast<std::uint8_t>(codes[i] > 1 || (up && slot[i] != 0));
    slot[i] = up ? mark : slot[i];
  }
  return wrong == 0;
}

// Codes one block of rows after the other, into by_column and by_row.
class BlockCoder {
 public:
  BlockCoder(CodedTable& out, std::span<const std::unique_ptr<Coder>> coders, Fingerprint& fingerprint)
      : out_(&out), coders_(coders), fingerprint_(&fingerprint), bytes_(kStride * ((out.n_slots() + 15) / 16 * 16), 0) {}

  /// False when a bundle is none.
  bool code(std::size_t k) {
    const std::size_t first = k * kBlockRows, count = std::min(kBlockRows, static_cast<std::size_t>(out_->n_rows) - first);
    const auto begin = static_cast<std::int64_t>(first);
    alignas(64) float floats[4 * kStride];
    bool right = true;
    for (std::size_t j = 0; j < coders_.size();) {
      const std::size_t together = count % 4 == 0 ? beside(*out_, j) : 1;
      if (together > 1)
        transpose_floats(out_->columns[j].numbers.address(begin), out_->columns[j].numbers.stride(), floats, kStride, count);
      for (std::size_t c = 0; c < together; ++c, ++j)
        right &= column(j, together > 1 ? floats + c * kStride : nullptr, begin, count);
    }
    for (std::size_t s = 0; s < out_->n_slots(); ++s)
      std::copy_n(bytes_.data() + s * kStride, count, out_->by_column.data() + s * out_->column_stride + first);
    for (std::size_t s = 0; out_->by_row.size() > 0 && s < out_->n_slots(); s += 16)
      transpose_bytes(bytes_.data() + s * kStride, kStride, out_->by_row.data() + first * out_->row_stride + s, out_->row_stride,
                      (count + 15) / 16 * 16);
    return right;
  }

 private:
  bool column(std::size_t j, const float* given, std::int64_t begin, std::size_t count) {
    const CodedColumn& column = out_->columns[j];
    std::uint8_t* slot = bytes_.data() + column.slot * kStride;
    std::uint8_t own[kBlockRows];
    coders_[j]->block(given, begin, count, column.mark == 0 ? slot : own, *fingerprint_, j);
    if (column.mark == 0) return true;
    if (column.mark == 1) std::fill_n(slot, count, std::uint8_t{0});
    return join_bundle(own, column.mark, count, slot);
  }

  static constexpr std::size_t kStride = kBlockRows + 64;
  CodedTable* out_;
  std::span<const std::unique_ptr<Coder>> coders_;
  Fingerprint* fingerprint_;
  std::vector<std::uint8_t> bytes_;  // of one block, slot after slot; up to a multiple of 16 slots, which stay 0
};

// Codes all rows into the slots that columns have; false when a bundle is none.
bool code_rows(CodedTable& out, std::span<const std::unique_ptr<Coder>> coders, CodeUse use, Fingerprint& fingerprint,
               Monitor& monitor) {
  const auto n_rows = static_cast<std::size_t>(out.n_rows);
  // An odd number of cache lines between columns keeps blocks of different columns out of the same cache
  // sets.
  out.column_stride = ((n_rows + 63) / 64 | 1) * 64;
  out.row_stride = (out.n_slots() + 1 + 15) / 16 * 16;
  out.by_column = Buffer<std::uint8_t>(out.column_stride * out.n_slots());
  if (use != CodeUse::cells) out.by_row = Buffer<std::uint8_t>(out.row_stride * (n_rows + 16));
  std::atomic<bool> right = true;
  parallel_ranges((n_rows + kBlockRows - 1) / kBlockRows, 8, [&](std::size_t begin, std::size_t end) {
    BlockCoder blocks(out, coders, fingerprint);
    for (std::size_t k = begin; k < end; ++k) {
      monitor.tick();
      if (!blocks.code(k)) right = false;
    }
  });
  for (const CodedColumn& column : out.columns)
    if (column.mark > 0 && !(column.single[0] && column.single[1])) right = false;
  return right;
}

}  // namespace

double CodedTable::cell(ColId j, RowId row) const noexcept {
  const CodedColumn& c = columns[static_cast<std::size_t>(j)];
  if (c.kind == Kind::numeric) return c.numbers.at(row);
  if (c.wide)
    return c.wide_codes[row] == kMissingCode ? std::numeric_limits<double>::quiet_NaN()
                                             : static_cast<double>(c.wide_codes[row]);
  const std::uint8_t code = codes(j)[row];
  return code == c.missing_bucket() ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(code);
}

CodedTable make_codes(const Table& table, const Schema& features, CodeUse use, Fingerprint& fingerprint, Monitor& monitor) {
  monitor.stage("encode");
  CodedTable out;
  const std::size_t n_columns = features.fields.size();
  out.n_rows = table.n_rows();
  out.columns.resize(n_columns);
  std::vector<std::unique_ptr<Coder>> coders(n_columns);
  parallel_for(n_columns, [&](std::size_t j) {
    monitor.tick();
    const Field& field = features.fields[j];
    coders[j] = std::make_unique<Coder>(out.columns[j], table.column(table.find(field.name).value()), field,
                                        out.n_rows);
  });
  std::vector<std::vector<double>> samples(n_columns);
  if (use != CodeUse::cells) samples = choose_all_cuts(out, coders, monitor);
  assign_slots(out, samples, use == CodeUse::search);
  if (!code_rows(out, coders, use, fingerprint, monitor)) {
    assign_slots(out, samples, false);
    code_rows(out, coders, use, fingerprint, monitor);
  }
  return out;
}

}  // namespace bough
