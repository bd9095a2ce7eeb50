// SPDX-License-Identifier: Apache-2.0
// The lists engine: every column keeps its rows sorted by code; a node is the same range of every list.
//
// Splitting a node divides its range of each list in two, keeping the order inside both parts, so nothing is sorted twice.
// Searching a column is one pass over its range (scan.hpp). Sparse columns list their stored rows only, with a range of
// their own per node; the rows at zero are put in when the column is searched. Cost: O(rows * columns) per level.
#include <algorithm>
#include <numeric>

#include "base/internal_limits.hpp"
#include "split/column_search.hpp"
#include "split/exact/family_engine.hpp"
#include "split/exact/treatment_engine.hpp"
#include "split/row_partition.hpp"
#include "split/stats/treatment_family.hpp"

namespace bough {
namespace {

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
    parallel_for(table.columns.size(), [&](std::size_t j) {
      lists_[j] = table.columns[j].sorted_cells<RowId>(used, [](RowId row, std::uint32_t) { return row; });
    });
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
    const auto code = [&](std::size_t i) { return column.code(list[i]); };
    std::size_t known = list.size();
    while (known > 0 && code(known - 1) == kMissingCode) --known;
    out.group(
        list, known, [&](std::size_t a, std::size_t b) { return code(a) == code(b); },
        [&](std::size_t begin, std::size_t) { return column.cell(code(begin)); });
    if (!column.sparse) return out;
    find_zeros(node, list, zeros);
    if (zeros.empty()) return out;
    // Rows that are not stored stand before the first larger cell; a stored zero keeps a group of its own.
    const double zero = column.cell(column.zero_code);
    const auto larger = std::find_if(out.groups.begin(), out.groups.end(),
                                     [&](const Group& group) { return group.cell > zero; });
    out.groups.insert(larger, {zero, zeros.size(), zeros});
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
    const std::uint32_t code = column.code(row);
    return code == kMissingCode ? candidate.missing_left : goes_left(candidate, column.cell(code));
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
    const std::size_t n_left =
        partition_in_order(std::span(list).subspan(range.begin, range.end - range.begin), std::span(right),
                           [&](RowId row) { return side_[row] != 0; });
    return range.begin + static_cast<std::uint32_t>(n_left);
  }

  const EncodedTable* table_;
  std::vector<RowId> rows_;                // increasing inside every node
  std::vector<std::vector<RowId>> lists_;  // per column
  std::vector<std::size_t> sparse_of_;     // the sparse columns, increasing
  std::vector<Node> nodes_;
  std::vector<char> side_;
};

template <class FamilyT>
class ListsEngine final : public FamilyEngine<FamilyT> {
 public:
  ListsEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)), lists_(table, targets) {}

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const Candidate& c = proposal.candidate;
    return lists_.divide(node, [&](RowId row) { return lists_.is_left(c, row); });
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return lists_.rows(node); }

 private:
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::table_;
  using Base::targets_;

  Proposal search(const NodeTask& task, Monitor& monitor) override {
    Proposal proposal;
    const Rows rows = lists_.rows(task.node);
    const typename FamilyT::Node node = family_.node(rows);
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::vector<ColumnFound> found(task.columns.size());
    const std::size_t n =
        search_columns(found, std::min(task.n_draw, found.size()), rows.size(), 0, [&](std::size_t i) {
          monitor.tick();
          return search_column(task, node, task.columns[i]);
        });
    const ColumnFound* best = best_of(std::span<const ColumnFound>(found).first(n), proposal);
    if constexpr (requires { FamilyT::kOnlyGains; }) {
      if (best != nullptr && !(best->candidate.gain > 0.0)) best = nullptr;
    }
    if (best != nullptr)
      propose(*best, table_->columns[static_cast<std::size_t>(best->candidate.column)].n_codes, options_,
              proposal);
    return proposal;
  }

  // Targets in order, one of them, and nothing special about the column: see OrderFamily::best_cut.
  [[nodiscard]] bool is_plain_cut(const NodeTask& task, ColId id) const {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
    return column.kind != Kind::category && !column.sparse && !options_.scan.random &&
           !task.limits.monotone && targets_->numbers.size() == 1;
  }

  ColumnFound search_column(const NodeTask& task, const typename FamilyT::Node& node, ColId id) {
    ColumnFound found;
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

  Lists lists_;
};

}  // namespace

std::unique_ptr<Engine> make_lists_engine(const EncodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  return make_family_engine<ListsEngine>(table, targets, options);
}

std::unique_ptr<Engine> make_treatment_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options, double variance_price) {
  if (options.arms.effect)
    return make_family_engine<ListsEngine>(
        table, targets, options, TreatmentFamily<EffectGain>(targets, options.arms, variance_price));
  return make_family_engine<ListsEngine>(table, targets, options,
                                         TreatmentFamily<ShareGain>(targets, options.arms, 0.0));
}

}  // namespace bough
