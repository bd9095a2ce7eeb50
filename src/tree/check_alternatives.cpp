// SPDX-License-Identifier: Apache-2.0
// What must hold of competitors and surrogates, whatever file they come from.
#include "tree/check_alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bough {
namespace {

class Checker {
 public:
  Checker(NodeId node, std::size_t number, const Alternative& test)
      : node_(node), number_(number), test_(test) {}

  void run(std::size_t n_columns, std::span<const std::uint32_t> n_levels) const {
    if (test_.column < 0 || static_cast<std::size_t>(test_.column) >= n_columns)
      refuse(fmt::format("tests column {} of {}", test_.column, n_columns));
    const bool known = !n_levels.empty();
    check_test(known, known ? n_levels[static_cast<std::size_t>(test_.column)] : 0);
    if (test_.n_rows < 0) refuse(fmt::format("counts {} rows", test_.n_rows));
    if (!std::isfinite(test_.score) || !std::isfinite(test_.adjusted))
      refuse("has a score that is not finite");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::bad_model,
                fmt::format("tree node {}: its alternative {} {}", node_, number_, what),
                "The tree was built or stored wrongly; make the model again.");
  }

  void check_test(bool known, std::uint32_t n_levels) const {
    if (test_.kind == NodeKind::subset) {
      check_map(known, n_levels);
      return;
    }
    if (!test_.map_levels.empty()) refuse("has a map that does not fit its kind");
    switch (test_.kind) {
      case NodeKind::numeric:
        if (std::isnan(test_.threshold)) refuse("has no threshold");
        if (known && n_levels > 0) refuse("tests numbers in a column of levels");
        return;
      case NodeKind::ordinal:
        check_level(known, n_levels, 1.0, 0.0);
        return;
      case NodeKind::equality:
        check_level(known, n_levels, 0.0, -1.0);
        return;
      default:
        refuse(fmt::format("has the kind {}", static_cast<int>(test_.kind)));
    }
  }

  void check_level(bool known, std::uint32_t n_levels, double low, double beyond) const {
    const double high =
        known ? static_cast<double>(n_levels) + beyond : std::numeric_limits<std::uint32_t>::max();
    const bool fits = test_.threshold >= low && test_.threshold <= high;
    if (!fits || test_.threshold != std::floor(test_.threshold))
      refuse(fmt::format("has the threshold {}, which is no level", test_.threshold));
  }

  void check_map(bool known, std::uint32_t n_levels) const {
    const std::vector<std::uint32_t>& levels = test_.map_levels;
    if (test_.threshold != 0.0 || test_.turned) refuse("has a map of levels and a threshold");
    if (levels.empty() || levels.size() != test_.map_children.size()) refuse("has no map of levels");
    if (std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()) != levels.end())
      refuse("has a map whose levels do not increase");
    if (known && levels.back() >= n_levels)
      refuse(fmt::format("names level {} of {}", levels.back(), n_levels));
    for (const std::uint16_t child : test_.map_children)
      if (child > 1) refuse(fmt::format("names child {} of 2", child));
  }

  NodeId node_;
  std::size_t number_;
  const Alternative& test_;
};

}  // namespace

void check_alternatives(const Tree& tree, NodeId node, std::size_t n_columns,
                        std::span<const std::uint32_t> n_levels) {
  const auto all = tree.alternatives(node);
  if (all.empty()) return;
  const auto refuse = [&](const char* what) {
    throw Error(ErrorCode::bad_model, fmt::format("tree node {}: {}", node, what),
                "The tree was built or stored wrongly; make the model again.");
  };
  if (tree.children(node).size() != 2) refuse("alternatives of a node that has not two children");
  if (!std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.role < b.role; }))
    refuse("a competitor behind a surrogate");
  for (std::size_t i = 0; i < all.size(); ++i) Checker(node, i, all[i]).run(n_columns, n_levels);
}

}  // namespace bough
