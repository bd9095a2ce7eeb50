// SPDX-License-Identifier: Apache-2.0
// Sending chosen rows down a tree in blocks of the compact layout.
#include "predict/leaf_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "base/parallel.hpp"
#include "predict/compact.hpp"
#include "predict/grid.hpp"

namespace bough {
namespace {

constexpr std::size_t kAtOnce = 256;                      // rows gathered for one walk
constexpr std::size_t kMostCells = std::size_t{1} << 28;  // that a copy may hold: 2 GiB

NodeId node_at(const CompactTree& compact, CompactTree::End end) {
  if (end != CompactTree::kSplit) return compact.node(end);
  throw Error(ErrorCode::not_supported, "a row with a missing cell would count in several leaves by shares",
              "grow the tree with algorithm=cart");
}

// load(row, out) writes the cells of a row side by side.
template <class T, class Load>
void walk_gathered(const CompactTree& compact, std::span<const RowId> rows, std::size_t width,
                   const Load& load, std::span<NodeId> out) {
  parallel_ranges(rows.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<T> cells(std::min(kAtOnce, end - begin) * width);
    std::vector<CompactTree::End> ends(std::min(kAtOnce, end - begin));
    for (std::size_t first = begin; first < end; first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, end - first);
      for (std::size_t i = 0; i < n; ++i) load(rows[first + i], cells.data() + i * width);
      compact.find(CellGrid<T>{cells.data(), static_cast<std::ptrdiff_t>(width), 1},
                   std::span(ends).first(n));
      for (std::size_t i = 0; i < n; ++i) out[first + i] = node_at(compact, ends[i]);
    }
  });
}

}  // namespace

EndFinder::EndFinder(const Table& table, const Schema& features, std::size_t n_trees)
    : reader_(table, features), matrix_(reader_.matrix()) {
  const auto n_rows = static_cast<std::size_t>(reader_.n_rows()), width = reader_.n_columns();
  const bool by_rows =
      matrix_ && std::abs(matrix_->column_stride) <= static_cast<std::ptrdiff_t>(sizeof(double));
  if (by_rows || n_trees < 2 || n_rows > kMostCells / std::max<std::size_t>(width, 1)) return;
  copy_.resize(n_rows * width);
  parallel_ranges(n_rows, 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<double> block((end - begin) * width);
    reader_.load(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin), block);
    for (std::size_t i = 0; i < end - begin; ++i)
      for (std::size_t j = 0; j < width; ++j) copy_[(begin + i) * width + j] = block[j * (end - begin) + i];
  });
}

std::vector<NodeId> EndFinder::ends(const Tree& tree, std::span<const RowId> rows) const {
  const CompactTree compact(tree);
  const std::size_t width = reader_.n_columns();
  std::vector<NodeId> out(rows.size());
  if (!copy_.empty()) {
    walk_gathered<double>(
        compact, rows, width,
        [&](RowId row, double* to) { std::memcpy(to, copy_.data() + row * width, width * sizeof(double)); },
        out);
  } else if (matrix_) {
    const auto load = [&](RowId row, auto* to) {
      using T = std::remove_pointer_t<decltype(to)>;
      const char* from =
          static_cast<const char*>(matrix_->data) + static_cast<std::ptrdiff_t>(row) * matrix_->row_stride;
      for (std::size_t j = 0; j < width; ++j)
        std::memcpy(to + j, from + static_cast<std::ptrdiff_t>(j) * matrix_->column_stride, sizeof(T));
    };
    matrix_->dtype == Dtype::f32 ? walk_gathered<float>(compact, rows, width, load, out)
                                 : walk_gathered<double>(compact, rows, width, load, out);
  } else {
    std::vector<NodeId> all(static_cast<std::size_t>(reader_.n_rows()), -1);
    for_grids(reader_, [&](const GridBlock& block) {
      std::vector<CompactTree::End> ends(block.count);
      std::visit([&](const auto& cells) { compact.find(cells, ends); }, block.cells);
      for (std::size_t i = 0; i < block.count; ++i) all[block.begin + i] = node_at(compact, ends[i]);
    });
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = all[rows[i]];
  }
  return out;
}

std::vector<NodeId> subtree_ends(const Tree& tree) {
  std::vector<NodeId> past(static_cast<std::size_t>(tree.n_nodes()));
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    const auto children = tree.children(node);
    past[static_cast<std::size_t>(node)] =
        children.empty() ? node + 1 : past[static_cast<std::size_t>(children.back())];
  }
  return past;
}

NodeRows::NodeRows(const Tree& tree, std::span<const RowId> rows, std::span<const NodeId> ends)
    : rows_(rows.size()),
      starts_(static_cast<std::size_t>(tree.n_nodes()) + 1, 0),
      past_(subtree_ends(tree)) {
  for (const NodeId end : ends) {
    ++starts_[static_cast<std::size_t>(end) + 1];
    any_stops_ |= !tree.is_leaf(end);
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) rows_[next[static_cast<std::size_t>(ends[i])]++] = rows[i];
}

}  // namespace bough
