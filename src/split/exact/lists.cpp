// SPDX-License-Identifier: Apache-2.0
// The lists engine: one pass over the range of every sorted column of a node (lists.hpp, scan.hpp).
#include "split/exact/lists.hpp"

#include "split/column_search.hpp"
#include "split/exact/family_engine.hpp"
#include "split/stats/treatment_family.hpp"

namespace bough {
namespace {

template <class FamilyT>
class ListsEngine final : public FamilyEngine<FamilyT> {
 public:
  ListsEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)), lists_(table, targets) {}

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const Candidate& c = proposal.candidate;
    return lists_.divide(node, [&](RowId row) {
      const std::int8_t side = lists_.side(c, row);
      return side >= 0 ? side : static_cast<std::int8_t>(c.missing_left ? 0 : 1);
    });
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return lists_.rows(node); }

 private:
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::table_;
  using Base::targets_;

  Proposal search(const NodeTask& task, Monitor& monitor) override {
    Proposal proposal;
    const Rows rows = lists_.rows(task.node);
    const typename FamilyT::Node node = family_.node(rows);
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::vector<ColumnFound> found(task.columns.size());
    const std::size_t n =
        search_columns(found, std::min(task.n_draw, found.size()), rows.size(), 0, [&](std::size_t i) {
          monitor.tick();
          return search_column(task, node, task.columns[i]);
        });
    const ColumnFound* best = best_of(std::span<const ColumnFound>(found).first(n), proposal);
    if constexpr (requires { FamilyT::kOnlyGains; }) {
      if (best != nullptr && !(best->candidate.gain > 0.0)) best = nullptr;
    }
    if (best != nullptr)
      propose(*best, table_->columns[static_cast<std::size_t>(best->candidate.column)].n_codes, options_,
              proposal);
    return proposal;
  }

  // Targets in order, one of them, and nothing special about the column: see OrderFamily::best_cut.
  [[nodiscard]] bool is_plain_cut(const NodeTask& task, ColId id) const {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
    return column.kind != Kind::category && !column.sparse && !options_.scan.random &&
           !task.limits.monotone && targets_->numbers.size() == 1;
  }

  ColumnFound search_column(const NodeTask& task, const typename FamilyT::Node& node, ColId id) {
    if constexpr (std::is_same_v<FamilyT, OrderFamily>) {
      if (is_plain_cut(task, id)) {
        ColumnFound found;
        const EncodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
        const Rows rows = lists_.sorted(task.node, id);
        found.constant = column.codes[rows.front()] == column.codes[rows.back()];
        if (found.constant) return found;
        found.candidate =
            family_.best_cut(node, {id, column.kind, rows, column.codes, column.values}, task.limits);
        found.missing_known = column.codes[rows.back()] == kMissingCode;
        return found;
      }
    }
    std::vector<RowId> zeros;
    return scan_column(family_, node, task, options_, lists_.column(task.node, id, zeros));
  }

  Lists lists_;
};

}  // namespace

std::unique_ptr<Engine> make_lists_engine(const EncodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  return make_family_engine<ListsEngine>(table, targets, options);
}

std::unique_ptr<Engine> make_treatment_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options, double variance_price) {
  if (options.arms.effect)
    return make_family_engine<ListsEngine>(
        table, targets, options, TreatmentFamily<EffectGain>(targets, options.arms, variance_price));
  return make_family_engine<ListsEngine>(table, targets, options,
                                         TreatmentFamily<ShareGain>(targets, options.arms, 0.0));
}

}  // namespace bough
