// SPDX-License-Identifier: Apache-2.0
// The grower: level by level, or best split first when the number of leaves is limited. Both give the same tree where the
// limit does not bind; the engine sees batches of nodes either way.
#include "grow/grow.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "grow/fill.hpp"
#include "grow/fill_arms.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

struct OpenNode {
  EngineNode engine = 0;
  Handle handle = 0;
  std::int32_t depth = 0;
  std::uint64_t key = 0;
  ValueBounds bounds{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  std::vector<std::uint32_t> groups;   // interaction groups that hold every column used so far
};

struct Ready {
  OpenNode node;
  Proposal proposal;
};

class Grower {
 public:
  Grower(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec, Monitor& monitor)
      : targets_(targets),
        spec_(spec),
        monitor_(monitor),
        engine_(&engine),
        builder_(targets.is_classification() ? Task::classification : Task::regression, widths(targets)),
        columns_(n_columns) {
    std::iota(columns_.begin(), columns_.end(), ColId{0});
    min_weight_ = spec.min_weight_fraction_leaf * static_cast<double>(targets.total_weight);
    total_weight_ = std::ldexp(static_cast<double>(targets.total_weight), -targets.weight_exponent);
  }

  Grown run() {
    monitor_.stage("grow");
    monitor_.total(static_cast<std::int64_t>(targets_.rows.size()));
    OpenNode root;
    root.handle = builder_.root();
    root.key = mix(spec_.seed, 0);
    root.groups.resize(spec_.interactions.size());
    std::iota(root.groups.begin(), root.groups.end(), 0U);
    note(root);
    if (spec_.max_leaf_nodes) {
      best_first(std::move(root));
    } else {
      level_by_level(std::move(root));
    }
    return finish();
  }

 private:
  static std::vector<std::uint32_t> widths(const Targets& targets) {
    std::vector<std::uint32_t> out(targets.numbers.size(), 1);
    for (const ClassTarget& target : targets.classes) out.push_back(target.n_classes);
    return out;
  }

  void level_by_level(OpenNode root) {
    std::vector<OpenNode> level{std::move(root)};
    // Engines may finish small subtrees in one go, except where the grower's constraints reach into them.
    const bool may_finish = spec_.engine.monotone.empty() && spec_.interactions.empty();
    while (!level.empty()) {
      if (may_finish) finish_small(level);
      std::vector<OpenNode> next;
      const std::vector<Ready> found = search(std::move(level));
      std::vector<Engine::Division> divisions;
      for (const Ready& ready : found) divisions.push_back({ready.node.engine, &ready.proposal});
      engine_->expect(divisions);
      for (const Ready& ready : found)
        for (OpenNode& child : divide(ready)) next.push_back(std::move(child));
      level = std::move(next);
    }
  }

  // Takes the nodes that the engine finishes by itself out of the level.
  void finish_small(std::vector<OpenNode>& level) {
    std::vector<FinishTask> tasks;
    std::vector<Handle> handles;
    std::erase_if(level, [&](const OpenNode& node) {
      if (!engine_->finishes(node.engine, spec_.max_depth - node.depth)) return false;
      tasks.push_back({node.engine, node.depth, node.key});
      handles.push_back(node.handle);
      return true;
    });
    if (tasks.empty()) return;
    SubtreeRules rules;
    rules.max_depth = spec_.max_depth;
    rules.min_samples_split = spec_.min_samples_split;
    rules.min_samples_leaf = spec_.min_samples_leaf;
    rules.min_weight = min_weight_;
    rules.min_impurity_decrease = spec_.min_impurity_decrease;
    rules.total_weight = total_weight_;
    rules.max_features = spec_.max_features;
    auto subtrees = engine_->finish(tasks, rules, monitor_);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      replay(subtrees[i], handles[i]);
      std::vector<FinishedNode>().swap(subtrees[i]);
      monitor_.advance(static_cast<std::int64_t>(engine_->rows(tasks[i].node).size()));
    }
    monitor_.nodes(static_cast<std::int64_t>(builder_.n_handles()));
  }

  void replay(const std::vector<FinishedNode>& nodes, Handle root) {
    std::vector<Handle> handles(nodes.size());
    handles[0] = root;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      heuristic_ |= nodes[i].heuristic;
      if (nodes[i].right < 0) continue;
      const auto right = static_cast<std::size_t>(nodes[i].right);
      handles[i + 1] = builder_.split(handles[i], nodes[i].split, 2);
      handles[right] = handles[i + 1] + 1;
      engine_nodes_.push_back(nodes[i + 1].node);
      engine_nodes_.push_back(nodes[right].node);
    }
  }

  // The open split of the largest gain is made first; of equal gains the one found first.
  void best_first(OpenNode root) {
    std::vector<Ready> heap;
    const auto lower = [](const Ready& a, const Ready& b) {
      if (a.proposal.split.gain != b.proposal.split.gain) return a.proposal.split.gain < b.proposal.split.gain;
      return a.node.handle > b.node.handle;
    };
    std::vector<OpenNode> open{std::move(root)};
    for (std::int32_t leaves = 1;; ++leaves) {
      for (Ready& ready : search(std::move(open))) {
        heap.push_back(std::move(ready));
        std::push_heap(heap.begin(), heap.end(), lower);
      }
      if (heap.empty() || leaves >= *spec_.max_leaf_nodes) return;
      std::pop_heap(heap.begin(), heap.end(), lower);
      Ready best = std::move(heap.back());
      heap.pop_back();
      open = divide(best);
    }
  }

  // The nodes that may and can be split, with their splits; the others stay leaves.
  std::vector<Ready> search(std::vector<OpenNode> open) {
    std::vector<NodeTask> tasks;
    std::vector<std::vector<ColId>> drawn;
    std::vector<OpenNode> kept;
    for (OpenNode& node : open) {
      if (may_split(node)) {
        drawn.push_back(draw_columns(node));
        kept.push_back(std::move(node));
      } else {
        monitor_.advance(static_cast<std::int64_t>(engine_->rows(node.engine).size()));
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) tasks.push_back(make_task(kept[i], drawn[i]));
    std::vector<Proposal> proposals = engine_->best(tasks, monitor_);
    std::vector<Ready> ready;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      heuristic_ |= proposals[i].heuristic;
      if (proposals[i].found && worth_it(proposals[i])) {
        ready.push_back({std::move(kept[i]), std::move(proposals[i])});
      } else {
        monitor_.advance(static_cast<std::int64_t>(engine_->rows(kept[i].engine).size()));
      }
    }
    return ready;
  }

  [[nodiscard]] bool may_split(const OpenNode& node) const {
    const auto n = static_cast<std::int64_t>(engine_->rows(node.engine).size());
    return node.depth < spec_.max_depth && n >= spec_.min_samples_split && n >= 2 * spec_.min_samples_leaf;
  }

  [[nodiscard]] bool worth_it(const Proposal& proposal) const {
    SubtreeRules rules;
    rules.total_weight = total_weight_;
    rules.min_impurity_decrease = spec_.min_impurity_decrease;
    return rules.worth(spec_.lookahead > 1 ? proposal.split.score : proposal.split.gain);
  }

  NodeTask make_task(const OpenNode& node, std::span<const ColId> columns) const {
    NodeTask task;
    task.node = node.engine;
    task.columns = columns;
    task.n_draw = spec_.max_features == 0 ? columns.size() : std::min(spec_.max_features, columns.size());
    task.key = node.key;
    task.limits.min_rows = spec_.min_samples_leaf;
    task.limits.min_weight = min_weight_;
    task.limits.monotone = !spec_.engine.monotone.empty();
    task.limits.low = node.bounds.low;
    task.limits.high = node.bounds.high;
    return task;
  }

  // The columns that interactions allow here, shuffled when only some are to be searched.
  std::vector<ColId> draw_columns(const OpenNode& node) const {
    std::vector<ColId> columns;
    if (spec_.interactions.empty()) {
      columns = columns_;
    } else {
      for (const std::uint32_t group : node.groups)
        columns.insert(columns.end(), spec_.interactions[group].begin(), spec_.interactions[group].end());
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    }
    return bough::draw_columns(std::move(columns), spec_.max_features, node.key);
  }

  std::vector<OpenNode> divide(const Ready& ready) {
    const Split& split = ready.proposal.split;
    const std::vector<EngineNode> parts = engine_->split(ready.node.engine, ready.proposal);
    const Handle first =
        builder_.split(ready.node.handle, split, static_cast<std::int32_t>(parts.size()), ready.proposal.shares);
    builder_.set_alternatives(ready.node.handle, ready.proposal.alternatives);
    std::vector<OpenNode> children;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      OpenNode child;
      child.engine = parts[c];
      child.handle = first + static_cast<Handle>(c);
      child.depth = ready.node.depth + 1;
      child.key = mix(ready.node.key, c);
      child.bounds = child_bounds(ready, c);
      for (const std::uint32_t group : ready.node.groups)
        if (std::binary_search(spec_.interactions[group].begin(), spec_.interactions[group].end(), split.column))
          child.groups.push_back(group);
      note(child);
      children.push_back(std::move(child));
    }
    monitor_.nodes(static_cast<std::int64_t>(builder_.n_handles()));
    return children;
  }

  // Below a split on a constrained column the children may not cross the middle of their values.
  [[nodiscard]] ValueBounds child_bounds(const Ready& ready, std::size_t child) const {
    ValueBounds bounds = ready.node.bounds;
    if (spec_.engine.monotone.empty()) return bounds;
    const int sign = spec_.engine.monotone[static_cast<std::size_t>(ready.proposal.split.column)];
    if (sign == 0) return bounds;
    const double middle = ready.proposal.left_value / 2 + ready.proposal.right_value / 2;
    ((sign > 0) == (child == 0) ? bounds.high : bounds.low) = middle;
    return bounds;
  }

  void note(const OpenNode& node) {
    engine_nodes_.push_back(node.engine);
    if (!spec_.engine.monotone.empty()) bounds_.push_back(node.bounds);
  }

  Grown finish() {
    monitor_.tick();
    std::vector<std::span<const RowId>> rows;
    for (const EngineNode node : engine_nodes_) rows.push_back(engine_->rows(node));
    if (spec_.engine.arms.wanted) {
      fill_arms(builder_, rows, targets_, {.effect = spec_.engine.arms.effect, .variance_price = spec_.variance_price});
      return {std::move(builder_).finish(), heuristic_};
    }
    fill(builder_, rows, targets_,
         {spec_.engine.criterion, spec_.engine.quantile, std::move(bounds_), spec_.engine.full.wanted});
    return {std::move(builder_).finish(), heuristic_};
  }

  const Targets& targets_;
  const GrowSpec& spec_;
  Monitor& monitor_;
  Engine* engine_;
  TreeBuilder builder_;
  std::vector<ColId> columns_;
  double min_weight_ = 0.0;
  double total_weight_ = 0.0;
  bool heuristic_ = false;
  std::vector<EngineNode> engine_nodes_;   // by handle
  std::vector<ValueBounds> bounds_;        // by handle; empty without monotone constraints
};

}  // namespace

Grown grow(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec, Monitor& monitor) {
  return Grower(engine, n_columns, targets, spec, monitor).run();
}

}  // namespace bough
