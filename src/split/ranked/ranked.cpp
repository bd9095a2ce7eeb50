// SPDX-License-Identifier: Apache-2.0
// The ranked engine: grows whole trees from ranks (ranked_grower.hpp).
#include "split/ranked/ranked.hpp"

#include "split/engine_checks.hpp"
#include "split/ranked/ranked_grower.hpp"

namespace bough {
namespace {

template <class TargetsT>
class RankedEngine final : public Engine {
 public:
  RankedEngine(const RankedTable& table, const Targets& targets, EngineOptions options)
      : options_(std::move(options)),
        rows_(targets.rows),
        n_rows_(rows_.size()),
        grower_(table, targets, options_) {
    rows_.resize(n_rows_ + kRankPad);
  }

  std::vector<Proposal> best(std::span<const NodeTask> /*tasks*/, Monitor& /*monitor*/) override {
    throw Error(ErrorCode::internal, "the ranked engine grows whole trees only");
  }
  std::vector<EngineNode> split(EngineNode /*node*/, const Proposal& /*proposal*/) override {
    throw Error(ErrorCode::internal, "the ranked engine grows whole trees only");
  }
  [[nodiscard]] bool grows_whole() const override { return true; }
  std::vector<WholeNode> grow_whole(const FinishTask& root, const SubtreeRules& rules,
                                    Monitor& monitor) override {
    return grower_.grow(std::span(rows_).first(n_rows_), root, rules, monitor);
  }

  [[nodiscard]] Rows rows(EngineNode /*node*/) const override { return Rows(rows_).first(n_rows_); }

 private:
  EngineOptions options_;
  std::vector<RowId> rows_;  // padded
  std::size_t n_rows_;
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
