// SPDX-License-Identifier: Apache-2.0
// Cells of alive buckets and parts, parts that are counted, and extents of buckets: what a block sends after its histograms.
#include "scale/collect.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "base/parallel.hpp"

namespace bough {
namespace {

// The cells of some rows, with their targets.
CellList cells_of(const NumberSource& numbers, const Targets& targets, Rows found) {
  const std::size_t n = found.size();
  const auto ahead = [&](std::size_t i) {
    if (i + 16 < n) numbers.prefetch(found[i + 16]);
  };
  CellList out;
  if (numbers.is_float()) {
    out.floats.resize(n);
    for (std::size_t i = 0; i < n; ++i) ahead(i), out.floats[i] = numbers.float_at(found[i]);
  } else {
    out.doubles.resize(n);
    for (std::size_t i = 0; i < n; ++i) ahead(i), out.doubles[i] = numbers.at(found[i]);
  }
  const std::size_t n_classes = targets.classes.size(), n_numbers = targets.numbers.size();
  out.classes.resize(n * n_classes);
  out.numbers.resize(n * n_numbers);
  for (std::size_t o = 0; o < n_classes; ++o)
    for (std::size_t i = 0; i < n; ++i) out.classes[i * n_classes + o] = targets.classes[o].codes[found[i]];
  for (std::size_t o = 0; o < n_numbers; ++o)
    for (std::size_t i = 0; i < n; ++i)
      out.numbers[i * n_numbers + o] = targets.numbers[o].fixed.values[found[i]];
  if (targets.weights.empty()) return out;
  out.weights.resize(n);
  for (std::size_t i = 0; i < n; ++i) out.weights[i] = targets.weights[found[i]];
  return out;
}

const NumberSource& numbers_of(const BlockRows& block, ColId column) {
  return block.table.columns[static_cast<std::size_t>(column)].numbers;
}

CellList pick(const BlockRows& block, const TreeNotes& notes, const CellsWanted& wanted) {
  const std::uint8_t* codes = block.table.codes(wanted.column);
  const Rows rows = notes.rows(wanted.node);
  std::vector<RowId> picked(rows.size() + 1);
  std::size_t n = 0;
  for (const RowId row : rows) {
    picked[n] = row;
    n += wanted.alive[codes[row]];
  }
  return cells_of(numbers_of(block, wanted.column), notes.targets(), Rows(picked).first(n));
}

CellList pick_parts(const BlockRows& block, const TreeNotes& notes, const PartsWanted& wanted) {
  const std::uint8_t* codes = block.table.codes(wanted.column.column);
  const NumberSource& numbers = numbers_of(block, wanted.column.column);
  std::array<const PartedBucket*, kBuckets> places{};
  for (const PartedBucket& bucket : wanted.column.buckets) places[bucket.bucket] = &bucket;
  std::vector<RowId> picked;
  for (const RowId row : notes.rows(wanted.node)) {
    const PartedBucket* bucket = places[codes[row]];
    if (bucket != nullptr && bucket->is_alive(bucket->part(numbers.at(row)))) picked.push_back(row);
  }
  return cells_of(numbers, notes.targets(), picked);
}

Buffer<unsigned char> count_parts(const TreeNotes& notes, const PartsWanted& wanted) {
  Buffer<unsigned char> words(notes.counter().parts_bytes(wanted.column.buckets.size()));
  std::fill_n(words.data(), words.size(), static_cast<unsigned char>(0));
  notes.counter().count_parts(notes.rows(wanted.node), wanted.column,
                              {reinterpret_cast<std::byte*>(words.data()), words.size()});
  return words;
}

RangeDouble extent(const BlockRows& block, const TreeNotes& notes, const ExtentWanted& wanted) {
  const std::uint8_t* codes = block.table.codes(wanted.column);
  const NumberSource& numbers = block.table.columns[static_cast<std::size_t>(wanted.column)].numbers;
  RangeDouble range;
  for (const RowId row : notes.rows(wanted.node)) {
    if (codes[row] != wanted.bucket) continue;
    const double x = numbers.at(row);
    range = range.low > range.high ? RangeDouble{x, x}
                                   : RangeDouble{std::min(range.low, x), std::max(range.high, x)};
  }
  return range;
}

void check_numeric(const BlockRows& block, ColId column) {
  if (column < 0 || static_cast<std::size_t>(column) >= block.table.columns.size() ||
      block.table.columns[static_cast<std::size_t>(column)].kind != Kind::numeric)
    throw Error(ErrorCode::bad_data, "a request to blocks asks for cells of a column that has no numbers");
}

}  // namespace

void collect(const BlockRows& block, JobNotes& notes, const Request& request, Answer& sum) {
  // In the order of the answer: cells, cells of parts, counted parts, extents.
  std::vector<std::function<void(Answer&)>> jobs;
  Answer own;
  own.phase = Phase::collect;
  const auto add = [&](ColId column, std::function<void(Answer&)> job) {
    check_numeric(block, column);
    jobs.push_back(std::move(job));
  };
  std::size_t n_cells = 0, n_parts = 0, n_extents = 0;
  for (const TreeRequest& tree : request.trees)
    for (const CellsWanted& wanted : tree.cells)
      add(wanted.column, [&, at = n_cells++, own_notes = &notes.of(tree.tree)](Answer& to) {
        to.cells[at] = pick(block, *own_notes, wanted);
      });
  for (const TreeRequest& tree : request.trees)
    for (const PartsWanted& wanted : tree.parts)
      add(wanted.column.column, [&, at = n_cells++, own_notes = &notes.of(tree.tree)](Answer& to) {
        to.cells[at] = pick_parts(block, *own_notes, wanted);
      });
  for (const TreeRequest& tree : request.trees)
    for (const PartsWanted& wanted : tree.counts)
      add(wanted.column.column, [&, at = n_parts++, own_notes = &notes.of(tree.tree)](Answer& to) {
        to.parts[at] = count_parts(*own_notes, wanted);
      });
  for (const TreeRequest& tree : request.trees)
    for (const ExtentWanted& wanted : tree.extents)
      add(wanted.column, [&, at = n_extents++, own_notes = &notes.of(tree.tree)](Answer& to) {
        to.extents[at] = extent(block, *own_notes, wanted);
      });
  own.cells.resize(n_cells);
  own.parts.resize(n_parts);
  own.extents.resize(n_extents);
  if (!request.trees.empty()) own.lanes = notes.of(request.trees.front().tree).counter().lanes();
  parallel_for(jobs.size(), [&](std::size_t i) { jobs[i](own); });
  if (sum.cells.empty() && sum.parts.empty() && sum.extents.empty()) {
    sum = std::move(own);
  } else {
    sum.merge(std::move(own));
  }
}

}  // namespace bough
