// SPDX-License-Identifier: Apache-2.0
// Folds by chance, by groups, in the order of time, or as given.
#include "model/folds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "data/cells.hpp"
#include "model/divide_rows.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kFoldSalt = 0xf01d;
constexpr std::uint64_t kHoldOutSalt = 0x0dd5;

// Rows of the table, of which a part (part_of) may count fewer.
std::size_t table_rows(const Prepared& prepared) {
  return prepared.values.is_classification() ? prepared.values.classes.front().codes.size()
                                             : prepared.values.numbers.front().raw.size();
}

// Level of every row in the fold column; `use` says what for.
struct Labels {
  std::vector<std::int32_t> of_row;
  std::size_t n_levels = 0;
};
Labels read_labels(const Table& table, const std::string& name, std::string_view use) {
  const auto index = table.find(name);
  if (!index)
    throw Error(ErrorCode::bad_data, fmt::format("there is no column '{}' to use as {}", name, use),
                "name a column of the table");
  const Levels levels = collect_levels(table.column(*index));
  Labels labels{std::vector<std::int32_t>(static_cast<std::size_t>(table.n_rows())), levels.size()};
  LevelReader(table.column(*index), levels).read(0, labels.of_row);
  for (std::size_t row = 0; row < labels.of_row.size(); ++row)
    if (labels.of_row[row] < 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("the column '{}' of {} is missing in row {}", name, use, row + 1),
                  "fill the cell, or remove the row");
  return labels;
}

[[noreturn]] void refuse_few(std::size_t have, std::string_view what, std::int64_t folds) {
  throw Error(ErrorCode::bad_data, fmt::format("{} {} are too few for {} folds", have, what, folds),
              "lower pruning_folds, or give more rows");
}

// Largest group first, each to the fold that has the fewest rows so far.
void deal_labelled_groups(Folds& folds, const Prepared& prepared, const Labels& groups) {
  std::vector<std::int64_t> size(groups.n_levels, 0);
  for (const RowId row : prepared.values.rows) ++size[static_cast<std::size_t>(groups.of_row[row])];
  std::vector<std::size_t> order;
  for (std::size_t g = 0; g < size.size(); ++g)
    if (size[g] > 0) order.push_back(g);
  if (order.size() < static_cast<std::size_t>(folds.n)) refuse_few(order.size(), "groups", folds.n);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size[a] > size[b]; });
  std::vector<std::int64_t> load(static_cast<std::size_t>(folds.n), 0);
  std::vector<std::int32_t> fold_of(groups.n_levels, Folds::kNoFold);
  for (const std::size_t g : order) {
    const auto least = std::min_element(load.begin(), load.end());
    fold_of[g] = static_cast<std::int32_t>(least - load.begin());
    *least += size[g];
  }
  for (const RowId row : prepared.values.rows)
    folds.of_row[row] = fold_of[static_cast<std::size_t>(groups.of_row[row])];
}

// Blocks of about equal size in the order of time, one more than folds: the first is only grown on. Rows of
// one moment stay together.
void deal_in_order(Folds& folds, const Prepared& prepared, const Labels& time) {
  std::vector<RowId> order = prepared.values.rows;
  const auto moment = [&](RowId row) {
    return time.of_row.empty() ? static_cast<std::int64_t>(row) : time.of_row[row];
  };
  std::stable_sort(order.begin(), order.end(), [&](RowId a, RowId b) { return moment(a) < moment(b); });
  std::vector<std::size_t> starts;  // of every moment in `order`
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || moment(order[i]) != moment(order[i - 1])) starts.push_back(i);
  const std::size_t n_blocks = static_cast<std::size_t>(folds.n) + 1;
  if (starts.size() < n_blocks) refuse_few(starts.size(), "moments", folds.n);
  std::size_t block = 0;
  for (std::size_t m = 0; m < starts.size(); ++m) {
    // A new block when the rows before would fill this one, or when every moment left must open one.
    const bool is_due = starts[m] * n_blocks >= (block + 1) * order.size();
    const bool must = starts.size() - m <= n_blocks - 1 - block;
    if (m > 0 && (is_due || must)) ++block;
    const std::size_t end = m + 1 < starts.size() ? starts[m + 1] : order.size();
    for (std::size_t i = starts[m]; i < end; ++i)
      folds.of_row[order[i]] = static_cast<std::int32_t>(block) - 1;
  }
}

void take_given(Folds& folds, const Prepared& prepared, const Labels& given) {
  std::vector<std::int32_t> number(given.n_levels, Folds::kNoFold);
  for (const RowId row : prepared.values.rows) number[static_cast<std::size_t>(given.of_row[row])] = 0;
  folds.n = 0;
  for (std::int32_t& fold : number)
    if (fold == 0) fold = folds.n++;
  if (folds.n < 2)
    throw Error(ErrorCode::bad_data, "the column of folds names one fold only", "cross-validation needs two");
  for (const RowId row : prepared.values.rows)
    folds.of_row[row] = number[static_cast<std::size_t>(given.of_row[row])];
}

}  // namespace

std::vector<char> hold_out(const Prepared& prepared, double fraction, std::uint64_t seed) {
  std::vector<char> held = hold_out_rows(prepared.values.rows, table_rows(prepared), prepared.values.classes,
                                         fraction, mix(seed, kHoldOutSalt));
  if (std::find(held.begin(), held.end(), char{1}) == held.end())
    throw Error(ErrorCode::bad_data,
                fmt::format("{} rows are too few to hold a share of {} out for pruning",
                            prepared.values.rows.size(), fraction),
                "raise pruning_fraction, or choose another pruning");
  return held;
}

Folds make_folds(const Table& table, const Prepared& prepared, const FoldSpec& spec, std::int32_t n_folds,
                 std::uint64_t seed) {
  Folds folds{n_folds, spec.kind == FoldSpec::Kind::ordered, {}};
  folds.of_row.assign(table_rows(prepared), Folds::kNoFold);
  const std::size_t n_rows = prepared.values.rows.size();
  if (spec.kind != FoldSpec::Kind::given &&
      n_rows < static_cast<std::size_t>(n_folds) + (folds.ordered ? 1 : 0))
    refuse_few(n_rows, "rows", n_folds);
  switch (spec.kind) {
    case FoldSpec::Kind::stratified: {
      const std::vector<RowId> order =
          shuffled_by_class(prepared.values.rows, prepared.values.classes, mix(seed, kFoldSalt));
      for (std::size_t i = 0; i < order.size(); ++i)
        folds.of_row[order[i]] = static_cast<std::int32_t>(i % static_cast<std::size_t>(n_folds));
      break;
    }
    case FoldSpec::Kind::grouped:
      deal_labelled_groups(folds, prepared, read_labels(table, spec.column, "groups"));
      break;
    case FoldSpec::Kind::ordered:
      deal_in_order(folds, prepared,
                    spec.column.empty() ? Labels{} : read_labels(table, spec.column, "the order of rows"));
      break;
    case FoldSpec::Kind::given:
      take_given(folds, prepared, read_labels(table, spec.column, "folds"));
      break;
  }
  return folds;
}

Prepared part_of(const Prepared& whole, const std::vector<char>& keep) {
  Prepared part;
  part.task = whole.task;
  part.features = whole.features;
  part.targets = whole.targets;
  part.treatment = whole.treatment;
  part.values.treated = whole.values.treated;
  part.weights.resize(keep.size());
  for (std::size_t row = 0; row < keep.size(); ++row)
    part.weights[row] = keep[row] ? (whole.weights.empty() ? 1.0 : whole.weights[row]) : 0.0;
  part.values.classes = whole.values.classes;
  for (const NumberTarget& target : whole.values.numbers) {
    part.values.numbers.emplace_back();
    part.values.numbers.back().raw = target.raw;
  }
  to_fixed_point(part.values, part.weights, whole.n_rows);
  part.n_rows = static_cast<std::int64_t>(std::count(keep.begin(), keep.end(), char{1}));
  return part;
}

}  // namespace bough
