// SPDX-License-Identifier: Apache-2.0
// The fast engine: one list of rows, histograms for large nodes (refine.hpp), sorted columns for small ones.
//
// A node is a range of the list of rows. Children are searched from histograms: the smaller child's is built from its rows,
// the larger one's is the parent's minus that, in place. node_search.hpp searches one node; presorted.hpp finishes small
// subtrees.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "base/buffer.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/histogram/node_search.hpp"
#include "split/histogram/row_sides.hpp"
#include "split/oblique/oblique_large.hpp"
#include "split/row_partition.hpp"
#include "split/subtree_grower.hpp"

namespace bough {

/// Up to how many rows subtrees are finished from sorted lists. Where those have no fast scores, histograms and bounds pay down
/// to fewer rows.
inline std::uint32_t finish_rows(const EngineOptions& options, bool fast_scores) noexcept {
  const bool all = fast_scores || options.small_rows == kMostSmallRows;
  return all ? options.small_rows : std::min(options.small_rows, internal_limits().slow_small_rows);
}
/// With few levels left, sorting does not pay back before the rows get few.
inline bool finish_pays(std::size_t n_rows, std::int32_t levels) noexcept {
  return n_rows <= internal_limits().shallow_rows || levels >= internal_limits().shallow_levels;
}

template <class Layout, class FamilyT>
class FastEngine final : public Engine {
 public:
  using Word = typename Layout::Word;
  using Histogram = std::vector<Word>;

  FastEngine(const CodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : table_(&table),
        targets_(&targets),
        options_(std::move(options)),
        family_(std::move(family)),
        layout_(table, targets),
        rows_(targets.rows.size()),
        scratch_(targets.rows.size() + 1) {
    parallel_ranges(rows_.size(), internal_limits().parallel_rows, [&](std::size_t begin, std::size_t end) {
      std::copy(targets.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                targets.rows.begin() + static_cast<std::ptrdiff_t>(end), rows_.data() + begin);
    });
    if (options_.oblique.wanted && options_.oblique.standard) scales_ = coded_scales(table, targets);
    nodes_.push_back({0, static_cast<std::uint32_t>(rows_.size()), nullptr, -1, nullptr, 0});
    if (options_.scan.random) return;  // random cuts need no order
    finish_rows_ = finish_rows(options_, has_strip_scores(targets, options_.criterion));
  }

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals(tasks.size());
    if (!tasks.empty() && table_->use == CodeUse::cells)
      internal_error("a node is to be searched by codes, but the table was coded for sorted lists alone");
    if (options_.oblique.wanted && !sums_ && !tasks.empty())
      sums_.emplace(*table_, *targets_, family_, options_, scales_);
    // More nodes than the budget has histograms for are searched in batches, and their children start afresh.
    const std::size_t batch = most_histograms();
    for (std::size_t begin = 0; begin < tasks.size(); begin += batch) {
      const std::size_t count = std::min(batch, tasks.size() - begin);
      search_batch(tasks.subspan(begin, count), std::span(proposals).subspan(begin, count), monitor);
      if (tasks.size() <= batch) break;
      for (const NodeTask& task : tasks.subspan(begin, count)) at(task.node).histogram.reset();
    }
    hold_histograms(tasks, proposals);
    return proposals;
  }

  void expect(std::span<const Division> divisions) override {
    parallel_for(divisions.size(), [&](std::size_t i) {
      Node& node = at(divisions[i].node);
      node.n_left = partition(node.begin, node.end, *divisions[i].proposal);
    });
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const std::uint32_t begin = at(node).begin, end = at(node).end;
    // A division has rows on both sides, so 0 means that nobody expected it.
    const std::uint32_t n_left = at(node).n_left > 0 ? at(node).n_left : partition(begin, end, proposal);
    const std::uint32_t middle = begin + n_left;
    const auto left = static_cast<EngineNode>(nodes_.size()), right = left + 1;
    const std::shared_ptr<Histogram> parent = std::move(at(node).histogram);
    nodes_.push_back({begin, middle, nullptr, right, nullptr, 0});
    nodes_.push_back({middle, end, nullptr, left, nullptr, 0});
    for (const EngineNode child : {left, right}) {
      if (!is_large(child)) continue;
      at(child).parent = parent;
      born_.push_back(child);
    }
    return {left, right};
  }

  [[nodiscard]] bool finishes(EngineNode node, std::int32_t levels) const override {
    return size(node) <= finish_rows_ && finish_pays(size(node), levels);
  }

  std::vector<std::vector<FinishedNode>> finish(std::span<const FinishTask> tasks, const SubtreeRules& rules,
                                                Monitor& monitor) override {
    std::vector<Subtree> subtrees(tasks.size());
    parallel_ranges(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
      const std::unique_ptr<SubtreeGrower> presorted = make_presorted(*table_, *targets_, options_, scales_);
      for (std::size_t i = begin; i < end; ++i) {
        monitor.tick();
        Node& node = at(tasks[i].node);
        node.parent.reset();
        subtrees[i] = presorted->grow(rows(tasks[i].node), tasks[i].depth, tasks[i].key, rules);
        std::copy(presorted->ordered_rows().begin(), presorted->ordered_rows().end(),
                  rows_.data() + node.begin);
      }
    });
    std::vector<std::vector<FinishedNode>> finished(tasks.size());
    std::vector<std::size_t> begins;  // of the numbers that a subtree's nodes get
    for (const Subtree& subtree : subtrees) {
      begins.push_back(nodes_.size());
      nodes_.resize(nodes_.size() + subtree.size() - 1);
    }
    parallel_for(tasks.size(), [&](std::size_t i) {
      finished[i] = enlist(tasks[i].node, begins[i], subtrees[i]);
      Subtree().swap(subtrees[i]);
    });
    return finished;
  }

  [[nodiscard]] Rows rows(EngineNode node) const override {
    return Rows(rows_.data() + at(node).begin, at(node).end - at(node).begin);
  }

 private:
  void search_batch(std::span<const NodeTask> tasks, std::span<Proposal> proposals, Monitor& monitor) {
    parallel_for(tasks.size(), [&](std::size_t i) {
      monitor.tick();
      if (is_large(tasks[i].node)) make_histogram(tasks[i].node);
    });
    // Only now may a child take its parent's histogram over, because its sibling has been read.
    parallel_for(tasks.size(), [&](std::size_t i) {
      if (is_large(tasks[i].node)) take_over(tasks[i].node);
    });
    parallel_for(tasks.size(), [&](std::size_t i) {
      monitor.tick();
      NodeSearch<Layout, FamilyT> search(*table_, *targets_, layout_, family_, options_);
      search.at(rows(tasks[i].node));
      const bool large = is_large(tasks[i].node);
      proposals[i] = large ? search.large(tasks[i], *at(tasks[i].node).histogram, monitor)
                           : search.small(tasks[i], monitor);
      if (sums_) sums_->improve(tasks[i], rows(tasks[i].node), large, proposals[i], monitor);
    });
  }

  // How many histograms of open nodes the budget has room for.
  [[nodiscard]] std::size_t most_histograms() const {
    const std::size_t bytes = table_->n_buckets() * layout_.words() * sizeof(Word);
    return std::max<std::size_t>(1, options_.histogram_budget / bytes);
  }

  // Nodes that are searched now may be split much later (best first). Those that will not be split let their histograms go, and
  // beyond the budget those of the smallest gain; the children of such a node count their rows.
  void hold_histograms(std::span<const NodeTask> tasks, std::span<const Proposal> proposals) {
    for (const EngineNode child : born_)
      at(child).parent.reset();  // who was not searched by now never will be
    born_.clear();
    std::erase_if(held_, [&](const Held& held) { return at(held.node).histogram == nullptr; });
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (!proposals[i].found) at(tasks[i].node).histogram.reset();
      if (at(tasks[i].node).histogram) held_.push_back({proposals[i].split.gain, tasks[i].node});
    }
    const std::size_t most = most_histograms();
    if (held_.size() <= most) return;
    std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) { return a.gain > b.gain; });
    for (const Held& held : std::span(held_).subspan(most)) at(held.node).histogram.reset();
    held_.resize(most);
  }

  struct Held {
    double gain = 0.0;
    EngineNode node = 0;
  };
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::shared_ptr<Histogram> histogram;
    EngineNode sibling = -1;
    std::shared_ptr<Histogram> parent;  // until this node's own histogram is made
    std::uint32_t n_left = 0;           // once the rows are divided
  };

  [[nodiscard]] Node& at(EngineNode node) { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::uint32_t size(EngineNode node) const { return at(node).end - at(node).begin; }
  [[nodiscard]] bool is_large(EngineNode node) const {
    return size(node) > options_.min_histogram && !options_.scan.random;
  }
  [[nodiscard]] bool is_smaller(EngineNode node) const {
    const EngineNode sibling = at(node).sibling;
    return size(node) < size(sibling) || (size(node) == size(sibling) && node < sibling);
  }

  // Gives the nodes below the root of a subtree the numbers from `begin` on.
  std::vector<FinishedNode> enlist(EngineNode root, std::size_t begin, Subtree& subtree) {
    std::vector<FinishedNode> finished(subtree.size());
    const std::uint32_t first = at(root).begin;
    for (std::size_t i = 0; i < subtree.size(); ++i) {
      SubtreeNode& node = subtree[i];
      finished[i].node = i == 0 ? root : static_cast<EngineNode>(begin + i - 1);
      if (i > 0) {
        at(finished[i].node).begin = first + node.begin;
        at(finished[i].node).end = first + node.end;
      }
      finished[i].right = node.right;
      finished[i].heuristic = node.heuristic;
      if (node.right < 0) continue;
      if (!node.terms.empty()) {
        finished[i].split = oblique_split(node.candidate, node.terms, node.missing_known);
        continue;
      }
      finished[i].split = to_split(node.candidate, column_of(node.candidate.column).n_levels,
                                   node.missing_known, node.candidate.left_heavier);
      to_values(options_.buckets, node.candidate, finished[i].split);
    }
    return finished;
  }

  // The smaller of two siblings (and the root) counts its rows. The larger one of a pair counts its sibling's when nobody
  // else does.
  void make_histogram(EngineNode id) {
    Node& node = at(id);
    if (node.histogram) return;
    if (node.sibling < 0 || !node.parent || is_smaller(id)) {
      node.histogram = count(rows(id));
    } else if (!is_large(node.sibling)) {
      node.histogram = count(rows(node.sibling));
    }
  }

  void take_over(EngineNode id) {
    Node& node = at(id);
    if (node.parent && node.sibling >= 0 && !is_smaller(id)) {
      const std::shared_ptr<Histogram> other =
          is_large(node.sibling) ? at(node.sibling).histogram : node.histogram;
      if (other) {
        Histogram& mine = *node.parent;
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] -= (*other)[i];
        node.histogram = std::move(node.parent);
      } else {
        node.histogram = count(rows(id));
      }
    }
    node.parent.reset();
  }

  std::shared_ptr<Histogram> count(Rows rows) const {
    const std::size_t words = table_->n_buckets() * layout_.words();
    auto histogram = std::make_shared<Histogram>(words);
    const std::size_t at_once = internal_limits().parallel_rows;
    if (rows.size() < at_once) {
      layout_.add_rows(rows, *histogram);
      return histogram;
    }
    std::mutex mutex;
    parallel_ranges(rows.size(), at_once, [&](std::size_t begin, std::size_t end) {
      Histogram part(words);
      layout_.add_rows(rows.subspan(begin, end - begin), part);
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < words; ++i) (*histogram)[i] += part[i];
    });
    return histogram;
  }

  [[nodiscard]] const CodedColumn& column_of(ColId id) const {
    return table_->columns[static_cast<std::size_t>(id)];
  }

  // Divides a range of rows_, keeping the order inside both parts; returns the rows on the left.
  std::uint32_t partition(std::uint32_t begin, std::uint32_t end, const Proposal& proposal) {
    const Candidate& candidate = proposal.candidate;
    if (const std::span<const ObliqueTerm> terms = proposal.split.terms; !terms.empty())
      return partition_by(begin, end, [&](RowId row) {
        const double sum = projected(terms, [&](ColId id) { return column_of(id).numbers.at(row); });
        return std::isnan(sum) ? candidate.missing_left : sum <= candidate.low;
      });
    const RowSides sides(*table_, candidate, column_of(candidate.column).single);
    return sides.visit([&](const auto& left) { return partition_by(begin, end, left); });
  }

  template <class IsLeft>
  std::uint32_t partition_by(std::uint32_t begin, std::uint32_t end, const IsLeft& left) {
    const std::size_t n = end - begin;
    return static_cast<std::uint32_t>(
        partition_rows(std::span(rows_.data() + begin, n), std::span(scratch_.data() + begin, n), left));
  }

  const CodedTable* table_;
  const Targets* targets_;
  EngineOptions options_;
  FamilyT family_;
  Layout layout_;
  Buffer<RowId> rows_;
  Buffer<RowId> scratch_;
  std::vector<Node> nodes_;
  std::vector<Held> held_;        // open nodes with histograms
  std::vector<EngineNode> born_;  // children that hold their parent's
  std::uint32_t finish_rows_ = 0;
  std::vector<double> scales_;                      // of columns, in combinations; empty: 1
  std::optional<LargeSums<Layout, FamilyT>> sums_;  // oblique trees
};

/// The engine of one layout and the criterion's family.
template <class Layout, class FamilyT>
std::unique_ptr<Engine> make_fast(const CodedTable& table, const Targets& targets,
                                  const EngineOptions& options, FamilyT family) {
  return std::make_unique<FastEngine<Layout, FamilyT>>(table, targets, options, std::move(family));
}

// One source file each: together they take a compiler minutes.
std::unique_ptr<Engine> make_fast_two_classes(const CodedTable& table, const Targets& targets,
                                              const EngineOptions& options);
std::unique_ptr<Engine> make_fast_classes(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options);
std::unique_ptr<Engine> make_fast_outputs(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options);
std::unique_ptr<Engine> make_fast_numbers(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options);

}  // namespace bough
