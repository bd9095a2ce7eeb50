// SPDX-License-Identifier: Apache-2.0
// How many digits a threshold needs beside the others of its column.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/text.hpp"
#include "explain/condition.hpp"

namespace bough {
namespace {

constexpr int kRoom = 9;  // digits that fit into a box

struct Cut {
  ColId column = 0;
  double value = 0.0;
  NodeId node = 0;
};

std::vector<Cut> sorted_cuts(const Tree& tree) {
  std::vector<Cut> cuts;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.kind(node) == NodeKind::numeric && std::isfinite(tree.threshold(node)))
      cuts.push_back({tree.column(node), tree.threshold(node), node});
    if (tree.kind(node) == NodeKind::interval)
      for (const double cut : tree.cuts(node)) cuts.push_back({tree.column(node), cut, node});
  }
  std::ranges::sort(cuts, std::less<>(),
                    [](const Cut& cut) { return std::tuple(cut.column, cut.value, cut.node); });
  return cuts;
}

int digits_for(double value, double gap, int digits) {
  if (const int whole = cut_digits(value, digits, kAllDigits); whole <= std::max(kRoom, digits)) return whole;
  if (!std::isfinite(gap)) return std::max(digits, std::min(digits + 2, kShownDigits));
  for (; digits < kAllDigits; ++digits)
    if (std::fabs(*parse_number(plain_number(value, digits)) - value) <= gap / 10.0) return digits;
  return kAllDigits;
}

}  // namespace

CutDigits::CutDigits(const Tree& tree, int digits)
    : digits_(static_cast<std::size_t>(tree.n_nodes()), digits) {
  if (digits <= 0) return;
  const std::vector<Cut> cuts = sorted_cuts(tree);
  // Runs of equal cuts share their gap, which is the way to the run before or after.
  double before = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0, last = 0; first < cuts.size(); first = last) {
    const auto is_same = [&](const Cut& cut) {
      return cut.column == cuts[first].column && cut.value == cuts[first].value;
    };
    for (last = first; last < cuts.size() && is_same(cuts[last]);) ++last;
    const bool goes_on = last < cuts.size() && cuts[last].column == cuts[first].column;
    const double after =
        goes_on ? cuts[last].value - cuts[first].value : std::numeric_limits<double>::infinity();
    const int enough = digits_for(cuts[first].value, std::min(before, after), digits);
    for (std::size_t i = first; i < last; ++i) {
      int& own = digits_[static_cast<std::size_t>(cuts[i].node)];
      own = std::max(own, enough);
    }
    before = after;
  }
}

}  // namespace bough
