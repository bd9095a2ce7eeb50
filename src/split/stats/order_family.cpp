// SPDX-License-Identifier: Apache-2.0
// Cuts of one column under absolute error or quantile loss, without the generality of a scan.
#include "split/stats/order_family.hpp"

namespace bough {
namespace {

// Room that is kept between columns and nodes.
struct CutScratch {
  std::vector<std::uint32_t> ranks;
  std::vector<double> losses;
  SideLosses sides;
};

}  // namespace

Candidate OrderFamily::best_cut(const Node& node, const CutColumn& column, const Limits& limits) const {
  thread_local CutScratch scratch;
  const std::size_t n = column.rows.size();
  const RankedTargets targets = node.outputs.front().ranked();
  scratch.ranks.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch.ranks[i] = ranks_.front()[column.rows[i]];
  std::size_t n_known = n;
  while (n_known > 0 && column.code(n_known - 1) == kMissingCode) --n_known;
  const std::span<const std::uint32_t> known = std::span(scratch.ranks).first(n_known);
  const std::span<const std::uint32_t> missing = std::span(scratch.ranks).subspan(n_known);
  Candidate best;
  // Missing cells right, then left; "all known against missing" belongs to the first.
  for (const bool missing_left : {false, true}) {
    if (missing_left && missing.empty()) break;
    const std::span<const std::uint32_t> none;
    const std::span<const std::uint32_t> first = missing_left ? missing : none;
    scratch.sides.run(rule_, units_before_, targets, first, known, missing_left ? none : missing,
                      scratch.losses);
    const Cut cut =
        best_of(node, column, limits, {first, known, scratch.losses, !missing_left && !missing.empty()});
    if (cut.at == 0) continue;
    Candidate candidate;
    candidate.found = true;
    candidate.score = cut.score;
    candidate.gain = std::ldexp(cut.score, units_.real);
    candidate.column = column.id;
    candidate.order = limits.ties.of(column.id);
    candidate.kind = column.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    candidate.low = column.cell(cut.at - 1);
    candidate.all_known_left = cut.at == n_known;
    if (!candidate.all_known_left) candidate.high = column.cell(cut.at);
    candidate.missing_left = missing_left;
    candidate.left_heavier = cut.left_heavier;
    if (better(candidate, best)) best = std::move(candidate);
  }
  return best;
}

OrderFamily::Cut OrderFamily::best_of(const Node& node, const CutColumn& column, const Limits& limits,
                                      const Cuts& cuts) const {
  const Sorted& sorted = node.outputs.front();
  const bool weighted = !sorted.weights.empty();
  std::int64_t left_weight = 0;
  for (const std::uint32_t rank : cuts.first) left_weight += sorted.ranked().weight(rank);
  Cut best;
  double best_loss = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i <= cuts.order.size(); ++i) {
    left_weight += weighted ? sorted.weights[cuts.order[i - 1]] : 1;
    // A higher loss is no higher score. Codes are looked at last: they lie scattered in memory.
    if (cuts.losses[i] >= best_loss) continue;
    const std::size_t left_rows = cuts.first.size() + i;
    if (static_cast<std::int64_t>(std::min(left_rows, column.rows.size() - left_rows)) < limits.min_rows)
      continue;
    if (static_cast<double>(std::min(left_weight, node.weight - left_weight)) < limits.min_weight) continue;
    if (i == cuts.order.size() ? !cuts.all_known_left : column.code(i) == column.code(i - 1)) continue;
    const double gain = sorted.loss - cuts.losses[i];
    const double score = units_.relative[0] * (gain > 0.0 ? gain : 0.0);
    best_loss = cuts.losses[i];
    if (best.at > 0 && !(score > best.score)) continue;
    best = {i, score, left_weight > node.weight - left_weight};
  }
  return best;
}

}  // namespace bough
