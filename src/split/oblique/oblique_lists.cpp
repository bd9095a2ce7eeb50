// SPDX-License-Identifier: Apache-2.0
// The plain oblique engine: every column and every combination of a node is sorted and scanned (scan.hpp).
//
// Candidates are ordered as ties are settled: columns by their number, then combinations as they were drawn. Missing
// values of a combination are tried on both sides of every cut; "all known against missing" is left to the columns,
// because the threshold of a sum is a finite number. For the same reason sums of -infinity are never parted from the
// next larger ones. Cost: O(rows log rows) per candidate and node.
#include <algorithm>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/column_search.hpp"
#include "split/exact/family_engine.hpp"
#include "split/oblique/oblique.hpp"
#include "split/row_partition.hpp"

namespace bough {
namespace {

std::vector<ColId> numeric_of(const EncodedTable& table) {
  std::vector<ColId> out;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].kind == Kind::numeric) out.push_back(static_cast<ColId>(j));
  return out;
}

std::vector<double> scales_of(const EncodedTable& table, const Targets& targets) {
  std::vector<std::uint8_t> used(static_cast<std::size_t>(table.n_rows), 0);
  for (const RowId row : targets.rows) used[row] = 1;
  return column_scales(table.columns.size(), numeric_of(table), targets, [&](ColId id, const auto& visit) {
    const EncodedColumn& column = table.columns[static_cast<std::size_t>(id)];
    std::int64_t others = targets.total_weight;  // of the rows at zero
    for (std::size_t i = 0; i < column.codes.size(); ++i) {
      const RowId row = column.sparse ? column.stored[i] : static_cast<RowId>(i);
      if (!used[row]) continue;
      const bool missing = column.codes[i] == kMissingCode;
      const double x = missing ? 0.0 : column.cell(column.codes[i]);
      if (!missing && x == 0.0) continue;
      others -= targets.weight(row);
      if (!missing) visit(row, x);
    }
    return others;
  });
}

template <class FamilyT>
class ObliqueEngine final : public FamilyEngine<FamilyT> {
 public:
  ObliqueEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)),
        draw_(options_.oblique, numeric_of(table),
              options_.oblique.standard ? scales_of(table, targets) : std::vector<double>{}),
        rows_(targets.rows),
        scratch_(targets.rows.size()) {
    nodes_.push_back({0, rows_.size()});
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const auto [begin, end] = nodes_[static_cast<std::size_t>(node)];
    const Candidate& c = proposal.candidate;
    const std::span<const ObliqueTerm> terms = proposal.split.terms;
    const auto left = [&](RowId row) {
      const double value = terms.empty() ? cell(c.column, row) : sum(terms, row);
      return std::isnan(value) ? c.missing_left : goes_left(c, value);
    };
    const std::size_t n_left = partition_rows(std::span(rows_).subspan(begin, end - begin), scratch_, left);
    const auto first = static_cast<EngineNode>(nodes_.size());
    nodes_.push_back({begin, begin + n_left});
    nodes_.push_back({begin + n_left, end});
    return {first, first + 1};
  }

  [[nodiscard]] Rows rows(EngineNode node) const override {
    const auto [begin, end] = nodes_[static_cast<std::size_t>(node)];
    return Rows(rows_).subspan(begin, end - begin);
  }

 private:
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::table_;

  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Found : ColumnFound {
    std::span<const ObliqueTerm> terms;  // empty: a column by itself
  };

  // The columns to be tried by themselves: the first n_draw, and more until a candidate is not constant.
  struct Axis {
    std::vector<ColId> columns;
    std::size_t n_draw = 0;
  };
  [[nodiscard]] Axis axis_of(const NodeTask& task, const ProjectionDraw& draw) const {
    if (options_.oblique.axis)
      return {{task.columns.begin(), task.columns.end()}, std::min(task.n_draw, task.columns.size())};
    Axis axis{{draw.singles().begin(), draw.singles().end()}, draw.singles().size()};
    for (const ColId id : task.columns)
      if (!std::binary_search(draw.singles().begin(), draw.singles().end(), id)) {
        axis.columns.push_back(id);
        // Levels are in no combination, so they are always tried.
        if (table_->columns[static_cast<std::size_t>(id)].kind != Kind::numeric)
          std::swap(axis.columns[axis.n_draw++], axis.columns.back());
      }
    return axis;
  }

  Proposal search(const NodeTask& task, Monitor& monitor) override {
    Proposal proposal;
    const Rows rows = this->rows(task.node);
    const typename FamilyT::Node node = family_.node(rows);
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    ProjectionDraw draw = draw_;
    draw.draw(task.key);
    const Axis axis = axis_of(task, draw);
    std::vector<Found> found(draw.size() + axis.columns.size());
    // Columns that are tried anyway go on by themselves, as in other trees.
    const std::size_t first = options_.oblique.axis ? draw.size() : 0;
    const std::size_t n =
        search_columns(found, draw.size() + axis.n_draw, rows.size(), first, [&](std::size_t i) {
          monitor.tick();
          return i < draw.size() ? search_sum(task, node, draw, i)
                                 : search_column(task, node, axis.columns[i - draw.size()]);
        });
    decide(std::span(found).first(n), proposal);
    return proposal;
  }

  void decide(std::span<const Found> found, Proposal& proposal) const {
    const Found* best = best_of(found, proposal);
    if (best == nullptr) return;
    const Candidate& c = best->candidate;
    if (best->terms.empty())
      return propose(*best, table_->columns[static_cast<std::size_t>(c.column)].n_codes, options_, proposal);
    proposal.found = true;
    proposal.candidate = c;
    proposal.split = oblique_split(c, best->terms, best->missing_known);
  }

  Found search_column(const NodeTask& task, const typename FamilyT::Node& node, ColId id) const {
    const SortedColumn sorted(id, table_->columns[static_cast<std::size_t>(id)].kind, rows(task.node),
                              [&](RowId row) { return cell(id, row); });
    return {scan_column(family_, node, task, options_, sorted.column), {}};
  }

  Found search_sum(const NodeTask& task, const typename FamilyT::Node& node, const ProjectionDraw& draw,
                   std::size_t i) const {
    SortedColumn sorted(static_cast<ColId>(table_->columns.size() + i), Kind::numeric, rows(task.node),
                        [&](RowId row) { return sum(draw.terms(i), row); });
    sorted.join_infinite();
    NodeTask own = task;
    own.limits.missing_alone = false;
    return {scan_column(family_, node, own, options_, sorted.column), draw.terms(i)};
  }

  [[nodiscard]] double cell(ColId id, RowId row) const {
    return table_->columns[static_cast<std::size_t>(id)].cell_at(row);
  }
  [[nodiscard]] double sum(std::span<const ObliqueTerm> terms, RowId row) const {
    return projected(terms, [&](ColId id) { return cell(id, row); });
  }

  ProjectionDraw draw_;  // copied by every search
  std::vector<RowId> rows_, scratch_;
  std::vector<Range> nodes_;
};

}  // namespace

std::unique_ptr<Engine> make_oblique_engine(const EncodedTable& table, const Targets& targets,
                                            const EngineOptions& options) {
  return make_family_engine<ObliqueEngine>(table, targets, options);
}

}  // namespace bough
