// SPDX-License-Identifier: Apache-2.0
// The walk through a tree that asks brute force at every node.
#include "oracle/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "oracle/brute.hpp"
#include "oracle/limits.hpp"
#include "oracle/sums.hpp"

namespace bough::oracle {
namespace {

// What brute force found at a node. `sure`: allowed with room to spare, in a column whose search is exact;
// `possible`: allowed within rounding, in any column.
struct Found {
  std::optional<Real> sure;
  std::optional<Real> possible;
};

struct Wrong {
  std::string what;
};

template <class... Args>
void require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw Wrong{fmt::format(format, std::forward<Args>(args)...)};
}

class Auditor {
 public:
  Auditor(const Case& sample, const Model& model)
      : sample_(sample),
        tree_(model.tree()),
        limits_(sample),
        now_(&sample),
        best_search_(sample.params.splitter == "best" && looks_at_all(sample)) {
    all_ = used_rows(sample);
    total_ = weight(sample, all_);
    for (const auto& target : sample.targets) {
      Real sum = 0;
      for (const std::size_t row : all_)
        sum += std::fabs(static_cast<Real>(target[row])) * std::max(1.0, sample.weight(row));
      if (!sample.classes) unit_ = std::max(unit_, std::ldexp(sum, -60));
      for (const double y : target) target_size_ = std::max<Real>(target_size_, std::fabs(y));
    }
    open_gain_.assign(static_cast<std::size_t>(tree_.n_nodes()), -1.0L);
  }

  void run() {
    std::vector<Visit> open;
    open.push_back(
        {0, all_, 0, {-kInfinity, kInfinity}, {}, mix(static_cast<std::uint64_t>(sample_.params.seed), 0)});
    while (!open.empty()) {
      const Visit visit = std::move(open.back());
      open.pop_back();
      if (sample_.params.oblique) add_sums(visit);
      check_stats(visit);
      if (tree_.is_leaf(visit.node)) {
        check_leaf(visit);
      } else {
        for (Visit& child : check_split(visit)) open.push_back(std::move(child));
      }
    }
    if (sample_.params.max_leaf_nodes) check_best_first();
  }

 private:
  // Every column is looked at in every node.
  static bool looks_at_all(const Case& sample) {
    const Params& params = sample.params;
    const auto p = static_cast<std::int64_t>(sample.columns.size());
    return !params.max_features || (params.oblique && params.max_features->resolve_down(p) >= p);
  }

  // From here on the sums that the node drew are columns too.
  void add_sums(const Visit& visit) {
    sums_ = node_sums(sample_, visit.key);
    now_ = &sums_.sample;
    limits_ = Limits(*now_);
    // Where nothing that was drawn varies, the other columns come one by one until one does.
    const auto varies = [&](std::size_t column) {
      const auto& cells = now_->columns[column].cells;
      const bool missing = std::any_of(visit.rows.begin(), visit.rows.end(),
                                       [&](std::size_t row) { return std::isnan(cells[row]); });
      return known_cells(*now_, visit.rows, column).size() + (missing ? 1 : 0) > 1;
    };
    one_by_one_ = true;
    for (std::size_t column = 0; column < now_->columns.size(); ++column)
      if (is_tried(column) && varies(column)) one_by_one_ = false;
    if (one_by_one_) sums_.tried.assign(sample_.columns.size(), 1);
  }
  [[nodiscard]] bool is_sum(std::size_t column) const { return column >= sample_.columns.size(); }
  [[nodiscard]] bool is_tried(std::size_t column) const {
    return !sample_.params.oblique || is_sum(column) || sums_.tried[column];
  }
  // The column that a node tests: of a sum the place where it was drawn.
  [[nodiscard]] std::size_t column_of(NodeId node) const {
    if (tree_.kind(node) != NodeKind::oblique) return static_cast<std::size_t>(tree_.column(node));
    const auto terms = tree_.terms(node);
    for (std::size_t i = 0; i < sums_.terms.size(); ++i)
      if (std::equal(terms.begin(), terms.end(), sums_.terms[i].begin(), sums_.terms[i].end()))
        return sample_.columns.size() + i;
    throw Wrong{fmt::format("node {} tests a sum that was not drawn", node)};
  }

  [[nodiscard]] Found search(const Visit& visit, const Judge& judge) const {
    Found found;
    for (std::size_t column = 0; column < now_->columns.size(); ++column) {
      if (!limits_.may_test(visit, column) || !is_tried(column)) continue;
      const bool exact = search_is_exact(*now_, visit.rows, column);
      for_each_split(*now_, visit.rows, column, [&](const RowList& left, const RowList& right) {
        // Whether a sum is missing is no test.
        if (is_sum(column) &&
            (known_cells(*now_, left, column).empty() || known_cells(*now_, right, column).empty()))
          return;
        if (!limits_.allows(visit, column, left, right, 1e-11L)) return;
        const Real score = judge.score(left, right);
        if (!found.possible || score > *found.possible) found.possible = score;
        if (!exact || !limits_.allows(visit, column, left, right, -1e-11L)) return;
        if (!found.sure || score > *found.sure) found.sure = score;
      });
    }
    return found;
  }

  // What rounding may do to a score: in the score itself, in the node's impurity that it is a part of, and in
  // number targets, which the library keeps in fixed point of 61 bits for their sum.
  [[nodiscard]] Real tolerance(Real score, const Judge& judge) const {
    const Real scale = score_is_gain(sample_.params.criterion) ? judge.total_impurity() : 1.0L;
    return 1e-9L * std::fabs(score) + 1e-13L * scale +
           total_ * tolerance_of_targets(std::fabs(score) / total_) + 1e-300L;
  }
  // The same for an impurity, by the rounding of number targets alone.
  [[nodiscard]] Real tolerance_of_targets(Real per_weight) const {
    return sample_.params.criterion == "squared_error" ? 4 * std::sqrt(per_weight) * unit_ + unit_ * unit_
                                                       : 4 * unit_;
  }

  void check_stats(const Visit& visit) const {
    const NodeId node = visit.node;
    require(static_cast<std::size_t>(tree_.n_rows(node)) == visit.rows.size(),
            "node {}: n_rows {} but {} rows come here", node, tree_.n_rows(node), visit.rows.size());
    const Real w = weight(sample_, visit.rows);
    require(near(tree_.weight(node), w, 1e-12L * w), "node {}: weight {} but {}", node, tree_.weight(node),
            w);
    const Real expected = impurity(sample_, visit.rows);
    const Real slack = 1e-9L * expected + 1e-13L * impurity(sample_, all_) + tolerance_of_targets(expected) +
                       1e-300L + (sample_.params.criterion == "poisson" ? 1e-14L * target_size_ : 0);
    require(near(tree_.impurity(node), expected, slack), "node {}: impurity {} but {}", node,
            tree_.impurity(node), expected);
    check_values(visit, w);
  }

  void check_values(const Visit& visit, Real w) const {
    std::vector<double> stored(tree_.value_width());
    tree_.values(visit.node, stored);
    std::vector<Interval> expected = values(sample_, visit.rows);
    require(stored.size() == expected.size(), "node {}: {} values", visit.node, stored.size());
    if (sample_.classes && !sample_.params.monotonic_cst.empty()) {
      const Real share = std::clamp(expected[1].low / w, visit.bounds.low, visit.bounds.high);
      expected = {{(1 - share) * w, (1 - share) * w}, {share * w, share * w}};
    }
    for (std::size_t i = 0; i < stored.size(); ++i) {
      Interval e = expected[i];
      if (!sample_.classes)
        e = {std::clamp(e.low, visit.bounds.low, visit.bounds.high),
             std::clamp(e.high, visit.bounds.low, visit.bounds.high)};
      const Real slack =
          1e-11L * std::max({std::fabs(e.low), std::fabs(e.high), sample_.classes ? w : 1e-300L});
      const Real v = stored[i];
      require(v >= e.low - slack && v <= e.high + slack, "node {}: value {} is {}, not in {} .. {}",
              visit.node, i, stored[i], e.low, e.high);
    }
  }

  void check_leaf(const Visit& visit) {
    const std::size_t n = visit.rows.size();
    if (sample_.params.max_depth && visit.depth >= *sample_.params.max_depth) return;
    if (n < limits_.min_split() || n < 2 * limits_.min_leaf() || pure(sample_, visit.rows) || !best_search_)
      return;
    const Judge judge(sample_, visit.rows);
    const Found found = search(visit, judge);
    if (!found.sure || one_by_one_) return;
    const Real decrease = *found.sure / total_;
    const Real least = sample_.params.min_impurity_decrease;
    if (least > 0 && decrease < least + 1e-9L * least) return;
    open_gain_[static_cast<std::size_t>(visit.node)] = std::max<Real>(0, *found.sure);
    require(sample_.params.max_leaf_nodes.has_value(), "node {} is a leaf, but a split scores {}", visit.node,
            *found.sure);
  }

  std::vector<Visit> check_split(const Visit& visit) {
    const NodeId node = visit.node;
    const std::size_t column = column_of(node);
    require(!sample_.params.max_depth || visit.depth < *sample_.params.max_depth,
            "node {}: split below max_depth", node);
    require(visit.rows.size() >= limits_.min_split(), "node {}: split with {} rows", node, visit.rows.size());
    require(!pure(sample_, visit.rows), "node {}: split although pure", node);
    require(limits_.may_test(visit, column), "node {}: column {} may not be tested here", node, column);
    RowList left, right;
    for (const std::size_t row : visit.rows)
      (goes_left(node, now_->columns[column].cells[row]) ? left : right).push_back(row);
    require(!left.empty() && !right.empty(), "node {}: nothing is divided", node);
    require(limits_.allows(visit, column, left, right, 1e-11L), "node {}: the split breaks a limit", node);
    check_place(visit, left, right);
    check_scores(visit, left, right);
    std::vector<Visit> children(2, visit);
    children[0].rows = left;
    children[1].rows = right;
    for (std::size_t c = 0; c < 2; ++c) {
      children[c].node = tree_.children(node)[c];
      children[c].depth = visit.depth + 1;
      children[c].used.insert(now_->columns[column].name);
      children[c].key = mix(visit.key, c);
      bound(children[c], static_cast<int>(c), limits_.sign(column), left, right);
    }
    return children;
  }

  // Below a split on a constrained column no child may cross the middle of the two values.
  void bound(Visit& child, int which, int sign_of_column, const RowList& left, const RowList& right) const {
    if (sign_of_column == 0) return;
    const Real m =
        middle(constrained_value(sample_, left)) / 2 + middle(constrained_value(sample_, right)) / 2;
    ((sign_of_column > 0) == (which == 0) ? child.bounds.high : child.bounds.low) = m;
  }

  void check_scores(const Visit& visit, const RowList& left, const RowList& right) {
    const NodeId node = visit.node;
    const Judge judge(sample_, visit.rows);
    const Real gain = judge.gain(left, right), score = judge.score(left, right);
    open_gain_[static_cast<std::size_t>(node)] = std::max<Real>(0, gain);
    require(near(tree_.gain(node), gain, tolerance(gain, judge)), "node {}: gain {} but {}", node,
            tree_.gain(node), gain);
    require((gain + tolerance(gain, judge)) / total_ + 1e-15L >= sample_.params.min_impurity_decrease,
            "node {}: the decrease {} is too small", node, gain / total_);
    const Found found = search(visit, judge);
    require(found.possible && score <= *found.possible + tolerance(score, judge),
            "node {}: score {}, more than any split has", node, score);
    if (!best_search_ || !found.sure || one_by_one_) return;
    require(score >= *found.sure - tolerance(*found.sure, judge), "node {}: score {}, but {} is possible",
            node, score, *found.sure);
  }

  [[nodiscard]] bool goes_left(NodeId node, double cell) const {
    if (std::isnan(cell)) return tree_.missing_to(node) == 0;
    switch (tree_.kind(node)) {
      case NodeKind::numeric:
      case NodeKind::oblique:
        return cell <= tree_.threshold(node);
      case NodeKind::ordinal:
        return cell < tree_.threshold(node);
      case NodeKind::equality:
        return cell == tree_.threshold(node);
      default: {
        const auto levels = tree_.map_levels(node);
        const auto at = std::find(levels.begin(), levels.end(), static_cast<std::uint32_t>(cell));
        require(at != levels.end(), "node {}: level {} is not in the map", node, cell);
        return tree_.map_children(node)[static_cast<std::size_t>(at - levels.begin())] == 0;
      }
    }
  }

  // The threshold lies where the rules say, and missing cells that were never met follow the larger child.
  void check_place(const Visit& visit, const RowList& left, const RowList& right) const {
    const NodeId node = visit.node;
    const std::size_t column = column_of(node);
    const PlainColumn& plain = now_->columns[column];
    require((tree_.kind(node) == NodeKind::oblique) == is_sum(column), "node {}: no test of column {}", node,
            column);
    const NodeKind kind = is_sum(column) ? NodeKind::numeric : tree_.kind(node);
    const bool expected_kind = plain.kind == Kind::numeric ? kind == NodeKind::numeric
                               : plain.kind == Kind::ordinal
                                   ? kind == NodeKind::ordinal
                                   : kind == NodeKind::equality || kind == NodeKind::subset;
    require(expected_kind, "node {}: kind {} on column {}", node, static_cast<int>(kind), column);
    const std::vector<double> in_left = known_cells(*now_, left, column),
                              in_right = known_cells(*now_, right, column);
    const double t = tree_.threshold(node);
    require(!is_sum(column) || !(in_left.empty() || in_right.empty()), "node {}: a sum known or missing",
            node);
    if (kind == NodeKind::numeric && in_right.empty()) {
      require(t == std::numeric_limits<double>::infinity(), "node {}: known against missing at {}", node, t);
    } else if (kind == NodeKind::numeric && sample_.params.splitter == "best") {
      const double a = in_left.back(), b = in_right.front(), m = a / 2 + b / 2;
      require(t == (a <= m && m < b ? m : a), "node {}: threshold {} between {} and {}", node, t, a, b);
    } else if (kind == NodeKind::numeric) {
      require(t >= in_left.front() && t < in_right.back(), "node {}: random threshold {}", node, t);
    } else if (kind == NodeKind::ordinal) {
      require(t == (in_right.empty() ? static_cast<double>(plain.n_levels) : in_right.front()),
              "node {}: threshold {}", node, t);
    }
    const bool met = std::any_of(visit.rows.begin(), visit.rows.end(),
                                 [&](std::size_t row) { return std::isnan(plain.cells[row]); });
    // Without missing cells in the node they follow the heavier child, at a tie the right one. Weights that are equal but for
    // the rounding of the sums here may go either way.
    const Real on_left = weight(sample_, left), on_right = weight(sample_, right);
    const bool tie = on_left != on_right && near(on_left, on_right, 1e-12L * (on_left + on_right));
    if (!met && !tie)
      require(tree_.missing_to(node) == (on_left > on_right ? 0 : 1), "node {}: missing cells go to child {}",
              node, tree_.missing_to(node));
  }

  // There is an order of the splits made in which each one had the largest gain of all open nodes.
  void check_best_first() const {
    if (!score_is_gain(sample_.params.criterion) || !best_search_) return;
    require(tree_.n_leaves() <= *sample_.params.max_leaf_nodes, "{} leaves", tree_.n_leaves());
    require(replay({0}, tree_.n_leaves() - 1), "the splits were not made by falling gain");
    require(tree_.n_leaves() == *sample_.params.max_leaf_nodes || !leaf_could_be_split(),
            "{} leaves, and more were possible", tree_.n_leaves());
  }
  [[nodiscard]] bool leaf_could_be_split() const {
    for (NodeId node = 0; node < tree_.n_nodes(); ++node)
      if (tree_.is_leaf(node) && open_gain(node) >= 0) return true;
    return false;
  }
  [[nodiscard]] Real open_gain(NodeId node) const { return open_gain_[static_cast<std::size_t>(node)]; }

  [[nodiscard]] bool replay(const std::vector<NodeId>& open, NodeId n_splits) const {
    if (n_splits == 0) return true;
    Real largest = -1;
    for (const NodeId node : open) largest = std::max(largest, open_gain(node));
    const Real enough = largest - 1e-9L * largest - 1e-12L * total_ * impurity(sample_, all_);
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (tree_.is_leaf(open[i]) || open_gain(open[i]) < enough) continue;
      std::vector<NodeId> next = open;
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
      for (const NodeId child : tree_.children(open[i])) next.push_back(child);
      if (replay(next, n_splits - 1)) return true;
    }
    return false;
  }

  static bool near(Real a, Real b, Real slack) { return std::fabs(a - b) <= slack; }

  const Case& sample_;
  const Tree& tree_;
  Limits limits_;
  const Case* now_;  // sample_, or with the sums of the node in hand
  NodeSums sums_;
  bool one_by_one_ = false;
  bool best_search_;
  RowList all_;
  Real total_ = 0;
  Real target_size_ = 0;
  Real unit_ = 0;                // of the fixed point of number targets, at most
  std::vector<Real> open_gain_;  // by node: its split's gain, or what a leaf could still gain, or -1
};

}  // namespace

std::string audit(const Case& sample, const Model& model) {
  try {
    Auditor(sample, model).run();
  } catch (const Wrong& wrong) {
    return wrong.what;
  }
  return {};
}

}  // namespace bough::oracle
