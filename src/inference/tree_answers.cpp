// SPDX-License-Identifier: Apache-2.0
// Rows through the single trees of a model.
#include "inference/tree_answers.hpp"

#include "base/parallel.hpp"
#include "model/bag_marks.hpp"
#include "model/predictor.hpp"

namespace bough {
namespace {

bool splits_rows(const Tree& tree) {
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node) &&
        (tree.missing_to(node) == missing_by_share || tree.unseen_to(node) == missing_by_share))
      return true;
  return false;
}

}  // namespace

DrawnRows::DrawnRows(const Model& forest, std::size_t n_rows, std::span<const double> weights)
    : words_((n_rows + 63) / 64), bits_(words_ * forest.trees().size()) {
  const std::vector<double> drawing = drawing_weights(forest, n_rows, weights);
  parallel_for(forest.trees().size(), [&](std::size_t tree) {
    const std::vector<std::uint32_t> times = rows_of_bag(forest, tree, n_rows, drawing);
    std::uint64_t* bits = bits_.data() + tree * words_;
    for (std::size_t row = 0; row < times.size(); ++row)
      if (times[row] > 0) bits[row / 64] |= std::uint64_t{1} << (row % 64);
  });
}

TreeBlock::TreeBlock(const Model& model, const GridBlock& block, const std::vector<char>& by_share)
    : model_(model),
      block_(block),
      combiner_(model.parts()),
      by_share_(by_share),
      leaves_(block.count),
      values_(value_width(model.parts())) {}

void TreeBlock::enter(std::size_t tree) {
  tree_ = tree;
  std::visit([&](const auto& cells) { model_.predictor().apply(tree, cells, leaves_); }, block_.cells);
}

std::span<const double> TreeBlock::answer(std::size_t i) {
  if (by_share_[tree_] != 0) {
    std::visit([&](const auto& cells) { combiner_.answer_of(tree_, cells.row(i), values_); }, block_.cells);
  } else {
    combiner_.answer_at(tree_, leaves_[i], values_);
  }
  if (std::isnan(values_.front())) return {};
  normalise_outputs(model_.trees()[tree_], values_);
  return values_;
}

void for_tree_blocks(const Model& model, const RowReader& rows, const std::function<void(TreeBlock&)>& body) {
  std::vector<char> by_share;
  for (const Tree& tree : model.trees()) by_share.push_back(splits_rows(tree) ? 1 : 0);
  for_grids(rows, [&](const GridBlock& block) {
    TreeBlock one(model, block, by_share);
    body(one);
  });
}

}  // namespace bough
