// SPDX-License-Identifier: Apache-2.0
// The fast engine: one list of rows, histograms for large nodes (refine.hpp), sorted columns for small ones.
//
// A node is a range of the list of rows. Children are searched from histograms: the smaller child's is built from its rows,
// the larger one's is the parent's minus that, in place. Columns that have no buckets (categories with many levels) and
// nodes without histograms are searched by sorting the node's rows (scan.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/presorted.hpp"
#include "split/refine.hpp"

namespace bough {
namespace {

constexpr std::size_t kParallelRows = 1 << 15;

template <class Layout, class FamilyT>
class FastEngine final : public Engine {
 public:
  using Word = typename Layout::Word;
  using Sums = typename FamilyT::Node;
  using Histogram = std::vector<Word>;

  FastEngine(const CodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : table_(&table),
        targets_(&targets),
        options_(std::move(options)),
        family_(std::move(family)),
        layout_(table, targets),
        rows_(targets.rows),
        scratch_(targets.rows.size() + 1) {
    nodes_.push_back({0, static_cast<std::uint32_t>(rows_.size()), nullptr, -1, nullptr});
  }

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    parallel_for(tasks.size(), [&](std::size_t i) {
      monitor.tick();
      if (is_large(tasks[i].node)) make_histogram(tasks[i].node);
    });
    // Only now may a child take its parent's histogram over, because its sibling has been read.
    for (const NodeTask& task : tasks)
      if (is_large(task.node)) take_over(task.node);
    std::vector<Proposal> proposals(tasks.size());
    parallel_for(tasks.size(), [&](std::size_t i) {
      monitor.tick();
      proposals[i] = is_large(tasks[i].node) ? search_large(tasks[i], monitor) : search_small(tasks[i], monitor);
    });
    return proposals;
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const std::uint32_t begin = at(node).begin, end = at(node).end;
    const std::uint32_t middle = begin + partition(begin, end, proposal.candidate);
    const auto left = static_cast<EngineNode>(nodes_.size()), right = left + 1;
    const std::shared_ptr<Histogram> parent = std::move(at(node).histogram);
    nodes_.push_back({begin, middle, nullptr, right, nullptr});
    nodes_.push_back({middle, end, nullptr, left, nullptr});
    for (const EngineNode child : {left, right})
      if (is_large(child)) at(child).parent = parent;
    return {left, right};
  }

  [[nodiscard]] bool finishes(EngineNode node, std::int32_t levels) const override {
    // With few levels left, sorting does not pay back before the rows get few.
    constexpr std::uint32_t tiny = 128;
    constexpr std::int32_t enough_levels = 3;
    return size(node) <= options_.small_rows && (size(node) <= tiny || levels >= enough_levels);
  }

  std::vector<std::vector<FinishedNode>> finish(std::span<const FinishTask> tasks, const SubtreeRules& rules,
                                                Monitor& monitor) override {
    std::vector<Subtree> subtrees(tasks.size());
    parallel_ranges(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
      Presorted<FamilyT> presorted(*table_, *targets_, family_, options_);
      for (std::size_t i = begin; i < end; ++i) {
        monitor.tick();
        Node& node = at(tasks[i].node);
        node.parent.reset();
        subtrees[i] = presorted.grow(rows(tasks[i].node), tasks[i].depth, tasks[i].key, rules);
        std::copy(presorted.ordered_rows().begin(), presorted.ordered_rows().end(), rows_.begin() + node.begin);
      }
    });
    std::vector<std::vector<FinishedNode>> finished(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) finished[i] = enlist(tasks[i].node, subtrees[i]);
    return finished;
  }

  [[nodiscard]] Rows rows(EngineNode node) const override {
    return Rows(rows_).subspan(at(node).begin, at(node).end - at(node).begin);
  }

 private:
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::shared_ptr<Histogram> histogram;
    EngineNode sibling = -1;
    std::shared_ptr<Histogram> parent;      // until this node's own histogram is made
  };

  [[nodiscard]] Node& at(EngineNode node) { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::uint32_t size(EngineNode node) const { return at(node).end - at(node).begin; }
  [[nodiscard]] bool is_large(EngineNode node) const { return size(node) > options_.min_histogram; }
  [[nodiscard]] bool is_smaller(EngineNode node) const {
    const EngineNode sibling = at(node).sibling;
    return size(node) < size(sibling) || (size(node) == size(sibling) && node < sibling);
  }

  // Gives the nodes of a subtree numbers of this engine.
  std::vector<FinishedNode> enlist(EngineNode root, Subtree& subtree) {
    std::vector<FinishedNode> finished(subtree.size());
    const std::uint32_t first = at(root).begin;
    for (std::size_t i = 0; i < subtree.size(); ++i) {
      SubtreeNode& node = subtree[i];
      finished[i].node = i == 0 ? root : static_cast<EngineNode>(nodes_.size());
      if (i > 0) nodes_.push_back({first + node.begin, first + node.end, nullptr, -1, nullptr});
      finished[i].right = node.right;
      finished[i].heuristic = node.heuristic;
      if (node.right < 0) continue;
      const std::uint32_t n_left = subtree[i + 1].end - subtree[i + 1].begin;
      finished[i].split = to_split(node.candidate, column_of(node.candidate.column).n_levels, node.missing_known,
                                   2 * n_left > node.end - node.begin);
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
      const std::shared_ptr<Histogram> other = is_large(node.sibling) ? at(node.sibling).histogram : node.histogram;
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
    const std::size_t words = table_->columns.size() * kBuckets * layout_.words();
    auto histogram = std::make_shared<Histogram>(words);
    if (rows.size() < kParallelRows) {
      layout_.add_rows(rows, *histogram);
      return histogram;
    }
    std::mutex mutex;
    parallel_ranges(rows.size(), kParallelRows, [&](std::size_t begin, std::size_t end) {
      Histogram part(words);
      layout_.add_rows(rows.subspan(begin, end - begin), part);
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < words; ++i) (*histogram)[i] += part[i];
    });
    return histogram;
  }

  struct Found {
    Candidate candidate;
    std::int64_t rows_left = 0;      // known rows and missing ones
    bool missing_known = false;
    bool heuristic = false;
  };

  Proposal search_large(const NodeTask& task, Monitor& monitor) {
    const Histogram& histogram = *at(task.node).histogram;
    const Sums node = totals(histogram);
    Proposal proposal;
    if (is_pure(node, rows(task.node))) {
      proposal.pure = true;
      return proposal;
    }
    const std::vector<ColId> columns = drawn_columns(task, histogram);
    std::vector<ColId> ordered;
    for (const ColId column : columns)
      if (is_ordered(column)) ordered.push_back(column);
    Found found = search_ordered(task, histogram, node, ordered);
    for (const ColId column : columns) {
      if (is_ordered(column)) continue;
      monitor.tick();
      Found other = column_of(column).wide ? search_sorted(task, node, column) : search_levels(task, histogram, node, column);
      const bool heuristic = found.heuristic || other.heuristic;
      if (other.candidate.found && better(other.candidate, found.candidate)) found = std::move(other);
      found.heuristic = heuristic;
    }
    accept(task, found, proposal);
    return proposal;
  }

  Found search_ordered(const NodeTask& task, const Histogram& histogram, const Sums& node, std::span<const ColId> columns) {
    Found found;
    if (columns.empty()) return found;
    Refine<Layout, FamilyT> refine(*table_, layout_, family_, options_.criterion);
    const Cut cut = refine.best({rows(task.node), &node, histogram, columns, options_.monotone, &task.limits});
    if (!cut.found) return found;
    const std::uint32_t missing = layout_.n_rows(bucket_of(histogram, cut.column, kMissingBucket));
    found.missing_known = missing > 0;
    found.rows_left = cut.rows_left + (cut.missing_left ? missing : 0);
    found.candidate = to_candidate(task.node, histogram, cut);
    return found;
  }

  // Values on both sides of a boundary cut come from the rows of the two buckets next to it.
  Candidate to_candidate(EngineNode id, const Histogram& histogram, const Cut& cut) const {
    Candidate c;
    c.found = true;
    c.score = cut.score;
    c.gain = cut.gain;
    c.column = cut.column;
    c.kind = column_of(cut.column).kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    c.missing_left = cut.missing_left;
    c.left_value = cut.left_value;
    c.right_value = cut.right_value;
    c.low = cut.low;
    c.high = cut.high;
    c.all_known_left = cut.all_known_left;
    if (cut.inside) return c;
    std::size_t next = cut.bucket + std::size_t{1};
    while (next < kMissingBucket && layout_.n_rows(bucket_of(histogram, cut.column, next)) == 0) ++next;
    if (c.kind == NodeKind::ordinal) {
      c.low = cut.bucket;
      c.high = static_cast<double>(next);
      return c;
    }
    const std::uint8_t* codes = table_->column(cut.column);
    const NumberSource& numbers = column_of(cut.column).numbers;
    c.low = -std::numeric_limits<double>::infinity();
    c.high = std::numeric_limits<double>::infinity();
    for (const RowId row : rows(id)) {
      if (codes[row] == cut.bucket) c.low = std::max(c.low, numbers.at(row));
      if (codes[row] == next && next != kMissingBucket) c.high = std::min(c.high, numbers.at(row));
    }
    return c;
  }

  // A category by the sums of its levels.
  Found search_levels(const NodeTask& task, const Histogram& histogram, const Sums& node, ColId id) {
    NodeColumn column;
    column.id = id;
    column.kind = Kind::category;
    std::vector<Sums> sums;
    const Word* words = bucket_of(histogram, id, 0);
    for (std::size_t level = 0; level < column_of(id).n_levels; ++level) {
      const std::uint32_t count = layout_.n_rows(words + level * layout_.words());
      if (count == 0) continue;
      column.groups.push_back({static_cast<double>(level), count, {}});
      sums.push_back(zero_like(node));
      layout_.add_bucket(words, level, sums.back());
    }
    column.n_missing = layout_.n_rows(words + kMissingBucket * layout_.words());
    Sums missing = zero_like(node);
    layout_.add_bucket(words, kMissingBucket, missing);
    Scan<FamilyT> scan(family_, node, task.limits, options_.scan);
    Found found;
    found.candidate = scan.best(column, std::move(sums), std::move(missing), mix(task.key, static_cast<std::uint64_t>(id)));
    found.heuristic = scan.used_heuristic();
    finish_found(column, found);
    return found;
  }

  // Any column by sorting the node's rows.
  Found search_sorted(const NodeTask& task, const Sums& node, ColId id) {
    std::vector<RowId> order;
    const NodeColumn column = sorted_column(task.node, id, order);
    Found found;
    if (column.constant()) return found;
    Scan<FamilyT> scan(family_, node, task.limits, options_.scan);
    const int sign = options_.monotone.empty() ? 0 : options_.monotone[static_cast<std::size_t>(id)];
    found.candidate = scan.best(column, sign, mix(task.key, static_cast<std::uint64_t>(id)));
    found.heuristic = scan.used_heuristic();
    finish_found(column, found);
    return found;
  }

  static void finish_found(const NodeColumn& column, Found& found) {
    found.missing_known = column.n_missing > 0;
    if (!found.candidate.found) return;
    for (const Group& group : column.groups)
      if (goes_left(found.candidate, group.cell)) found.rows_left += static_cast<std::int64_t>(group.count);
    if (found.candidate.missing_left) found.rows_left += static_cast<std::int64_t>(column.n_missing);
  }

  NodeColumn sorted_column(EngineNode node, ColId id, std::vector<RowId>& order) const {
    std::vector<std::pair<double, RowId>> cells;
    std::vector<RowId> missing;
    for (const RowId row : rows(node)) {
      const double cell = table_->cell(id, row);
      if (std::isnan(cell)) {
        missing.push_back(row);
      } else {
        cells.emplace_back(cell, row);
      }
    }
    std::sort(cells.begin(), cells.end());
    order.clear();
    for (const auto& cell : cells) order.push_back(cell.second);
    order.insert(order.end(), missing.begin(), missing.end());
    NodeColumn column;
    column.id = id;
    column.kind = column_of(id).kind;
    for (std::size_t begin = 0; begin < cells.size();) {
      std::size_t end = begin + 1;
      while (end < cells.size() && cells[end].first == cells[begin].first) ++end;
      column.groups.push_back({cells[begin].first, end - begin, Rows(order).subspan(begin, end - begin)});
      begin = end;
    }
    column.n_missing = missing.size();
    column.missing = Rows(order).subspan(cells.size());
    return column;
  }

  Proposal search_small(const NodeTask& task, Monitor& monitor) {
    Proposal proposal;
    const Sums node = family_.node(rows(task.node));
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    Found best;
    bool seen = false;
    for (std::size_t i = 0; i < task.columns.size() && (i < task.n_draw || !seen); ++i) {
      monitor.tick();
      std::vector<RowId> order;
      seen |= !sorted_column(task.node, task.columns[i], order).constant();
      Found found = search_sorted(task, node, task.columns[i]);
      const bool heuristic = best.heuristic || found.heuristic;
      if (found.candidate.found && better(found.candidate, best.candidate)) best = std::move(found);
      best.heuristic = heuristic;
    }
    accept(task, best, proposal);
    return proposal;
  }

  void accept(const NodeTask& task, const Found& found, Proposal& proposal) const {
    proposal.heuristic = found.heuristic;
    proposal.found = found.candidate.found;
    if (!proposal.found) return;
    proposal.candidate = found.candidate;
    proposal.left_value = found.candidate.left_value;
    proposal.right_value = found.candidate.right_value;
    const bool left_is_larger = 2 * found.rows_left > static_cast<std::int64_t>(size(task.node));
    proposal.split =
        to_split(found.candidate, column_of(found.candidate.column).n_levels, found.missing_known, left_is_larger);
  }

  // The columns to search: the first n_draw, and more until one is not constant.
  std::vector<ColId> drawn_columns(const NodeTask& task, const Histogram& histogram) const {
    std::vector<ColId> columns;
    bool seen = false;
    for (std::size_t i = 0; i < task.columns.size() && (i < task.n_draw || !seen); ++i) {
      columns.push_back(task.columns[i]);
      if (task.n_draw < task.columns.size()) seen |= !is_constant(task.node, histogram, task.columns[i]);
    }
    return columns;
  }

  bool is_constant(EngineNode node, const Histogram& histogram, ColId id) const {
    if (!column_of(id).wide) {
      int occupied = 0;
      bool single = true;
      for (std::size_t b = 0; b < kBuckets; ++b)
        if (layout_.n_rows(bucket_of(histogram, id, b)) > 0) {
          ++occupied;
          single = b == kMissingBucket || column_of(id).single[b];
        }
      if (occupied > 1) return false;
      if (single) return true;
    }
    const double first = table_->cell(id, rows(node).front());
    for (const RowId row : rows(node)) {
      const double cell = table_->cell(id, row);
      if (cell != first && !(std::isnan(cell) && std::isnan(first))) return false;
    }
    return true;
  }

  /// Searched by cuts between its buckets.
  [[nodiscard]] bool is_ordered(ColId id) const { return column_of(id).kind != Kind::category && !column_of(id).wide; }
  [[nodiscard]] const CodedColumn& column_of(ColId id) const { return table_->columns[static_cast<std::size_t>(id)]; }
  const Word* bucket_of(const Histogram& histogram, ColId column, std::size_t bucket) const {
    return histogram.data() + (static_cast<std::size_t>(column) * kBuckets + bucket) * layout_.words();
  }

  Sums zero() const { return family_.node({}); }
  static Sums zero_like(const Sums& sums) {
    Sums zero = sums;
    if constexpr (requires { zero.counts; }) {
      std::fill(zero.counts.begin(), zero.counts.end(), 0);
      zero.weight = 0;
    } else {
      for (auto& total : zero.totals) total = ParentMoments{};
    }
    return zero;
  }

  Sums totals(const Histogram& histogram) const {
    Sums sums = zero();
    for (std::size_t b = 0; b < kBuckets; ++b) layout_.add_bucket(histogram.data(), b, sums);
    if constexpr (requires { sums.totals; })
      for (auto& total : sums.totals) total = make_parent(total);
    return sums;
  }

  bool is_pure(const Sums& sums, Rows rows) const {
    if constexpr (requires { sums.counts; }) {
      return std::find(sums.counts.begin(), sums.counts.end(), sums.weight) != sums.counts.end();
    } else {
      return family_.is_constant(rows);
    }
  }

  bool is_left(const Candidate& candidate, RowId row) const {
    const double cell = table_->cell(candidate.column, row);
    return std::isnan(cell) ? candidate.missing_left : goes_left(candidate, cell);
  }

  // What a bucket of the candidate's column says about its rows.
  enum : std::uint8_t { kRight = 0, kLeft = 1, kLook = 2 };
  std::array<std::uint8_t, kBuckets> bucket_sides(const Candidate& candidate) const {
    std::array<std::uint8_t, kBuckets> sides;
    const CodedColumn& column = column_of(candidate.column);
    if (column.kind == Kind::numeric) {
      sides.fill(kRight);
      const std::size_t bucket = column.bucket_of(candidate.low);
      std::fill_n(sides.begin(), bucket, std::uint8_t{kLeft});
      sides[bucket] = column.single[bucket] ? kLeft : kLook;
    } else {
      for (std::size_t level = 0; level < kBuckets; ++level)
        sides[level] = level < column.n_levels && goes_left(candidate, static_cast<double>(level)) ? kLeft : kRight;
    }
    sides[kMissingBucket] = candidate.missing_left ? kLeft : kRight;
    return sides;
  }

  // Divides a range of rows_, keeping the order inside both parts; returns the rows on the left.
  std::uint32_t partition(std::uint32_t begin, std::uint32_t end, const Candidate& candidate) {
    if (column_of(candidate.column).wide)
      return partition_by(begin, end, [&](RowId row) { return is_left(candidate, row); });
    const std::array<std::uint8_t, kBuckets> sides = bucket_sides(candidate);
    const std::uint8_t* codes = table_->column(candidate.column);
    return partition_by(begin, end, [&](RowId row) {
      const std::uint8_t side = sides[codes[row]];
      return side == kLook ? is_left(candidate, row) : side == kLeft;
    });
  }

  template <class IsLeft>
  std::uint32_t partition_by(std::uint32_t begin, std::uint32_t end, const IsLeft& left) {
    std::uint32_t out = begin, right = 0;
    RowId* rows = rows_.data();
    RowId* others = scratch_.data() + begin;   // its own stretch, so that nodes may be divided at the same time
    for (std::uint32_t i = begin; i < end; ++i) {
      const RowId row = rows[i];
      const std::uint32_t is_left = left(row) ? 1 : 0;
      rows[out] = row;
      others[right] = row;
      out += is_left;
      right += 1 - is_left;
    }
    std::copy_n(others, right, rows + out);
    return out - begin;
  }

  const CodedTable* table_;
  const Targets* targets_;
  EngineOptions options_;
  FamilyT family_;
  Layout layout_;
  std::vector<RowId> rows_;
  std::vector<RowId> scratch_;
  std::vector<Node> nodes_;
};

}  // namespace

std::unique_ptr<Engine> make_fast_engine(CodedTable& table, const Targets& targets, const EngineOptions& options) {
  const auto make = [&](auto layout, auto family) -> std::unique_ptr<Engine> {
    return std::make_unique<FastEngine<typename decltype(layout)::type, decltype(family)>>(table, targets, options,
                                                                                         std::move(family));
  };
  if (targets.is_classification()) {
    const ClassTarget& target = targets.classes.front();
    for (std::size_t i = 0; i < target.codes.size(); ++i)
      table.by_row[(i + 1) * table.row_stride - 1] = static_cast<std::uint8_t>(target.codes[i]);
    return with_class_criterion(options.criterion, [&](auto tag) {
      ClassFamily<typename decltype(tag)::type> family(targets);
      if (!targets.weights.empty()) return make(Tag<Classes<std::int64_t>>{}, std::move(family));
      if (target.n_classes == 2) return make(Tag<PackedTwoClass>{}, std::move(family));
      return make(Tag<Classes<std::uint32_t>>{}, std::move(family));
    });
  }
  return with_moment_criterion(options.criterion, [&](auto tag) {
    return make(Tag<Sums>{}, MomentFamily<typename decltype(tag)::type>(targets));
  });
}

bool fast_engine_fits(const Targets& targets, const EngineOptions& options) {
  if (targets.n_outputs() != 1 || options.scan.random) return false;
  if (targets.is_classification()) return targets.classes.front().n_classes >= 2 && targets.classes.front().n_classes <= 255;
  return targets.weights.empty() && criterion_info(options.criterion).family == Family::moments;
}

}  // namespace bough
