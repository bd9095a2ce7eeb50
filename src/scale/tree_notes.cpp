// SPDX-License-Identifier: Apache-2.0
// Targets by frames, rows by splits.
#include "scale/tree_notes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "model/bag.hpp"
#include "split/histogram/row_sides.hpp"
#include "split/row_partition.hpp"

namespace bough {

std::vector<double> tree_weights(const BlockRows& rows, const BagRule& bag, std::uint32_t tree) {
  if (!bag.bootstrap) return {rows.weights.begin(), rows.weights.end()};
  Params params;
  params.bootstrap = true;
  params.seed = bag.seed;
  params.max_samples = Amount::count(static_cast<double>(bag.n_draws));
  const std::vector<std::uint32_t> drawn = drawn_rows_between(
      params, tree, static_cast<std::size_t>(bag.n_all), static_cast<std::size_t>(rows.first_row),
      static_cast<std::size_t>(rows.table.n_rows));
  return {drawn.begin(), drawn.end()};
}

Targets fixed_targets(const BlockRows& rows, const TreeFrame& frame, std::span<const double> weights,
                      bool unit_known) {
  Targets targets;
  const auto n = static_cast<std::size_t>(rows.table.n_rows);
  for (std::size_t o = 0; o < rows.classes.size(); ++o)
    targets.classes.push_back({rows.n_classes[o], {rows.classes[o].begin(), rows.classes[o].end()}});
  targets.weight_exponent = frame.weight_exponent;
  targets.total_weight = frame.total_weight;
  if (frame.weighted) {
    targets.weights.resize(n);
    const PowerOfTwo scale(frame.weight_exponent);
    for (std::size_t i = 0; i < n; ++i)
      targets.weights[i] = weights.empty() ? scale.nearest(1.0) : scale.nearest(weights[i]);
    targets.rows.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      if (targets.weights[i] > 0) targets.rows.push_back(static_cast<RowId>(i));
  } else {
    targets.rows.resize(n);
    std::iota(targets.rows.begin(), targets.rows.end(), RowId{0});
  }
  for (std::size_t o = 0; o < rows.numbers.size(); ++o) {
    NumberTarget target;
    target.raw.assign(rows.numbers[o].begin(), rows.numbers[o].end());
    target.fixed.exponent = frame.outputs[o].exponent;
    target.fine = frame.outputs[o].fine;
    target.fixed.values.assign(n, 0);
    const PowerOfTwo scale(target.fixed.exponent);
    if (unit_known)
      for (const RowId row : targets.rows) target.fixed.values[row] = scale.nearest(target.raw[row]);
    targets.numbers.push_back(std::move(target));
  }
  return targets;
}

std::span<const double> TreeNotes::weights(const BlockRows& rows, const BagRule& bag, std::uint32_t tree) {
  if (weights_) return *weights_;
  if (!draws_.empty()) {
    weights_.emplace(draws_.begin(), draws_.end());
    return *weights_;
  }
  weights_ = tree_weights(rows, bag, tree);
  // To draw again takes as long as all rows of all blocks; a row is hardly ever drawn more often than a byte
  // holds.
  if (bag.bootstrap &&
      std::all_of(weights_->begin(), weights_->end(), [](double times) { return times <= UINT8_MAX; })) {
    draws_.reserve(weights_->size());
    for (const double times : *weights_) draws_.push_back(static_cast<std::uint8_t>(times));
  }
  return *weights_;
}

void TreeNotes::catch_up(const BlockRows& rows, const BagRule& bag, const TreeRequest& request) {
  if (!targets_) {
    targets_ =
        std::make_unique<Targets>(fixed_targets(rows, request.frame, weights(rows, bag, request.tree)));
    weights_.reset();
    counter_ = make_block_counter(rows.table, *targets_, request.frame.layout);
  }
  if (nodes_.empty() ||
      n_steps_ > request.splits.size()) {  // nothing noted, or more than an old request knows
    order_ = targets_->rows;
    nodes_ = {{0, static_cast<std::uint32_t>(order_.size())}};
    n_steps_ = 0;
  }
  divide(rows, std::span(request.splits).subspan(n_steps_));
}

// Steps whose nodes are there are made side by side.
void TreeNotes::divide(const BlockRows& rows, std::span<const SplitStep> steps) {
  if (steps.empty()) return;
  std::vector<RowId> scratch(order_.size() + 1);
  while (!steps.empty()) {
    const std::size_t known = nodes_.size();
    std::size_t count = 0;
    while (count < steps.size() && static_cast<std::size_t>(steps[count].node) < known) ++count;
    if (count == 0) throw Error(ErrorCode::bad_data, "a request to blocks divides a node that is not there");
    std::vector<std::uint32_t> n_left(count);
    parallel_for(count, [&](std::size_t i) {
      const NodeRange range = nodes_[static_cast<std::size_t>(steps[i].node)];
      const Candidate& candidate = steps[i].candidate;
      if (static_cast<std::size_t>(candidate.column) >= rows.table.columns.size())
        throw Error(ErrorCode::bad_data, "a request to blocks names a column that is not there");
      std::array<bool, kBuckets> single;
      single.fill(steps[i].single);
      const std::size_t size = range.end - range.begin;
      const RowSides sides(rows.table, candidate, single);
      n_left[i] = static_cast<std::uint32_t>(sides.visit([&](const auto& left) {
        return partition_rows(std::span(order_).subspan(range.begin, size),
                              std::span(scratch).subspan(range.begin, size), left);
      }));
    });
    for (std::size_t i = 0; i < count; ++i) {
      const NodeRange range = nodes_[static_cast<std::size_t>(steps[i].node)];
      nodes_.push_back({range.begin, range.begin + n_left[i]});
      nodes_.push_back({range.begin + n_left[i], range.end});
    }
    n_steps_ += count;
    steps = steps.subspan(count);
  }
}

void TreeNotes::forget() noexcept {
  weights_.reset();
  counter_.reset();
  targets_.reset();
}

Rows TreeNotes::rows(EngineNode node) const {
  if (node < 0 || static_cast<std::size_t>(node) >= nodes_.size())
    throw Error(ErrorCode::bad_data, "a request to blocks names a node that is not there");
  const NodeRange range = nodes_[static_cast<std::size_t>(node)];
  return Rows(order_).subspan(range.begin, range.end - range.begin);
}

TreeNotes& JobNotes::of(std::uint32_t tree) {
  for (auto& [number, notes] : trees)
    if (number == tree) return notes;
  return trees.emplace_back(tree, TreeNotes()).second;
}

}  // namespace bough
