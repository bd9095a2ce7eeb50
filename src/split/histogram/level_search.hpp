// SPDX-License-Identifier: Apache-2.0
// What searches of a node's histogram share, wherever its rows are: totals, neighbours of a cut, and the sums of levels.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "split/column_search.hpp"
#include "split/histogram/cut.hpp"
#include "split/histogram/histogram_view.hpp"

namespace bough {

/// Whether a column is searched by cuts between its buckets.
inline bool has_ordered_buckets(const CodedColumn& column) noexcept {
  return column.kind != Kind::category && !column.wide;
}

/// The next bucket that has rows, or the missing one.
template <class Layout>
std::size_t next_bucket(const HistogramView<Layout>& view, const CodedColumn& column, const Cut& cut) {
  std::size_t next = cut.bucket + std::size_t{1};
  while (next < column.missing_bucket() && view.n_rows(cut.column, next) == 0) ++next;
  return next;
}

/// The sums of all rows of a histogram.
template <class Layout, class FamilyT>
typename FamilyT::Node histogram_totals(const CodedTable& table, const Layout& layout, const FamilyT& family,
                                        const typename Layout::Word* words) {
  typename FamilyT::Node sums = family.node({});
  for (std::size_t b = 0; b < table.slot_begins[1]; ++b) layout.add_bucket(words, b, sums);
  if constexpr (requires { sums.totals; })
    for (auto& total : sums.totals) total = make_parent(total);
  return sums;
}

/// An output is pure when one of its classes has all the weight.
inline bool all_pure(const ClassFamily::Node& sums, std::size_t n_outputs) {
  return static_cast<std::size_t>(std::count(sums.counts.begin(), sums.counts.end(), sums.weight)) ==
         n_outputs;
}

/// The levels of a column, as buckets of words one after the other; that of missing cells is behind the last, at `missing`.
template <class Word>
struct LevelWords {
  ColId id = 0;
  Kind kind = Kind::category;
  std::size_t n = 0;
  std::size_t missing = 0;
  const Word* words = nullptr;
};
template <class Word>
LevelWords<Word> levels_of(const CodedColumn& column, ColId id, const Word* words) {
  return {id, column.kind, column.n_levels, column.wide ? column.n_levels : column.missing_bucket(), words};
}

/// A column by the sums of its levels.
template <class FamilyT, class Layout>
ColumnFound search_levels(const FamilyT& family, const typename FamilyT::Node& node, const NodeTask& task,
                          const EngineOptions& options, const Layout& layout,
                          const LevelWords<typename Layout::Word>& levels) {
  NodeColumn column;
  column.id = levels.id;
  column.kind = levels.kind;
  std::vector<typename FamilyT::Node> sums;
  for (std::size_t level = 0; level < levels.n; ++level) {
    const std::uint32_t count = layout.n_rows(levels.words + level * layout.words());
    if (count == 0) continue;
    column.groups.push_back({static_cast<double>(level), count, {}});
    sums.push_back(zero_like(node));
    layout.add_bucket(levels.words, level, sums.back());
  }
  column.n_missing = layout.n_rows(levels.words + levels.missing * layout.words());
  auto missing = zero_like(node);
  layout.add_bucket(levels.words, levels.missing, missing);
  return scan_column(family, node, task, options, column, std::move(sums), std::move(missing));
}

}  // namespace bough
