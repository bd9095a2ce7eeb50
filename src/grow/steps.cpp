// SPDX-License-Identifier: Apache-2.0
// One level after the other.
#include "grow/steps.hpp"

#include <utility>

#include "base/assert.hpp"

namespace bough {

LevelGrower::LevelGrower(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
                         Monitor& monitor)
    : nodes_(engine, n_columns, targets, spec, monitor) {
  std::vector<OpenLeaf> level;
  level.push_back(nodes_.root());
  start(std::move(level));
}

void LevelGrower::start(std::vector<OpenLeaf> level) {
  to_finish_.clear();
  finish_handles_.clear();
  const GrowSpec& spec = nodes_.spec();
  if (engines_may_finish(spec)) {
    std::erase_if(level, [&](const OpenLeaf& node) {
      if (!nodes_.engine().finishes(node.engine, spec.max_depth - node.depth)) return false;
      to_finish_.push_back({node.engine, node.depth, node.key});
      finish_handles_.push_back(node.handle);
      return true;
    });
  }
  batch_ = nodes_.open(std::move(level));
}

void LevelGrower::take(std::vector<std::vector<FinishedNode>> finished, std::vector<Proposal> proposals) {
  BOUGH_ASSERT(finished.size() == to_finish_.size() && proposals.size() == batch_.tasks.size());
  for (std::size_t i = 0; i < finished.size(); ++i) {
    nodes_.put(finish_handles_[i], to_finish_[i].node, finished[i]);
    std::vector<FinishedNode>().swap(finished[i]);
  }
  const std::vector<ReadyNode> ready = nodes_.choose(std::exchange(batch_, {}), std::move(proposals));
  std::vector<Engine::Division> divisions;
  for (const ReadyNode& node : ready) divisions.push_back({node.node.engine, &node.proposal});
  nodes_.engine().expect(divisions);
  std::vector<OpenLeaf> next;
  for (const ReadyNode& node : ready)
    for (OpenLeaf& child : nodes_.divide(node)) next.push_back(std::move(child));
  ++depth_;
  start(std::move(next));
}

}  // namespace bough
