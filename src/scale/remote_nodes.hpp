// SPDX-License-Identifier: Apache-2.0
// The nodes of a tree whose rows are in blocks: how many rows they have, their histograms, and the splits so far.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "scale/request.hpp"
#include "split/engine.hpp"

namespace bough {

using NodeHistogram = Buffer<unsigned char>;
inline std::span<std::byte> bytes_of(NodeHistogram& histogram) noexcept {
  return {reinterpret_cast<std::byte*>(histogram.data()), histogram.size()};
}

/// Divides nodes on paper; who asks it to search or for rows is wrong here.
class RemoteNodes final : public Engine {
 public:
  /// Whether a node's subtree is to be grown where its rows can be brought together: rows, levels left.
  using Finishes = std::function<bool(std::int64_t n_rows, std::int32_t levels)>;
  RemoteNodes(std::int64_t n_rows, const CodedTable& columns, Finishes finishes);

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override;
  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override;
  [[nodiscard]] bool finishes(EngineNode node, std::int32_t levels) const override;
  [[nodiscard]] Rows rows(EngineNode node) const override;
  [[nodiscard]] std::size_t n_rows(EngineNode node) const override {
    return static_cast<std::size_t>(at(node).n_rows);
  }

  struct Node {
    std::int64_t n_rows = 0;
    std::int64_t n_left = 0;  ///< once the node is decided
    EngineNode sibling = -1;
    std::shared_ptr<NodeHistogram> histogram;
    std::shared_ptr<NodeHistogram> parent;  ///< the parent's, while a child may be made from it
    bool searched = false;                  ///< or was only counted for the sake of its sibling
  };
  [[nodiscard]] Node& at(EngineNode node) { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// Of two siblings the one that is counted; the other one is the rest of their parent.
  [[nodiscard]] bool is_smaller(EngineNode node) const;
  [[nodiscard]] const std::vector<SplitStep>& steps() const noexcept { return steps_; }

 private:
  std::vector<Node> nodes_;
  std::vector<SplitStep> steps_;
  const CodedTable* columns_;
  Finishes finishes_;
};

}  // namespace bough
