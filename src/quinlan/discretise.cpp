// SPDX-License-Identifier: Apache-2.0
// Fayyad and Irani's discretiser: the best cut by entropy, kept when its gain pays for naming it, then both
// sides again.
//
// A cut of a set S of weight N with k classes into S1 and S2 (k1 and k2 classes) is kept when
//   gain > (log2(N - 1) + log2(3^k - 2) - (k Ent(S) - k1 Ent(S1) - k2 Ent(S2))) / N
// which compares the bits needed to send the classes with and without it.
#include "quinlan/discretise.hpp"

#include <algorithm>
#include <cmath>

#include "data/encoded.hpp"
#include "quinlan/bags.hpp"

namespace bough {
namespace {

double sum_of(std::span<const double> classes) {
  double sum = 0.0;
  for (const double c : classes) sum += c;
  return sum;
}

double present(std::span<const double> classes) {
  return static_cast<double>(std::count_if(classes.begin(), classes.end(), [](double c) { return c > 0.0; }));
}

// log2(3^k - 2), for any k >= 1.
double log2_of_labelings(double k) {
  return k * log2_exact(3.0) + log2_exact(1.0 - 2.0 * exp_exact(-k * log_exact(3.0)));
}

struct Best {
  std::size_t at = 0;  // groups below the cut
  double inside = 0.0;
  std::vector<double> below, above;
};

// The cut that leaves the least scatter inside; the lowest of equals.
Best best_cut(std::span<const ValueGroup> groups, std::span<const double> all) {
  Best best;
  std::vector<double> below(all.size()), above(all.begin(), all.end());
  for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      below[c] += groups[i].classes[c];
      above[c] = std::max(above[c] - groups[i].classes[c], 0.0);
    }
    const double inside = scatter(below, sum_of(below)) + scatter(above, sum_of(above));
    if (best.at == 0 || inside < best.inside - 1e-9) best = {i + 1, inside, below, above};
  }
  return best;
}

bool pays(const Best& best, std::span<const double> all) {
  const double n = sum_of(all), k = present(all), k1 = present(best.below), k2 = present(best.above);
  if (n <= 1.0 || k < 2.0) return false;
  const double whole = scatter(all, n), n1 = sum_of(best.below), n2 = sum_of(best.above);
  const double lost = k * whole / n - k1 * scatter(best.below, n1) / n1 - k2 * scatter(best.above, n2) / n2;
  return whole - best.inside > log2_exact(n - 1.0) + log2_of_labelings(k) - lost;
}

}  // namespace

std::vector<MdlCut> mdl_cuts(std::span<const ValueGroup> groups) {
  std::vector<MdlCut> cuts;
  std::vector<std::span<const ValueGroup>> open{groups};
  while (!open.empty()) {
    const std::span<const ValueGroup> part = open.back();
    open.pop_back();
    if (part.size() < 2) continue;
    std::vector<double> all(part.front().classes.size());
    for (const ValueGroup& group : part)
      for (std::size_t c = 0; c < all.size(); ++c) all[c] += group.classes[c];
    const Best best = best_cut(part, all);
    if (!pays(best, all)) continue;
    const double threshold = midpoint(part[best.at - 1].value, part[best.at].value);
    if (std::isfinite(threshold)) cuts.push_back({threshold, part[best.at].code});
    open.push_back(part.first(best.at));
    open.push_back(part.subspan(best.at));
  }
  std::sort(cuts.begin(), cuts.end(),
            [](const MdlCut& a, const MdlCut& b) { return a.first_code < b.first_code; });
  return cuts;
}

}  // namespace bough
