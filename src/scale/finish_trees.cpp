// SPDX-License-Identifier: Apache-2.0
// The end of growing on blocks: small nodes are brought together and grown, leaves are told what they know.
#include <algorithm>

#include "base/parallel.hpp"
#include "scale/ship_rows.hpp"
#include "scale/tree_job.hpp"

namespace bough {
namespace {

void ask_leaves(const BlockJob& job, TreeJobs& trees, RequestChannel& channel) {
  Request request = job.request(Phase::sums, 0);
  for (const std::unique_ptr<TreeJob>& tree : trees) {
    TreeRequest part = tree->request();
    std::vector<EngineNode> elsewhere;
    for (const TreeJob::Deferred& one : tree->deferred) elsewhere.push_back(one.task.node);
    std::sort(elsewhere.begin(), elsewhere.end());
    for (const FinishedNode& node : tree->grower.preorder())
      if (node.right < 0 && !std::binary_search(elsewhere.begin(), elsewhere.end(), node.node))
        part.nodes.push_back(node.node);
    if (!part.nodes.empty()) request.trees.push_back(std::move(part));
  }
  if (request.trees.empty()) return;
  Answer answer = channel.ask(request);
  std::size_t at = 0;
  for (const TreeRequest& part : request.trees) {
    const auto tree =
        std::find_if(trees.begin(), trees.end(), [&](const auto& one) { return one->tree == part.tree; });
    for (const EngineNode node : part.nodes) (*tree)->totals[node] = std::move(answer.totals[at++]);
  }
}

// Nodes of one tree that are finished together.
struct GatherGroup {
  TreeJob* tree = nullptr;
  std::vector<std::size_t> members;  // indices of tree->deferred
};

std::vector<GatherGroup> make_groups(const BlockJob& job, TreeJobs& trees) {
  std::vector<GatherGroup> groups;
  for (const std::unique_ptr<TreeJob>& tree : trees) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < tree->deferred.size(); ++i) {
      const auto own =
          static_cast<std::int64_t>(tree->engine.n_rows(tree->deferred[i].task.node) * job.row_bytes);
      if (groups.empty() || groups.back().tree != tree.get() || bytes + own > job.options.gather_bytes) {
        groups.push_back({tree.get(), {}});
        bytes = 0;
      }
      groups.back().members.push_back(i);
      bytes += own;
    }
  }
  return groups;
}

void put_subtree(TreeJob& tree, const TreeJob::Deferred& place, GrownSubtree subtree) {
  for (std::size_t i = 0; i < subtree.nodes.size(); ++i) {
    FinishedNode& node = subtree.nodes[i];
    node.node = i == 0 ? place.task.node : tree.next_elsewhere++;
    if (node.right < 0) tree.totals[node.node] = std::move(subtree.totals[i]);
  }
  tree.grower.put(place.handle, place.task.node, subtree.nodes);
}

void finish_groups(const BlockJob& job, std::span<const GatherGroup> groups, RequestChannel& channel) {
  Request request = job.request(Phase::regroup, 0);
  request.n_groups = static_cast<std::uint32_t>(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    TreeJob& tree = *groups[g].tree;
    if (request.trees.empty() || request.trees.back().tree != tree.tree)
      request.trees.push_back(tree.request());
    for (const std::size_t i : groups[g].members) {
      const FinishTask& task = tree.deferred[i].task;
      request.trees.back().gathered.push_back(
          {task.node, static_cast<std::uint32_t>(g), task.depth, task.key});
    }
  }
  const std::vector<std::string> answers = channel.regroup(request);
  if (answers.size() != groups.size())
    throw Error(ErrorCode::internal, "another number of groups came back than was sent");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<GrownSubtree> subtrees = unpack_subtrees(answers[g]);
    if (subtrees.size() != groups[g].members.size())
      throw Error(ErrorCode::internal, "a group came back with other nodes than it was sent");
    for (std::size_t i = 0; i < subtrees.size(); ++i)
      put_subtree(*groups[g].tree, groups[g].tree->deferred[groups[g].members[i]], std::move(subtrees[i]));
  }
}

}  // namespace

std::vector<Grown> finish_trees(const BlockJob& job, TreeJobs& trees, RequestChannel& channel) {
  ask_leaves(job, trees, channel);
  const std::vector<GatherGroup> groups = make_groups(job, trees);
  const std::size_t at_once = job.options.groups_at_once > 0 ? job.options.groups_at_once : groups.size();
  for (std::size_t begin = 0; begin < groups.size(); begin += at_once)
    finish_groups(job, std::span(groups).subspan(begin, std::min(at_once, groups.size() - begin)), channel);
  std::vector<Grown> grown(trees.size());
  parallel_for(trees.size(), [&](std::size_t t) {
    TreeJob& tree = *trees[t];
    std::vector<LeafTotals> by_handle;
    for (const EngineNode node : tree.grower.engine_nodes()) {
      const auto found = tree.totals.find(node);
      by_handle.push_back(found == tree.totals.end() ? LeafTotals() : std::move(found->second));
    }
    grown[t] = tree.grower.finish(by_handle, tree.frame.poisson());
  });
  return grown;
}

}  // namespace bough
