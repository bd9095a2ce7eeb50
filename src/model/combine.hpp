// SPDX-License-Identifier: Apache-2.0
// What the trees of a model answer together for one row.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "bough/model.hpp"
#include "predict/answer.hpp"

namespace bough {

/// Numbers of all outputs of a model.
inline std::size_t value_width(const Model::Parts& parts) {
  return parts.trees.front().value_width();
}

/// What is added to the weight of every class of a leaf.
inline double extra_weight(const Model::Parts& parts) {
  return parts.params.leaf_probability == "laplace" ? 1.0 : 0.0;
}

/// First number of an output among the values of a row.
inline std::size_t output_start(const Model::Parts& parts, std::size_t output) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < output; ++i) at += parts.trees.front().output_widths()[i];
  return at;
}

/// The class of an output: the one of the most weight, or of the least expected loss where the model has losses; ties to
/// the first.
inline std::size_t choose_class(const Model::Parts& parts, std::span<const double> weights) {
  return parts.params.loss_matrix.empty() ? largest(weights) : cheapest(weights, parts.params.loss_matrix);
}

/// One row's answer from all trees of a model; keep one per thread.
class Combiner {
 public:
  explicit Combiner(const Model::Parts& parts)
      : parts_(parts), extra_(extra_weight(parts)), width_(value_width(parts)) {}

  /// Values of regression, or class weights of every output whose scale means nothing. answer(i, out) writes what
  /// tree i says, in the same sense. Valid until the next call.
  template <class Answer>
  std::span<double> combine(const Answer& answer) {
    sum_.resize(width_);
    if (parts_.combine == Combine::single) {
      answer(std::size_t{0}, std::span(sum_));
      return sum_;
    }
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::size_t silent = 0;
    for (std::size_t i = 0; i < parts_.trees.size(); ++i) silent += add(i, sum_, answer) ? 0 : 1;
    settle(sum_, silent);
    return sum_;
  }

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  /// The steps of combine() where trees answer together: adds what tree i says, answer(i, out), to a sum that began at 0; false
  /// where the tree answers nothing ...
  template <class Answer>
  bool add(std::size_t i, std::span<double> sum, const Answer& answer) {
    one_.resize(width_);
    answer(i, std::span(one_));
    if (std::isnan(one_.front())) return false;
    parts_.combine == Combine::vote ? add_votes(parts_.trees[i], sum) : add_shares(parts_.trees[i], sum);
    return true;
  }
  /// ... and turns the sum of all trees, in their order, into the answer of those that were not silent.
  void settle(std::span<double> sum, std::size_t silent) const {
    if (silent == parts_.trees.size()) {
      std::fill(sum.begin(), sum.end(), std::numeric_limits<double>::quiet_NaN());
    } else if (parts_.task == Task::regression) {
      for (double& value : sum) value /= static_cast<double>(parts_.trees.size() - silent);
    }
  }

  /// What tree i says about a row, walked from the root.
  template <class Cells>
  void answer_of(std::size_t i, const Cells& cells, std::span<double> out) {
    answer_weights(parts_.trees[i], cells, scratch_, out, extra_);
  }
  /// What tree i says about a row that ends whole in `node`.
  void answer_at(std::size_t i, NodeId node, std::span<double> out) const {
    node_weights(parts_.trees[i], node, extra_, out);
  }
  template <class Cells>
  std::span<double> weights(const Cells& cells) {
    return combine([&](std::size_t i, std::span<double> out) { answer_of(i, cells, out); });
  }

  /// Class index per output, or the values of regression; NaN where no tree answers.
  template <class Cells>
  void predict(const Cells& cells, std::span<double> out) {
    finish(weights(cells), out);
  }
  /// The same from what weights() or combine() gave.
  void finish(std::span<const double> answer, std::span<double> out) const {
    if (parts_.task == Task::regression) {
      std::copy(answer.begin(), answer.end(), out.begin());
      return;
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint32_t width = parts_.trees.front().output_widths()[i];
      out[i] = std::isnan(answer[at]) ? answer[at]
                                      : static_cast<double>(choose_class(parts_, answer.subspan(at, width)));
      at += width;
    }
  }

  /// Class shares of the output whose numbers begin at `start`.
  template <class Cells>
  void shares(const Cells& cells, std::size_t start, std::span<double> out) {
    const std::span<const double> answer = weights(cells).subspan(start, out.size());
    std::copy(answer.begin(), answer.end(), out.begin());
    normalise(out);
  }

 private:
  void add_shares(const Tree& tree, std::span<double> sum) {
    normalise_outputs(tree, one_);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one_[i];
  }

  void add_votes(const Tree& tree, std::span<double> sum) {
    std::size_t at = 0;
    for (const std::uint32_t width : tree.output_widths()) {
      sum[at + largest(std::span<const double>(one_).subspan(at, width))] += 1.0;
      at += width;
    }
  }

  const Model::Parts& parts_;
  double extra_;
  std::size_t width_;
  AnswerScratch scratch_;
  std::vector<double> sum_, one_;  // filled when needed: one row of a forest needs neither
};

}  // namespace bough
