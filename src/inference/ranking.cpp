// SPDX-License-Identifier: Apache-2.0
// Scores that only look at the order of predicted chances: AUC, KS, lift.
#include <algorithm>
#include <cmath>

#include "inference/scores.hpp"

namespace bough {
namespace {

struct Sides {
  double positive = 0.0;
  double negative = 0.0;
};

Sides totals(std::span<const ScoreGroup> groups) {
  Sides sums;
  for (const ScoreGroup& group : groups) {
    sums.positive += group.positive;
    sums.negative += group.negative;
  }
  return sums;
}

}  // namespace

std::vector<ScoreGroup> group_scores(std::vector<RankedRow> rows) {
  std::erase_if(rows, [](const RankedRow& row) { return row.weight == 0.0; });
  std::ranges::stable_sort(rows, std::greater<>(), &RankedRow::score);
  std::vector<ScoreGroup> groups;
  for (const RankedRow& row : rows) {
    if (groups.empty() || groups.back().score != row.score) groups.push_back({row.score, 0.0, 0.0});
    (row.positive ? groups.back().positive : groups.back().negative) += row.weight;
  }
  return groups;
}

std::optional<double> area_under_curve(std::span<const ScoreGroup> groups) {
  const Sides all = totals(groups);
  if (all.positive <= 0.0 || all.negative <= 0.0) return std::nullopt;
  double above = 0.0;
  double won = 0.0;
  for (const ScoreGroup& group : groups) {
    won += group.negative * (above + group.positive / 2.0);
    above += group.positive;
  }
  return won / (all.positive * all.negative);
}

std::optional<double> ks_distance(std::span<const ScoreGroup> groups) {
  const Sides all = totals(groups);
  if (all.positive <= 0.0 || all.negative <= 0.0) return std::nullopt;
  Sides above;
  double most = 0.0;
  for (const ScoreGroup& group : groups) {
    above.positive += group.positive;
    above.negative += group.negative;
    most = std::max(most, std::fabs(above.positive / all.positive - above.negative / all.negative));
  }
  return most;
}

std::vector<LiftDecile> lift_table(std::span<const ScoreGroup> groups) {
  constexpr int kTenths = 10;
  const Sides all = totals(groups);
  const double weight = all.positive + all.negative;
  if (all.positive <= 0.0) return {};
  std::vector<LiftDecile> table;
  std::size_t at = 0;
  double used = 0.0;  // weight of groups[at] that earlier tenths took
  for (int tenth = 1; tenth <= kTenths; ++tenth) {
    LiftDecile row{.decile = tenth, .rows = weight / kTenths, .response = 0.0, .lift = 0.0};
    double open = row.rows;
    double positive = 0.0;
    while (at < groups.size() && open > 0.0) {
      const double size = groups[at].positive + groups[at].negative;
      const double taken = std::min(open, size - used);
      positive += taken * (groups[at].positive / size);
      open -= taken;
      used += taken;
      if (used >= size) {
        ++at;
        used = 0.0;
      }
    }
    row.response = positive / (row.rows - open);
    row.lift = row.response / (all.positive / weight);
    table.push_back(row);
  }
  return table;
}

}  // namespace bough
