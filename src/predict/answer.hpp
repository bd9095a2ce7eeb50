// SPDX-License-Identifier: Apache-2.0
// What a tree answers for one row: class shares or values.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "predict/walk.hpp"

namespace bough {

/// Divides the class weights of one output by their sum; weights that are all 0 become equal shares, NaN stays.
inline void normalise(std::span<double> classes) {
  double total = 0.0;
  for (const double weight : classes) total += weight;
  if (std::isnan(total)) return;  // the node answers nothing
  for (double& weight : classes)
    weight = total > 0.0 ? weight / total : 1.0 / static_cast<double>(classes.size());
}

/// The same for every output of a classification tree; values of regression stay as they are.
inline void normalise_outputs(const Tree& tree, std::span<double> values) {
  if (tree.task() != Task::classification) return;
  std::size_t at = 0;
  for (const std::uint32_t width : tree.output_widths()) {
    normalise(values.subspan(at, width));
    at += width;
  }
}

/// Index of the largest number, ties to the lowest index.
inline std::size_t largest(std::span<const double> values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// Index of the prediction of least expected loss, ties to the lowest index; loss[true class][prediction].
inline std::size_t cheapest(std::span<const double> weights, std::span<const std::vector<double>> loss) {
  std::size_t best = 0;
  double least = 0.0;
  for (std::size_t guess = 0; guess < weights.size(); ++guess) {
    double sum = 0.0;
    for (std::size_t c = 0; c < weights.size(); ++c) sum += weights[c] * loss[c][guess];
    if (guess > 0 && !(sum < least)) continue;
    best = guess;
    least = sum;
  }
  return best;
}

/// Scratch of value_width numbers per calling thread.
struct AnswerScratch {
  std::vector<double> part;
};

/// The values of a node; class weights with `extra` more of every class (1: Laplace's rule).
inline void node_weights(const Tree& tree, NodeId node, double extra, std::span<double> out) {
  tree.values(node, out);
  if (extra == 0.0 || tree.task() != Task::classification) return;
  for (double& weight : out) weight += extra;
}

/// Writes value_width numbers: the values of regression, or class weights whose scale means nothing (shares
/// when the row was split, raw weights of the leaf when it was not).
template <class Cells>
void answer_weights(const Tree& tree, const Cells& cells, AnswerScratch& scratch, std::span<double> out,
                    double extra = 0.0) {
  const Ending whole = walk_whole(tree, cells);
  if (!whole.is_split) {
    node_weights(tree, whole.node, extra, out);
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  scratch.part.resize(out.size());
  walk_parts(tree, cells, [&](NodeId node, double share, bool ends) {
    if (!ends) return;
    node_weights(tree, node, extra, scratch.part);
    normalise_outputs(tree, scratch.part);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * scratch.part[i];
  });
}

}  // namespace bough
