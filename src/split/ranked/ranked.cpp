// SPDX-License-Identifier: Apache-2.0
// The ranked engine: finishes whole trees from ranks (ranked_grower.hpp).
#include "split/ranked/ranked.hpp"

#include "split/engine_checks.hpp"
#include "split/ranked/ranked_grower.hpp"

namespace bough {
namespace {

template <class TargetsT>
class RankedEngine final : public Engine {
 public:
  RankedEngine(const RankedTable& table, const Targets& targets, EngineOptions options)
      : table_(&table), options_(std::move(options)), rows_(targets.rows), grower_(table, targets, options_) {
    n_rows_ = static_cast<std::uint32_t>(rows_.size());
    rows_.resize(rows_.size() + kRankPad);
    nodes_.push_back({0, n_rows_});
  }

  std::vector<Proposal> best(std::span<const NodeTask> /*tasks*/, Monitor& /*monitor*/) override {
    throw Error(ErrorCode::internal, "the ranked engine grows whole trees only");
  }
  std::vector<EngineNode> split(EngineNode /*node*/, const Proposal& /*proposal*/) override {
    throw Error(ErrorCode::internal, "the ranked engine grows whole trees only");
  }
  [[nodiscard]] bool finishes(EngineNode /*node*/, std::int32_t /*levels*/) const override { return true; }

  std::vector<std::vector<FinishedNode>> finish(std::span<const FinishTask> tasks, const SubtreeRules& rules,
                                                Monitor& monitor) override {
    std::vector<std::vector<FinishedNode>> finished;
    for (const FinishTask& task : tasks) {
      const auto [begin, end] = nodes_[static_cast<std::size_t>(task.node)];
      const std::vector<RankedNode> grown =
          grower_.grow(std::span(rows_).subspan(begin, end - begin), task, rules, monitor);
      std::vector<FinishedNode>& out = finished.emplace_back();
      out.reserve(grown.size());
      nodes_.reserve(nodes_.size() + grown.size());
      for (const RankedNode& from : grown) {
        FinishedNode& node = out.emplace_back();
        node.node = out.size() == 1 ? task.node : static_cast<EngineNode>(nodes_.size());
        if (out.size() > 1) nodes_.push_back({begin + from.begin, begin + from.end});
        node.right = from.right;
        if (from.right >= 0) node.split = split_of(from);
      }
    }
    return finished;
  }

  [[nodiscard]] Rows rows(EngineNode node) const override {
    const auto [begin, end] = nodes_[static_cast<std::size_t>(node)];
    return Rows(rows_).subspan(begin, end - begin);
  }

 private:
  [[nodiscard]] Split split_of(const RankedNode& node) const {
    const RankedColumn& column = table_->columns[static_cast<std::size_t>(node.column)];
    Candidate candidate;
    candidate.found = true;
    candidate.score = node.score;
    candidate.gain = node.gain;
    candidate.column = node.column;
    candidate.kind = column.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    candidate.low = node.low;
    candidate.high = node.high;
    candidate.threshold = node.threshold;
    candidate.has_threshold = node.has_threshold;
    return to_split(candidate, column.n_levels, false, node.left_heavier);
  }

  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  const RankedTable* table_;
  EngineOptions options_;
  std::vector<RowId> rows_;  // padded
  std::uint32_t n_rows_ = 0;
  std::vector<Range> nodes_;
  RankedGrower<TargetsT> grower_;
};

}  // namespace

bool ranked_engine_fits(const Targets& targets, const EngineOptions& options) {
  if (options.arms.wanted || options.oblique.wanted || options.full.wanted || !options.monotone.empty() ||
      !options.buckets.empty())
    return false;
  // Whole weights, and not too many for the scores.
  if (targets.weight_exponent != 0 || targets.total_weight > kMostRankedWeight) return false;
  if (targets.n_outputs() != 1) return false;
  if (!targets.is_classification()) return options.criterion == CriterionId::squared_error;
  const std::uint32_t n_classes = targets.classes[0].n_classes;
  return options.criterion == CriterionId::gini && n_classes >= 2 && n_classes < (1U << kClassBits);
}

std::unique_ptr<Engine> make_ranked_engine(const RankedTable& table, const Targets& targets,
                                           const EngineOptions& options) {
  check_rows(static_cast<std::int64_t>(table.by_row.size() / table.columns.size()), targets);
  if (!ranked_engine_fits(targets, options))
    internal_error("the ranked engine does not know these targets or options");
  if (targets.is_classification())
    return std::make_unique<RankedEngine<RankedClasses>>(table, targets, options);
  return std::make_unique<RankedEngine<RankedNumbers>>(table, targets, options);
}

}  // namespace bough
