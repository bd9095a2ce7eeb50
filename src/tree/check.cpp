// SPDX-License-Identifier: Apache-2.0
// Tree::check: every invariant of a tree, so that whoever holds one may index without looking.
//
// Order matters for bytes from strangers: first the sizes of the arrays and slabs, then the shape, then node
// by node what the kinds demand. No step reads what an earlier one has not vouched for, and none recurses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bough/tree.hpp"
#include "tree/access.hpp"
#include "tree/check_alternatives.hpp"

namespace bough {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_model, what, "The tree was built or stored wrongly; make the model again.");
}

[[noreturn]] void refuse_node(NodeId node, const std::string& what) {
  refuse(fmt::format("tree node {}: {}", node, what));
}

template <class T>
bool strictly_increasing(std::span<const T> values) {
  return std::adjacent_find(values.begin(), values.end(), [](const T& a, const T& b) { return !(a < b); }) ==
         values.end();
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

class Checker {
 public:
  Checker(const Tree& tree, std::size_t n_columns, std::span<const std::uint32_t> n_levels)
      : tree_(tree), n_columns_(n_columns), n_levels_(n_levels) {}

  void run() const {
    TreeAccess::check_sizes(tree_);
    check_shape();
    for (NodeId node = 0; node < tree_.n_nodes(); ++node) {
      check_payload(node);
      tree_.is_leaf(node) ? check_leaf(node) : check_inner(node);
      check_stats(node);
      check_alternatives(tree_, node, n_columns_, n_levels_);
    }
    for (const auto& [name, values] : tree_.extras()) {
      if (!all_finite(values))
        refuse(fmt::format("the extra array '{}' of the tree holds a number that is not finite", name));
    }
  }

 private:
  // A preorder walk must meet 0, 1, 2, ...: then every node hangs in exactly one place.
  void check_shape() const {
    const NodeId n = tree_.n_nodes();
    NodeId next = 0;
    std::vector<NodeId> open{0};
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (node != next) refuse_node(node, fmt::format("out of preorder, where node {} is expected", next));
      ++next;
      const auto children = tree_.children(node);
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        if (*child <= node || *child >= n)
          refuse_node(node, fmt::format("child {} cannot hang below it", *child));
        open.push_back(*child);
      }
    }
    if (next != n) refuse_node(next, "cannot be reached from the root");
  }

  void check_payload(NodeId node) const {
    const NodeKind kind = tree_.kind(node);
    const auto n_children = tree_.children(node).size();
    if (kind > NodeKind::oblique) refuse_node(node, fmt::format("unknown kind {}", static_cast<int>(kind)));
    const bool many = kind == NodeKind::multiway || kind == NodeKind::interval;
    const bool count_fits = kind == NodeKind::leaf ? n_children == 0
                            : many                 ? n_children >= 2
                                                   : n_children == 2;
    if (!count_fits) refuse_node(node, fmt::format("{} children do not fit its kind", n_children));
    const bool maps = kind == NodeKind::subset || kind == NodeKind::multiway;
    if (tree_.map_levels(node).empty() == maps) refuse_node(node, "the map of levels does not fit its kind");
    if (tree_.cuts(node).empty() == (kind == NodeKind::interval))
      refuse_node(node, "the cuts do not fit its kind");
    if (tree_.terms(node).empty() == (kind == NodeKind::oblique))
      refuse_node(node, "the terms do not fit its kind");
  }

  void check_leaf(NodeId node) const {
    const bool plain = tree_.column(node) == -1 && tree_.threshold(node) == 0.0 &&
                       tree_.missing_to(node) == 0 && tree_.unseen_to(node) == 0 && tree_.gain(node) == 0.0;
    if (!plain) refuse_node(node, "a leaf with the parts of a split");
  }

  void check_inner(NodeId node) const {
    const auto n_children = static_cast<std::int32_t>(tree_.children(node).size());
    const std::int32_t missing_to = tree_.missing_to(node);
    const std::int32_t unseen_to = tree_.unseen_to(node);
    if (missing_to < missing_surrogate_or_stops || missing_to >= n_children) {
      refuse_node(node, fmt::format("missing cells go to child {} of {}", missing_to, n_children));
    }
    // A level that the map does not name may go the way of a missing cell, where that is no child.
    const bool as_missing = unseen_to == missing_to && unseen_to < missing_by_share;
    if (unseen_to >= n_children || (unseen_to < 0 && !as_missing)) {
      refuse_node(node, fmt::format("unseen categories go to child {} of {}", unseen_to, n_children));
    }
    check_shares(node);
    if (tree_.kind(node) == NodeKind::oblique) {
      check_terms(node);
    } else {
      check_column(node, tree_.column(node));
    }
    check_test(node);
  }

  void check_shares(NodeId node) const {
    double sum = 0.0;
    for (const double share : tree_.child_shares(node)) {
      if (!(share >= 0.0 && share <= 1.0)) refuse_node(node, fmt::format("a child's share is {}", share));
      sum += share;
    }
    if (std::abs(sum - 1.0) > 1e-6)
      refuse_node(node, fmt::format("the shares of its children add up to {}", sum));
  }

  void check_column(NodeId node, ColId column) const {
    if (column < 0 || static_cast<std::size_t>(column) >= n_columns_) {
      refuse_node(node, fmt::format("tests column {} of {}", column, n_columns_));
    }
  }

  void check_test(NodeId node) const {
    switch (tree_.kind(node)) {
      case NodeKind::leaf:
        break;
      case NodeKind::numeric:
        // +inf parts known from missing cells, -inf the cells at -inf from all others.
        if (!std::isinf(tree_.threshold(node))) check_finite_threshold(node);
        refuse_levels(node);
        break;
      case NodeKind::ordinal:
        check_level_threshold(node, 1.0, 1.0);
        break;
      case NodeKind::equality:
        check_level_threshold(node, 0.0, 0.0);
        break;
      case NodeKind::subset:
      case NodeKind::multiway:
        check_map(node);
        break;
      case NodeKind::interval:
        check_cuts(node);
        break;
      case NodeKind::oblique:
        check_finite_threshold(node);
        break;
    }
  }

  void check_finite_threshold(NodeId node) const {
    if (!std::isfinite(tree_.threshold(node)))
      refuse_node(node, fmt::format("its threshold is {}", tree_.threshold(node)));
  }

  // A level index from `low` to n_levels - 1 + beyond. (An ordinal threshold n_levels means all known |
  // missing.)
  void check_level_threshold(NodeId node, double low, double beyond) const {
    const double threshold = tree_.threshold(node);
    const double high = n_levels_.empty() ? std::numeric_limits<std::uint32_t>::max()
                                          : static_cast<double>(levels_of(node)) - 1.0 + beyond;
    if (!(threshold >= low && threshold <= high) || threshold != std::floor(threshold)) {
      refuse_node(node,
                  fmt::format("its threshold {} is no level of column {}", threshold, tree_.column(node)));
    }
  }

  [[nodiscard]] std::uint32_t levels_of(NodeId node) const {
    return n_levels_[static_cast<std::size_t>(tree_.column(node))];
  }

  void refuse_levels(NodeId node) const {
    if (!n_levels_.empty() && levels_of(node) > 0) {
      refuse_node(node, fmt::format("tests numbers in column {}, which holds levels", tree_.column(node)));
    }
  }

  void check_map(NodeId node) const {
    const auto levels = tree_.map_levels(node);
    if (tree_.threshold(node) != 0.0) refuse_node(node, "a map of levels with a threshold");
    if (!strictly_increasing(levels)) refuse_node(node, "the levels of its map do not increase");
    if (!n_levels_.empty() && levels.back() >= levels_of(node)) {
      refuse_node(node, fmt::format("its map names level {} of {} in column {}", levels.back(),
                                    levels_of(node), tree_.column(node)));
    }
    std::vector<bool> named(tree_.children(node).size());
    for (const std::uint16_t child : tree_.map_children(node)) {
      if (child >= named.size())
        refuse_node(node, fmt::format("its map names child {} of {}", child, named.size()));
      named[child] = true;
    }
    // "Missing against the rest" leaves one child to missing cells alone.
    if (tree_.missing_to(node) >= 0) named[static_cast<std::size_t>(tree_.missing_to(node))] = true;
    const auto idle = std::find(named.begin(), named.end(), false);
    if (idle != named.end())
      refuse_node(node, fmt::format("no level goes to its child {}", idle - named.begin()));
  }

  void check_cuts(NodeId node) const {
    const auto cuts = tree_.cuts(node);
    refuse_levels(node);
    if (tree_.threshold(node) != 0.0) refuse_node(node, "cuts with a threshold");
    if (cuts.size() + 1 != tree_.children(node).size()) {
      refuse_node(node, fmt::format("{} cuts for {} children", cuts.size(), tree_.children(node).size()));
    }
    if (!all_finite(cuts) || !strictly_increasing(cuts)) refuse_node(node, "its cuts do not increase");
  }

  void check_terms(NodeId node) const {
    if (tree_.column(node) != -1) refuse_node(node, "an oblique test with a column of its own");
    ColId last = -1;
    for (const ObliqueTerm& term : tree_.terms(node)) {
      check_column(node, term.column);
      if (term.column <= last) refuse_node(node, "the columns of its terms do not increase");
      if (!std::isfinite(term.weight))
        refuse_node(node, fmt::format("a term has the weight {}", term.weight));
      last = term.column;
    }
  }

  void check_stats(NodeId node) const {
    if (tree_.n_rows(node) < 0) refuse_node(node, fmt::format("holds {} rows", tree_.n_rows(node)));
    if (!(tree_.weight(node) >= 0.0) || !std::isfinite(tree_.weight(node))) {
      refuse_node(node, fmt::format("holds the weight {}", tree_.weight(node)));
    }
    if (!std::isfinite(tree_.impurity(node))) refuse_node(node, "its impurity is not finite");
    if (!std::isfinite(tree_.gain(node))) refuse_node(node, "its gain is not finite");
    const auto values = TreeAccess::stored_values(tree_, node);
    if (!all_finite(values) && !answers_nothing(node, values))
      refuse_node(node, "one of its values is not finite");
    const bool negative = std::any_of(values.begin(), values.end(), [](double v) { return v < 0.0; });
    if (tree_.task() == Task::classification && negative)
      refuse_node(node, "the weight of a class is negative");
    check_rows_of_children(node);
  }

  // Nodes of honest trees without rows of their own may have NaN for every value, and say so.
  [[nodiscard]] bool answers_nothing(NodeId node, std::span<const double> values) const {
    const auto marks = tree_.extras().find("unanswered");
    return marks != tree_.extras().end() && marks->second[static_cast<std::size_t>(node)] == 1.0 &&
           values.size() == tree_.value_width() &&
           std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  }

  // By share a row counts in several children. Rows that stop are in no child.
  void check_rows_of_children(NodeId node) const {
    if (tree_.is_leaf(node) || tree_.missing_to(node) == missing_by_share) return;
    const std::int64_t rows = tree_.n_rows(node);
    std::int64_t left = rows;
    for (const NodeId child : tree_.children(node)) {
      const std::int64_t below = tree_.n_rows(child);
      if (below < 0 || below > left) refuse_node(node, "its children hold more rows than itself");
      left -= below;
    }
    const bool may_stop =
        tree_.missing_to(node) == missing_stops || tree_.missing_to(node) == missing_surrogate_or_stops;
    if (left > 0 && !may_stop) {
      refuse_node(node, fmt::format("holds {} rows, its children {}", rows, rows - left));
    }
  }

  const Tree& tree_;
  std::size_t n_columns_;
  std::span<const std::uint32_t> n_levels_;
};

}  // namespace

void Tree::check(std::size_t n_columns, std::span<const std::uint32_t> n_levels) const {
  if (!n_levels.empty() && n_levels.size() != n_columns) {
    throw Error(ErrorCode::internal,
                fmt::format("{} columns but {} numbers of levels", n_columns, n_levels.size()));
  }
  if (!TreeAccess::plainly_right(*this, n_columns, n_levels)) Checker(*this, n_columns, n_levels).run();
}

}  // namespace bough
