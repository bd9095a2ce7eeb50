// SPDX-License-Identifier: Apache-2.0
// The presorted engine: a whole subtree of a few thousand rows, each column sorted once.
//
// Rows get local ids. Every column is a list of (rank << 16 | id) in the order of its cells, missing ones last with rank
// kMissingRank; equal cells have equal ranks, so a cut lies wherever neighbours differ in rank. Dividing a node divides its
// stretch of each list in two, keeping the order, so nothing is sorted again.
//
// Two classes under gini and number targets under squared_error, both without weights, are searched in two steps: cumulated
// counts or sums along the list and a vector kernel give the top score of each column up to rounding; the columns near the
// best are walked again and the positions near it scored exactly. Any other criterion, and columns with missing cells or
// categories, go through the scan that all engines share (scan.hpp).
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "data/codes.hpp"
#include "split/engine.hpp"
#include "split/order_key.hpp"
#include "split/scan.hpp"
#include "split/small_kernels.hpp"
#include "split/subtree.hpp"

namespace bough {

template <class FamilyT>
class Presorted {
 public:
  Presorted(const CodedTable& table, const Targets& targets, const FamilyT& family, const EngineOptions& options)
      : table_(&table), targets_(&targets), family_(&family), options_(&options) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) all_columns_.push_back(static_cast<ColId>(j));
    two_class_ = kGini && targets.weights.empty() && targets.classes.size() == 1 && targets.classes[0].n_classes == 2;
    moments_ = kSquared && targets.weights.empty() && targets.numbers.size() == 1;
  }

  /// Grows the subtree of `rows`; ordered_rows() then has them node by node.
  Subtree grow(Rows rows, std::int32_t depth, std::uint64_t key, const SubtreeRules& rules) {
    rules_ = &rules;
    load(rows);
    Subtree tree;
    std::vector<Open> stack{{0, n_, depth, key, -1}};
    while (!stack.empty()) {
      const Open open = stack.back();
      stack.pop_back();
      const auto index = static_cast<std::int32_t>(tree.size());
      if (open.right_of >= 0) tree[static_cast<std::size_t>(open.right_of)].right = index;
      tree.push_back({open.begin, open.end, -1, {}, false, false});
      if (!search(open, tree.back())) continue;
      const std::uint32_t middle = divide(open, tree.back().candidate);
      stack.push_back({middle, open.end, open.depth + 1, mix(open.key, 1), index});
      stack.push_back({open.begin, middle, open.depth + 1, mix(open.key, 0), -1});
    }
    ordered_.resize(n_);
    for (std::uint32_t i = 0; i < n_; ++i) ordered_[i] = rows[list(id_list())[i]];
    return tree;
  }
  [[nodiscard]] Rows ordered_rows() const noexcept { return ordered_; }

 private:
  static constexpr bool kGini = std::is_same_v<FamilyT, ClassFamily<Gini>>;
  static constexpr bool kSquared = std::is_same_v<FamilyT, MomentFamily<SquaredError>>;
  static constexpr std::uint32_t kMissingRank = 0xffffU;
  static constexpr std::size_t kPad = 64;  // vector loads run past the end

  struct Open {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::int32_t depth = 0;
    std::uint64_t key = 0;
    std::int32_t right_of = -1;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };

  static std::uint32_t id_of(std::uint32_t entry) noexcept { return entry & 0xffffU; }
  static std::uint32_t rank_of(std::uint32_t entry) noexcept { return entry >> 16; }
  std::uint32_t* list(std::size_t column) noexcept { return lists_.data() + column * stride_; }
  [[nodiscard]] const std::uint32_t* list(std::size_t column) const noexcept { return lists_.data() + column * stride_; }
  /// The list after the columns': plain ids.
  [[nodiscard]] std::size_t id_list() const noexcept { return all_columns_.size(); }

  void load(Rows rows) {
    n_ = static_cast<std::uint32_t>(rows.size());
    stride_ = n_ + kPad;
    lists_.resize(stride_ * (all_columns_.size() + 1));
    constant_.assign(all_columns_.size(), 0);
    rows_.assign(rows.begin(), rows.end());
    side_.resize(n_);
    scratch_.resize(stride_);
    for (std::uint32_t i = 0; i < n_; ++i) list(id_list())[i] = i;
    if (two_class_) {
      labels_.resize(n_);
      for (std::uint32_t i = 0; i < n_; ++i) labels_[i] = static_cast<std::uint8_t>(targets_->classes[0].codes[rows[i]]);
    }
    if (moments_) {
      targets_here_.resize(n_);
      for (std::uint32_t i = 0; i < n_; ++i) targets_here_[i] = targets_->numbers[0].fixed.values[rows[i]];
    }
    for (std::size_t j = 0; j < all_columns_.size(); ++j) sort_column(j);
  }

  // Keys hold the cell rounded to float and the id; cells that round to one float are put in order by their full value.
  void sort_column(std::size_t j) {
    const CodedColumn& column = table_->columns[j];
    cells_.resize(n_);
    keys_.clear();
    std::uint32_t n_missing = 0;
    std::uint32_t* out = list(j);
    for (std::uint32_t i = 0; i < n_; ++i) cells_[i] = table_->cell(static_cast<ColId>(j), rows_[i]);
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (std::isnan(cells_[i])) {
        out[n_ - ++n_missing] = kMissingRank << 16 | i;
      } else {
        keys_.push_back(static_cast<std::uint64_t>(ordered_key(static_cast<float>(cells_[i]))) << 32 | i);
      }
    }
    if (keys_.size() < 32) {
      std::sort(keys_.begin(), keys_.end());
    } else {
      sorter_(keys_.data(), keys_.size(), hwy::SortAscending());
    }
    if (column.kind == Kind::numeric && !column.numbers.is_float()) settle_equal_floats();
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (i > 0 && cells_[static_cast<std::uint32_t>(keys_[i])] != cells_[static_cast<std::uint32_t>(keys_[i - 1])]) ++rank;
      out[i] = rank << 16 | static_cast<std::uint32_t>(keys_[i]);
    }
    constant_[j] = (keys_.empty() || (rank == 0 && n_missing == 0)) ? 1 : 0;
  }

  void settle_equal_floats() {
    for (std::size_t i = 0; i < keys_.size();) {
      std::size_t end = i + 1;
      while (end < keys_.size() && keys_[end] >> 32 == keys_[i] >> 32) ++end;
      if (end - i > 1)
        std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(i), keys_.begin() + static_cast<std::ptrdiff_t>(end),
                  [&](std::uint64_t a, std::uint64_t b) {
                    return cells_[static_cast<std::uint32_t>(a)] < cells_[static_cast<std::uint32_t>(b)];
                  });
      i = end;
    }
  }

  // Fills the node's candidate; false for a leaf.
  bool search(const Open& open, SubtreeNode& out) {
    const auto n = static_cast<std::int64_t>(open.size());
    if (open.depth >= rules_->max_depth || n < rules_->min_samples_split || n < 2 * rules_->min_samples_leaf) return false;
    if (!enter(open)) return false;
    best_ = Candidate{};
    best_missing_known_ = false;
    out.heuristic = false;
    if (rules_->max_features == 0) {
      search_columns(open, all_columns_, all_columns_.size(), out);
    } else {
      const std::vector<ColId> drawn = draw_columns(all_columns_, rules_->max_features, open.key);
      search_columns(open, drawn, std::min(rules_->max_features, drawn.size()), out);
    }
    if (!best_.found || !rules_->worth(best_.gain)) return false;
    out.candidate = std::move(best_);
    out.missing_known = best_missing_known_;
    return true;
  }

  // Sums of the node; false when it is pure.
  bool enter(const Open& open) {
    const std::uint32_t* ids = list(id_list()) + open.begin;
    const std::uint32_t n = open.size();
    if (two_class_) {
      std::uint32_t second = 0;
      for (std::uint32_t i = 0; i < n; ++i) second += labels_[ids[i]];
      if (second == 0 || second == n) return false;
      if constexpr (kGini) {
        node_.counts.assign({static_cast<std::int64_t>(n - second), static_cast<std::int64_t>(second)});
        node_.weight = n;
      }
    } else if (moments_) {
      std::int64_t low = INT64_MAX, high = INT64_MIN;
      int128 sum = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::int64_t y = targets_here_[ids[i]];
        sum += y;
        low = std::min(low, y);
        high = std::max(high, y);
      }
      if (low == high) return false;
      if constexpr (kSquared) node_.totals.assign(1, make_parent(Moments{sum, static_cast<std::int64_t>(n)}));
    } else {
      here_.resize(n);
      for (std::uint32_t i = 0; i < n; ++i) here_[i] = rows_[ids[i]];
      node_ = family_->node(here_);
      if (node_.pure) return false;
    }
    if (two_class_ || moments_) fill_inverses(n);
    return true;
  }

  void fill_inverses(std::uint32_t n) {
    if (two_class_) {
      float_inverse_.resize(stride_);
      for (std::uint32_t k = 1; k < n; ++k)
        float_inverse_[k - 1] = 1.0F / (static_cast<float>(k) * static_cast<float>(n - k));
      float_sums_.resize(stride_);
    } else {
      inverse_.resize(stride_);
      for (std::uint32_t k = 1; k < n; ++k) inverse_[k - 1] = 1.0 / (static_cast<double>(k) * static_cast<double>(n - k));
      sums_.resize(stride_);
    }
  }

  void search_columns(const Open& open, const std::vector<ColId>& columns, std::size_t n_draw, SubtreeNode& out) {
    tops_.clear();
    bool seen = false;
    double best_top = -1.0;
    const double perfect = two_class_ ? perfect_score() : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < columns.size() && (i < n_draw || !seen); ++i) {
      const auto j = static_cast<std::size_t>(columns[i]);
      if (constant_here(open, j)) continue;
      seen = true;
      if (!fast_column(open, j)) {
        search_any(open, columns[i], out);
        continue;
      }
      const double top = two_class_ ? two_class_top(open, j) : moments_top(open, j);
      tops_.push_back({columns[i], top});
      best_top = std::max(best_top, top);
      // Both children pure: no later column can do better, and of equals the lower column wins.
      if (top >= perfect && rules_->max_features == 0) break;
    }
    const double floor = best_top * (two_class_ ? 1.0 - 1e-5 : 1.0 - 1e-9);
    for (const Top& top : tops_)
      if (top.score >= floor && top.score >= 0.0) decide(open, top.column, floor);
  }

  // D^2 / (k (n - k)) of a split into two pure children is c (n - c).
  [[nodiscard]] double perfect_score() const {
    if constexpr (kGini) {
      return static_cast<double>(node_.counts[0]) * static_cast<double>(node_.counts[1]) * (1.0 - 1e-6);
    } else {
      return 0.0;
    }
  }

  [[nodiscard]] bool constant_here(const Open& open, std::size_t j) const noexcept {
    return constant_[j] != 0 || rank_of(list(j)[open.begin]) == rank_of(list(j)[open.end - 1]);
  }
  [[nodiscard]] bool fast_column(const Open& open, std::size_t j) const noexcept {
    return (two_class_ || moments_) && table_->columns[j].kind != Kind::category &&
           rank_of(list(j)[open.end - 1]) != kMissingRank;
  }

  // Positions whose both sides hold enough rows, [first, first + count). Without weights, weight limits are row limits.
  [[nodiscard]] std::size_t first_position() const noexcept {
    const auto by_weight = static_cast<std::int64_t>(std::ceil(rules_->min_weight));
    return static_cast<std::size_t>(std::max(rules_->min_samples_leaf, by_weight) - 1);
  }
  [[nodiscard]] std::size_t n_positions(const Open& open) const noexcept {
    const std::size_t taken = 1 + 2 * first_position();
    return open.size() > taken ? open.size() - taken : 0;
  }

  double two_class_top(const Open& open, std::size_t j) {
    if constexpr (kGini) {
      cumulate_labels(open, j);
      const std::size_t first = first_position();
      return static_cast<double>(top_two_class(float_sums_.data() + first, float_inverse_.data() + first,
                                               list(j) + open.begin + first, n_positions(open),
                                               static_cast<float>(open.size()), static_cast<float>(node_.counts[1]),
                                               static_cast<float>(first)));
    } else {
      return -1.0;
    }
  }
  void cumulate_labels(const Open& open, std::size_t j) {
    const std::uint32_t* entries = list(j) + open.begin;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      sum += labels_[id_of(entries[i])];
      float_sums_[i] = static_cast<float>(sum);
    }
  }

  double moments_top(const Open& open, std::size_t j) {
    if constexpr (kSquared) {
      cumulate_targets(open, j);
      const std::size_t first = first_position();
      return top_moments(sums_.data() + first, inverse_.data() + first, list(j) + open.begin + first, n_positions(open),
                         mean_rest(), static_cast<double>(first));
    } else {
      return -1.0;
    }
  }
  // Sums of the targets less the node's whole-number centre: small, and exact as integers.
  void cumulate_targets(const Open& open, std::size_t j) {
    const std::uint32_t* entries = list(j) + open.begin;
    std::int64_t sum = 0;
    if constexpr (kSquared) {
      const std::int64_t centre = node_.totals[0].centre;
      for (std::uint32_t i = 0; i < open.size(); ++i) {
        sum += targets_here_[id_of(entries[i])] - centre;
        sums_[i] = static_cast<double>(sum);
      }
    }
  }
  [[nodiscard]] double mean_rest() const {
    if constexpr (kSquared) {
      const ParentMoments& total = node_.totals[0];
      return static_cast<double>(total.sum - static_cast<int128>(total.centre) * total.weight) /
             static_cast<double>(total.weight);
    } else {
      return 0.0;
    }
  }

  // Scores exactly every position of a column that comes near the floor.
  void decide(const Open& open, ColId id, double floor) {
    const auto j = static_cast<std::size_t>(id);
    const std::uint32_t* entries = list(j) + open.begin;
    typename FamilyT::Sweep sweep(*family_, node_);
    typename FamilyT::Node left = node_;
    two_class_ ? cumulate_labels(open, j) : cumulate_targets(open, j);
    const double rest = mean_rest();
    for (std::size_t i = first_position(), end = i + n_positions(open); i < end; ++i) {
      if (rank_of(entries[i]) == rank_of(entries[i + 1])) continue;
      const auto k = static_cast<std::int64_t>(i + 1);
      if constexpr (kGini) {
        const double d = static_cast<double>(open.size()) * float_sums_[i] -
                         static_cast<double>(node_.counts[1]) * static_cast<double>(k);
        if (d * d * static_cast<double>(float_inverse_[i]) < floor) continue;
        left.counts[1] = static_cast<std::int64_t>(float_sums_[i]);
        left.counts[0] = k - left.counts[1];
        left.weight = k;
      } else if constexpr (kSquared) {
        const double d = sums_[i] - rest * static_cast<double>(k);
        if (d * d * inverse_[i] < floor) continue;
        // The cumulated integer, exactly: doubles hold it only up to 2^53.
        int128 sum = 0;
        for (std::size_t t = 0; t <= i; ++t) sum += targets_here_[id_of(entries[t])];
        left.totals[0].sum = sum;
        left.totals[0].weight = k;
      }
      sweep.set_left(left);
      Candidate candidate;
      candidate.found = true;
      candidate.score = sweep.score();
      if (best_.found && candidate.score < best_.score) continue;
      candidate.column = id;
      candidate.kind = table_->columns[j].kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
      candidate.low = table_->cell(id, rows_[id_of(entries[i])]);
      candidate.high = table_->cell(id, rows_[id_of(entries[i + 1])]);
      if (!better(candidate, best_)) continue;
      candidate.gain = sweep.gain();
      best_ = candidate;
      best_missing_known_ = false;
    }
  }

  // Any column by the common scan.
  void search_any(const Open& open, ColId id, SubtreeNode& out) {
    const std::uint32_t* entries = list(static_cast<std::size_t>(id)) + open.begin;
    const std::uint32_t n = open.size();
    order_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) order_[i] = rows_[id_of(entries[i])];
    NodeColumn column;
    column.id = id;
    column.kind = table_->columns[static_cast<std::size_t>(id)].kind;
    for (std::uint32_t begin = 0; begin < n;) {
      std::uint32_t end = begin + 1;
      while (end < n && rank_of(entries[end]) == rank_of(entries[begin])) ++end;
      const Rows rows = Rows(order_).subspan(begin, end - begin);
      if (rank_of(entries[begin]) == kMissingRank) {
        column.missing = rows;
        column.n_missing = rows.size();
      } else {
        column.groups.push_back({table_->cell(id, rows[0]), rows.size(), rows});
      }
      begin = end;
    }
    Limits limits;
    limits.min_rows = rules_->min_samples_leaf;
    limits.min_weight = rules_->min_weight;
    Scan<FamilyT> scan(*family_, node_, limits, options_->scan);
    Candidate candidate = scan.best(column, 0, mix(open.key, static_cast<std::uint64_t>(id)));
    out.heuristic |= scan.used_heuristic();
    if (!candidate.found || !better(candidate, best_)) return;
    best_ = std::move(candidate);
    best_missing_known_ = column.n_missing > 0;
  }

  // Divides all lists of the node; returns where its right part begins.
  std::uint32_t divide(const Open& open, const Candidate& candidate) {
    const auto winner = static_cast<std::size_t>(candidate.column);
    const std::uint32_t* entries = list(winner) + open.begin;
    std::uint32_t n_left = 0;
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      const std::uint32_t id = id_of(entries[i]);
      const bool left = rank_of(entries[i]) == kMissingRank
                            ? candidate.missing_left
                            : goes_left(candidate, table_->cell(candidate.column, rows_[id]));
      side_[id] = left ? 1 : 0;
      n_left += side_[id];
    }
    for (std::size_t j = 0; j <= id_list(); ++j) {
      if (j < id_list() && constant_[j] != 0) continue;
      divide_list(list(j) + open.begin, open.size());
    }
    return open.begin + n_left;
  }

  void divide_list(std::uint32_t* entries, std::uint32_t n) noexcept {
    std::uint32_t left = 0, right = 0;
    std::uint32_t* other = scratch_.data();
    const std::uint8_t* side = side_.data();
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t entry = entries[i];
      const std::uint32_t s = side[id_of(entry)];
      entries[left] = entry;
      other[right] = entry;
      left += s;
      right += 1 - s;
    }
    std::copy_n(other, right, entries + left);
  }

  struct Top {
    ColId column = 0;
    double score = 0.0;
  };

  const CodedTable* table_;
  const Targets* targets_;
  const FamilyT* family_;
  const EngineOptions* options_;
  const SubtreeRules* rules_ = nullptr;
  bool two_class_ = false;
  bool moments_ = false;
  std::vector<ColId> all_columns_;
  // The subtree.
  std::uint32_t n_ = 0;
  std::size_t stride_ = 0;
  std::vector<RowId> rows_;                  // by id
  std::vector<std::uint32_t> lists_;
  std::vector<std::uint8_t> constant_;       // columns without a cut anywhere in the subtree; their lists are not kept up
  std::vector<std::uint8_t> labels_;         // two classes, by id
  std::vector<std::int64_t> targets_here_;   // squared error, by id
  std::vector<RowId> ordered_;
  // The node.
  typename FamilyT::Node node_;
  Candidate best_;
  bool best_missing_known_ = false;
  std::vector<Top> tops_;
  std::vector<float> float_sums_, float_inverse_;
  std::vector<double> sums_, inverse_;
  // Scratch.
  std::vector<double> cells_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint8_t> side_;
  std::vector<std::uint32_t> scratch_;
  std::vector<RowId> here_, order_;
  hwy::Sorter sorter_;
};

}  // namespace bough
