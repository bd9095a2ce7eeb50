// SPDX-License-Identifier: Apache-2.0
// What a row adds to the answer of a model where it ends in a tree, as constants that other engines can hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/combine.hpp"

namespace bough {

/// The parts of the answers of one model.
///   one tree   the part is the answer: values, or class shares
///   mean       sum of the parts in the order of the trees, from 0.0; then values are divided by the number
///   of trees, class
///              sums by their own sum (of every output, added in order)
///   vote       the same with 1 for the chosen class; what is chosen is the largest sum, the first of equal
///   ones
class EndParts {
 public:
  explicit EndParts(const Model& model) : parts_(model.parts()), weights_(value_width(parts_)) {}

  /// Numbers of a part: all classes of all outputs, or all outputs.
  [[nodiscard]] std::size_t width() const { return weights_.size(); }
  [[nodiscard]] bool is_single() const { return parts_.combine == Combine::single; }
  [[nodiscard]] bool is_classes() const { return parts_.task == Task::classification; }

  /// The part of a node of a tree; valid until the next call.
  std::span<const double> part(std::size_t tree, NodeId node) {
    weigh(tree, node);
    const Tree& from = parts_.trees[tree];
    if (parts_.combine == Combine::vote) {
      std::size_t at = 0;
      for (const std::uint32_t width : from.output_widths()) {
        const std::span<double> classes = std::span(weights_).subspan(at, width);
        const std::size_t chosen = largest(classes);
        std::fill(classes.begin(), classes.end(), 0.0);
        classes[chosen] = 1.0;
        at += width;
      }
    } else {
      normalise_outputs(from, weights_);
    }
    return weights_;
  }

  /// Class of every output that one tree alone answers with.
  std::vector<std::size_t> classes(std::size_t tree, NodeId node) {
    weigh(tree, node);
    std::vector<std::size_t> chosen;
    std::size_t at = 0;
    for (const std::uint32_t width : parts_.trees[tree].output_widths()) {
      chosen.push_back(choose_class(parts_, std::span<const double>(weights_).subspan(at, width)));
      at += width;
    }
    return chosen;
  }

 private:
  void weigh(std::size_t tree, NodeId node) {
    node_weights(parts_.trees[tree], node, extra_weight(parts_), weights_);
  }

  const Model::Parts& parts_;
  std::vector<double> weights_;
};

}  // namespace bough
