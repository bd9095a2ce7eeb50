// SPDX-License-Identifier: Apache-2.0
// All rows to codes: a sample for the cuts, then block by block.
#include "data/codes.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/bundles.hpp"
#include "data/column_coder.hpp"
#include "data/planned_codes.hpp"

namespace bough {
namespace {

constexpr std::size_t kBlockRows = Fingerprint::kBlockRows;
using Coders = std::span<const std::unique_ptr<ColumnCoder>>;

// Rows spread over the table, one drawn from each of as many equal stretches.
std::vector<RowId> sample_rows(std::size_t n) {
  const std::size_t most = internal_limits().sample_rows, size = std::min(n, most);
  std::vector<RowId> rows(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t low = i * n / size, high = (i + 1) * n / size;
    rows[i] = static_cast<RowId>(low + (n <= most ? 0 : below(draw(7, i), high - low)));
  }
  return rows;
}

// Cuts of all numeric columns; returns the cells they were chosen by. Rows are read in blocks, because the cells of a row
// often lie side by side.
std::vector<std::vector<double>> choose_all_cuts(CodedTable& table, Coders coders, Monitor& monitor) {
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
    if (table.columns[j].kind == Kind::numeric)
      coders[j]->use(choose_cuts(samples[j], table.columns[j].numbers.is_float()));
  });
  return samples;
}

// How many columns from j on lie side by side as the floats of a row-major matrix: four, or it is not worth it.
std::size_t beside(const CodedTable& table, std::size_t j) {
  constexpr std::size_t together = 4;
  if (j + together > table.columns.size()) return 1;
  for (std::size_t k = j; k < j + together; ++k)
    if (table.columns[k].kind != Kind::numeric ||
        (k > j && !table.columns[k - 1].numbers.is_beside(table.columns[k].numbers)))
      return 1;
  return together;
}

// Whether a bundled column and its slot agree: two values, and nobody else there where it is up.
bool join_bundle(const std::uint8_t* codes, std::uint8_t mark, std::size_t count,
                 std::uint8_t* slot) noexcept {
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
  BlockCoder(CodedTable& out, Coders coders, Fingerprint& fingerprint)
      : out_(&out),
        coders_(coders),
        fingerprint_(&fingerprint),
        bytes_(out.by_column.size() == 0 ? 0
               : out.by_row.size() == 0  ? kStride * out.n_slots()
                                         : kStride * ((out.n_slots() + 15) / 16 * 16)) {}

  /// False when a bundle is none.
  bool code(std::size_t k) {
    const std::size_t first = k * kBlockRows,
                      count = std::min(kBlockRows, static_cast<std::size_t>(out_->n_rows) - first);
    const auto begin = static_cast<std::int64_t>(first);
    alignas(64) float floats[4 * kStride];
    Fingerprint::Rows rows(*fingerprint_, first, count);
    bool right = true;
    for (std::size_t j = 0; j < coders_.size();) {
      const std::size_t together = count % 4 == 0 ? beside(*out_, j) : 1;
      if (together > 1)
        transpose_floats(out_->columns[j].numbers.address(begin), out_->columns[j].numbers.stride(), floats,
                         kStride, count);
      for (std::size_t c = 0; c < together; ++c, ++j)
        right &= column(j, together > 1 ? floats + c * kStride : nullptr, begin, count, rows);
    }
    fingerprint_->add(rows);
    for (std::size_t s = 0; !bytes_.empty() && s < out_->n_slots(); ++s)
      std::copy_n(bytes_.data() + s * kStride, count,
                  out_->by_column.data() + s * out_->column_stride + first);
    for (std::size_t s = 0; out_->by_row.size() > 0 && s < out_->n_slots(); s += 16)
      transpose_bytes(bytes_.data() + s * kStride, kStride,
                      out_->by_row.data() + first * out_->row_stride + s, out_->row_stride,
                      (count + 15) / 16 * 16);
    return right;
  }

 private:
  bool column(std::size_t j, const float* given, std::int64_t begin, std::size_t count,
              Fingerprint::Rows& rows) {
    const CodedColumn& column = out_->columns[j];
    std::uint8_t* slot = bytes_.empty() ? nullptr : bytes_.data() + column.slot * kStride;
    std::uint8_t own[kBlockRows];
    coders_[j]->block(given, begin, count, column.mark == 0 ? slot : own, rows, j);
    if (column.mark == 0) return true;
    if (column.mark == 1) std::fill_n(slot, count, std::uint8_t{0});
    return join_bundle(own, column.mark, count, slot);
  }

  static constexpr std::size_t kStride = kBlockRows + 64;
  CodedTable* out_;
  Coders coders_;
  Fingerprint* fingerprint_;
  // Of one block, slot after slot; for by_row up to a multiple of 16 slots, which stay 0. Empty: only cells are wanted.
  std::vector<std::uint8_t> bytes_;
};

void set_strides(CodedTable& out) {
  // An odd number of cache lines between columns keeps blocks of different columns out of the same cache
  // sets.
  out.column_stride = ((static_cast<std::size_t>(out.n_rows) + 63) / 64 | 1) * 64;
  out.row_stride = (out.n_slots() + 1 + 15) / 16 * 16;
}

// Codes all rows into the slots that columns have; false when a bundle is none.
bool code_blocks(CodedTable& out, Coders coders, Fingerprint& fingerprint, Monitor& monitor) {
  std::atomic<bool> right = true;
  fingerprint.restart();
  parallel_ranges((static_cast<std::size_t>(out.n_rows) + kBlockRows - 1) / kBlockRows, 8,
                  [&](std::size_t begin, std::size_t end) {
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

bool code_rows(CodedTable& out, Coders coders, CodeUse use, Fingerprint& fingerprint, Monitor& monitor) {
  set_strides(out);
  if (use != CodeUse::cells || std::ranges::any_of(out.columns, [](const CodedColumn& column) {
        return column.kind != Kind::numeric;
      }))
    out.by_column = Buffer<std::uint8_t>(out.column_stride * out.n_slots());
  if (use != CodeUse::cells)
    out.by_row = Buffer<std::uint8_t>(out.row_stride * (static_cast<std::size_t>(out.n_rows) + 16));
  return code_blocks(out, coders, fingerprint, monitor);
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

CodedTable make_codes(const Table& table, const Schema& features, CodeUse use, Fingerprint& fingerprint,
                      Monitor& monitor) {
  monitor.stage("encode");
  CodedTable out;
  out.use = use;
  const std::size_t n_columns = features.fields.size();
  out.n_rows = table.n_rows();
  out.columns.resize(n_columns);
  std::vector<std::unique_ptr<ColumnCoder>> coders(n_columns);
  parallel_for(n_columns, [&](std::size_t j) {
    monitor.tick();
    const Field& field = features.fields[j];
    describe_column(out.columns[j], field.kind, field.levels.size());
    if (out.columns[j].wide)
      out.columns[j].wide_codes = Buffer<std::uint32_t>(static_cast<std::size_t>(out.n_rows));
    coders[j] = std::make_unique<ColumnCoder>(out.columns[j], table.column(table.find(field.name).value()),
                                              field, out.n_rows);
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

CodedTable plan_codes(std::span<const ColumnShape> columns, std::int64_t n_rows) {
  CodedTable out;
  out.n_rows = n_rows;
  out.columns.resize(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    describe_column(out.columns[j], columns[j].kind, columns[j].n_levels);
    if (columns[j].kind == Kind::numeric) use_cuts(out.columns[j], columns[j].cuts);
  }
  assign_slots(out, {}, false);
  set_strides(out);
  return out;
}

void code_planned(CodedTable& out, const Table& table, const Schema& features,
                  std::span<const ColumnCuts> cuts, std::span<void* const> cells, Fingerprint& fingerprint,
                  Monitor& monitor) {
  std::vector<std::unique_ptr<ColumnCoder>> coders(out.columns.size());
  parallel_for(coders.size(), [&](std::size_t j) {
    const Field& field = features.fields[j];
    coders[j] = std::make_unique<ColumnCoder>(out.columns[j], table.column(table.find(field.name).value()),
                                              field, out.n_rows);
    if (field.kind != Kind::numeric) return;
    coders[j]->use(cuts[j]);
    coders[j]->keep_cells(cells[j]);
  });
  code_blocks(out, coders, fingerprint, monitor);
}

}  // namespace bough
