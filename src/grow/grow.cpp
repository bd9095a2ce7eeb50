// SPDX-License-Identifier: Apache-2.0
// The grower: level by level, or best split first when the number of leaves is limited. Both give the same
// tree where the limit does not bind; the engine sees batches of nodes either way.
#include "grow/grow.hpp"

#include <algorithm>

#include "grow/steps.hpp"

namespace bough {
namespace {

Grown level_by_level(LevelGrower grower, Engine& engine, Monitor& monitor) {
  while (grower.open()) {
    std::vector<std::vector<FinishedNode>> finished;
    if (!grower.to_finish().empty()) finished = engine.finish(grower.to_finish(), grower.rules(), monitor);
    std::vector<Proposal> proposals;
    if (!grower.to_search().empty()) proposals = engine.best(grower.to_search(), monitor);
    grower.take(std::move(finished), std::move(proposals));
  }
  return grower.finish();
}

// The open split of the largest gain is made first; of equal gains the one found first.
Grown best_first(NodeGrower nodes, Engine& engine, Monitor& monitor) {
  std::vector<ReadyNode> heap;
  const auto lower = [](const ReadyNode& a, const ReadyNode& b) {
    if (a.proposal.split.gain != b.proposal.split.gain) return a.proposal.split.gain < b.proposal.split.gain;
    return a.node.handle > b.node.handle;
  };
  std::vector<OpenLeaf> open;
  open.push_back(nodes.root());
  for (std::int32_t leaves = 1;; ++leaves) {
    OpenBatch batch = nodes.open(std::move(open));
    std::vector<Proposal> proposals = engine.best(batch.tasks, monitor);
    for (ReadyNode& ready : nodes.choose(std::move(batch), std::move(proposals))) {
      heap.push_back(std::move(ready));
      std::push_heap(heap.begin(), heap.end(), lower);
    }
    if (heap.empty() || leaves >= *nodes.spec().max_leaf_nodes) return nodes.finish();
    std::pop_heap(heap.begin(), heap.end(), lower);
    const ReadyNode best = std::move(heap.back());
    heap.pop_back();
    open = nodes.divide(best);
  }
}

}  // namespace

Grown grow(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
           Monitor& monitor) {
  monitor.stage("grow");
  monitor.total(static_cast<std::int64_t>(engine.n_rows(0)));
  if (engine.grows_whole()) return NodeGrower(engine, n_columns, targets, spec, monitor).whole();
  if (spec.max_leaf_nodes)
    return best_first(NodeGrower(engine, n_columns, targets, spec, monitor), engine, monitor);
  return level_by_level(LevelGrower(engine, n_columns, targets, spec, monitor), engine, monitor);
}

}  // namespace bough
