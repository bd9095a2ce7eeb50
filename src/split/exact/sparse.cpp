// SPDX-License-Identifier: Apache-2.0
// The sparse engine: columns are sorted lists of their stored cells, and a node touches only the cells it has.
//
// A node knows its rows and, for every column that stores a cell of one of them, a stretch of that column's list. The rows at
// zero stand between the negative and the positive cells; nobody lists them, because their sums are the node's less those
// of the stored cells. Searching and dividing cost the stored cells of the node, and a column without any costs nothing: it
// is constant there. Dense columns store all their rows. Lists are divided in place and stay sorted.
#include <algorithm>
#include <numeric>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/column_search.hpp"
#include "split/exact/family_engine.hpp"
#include "split/row_partition.hpp"
#include "split/stats/side_sums.hpp"

namespace bough {
namespace {

// The mark is set for rows of the second of two classes.
struct Cell {
  std::uint32_t code = 0;  // kMissingCode: missing, last in the list
  std::uint32_t row : 31 = 0;
  std::uint32_t mark : 1 = 0;
};
constexpr std::int64_t kMostRows = std::int64_t{1} << 31;

struct Stretch {
  ColId column = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class SparseLists {
 public:
  SparseLists(const EncodedTable& table, const Targets& targets)
      : table_(&table), rows_(targets.rows), side_(static_cast<std::size_t>(table.n_rows)) {
    std::vector<char> used(static_cast<std::size_t>(table.n_rows), 0);
    for (const RowId row : rows_) used[row] = 1;
    lists_.resize(table.columns.size());
    const bool two =
        targets.is_classification() && targets.classes.size() == 1 && targets.classes[0].n_classes == 2;
    parallel_for(lists_.size(), [&](std::size_t j) {
      lists_[j] = table.columns[j].sorted_cells<Cell>(used, [](RowId row, std::uint32_t code) {
        return Cell{code, row & 0x7fffffffU, 0};
      });
      if (two)
        for (Cell& cell : lists_[j]) cell.mark = targets.classes[0].codes[cell.row] & 1U;
    });
    Node root{0, static_cast<std::uint32_t>(rows_.size()), {}};
    for (std::size_t j = 0; j < lists_.size(); ++j)
      if (!lists_[j].empty())
        root.stretches.push_back({static_cast<ColId>(j), 0, static_cast<std::uint32_t>(lists_[j].size())});
    nodes_.push_back(std::move(root));
  }

  [[nodiscard]] Rows rows(EngineNode node) const {
    return Rows(rows_).subspan(at(node).begin, at(node).end - at(node).begin);
  }
  [[nodiscard]] std::size_t n_cells(EngineNode node) const {
    std::size_t n = 0;
    for (const Stretch& s : at(node).stretches) n += s.end - s.begin;
    return n;
  }
  /// The cells of a column at a node; empty when it is all zeros.
  [[nodiscard]] std::span<const Cell> cells(EngineNode node, ColId column) const {
    const auto& all = at(node).stretches;
    const auto found = std::lower_bound(all.begin(), all.end(), column,
                                        [](const Stretch& s, ColId j) { return s.column < j; });
    if (found == all.end() || found->column != column) return {};
    return std::span(lists_[static_cast<std::size_t>(column)])
        .subspan(found->begin, found->end - found->begin);
  }
  [[nodiscard]] double value(ColId column, std::uint32_t code) const {
    return table_->columns[static_cast<std::size_t>(column)].cell(code);
  }

  /// Notes for every row of the node whether it goes left; returns how many do.
  std::uint32_t choose_sides(EngineNode node, const Candidate& candidate) {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(candidate.column)];
    const bool rest = column.sparse && goes_left(candidate, value(candidate.column, column.zero_code));
    for (const RowId row : rows(node)) side_[row] = rest ? 1 : 0;
    for (const Cell& cell : cells(node, candidate.column))
      side_[cell.row] = (cell.code == kMissingCode ? candidate.missing_left
                                                   : goes_left(candidate, value(candidate.column, cell.code)))
                            ? 1
                            : 0;
    std::uint32_t n = 0;
    for (const RowId row : rows(node)) n += side_[row];
    return n;
  }

  std::vector<EngineNode> divide(EngineNode id, std::uint32_t n_left) {
    const Node parent = std::move(nodes_[static_cast<std::size_t>(id)]);
    nodes_[static_cast<std::size_t>(id)] = {parent.begin, parent.end, {}};
    partition(rows_, parent.begin, parent.end, [](RowId row) { return row; });
    std::vector<std::uint32_t> middles(parent.stretches.size());
    parallel_ranges(parent.stretches.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) {
        const Stretch& all = parent.stretches[s];
        middles[s] = partition(lists_[static_cast<std::size_t>(all.column)], all.begin, all.end,
                               [](const Cell& c) { return RowId{c.row}; });
      }
    });
    Node left{parent.begin, parent.begin + n_left, {}}, right{parent.begin + n_left, parent.end, {}};
    for (std::size_t s = 0; s < middles.size(); ++s) {
      const Stretch& all = parent.stretches[s];
      if (middles[s] > all.begin) left.stretches.push_back({all.column, all.begin, middles[s]});
      if (middles[s] < all.end) right.stretches.push_back({all.column, middles[s], all.end});
    }
    const auto first = static_cast<EngineNode>(nodes_.size());
    nodes_.push_back(std::move(left));
    nodes_.push_back(std::move(right));
    return {first, first + 1};
  }

 private:
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::vector<Stretch> stretches;  // by column; emptied when the node is divided
  };
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }

  template <class T, class RowOf>
  std::uint32_t partition(std::vector<T>& list, std::uint32_t begin, std::uint32_t end,
                          const RowOf& row_of) const {
    thread_local std::vector<T> others;
    if (others.size() < end - begin) others.resize(end - begin);
    const std::size_t n_left =
        partition_in_order(std::span(list).subspan(begin, end - begin), std::span(others),
                           [&](const T& item) { return side_[row_of(item)] != 0; });
    return begin + static_cast<std::uint32_t>(n_left);
  }

  const EncodedTable* table_;
  std::vector<RowId> rows_;
  std::vector<std::vector<Cell>> lists_;
  std::vector<std::uint8_t> side_;
  std::vector<Node> nodes_;
};

// What a cell adds to the sums left of a cut.
bool item_of(const MarkSums&, const Cell& cell) noexcept {
  return cell.mark != 0;
}
template <class FamilyT>
RowId item_of(const SideSums<FamilyT>&, const Cell& cell) noexcept {
  return cell.row;
}

// Searches the columns of one node one after the other; made per thread.
template <class FamilyT>
class SparseSearch {
 public:
  using Node = typename FamilyT::Node;

  SparseSearch(const EncodedTable& table, const Targets& targets, const FamilyT& family,
               const EngineOptions& options)
      : table_(&table), targets_(&targets), family_(&family), options_(&options) {}

  /// The best candidate of one column that reaches `floor`.
  ColumnFound column(const NodeTask& task, const SparseLists& lists, const Node& node, std::size_t n_rows,
                     ColId id, double floor) {
    ColumnFound found;
    const std::span<const Cell> cells = lists.cells(task.node, id);
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
    const std::size_t n_zero = column.sparse ? n_rows - cells.size() : 0;
    found.constant =
        cells.empty() || (n_zero == 0 && cells.front().code == cells.back().code) ||
        (cells.front().code == cells.back().code && cells.front().code == column.zero_code && column.sparse);
    if (found.constant) return found;
    const auto known =
        static_cast<std::size_t>(std::partition_point(cells.begin(), cells.end(),
                                                      [](const Cell& c) { return c.code != kMissingCode; }) -
                                 cells.begin());
    found.missing_known = known < cells.size();
    if (column.kind == Kind::category) {
      scan_category(task, lists, node, id, cells, known, found);
      return found;
    }
    Walk walk{task, lists, node, id, cells, known, n_zero, column.zero_code, found.candidate, floor};
    for (const bool missing_left : {false, true}) {
      if (missing_left && !found.missing_known) break;
      if constexpr (std::is_same_v<FamilyT, ClassFamily>) {
        if (targets_->weights.empty() && node.counts.size() == 2) {
          scan_order(walk, missing_left, MarkSums(*targets_, node, family_->criterion()));
          continue;
        }
      }
      scan_order(walk, missing_left, SideSums<FamilyT>(*targets_, node, family_->criterion()));
    }
    return found;
  }

 private:
  struct Walk {
    const NodeTask& task;
    const SparseLists& lists;
    const Node& node;
    ColId id;
    std::span<const Cell> cells;
    std::size_t known;
    std::size_t n_zero;
    std::uint32_t zero_code;
    Candidate& best;
    double floor;
  };

  // Cuts below zero come from adding groups of equal code from the lowest on, those above from taking groups away from the
  // highest on: so the rows at zero are never touched. A column without zeros is all "below".
  template <class Sums>
  void scan_order(Walk& w, bool missing_left, Sums left) {
    typename FamilyT::Sweep sweep(*family_, w.node);
    const double scale = score_scale(w.node, family_->criterion());
    const auto least = [&] {
      const double score = std::max(w.floor, w.best.found ? w.best.score : 0.0);
      return score - curve_slack(family_->criterion(), scale, score);
    };
    double floor = least();
    const std::span<const Cell> missing = w.cells.subspan(w.known);
    const std::size_t all = w.known + w.n_zero + missing.size();
    const auto first_at = [&](auto past) {
      return static_cast<std::size_t>(
          std::partition_point(w.cells.begin(), w.cells.begin() + static_cast<std::ptrdiff_t>(w.known),
                               past) -
          w.cells.begin());
    };
    const std::size_t below =
        w.n_zero == 0 ? w.known : first_at([&](const Cell& c) { return c.code < w.zero_code; });
    const std::size_t above =
        w.n_zero == 0 ? w.known : first_at([&](const Cell& c) { return c.code <= w.zero_code; });
    std::size_t rows = missing_left ? missing.size() : 0;
    const auto offer = [&](std::uint32_t low, std::uint32_t high, bool last) {
      if (static_cast<std::int64_t>(std::min(rows, all - rows)) < w.task.limits.min_rows) return;
      if (!left.may_reach(floor)) return;
      sweep.set_left(left.sums());
      consider(w, sweep, {low, high, missing_left, last});
      floor = least();
    };
    if (missing_left)
      for (const Cell& cell : missing) left.add(item_of(left, cell));
    for (std::size_t i = 0; i < below;) {
      const std::uint32_t code = w.cells[i].code;
      for (; i < below && w.cells[i].code == code; ++i, ++rows) left.add(item_of(left, w.cells[i]));
      const bool last = i == w.known && w.n_zero == 0;
      if (last && (missing_left || missing.empty())) break;
      offer(code, last ? code : i < below ? w.cells[i].code : w.zero_code, last);
    }
    if (w.n_zero == 0) return;
    left.set(w.node);
    rows = all;
    if (!missing_left && !missing.empty()) {
      for (const Cell& cell : missing) left.remove(item_of(left, cell));
      rows -= missing.size();
      const std::uint32_t highest = above < w.known ? w.cells[w.known - 1].code : w.zero_code;
      offer(highest, highest, true);
    }
    for (std::size_t i = w.known; i > above;) {
      const std::uint32_t code = w.cells[i - 1].code;
      for (; i > above && w.cells[i - 1].code == code; --i, --rows)
        left.remove(item_of(left, w.cells[i - 1]));
      offer(i > above ? w.cells[i - 1].code : w.zero_code, code, false);
    }
  }

  struct CutCodes {
    std::uint32_t low, high;
    bool missing_left, all_known_left;
  };

  void consider(Walk& w, typename FamilyT::Sweep& sweep, const CutCodes& cut) {
    Candidate c;
    if (!respects(w.task.limits, sign_of(*options_, w.id), sweep, c)) return;
    c.score = sweep.score();
    if (w.best.found && c.score < w.best.score) return;
    c.found = true;
    c.column = w.id;
    c.order = w.task.limits.ties.of(w.id);
    c.kind = table_->columns[static_cast<std::size_t>(w.id)].kind == Kind::numeric ? NodeKind::numeric
                                                                                   : NodeKind::ordinal;
    c.low = w.lists.value(w.id, cut.low);
    c.all_known_left = cut.all_known_left;
    if (!cut.all_known_left) c.high = w.lists.value(w.id, cut.high);
    c.missing_left = cut.missing_left;
    keep_if_better(std::move(c), sweep, w.best);
  }

  void scan_category(const NodeTask& task, const SparseLists& lists, const Node& node, ColId id,
                     std::span<const Cell> cells, std::size_t known, ColumnFound& found) {
    std::vector<RowId> order;
    for (const Cell& cell : cells) order.push_back(cell.row);
    NodeColumn column;
    column.id = id;
    column.kind = Kind::category;
    column.group(
        order, known, [&](std::size_t a, std::size_t b) { return cells[a].code == cells[b].code; },
        [&](std::size_t begin, std::size_t) { return lists.value(id, cells[begin].code); });
    found = scan_column(*family_, node, task, *options_, column);
  }

  const EncodedTable* table_;
  const Targets* targets_;
  const FamilyT* family_;
  const EngineOptions* options_;
};

template <class FamilyT>
class SparseEngine final : public FamilyEngine<FamilyT> {
 public:
  SparseEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)), lists_(table, targets) {}

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    return lists_.divide(node, lists_.choose_sides(node, proposal.candidate));
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return lists_.rows(node); }

 private:
  using Search = SparseSearch<FamilyT>;
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::table_;
  using Base::targets_;

  Proposal search(const NodeTask& task, Monitor& monitor) override {
    Proposal proposal;
    const std::size_t n_rows = lists_.rows(task.node).size();
    const typename FamilyT::Node node = family_.node(lists_.rows(task.node));
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::size_t n = std::min(task.n_draw, task.columns.size());
    const auto range = [&](std::size_t begin, std::size_t end) {
      Search search(*table_, *targets_, family_, options_);
      ColumnFound best;
      for (std::size_t i = begin; i < end; ++i) {
        if (i % 64 == 0) monitor.tick();
        keep_better(search.column(task, lists_, node, n_rows, task.columns[i],
                                  best.candidate.found ? best.candidate.score : 0.0),
                    best);
      }
      return best;
    };
    const std::size_t chunk =
        lists_.n_cells(task.node) >= internal_limits().parallel_cells ? 64 : std::max<std::size_t>(n, 1);
    std::vector<ColumnFound> parts((n + chunk - 1) / chunk);
    parallel_for(parts.size(),
                 [&](std::size_t p) { parts[p] = range(p * chunk, std::min(n, (p + 1) * chunk)); });
    ColumnFound best;
    for (ColumnFound& part : parts) keep_better(std::move(part), best);
    for (; best.constant && n < task.columns.size(); ++n) keep_better(range(n, n + 1), best);
    proposal.heuristic = best.heuristic;
    if (best.candidate.found)
      propose(best, table_->columns[static_cast<std::size_t>(best.candidate.column)].n_codes, options_,
              proposal);
    return proposal;
  }

  SparseLists lists_;
};

}  // namespace

std::unique_ptr<Engine> make_sparse_engine(const EncodedTable& table, const Targets& targets,
                                           const EngineOptions& options) {
  if (targets.is_classification())
    return make_family_engine<SparseEngine>(table, targets, options, ClassFamily(targets, options.criterion));
  return make_family_engine<SparseEngine>(table, targets, options, MomentFamily(targets, options.criterion));
}

bool sparse_engine_fits(const Targets& targets, const EngineOptions& options) {
  return !options.arms.wanted && !options.scan.random &&
         static_cast<std::int64_t>(targets.rows.size()) < kMostRows &&
         criterion_info(options.criterion).family != Family::order;
}

}  // namespace bough
