// SPDX-License-Identifier: Apache-2.0
// The pipeline on one screen: table -> encode -> grow -> prune -> model.
#include <fmt/format.h>

#include <algorithm>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "bough/forest.hpp"
#include "bough/model.hpp"
#include "grow/grow.hpp"
#include "model/assemble.hpp"
#include "model/calibration.hpp"
#include "model/classics.hpp"
#include "model/forest.hpp"
#include "model/grow_prepared.hpp"
#include "model/grow_spec.hpp"
#include "model/honest.hpp"
#include "model/priors.hpp"
#include "model/progress.hpp"
#include "model/pruning.hpp"
#include "model/refine.hpp"
#include "model/treatment.hpp"
#include "params/conflicts.hpp"
#include "split/arms.hpp"
#include "split/lookahead.hpp"

namespace bough {
namespace {

// How to search: which engine, and whether it sees buckets (splitter=hist) or values.
struct Wish {
  std::string_view engine;
  bool buckets = false;
};

Grown grow_lists(const EncodedTable& encoded, const Targets& targets, const GrowSpec& spec,
                 Monitor& monitor) {
  const std::unique_ptr<Engine> engine = make_any_lists(encoded, targets, spec);
  return grow(*engine, encoded.columns.size(), targets, spec, monitor);
}

// Grows with the engine that fits; which one it is shows in the provenance and nowhere else.
Grown grow_table(const Table& table, const Prepared& prepared, GrowSpec spec, const Wish& wish,
                 Fingerprint& fingerprint, std::string& engine_name, Monitor& monitor) {
  const std::size_t n_columns = prepared.features.fields.size(), n_rows = prepared.values.rows.size();
  const bool sparse = has_sparse(table, prepared.features);
  if (wish.buckets && sparse)
    throw Error(ErrorCode::not_supported, "splitter=hist is for dense columns, but some are sparse",
                "use splitter=best");
  if (spec.engine.full.wanted) {
    const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
    const std::unique_ptr<Engine> engine = make_full_engine(encoded, prepared.values, spec.engine);
    engine_name = "full";
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  if (spec.lookahead > 1) {
    const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
    const std::unique_ptr<Engine> engine = make_lookahead_engine(
        encoded, prepared.values, {spec.engine, spec.max_depth, spec.min_samples_split});
    engine_name = "lookahead";
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  const bool forced = wish.engine == "lists" || wish.engine == "sparse";
  const bool fast = !forced && !sparse && fast_engine_fits(prepared.values, spec.engine, n_columns, n_rows);
  if (spec.engine.oblique.wanted && !fast) {
    const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
    const std::unique_ptr<Engine> engine = make_oblique_engine(encoded, prepared.values, spec.engine);
    engine_name = "oblique";
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  const bool stored_only = wish.engine != "lists" && (sparse || wish.engine == "sparse") && !wish.buckets &&
                           sparse_engine_fits(prepared.values, spec.engine);
  engine_name = fast ? "fast" : stored_only ? "sparse" : "lists";
  if (fast || wish.buckets) {
    const bool cells_only =
        !wish.buckets && engines_may_finish(spec) &&
        fast_engine_needs_cells_only(prepared.values, spec.engine, n_rows, spec.max_depth);
    const CodeUse use = cells_only ? CodeUse::cells : wish.buckets ? CodeUse::buckets : CodeUse::search;
    CodedTable codes = make_codes(table, prepared.features, use, fingerprint, monitor);
    if (wish.buckets) spec.engine.buckets = use_buckets(codes);
    if (!fast) return grow_lists(encode_buckets(codes), prepared.values, spec, monitor);
    put_classes(codes, prepared.values);
    const std::unique_ptr<Engine> engine = make_fast_engine(codes, prepared.values, spec.engine);
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
  if (!stored_only) return grow_lists(std::move(encoded), prepared.values, spec, monitor);
  const std::unique_ptr<Engine> engine = make_sparse_engine(encoded, prepared.values, spec.engine);
  return grow(*engine, n_columns, prepared.values, spec, monitor);
}

}  // namespace

std::unique_ptr<Engine> make_any_lists(const EncodedTable& table, const Targets& targets,
                                       const GrowSpec& spec) {
  return spec.engine.arms.wanted ? make_arms_engine(table, targets, spec.engine, spec.variance_price)
                                 : make_lists_engine(table, targets, spec.engine);
}

bool has_sparse(const Table& table, const Schema& features) {
  return std::any_of(features.fields.begin(), features.fields.end(), [&](const Field& field) {
    return std::holds_alternative<SparseView>(table.column(table.find(field.name).value()));
  });
}

Grown grow_prepared(const Table& table, const Prepared& prepared, const Params& params,
                    const Execution& execution, Fingerprint& fingerprint, std::string& engine_name,
                    Monitor& monitor) {
  Grown grown;
  if (is_classic(params)) {
    engine_name = "quinlan";
    grown.tree = grow_classic(table, prepared, params, fingerprint, monitor);
  } else {
    GrowSpec spec = grow_spec(prepared, params, resolve_criterion(params.criterion, prepared.task));
    choose_engine(spec, execution.engine);
    grown = grow_table(table, prepared, std::move(spec), {execution.engine, params.splitter == "hist"},
                       fingerprint, engine_name, monitor);
  }
  if (!prepared.value_scale.empty()) grown.tree = scale_values(grown.tree, prepared.value_scale);
  return grown;
}

namespace {

Model fit_prepared(const Table& table, const FitSpec& fit_spec, const Params& params,
                   const Execution& execution, Monitor& monitor) {
  check_algorithm(params);
  Prepared prepared = prepare(table, fit_spec, params);
  check_honest(params, prepared.task);
  const std::vector<RowId> held =
      hold_for_calibration(prepared, params, static_cast<std::size_t>(table.n_rows()));
  const CriterionId criterion = resolve_criterion(wanted_criterion(params, prepared.task), prepared.task);
  std::string engine;
  std::optional<Fingerprint> fingerprint;  // of the cells that a training has read: the same every time
  const auto train = [&](const Prepared& rows) {
    fingerprint.emplace(prepared.row_marks);
    return grow_prepared(table, rows, params, execution, *fingerprint, engine, monitor);
  };
  const std::string criterion_name = model_criterion(prepared, params, criterion);
  const auto grow_one = [&](const Prepared& rows) {
    PrunedTree pruned = grow_and_prune({table, fit_spec, params, rows, criterion_name}, train);
    Tree& tree = pruned.grown.tree;
    if (params.cp >= 0.0) tree = prune_cp(tree, cp_risk(tree, params.loss_matrix), params.cp);
    return pruned;
  };
  std::vector<PrunedTree> trees;
  if (params.honest) {
    trees = grow_honest(table, prepared, params, criterion, grow_one);
    note_lonely_classes(prepared);
  } else if (params.tao > 0) {
    trees.push_back(make_refined({table, params, prepared, criterion_name, monitor}, grow_one));
  } else {
    trees.push_back(grow_one(prepared));
  }
  ModelFacts facts = facts_of(prepared, params, criterion_name);
  facts.engine = std::move(engine);
  facts.cells = fingerprint->finish(prepared.features);
  std::optional<PruningTable> pruning_table = std::move(trees.front().table);
  std::vector<Grown> grown;
  for (PrunedTree& one : trees) grown.push_back(std::move(one.grown));
  Model::Parts parts = assemble_model({}, std::move(grown), std::move(facts));
  parts.pruning_table = std::move(pruning_table);
  return finish_model(std::move(parts), table, prepared, held, execution);
}

Model fit_watched(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution,
                  const Model* so_far) {
  validate(params);
  check_dependent_params(params, !spec.treatment.empty());
  check_exclusions(params, {.treatment = !spec.treatment.empty()});
  Monitor monitor(report_to(execution));
  std::optional<Model> model;
  // Waking other threads takes longer than a small table does.
  const std::int64_t cells = table.n_rows() * static_cast<std::int64_t>(table.n_columns()) *
                             std::max<std::int32_t>(1, params.forest);
  with_threads(execution.threads == 0 && cells < internal_limits().parallel_fit ? 1 : execution.threads, [&] {
    model = params.forest > 0 ? fit_forest(table, spec, params, execution, monitor, so_far)
                              : fit_prepared(table, spec, params, execution, monitor);
  });
  return std::move(*model);
}

}  // namespace

Model fit(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution) {
  return fit_watched(table, spec, params, execution, nullptr);
}

Model grow_more(const Model& forest, const Table& table, const FitSpec& spec, const Params& params,
                const Execution& execution) {
  return fit_watched(table, spec, params, execution, &forest);
}

}  // namespace bough
