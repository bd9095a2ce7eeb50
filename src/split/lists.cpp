// SPDX-License-Identifier: Apache-2.0
// The lists engine: every column keeps its rows sorted by code; a node is the same range of every list.
//
// Splitting a node divides its range of each list in two, keeping the order inside both parts, so nothing is sorted twice.
// Searching a column is one pass over its range (scan.hpp). Sparse columns list their stored rows only, with a range of
// their own per node; the rows at zero are put in when the column is searched. Cost: O(rows * columns) per level.
#include <algorithm>
#include <numeric>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/arm_family.hpp"
#include "split/arms.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/order_family.hpp"

namespace bough {
namespace {

// Smaller searches and divisions are not worth sharing between threads.

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class Lists {
 public:
  Lists(const EncodedTable& table, const Targets& targets)
      : table_(&table), side_(static_cast<std::size_t>(table.n_rows)) {
    rows_ = targets.rows;
    std::vector<char> used(static_cast<std::size_t>(table.n_rows), 0);
    for (const RowId row : rows_) used[row] = 1;
    lists_.resize(table.columns.size());
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].sparse) sparse_of_.push_back(j);
    parallel_for(table.columns.size(),
                 [&](std::size_t j) { lists_[j] = sorted_rows(table.columns[j], used); });
    Node root;
    root.range = {0, static_cast<std::uint32_t>(rows_.size())};
    for (const std::size_t j : sparse_of_)
      root.sparse.push_back({0, static_cast<std::uint32_t>(lists_[j].size())});
    nodes_.push_back(std::move(root));
  }

  [[nodiscard]] Rows rows(EngineNode node) const { return slice(rows_, at(node).range); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return lists_.size(); }

  /// The rows of a dense column at a node by code, missing last.
  [[nodiscard]] Rows sorted(EngineNode node, ColId id) const {
    return slice(lists_[static_cast<std::size_t>(id)], at(node).range);
  }
  /// The groups of a column at a node. `zeros` is room for the rows of a sparse column that are not stored.
  [[nodiscard]] NodeColumn column(EngineNode node, ColId id, std::vector<RowId>& zeros) const {
    const auto j = static_cast<std::size_t>(id);
    const EncodedColumn& column = table_->columns[j];
    NodeColumn out;
    out.id = id;
    out.kind = column.kind;
    const Rows list = slice(lists_[j], column.sparse ? at(node).sparse[sparse_index(j)] : at(node).range);
    if (column.sparse) find_zeros(node, list, zeros);
    bool zeros_open = column.sparse && !zeros.empty();
    for (std::size_t begin = 0; begin < list.size();) {
      const std::uint32_t code = code_of(column, list[begin]);
      std::size_t end = begin + 1;
      while (end < list.size() && code_of(column, list[end]) == code) ++end;
      const Rows rows = list.subspan(begin, end - begin);
      if (zeros_open && code > column.zero_code) {
        out.groups.push_back({cell_of(column, column.zero_code), zeros.size(), zeros});
        zeros_open = false;
      }
      if (code == kMissingCode) {
        out.missing = rows;
        out.n_missing = rows.size();
      } else {
        out.groups.push_back({cell_of(column, code), rows.size(), rows});
      }
      begin = end;
    }
    if (zeros_open) out.groups.push_back({cell_of(column, column.zero_code), zeros.size(), zeros});
    return out;
  }

  /// Divides a node; `left` says which rows go left.
  template <class IsLeft>
  std::vector<EngineNode> divide(EngineNode node, IsLeft left) {
    const Node parent = at(node);
    std::uint32_t n_left = 0;
    for (const RowId row : slice(rows_, parent.range)) {
      side_[row] = left(row) ? 1 : 0;
      n_left += static_cast<std::uint32_t>(side_[row]);
    }
    partition(rows_, parent.range);
    Node children[2];
    children[0].range = {parent.range.begin, parent.range.begin + n_left};
    children[1].range = {parent.range.begin + n_left, parent.range.end};
    children[0].sparse.resize(sparse_of_.size());
    children[1].sparse.resize(sparse_of_.size());
    const auto one = [&](std::size_t j) {
      if (!table_->columns[j].sparse) {
        partition(lists_[j], parent.range);
        return;
      }
      const std::size_t s = sparse_index(j);
      const std::uint32_t middle = partition(lists_[j], parent.sparse[s]);
      children[0].sparse[s] = {parent.sparse[s].begin, middle};
      children[1].sparse[s] = {middle, parent.sparse[s].end};
    };
    if ((parent.range.end - parent.range.begin) * lists_.size() >= internal_limits().parallel_cells) {
      parallel_for(lists_.size(), one);
    } else {
      for (std::size_t j = 0; j < lists_.size(); ++j) one(j);
    }
    const auto first = static_cast<EngineNode>(nodes_.size());
    nodes_.push_back(std::move(children[0]));
    nodes_.push_back(std::move(children[1]));
    return {first, first + 1};
  }

  /// Which side of a candidate a row is on.
  [[nodiscard]] bool is_left(const Candidate& candidate, RowId row) const {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(candidate.column)];
    const std::uint32_t code = code_of(column, row);
    return code == kMissingCode ? candidate.missing_left : goes_left(candidate, cell_of(column, code));
  }

 private:
  struct Node {
    Range range;
    std::vector<Range> sparse;  // per sparse column
  };

  static Rows slice(const std::vector<RowId>& list, Range range) {
    return Rows(list).subspan(range.begin, range.end - range.begin);
  }
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::size_t sparse_index(std::size_t column) const {
    return static_cast<std::size_t>(std::lower_bound(sparse_of_.begin(), sparse_of_.end(), column) -
                                    sparse_of_.begin());
  }
  static std::uint32_t code_of(const EncodedColumn& column, RowId row) {
    if (!column.sparse) return column.codes[row];
    const auto found = std::lower_bound(column.stored.begin(), column.stored.end(), row);
    return found != column.stored.end() && *found == row
               ? column.codes[static_cast<std::size_t>(found - column.stored.begin())]
               : column.zero_code;
  }

  static double cell_of(const EncodedColumn& column, std::uint32_t code) {
    return column.kind == Kind::numeric ? column.values[code] : static_cast<double>(code);
  }

  // The used rows of a column (sparse: its stored ones) by code, missing last: a counting sort.
  static std::vector<RowId> sorted_rows(const EncodedColumn& column, const std::vector<char>& used) {
    const std::size_t n_cells = column.codes.size();
    const auto row_of = [&](std::size_t i) {
      return column.sparse ? column.stored[i] : static_cast<RowId>(i);
    };
    const auto slot = [&](std::size_t i) { return std::min(column.codes[i], column.n_codes); };
    std::vector<std::uint32_t> begins(column.n_codes + std::size_t{2}, 0);
    for (std::size_t i = 0; i < n_cells; ++i)
      if (used[row_of(i)]) ++begins[slot(i) + std::size_t{1}];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<RowId> rows(begins.back());
    for (std::size_t i = 0; i < n_cells; ++i)
      if (used[row_of(i)]) rows[begins[slot(i)]++] = row_of(i);
    return rows;
  }

  void find_zeros(EngineNode node, Rows stored, std::vector<RowId>& zeros) const {
    std::vector<RowId> sorted(stored.begin(), stored.end());
    std::sort(sorted.begin(), sorted.end());
    zeros.clear();
    // rows() keeps increasing order, because every partition is stable.
    std::set_difference(rows(node).begin(), rows(node).end(), sorted.begin(), sorted.end(),
                        std::back_inserter(zeros));
  }

  std::uint32_t partition(std::vector<RowId>& list, Range range) {
    thread_local std::vector<RowId> right;
    if (right.size() < range.end - range.begin) right.resize(range.end - range.begin);
    std::uint32_t out = range.begin, n_right = 0;
    // Without branches: the sides of rows in the order of another column are a coin toss.
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const RowId row = list[i];
      const auto left = static_cast<std::uint32_t>(side_[row]);
      list[out] = row;
      right[n_right] = row;
      out += left;
      n_right += 1 - left;
    }
    std::copy_n(right.begin(), n_right, list.begin() + out);
    return out;
  }

  const EncodedTable* table_;
  std::vector<RowId> rows_;                // increasing inside every node
  std::vector<std::vector<RowId>> lists_;  // per column
  std::vector<std::size_t> sparse_of_;     // the sparse columns, increasing
  std::vector<Node> nodes_;
  std::vector<char> side_;
};

template <class FamilyT>
class ListsEngine final : public Engine {
 public:
  ListsEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : table_(&table),
        targets_(&targets),
        options_(std::move(options)),
        family_(std::move(family)),
        lists_(table, targets) {}

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals(tasks.size());
    parallel_for(tasks.size(), [&](std::size_t i) { proposals[i] = search(tasks[i], monitor); });
    return proposals;
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const Candidate& c = proposal.candidate;
    return lists_.divide(node, [&](RowId row) { return lists_.is_left(c, row); });
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return lists_.rows(node); }

 private:
  struct Found {
    Candidate candidate;
    bool constant = true;
    bool heuristic = false;
    bool missing_known = false;
  };

  Proposal search(const NodeTask& task, Monitor& monitor) {
    Proposal proposal;
    const Rows rows = lists_.rows(task.node);
    const typename FamilyT::Node node = family_.node(rows);
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::vector<Found> found(task.columns.size());
    const auto one = [&](std::size_t i) {
      monitor.tick();
      found[i] = search_column(task, node, task.columns[i]);
    };
    std::size_t n = std::min(task.n_draw, task.columns.size());
    if (rows.size() * n >= internal_limits().parallel_cells) {
      parallel_for(n, one);
    } else {
      for (std::size_t i = 0; i < n; ++i) one(i);
    }
    while (n < found.size() && std::all_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n),
                                           [](const Found& f) { return f.constant; }))
      one(n++);
    const Found* best = nullptr;
    for (const Found& f : std::span(found).first(n)) {
      proposal.heuristic |= f.heuristic;
      if (f.candidate.found && (best == nullptr || better(f.candidate, best->candidate))) best = &f;
    }
    if constexpr (requires { FamilyT::kOnlyGains; }) {
      if (best != nullptr && !(best->candidate.gain > 0.0)) best = nullptr;
    }
    if (best != nullptr) accept(task, *best, proposal);
    return proposal;
  }

  // Targets in order, one of them, and nothing special about the column: see OrderFamily::best_cut.
  [[nodiscard]] bool is_plain_cut(const NodeTask& task, ColId id) const {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
    return column.kind != Kind::category && !column.sparse && !options_.scan.random &&
           !task.limits.monotone && targets_->numbers.size() == 1;
  }

  Found search_column(const NodeTask& task, const typename FamilyT::Node& node, ColId id) {
    Found found;
    if constexpr (std::is_same_v<FamilyT, OrderFamily>) {
      if (is_plain_cut(task, id)) {
        const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
        const Rows rows = lists_.sorted(task.node, id);
        found.constant = column.codes[rows.front()] == column.codes[rows.back()];
        if (found.constant) return found;
        found.candidate =
            family_.best_cut(node, {id, column.kind, rows, column.codes, column.values}, task.limits);
        found.missing_known = column.codes[rows.back()] == kMissingCode;
        return found;
      }
    }
    std::vector<RowId> zeros;
    const NodeColumn column = lists_.column(task.node, id, zeros);
    found.constant = column.constant();
    if (found.constant) return found;
    Scan<FamilyT> scan(family_, node, task.limits, options_.scan);
    const int sign = options_.monotone.empty() ? 0 : options_.monotone[static_cast<std::size_t>(id)];
    found.candidate = scan.best(column, sign, mix(task.key, static_cast<std::uint64_t>(id)));
    found.heuristic = scan.used_heuristic();
    found.missing_known = column.n_missing > 0;
    return found;
  }

  void accept(const NodeTask& task, const Found& best, Proposal& proposal) {
    proposal.found = true;
    proposal.candidate = best.candidate;
    proposal.left_value = best.candidate.left_value;
    proposal.right_value = best.candidate.right_value;
    std::int64_t balance = 0;  // weight left minus weight right
    const Candidate& c = best.candidate;
    if (!best.missing_known)
      for (const RowId row : lists_.rows(task.node))
        balance += lists_.is_left(c, row) ? targets_->weight(row) : -targets_->weight(row);
    proposal.split = to_split(c, table_->columns[static_cast<std::size_t>(c.column)].n_codes,
                              best.missing_known, balance > 0);
    to_values(options_.buckets, c, proposal.split);
  }

  const EncodedTable* table_;
  const Targets* targets_;
  EngineOptions options_;
  FamilyT family_;
  Lists lists_;
};

}  // namespace

std::unique_ptr<Engine> make_lists_engine(const EncodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  check_rows(table.n_rows, targets);
  const auto make = [&](auto family) -> std::unique_ptr<Engine> {
    return std::make_unique<ListsEngine<decltype(family)>>(table, targets, options, std::move(family));
  };
  return with_family(targets, options.criterion, options.quantile, make);
}

std::unique_ptr<Engine> make_arms_engine(const EncodedTable& table, const Targets& targets,
                                         const EngineOptions& options, double variance_price) {
  check_rows(table.n_rows, targets);
  const auto make = [&](auto family) -> std::unique_ptr<Engine> {
    return std::make_unique<ListsEngine<decltype(family)>>(table, targets, options, std::move(family));
  };
  if (options.arms.effect) return make(ArmFamily<EffectGain>(targets, options.arms, variance_price));
  return make(ArmFamily<ShareGain>(targets, options.arms, 0.0));
}

}  // namespace bough
