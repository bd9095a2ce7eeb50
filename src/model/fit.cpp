// SPDX-License-Identifier: Apache-2.0
// The pipeline on one screen: table -> encode -> grow -> prune -> model.
#include <fmt/format.h>

#include <algorithm>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "bough/forest.hpp"
#include "bough/model.hpp"
#include "grow/grow.hpp"
#include "grow/shrink.hpp"
#include "model/assemble.hpp"
#include "model/calibration.hpp"
#include "model/choose_tree.hpp"
#include "model/classics.hpp"
#include "model/engine_choice.hpp"
#include "model/fit_monitor.hpp"
#include "model/forest.hpp"
#include "model/grow_prepared.hpp"
#include "model/grow_spec.hpp"
#include "model/honest.hpp"
#include "model/priors.hpp"
#include "model/pruning.hpp"
#include "model/searched.hpp"
#include "model/shrinkage.hpp"
#include "model/tao_refit.hpp"
#include "model/treatment.hpp"
#include "params/conflicts.hpp"

namespace bough {

Grown grow_prepared(const Table& table, const Prepared& prepared, const Params& params,
                    const Execution& execution, Fingerprint& fingerprint, std::string& engine_name,
                    Monitor& monitor) {
  Grown grown;
  if (is_classic(params)) {
    engine_name = "quinlan";
    grown.tree = grow_classic(table, prepared, params, fingerprint, monitor);
  } else if (params.search == "anytime" || params.search == "optimal") {
    engine_name = "search";
    grown = grow_searched(table, prepared, params, fingerprint, monitor);
  } else {
    GrowSpec spec = grow_spec(prepared, params, resolve_criterion(params.criterion, prepared.task));
    force_engine(spec, execution.engine);
    const EngineRequest request{.forced = execution.engine,
                                .buckets = params.splitter == "hist",
                                .most_rows = prepared.values.rows.size()};
    const EngineTable coded(table, prepared.features, prepared.values, spec, request, fingerprint, monitor);
    engine_name = coded.name();
    grown = grow(*coded.engine(prepared.values, spec), prepared.features.fields.size(), prepared.values, spec,
                 monitor);
  }
  if (!prepared.value_scale.empty()) grown.tree = scale_values(grown.tree, prepared.value_scale);
  return grown;
}

namespace {

// Trees that are grown to be judged, one for each fold; 0 where folds are given and not counted yet, too.
std::int32_t trees_of_folds(const FitSpec& spec, const Params& params) {
  const bool by_price = resolved_pruning(params) == "cost_complexity" && params.ccp_alpha == 0.0;
  const bool judged = by_price || params.search == "auto" || params.shrinkage.cross_validated;
  return judged && spec.folds.kind != FoldSpec::Kind::given ? params.pruning_folds : 0;
}

Model fit_prepared(const Table& table, const FitSpec& fit_spec, const Params& params,
                   const Execution& execution, FitMonitor& monitor) {
  check_algorithm(params);
  Prepared prepared = prepare(table, fit_spec, params);
  check_honest(params, prepared.task);
  const std::vector<RowId> held =
      hold_for_calibration(prepared, params, static_cast<std::size_t>(table.n_rows()));
  const CriterionId criterion = resolve_criterion(wanted_criterion(params, prepared.task), prepared.task);
  std::string engine;
  std::optional<Fingerprint> fingerprint;  // of the cells that a training has read: the same every time
  const auto train = [&](const Prepared& rows) {
    monitor.next_tree();
    fingerprint.emplace(prepared.row_marks);
    return grow_prepared(table, rows, params, execution, *fingerprint, engine, monitor);
  };
  const std::string criterion_name = model_criterion(prepared, params, criterion);
  std::vector<CpRow> root_rows;  // the complexity of a root that lost its splits
  const auto grow_one = [&](const Prepared& rows) {
    const PruningJob job{table, fit_spec, params, rows, criterion_name};
    PrunedTree pruned =
        params.search == "auto" ? choose_by_folds(job, train, monitor) : grow_and_prune(job, train);
    if (params.cp < 0.0) return pruned;
    const auto cut = [&](Tree& one) { one = prune_cp(one, cp_risk(one, params.loss_matrix), params.cp); };
    const Tree grown = pruned.grown.tree;
    cut(pruned.grown.tree);
    if (pruned.grown.tree.n_nodes() == 1 && grown.n_nodes() > 1)
      root_rows = cp_rows(grown, cp_risk(grown, params.loss_matrix), params.cp);
    std::ranges::for_each(pruned.fold_trees, cut);
    return pruned;
  };
  std::vector<PrunedTree> trees;
  if (params.honest) {
    trees = grow_honest(table, prepared, params, criterion, grow_one);
    warn_singleton_classes(prepared);
  } else if (params.tao > 0) {
    trees.push_back(refit_by_tao({table, params, prepared, criterion_name, monitor}, grow_one));
  } else {
    trees.push_back(grow_one(prepared));
  }
  std::vector<CpRow> cp_table = trees.size() == 1 ? std::move(root_rows) : std::vector<CpRow>{};
  double strength = params.shrinkage.strength;
  const std::string engine_of_all_rows = engine;
  const std::optional<SizeTable>& sizes = trees.front().sizes;
  if (sizes) {
    strength = sizes->rows[sizes->chosen].shrinkage;
  } else if (params.shrinkage.cross_validated) {
    ChosenStrength chosen =
        choose_strength({table, fit_spec, params, prepared, criterion_name}, trees.front().fold_trees,
                        [&](const Prepared& rows) { return grow_one(rows).grown.tree; });
    strength = chosen.strength;
    prepared.notes.push_back(std::move(chosen.note));
  }
  for (PrunedTree& one : trees) one.grown.tree = shrink(std::move(one.grown.tree), strength);
  const std::optional<SearchProof> proof = trees.front().grown.proof;
  for (std::string& note : trees.front().grown.notes) prepared.notes.push_back(std::move(note));
  ModelFacts facts = facts_of(prepared, params, criterion_name);
  facts.engine = engine_of_all_rows;
  facts.cells = fingerprint->finish(prepared.features);
  std::optional<PruningTable> pruning_table = std::move(trees.front().table);
  const std::vector<double> size_numbers = sizes ? to_numbers(*sizes) : std::vector<double>{};
  std::vector<Grown> grown;
  for (PrunedTree& one : trees) grown.push_back(std::move(one.grown));
  Model::Parts parts = assemble_model({}, std::move(grown), std::move(facts));
  parts.pruning_table = std::move(pruning_table);
  parts.search = proof;
  parts.cp_table = std::move(cp_table);
  if (params.shrinkage.cross_validated || !size_numbers.empty()) parts.extras["shrinkage"] = {strength};
  if (!size_numbers.empty()) parts.extras[kSizes] = size_numbers;
  return finish_model(std::move(parts), table, prepared, held, execution);
}

Model fit_watched(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution,
                  const Model* so_far) {
  validate(params);
  check_dependent_params(params, !spec.treatment.empty());
  check_exclusions(params, {.treatment = !spec.treatment.empty()});
  const auto grown = static_cast<std::int32_t>(so_far == nullptr ? 0 : so_far->trees().size());
  FitMonitor monitor(execution, trees_of_folds(spec, params), params.forest - grown);
  std::optional<Model> model;
  // Waking other threads takes longer than a small table does; searches take longer than that.
  const std::int64_t cells = table.n_rows() * static_cast<std::int64_t>(table.n_columns()) *
                             std::max<std::int32_t>(1, params.forest);
  const bool is_small = cells < internal_limits().parallel_fit && params.search != "auto";
  with_threads(execution.threads == 0 && is_small ? 1 : execution.threads, [&] {
    model = params.forest > 0 ? fit_forest(table, spec, params, execution, monitor, so_far)
                              : fit_prepared(table, spec, params, execution, monitor);
  });
  return std::move(*model);
}

}  // namespace

Model fit(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution) {
  return fit_watched(table, spec, params, execution, nullptr);
}

Model fit(const Table& table, const FitSpec& spec) {
  return fit(table, spec, Params());
}

Model grow_more(const Model& forest, const Table& table, const FitSpec& spec, const Params& params,
                const Execution& execution) {
  return fit_watched(table, spec, params, execution, &forest);
}

}  // namespace bough
