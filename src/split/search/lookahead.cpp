// SPDX-License-Identifier: Apache-2.0
// The engine that looks two levels ahead: rows of nodes, and a search per node (lookahead_search.hpp).
#include "split/search/lookahead.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "split/engine_checks.hpp"
#include "split/search/lookahead_search.hpp"

namespace bough {
namespace {

class LookaheadEngine final : public Engine {
 public:
  LookaheadEngine(const EncodedTable& table, const Targets& targets, LookaheadOptions options)
      : table_(&table), targets_(&targets), options_(std::move(options)), rows_(targets.rows) {
    nodes_.push_back({0, rows_.size(), 0});
  }

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals(tasks.size());
    parallel_for(tasks.size(), [&](std::size_t i) { proposals[i] = search(tasks[i], monitor); });
    return proposals;
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    const Node parent = at(node);
    const Candidate& c = proposal.candidate;
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(c.column)];
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(parent.begin);
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(parent.end);
    const auto middle = std::stable_partition(begin, end, [&](RowId row) {
      const std::uint32_t code = column.code(row);
      if (code == kMissingCode) return c.missing_left;
      return goes_left(c, column.cell(code));
    });
    const auto cut = static_cast<std::size_t>(middle - rows_.begin());
    const auto first = static_cast<EngineNode>(nodes_.size());
    nodes_.push_back({parent.begin, cut, parent.depth + 1});
    nodes_.push_back({cut, parent.end, parent.depth + 1});
    return {first, first + 1};
  }

  [[nodiscard]] Rows rows(EngineNode node) const override {
    return Rows(rows_).subspan(at(node).begin, at(node).end - at(node).begin);
  }

 private:
  struct Node {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t depth = 0;
  };
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }

  [[nodiscard]] Proposal search(const NodeTask& task, Monitor& monitor) const {
    const AheadLimits limits{task.limits.min_rows, task.limits.min_weight, options_.min_samples_split,
                             at(task.node).depth + 2 <= options_.max_depth};
    switch (options_.engine.criterion) {
      case CriterionId::entropy:
        return run<ClassCosts<Entropy>>(task, limits, monitor);
      case CriterionId::misclassification:
        return run<ClassCosts<Misclassification>>(task, limits, monitor);
      case CriterionId::squared_error:
        return run<SquareCosts>(task, limits, monitor);
      default:
        return run<ClassCosts<Gini>>(task, limits, monitor);
    }
  }

  template <class Costs>
  Proposal run(const NodeTask& task, const AheadLimits& limits, Monitor& monitor) const {
    AheadSearch<Costs> search(*table_, *targets_, rows(task.node), options_.engine.scan, limits);
    if (!search.pure()) return search.run(*table_, monitor);
    Proposal proposal;
    proposal.pure = true;
    return proposal;
  }

  const EncodedTable* table_;
  const Targets* targets_;
  LookaheadOptions options_;
  std::vector<RowId> rows_;
  std::vector<Node> nodes_;
};

}  // namespace

std::unique_ptr<Engine> make_lookahead_engine(const EncodedTable& table, const Targets& targets,
                                              const LookaheadOptions& options) {
  check_rows(table.n_rows, targets);
  const CriterionId criterion = options.engine.criterion;
  if (criterion != CriterionId::gini && criterion != CriterionId::entropy &&
      criterion != CriterionId::misclassification && criterion != CriterionId::squared_error)
    throw Error(ErrorCode::not_supported,
                fmt::format("lookahead does not know criterion={}", criterion_info(criterion).name),
                "use gini, entropy, misclassification or squared_error");
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].kind == Kind::category && !options.engine.scan.equality &&
        table.columns[j].n_codes > kExhaustiveLevels)
      throw Error(ErrorCode::not_supported,
                  fmt::format("lookahead=2 tries all subsets of up to {} categories, but column {} has {}",
                              kExhaustiveLevels, j + 1, table.columns[j].n_codes),
                  "use category_split=equality, or leave the column out");
  return std::make_unique<LookaheadEngine>(table, targets, options);
}

}  // namespace bough
