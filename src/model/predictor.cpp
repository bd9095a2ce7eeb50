// SPDX-License-Identifier: Apache-2.0
// Answers for blocks of rows through the compact layout.
#include "model/predictor.hpp"

#include <algorithm>

#include "predict/repeated_rows.hpp"

namespace bough {

namespace {

// Zeros: a few of them right here, since one row is answered too fast to ask for memory.
template <class T, std::size_t kFew>
class FewOrMany {
 public:
  explicit FewOrMany(std::size_t size) : size_(size) {
    if (size > kFew) many_.resize(size);
  }
  [[nodiscard]] std::span<T> all() noexcept {
    return many_.empty() ? std::span<T>(few_).first(size_) : std::span<T>(many_);
  }

 private:
  std::size_t size_;
  std::array<T, kFew> few_{};
  std::vector<T> many_;
};

// Doubles as floats, row by row, where that changes no cell: floats are walked faster. False where it would.
bool as_floats(const CellGrid<float>&, std::size_t, std::size_t, std::vector<float>&) {
  return false;
}
bool as_floats(const CellGrid<double>& cells, std::size_t count, std::size_t n_columns,
               std::vector<float>& floats) {
  constexpr std::size_t kFew = 32, kAtOnce = 64;
  if (count < kFew) return false;
  floats.resize(count * n_columns);
  for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
    const std::size_t end = std::min(count, begin + kAtOnce);
    bool changed = false;
    const auto put = [&](std::size_t i, std::size_t j) {
      const double cell = cells.data[static_cast<std::ptrdiff_t>(i) * cells.row_stride +
                                     static_cast<std::ptrdiff_t>(j) * cells.column_stride];
      const auto near = static_cast<float>(cell);
      changed |= static_cast<double>(near) != cell && cell == cell;
      floats[i * n_columns + j] = near;
    };
    if (cells.column_stride == 1) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = 0; j < n_columns; ++j) put(i, j);
    } else {
      for (std::size_t j = 0; j < n_columns; ++j)
        for (std::size_t i = begin; i < end; ++i) put(i, j);
    }
    if (changed) return false;
  }
  return true;
}

}  // namespace

Predictor::Predictor(const Model::Parts& parts) : parts_(&parts) {
  trees_.reserve(parts.trees.size());
  for (const Tree& tree : parts.trees) trees_.emplace_back(tree);
  n_columns_ = parts.features.fields.size();
  if (parts.combine == Combine::single) {
    make_answers();
    make_shares();
    return;
  }
  Combiner combiner(parts);
  ends_.reserve(trees_.size());
  for (std::size_t i = 0; i < trees_.size(); ++i) ends_.emplace_back(combiner, i, trees_[i]);
  // Fewer rows fetch every tree more often, more of them no longer fit the cache beside it: measured.
  constexpr std::size_t kBytes = std::size_t{1} << 20, kLeast = 16, kMost = std::size_t{1} << 14;
  together_ = std::clamp(kBytes / (sizeof(float) * n_columns_ + sizeof(double) * combiner.width() + 1),
                         kLeast, kMost);
}

void Predictor::make_answers() {
  const CompactTree& compact = trees_.front();
  const std::size_t width = parts_->targets.fields.size();
  answers_.assign(compact.n_ends() * width, 0.0);
  Combiner combiner(*parts_);
  for (std::size_t end = 0; end < compact.n_ends(); ++end) {
    const NodeId node = compact.node(static_cast<CompactTree::End>(end));
    const auto weights =
        combiner.combine([&](std::size_t i, std::span<double> out) { combiner.answer_at(i, node, out); });
    combiner.finish(weights, std::span(answers_).subspan(end * width, width));
  }
}

void Predictor::make_shares() {
  constexpr std::size_t kMost = std::size_t{1} << 18;
  const CompactTree& compact = trees_.front();
  const std::size_t width = value_width(*parts_);
  if (parts_->task != Task::classification || compact.n_ends() * width > kMost) return;
  shares_.resize(compact.n_ends() * width);
  const Combiner combiner(*parts_);
  for (std::size_t end = 0; end < compact.n_ends(); ++end) {
    const std::span<double> to = std::span(shares_).subspan(end * width, width);
    combiner.answer_at(0, compact.node(static_cast<CompactTree::End>(end)), to);
    normalise_outputs(parts_->trees.front(), to);
  }
}

// Calls each(row, end) for every row.
template <class T, class Each>
[[gnu::always_inline]] inline void Predictor::for_ends(const CompactTree& tree, const CellGrid<T>& cells,
                                                       std::size_t count, const Each& each) const {
  std::array<CompactTree::End, kBlock> ends;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::span<CompactTree::End> some = std::span(ends).first(std::min(kBlock, count - begin));
    const CellGrid<T> block = cells.skip(begin);
    // A look at all cells, which vectors take, saves a comparison per step.
    const bool look = tree.n_columns() <= 4 * static_cast<std::size_t>(tree.depth());
    tree.find(block, some, !look || any_missing(block, some.size(), tree.n_columns()));
    for (std::size_t i = 0; i < some.size(); ++i) each(begin + i, some[i]);
  }
}

// Copies `width` of the numbers that are ready for every row's end; split(row, out) answers rows that end in several.
template <class T, class Split>
void Predictor::copy_ready(const CellGrid<T>& cells, const Ready& ready, std::span<double> out,
                           const Split& split) const {
  const std::size_t width = ready.width, step = ready.numbers.size() / trees_.front().n_ends();
  if (width == 1) {
    const double* from = ready.numbers.data() + ready.start;
    for_ends(trees_.front(), cells, out.size(), [=](std::size_t i, CompactTree::End end) {
      if (end == CompactTree::kSplit) return split(i, out.subspan(i, 1));
      out[i] = from[end * step];
    });
    return;
  }
  for_ends(trees_.front(), cells, out.size() / width, [&](std::size_t i, CompactTree::End end) {
    double* to = out.data() + i * width;
    if (end == CompactTree::kSplit) return split(i, std::span(to, width));
    const double* from = ready.numbers.data() + end * step + ready.start;
    for (std::size_t k = 0; k < width; ++k) to[k] = from[k];
  });
}

// Calls each(combiner, row, weights) for every row, with what all trees together say.
template <class T, class Each>
void Predictor::combine_rows(const CellGrid<T>& cells, std::size_t count, const Each& each) const {
  if (!ends_.empty()) {
    for (std::size_t begin = 0; begin < count; begin += together_)
      sum_trees(cells.skip(begin), std::min(together_, count - begin),
                [&](Combiner& combiner, std::size_t i, auto weights) { each(combiner, begin + i, weights); });
    return;
  }
  Combiner combiner(*parts_);
  for_ends(trees_.front(), cells, count, [&](std::size_t i, CompactTree::End end) {
    each(combiner, i, combiner.combine([&](std::size_t t, std::span<double> out) {
      end == CompactTree::kSplit ? combiner.answer_of(t, cells.row(i), out)
                                 : combiner.answer_at(t, trees_[t].node(end), out);
    }));
  });
}

// Trees in the outer loop: one tree at a time stays in the cache. Sums are made in the order of the trees, as Combiner does.
template <class T>
void Predictor::add_trees(const CellGrid<T>& rows, Combiner& combiner, std::span<double> sums,
                          std::span<std::uint32_t> silent) const {
  const std::size_t count = silent.size(), width = combiner.width();
  FewOrMany<CompactTree::End, kFewRows> some_ends(count);
  const std::span<CompactTree::End> ends = some_ends.all();
  const bool missing = count < kFewRows || any_missing(rows, count, n_columns_);
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    trees_[t].find(rows, ends, missing);
    if (ends_[t].all_ready() && !trees_[t].may_split()) {
      ends_[t].add_all(ends, sums);
      continue;
    }
    double* sum = sums.data();
    for (std::size_t i = 0; i < count; ++i, sum += width) {
      const bool speaks = ends[i] != CompactTree::kSplit
                              ? ends_[t].add(combiner, ends[i], sum)
                              : combiner.add(t, {sum, width}, [&](std::size_t tree, std::span<double> out) {
                                  combiner.answer_of(tree, rows.row(i), out);
                                });
      silent[i] += speaks ? 0U : 1U;
    }
  }
}

template <class T, class Each>
void Predictor::sum_trees(const CellGrid<T>& cells, std::size_t count, const Each& each) const {
  std::vector<float> floats;
  if (as_floats(cells, count, n_columns_, floats))
    return sum_rows(CellGrid<float>{floats.data(), static_cast<std::ptrdiff_t>(n_columns_), 1}, count, each);
  std::vector<T> turned;
  sum_rows(row_by_row(cells, count, turned), count, each);
}

template <class T, class Each>
void Predictor::sum_rows(const CellGrid<T>& rows, std::size_t count, const Each& each) const {
  if (!RepeatedRows<T>::worth(rows, count, n_columns_)) {
    sum_different(rows, count, [&](Combiner& combiner, std::span<const double> sums) {
      const std::size_t width = combiner.width();
      for (std::size_t i = 0; i < count; ++i) each(combiner, i, sums.subspan(i * width, width));
    });
    return;
  }
  RepeatedRows<T> different;
  different.leave_out(rows, count, n_columns_);
  sum_different(different.cells(), different.size(), [&](Combiner& combiner, std::span<const double> sums) {
    const std::size_t width = combiner.width();
    for (std::size_t i = 0; i < count; ++i)
      each(combiner, i, sums.subspan(different.number(i) * width, width));
  });
}

// Calls told(combiner, sums) with what all trees together say about each of the rows.
template <class T, class Told>
void Predictor::sum_different(const CellGrid<T>& rows, std::size_t count, const Told& told) const {
  Combiner combiner(*parts_);
  const std::size_t width = combiner.width();
  FewOrMany<double, 4 * kFewRows> some_sums(count * width);
  FewOrMany<std::uint32_t, kFewRows> some_silent(count);
  const std::span<double> sums = some_sums.all();
  const std::span<std::uint32_t> silent = some_silent.all();
  add_trees(rows, combiner, sums, silent);
  for (std::size_t i = 0; i < count; ++i) combiner.settle(sums.subspan(i * width, width), silent[i]);
  told(combiner, sums);
}

// The cells of a row side by side, copied into `turned` where they lie column by column.
template <class T>
CellGrid<T> Predictor::row_by_row(const CellGrid<T>& cells, std::size_t count, std::vector<T>& turned) const {
  if (cells.row_stride != 1 || cells.column_stride == 1 || count < kFewRows) return cells;
  turned.resize(count * n_columns_);
  constexpr std::size_t rows_at_once = 16;
  for (std::size_t begin = 0; begin < count; begin += rows_at_once)
    for (std::size_t j = 0; j < n_columns_; ++j) {
      const T* column = cells.data + static_cast<std::ptrdiff_t>(j) * cells.column_stride;
      for (std::size_t i = begin; i < std::min(count, begin + rows_at_once); ++i)
        turned[i * n_columns_ + j] = column[i];
    }
  return {turned.data(), static_cast<std::ptrdiff_t>(n_columns_), 1};
}

template <class T>
void Predictor::predict(const CellGrid<T>& cells, std::span<double> out) const {
  const std::size_t width = parts_->targets.fields.size();
  if (!answers_.empty()) {
    copy_ready(cells, {answers_, 0, width}, out,
               [&](std::size_t i, std::span<double> to) { Combiner(*parts_).predict(cells.row(i), to); });
    return;
  }
  combine_rows(cells, out.size() / width,
               [&](const Combiner& combiner, std::size_t i, std::span<const double> weights) {
                 combiner.finish(weights, out.subspan(i * width, width));
               });
}

template <class T>
void Predictor::shares(const CellGrid<T>& cells, std::size_t start, std::size_t width,
                       std::span<double> out) const {
  if (!shares_.empty()) {
    copy_ready(cells, {shares_, start, width}, out, [&](std::size_t i, std::span<double> to) {
      Combiner(*parts_).shares(cells.row(i), start, to);
    });
    return;
  }
  combine_rows(cells, out.size() / width,
               [&](const Combiner&, std::size_t i, std::span<const double> weights) {
                 const std::span<double> to = out.subspan(i * width, width);
                 const std::span<const double> from = weights.subspan(start, width);
                 std::copy(from.begin(), from.end(), to.begin());
                 normalise(to);
               });
}

template <class T>
void Predictor::apply(std::size_t tree, const CellGrid<T>& cells, std::span<NodeId> out) const {
  for_ends(trees_[tree], cells, out.size(), [&](std::size_t i, CompactTree::End end) {
    out[i] =
        end == CompactTree::kSplit ? find_leaf(parts_->trees[tree], cells.row(i)) : trees_[tree].node(end);
  });
}

template void Predictor::predict(const CellGrid<float>&, std::span<double>) const;
template void Predictor::predict(const CellGrid<double>&, std::span<double>) const;
template void Predictor::shares(const CellGrid<float>&, std::size_t, std::size_t, std::span<double>) const;
template void Predictor::shares(const CellGrid<double>&, std::size_t, std::size_t, std::span<double>) const;
template void Predictor::apply(std::size_t, const CellGrid<float>&, std::span<NodeId>) const;
template void Predictor::apply(std::size_t, const CellGrid<double>&, std::span<NodeId>) const;

}  // namespace bough
