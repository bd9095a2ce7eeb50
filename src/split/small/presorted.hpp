// SPDX-License-Identifier: Apache-2.0
// The presorted engine: a whole subtree of a few thousand rows, each column sorted once (sorted_lists.hpp).
//
// A node is searched in two steps. First a strip scorer (strip_scores.hpp) runs along every list and gives the top score of the
// column up to rounding; then the columns near the best are walked again and the positions near it are scored exactly, so that
// the answer is that of scoring every cut. Targets and criteria without a strip scorer, and categories, go through the
// scan that all engines share (scan.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/internal_limits.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/exact/scan.hpp"
#include "split/oblique/oblique_small.hpp"
#include "split/small/sorted_lists.hpp"
#include "split/small/strip_scores.hpp"
#include "split/small/subtree_tiles.hpp"
#include "split/subtree_grower.hpp"

namespace bough {

template <class FamilyT>
class Presorted final : public SubtreeGrower {
 public:
  Presorted(const CodedTable& table, const Targets& targets, FamilyT family, const EngineOptions& options,
            const std::vector<double>& scales)
      : table_(&table),
        targets_(&targets),
        family_(std::move(family)),
        options_(&options),
        columns_(table.columns.size()),
        lists_(table),
        scorer_(targets, options.criterion) {
    entries_.resize(table.columns.size());
    node_ = family_.node({});
    left_ = node_;
    sweep_.emplace(family_, node_);
    if (options.oblique.wanted) sums_.emplace(table, options.oblique, scales);
    if (SubtreeTiles::fits(table, targets, options)) tiles_.emplace(table, targets);
  }

  Subtree grow(Rows rows, std::int32_t depth, std::uint64_t key, const SubtreeRules& rules) override {
    if (rows.size() > kMostSmallRows) internal_error("a subtree has more rows than sorted lists can hold");
    rules_ = &rules;
    limits_.min_rows = rules.min_samples_leaf;
    limits_.min_weight = rules.min_weight;
    drawn_ = rules.max_features > 0 && rules.max_features < columns_.size();
    const std::span<const std::uint8_t> tags = scorer_.load(rows);
    drawn_ ? lists_.load_drawn(rows, tags) : lists_.load(rows, tags);
    if (sums_) sums_->load(rows, tags);
    constant_.start(drawn_ ? columns_.size() : 0);
    const std::uint32_t tile_rows = start_tiles();
    Subtree tree;
    stack_.assign(1, {0, lists_.n_rows(), depth, key, -1, 0});
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      const auto index = static_cast<std::int32_t>(tree.size());
      if (open.right_of >= 0) tree[static_cast<std::size_t>(open.right_of)].right = index;
      tree.push_back({open.begin, open.end, -1, {}, false, false, {}});
      if (open.size() <= tile_rows) {
        grow_tile(open, tree);
        continue;
      }
      if (!search(open, tree.back())) continue;
      const std::uint32_t middle = divide(open, tree.back().candidate);
      stack_.push_back({middle, open.end, open.depth + 1, mix(open.key, 1), index, constant_.current()});
      stack_.push_back({open.begin, middle, open.depth + 1, mix(open.key, 0), -1, constant_.current()});
    }
    ordered_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) ordered_[i] = rows[id_of(lists_.ids()[i])];
    return tree;
  }
  [[nodiscard]] Rows ordered_rows() const noexcept override { return ordered_; }

 private:
  struct Open {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::int32_t depth = 0;
    std::uint64_t key = 0;
    std::int32_t right_of = -1;
    std::uint32_t constant = 0;  // what is known to be constant (KnownConstants)
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };
  /// What a strip stands for.
  struct Owner {
    ColId column = 0;
    std::uint32_t known = 0;
    bool missing_left = false;
  };

  static std::uint32_t id_of(std::uint32_t entry) noexcept { return SortedLists::id_of(entry); }
  static std::uint32_t rank_of(std::uint32_t entry) noexcept { return SortedLists::rank_of(entry); }

  [[nodiscard]] bool too_small(std::uint32_t n, std::int32_t depth) const noexcept {
    return depth >= rules_->max_depth || n < rules_->min_samples_split || n < 2 * rules_->min_samples_leaf;
  }

  // Takes the sorted lists; up to how many rows nodes become tiles.
  std::uint32_t start_tiles() {
    const bool limited = rules_->min_samples_leaf > 1 || rules_->min_weight > 0.0;
    if (!tiles_ || drawn_ || limited || !tiles_->load(lists_)) return 0;
    return std::min<std::uint32_t>(internal_limits().ranked_few_rows, kTileRows);
  }
  // Appends the nodes below the last one of `tree`.
  void grow_tile(const Open& open, Subtree& tree) {
    tile_ids_.resize(open.size());
    std::transform(lists_.ids() + open.begin, lists_.ids() + open.end, tile_ids_.begin(), id_of);
    tiles_->grow(lists_, tile_ids_, open.begin, open.depth, open.key, *rules_, tree);
    lists_.put_ids(open.begin, tile_ids_);
  }

  // Fills the node's candidate; false for a leaf.
  bool search(const Open& open, SubtreeNode& out) {
    if (too_small(open.size(), open.depth) || !enter(open)) return false;
    best_ = Candidate{};
    best_missing_known_ = false;
    out.heuristic = false;
    columns_.begin(open.key, !drawn_);
    limits_.ties = rules_->ties(open.key, columns_.size());
    search_columns(open, drawn_ ? rules_->max_features : columns_.size(), out);
    if (sums_ && !nothing_is_better(open)) search_sums(open);
    if (!best_.found || !rules_->worth(best_.gain)) return false;
    if (is_sum(best_.column)) {
      const auto terms = sums_->terms(sum_of(best_.column));
      out.terms.assign(terms.begin(), terms.end());
    }
    out.candidate = std::move(best_);
    out.missing_known = best_missing_known_;
    return true;
  }

  // Sums of the node; false when it is pure.
  bool enter(const Open& open) {
    const std::span<const std::uint32_t> ids(lists_.ids() + open.begin, open.size());
    if (scorer_.fits()) return scorer_.enter(ids, node_);
    here_.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) here_[i] = lists_.row(id_of(ids[i]));
    node_ = family_.node(here_);
    return !node_.pure;
  }

  [[nodiscard]] bool is_sum(ColId column) const noexcept { return sum_of(column) < SIZE_MAX / 2; }
  // Combinations are numbered behind the columns.
  [[nodiscard]] std::size_t sum_of(ColId column) const noexcept {
    return static_cast<std::size_t>(column) - table_->columns.size();
  }

  // Whether the best cut of a column leaves two pure sides, or any cut is as good: of equals columns come first.
  [[nodiscard]] bool nothing_is_better(const Open& open) const {
    if (!best_.found || !scorer_.fits()) return false;
    if (open.size() == 2 && scorer_.symmetric()) return true;
    if constexpr (requires { node_.counts; }) {
      if (best_.kind == NodeKind::subset || best_.kind == NodeKind::equality) return false;
      std::size_t left = 0, right = 0;
      for (std::size_t c = 0; c < node_.counts.size(); ++c) {
        left += best_left_.counts[c] > 0 ? 1 : 0;
        right += node_.counts[c] > best_left_.counts[c] ? 1 : 0;
      }
      return left == 1 && right == 1;
    }
    return false;
  }

  // The same for the combinations that the node draws; `floor_` is what columns have reached.
  void search_sums(const Open& open) {
    sums_->draw(open.key);
    plain_ids_.resize(open.size());
    std::transform(lists_.ids() + open.begin, lists_.ids() + open.end, plain_ids_.begin(), id_of);
    const std::span<const std::uint32_t> ids(plain_ids_);
    const std::size_t batch = std::min(internal_limits().sum_batch, SmallSums::kBatch);
    for (std::size_t first = 0; first < sums_->size(); first += batch) {
      strips_.clear();
      owners_.clear();
      for (std::size_t i = first; i < std::min(sums_->size(), first + batch); ++i) {
        const SmallSums::Sorted here = sums_->sort(i, ids, i - first);
        if (here.entries == nullptr) continue;
        const auto id = static_cast<ColId>(table_->columns.size() + i);
        scorer_.fits() ? add_sum_strips(open, id, here) : search_any_sum(open, id, here);
      }
      if (strips_.empty()) continue;
      decide_all(open, std::max(scorer_.tops(strips_, positions(open), true, tops_), floor_));
    }
  }

  void add_sum_strips(const Open& open, ColId id, const SmallSums::Sorted& here) {
    const std::uint32_t n = open.size();
    strips_.push_back({here.entries, here.known - 1, 0, 0});
    owners_.push_back({id, here.known, false});
    if (here.known == n) return;
    strips_.push_back({here.entries, here.known - 1, n - here.known,
                       scorer_.sum({here.entries + here.known, n - here.known})});
    owners_.push_back({id, here.known, true});
  }

  void search_any_sum(const Open& open, ColId id, const SmallSums::Sorted& here) {
    NodeColumn column;
    column.id = id;
    scan_any(open, column, here.entries,
             [&](std::uint32_t entry) { return sums_->value(sum_of(id), id_of(entry)); });
  }

  void search_columns(const Open& open, std::size_t n_draw, SubtreeNode& out) {
    strips_.clear();
    owners_.clear();
    floor_ = -std::numeric_limits<double>::infinity();
    bool seen = false;
    lists_.forget();
    constant_.enter(open.constant);
    for (std::size_t i = 0; i < columns_.size() && (i < n_draw || !seen); ++i) {
      const ColId id = columns_.next();
      const auto j = static_cast<std::size_t>(id);
      const SortedLists::Drawn here = column_here(open, j);
      if (here.entries == nullptr) continue;
      seen = true;
      if (!scorer_.fits() || table_->columns[j].kind == Kind::category) {
        search_any(open, id, here.entries, out);
      } else if (here.n_low > 0) {
        try_two_values(open, id, here);
      } else {
        add_strips(open, id, here.entries);
      }
      // Two rows: every cut scores the same.
      if (open.size() == 2 && first_wins() && scorer_.symmetric()) break;
    }
    if (strips_.empty()) return;
    decide_all(open, scorer_.tops(strips_, positions(open), first_wins(), tops_));
  }

  // Whether of columns with equal scores the first that is searched wins.
  [[nodiscard]] bool first_wins() const noexcept { return rules_->max_features == 0 && !rules_->draw_ties; }

  void decide_all(const Open& open, double floor) {
    for (std::size_t s = 0; s < tops_.size(); ++s) {
      if (tops_[s] < floor) continue;
      decide(open, s, floor);
      floor_ = floor;
    }
  }

  // The entries of a column at the node; null where it is constant.
  SortedLists::Drawn column_here(const Open& open, std::size_t j) {
    if (drawn_) {
      if (constant_.has(j)) return {};
      const SortedLists::Drawn here = lists_.draw(j, open.begin, open.end);
      if (here.entries == nullptr) constant_.add(j);
      entries_[j] = here.entries;
      return here;
    }
    const std::uint32_t* entries = lists_.list(j) + open.begin;
    if (lists_.constant(j) || rank_of(entries[0]) == rank_of(entries[open.size() - 1])) return {};
    return {entries, 0};
  }

  // The one cut of a column of two values, exactly, from its smaller side.
  void try_two_values(const Open& open, ColId id, const SortedLists::Drawn& here) {
    const StripNode at = positions(open);
    if (here.n_low < at.low || here.n_low > at.high) return;
    const bool low_side = 2 * here.n_low <= open.size();
    clear(left_);
    for (std::uint32_t i = low_side ? 0 : here.n_low; i < (low_side ? here.n_low : open.size()); ++i)
      scorer_.add(id_of(here.entries[i]), left_);
    if (!low_side) scorer_.complement(node_, left_);
    Candidate candidate;
    candidate.kind = table_->columns[static_cast<std::size_t>(id)].kind == Kind::numeric ? NodeKind::numeric
                                                                                         : NodeKind::ordinal;
    if (consider_left(id, here.entries, here.n_low - 1, candidate)) best_missing_known_ = false;
  }

  // Scores the cut behind an entry, left_ being the rows before it; true when it is the best so far.
  bool consider_left(ColId id, const std::uint32_t* entries, std::uint32_t last, Candidate& candidate) {
    sweep_->set_left(left_);
    if (!respects(limits_, 0, *sweep_, candidate)) return false;
    candidate.found = true;
    candidate.score = sweep_->score();
    if (best_.found && candidate.score < best_.score) return false;
    candidate.column = id;
    candidate.order = limits_.ties.of(id);
    candidate.low = cell(id, entries[last]);
    if (!candidate.all_known_left) candidate.high = cell(id, entries[last + 1]);
    if (!keep_if_better(std::move(candidate), *sweep_, best_)) return false;
    best_cut_ = last + 1;
    if (sums_) best_left_ = left_;
    return true;
  }
  [[nodiscard]] double cell(ColId id, std::uint32_t entry) const noexcept {
    return is_sum(id) ? sums_->value(sum_of(id), id_of(entry))
                      : lists_.cell(static_cast<std::size_t>(id), entry);
  }

  // Rows that may stand left of a cut. Without weights, weight limits are row limits.
  [[nodiscard]] StripNode positions(const Open& open) const noexcept {
    const bool weighted = !targets_->weights.empty();
    const auto by_weight =
        weighted ? 1 : static_cast<std::int64_t>(std::ceil(std::min(rules_->min_weight, 1e9)));
    const std::int64_t least = std::max({rules_->min_samples_leaf, by_weight, std::int64_t{1}});
    StripNode node{open.size(), 1, 0, rules_->min_weight};
    if (2 * least > node.n) return node;
    node.low = static_cast<std::uint32_t>(least);
    node.high = node.n - node.low;
    return node;
  }

  void add_strips(const Open& open, ColId id, const std::uint32_t* first) {
    const std::uint32_t n = open.size();
    if (rank_of(first[n - 1]) != SortedLists::kMissingRank) {
      strips_.push_back({first, n - 1, 0, 0});
      owners_.push_back({id, n, false});
      return;
    }
    const auto known = static_cast<std::uint32_t>(
        std::partition_point(first, first + n,
                             [](std::uint32_t e) { return rank_of(e) != SortedLists::kMissingRank; }) -
        first);
    strips_.push_back({first, known, 0, 0});
    owners_.push_back({id, known, false});
    if (known < 2) return;
    strips_.push_back({first, known - 1, n - known, scorer_.sum({first + known, n - known})});
    owners_.push_back({id, known, true});
  }

  // Scores exactly every position of a strip that comes near the floor.
  void decide(const Open& open, std::size_t s, double floor) {
    const Strip& strip = strips_[s];
    const Owner& owner = owners_[s];
    const bool ordinal = !is_sum(owner.column) &&
                         table_->columns[static_cast<std::size_t>(owner.column)].kind != Kind::numeric;
    clear(left_);
    if (owner.missing_left)
      for (std::uint32_t i = owner.known; i < open.size(); ++i) scorer_.add(id_of(strip.entries[i]), left_);
    std::uint32_t added = 0;
    for (const std::uint32_t i : scorer_.near(strip, positions(open), floor)) {
      for (; added <= i; ++added) scorer_.add(id_of(strip.entries[added]), left_);
      Candidate candidate;
      candidate.kind = ordinal ? NodeKind::ordinal : NodeKind::numeric;
      candidate.missing_left = owner.missing_left;
      candidate.all_known_left = i + 1 == owner.known;
      if (consider_left(owner.column, strip.entries, i, candidate))
        best_missing_known_ = owner.known < open.size();
    }
  }

  // Any column by the common scan.
  void search_any(const Open& open, ColId id, const std::uint32_t* entries, SubtreeNode& out) {
    NodeColumn column;
    column.id = id;
    column.kind = table_->columns[static_cast<std::size_t>(id)].kind;
    out.heuristic |= scan_any(open, column, entries, [&](std::uint32_t entry) {
      return lists_.cell(static_cast<std::size_t>(id), entry);
    });
  }

  // True when a heuristic took part.
  template <class CellOf>
  bool scan_any(const Open& open, NodeColumn& column, const std::uint32_t* entries, const CellOf& cell_of) {
    const std::uint32_t n = open.size();
    order_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) order_[i] = lists_.row(id_of(entries[i]));
    std::size_t known = n;
    while (known > 0 && rank_of(entries[known - 1]) == SortedLists::kMissingRank) --known;
    column.group(
        order_, known,
        [&](std::size_t a, std::size_t b) { return rank_of(entries[a]) == rank_of(entries[b]); },
        // The last one: sums of -infinity have the rank of the next larger ones.
        [&](std::size_t, std::size_t end) { return cell_of(entries[end - 1]); });
    Limits limits = limits_;
    limits.missing_alone = !is_sum(column.id);
    Scan<FamilyT> scan(family_, node_, limits, options_->scan);
    Candidate candidate = scan.best(column, 0, mix(open.key, static_cast<std::uint64_t>(column.id)));
    if (candidate.found && better(candidate, best_)) {
      best_ = std::move(candidate);
      best_cut_ = SortedLists::kNoCut;
      best_missing_known_ = column.n_missing > 0;
    }
    return scan.used_heuristic();
  }

  // Divides the node; returns where its right part begins.
  std::uint32_t divide(const Open& open, const Candidate& candidate) {
    const std::span<const std::uint32_t> ids(lists_.ids() + open.begin, open.size());
    const std::uint32_t n_left = choose_sides(open, ids, candidate);
    const bool leaves =
        (too_small(n_left, open.depth + 1) && too_small(open.size() - n_left, open.depth + 1)) ||
        (scorer_.fits() &&
         scorer_.divides_into_pure(ids, [&](std::uint32_t id) { return lists_.is_left(id_of(id)); }));
    lists_.divide(open.begin, open.end, leaves);
    return open.begin + n_left;
  }
  std::uint32_t choose_sides(const Open& open, std::span<const std::uint32_t> ids,
                             const Candidate& candidate) {
    if (is_sum(candidate.column))
      return lists_.choose_sides_by(ids, [&](std::uint32_t id) {
        const double sum = sums_->value(sum_of(candidate.column), id);
        return std::isnan(sum) ? candidate.missing_left : sum <= candidate.low;
      });
    const auto j = static_cast<std::size_t>(candidate.column);
    const std::uint32_t* entries = drawn_ ? entries_[j] : lists_.list(j) + open.begin;
    return lists_.choose_sides({entries, open.size()}, candidate, best_cut_);
  }

  const CodedTable* table_;
  const Targets* targets_;
  FamilyT family_;
  const EngineOptions* options_;
  const SubtreeRules* rules_ = nullptr;
  Limits limits_;  // of rules_
  ColumnDraw columns_;
  bool drawn_ = false;  // nodes look at some columns only
  KnownConstants constant_;
  std::vector<const std::uint32_t*> entries_;  // drawn: of the node's columns
  SortedLists lists_;
  StripScorer<FamilyT> scorer_;
  std::optional<SmallSums> sums_;      // oblique trees
  std::optional<SubtreeTiles> tiles_;  // where these know the targets
  std::vector<RowId> tile_ids_;
  std::vector<Open> stack_;
  std::vector<RowId> ordered_;
  // The node; sweep_ points at node_ and family_.
  typename FamilyT::Node node_, left_, best_left_;
  double floor_ = 0.0;  // score from which on a cut may be the best, in the scorer's units
  std::optional<typename FamilyT::Sweep> sweep_;
  Candidate best_;
  std::uint32_t best_cut_ = SortedLists::kNoCut;  // known entries left of the best cut
  bool best_missing_known_ = false;
  std::vector<std::uint32_t> plain_ids_;
  std::vector<Strip> strips_;
  std::vector<Owner> owners_;  // of strips_
  std::vector<double> tops_;
  std::vector<RowId> here_, order_;
};

}  // namespace bough
