// SPDX-License-Identifier: Apache-2.0
// One level of all trees: histograms of the open nodes, then cells of alive buckets until every node is decided.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "scale/scale_spec.hpp"
#include "scale/tree_job.hpp"

namespace bough {
namespace {

// A node that is being decided.
struct OpenSight {
  TreeJob* job = nullptr;
  const NodeTask* task = nullptr;
  std::size_t index = 0;  // among the tasks of its tree
  bool constant = false;
  NodeSight sight;
  BlockReplies news;
};

class LevelSearch {
 public:
  LevelSearch(const BlockJob& job, std::int32_t level, TreeJobs& trees, RequestChannel& channel)
      : job_(job),
        level_(level),
        trees_(trees),
        channel_(channel),
        cells_at_once_(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(job.options.histogram_bytes) / 16,
                                                 internal_limits().block_cells_least,
                                                 internal_limits().block_cells_most)) {}

  // Decides some nodes; `keep`: their histograms are wanted for their children.
  void decide(std::span<OpenSight> open, bool keep) {
    count(open);
    parallel_for(open.size(), [&](std::size_t i) { step(open[i]); });
    while (collect(open)) {
    }
    for (OpenSight& node : open) {
      RemoteNodes::Node& own = node.job->engine.at(node.task->node);
      own.n_left = node.sight.n_left;
      own.parent.reset();
      if (!keep || !node.sight.proposal.found) own.histogram.reset();
    }
  }

 private:
  TreeRequest& request_of(Request& request, const TreeJob& job) const {
    for (TreeRequest& tree : request.trees)
      if (tree.tree == job.tree) return tree;
    return request.trees.emplace_back(job.request());
  }

  // What is counted for a node: itself, or, when it is the larger child, its sibling.
  static EngineNode counted(const OpenSight& node) {
    const RemoteNodes& engine = node.job->engine;
    const EngineNode id = node.task->node;
    return engine.at(id).parent && !engine.is_smaller(id) ? engine.at(id).sibling : id;
  }

  void count(std::span<OpenSight> open) {
    Request request = job_.request(Phase::count, level_);
    struct Counted {
      TreeJob* job;
      EngineNode node;
    };
    std::vector<Counted> counts;  // in the order of the answer
    for (std::size_t i = 0; i < open.size(); ++i) {
      TreeRequest& tree = request_of(request, *open[i].job);
      const EngineNode node = counted(open[i]);
      const auto seen = [&](const Counted& c) { return c.job == open[i].job && c.node == node; };
      // Siblings come one after the other.
      if (counts.empty() ||
          std::none_of(counts.end() - std::min<std::ptrdiff_t>(2, std::ssize(counts)), counts.end(), seen)) {
        tree.nodes.push_back(node);
        counts.push_back({open[i].job, node});
      }
      open[i].job->engine.at(open[i].task->node).searched = true;
      if (!open[i].job->shape.numbers.empty()) tree.extremes.push_back(open[i].task->node);
    }
    Answer answer = channel_.ask(request);
    if (answer.n_histograms != counts.size() ||
        (!counts.empty() && answer.histogram_bytes != counts.front().job->histogram_bytes))
      throw Error(ErrorCode::internal, "blocks have counted other nodes than they were asked for");
    for (std::size_t i = 0; i < counts.size(); ++i) {
      auto histogram = std::make_shared<NodeHistogram>(answer.histogram_bytes);
      const std::span<std::byte> from = answer.histogram(i);
      std::copy(from.begin(), from.end(), bytes_of(*histogram).begin());
      counts[i].job->engine.at(counts[i].node).histogram = std::move(histogram);
    }
    for (OpenSight& node : open) derive(node);
    for (const Counted& c : counts)
      if (!c.job->engine.at(c.node).searched) c.job->engine.at(c.node).histogram.reset();
    note_constants(answer, open);
  }

  // The larger child's histogram is the parent's less the smaller one's.
  static void derive(OpenSight& node) {
    RemoteNodes& engine = node.job->engine;
    RemoteNodes::Node& own = engine.at(node.task->node);
    if (own.histogram || !own.parent) return;
    const RemoteNodes::Node& sibling = engine.at(own.sibling);
    own.histogram = std::move(own.parent);
    subtract_lanes(node.job->lanes, bytes_of(*own.histogram), bytes_of(*sibling.histogram));
  }

  void note_constants(const Answer& answer, std::span<OpenSight> open) const {
    std::size_t at = 0;
    for (OpenSight& node : open) {
      const std::size_t n_outputs = node.job->shape.numbers.size();
      if (n_outputs == 0) continue;
      node.constant = true;
      for (std::size_t o = 0; o < n_outputs; ++o, ++at)
        node.constant &= answer.extremes[at].low >= answer.extremes[at].high;
    }
  }

  static void step(OpenSight& node) {
    NodeHistogram& histogram = *node.job->engine.at(node.task->node).histogram;
    node.job->decider->step(*node.task, bytes_of(histogram), node.constant, node.news, node.sight);
    node.news = {};
  }

  // What was asked for in a round, in the order of the answer.
  struct Asked {
    std::vector<std::pair<OpenSight*, AliveColumn>> cells;
    std::vector<std::pair<OpenSight*, PartedColumn>> parts;
    std::vector<std::pair<OpenSight*, PartedColumn>> counts;
    std::vector<std::pair<OpenSight*, BucketExtent>> extents;
    std::vector<OpenSight*> waiting;
    std::uint64_t n_cells = 0;
  };

  // One round for the nodes that want to know more; false when none does.
  bool collect(std::span<OpenSight> open) {
    Request request = job_.request(Phase::collect, level_);
    Asked asked;
    for (OpenSight& node : open)
      if (!node.sight.finished && asked.n_cells < cells_at_once_)
        ask_for(node, request_of(request, *node.job), asked);
    if (asked.waiting.empty()) return false;
    Answer answer = channel_.ask(request);
    if (answer.cells.size() != asked.cells.size() + asked.parts.size() ||
        answer.extents.size() != asked.extents.size() || answer.parts.size() != asked.counts.size())
      throw Error(ErrorCode::internal, "blocks have sent other cells than they were asked for");
    for (std::size_t i = 0; i < asked.extents.size(); ++i) {
      auto [node, extent] = asked.extents[i];
      extent.low = answer.extents[i].low;
      extent.high = answer.extents[i].high;
      node->sight.extents.push_back(extent);
    }
    for (std::size_t i = 0; i < asked.counts.size(); ++i)
      asked.counts[i].first->news.counted.push_back({std::move(asked.counts[i].second), answer.counted(i)});
    std::vector<CollectedCells> collected = place_cells(asked, answer);
    for (std::size_t t = 0; t < trees_.size(); ++t) trees_[t]->decider->take(&collected[t]);
    parallel_for(asked.waiting.size(), [&](std::size_t i) { step(*asked.waiting[i]); });
    for (std::size_t t = 0; t < trees_.size(); ++t) trees_[t]->decider->take(nullptr);
    return true;
  }

  // The most promising columns first; what is too much now is asked for again, if it still matters then.
  void ask_for(OpenSight& node, TreeRequest& tree, Asked& asked) const {
    asked.waiting.push_back(&node);
    const auto fits = [&](std::uint64_t n_rows) {
      if (asked.n_cells > 0 && asked.n_cells + n_rows > cells_at_once_) return false;
      asked.n_cells += n_rows;
      return true;
    };
    for (const AliveColumn& column : node.sight.wanted) {
      if (!fits(column.n_rows)) break;
      tree.cells.push_back({node.task->node, column.column, column.alive});
      asked.cells.emplace_back(&node, column);
    }
    for (const PartedColumn& column : node.sight.wanted_parts) {
      if (!fits(column.n_rows)) break;
      tree.parts.push_back({node.task->node, column});
      asked.parts.emplace_back(&node, column);
    }
    for (const PartedColumn& column : node.sight.wanted_counts) {
      tree.counts.push_back({node.task->node, column});
      asked.counts.emplace_back(&node, column);
    }
    for (const BucketExtent& extent : node.sight.wanted_extents) {
      tree.extents.push_back({node.task->node, extent.column, extent.bucket});
      asked.extents.emplace_back(&node, extent);
    }
  }

  // The cells of every tree side by side; nodes are told where theirs are.
  std::vector<CollectedCells> place_cells(Asked& asked, const Answer& answer) const {
    std::vector<CollectedCells> collected(trees_.size());
    std::vector<std::uint32_t> begins;
    std::vector<std::size_t> sizes(trees_.size(), 0), homes;
    for (std::size_t i = 0; i < answer.cells.size(); ++i) {
      const bool whole = i < asked.cells.size();
      OpenSight& node = *(whole ? asked.cells[i].first : asked.parts[i - asked.cells.size()].first);
      homes.push_back(tree_index(*node.job));
      begins.push_back(static_cast<std::uint32_t>(sizes[homes[i]]));
      sizes[homes[i]] += answer.cells[i].size();
      const auto end = static_cast<std::uint32_t>(sizes[homes[i]]);
      if (whole) {
        node.news.columns.push_back({asked.cells[i].second, begins[i], end});
      } else {
        node.news.parts.push_back({asked.parts[i - asked.cells.size()].second, begins[i], end});
      }
    }
    for (std::size_t t = 0; t < trees_.size(); ++t) make_room(*trees_[t], sizes[t], collected[t]);
    parallel_for(homes.size(),
                 [&](std::size_t i) { put_cells(answer.cells[i], begins[i], collected[homes[i]]); });
    return collected;
  }

  std::size_t tree_index(const TreeJob& job) const {
    for (std::size_t t = 0;; ++t)
      if (trees_[t].get() == &job) return t;
  }

  static void make_room(const TreeJob& tree, std::size_t n, CollectedCells& cells) {
    cells.floats.resize(n);
    cells.doubles.resize(n);
    Targets& targets = cells.targets = tree.shape;
    for (ClassTarget& target : targets.classes) target.codes.resize(n);
    for (NumberTarget& target : targets.numbers) target.fixed.values.resize(n);
    if (tree.frame.weighted) targets.weights.resize(n);
    targets.rows.resize(n);
  }

  // What a column has not stays 0.
  static void put_cells(const CellList& from, std::uint32_t begin, CollectedCells& to) {
    const std::size_t n = from.size();
    std::copy(from.floats.begin(), from.floats.end(), to.floats.begin() + begin);
    std::copy(from.doubles.begin(), from.doubles.end(), to.doubles.begin() + begin);
    Targets& targets = to.targets;
    const std::size_t n_classes = targets.classes.size(), n_numbers = targets.numbers.size();
    for (std::size_t o = 0; o < n_classes; ++o)
      for (std::size_t i = 0; i < n; ++i)
        targets.classes[o].codes[begin + i] = from.classes[i * n_classes + o];
    for (std::size_t o = 0; o < n_numbers; ++o)
      for (std::size_t i = 0; i < n; ++i)
        targets.numbers[o].fixed.values[begin + i] = from.numbers[i * n_numbers + o];
    std::copy(from.weights.begin(), from.weights.end(),
              targets.weights.begin() + (from.weights.empty() ? 0 : begin));
    std::iota(targets.rows.begin() + begin, targets.rows.begin() + static_cast<std::ptrdiff_t>(begin + n),
              RowId{begin});
  }

  const BlockJob& job_;
  std::int32_t level_;
  TreeJobs& trees_;
  RequestChannel& channel_;
  std::uint64_t cells_at_once_;
};

// Small nodes whose rows are fewer bytes than the histograms that growing them here would take.
RemoteNodes::Finishes finish_rule(const BlockJob& job, std::size_t histogram_bytes) {
  return [row_bytes = static_cast<double>(job.row_bytes), bytes = static_cast<double>(histogram_bytes),
          most = static_cast<double>(job.options.gather_bytes)](std::int64_t n_rows, std::int32_t levels) {
    if (levels <= 0 || n_rows < 2) return false;
    const double nodes = std::min(std::ldexp(1.0, std::min(levels, 12)), static_cast<double>(n_rows)) - 1.0;
    const double here = bytes * nodes, there = row_bytes * static_cast<double>(n_rows);
    return there <= std::min(here, most);
  };
}

}  // namespace

TreeJob::TreeJob(const BlockJob& job, std::uint32_t number, TreeFrame tree_frame, std::uint64_t seed,
                 Monitor& monitor)
    : tree(number),
      frame(std::move(tree_frame)),
      shape(target_shape(*job.plan, frame)),
      spec(block_grow_spec(*job.plan, frame, seed)),
      histogram_bytes(make_block_counter(*job.columns, shape, frame.layout)->bytes()),
      lanes(make_block_counter(*job.columns, shape, frame.layout)->lanes()),
      engine(frame.n_rows, *job.columns, finish_rule(job, histogram_bytes)),
      decider(make_block_decider(*job.columns, shape, frame.layout, spec.engine, job.options.most_cells)),
      grower(engine, job.plan->features.fields.size(), shape, spec, monitor) {}

void grow_level(const BlockJob& job, TreeJobs& trees, RequestChannel& channel) {
  std::int32_t level = 0;
  std::vector<OpenSight> open;
  for (const std::unique_ptr<TreeJob>& tree : trees) {
    level = std::max(level, tree->grower.depth());
    for (std::size_t i = 0; i < tree->grower.to_search().size(); ++i) {
      OpenSight& node = open.emplace_back();
      node.job = tree.get();
      node.task = &tree->grower.to_search()[i];
      node.index = i;
    }
  }
  std::vector<std::vector<Proposal>> proposals(trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) proposals[t].resize(trees[t]->grower.to_search().size());
  if (!open.empty()) {
    LevelSearch search(job, level, trees, channel);
    const std::size_t batch =
        std::max<std::size_t>(1, static_cast<std::size_t>(job.options.histogram_bytes) /
                                     std::max<std::size_t>(1, open.front().job->histogram_bytes));
    const bool keep = open.size() <= batch;
    if (!keep)  // children of a level that does not fit are counted each by itself
      for (const OpenSight& node : open) node.job->engine.at(node.task->node).parent.reset();
    for (std::size_t begin = 0; begin < open.size(); begin += batch)
      search.decide(std::span(open).subspan(begin, std::min(batch, open.size() - begin)), keep);
  }
  for (OpenSight& node : open) {
    for (std::size_t t = 0; t < trees.size(); ++t)
      if (trees[t].get() == node.job) proposals[t][node.index] = std::move(node.sight.proposal);
  }
  for (std::size_t t = 0; t < trees.size(); ++t) {
    TreeJob& tree = *trees[t];
    if (!tree.grower.open()) continue;
    std::vector<std::vector<FinishedNode>> finished;
    for (std::size_t i = 0; i < tree.grower.to_finish().size(); ++i) {
      const FinishTask& task = tree.grower.to_finish()[i];
      tree.deferred.push_back({tree.grower.finish_handles()[i], task});
      finished.push_back({FinishedNode{task.node, -1, {}, false}});  // a leaf, for now
    }
    tree.grower.take(std::move(finished), std::move(proposals[t]));
  }
}

}  // namespace bough
