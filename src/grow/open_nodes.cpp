// SPDX-License-Identifier: Apache-2.0
// Stop rules, constraints and column sampling of open nodes.
#include "grow/open_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/internal_limits.hpp"
#include "base/random.hpp"
#include "grow/fill_arms.hpp"
#include "grow/whole_tree.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

std::vector<std::uint32_t> widths(const Targets& targets) {
  std::vector<std::uint32_t> out(targets.numbers.size(), 1);
  for (const ClassTarget& target : targets.classes) out.push_back(target.n_classes);
  return out;
}

}  // namespace

NodeGrower::NodeGrower(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
                       Monitor& monitor)
    : engine_(&engine),
      targets_(&targets),
      spec_(&spec),
      monitor_(&monitor),
      builder_(targets.is_classification() ? Task::classification : Task::regression, widths(targets)),
      columns_(n_columns) {
  std::iota(columns_.begin(), columns_.end(), ColId{0});
  min_weight_ = spec.min_weight_fraction_leaf * static_cast<double>(targets.total_weight);
  total_weight_ = std::ldexp(static_cast<double>(targets.total_weight), -targets.weight_exponent);
}

std::uint64_t NodeGrower::root_key() const {
  return spec_->root_key.value_or(mix(spec_->seed, 0));
}

Grown NodeGrower::whole() {
  const std::vector<WholeNode> nodes = engine_->grow_whole({0, 0, root_key()}, rules(), *monitor_);
  const Rows rows = engine_->rows(0);
  monitor_->advance(static_cast<std::int64_t>(rows.size()));
  monitor_->nodes(static_cast<std::int64_t>(nodes.size()));
  monitor_->tick();
  return {whole_tree(nodes, rows, *targets_, widths(*targets_), columns_.size(), spec_->engine.criterion),
          false};
}

OpenLeaf NodeGrower::root() {
  OpenLeaf root;
  root.handle = builder_.root();
  root.key = root_key();
  root.groups.resize(spec_->interactions.size());
  std::iota(root.groups.begin(), root.groups.end(), 0U);
  note(root);
  return root;
}

std::vector<FinishedNode> NodeGrower::preorder() const {
  std::vector<FinishedNode> nodes;
  struct Visit {
    Handle handle;
    std::int32_t parent;  // whose right child it is; -1: nobody's
  };
  std::vector<Visit> open{{0, -1}};
  while (!open.empty()) {
    const auto [handle, parent] = open.back();
    open.pop_back();
    const auto at = static_cast<std::int32_t>(nodes.size());
    if (parent >= 0) nodes[static_cast<std::size_t>(parent)].right = at;
    FinishedNode& node = nodes.emplace_back();
    node.node = engine_nodes_[static_cast<std::size_t>(handle)];
    node.heuristic = heuristic_;
    if (builder_.is_leaf(handle)) continue;
    node.split = builder_.split_of(handle);
    const std::span<const Handle> children = builder_.children(handle);
    open.push_back({children[1], at});
    open.push_back({children[0], -1});
  }
  return nodes;
}

OpenBatch NodeGrower::open(std::vector<OpenLeaf> nodes) {
  OpenBatch batch;
  for (OpenLeaf& node : nodes) {
    if (may_split(node)) {
      batch.columns.push_back(draw(node));
      batch.nodes.push_back(std::move(node));
    } else {
      monitor_->advance(n_rows(node));
    }
  }
  for (std::size_t i = 0; i < batch.nodes.size(); ++i)
    batch.tasks.push_back(make_task(batch.nodes[i], batch.columns[i]));
  return batch;
}

std::vector<ReadyNode> NodeGrower::choose(OpenBatch batch, std::vector<Proposal> proposals) {
  std::vector<ReadyNode> ready;
  for (std::size_t i = 0; i < batch.nodes.size(); ++i) {
    heuristic_ |= proposals[i].heuristic;
    if (proposals[i].found && worth_it(proposals[i])) {
      ready.push_back({std::move(batch.nodes[i]), std::move(proposals[i])});
    } else {
      monitor_->advance(n_rows(batch.nodes[i]));
    }
  }
  return ready;
}

bool NodeGrower::may_split(const OpenLeaf& node) const {
  const std::int64_t n = n_rows(node);
  return node.depth < spec_->max_depth && n >= spec_->min_samples_split && n >= 2 * spec_->min_samples_leaf;
}

SubtreeRules NodeGrower::rules() const {
  SubtreeRules rules;
  rules.max_depth = spec_->max_depth;
  rules.min_samples_split = spec_->min_samples_split;
  rules.min_samples_leaf = spec_->min_samples_leaf;
  rules.min_weight = min_weight_;
  rules.min_impurity_decrease = spec_->min_impurity_decrease;
  rules.total_weight = total_weight_;
  rules.max_features = spec_->max_features;
  rules.draw_ties = spec_->draw_ties;
  return rules;
}

bool NodeGrower::worth_it(const Proposal& proposal) const {
  return rules().worth(proposal.split.gain);
}

NodeTask NodeGrower::make_task(const OpenLeaf& node, std::span<const ColId> columns) const {
  NodeTask task;
  task.node = node.engine;
  task.columns = columns;
  task.n_draw = spec_->max_features == 0 ? columns.size() : std::min(spec_->max_features, columns.size());
  task.key = node.key;
  task.limits.min_rows = spec_->min_samples_leaf;
  task.limits.min_weight = min_weight_;
  task.limits.monotone = !spec_->engine.monotone.empty();
  task.limits.low = node.bounds.low;
  task.limits.high = node.bounds.high;
  task.limits.ties = rules().ties(node.key, columns_.size());
  task.interactions = spec_->interactions;
  task.groups = node.groups;
  return task;
}

// The columns that interactions allow here, shuffled when only some are to be searched.
std::vector<ColId> NodeGrower::draw(const OpenLeaf& node) const {
  std::vector<ColId> columns;
  if (spec_->interactions.empty()) {
    columns = columns_;
  } else {
    for (const std::uint32_t group : node.groups)
      columns.insert(columns.end(), spec_->interactions[group].begin(), spec_->interactions[group].end());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return draw_columns(std::move(columns), spec_->max_features, node.key);
}

std::vector<OpenLeaf> NodeGrower::divide(const ReadyNode& ready) {
  const Split& split = ready.proposal.split;
  const std::vector<EngineNode> parts = engine_->split(ready.node.engine, ready.proposal);
  const Handle first = builder_.split(ready.node.handle, split, static_cast<std::int32_t>(parts.size()),
                                      ready.proposal.shares);
  builder_.set_alternatives(ready.node.handle, ready.proposal.alternatives);
  note(split, parts.size());
  plain_ &= ready.proposal.shares.empty() && ready.proposal.alternatives.empty();
  std::vector<OpenLeaf> children;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    OpenLeaf child;
    child.engine = parts[c];
    child.handle = first + static_cast<Handle>(c);
    child.depth = ready.node.depth + 1;
    child.key = mix(ready.node.key, c);
    child.bounds = child_bounds(ready, c);
    for (const std::uint32_t group : ready.node.groups)
      if (std::binary_search(spec_->interactions[group].begin(), spec_->interactions[group].end(),
                             split.column))
        child.groups.push_back(group);
    note(child);
    children.push_back(std::move(child));
  }
  monitor_->nodes(static_cast<std::int64_t>(builder_.n_handles()));
  return children;
}

void NodeGrower::put(Handle leaf, EngineNode node, const std::vector<FinishedNode>& subtree) {
  std::vector<Handle> handles(subtree.size());
  handles[0] = leaf;
  for (std::size_t i = 0; i < subtree.size(); ++i) {
    heuristic_ |= subtree[i].heuristic;
    if (subtree[i].right < 0) continue;
    const auto right = static_cast<std::size_t>(subtree[i].right);
    handles[i + 1] = builder_.split(handles[i], subtree[i].split, 2);
    note(subtree[i].split, 2);
    handles[right] = handles[i + 1] + 1;
    engine_nodes_.push_back(subtree[i + 1].node);
    engine_nodes_.push_back(subtree[right].node);
  }
  monitor_->advance(static_cast<std::int64_t>(engine_->n_rows(node)));
  monitor_->nodes(static_cast<std::int64_t>(builder_.n_handles()));
}

// Below a split on a constrained column the children may not cross the middle of their values.
ValueBounds NodeGrower::child_bounds(const ReadyNode& ready, std::size_t child) const {
  ValueBounds bounds = ready.node.bounds;
  if (spec_->engine.monotone.empty()) return bounds;
  const int sign = spec_->engine.monotone[static_cast<std::size_t>(ready.proposal.split.column)];
  if (sign == 0) return bounds;
  const double middle = ready.proposal.left_value / 2 + ready.proposal.right_value / 2;
  ((sign > 0) == (child == 0) ? bounds.high : bounds.low) = middle;
  return bounds;
}

void NodeGrower::note(const OpenLeaf& node) {
  engine_nodes_.push_back(node.engine);
  if (!spec_->engine.monotone.empty()) bounds_.push_back(node.bounds);
}

void NodeGrower::note(const Split& split, std::size_t n_children) {
  plain_ &= (split.kind == NodeKind::numeric || split.kind == NodeKind::ordinal) && n_children == 2 &&
            (split.missing_to | 1) == 1 && split.unseen_to == split.missing_to;
}

std::vector<WholeNode> NodeGrower::whole_nodes() const {
  const bool sums = criterion_info(spec_->engine.criterion).family != Family::order;
  if (!plain_ || !sums || !bounds_.empty() || spec_->engine.arms.wanted || spec_->engine.full.wanted)
    return {};
  const Rows all = engine_->rows(0);
  // The sums of larger nodes cost more than the nodes, and fill() shares them better.
  if (all.size() > internal_limits().whole_tree_rows * builder_.n_handles()) return {};
  std::vector<WholeNode> nodes;
  nodes.reserve(builder_.n_handles());
  struct Visit {
    Handle handle;
    std::int32_t right_of;  // whose right child it is; -1: nobody's
  };
  std::vector<Visit> open{{0, -1}};
  while (!open.empty()) {
    const auto [handle, right_of] = open.back();
    open.pop_back();
    const auto at = static_cast<std::int32_t>(nodes.size());
    if (right_of >= 0) nodes[static_cast<std::size_t>(right_of)].right = at;
    const Rows rows = engine_->rows(engine_nodes_[static_cast<std::size_t>(handle)]);
    const std::ptrdiff_t begin = rows.data() - all.data();
    if (rows.empty() || begin < 0 || static_cast<std::size_t>(begin) + rows.size() > all.size()) return {};
    WholeNode& node = nodes.emplace_back();
    node.begin = static_cast<std::uint32_t>(begin);
    node.end = static_cast<std::uint32_t>(static_cast<std::size_t>(begin) + rows.size());
    if (builder_.is_leaf(handle)) continue;
    const Split split = builder_.split_of(handle);
    node.column = split.column;
    node.kind = split.kind;
    node.missing_to = static_cast<std::uint8_t>(split.missing_to);
    node.threshold = split.threshold;
    node.gain = split.gain;
    const std::span<const Handle> children = builder_.children(handle);
    open.push_back({children[1], at});
    open.push_back({children[0], -1});
  }
  return nodes;
}

Grown NodeGrower::finish() {
  monitor_->tick();
  if (const std::vector<WholeNode> nodes = whole_nodes(); !nodes.empty())
    return {whole_tree(nodes, engine_->rows(0), *targets_, widths(*targets_), columns_.size(),
                       spec_->engine.criterion),
            heuristic_};
  std::vector<std::span<const RowId>> rows;
  for (const EngineNode node : engine_nodes_) rows.push_back(engine_->rows(node));
  if (spec_->engine.arms.wanted) {
    fill_arms(builder_, rows, *targets_,
              {.effect = spec_->engine.arms.effect, .variance_price = spec_->variance_price});
  } else {
    fill(builder_, rows, *targets_,
         {spec_->engine.criterion, spec_->engine.quantile, std::move(bounds_), spec_->engine.full.wanted});
  }
  return {std::move(builder_).finish(), heuristic_};
}

Grown NodeGrower::finish(std::span<const LeafTotals> leaves, std::span<const PoissonFrame> poisson) {
  monitor_->tick();
  if (spec_->engine.arms.wanted || spec_->engine.full.wanted)
    throw Error(ErrorCode::not_supported,
                fmt::format("nodes of {} need their rows to be told about, not sums of them",
                            spec_->engine.arms.wanted ? "a treatment" : "competitors and surrogates"),
                "train on all rows in one memory");
  fill(builder_, leaves, *targets_, poisson,
       {spec_->engine.criterion, spec_->engine.quantile, std::move(bounds_), false});
  return {std::move(builder_).finish(), heuristic_};
}

}  // namespace bough
