// SPDX-License-Identifier: Apache-2.0
// Groups of rows per column for the scan, and a record of what it saw.
#include "split/exact/search_trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "split/stats/order_family.hpp"

namespace bough {
namespace {

// Writes down every test.
class Recorder {
 public:
  static constexpr bool kOn = true;
  Recorder(const NodeColumn& column, std::uint32_t n_codes, double unit)
      : column_(column), n_codes_(n_codes), unit_(unit) {}

  template <class Sweep>
  void see(const Candidate& candidate, const ScanSides& sides, const Sweep& sweep) {
    TracedCut& cut = cuts.emplace_back();
    cut.kind = candidate.kind;
    cut.allowed = sides.allowed;
    cut.missing_left = sides.missing_left;
    cut.left_rows = sides.left_rows;
    cut.right_rows = sides.right_rows;
    cut.left_weight = unit_ * static_cast<double>(sweep.left_weight());
    cut.right_weight = unit_ * static_cast<double>(sweep.right_weight());
    if (sweep.allowed()) {
      cut.score = sweep.score();
      cut.gain = sweep.gain();
    }
    if (candidate.kind == NodeKind::subset) {
      take_levels(sides.in_left, cut);
    } else {
      Candidate copy = candidate;
      copy.column = column_.id;
      cut.threshold = to_split(copy, n_codes_, true, false).threshold;
    }
  }

  std::vector<TracedCut> cuts;

 private:
  void take_levels(const std::vector<bool>& in_left, TracedCut& cut) const {
    const bool flip = !in_left[0];
    for (std::size_t g = 0; g < in_left.size(); ++g)
      if (in_left[g] != flip) cut.left.push_back(static_cast<std::uint32_t>(column_.groups[g].cell));
    if (!flip) return;
    cut.missing_left = !cut.missing_left;
    std::swap(cut.left_rows, cut.right_rows);
    std::swap(cut.left_weight, cut.right_weight);
  }

  const NodeColumn& column_;
  std::uint32_t n_codes_;
  double unit_;
};

template <class FamilyT>
class Tracer {
 public:
  Tracer(const TraceTask& task, FamilyT family) : task_(task), family_(std::move(family)) {}

  TracedColumn trace(ColId id) {
    TracedColumn out;
    out.id = id;
    const EncodedColumn& encoded = task_.table->columns[static_cast<std::size_t>(id)];
    SortedColumn sorted(id, encoded.kind, task_.rows, [&](RowId row) { return encoded.cell_at(row); });
    NodeColumn& column = sorted.column;
    out.n_missing = column.n_missing;
    const bool learns = task_.options->full.missing == MissingPolicy::learn;
    if (!learns) {
      sorted.order.resize(sorted.order.size() - column.n_missing);
      column.missing = {};
      column.n_missing = 0;
    }
    out.rows = sorted.order;
    std::sort(out.rows.begin(), out.rows.end());
    for (const Group& group : column.groups)
      if (column.kind == Kind::category)
        out.levels.push_back(
            {static_cast<std::uint32_t>(group.cell), {group.rows.begin(), group.rows.end()}});
    out.constant = column.constant();
    if (out.constant) return out;
    scan(encoded, column, learns, out);
    return out;
  }

 private:
  void scan(const EncodedColumn& encoded, const NodeColumn& column, bool learns, TracedColumn& out) {
    const typename FamilyT::Node node = family_.node(out.rows);
    const double unit = std::ldexp(1.0, -task_.targets->weight_exponent);
    Recorder recorder(column, encoded.n_codes, unit);
    ScanOptions options = task_.options->scan;
    options.random = false;
    Scan<FamilyT, Recorder> scan(family_, node, task_.limits, options, &recorder);
    const auto j = static_cast<std::size_t>(out.id);
    const Candidate best =
        scan.best(column, task_.options->monotone.empty() ? 0 : task_.options->monotone[j], 0);
    out.heuristic = scan.used_heuristic();
    out.cuts = std::move(recorder.cuts);
    out.found = best.found;
    if (!best.found) return;
    std::int64_t balance = 0;  // weight left minus weight right
    for (const Group& group : column.groups) {
      const bool left = goes_left(best, group.cell);
      for (const RowId row : group.rows)
        balance += left ? task_.targets->weight(row) : -task_.targets->weight(row);
      if (left) out.left.insert(out.left.end(), group.rows.begin(), group.rows.end());
    }
    if (best.missing_left) out.left.insert(out.left.end(), column.missing.begin(), column.missing.end());
    std::sort(out.left.begin(), out.left.end());
    out.split = to_split(best, encoded.n_codes, learns && column.n_missing > 0, balance > 0);
    const auto same = std::find_if(out.cuts.begin(), out.cuts.end(), [&](const TracedCut& cut) {
      return cut.allowed && cut.score == best.score && cut.missing_left == best.missing_left &&
             (best.kind == NodeKind::subset ? cut.left == best.left_levels
                                            : cut.threshold == out.split.threshold);
    });
    if (same != out.cuts.end()) out.best = *same;
    const double cost = task_.options->full.costs.empty() ? 1.0 : task_.options->full.costs[j];
    out.key = (learns ? best.score : best.gain) / cost;
  }

  const TraceTask& task_;
  FamilyT family_;
};

}  // namespace

std::vector<TracedColumn> trace_columns(const TraceTask& task) {
  return with_family(*task.targets, task.options->criterion, task.options->quantile, [&](auto family) {
    std::vector<TracedColumn> out(task.columns.size());
    // A family that is not additive notes ranks of rows while it works on a column.
    Tracer<decltype(family)> shared(task, family);
    if constexpr (decltype(family)::kAdditive) {
      parallel_for(out.size(), [&](std::size_t i) { out[i] = Tracer(task, family).trace(task.columns[i]); });
    } else {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = shared.trace(task.columns[i]);
    }
    return out;
  });
}

SideValues side_values(const Targets& targets, const EngineOptions& options, std::span<const RowId> rows,
                       std::span<const RowId> left) {
  return with_family(targets, options.criterion, options.quantile, [&](auto family) {
    const auto node = family.node(rows);
    typename decltype(family)::Sweep sweep(family, node);
    if constexpr (decltype(family)::kAdditive) {
      sweep.begin(left, {}, {});
    } else {
      sweep.begin_sets(left, {}, {});
    }
    return SideValues{sweep.left_value(), sweep.right_value()};
  });
}

}  // namespace bough
