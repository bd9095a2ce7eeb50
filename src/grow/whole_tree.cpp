// SPDX-License-Identifier: Apache-2.0
// Leaves are summed over their rows, inner nodes over their children, while the arrays of the tree are written.
#include "grow/whole_tree.hpp"

#include <algorithm>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "criterion/gini.hpp"
#include "grow/fill_sums.hpp"
#include "tree/access.hpp"

namespace bough {
namespace {

void write_test(const WholeNode& node, std::size_t i, PlainTree& out) {
  out.kind[i] = node.kind;
  out.column[i] = node.column;
  out.threshold[i] = node.threshold;
  out.missing_to[i] = node.missing_to;
  out.right[i] = node.right;
  out.gain[i] = node.gain;
}

// Rows of the leaves that come next, which lie before these, are asked for while these are added.
constexpr std::size_t kAhead = 32;

// From the last node to the first: the sums of the children lie on top of the stack, the left one's above the right one's. The
// leaves of a run of nodes are summed before, by all threads.
template <class Filler>
class WholeTreeWriter {
 public:
  using Cell = typename Filler::Cell;

  WholeTreeWriter(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Filler& filler)
      : nodes_(nodes),
        rows_(rows),
        filler_(&filler),
        width_(filler.width()),
        run_(std::clamp<std::size_t>(internal_limits().leaf_cells / std::max<std::size_t>(1, width_), 1,
                                     nodes.size())),
        leaves_(run_ * width_),
        leaf_weights_(run_),
        out_(nodes.size(), width_) {}

  PlainTree write() {
    for (std::size_t end = nodes_.size(); end > 0;) {
      const std::size_t begin = end - std::min(end, run_);
      parallel_ranges(end - begin, internal_limits().parallel_leaves,
                      [&](std::size_t first, std::size_t last) {
                        for (std::size_t k = last; k-- > first;)
                          if (nodes_[begin + k].right < 0) sum_leaf(begin + k, k);
                      });
      for (std::size_t k = end - begin; k-- > 0;)
        nodes_[begin + k].right < 0 ? push_leaf(k) : join_children(begin + k);
      end = begin;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<Cell> cells(std::size_t level) {
    return std::span(cells_).subspan(level * width_, width_);
  }

  // Of node i, into the k-th cells of the run.
  void sum_leaf(std::size_t i, std::size_t k) {
    const WholeNode& node = nodes_[i];
    NodeSums<Cell> leaf{std::span(leaves_).subspan(k * width_, width_)};
    std::fill(leaf.cells.begin(), leaf.cells.end(), Cell{});
    for (std::size_t r = node.begin; r < node.end; ++r)
      if (r >= kAhead) filler_->prefetch(rows_[r - kAhead]);
    filler_->add(leaf, rows_.subspan(node.begin, node.end - node.begin));
    leaf_weights_[k] = leaf.weight;
    stats(i, leaf.cells, leaf.weight);
  }

  void push_leaf(std::size_t k) {
    const std::size_t level = weights_.size();
    if (cells_.size() < (level + 1) * width_) cells_.resize(2 * (level + 1) * width_);
    std::copy_n(leaves_.begin() + static_cast<std::ptrdiff_t>(k * width_), width_, cells(level).begin());
    weights_.push_back(leaf_weights_[k]);
  }

  void join_children(std::size_t i) {
    const std::size_t right = weights_.size() - 2;
    const std::span<Cell> to = cells(right), from = cells(right + 1);
    for (std::size_t k = 0; k < width_; ++k) Filler::join(to[k], from[k]);
    weights_[right] += weights_[right + 1];
    weights_.pop_back();
    stats(i, to, weights_[right]);
  }

  void stats(std::size_t i, std::span<Cell> sums, std::int64_t weight) {
    out_.n_rows[i] = nodes_[i].end - nodes_[i].begin;
    filler_->stats({sums, weight, out_.n_rows[i]}, out_.weight[i], out_.impurity[i],
                   std::span(out_.value).subspan(i * width_, width_));
    write_test(nodes_[i], i, out_);
  }

  std::span<const WholeNode> nodes_;
  std::span<const RowId> rows_;
  const Filler* filler_;
  std::size_t width_;
  std::size_t run_;                         // nodes
  std::vector<Cell> leaves_;                // width_ for each node of a run
  std::vector<std::int64_t> leaf_weights_;  // of a run
  PlainTree out_;
  std::vector<std::int64_t> weights_;  // of subtrees whose parent is to come
  std::vector<Cell> cells_;            // width_ for each of them
};

// One class target with whole weights under gini. Doubles hold such sums exactly, so that the values of an inner node are those of
// its children added up; a leaf touches the values of its classes only.
class WholeClassesWriter {
 public:
  WholeClassesWriter(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Targets& targets)
      : nodes_(nodes),
        rows_(rows),
        codes_(targets.classes[0].codes.data()),
        weights_(targets.weights.empty() ? nullptr : targets.weights.data()),
        width_(targets.classes[0].n_classes),
        out_(nodes.size(), width_) {}

  static bool fits(const Targets& targets, CriterionId criterion) noexcept {
    return criterion == CriterionId::gini && targets.classes.size() == 1 && targets.weight_exponent == 0 &&
           targets.total_weight < (std::int64_t{1} << 53);
  }

  PlainTree write() {
    parallel_ranges(nodes_.size(), internal_limits().parallel_leaves,
                    [&](std::size_t first, std::size_t last) {
                      for (std::size_t i = last; i-- > first;) {
                        out_.n_rows[i] = nodes_[i].end - nodes_[i].begin;
                        write_test(nodes_[i], i, out_);
                        if (nodes_[i].right < 0) add_leaf(i);
                      }
                    });
    for (std::size_t i = nodes_.size(); i-- > 0;)
      if (nodes_[i].right >= 0) join_children(i);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<double> values(std::size_t i) {
    return std::span(out_.value).subspan(i * width_, width_);
  }
  void add_leaf(std::size_t i) {
    const std::span<double> to = values(i);
    double weight = 0.0;
    for (std::size_t k = nodes_[i].begin; k < nodes_[i].end; ++k) {
      if (k >= kAhead) {
        if (weights_ != nullptr) __builtin_prefetch(weights_ + rows_[k - kAhead]);
        __builtin_prefetch(codes_ + rows_[k - kAhead]);
      }
      const RowId row = rows_[k];
      const double own = weights_ == nullptr ? 1.0 : static_cast<double>(weights_[row]);
      to[codes_[row]] += own;
      weight += own;
    }
    out_.weight[i] = weight;
    const bool pure = to[codes_[rows_[nodes_[i].begin]]] == weight;
    out_.impurity[i] = pure ? 0.0 : Gini::impurity(std::span<const double>(to), weight);
  }
  void join_children(std::size_t i) {
    const auto right = static_cast<std::size_t>(nodes_[i].right);
    double* to = values(i).data();
    const double *a = values(i + 1).data(), *b = values(right).data();
    for (std::size_t k = 0; k < width_; ++k) to[k] = a[k] + b[k];
    out_.weight[i] = out_.weight[i + 1] + out_.weight[right];
    out_.impurity[i] = Gini::impurity(std::span<const double>(to, width_), out_.weight[i]);
  }

  std::span<const WholeNode> nodes_;
  std::span<const RowId> rows_;
  const std::uint32_t* codes_;
  const std::int64_t* weights_;  // null: all 1
  std::size_t width_;
  PlainTree out_;
};

template <class Filler>
PlainTree write_with(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Filler& filler) {
  return WholeTreeWriter<Filler>(nodes, rows, filler).write();
}

}  // namespace

Tree whole_tree(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Targets& targets,
                std::vector<std::uint32_t> widths, std::size_t n_columns, CriterionId criterion) {
  const Task task = targets.is_classification() ? Task::classification : Task::regression;
  PlainTree plain =
      WholeClassesWriter::fits(targets, criterion) ? WholeClassesWriter(nodes, rows, targets).write()
      : targets.is_classification()                ? write_with(nodes, rows, ClassFiller(targets, criterion))
      : NumberFiller::fits(targets, criterion)     ? write_with(nodes, rows, NumberFiller(targets))
                                               : write_with(nodes, rows, MomentFiller(targets, criterion));
  return TreeAccess::make(task, std::move(widths), std::move(plain), n_columns);
}

}  // namespace bough
