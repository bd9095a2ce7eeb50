// SPDX-License-Identifier: Apache-2.0
// Answers for blocks of rows through the compact layout.
#include "model/predictor.hpp"

#include <algorithm>

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

}  // namespace

Predictor::Predictor(const Model::Parts& parts) : parts_(&parts) {
  trees_.reserve(parts.trees.size());
  for (const Tree& tree : parts.trees) trees_.emplace_back(tree);
  n_columns_ = parts.features.fields.size();
  if (parts.combine == Combine::single) {
    make_answers();
    return;
  }
  Combiner combiner(parts);
  ends_.reserve(trees_.size());
  for (std::size_t i = 0; i < trees_.size(); ++i) ends_.emplace_back(combiner, i, trees_[i]);
}

void Predictor::make_answers() {
  const CompactTree& compact = trees_.front();
  const std::size_t width = parts_->targets.fields.size();
  answers_.assign(compact.n_places() * width, 0.0);
  Combiner combiner(*parts_);
  for (std::size_t place = 0; place < compact.n_places(); ++place) {
    if (!compact.can_end(static_cast<CompactTree::Slot>(place))) continue;
    const NodeId node = compact.node(static_cast<CompactTree::Slot>(place));
    const auto weights =
        combiner.combine([&](std::size_t i, std::span<double> out) { combiner.answer_at(i, node, out); });
    combiner.finish(weights, std::span(answers_).subspan(place * width, width));
  }
}

// Calls each(combiner, row, weights) for every row, with what all trees together say.
template <class T, class Each>
void Predictor::combine_rows(const CellGrid<T>& cells, std::size_t count, const Each& each) const {
  if (!ends_.empty()) {
    for (std::size_t begin = 0; begin < count; begin += kTogether)
      sum_trees(cells.skip(begin), std::min(kTogether, count - begin),
                [&](Combiner& combiner, std::size_t i, auto weights) { each(combiner, begin + i, weights); });
    return;
  }
  Combiner combiner(*parts_);
  std::array<CompactTree::Slot, kBlock> places;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const CellGrid<T> block = cells.skip(begin);
    const std::size_t n = std::min(kBlock, count - begin);
    trees_.front().find(block, std::span(places).first(n));
    for (std::size_t i = 0; i < n; ++i) {
      each(combiner, begin + i, combiner.combine([&](std::size_t t, std::span<double> out) {
        places[i] == CompactTree::kSplit ? combiner.answer_of(t, block.row(i), out)
                                         : combiner.answer_at(t, trees_[t].node(places[i]), out);
      }));
    }
  }
}

// Trees in the outer loop: one tree at a time stays in the cache. Sums are made in the order of the trees, as Combiner does.
template <class T, class Each>
void Predictor::sum_trees(const CellGrid<T>& cells, std::size_t count, const Each& each) const {
  Combiner combiner(*parts_);
  const std::size_t width = combiner.width();
  std::vector<T> turned;
  const CellGrid<T> rows = row_by_row(cells, count, turned);
  FewOrMany<CompactTree::Slot, kFewRows> some_places(count);
  FewOrMany<double, 4 * kFewRows> some_sums(count * width);
  FewOrMany<std::uint32_t, kFewRows> some_silent(count);
  const std::span<CompactTree::Slot> places = some_places.all();
  const std::span<double> sums = some_sums.all();
  const std::span<std::uint32_t> silent = some_silent.all();
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    trees_[t].find(rows, places);
    double* sum = sums.data();
    for (std::size_t i = 0; i < count; ++i, sum += width) {
      const bool speaks = places[i] != CompactTree::kSplit
                              ? ends_[t].add(places[i], sum)
                              : combiner.add(t, {sum, width}, [&](std::size_t tree, std::span<double> out) {
                                  combiner.answer_of(tree, rows.row(i), out);
                                });
      silent[i] += speaks ? 0U : 1U;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> sum = sums.subspan(i * width, width);
    combiner.settle(sum, silent[i]);
    each(combiner, i, std::span<const double>(sum));
  }
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
void Predictor::predict_single(const CellGrid<T>& cells, std::span<double> out) const {
  const std::size_t width = parts_->targets.fields.size();
  const std::size_t count = out.size() / width;
  std::array<CompactTree::Slot, kBlock> places;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const CellGrid<T> block = cells.skip(begin);
    const std::size_t n = std::min(kBlock, count - begin);
    trees_.front().find(block, std::span(places).first(n));
    double* to = out.data() + begin * width;
    for (std::size_t i = 0; i < n; ++i, to += width) {
      if (places[i] == CompactTree::kSplit) {
        Combiner(*parts_).predict(block.row(i), {to, width});
        continue;
      }
      const double* from = answers_.data() + places[i] * width;
      for (std::size_t o = 0; o < width; ++o) to[o] = from[o];
    }
  }
}

template <class T>
void Predictor::predict(const CellGrid<T>& cells, std::span<double> out) const {
  if (!answers_.empty()) {
    predict_single(cells, out);
    return;
  }
  const std::size_t width = parts_->targets.fields.size();
  combine_rows(cells, out.size() / width,
               [&](const Combiner& combiner, std::size_t i, std::span<const double> weights) {
                 combiner.finish(weights, out.subspan(i * width, width));
               });
}

template <class T>
void Predictor::shares(const CellGrid<T>& cells, std::size_t start, std::size_t width,
                       std::span<double> out) const {
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
  std::array<CompactTree::Slot, kBlock> places;
  for (std::size_t begin = 0; begin < out.size(); begin += kBlock) {
    const CellGrid<T> block = cells.skip(begin);
    const std::size_t n = std::min(kBlock, out.size() - begin);
    trees_[tree].find(block, std::span(places).first(n));
    for (std::size_t i = 0; i < n; ++i) {
      out[begin + i] = places[i] == CompactTree::kSplit ? find_leaf(parts_->trees[tree], block.row(i))
                                                        : trees_[tree].node(places[i]);
    }
  }
}

template void Predictor::predict(const CellGrid<float>&, std::span<double>) const;
template void Predictor::predict(const CellGrid<double>&, std::span<double>) const;
template void Predictor::shares(const CellGrid<float>&, std::size_t, std::size_t, std::span<double>) const;
template void Predictor::shares(const CellGrid<double>&, std::size_t, std::size_t, std::span<double>) const;
template void Predictor::apply(std::size_t, const CellGrid<float>&, std::span<NodeId>) const;
template void Predictor::apply(std::size_t, const CellGrid<double>&, std::span<NodeId>) const;

}  // namespace bough
