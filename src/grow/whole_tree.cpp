// SPDX-License-Identifier: Apache-2.0
// Leaves are summed over their rows, inner nodes over their children, while the arrays of the tree are written.
#include "grow/whole_tree.hpp"

#include "grow/fill_sums.hpp"
#include "tree/access.hpp"

namespace bough {
namespace {

// From the last node to the first: the sums of the children lie on top of the stack, the left one's above the right one's.
template <class Filler>
class WholeTreeWriter {
 public:
  using Cell = typename Filler::Cell;

  WholeTreeWriter(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Filler& filler)
      : nodes_(nodes), rows_(rows), filler_(&filler), width_(filler.width()), out_(nodes.size(), width_) {}

  PlainTree write() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const WholeNode& node = nodes_[i];
      node.right < 0 ? add_leaf(node) : join_children();
      stats(i, sums_.back());
      out_.kind[i] = node.kind;
      out_.column[i] = node.column;
      out_.threshold[i] = node.threshold;
      out_.missing_to[i] = node.missing_to;
      out_.right[i] = node.right;
      out_.gain[i] = node.gain;
    }
    return std::move(out_);
  }

 private:
  struct Sums {
    std::int64_t weight = 0;
    std::int64_t n_rows = 0;
  };

  [[nodiscard]] std::span<Cell> cells(std::size_t level) {
    return std::span(cells_).subspan(level * width_, width_);
  }

  void add_leaf(const WholeNode& node) {
    sums_.emplace_back();
    if (cells_.size() < sums_.size() * width_) cells_.resize(2 * sums_.size() * width_);
    NodeSums<Cell> leaf{cells(sums_.size() - 1)};
    std::fill(leaf.cells.begin(), leaf.cells.end(), Cell{});
    constexpr std::size_t ahead = 32;  // rows of the leaves that come next, which lie before these
    for (std::size_t i = node.begin; i < node.end; ++i)
      if (i >= ahead) filler_->prefetch(rows_[i - ahead]);
    filler_->add(leaf, rows_.subspan(node.begin, node.end - node.begin));
    sums_.back() = {leaf.weight, leaf.n_rows};
  }

  void join_children() {
    const std::size_t right = sums_.size() - 2;
    const std::span<Cell> to = cells(right), from = cells(right + 1);
    for (std::size_t k = 0; k < width_; ++k) Filler::join(to[k], from[k]);
    sums_[right].weight += sums_[right + 1].weight;
    sums_[right].n_rows += sums_[right + 1].n_rows;
    sums_.pop_back();
  }

  void stats(std::size_t i, const Sums& of) {
    out_.n_rows[i] = of.n_rows;
    filler_->stats({cells(sums_.size() - 1), of.weight, of.n_rows}, out_.weight[i], out_.impurity[i],
                   std::span(out_.value).subspan(i * width_, width_));
  }

  std::span<const WholeNode> nodes_;
  std::span<const RowId> rows_;
  const Filler* filler_;
  std::size_t width_;
  PlainTree out_;
  std::vector<Sums> sums_;   // of subtrees whose parent is to come
  std::vector<Cell> cells_;  // width_ for each of them
};

template <class Filler>
PlainTree write_with(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Filler& filler) {
  return WholeTreeWriter<Filler>(nodes, rows, filler).write();
}

}  // namespace

Tree whole_tree(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Targets& targets,
                std::vector<std::uint32_t> widths, CriterionId criterion) {
  const Task task = targets.is_classification() ? Task::classification : Task::regression;
  PlainTree plain = targets.is_classification() ? write_with(nodes, rows, ClassFiller(targets, criterion))
                    : NumberFiller::fits(targets, criterion)
                        ? write_with(nodes, rows, NumberFiller(targets))
                        : write_with(nodes, rows, MomentFiller(targets, criterion));
  return TreeAccess::make(task, std::move(widths), std::move(plain));
}

}  // namespace bough
