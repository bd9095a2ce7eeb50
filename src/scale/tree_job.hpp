// SPDX-License-Identifier: Apache-2.0
// Trees that grow together on blocks: what is asked for each of them, level by level.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "grow/steps.hpp"
#include "scale/answer.hpp"
#include "scale/plan.hpp"
#include "scale/remote_nodes.hpp"

namespace bough {

/// Asks all blocks, and lets the caller stop in between.
class RequestChannel {
 public:
  RequestChannel(BlockExecutor& executor, Monitor& monitor) : executor_(&executor), monitor_(&monitor) {}
  Answer ask(const Request& request) {
    monitor_->tick();
    return Answer::from_bytes(executor_->ask(request.bytes()));
  }
  std::vector<std::string> regroup(const Request& request) {
    monitor_->tick();
    return executor_->regroup(request.bytes());
  }

 private:
  BlockExecutor* executor_;
  Monitor* monitor_;
};

/// What all trees of a training share.
struct BlockJob {
  const ScalePlan::Parts* plan = nullptr;
  const CodedTable* columns = nullptr;  ///< column_shape()
  BlockOptions options;
  std::size_t row_bytes = 1;  ///< of a row that is gathered
  Request blank;              ///< phase, level and trees are filled in

  [[nodiscard]] Request request(Phase phase, std::int32_t level) const {
    Request out = blank;
    out.phase = phase;
    out.level = level;
    return out;
  }
};

/// A tree under growth. It stays where it is: growers and deciders view its parts.
struct TreeJob {
  TreeJob(const BlockJob& job, std::uint32_t number, TreeFrame tree_frame, std::uint64_t seed,
          Monitor& monitor);
  TreeJob(const TreeJob&) = delete;

  std::uint32_t tree;
  TreeFrame frame;
  Targets shape;
  GrowSpec spec;
  std::size_t histogram_bytes = 0;
  Lanes lanes = Lanes::u64;
  RemoteNodes engine;
  std::unique_ptr<BlockDecider> decider;
  LevelGrower grower;
  /// Leaves whose subtrees are grown elsewhere at the end.
  struct Deferred {
    TreeBuilder::Handle handle;
    FinishTask task;
  };
  std::vector<Deferred> deferred;
  std::unordered_map<EngineNode, LeafTotals> totals;  ///< of leaves
  EngineNode next_elsewhere = EngineNode{1} << 30;    ///< number of the next node that was grown elsewhere

  [[nodiscard]] TreeRequest request() const {
    return {tree, frame, engine.steps(), {}, {}, {}, {}, {}, {}, {}};
  }
};

using TreeJobs = std::vector<std::unique_ptr<TreeJob>>;

/// Finds the fixed points of trees (numbers within the forest).
std::vector<TreeFrame> measure_frames(const BlockJob& job, std::span<const std::uint32_t> trees,
                                      bool weighted, RequestChannel& channel);
/// Takes all trees one level further.
void grow_level(const BlockJob& job, TreeJobs& trees, RequestChannel& channel);
/// Grows what was deferred, and asks what leaves know; then the trees.
std::vector<Grown> finish_trees(const BlockJob& job, TreeJobs& trees, RequestChannel& channel);

}  // namespace bough
