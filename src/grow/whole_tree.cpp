// SPDX-License-Identifier: Apache-2.0
// Leaves are summed over their rows, inner nodes over their children, while the arrays of the tree are written.
#include "grow/whole_tree.hpp"

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
      stats(i);
      write_test(node, i, out_);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<Cell> cells(std::size_t level) {
    return std::span(cells_).subspan(level * width_, width_);
  }

  void add_leaf(const WholeNode& node) {
    const std::size_t level = weights_.size();
    if (cells_.size() < (level + 1) * width_) cells_.resize(2 * (level + 1) * width_);
    NodeSums<Cell> leaf{cells(level)};
    std::fill(leaf.cells.begin(), leaf.cells.end(), Cell{});
    constexpr std::size_t ahead = 32;  // rows of the leaves that come next, which lie before these
    for (std::size_t i = node.begin; i < node.end; ++i)
      if (i >= ahead) filler_->prefetch(rows_[i - ahead]);
    filler_->add(leaf, rows_.subspan(node.begin, node.end - node.begin));
    weights_.push_back(leaf.weight);
  }

  void join_children() {
    const std::size_t right = weights_.size() - 2;
    const std::span<Cell> to = cells(right), from = cells(right + 1);
    for (std::size_t k = 0; k < width_; ++k) Filler::join(to[k], from[k]);
    weights_[right] += weights_[right + 1];
    weights_.pop_back();
  }

  void stats(std::size_t i) {
    out_.n_rows[i] = nodes_[i].end - nodes_[i].begin;
    filler_->stats({cells(weights_.size() - 1), weights_.back(), out_.n_rows[i]}, out_.weight[i],
                   out_.impurity[i], std::span(out_.value).subspan(i * width_, width_));
  }

  std::span<const WholeNode> nodes_;
  std::span<const RowId> rows_;
  const Filler* filler_;
  std::size_t width_;
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
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const WholeNode& node = nodes_[i];
      out_.n_rows[i] = node.end - node.begin;
      node.right < 0 ? add_leaf(i) : join_children(i);
      write_test(node, i, out_);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<double> values(std::size_t i) {
    return std::span(out_.value).subspan(i * width_, width_);
  }
  void add_leaf(std::size_t i) {
    constexpr std::size_t ahead = 32;  // rows of the leaves that come next, which lie before these
    const std::span<double> to = values(i);
    double weight = 0.0;
    for (std::size_t k = nodes_[i].begin; k < nodes_[i].end; ++k) {
      if (k >= ahead) {
        if (weights_ != nullptr) __builtin_prefetch(weights_ + rows_[k - ahead]);
        __builtin_prefetch(codes_ + rows_[k - ahead]);
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
