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
#include "data/encoded.hpp"
#include "model/bag.hpp"
#include "model/bag_marks.hpp"
#include "model/calibration.hpp"
#include "model/classics.hpp"
#include "model/grow_prepared.hpp"
#include "model/grow_spec.hpp"
#include "model/honest.hpp"
#include "model/treatment.hpp"
#include "split/ranked.hpp"

namespace bough {
namespace {

void refuse(bool unless, std::string_view what, std::string_view hint) {
  if (!unless) return;
  throw Error(ErrorCode::not_supported, fmt::format("forests do not know {}", what), std::string(hint));
}

}  // namespace

void check_forest_params(const Params& params) {
  refuse(is_classic(params), fmt::format("algorithm={}", params.algorithm), "use algorithm=cart");
  const std::string_view pruning = resolved_pruning(params);
  refuse(pruning != "none" && !(pruning == "cost_complexity" && params.ccp_alpha > 0.0),
         fmt::format("pruning={}", pruning), "ccp_alpha cuts every tree at a given price");
  refuse(params.cp >= 0.0, "cp", "ccp_alpha cuts every tree at a given price");
  refuse(params.splitter == "hist", "splitter=hist", "use splitter=best or random");
  refuse(!params.priors.empty(), "priors", "use class_weight");
  refuse(!params.loss_matrix.empty(), "loss_matrix", "use class_weight");
  refuse(params.missing_policy != "learn", fmt::format("missing_policy={}", params.missing_policy),
         "use missing_policy=learn");
  refuse(params.competitors > 0, "competitors", "grow a single tree for them");
  refuse(!params.column_costs.empty(), "column_costs", "grow a single tree with them");
  check_little_bags(params);
  refuse(params.cross_fit, "cross_fit", "every tree divides its own rows: leave it out");
  if (!params.bootstrap && params.max_samples && params.little_bags == 0)
    throw Error(ErrorCode::bad_params, "max_samples says how many rows a tree draws, but bootstrap is off",
                "drop max_samples, or turn bootstrap on");
}

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
    choose_engine(spec_, execution.engine);
    limits_ = ranked_limits(execution.engine);
    const Targets first = targets_of(0, weights_of(0));
    if (params.honest) finder_.emplace(table, prepared.features, static_cast<std::size_t>(params.forest));
    const bool sparse = has_sparse(table, prepared.features),
               forced = execution.engine == "lists" || execution.engine == "sparse";
    if (!sparse && !forced && fast_engine_fits(first, spec_.engine, n_columns_)) {
      const bool plain = spec_.engine.monotone.empty() && spec_.interactions.empty() && !spec_.max_leaf_nodes;
      // Trees of one forest have weights of one kind, unless every tree balances its own.
      const bool by_ranks = plain && !params.class_weight.subsample && may_rank(execution.engine) &&
                            ranked_engine_fits(first, spec_.engine);
      const bool cells_only = plain && fast_engine_only_lists(first, spec_.engine, spec_.max_depth);
      codes_ = make_codes(table, prepared.features, cells_only ? CodeUse::cells : CodeUse::search,
                          fingerprint_, monitor);
      put_classes(*codes_, first);
      if (by_ranks) ranked_ = rank_table(*codes_, monitor);
      if (!ranked_ && spec_.max_features > 0 && spec_.max_features < n_columns_ && !spec_.engine.scan.random)
        add_ranks(*codes_, monitor);
    } else {
      encoded_ = encode(table, prepared.features, fingerprint_, monitor);
      stored_only_ = execution.engine != "lists" && (sparse || execution.engine == "sparse") &&
                     sparse_engine_fits(first, spec_.engine);
    }
  }

  [[nodiscard]] Grown tree(std::size_t i) const {
    const std::vector<double> weights = weights_of(i);
    if (!params_.honest) return grow_on(i, targets_of(i, weights));
    const HonestWeights parts = divide_weights(
        prepared_.values, weights, static_cast<std::size_t>(prepared_.n_rows), params_, tree_key(params_, i));
    Grown grown = grow_on(i, targets_of(i, parts.choose));
    const Targets others = targets_of(i, parts.estimate);
    grown.tree =
        estimate(grown.tree, NodeRows(grown.tree, others.rows, finder_->ends(grown.tree, others.rows)),
                 others, estimate_spec(params_, spec_.engine.criterion));
    return grown;
  }

  [[nodiscard]] std::uint64_t cells() { return fingerprint_.finish(prepared_.features); }
  [[nodiscard]] std::string engine_name() const {
    return ranked_                       ? "ranked"
           : codes_                      ? "fast"
           : spec_.engine.oblique.wanted ? "oblique"
           : stored_only_                ? "sparse"
                                         : "lists";
  }

 private:
  [[nodiscard]] Grown grow_on(std::size_t i, const Targets& targets) const {
    GrowSpec spec = spec_;
    spec.seed = tree_seed(params_, i);
    // The forest's own progress counts trees; a tree only asks whether to stop.
    Monitor quiet([this](std::string_view, double, std::int64_t) {
      monitor_.tick();
      return true;
    });
    const std::unique_ptr<Engine> engine = make_engine(targets, spec);
    Grown grown = grow(*engine, n_columns_, targets, spec, quiet);
    if (params_.ccp_alpha > 0.0) grown.tree = prune(grown.tree, params_.ccp_alpha);
    return grown;
  }

  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Targets& targets, const GrowSpec& spec) const {
    if (ranked_) return make_ranked_engine(*ranked_, targets, spec.engine, limits_);
    if (codes_) return make_fast_engine(*codes_, targets, spec.engine);
    if (spec.engine.oblique.wanted) return make_oblique_engine(*encoded_, targets, spec.engine);
    return stored_only_ ? make_sparse_engine(*encoded_, targets, spec.engine)
                        : make_any_lists(*encoded_, targets, spec);
  }

  // Of the rows that the tree draws.
  [[nodiscard]] std::vector<double> weights_of(std::size_t i) const {
    return bag_weights(params_, i, prepared_.values, prepared_.weights,
                       static_cast<std::size_t>(prepared_.n_rows));
  }

  [[nodiscard]] Targets targets_of(std::size_t i, std::span<const double> weights) const {
    Targets targets;
    targets.classes = prepared_.values.classes;
    targets.treated = prepared_.values.treated;
    for (const NumberTarget& target : prepared_.values.numbers)
      targets.numbers.push_back({target.raw, {}, 0});
    fix(targets, weights, prepared_.n_rows);
    if (targets.rows.empty())
      throw Error(ErrorCode::bad_data, fmt::format("tree {} of the forest drew rows of weight 0 only", i + 1),
                  "raise max_samples, or give more rows a weight");
    return targets;
  }

  const Prepared& prepared_;
  const Params& params_;
  Monitor& monitor_;
  GrowSpec spec_;
  std::size_t n_columns_;
  Fingerprint fingerprint_;
  std::optional<CodedTable> codes_;
  RankedLimits limits_;
  std::optional<RankedTable> ranked_;
  std::optional<EncodedTable> encoded_;
  bool stored_only_ = false;
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
  refuse_change(old.calibration_fraction != params.calibration_fraction, "calibration_fraction");
}

}  // namespace

Model fit_forest(const Table& table, const FitSpec& fit_spec, const Params& params,
                 const Execution& execution, Monitor& monitor, const Model* so_far) {
  check_forest_params(params);
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
  Model::Parts parts;
  if (so_far) parts.trees.assign(so_far->trees().begin(), so_far->trees().end());
  bool heuristic = false;
  for (Grown& one : grown) {
    heuristic |= one.heuristic;
    parts.trees.push_back(std::move(one.tree));
  }
  if (heuristic) prepared.notes.push_back(category_note());
  parts.combine = Combine::mean;
  parts.criterion =
      prepared.treatment.fields.empty() ? criterion_info(criterion).name : causal_criterion(params);
  parts.provenance.engine = grower.engine_name();
  parts.params = params;
  parts.task = prepared.task;
  const std::uint64_t cells = grower.cells();
  parts.features = prepared.features;
  parts.targets = prepared.targets;
  parts.treatment = prepared.treatment;
  sign(parts, prepared, cells);
  if (mark_bags(parts, mark, held, so_far))
    parts.provenance.notes.emplace_back(
        "the added trees were grown on other rows or row weights than those before: there are no out-of-bag "
        "figures");
  return finish_model(std::move(parts), table, prepared, held, execution);
}

}  // namespace bough
