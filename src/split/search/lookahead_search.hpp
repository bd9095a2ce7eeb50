// SPDX-License-Identifier: Apache-2.0
// The search of one node that looks two levels ahead.
//
// Let f(S) be the least cost of rows S in a tree of at most one split; a test of the node costs f(left) +
// f(right), and the test of the least cost is proposed; of equals the one that leads to fewer splits. f is
// one walk over every column, so a test takes rows x columns steps, and there are about rows x columns tests.
// Most of them need not be tried: costs are concave, so more rows never cost less,
//   f(S) <= f(S + more rows).
// Along a column the left side grows and the right side shrinks. Between two cuts a < b that were tried,
// every cut costs at least f(left of a) + f(right of b); where that is above the best test so far, the whole
// interval is left out. Intervals are taken by the lowest bound first and divided in the middle. f in a bound
// ignores the limits on rows and weights, under which more rows may cost less.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/search/leaf_costs.hpp"

namespace bough {

/// Fewer cells are not worth sharing between threads.
inline constexpr std::size_t kAheadCells = 1 << 16;
/// Rows x columns x tests of one node.
inline constexpr double kMostAheadSteps = 2e10;
/// Rounding of costs, in their units: 2^-40 of what the node costs.
inline constexpr std::int64_t kAheadSlack = std::int64_t{1} << 20;

// One column at a node: its rows by code, missing ones last.
struct AheadColumn {
  Kind kind = Kind::numeric;
  std::vector<std::uint32_t> order;   // positions in the node
  std::vector<std::uint32_t> begins;  // of the groups of known cells in `order`, and their end
  std::vector<std::uint32_t> codes;   // per group
  [[nodiscard]] std::size_t n_groups() const noexcept { return codes.size(); }
  [[nodiscard]] std::size_t n_known() const noexcept { return begins.back(); }
  [[nodiscard]] bool has_missing() const noexcept { return n_known() < order.size(); }
};

struct AheadSides {
  std::int64_t cost[2] = {0, 0};     // f within the limits: left, right
  std::int64_t relaxed[2] = {0, 0};  // f without limits
  void lower(const AheadSides& other) noexcept {
    for (int s = 0; s < 2; ++s) {
      cost[s] = std::min(cost[s], other.cost[s]);
      relaxed[s] = std::min(relaxed[s], other.relaxed[s]);
    }
  }
};

// A test of the node: the first n groups of a column, or a set of groups.
struct AheadTest {
  std::uint32_t column = 0;
  std::uint32_t n_left = 0;  // cuts: groups on the left
  std::uint32_t set = 0;     // categories: bits of the groups on the left
  bool is_set = false;
  bool missing_left = false;
};

struct AheadLimits {
  std::int64_t min_rows = 1;
  double min_weight = 0.0;
  std::int64_t min_split = 2;
  bool deep = true;  // a second level is allowed
};

template <class Costs>
class AheadSearch {
 public:
  using Cell = typename Costs::Cell;

  AheadSearch(const EncodedTable& table, const Targets& targets, Rows rows, const ScanOptions& scan,
              const AheadLimits& limits)
      : rows_(rows),
        costs_(targets, rows),
        scan_(scan),
        limits_(limits),
        total_(costs_.width(), 0),
        side_(rows.size(), 0) {
    for (std::size_t i = 0; i < rows.size(); ++i) costs_.add(total_.data(), i);
    if (costs_.pure(total_.data())) return;
    columns_.resize(table.columns.size());
    const auto one = [&](std::size_t j) { columns_[j] = sorted(table.columns[j]); };
    if (columns_.size() * rows.size() >= kAheadCells) {
      parallel_for(columns_.size(), one);
    } else {
      for (std::size_t j = 0; j < columns_.size(); ++j) one(j);
    }
  }

  [[nodiscard]] bool pure() const { return costs_.pure(total_.data()); }

  Proposal run(const EncodedTable& table, Monitor& monitor) {
    check_work();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const AheadColumn& column = columns_[j];
      if (column.n_groups() + (column.has_missing() ? 1 : 0) < 2) continue;
      for (const bool missing_left : {false, true}) {
        if (missing_left && !column.has_missing()) break;
        if (column.kind == Kind::category) {
          try_sets(j, missing_left, monitor);
        } else {
          const std::size_t n = column.n_groups() - (column.has_missing() && !missing_left ? 0 : 1);
          if (n > 0)
            intervals_.push(
                {0, static_cast<std::uint32_t>(j), missing_left, 0, static_cast<std::uint32_t>(n) + 1, 0, 0});
        }
      }
    }
    while (!intervals_.empty()) {
      const Interval interval = intervals_.top();
      intervals_.pop();
      if (found_ && interval.bound > best_cost_ + kAheadSlack) break;
      monitor.tick();
      divide(interval);
    }
    return propose(table);
  }

 private:
  // Cuts with more than `low` and fewer than `high` groups on the left are open.
  struct Interval {
    std::int64_t bound = 0;
    std::uint32_t column = 0;
    bool missing_left = false;
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::int64_t left = 0;                                  // f of the left side at `low`
    std::int64_t right = 0;                                 // f of the right side at `high`
    bool operator<(const Interval& other) const noexcept {  // the queue's top is the greatest
      if (bound != other.bound) return bound > other.bound;
      if (column != other.column) return column > other.column;
      if (missing_left != other.missing_left) return missing_left;
      return low > other.low;
    }
  };

  AheadColumn sorted(const EncodedColumn& column) const {
    AheadColumn out;
    out.kind = column.kind;
    std::vector<std::uint64_t> keys(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      keys[i] = std::uint64_t{column.code(rows_[i])} << 32 | i;
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto code = static_cast<std::uint32_t>(keys[i] >> 32);
      if (code != kMissingCode && (i == 0 || code != static_cast<std::uint32_t>(keys[i - 1] >> 32))) {
        out.begins.push_back(static_cast<std::uint32_t>(i));
        out.codes.push_back(code);
      }
      out.order.push_back(static_cast<std::uint32_t>(keys[i]));
    }
    const auto known =
        std::find_if(keys.begin(), keys.end(), [](std::uint64_t k) { return k >> 32 == kMissingCode; });
    out.begins.push_back(static_cast<std::uint32_t>(known - keys.begin()));
    return out;
  }

  void check_work() const {
    double tests = 0.0;
    for (const AheadColumn& column : columns_) {
      const double ways = column.has_missing() ? 2.0 : 1.0;
      const auto n = static_cast<double>(column.n_groups());
      tests +=
          ways *
          (column.kind != Kind::category || scan_.equality ? n : std::ldexp(1.0, static_cast<int>(n) - 1));
    }
    const double steps = tests * static_cast<double>(rows_.size()) * static_cast<double>(columns_.size());
    if (steps <= kMostAheadSteps) return;
    throw Error(
        ErrorCode::not_supported,
        fmt::format("lookahead=2 would compare {:.2g} tests on {} rows of {} columns, which is too many",
                    tests, rows_.size(), columns_.size()),
        "give fewer rows or columns, round numbers to fewer different values, or use lookahead=1");
  }

  void try_sets(std::size_t j, bool missing_left, Monitor& monitor) {
    const AheadColumn& column = columns_[j];
    const auto n = static_cast<std::uint32_t>(column.n_groups());
    AheadTest test{static_cast<std::uint32_t>(j), 0, 0, true, missing_left};
    const std::uint32_t all = n >= 32 ? 0 : (std::uint32_t{1} << n) - 1;
    const auto offer = [&](std::uint32_t set) {
      monitor.tick();
      test.set = set;
      try_test(test);
    };
    if (scan_.equality) {
      for (std::uint32_t g = 0; g < n && n > 1; ++g) {
        test.n_left = g;
        offer(0);
      }
      test.n_left = n;  // known cells against missing ones
      if (column.has_missing() && !missing_left) offer(0);
      return;
    }
    // The first group stays left.
    for (std::uint32_t rest = 0; rest <= all >> 1; ++rest) {
      const std::uint32_t set = rest << 1 | 1;
      if (set != all || (column.has_missing() && !missing_left)) offer(set);
    }
  }

  void divide(const Interval& interval) {
    const std::uint32_t middle = interval.low + (interval.high - interval.low) / 2;
    const AheadSides costs = try_test({interval.column, middle, 0, false, interval.missing_left});
    const auto push = [&](std::uint32_t low, std::uint32_t high, std::int64_t left, std::int64_t right) {
      const std::int64_t bound = left + right;
      if (high - low < 2 || (found_ && bound > best_cost_ + kAheadSlack)) return;
      intervals_.push({bound, interval.column, interval.missing_left, low, high, left, right});
    };
    push(interval.low, middle, interval.left, costs.relaxed[1]);
    push(middle, interval.high, costs.relaxed[0], interval.right);
  }

  [[nodiscard]] bool group_left(const AheadTest& test, std::size_t g) const noexcept {
    if (!test.is_set) return g < test.n_left;
    if (!scan_.equality) return (test.set >> g & 1) != 0;
    return test.n_left == columns_[test.column].n_groups() || g == test.n_left;
  }

  void set_sides(const AheadTest& test) {
    const AheadColumn& column = columns_[test.column];
    for (std::size_t g = 0; g < column.n_groups(); ++g) {
      const std::uint8_t side = group_left(test, g) ? 0 : 1;
      for (std::uint32_t i = column.begins[g]; i < column.begins[g + 1]; ++i) side_[column.order[i]] = side;
    }
    for (std::size_t i = column.n_known(); i < column.order.size(); ++i)
      side_[column.order[i]] = test.missing_left ? 0 : 1;
  }

  // f of both sides; keeps the test when it is the best so far.
  AheadSides try_test(const AheadTest& test) {
    set_sides(test);
    std::vector<Cell> sums(2 * costs_.width(), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) costs_.add(sums.data() + side_[i] * costs_.width(), i);
    const Cell* sides[2] = {sums.data(), sums.data() + costs_.width()};
    AheadSides out;
    for (int s = 0; s < 2; ++s) out.cost[s] = out.relaxed[s] = costs_.cost(sides[s]);
    if (limits_.deep) {
      if (columns_.size() * rows_.size() >= kAheadCells) {
        std::vector<AheadSides> found(columns_.size());
        parallel_for(columns_.size(), [&](std::size_t k) { found[k] = walk(columns_[k], sides, out); });
        for (const AheadSides& one : found) out.lower(one);
      } else {
        for (const AheadColumn& column : columns_) out.lower(walk(column, sides, out));
      }
    }
    for (const Cell* side : sides)
      if (costs_.rows(side) < limits_.min_rows || costs_.weight(side) < limits_.min_weight) return out;
    const std::int64_t cost = out.cost[0] + out.cost[1];
    if (found_ && cost > best_cost_) return out;
    // Where one split is enough, any first test leads to as good a tree with one split more: the smaller tree
    // is it.
    int splits = 0;
    for (int s = 0; s < 2; ++s) splits += out.cost[s] < costs_.cost(sides[s]) ? 1 : 0;
    if (!found_ || cost < best_cost_ || splits < best_splits_ ||
        (splits == best_splits_ && precedes(test, best_))) {
      found_ = true;
      best_cost_ = cost;
      best_splits_ = splits;
      best_ = test;
      own_gain_ = costs_.cost(total_.data()) - costs_.cost(sides[0]) - costs_.cost(sides[1]);
      left_heavier_ = costs_.weight(sides[0]) > costs_.weight(sides[1]);
    }
    return out;
  }

  [[nodiscard]] bool precedes(const AheadTest& a, const AheadTest& b) const {
    Candidate x = candidate(a), y = candidate(b);
    x.score = y.score = 0.0;
    return better(x, y);
  }

  // Both sides along one column: every group changes the split of a side only where it holds rows of it.
  AheadSides walk(const AheadColumn& column, const Cell* const* sides, const AheadSides& leaves) const {
    if (column.kind == Kind::category) return walk_levels(column, sides, leaves);
    const std::size_t width = costs_.width();
    thread_local std::vector<Cell> room;
    room.assign(6 * width, 0);
    Cell* left[2] = {room.data(), room.data() + width};
    Cell* missing[2] = {room.data() + 2 * width, room.data() + 3 * width};
    Cell* scratch = room.data() + 4 * width;
    for (std::size_t i = column.n_known(); i < column.order.size(); ++i)
      costs_.add(missing[side_[column.order[i]]], column.order[i]);
    AheadSides out = leaves;
    for (std::size_t g = 0; g < column.n_groups(); ++g) {
      bool touched[2] = {false, false};
      for (std::uint32_t i = column.begins[g]; i < column.begins[g + 1]; ++i) {
        const std::uint32_t at = column.order[i];
        costs_.add(left[side_[at]], at);
        touched[side_[at]] = true;
      }
      for (int s = 0; s < 2; ++s) {
        if (!touched[s]) continue;
        judge(left[s], sides[s], scratch, s, out);
        if (costs_.rows(missing[s]) == 0) continue;
        for (std::size_t c = 0; c < width; ++c) scratch[width + c] = left[s][c] + missing[s][c];
        judge(scratch + width, sides[s], scratch, s, out);
      }
    }
    return out;
  }

  // A split of a side into `left` and the rest.
  void judge(const Cell* left, const Cell* all, Cell* right, int s, AheadSides& out) const {
    const std::int64_t n_left = costs_.rows(left), n = costs_.rows(all);
    if (n_left == 0 || n_left == n) return;
    for (std::size_t c = 0; c < costs_.width(); ++c) right[c] = all[c] - left[c];
    const std::int64_t cost = costs_.cost(left) + costs_.cost(right);
    out.relaxed[s] = std::min(out.relaxed[s], cost);
    if (cost >= out.cost[s] || n < limits_.min_split || std::min(n_left, n - n_left) < limits_.min_rows)
      return;
    if (std::min(costs_.weight(left), costs_.weight(right)) < limits_.min_weight) return;
    out.cost[s] = cost;
  }

  // Categories: one level, or every subset that holds the first group or not (a side of a side has no name).
  AheadSides walk_levels(const AheadColumn& column, const Cell* const* sides,
                         const AheadSides& leaves) const {
    const std::size_t width = costs_.width(), n = column.n_groups();
    thread_local std::vector<Cell> room;
    room.assign((2 * (n + 1) + 2) * width, 0);
    Cell* scratch = room.data() + 2 * (n + 1) * width;
    const auto level = [&](std::size_t s, std::size_t g) { return room.data() + (s * (n + 1) + g) * width; };
    for (std::size_t g = 0; g < n; ++g)
      for (std::uint32_t i = column.begins[g]; i < column.begins[g + 1]; ++i)
        costs_.add(level(side_[column.order[i]], g), column.order[i]);
    for (std::size_t i = column.n_known(); i < column.order.size(); ++i)
      costs_.add(level(side_[column.order[i]], n), column.order[i]);
    AheadSides out = leaves;
    for (int s = 0; s < 2; ++s) {
      std::vector<const Cell*> present;
      for (std::size_t g = 0; g < n; ++g)
        if (costs_.rows(level(static_cast<std::size_t>(s), g)) > 0)
          present.push_back(level(static_cast<std::size_t>(s), g));
      judge_levels(present, level(static_cast<std::size_t>(s), n), sides[s], scratch, s, out);
    }
    return out;
  }

  void judge_levels(std::span<const Cell* const> present, const Cell* missing, const Cell* all, Cell* scratch,
                    int s, AheadSides& out) const {
    const std::size_t width = costs_.width();
    Cell* left = scratch + width;
    judge(missing, all, scratch, s, out);  // known against missing
    const auto offer = [&](auto&& is_left) {
      for (const bool with_missing : {false, true}) {
        if (with_missing && costs_.rows(missing) == 0) break;
        std::fill_n(left, width, Cell{0});
        for (std::size_t g = 0; g < present.size(); ++g)
          if (is_left(g))
            for (std::size_t c = 0; c < width; ++c) left[c] += present[g][c];
        if (with_missing)
          for (std::size_t c = 0; c < width; ++c) left[c] += missing[c];
        judge(left, all, scratch, s, out);
      }
    };
    if (present.size() < 2) return;
    if (scan_.equality) {
      for (std::size_t one = 0; one < present.size(); ++one) offer([&](std::size_t g) { return g == one; });
      return;
    }
    for (std::uint32_t rest = 0; rest + 1 < std::uint32_t{1} << (present.size() - 1); ++rest)
      offer([&](std::size_t g) { return g == 0 || (rest >> (g - 1) & 1) != 0; });
  }

  [[nodiscard]] Candidate candidate(const AheadTest& test) const {
    const AheadColumn& column = columns_[test.column];
    Candidate c;
    c.found = true;
    c.column = static_cast<ColId>(test.column);
    c.missing_left = test.missing_left;
    if (!test.is_set) {
      c.kind = column.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
      c.low = column.codes[test.n_left - 1];
      c.all_known_left = test.n_left == column.n_groups();
      if (!c.all_known_left) c.high = column.codes[test.n_left];
    } else if (scan_.equality && test.n_left < column.n_groups()) {
      c.kind = NodeKind::equality;
      c.low = column.codes[test.n_left];
    } else {
      c.kind = NodeKind::subset;
      for (std::size_t g = 0; g < column.n_groups(); ++g)
        (group_left(test, g) ? c.left_levels : c.right_levels).push_back(column.codes[g]);
    }
    return c;
  }

  [[nodiscard]] Proposal propose(const EncodedTable& table) const {
    Proposal proposal;
    if (!found_) return proposal;
    proposal.found = true;
    Candidate& c = proposal.candidate;
    c = candidate(best_);
    const EncodedColumn& column = table.columns[best_.column];
    if (c.kind == NodeKind::numeric) {  // codes are ranks
      c.low = column.values[static_cast<std::size_t>(c.low)];
      if (!c.all_known_left) c.high = column.values[static_cast<std::size_t>(c.high)];
    }
    c.left_heavier = left_heavier_;
    const double unit = costs_.unit();
    c.gain = std::max(0.0, static_cast<double>(own_gain_) * unit);
    c.score = std::max(c.gain, static_cast<double>(costs_.cost(total_.data()) - best_cost_) * unit);
    proposal.split = to_split(c, column.n_codes, columns_[best_.column].has_missing(), left_heavier_);
    return proposal;
  }

  Rows rows_;
  Costs costs_;
  ScanOptions scan_;
  AheadLimits limits_;
  std::vector<Cell> total_;
  std::vector<std::uint8_t> side_;  // per position
  std::vector<AheadColumn> columns_;
  std::priority_queue<Interval> intervals_;
  bool found_ = false;
  std::int64_t best_cost_ = 0;
  int best_splits_ = 0;  // of its second level
  std::int64_t own_gain_ = 0;
  bool left_heavier_ = false;
  AheadTest best_;
};

}  // namespace bough
