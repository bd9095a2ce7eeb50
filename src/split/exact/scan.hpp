// SPDX-License-Identifier: Apache-2.0
// The split scan: all tests of one column at one node, whatever the column and the criterion.
//
// A column arrives as groups of rows with equal cell, in increasing order, and the rows whose cell is missing. Every test
// is "some groups left, the rest right", with the missing rows on either side:
//   numeric, ordinal   the first k groups, for every k
//   equality           one group
//   subset             the first k groups in an order that provably holds the best subset (two classes, or one number
//                      target under a moment criterion); else all subsets of up to kExhaustiveLevels groups; else the
//                      first k groups along several orders (category_order.hpp)
// Missing rows go right, then left, and where there are any, "all known against missing" is tried too.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "split/candidate.hpp"
#include "split/exact/node_column.hpp"
#include "split/judge.hpp"
#include "split/stats/category_order.hpp"
#include "split/stats/families.hpp"

namespace bough {

inline constexpr std::size_t kExhaustiveLevels = 10;

struct ScanOptions {
  bool equality = false;  ///< categories by equality instead of subset
  bool random = false;    ///< one random cut per column
};

/// The cut that splitter=random draws between the extremes of a numeric column.
inline double random_cut(double low, double high, std::uint64_t key) noexcept {
  const double cut = low + (high / 2 - low / 2) * 2 * unit(draw(key, 0));
  return cut >= low && cut < high ? cut : low;
}

/// The sides of a test as the scan has them.
struct ScanSides {
  const std::vector<bool>& in_left;  ///< per group
  bool missing_left = false;
  std::size_t left_rows = 0;
  std::size_t right_rows = 0;
  bool allowed = false;  ///< the limits are respected
};

/// Sets of groups that are the first k of an order, or all others where these lack group 0: which of two precedes the other as
/// an increasing list of groups, told without writing them out.
class PrefixSets {
 public:
  void measure(std::span<const std::size_t> order) {
    const std::size_t n = order.size();
    low_.assign(n + 1, n);
    high_.assign(n + 1, 0);
    low_behind_.assign(n + 1, n);
    high_behind_.assign(n + 1, 0);
    for (std::size_t k = 0; k < n; ++k) {
      low_[k + 1] = std::min(low_[k], order[k]);
      high_[k + 1] = std::max(high_[k], order[k]);
    }
    for (std::size_t k = n; k-- > 0;) {
      low_behind_[k] = std::min(low_behind_[k + 1], order[k]);
      high_behind_[k] = std::max(high_behind_[k + 1], order[k]);
    }
  }
  /// Whether the set of length `later` precedes that of length `sooner`; 0 < sooner < later, and `between` is the lowest group of
  /// the order from one to the other. Of two sets the one that holds the lowest group in which they differ precedes, but for a
  /// set that ends before it.
  [[nodiscard]] bool later_precedes(std::size_t sooner, std::size_t later,
                                    std::size_t between) const noexcept {
    if (low_[sooner] == 0) return high_[sooner] >= between;  // both are prefixes, the sooner within the later
    if (low_[later] != 0)
      return high_behind_[later] < between;  // both are the others, the later within the sooner
    const std::size_t in_sooner = low_behind_[later], in_later = low_[sooner];
    return in_sooner < in_later ? high_[later] < in_sooner : high_behind_[sooner] >= in_later;
  }

 private:
  std::vector<std::size_t> low_, high_;                // of the first k
  std::vector<std::size_t> low_behind_, high_behind_;  // of the rest
};

/// Nobody listens to the scan.
struct NoTrace {
  static constexpr bool kOn = false;
};

/// Scans one column for one node; made per thread. A Trace whose kOn is true is told about every test by
/// see(candidate, sides, sweep) before it is judged (search_trace.hpp).
template <class FamilyT, class Trace = NoTrace>
class Scan {
 public:
  Scan(const FamilyT& family, const typename FamilyT::Node& node, const Limits& limits, ScanOptions options,
       Trace* trace = nullptr)
      : family_(&family), sweep_(family, node), limits_(&limits), options_(options), trace_(trace) {}

  /// The best candidate of the column (found = false: none). `sign` is its monotone constraint; `key` feeds
  /// splitter=random.
  Candidate best(const NodeColumn& column, int sign, std::uint64_t key) {
    if constexpr (FamilyT::kAdditive) {
      if (column.kind == Kind::category && !column.constant()) {
        sums_.clear();
        for (const Group& group : column.groups) sums_.push_back(family_->node(group.rows));
        missing_sums_ = family_->node(column.missing);
      }
    }
    given_sums_ = false;
    return search(column, sign, key);
  }

  /// The same for groups that are given by their sums instead of their rows.
  Candidate best(const NodeColumn& column, std::vector<typename FamilyT::Node> sums,
                 typename FamilyT::Node missing, int sign, std::uint64_t key) requires FamilyT::kAdditive {
    sums_ = std::move(sums);
    missing_sums_ = std::move(missing);
    given_sums_ = true;
    return search(column, sign, key);
  }

  /// True when the last best() had to use an ordering heuristic.
  [[nodiscard]] bool used_heuristic() const noexcept { return heuristic_; }

 private:
  enum class MissingSide : bool { right, left };

  Candidate search(const NodeColumn& column, int sign, std::uint64_t key) {
    column_ = &column;
    sign_ = sign;
    best_ = Candidate{};
    heuristic_ = false;
    if (column.constant()) return best_;
    n_known_ = 0;
    for (const Group& group : column.groups) n_known_ += group.count;
    if (options_.random) {
      scan_random(key);
    } else {
      scan_side(MissingSide::right);
      if (column.n_missing != 0) scan_side(MissingSide::left);
    }
    return best_;
  }

  void scan_side(MissingSide side) {
    begin(side);
    if (column_->kind != Kind::category) {
      scan_order();
    } else if (options_.equality) {
      scan_equality();
    } else if (family_->order_is_exact()) {
      scan_prefixes(order_by_key(*family_, levels()));
      scan_positive(side);
    } else if (column_->groups.size() <= kExhaustiveLevels) {
      scan_subsets();
    } else {
      heuristic_ = true;
      std::vector<double> weights;
      for (const auto& level : levels()) weights.push_back(family_->level_weight(level));
      for (const auto& order : heuristic_orders(*family_, levels(), weights)) {
        begin(side);
        scan_prefixes(order);
      }
    }
  }

  // All groups right; missing rows where `side` says.
  void begin(MissingSide side) {
    missing_left_ = side == MissingSide::left;
    const Rows left = missing_left_ ? column_->missing : Rows{};
    const Rows rest = missing_left_ ? Rows{} : column_->missing;
    left_rows_ = missing_left_ ? column_->n_missing : 0;
    in_left_.assign(column_->groups.size(), false);
    const bool category = column_->kind == Kind::category || given_sums_;
    by_sets_ = category || (limits_->monotone && FamilyT::Sweep::kValuesNeedSets);
    if constexpr (FamilyT::kAdditive) {
      if (category) return sweep_.begin_sums(missing_left_ ? &missing_sums_ : nullptr, sums_);
    } else {
      if (by_sets_) {
        sets_.clear();
        for (const Group& group : column_->groups) sets_.push_back(group.rows);
        return sweep_.begin_sets(left, sets_, rest);
      }
    }
    order_.clear();
    for (const Group& group : column_->groups)
      order_.insert(order_.end(), group.rows.begin(), group.rows.end());
    sweep_.begin(left, order_, rest);
  }

  // What category orders are made from.
  auto levels() const {
    if constexpr (FamilyT::kAdditive) {
      return std::span<const typename FamilyT::Node>(sums_);
    } else {
      return std::span<const Rows>(sets_);
    }
  }

  void toggle(std::size_t group) {
    if (by_sets_) {
      sweep_.toggle(group);
    } else {
      for (const RowId row : column_->groups[group].rows) sweep_.move(row);
    }
    in_left_[group] = !in_left_[group];
    const std::size_t count = column_->groups[group].count;
    left_rows_ = in_left_[group] ? left_rows_ + count : left_rows_ - count;
  }

  void scan_order() {
    const std::size_t n = column_->groups.size();
    for (std::size_t g = 0; g < n; ++g) {
      toggle(g);
      if (g + 1 == n && (missing_left_ || column_->n_missing == 0 || !limits_->missing_alone)) break;
      consider_cut(g);
    }
  }

  void scan_equality() {
    for (std::size_t g = 0; g < column_->groups.size(); ++g) {
      if (column_->groups.size() == 1) break;  // that is "known against missing", tried below
      toggle(g);
      consider_equality(g);
      toggle(g);
    }
    if (missing_left_ || column_->n_missing == 0) return;
    for (std::size_t g = 0; g < column_->groups.size(); ++g) toggle(g);
    consider_subset();
  }

  // A set is written out once, at the end: with a million levels every prefix may be better than the one before.
  void scan_prefixes(std::span<const std::size_t> order) {
    const std::size_t n = order.size();
    prefixes_.measure(order);
    std::size_t at = 0, winner = 0,
                lowest_since = n;  // lengths of prefixes; the lowest group behind the winner
    double score = 0.0;
    while (at < n) {
      toggle(order[at]);
      lowest_since = std::min(lowest_since, order[at]);
      if (++at == n && (missing_left_ || column_->n_missing == 0)) break;
      Candidate candidate;
      candidate.kind = NodeKind::subset;
      if (!may_win(candidate)) continue;
      if (winner != 0 && (candidate.score < score ||
                          (candidate.score == score && !prefixes_.later_precedes(winner, at, lowest_since))))
        continue;
      winner = at;
      score = candidate.score;
      lowest_since = n;
    }
    if (winner == 0) return;
    while (at > winner) toggle(order[--at]);
    Candidate candidate;
    candidate.kind = NodeKind::subset;
    if (scores_enough(candidate)) keep_subset(std::move(candidate));
  }

  // Where a side of sum 0 is refused, the best cut of the order may be, and then the best subset left over need not be in
  // order. But with one positive level kept left and one kept right every other level may go either way, so the best of these
  // splits is again a cut of the order (of the other levels). Over all such pairs that leaves, beside the cuts themselves,
  // one positive level alone, or with all levels of sum 0, against the rest.
  void scan_positive(MissingSide side) {
    if constexpr (requires { family_->needs_positive_sums(); }) {
      if (!family_->needs_positive_sums()) return;
      std::vector<std::size_t> positive, zero;
      for (std::size_t g = 0; g < sums_.size(); ++g)
        (family_->order_key(sums_[g]) > 0.0 ? positive : zero).push_back(g);
      if (zero.empty() && column_->n_missing == 0) return;
      const auto each_alone = [&] {
        for (const std::size_t g : positive) {
          toggle(g);
          consider_subset();
          toggle(g);
        }
      };
      begin(side);
      each_alone();
      for (const std::size_t g : zero) toggle(g);
      if (!zero.empty()) each_alone();
    }
  }

  // Gray code over the groups but the first, which stays left.
  void scan_subsets() {
    const std::size_t n = column_->groups.size();
    toggle(0);
    const std::uint32_t end = std::uint32_t{1} << (n - 1);
    for (std::uint32_t i = 0;; ++i) {
      const bool all_left =
          std::count(in_left_.begin(), in_left_.end(), true) == static_cast<std::ptrdiff_t>(n);
      if (!all_left || (!missing_left_ && column_->n_missing != 0)) consider_subset();
      if (i + 1 == end) break;
      toggle(1 + static_cast<std::size_t>(std::countr_zero(i + 1)));
    }
  }

  // One cut drawn from the key; missing rows on a drawn side.
  void scan_random(std::uint64_t key) {
    const std::size_t n = column_->groups.size();
    if (n < 2) return scan_missing();
    const bool left = column_->n_missing != 0 && (draw(key, 1) & 1) != 0;
    begin(left ? MissingSide::left : MissingSide::right);
    const Kind kind = column_->kind;
    if (kind == Kind::category) {
      random_category(key);
      return;
    }
    std::size_t last = below(draw(key, 0), n - 1);  // last group on the left
    double cut = 0.0;
    if (kind == Kind::numeric) {
      cut = random_cut(column_->groups.front().cell, column_->groups.back().cell, key);
      last = 0;
      while (column_->groups[last + 1].cell <= cut) ++last;
    }
    for (std::size_t g = 0; g <= last; ++g) toggle(g);
    consider_cut(last);
    if (best_.found && kind == Kind::numeric) {
      best_.threshold = cut;
      best_.has_threshold = true;
    }
  }

  // One value and missing cells: there is one test, and nothing to draw.
  void scan_missing() {
    if (column_->groups.empty()) return;
    begin(MissingSide::right);
    toggle(0);
    if (column_->kind == Kind::category) return consider_subset();
    if (limits_->missing_alone) consider_cut(0);
  }

  void random_category(std::uint64_t key) {
    const std::size_t n = column_->groups.size();
    if (options_.equality) {
      const std::size_t g = below(draw(key, 0), n);
      toggle(g);
      consider_equality(g);
      return;
    }
    // The first group stays left; of the others at least one, drawn, stays right.
    toggle(0);
    const std::size_t stays = 1 + below(draw(key, 0), n - 1);
    for (std::size_t g = 1; g < n; ++g)
      if (g != stays && (draw(key, 1 + g) & 1) != 0) toggle(g);
    consider_subset();
  }

  // Groups up to `last` are left.
  void consider_cut(std::size_t last) {
    Candidate candidate;
    candidate.kind = column_->kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    candidate.low = column_->groups[last].cell;
    candidate.all_known_left = last + 1 == column_->groups.size();
    if (!candidate.all_known_left) candidate.high = column_->groups[last + 1].cell;
    candidate.missing_left = missing_left_;
    if (may_win(candidate)) keep(std::move(candidate));
  }

  void consider_equality(std::size_t group) {
    Candidate candidate;
    candidate.kind = NodeKind::equality;
    candidate.low = column_->groups[group].cell;
    candidate.missing_left = missing_left_;
    if (may_win(candidate)) keep(std::move(candidate));
  }

  // The side that holds the lowest present level is called left.
  void consider_subset() {
    Candidate candidate;
    candidate.kind = NodeKind::subset;
    if (may_win(candidate)) keep_subset(std::move(candidate));
  }
  void keep_subset(Candidate&& candidate) {
    const bool flip = !in_left_[0];
    for (std::size_t g = 0; g < in_left_.size(); ++g)
      (in_left_[g] != flip ? candidate.left_levels : candidate.right_levels)
          .push_back(static_cast<std::uint32_t>(column_->groups[g].cell));
    candidate.missing_left = missing_left_ != flip;
    keep(std::move(candidate));
  }

  // Respects the limits and scores at least as much as the best so far. Fills score and values.
  bool may_win(Candidate& candidate) {
    if constexpr (Trace::kOn) {
      const std::size_t right_rows = n_known_ + column_->n_missing - left_rows_;
      Candidate shown = candidate;
      const bool allowed = respects_limits(shown, right_rows);
      trace_->see(shown, {in_left_, missing_left_, left_rows_, right_rows, allowed}, sweep_);
    }
    return scores_enough(candidate);
  }
  bool scores_enough(Candidate& candidate) {
    if (!respects_limits(candidate, n_known_ + column_->n_missing - left_rows_)) return false;
    candidate.score = sweep_.score();
    candidate.column = column_->id;
    candidate.order = limits_->ties.of(column_->id);
    candidate.found = true;
    return !best_.found || candidate.score >= best_.score;
  }

  bool respects_limits(Candidate& candidate, std::size_t right_rows) const {
    return static_cast<std::int64_t>(std::min(left_rows_, right_rows)) >= limits_->min_rows &&
           respects(*limits_, sign_, sweep_, candidate);
  }

  void keep(Candidate&& candidate) {
    const bool flipped = candidate.kind == NodeKind::subset && !in_left_[0];
    if (keep_if_better(std::move(candidate), sweep_, best_) && flipped)
      best_.left_heavier = sweep_.right_weight() > sweep_.left_weight();
  }

  const FamilyT* family_;
  typename FamilyT::Sweep sweep_;
  const Limits* limits_;
  ScanOptions options_;
  Trace* trace_;
  const NodeColumn* column_ = nullptr;
  int sign_ = 0;
  bool by_sets_ = false;
  bool given_sums_ = false;
  bool missing_left_ = false;
  bool heuristic_ = false;
  std::size_t n_known_ = 0;
  std::size_t left_rows_ = 0;
  std::vector<bool> in_left_;
  std::vector<Rows> sets_;                    // families that are not additive
  std::vector<typename FamilyT::Node> sums_;  // additive ones: per level of a category
  typename FamilyT::Node missing_sums_;
  std::vector<RowId> order_;
  PrefixSets prefixes_;
  Candidate best_;
};

// Compiled once, in scan.cpp.
extern template class Scan<ClassFamily>;
extern template class Scan<MomentFamily>;

}  // namespace bough
