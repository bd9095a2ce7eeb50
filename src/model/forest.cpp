// SPDX-License-Identifier: Apache-2.0
// Growing the trees of a forest on one coded table: trees side by side, or, when there are fewer trees than
// threads, the work inside each tree shared.
#include "model/forest.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "bough/prune.hpp"
#include "grow/shrink.hpp"
#include "model/assemble.hpp"
#include "model/bag.hpp"
#include "model/bag_marks.hpp"
#include "model/calibration.hpp"
#include "model/classics.hpp"
#include "model/engine_choice.hpp"
#include "model/grow_prepared.hpp"
#include "model/grow_spec.hpp"
#include "model/honest.hpp"
#include "model/shrinkage.hpp"
#include "model/treatment.hpp"

namespace bough {
namespace {

class ForestGrower {
 public:
  ForestGrower(const Table& table, const Prepared& prepared, const Params& params, const Execution& execution,
               CriterionId criterion, Monitor& monitor)
      : prepared_(prepared),
        params_(params),
        monitor_(monitor),
        spec_(grow_spec(prepared, params, criterion)),
        n_columns_(prepared.features.fields.size()),
        fingerprint_(prepared.row_marks) {
    force_engine(spec_, execution.engine);
    const std::vector<double> drawn = weights_of(0);
    const Targets first = targets_of(0, params.honest ? divided(0, drawn).choose : drawn);
    if (params.honest) finder_.emplace(table, prepared.features, static_cast<std::size_t>(params.forest));
    // Codes serve all trees, and trees draw different numbers of rows: decided by the most that any tree may get.
    const EngineRequest request{
        .forced = execution.engine, .many_trees = true, .alike = weigh_alike(), .most_rows = most_rows()};
    coded_.emplace(table, prepared.features, first, spec_, request, fingerprint_, monitor);
  }

  [[nodiscard]] Grown tree(std::size_t i) const {
    if (!params_.honest && weighs_by_draws(params_, prepared_.values))
      return grow_on(i, targets_of(i, drawn_rows(params_, i, n_rows(), prepared_.weights)));
    const std::vector<double> weights = weights_of(i);
    if (!params_.honest) return grow_on(i, targets_of(i, weights));
    const HonestWeights parts = divided(i, weights);
    Grown grown = grow_on(i, targets_of(i, parts.choose));
    const Targets others = targets_of(i, parts.estimate);
    grown.tree =
        estimate(grown.tree, NodeRows(grown.tree, others.rows, finder_->ends(grown.tree, others.rows)),
                 others, estimate_spec(params_, spec_.engine.criterion));
    return grown;
  }

  /// 1 for the rows that a tree has not drawn.
  [[nodiscard]] std::vector<double> unseen(std::size_t i) const {
    std::vector<double> marks = weights_of(i);
    for (double& mark : marks) mark = mark == 0.0 ? 1.0 : 0.0;
    for (std::size_t row = 0; row < prepared_.weights.size(); ++row)
      if (prepared_.weights[row] == 0.0) marks[row] = 0.0;
    return marks;
  }

  [[nodiscard]] std::uint64_t cells() { return fingerprint_.finish(prepared_.features); }
  [[nodiscard]] std::string engine_name() const { return std::string(coded_->name()); }

 private:
  [[nodiscard]] Grown grow_on(std::size_t i, const Targets& targets) const {
    GrowSpec spec = spec_;
    spec.seed = tree_seed(params_, i);
    // The forest's own progress counts trees; a tree only asks whether to stop.
    Monitor quiet([this](std::string_view, double, std::int64_t) {
      monitor_.tick();
      return true;
    });
    const std::unique_ptr<Engine> engine = coded_->engine(targets, spec);
    Grown grown = grow(*engine, n_columns_, targets, spec, quiet);
    if (params_.ccp_alpha > 0.0) grown.tree = prune(grown.tree, params_.ccp_alpha);
    return grown;
  }

  [[nodiscard]] HonestWeights divided(std::size_t i, std::span<const double> weights) const {
    return divide_weights(prepared_.values, weights, n_rows(), params_, tree_key(params_, i));
  }
  [[nodiscard]] std::size_t n_rows() const { return static_cast<std::size_t>(prepared_.n_rows); }

  // Different rows that a tree draws at most.
  [[nodiscard]] std::size_t most_rows() const {
    return params_.bootstrap ? std::min(n_rows(), bag_size(params_, n_rows(), prepared_.weights)) : n_rows();
  }

  // Whether all trees weigh the rows in the same way, or by how often they are drawn: counts of less than 2^20 are weights as
  // they are (to_fixed_point), and they add up to the same.
  [[nodiscard]] bool weigh_alike() const {
    if (params_.honest) return false;
    if (weighs_by_draws(params_, prepared_.values))
      return bag_size(params_, n_rows(), prepared_.weights) < (std::size_t{1} << 20);
    return !params_.bootstrap && params_.little_bags == 0 && !params_.class_weight.subsample;
  }

  // Of the rows that the tree draws.
  [[nodiscard]] std::vector<double> weights_of(std::size_t i) const {
    return bag_weights(params_, i, prepared_.values, prepared_.weights, n_rows());
  }

  [[nodiscard]] Targets targets_of(std::size_t i, std::span<const double> weights) const {
    Targets targets = all_targets();
    to_fixed_point(targets, weights, prepared_.n_rows);
    check_drawn(i, targets);
    return targets;
  }
  [[nodiscard]] Targets targets_of(std::size_t i, const std::vector<std::uint32_t>& drawn) const {
    Targets targets = all_targets();
    to_fixed_point(targets, drawn);
    check_drawn(i, targets);
    return targets;
  }
  [[nodiscard]] Targets all_targets() const {
    Targets targets;
    targets.classes = prepared_.values.classes;
    targets.treated = prepared_.values.treated;
    for (const NumberTarget& target : prepared_.values.numbers)
      targets.numbers.push_back({target.raw, {}, 0});
    return targets;
  }
  static void check_drawn(std::size_t i, const Targets& targets) {
    if (targets.rows.empty())
      throw Error(ErrorCode::bad_data, fmt::format("tree {} of the forest drew rows of weight 0 only", i + 1),
                  "raise max_samples, or give more rows a weight");
  }

  const Prepared& prepared_;
  const Params& params_;
  Monitor& monitor_;
  GrowSpec spec_;
  std::size_t n_columns_;
  Fingerprint fingerprint_;
  std::optional<EngineTable> coded_;
  std::optional<EndFinder> finder_;  // honest trees only
};

// Trees first, first + 1, ... of the forest.
std::vector<Grown> grow_all(const ForestGrower& grower, std::size_t first, std::size_t n_trees,
                            Monitor& monitor) {
  std::vector<Grown> grown(n_trees);
  monitor.stage("forest");
  monitor.total(static_cast<std::int64_t>(n_trees));
  std::atomic<std::int64_t> nodes{0};
  const auto one = [&](std::size_t i) {
    grown[i] = grower.tree(first + i);
    monitor.advance(1);
    monitor.nodes(nodes += grown[i].tree.n_nodes());
    monitor.tick();
  };
  // The ranked engine has one thread for a tree, however few trees there are.
  const bool shared = grower.engine_name() != "ranked";
  if (shared && n_trees < static_cast<std::size_t>(available_threads())) {
    for (std::size_t i = 0; i < n_trees; ++i) one(i);
  } else {
    // One thread each: a thread that waited inside a tree could otherwise start another one on top of it.
    parallel_for(n_trees, [&](std::size_t i) { with_threads(1, [&] { one(i); }); });
  }
  return grown;
}

// More trees must be of the same forest: the same columns, classes and bags.
void check_goes_on(const Model& so_far, const Prepared& prepared, const Params& params) {
  const Params& old = so_far.params();
  const auto refuse_change = [](bool changed, std::string_view what) {
    if (changed)
      throw Error(ErrorCode::bad_params,
                  fmt::format("the trees to add have another {} than the forest", what),
                  "grow a new forest, or leave it as it was");
  };
  if (old.forest == 0)
    throw Error(ErrorCode::bad_model, "trees can only be added to a forest that was grown here",
                "grow a new forest");
  if (static_cast<std::size_t>(params.forest) < so_far.trees().size())
    throw Error(ErrorCode::bad_params,
                fmt::format("forest={} is less than the {} trees that are there", params.forest,
                            so_far.trees().size()),
                "ask for as many trees or more");
  refuse_change(so_far.task() != prepared.task, "task");
  refuse_change(!(so_far.features() == prepared.features), "set of columns or levels");
  refuse_change(!(so_far.targets() == prepared.targets), "set of targets or classes");
  refuse_change(old.seed != params.seed, "seed");
  refuse_change(old.bootstrap != params.bootstrap, "bootstrap");
  refuse_change(old.max_samples != params.max_samples, "max_samples");
  refuse_change(old.little_bags != params.little_bags, "little_bags");
  refuse_change(old.shrinkage != params.shrinkage, "shrinkage");
  if (params.shrinkage.cross_validated)
    throw Error(ErrorCode::not_supported, "no trees can be added to a forest whose rows chose shrinkage",
                "grow a new forest, or give shrinkage a number");
  refuse_change(old.calibration_fraction != params.calibration_fraction, "calibration_fraction");
}

}  // namespace

Model fit_forest(const Table& table, const FitSpec& fit_spec, const Params& params,
                 const Execution& execution, Monitor& monitor, const Model* so_far) {
  check_little_bags(params);
  Prepared prepared = prepare(table, fit_spec, params);
  check_honest(params, prepared.task);
  if (so_far) check_goes_on(*so_far, prepared, params);
  const std::vector<double> mark = weights_mark(prepared.weights);
  const std::vector<RowId> held =
      hold_for_calibration(prepared, params, static_cast<std::size_t>(table.n_rows()));
  const CriterionId criterion = resolve_criterion(params.criterion, prepared.task);
  ForestGrower grower(table, prepared, params, execution, criterion, monitor);
  const std::size_t first = so_far ? so_far->trees().size() : 0;
  std::vector<Grown> grown =
      grow_all(grower, first, static_cast<std::size_t>(params.forest) - first, monitor);
  const std::string criterion_name = model_criterion(prepared, params, criterion);
  double strength = params.shrinkage.strength;
  if (params.shrinkage.cross_validated) {
    // Rows that are drawn in proportion to their weights are all worth the same.
    StrengthTrial trial(table, prepared, natural_loss(criterion_name, prepared.task, params.quantile),
                        params.little_bags == 0 ? 1.0 : mean_weight(prepared));
    for (std::size_t i = 0; i < grown.size(); ++i) trial.ask(grown[i].tree, grower.unseen(first + i));
    ChosenStrength chosen = trial.choose();
    strength = chosen.strength;
    prepared.notes.push_back(std::move(chosen.note));
  }
  for (Grown& one : grown) one.tree = shrink(std::move(one.tree), strength);
  ModelFacts facts = facts_of(prepared, params, criterion_name);
  facts.engine = grower.engine_name();
  facts.cells = grower.cells();
  Model::Parts parts =
      assemble_model(so_far ? so_far->trees() : std::span<const Tree>(), std::move(grown), std::move(facts));
  if (params.shrinkage.cross_validated) parts.extras["shrinkage"] = {strength};
  if (mark_bags(parts, mark, held, so_far))
    parts.provenance.notes.emplace_back(
        "the added trees were grown on other rows or row weights than those before: there are no out-of-bag "
        "figures");
  return finish_model(std::move(parts), table, prepared, held, execution);
}

}  // namespace bough
