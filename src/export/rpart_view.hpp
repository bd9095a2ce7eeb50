// SPDX-License-Identifier: Apache-2.0
// A tree seen with rpart's eyes: its numbers, which child is the left one, and tests in its words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bough/prune.hpp"
#include "bough/rpart.hpp"

namespace bough {

class RpartView {
 public:
  /// Throws not_supported unless the model is one tree of nodes with two children that predicts classes or
  /// numbers. `model` must outlive it.
  RpartView(const Model& model, int digits);

  /// Throws not_supported when the tree is so deep that rpart's numbers, which double at every level, end.
  void require_numbers() const;
  [[nodiscard]] const Tree& tree() const noexcept { return model_->tree(); }
  /// Nodes by increasing number.
  [[nodiscard]] const std::vector<NodeId>& order() const noexcept { return order_; }
  [[nodiscard]] std::uint64_t number(NodeId node) const { return numbers_[static_cast<std::size_t>(node)]; }
  /// Which child is shown as the left one: that of the lower mean of class numbers or values.
  [[nodiscard]] std::size_t left(NodeId node) const { return left_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::size_t depth(NodeId node) const {
    return static_cast<std::size_t>(depths_[static_cast<std::size_t>(node)]);
  }

  /// What leads from a node's parent to it: "Start>8.5", "Type=Small,Van"; "root".
  [[nodiscard]] std::string label(NodeId node) const;
  /// "Start <= 8.5 to the right", "Type splits as LR-L".
  [[nodiscard]] std::string primary(NodeId node) const;
  [[nodiscard]] std::string alternative(NodeId node, const Alternative& test) const;

  /// Class names or the number that the node answers; its class shares; risk and relative complexity.
  [[nodiscard]] std::string answer(NodeId node) const;
  [[nodiscard]] std::vector<double> shares(NodeId node) const;
  [[nodiscard]] double risk(NodeId node) const { return risk_[static_cast<std::size_t>(node)]; }
  /// What its training rows said: class weights, or means.
  [[nodiscard]] std::vector<double> counts(NodeId node) const;
  /// Strength; 0: what a node answers is what its training rows said.
  [[nodiscard]] double shrinkage() const noexcept { return shrinkage_; }
  [[nodiscard]] double complexity(NodeId node) const;
  [[nodiscard]] std::string number_text(double value) const;
  /// A threshold, which rpart would round: whole where it ends.
  [[nodiscard]] std::string cut_text(double cut) const;

 private:
  [[nodiscard]] double mean(NodeId node) const;
  [[nodiscard]] const Tree& counted() const { return counted_ ? *counted_ : tree(); }
  [[nodiscard]] const Field& field(ColId column) const;
  [[nodiscard]] std::string level_list(NodeId node, std::size_t child) const;

  const Model* model_;
  double shrinkage_;
  std::optional<Tree> counted_;  // where shrinkage changed the values of the model's own
  int digits_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::size_t> left_;
  std::vector<std::int32_t> depths_;
  std::vector<NodeId> parents_, order_;
  std::vector<double> risk_, complexity_;
};

}  // namespace bough
