// SPDX-License-Identifier: Apache-2.0
// The pipeline on one screen: table -> encode -> grow -> prune -> model.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "bough/forest.hpp"
#include "bough/model.hpp"
#include "grow/grow.hpp"
#include "model/calibration.hpp"
#include "model/classics.hpp"
#include "model/forest.hpp"
#include "model/grow_prepared.hpp"
#include "model/grow_spec.hpp"
#include "model/honest.hpp"
#include "model/needs.hpp"
#include "model/priors.hpp"
#include "model/pruning.hpp"
#include "model/refine.hpp"
#include "model/treatment.hpp"
#include "split/arms.hpp"
#include "split/lookahead.hpp"
#include "split/ranked.hpp"

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
  const std::size_t n_columns = prepared.features.fields.size();
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
  const bool fast = !forced && !sparse && fast_engine_fits(prepared.values, spec.engine, n_columns);
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
    const bool plain =
        spec.engine.monotone.empty() && spec.interactions.empty() && !spec.max_leaf_nodes && !wish.buckets;
    const bool cells_only = plain && fast_engine_only_lists(prepared.values, spec.engine, spec.max_depth);
    CodedTable codes = make_codes(table, prepared.features,
                                  cells_only     ? CodeUse::cells
                                  : wish.buckets ? CodeUse::buckets
                                                 : CodeUse::search,
                                  fingerprint, monitor);
    if (wish.buckets) spec.engine.buckets = use_buckets(codes);
    if (!fast) return grow_lists(encode_buckets(codes), prepared.values, spec, monitor);
    if (plain && wish.engine.starts_with("ranked") && ranked_engine_fits(prepared.values, spec.engine)) {
      if (const std::optional<RankedTable> ranked = rank_table(codes, monitor)) {
        engine_name = "ranked";
        const std::unique_ptr<Engine> engine =
            make_ranked_engine(*ranked, prepared.values, spec.engine, ranked_limits(wish.engine));
        return grow(*engine, n_columns, prepared.values, spec, monitor);
      }
    }
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

void sign(Model::Parts& parts, Prepared& prepared, std::uint64_t cells) {
  parts.provenance.library_version = version();
  parts.provenance.data_hash = data_hash_text(cells, prepared.targets);
  parts.provenance.n_rows = prepared.n_rows;
  parts.provenance.notes = std::move(prepared.notes);
}

std::string data_hash_text(std::uint64_t cells, const Schema& targets) {
  std::uint64_t hash = cells;
  for (const Field& field : targets.fields)
    for (const std::string& level : field.levels.names) hash = hash_text(level, hash);
  return fmt::format("xxh3:{:016x}", hash);
}

std::string category_note() {
  return fmt::format(
      "subsets of categories with more than {} values were searched by the heuristic 'principal_direction'",
      kExhaustiveLevels);
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
  Model::Parts parts;
  std::optional<Fingerprint> fingerprint;  // of the cells that a training has read: the same every time
  const auto train = [&](const Prepared& rows) {
    fingerprint.emplace(prepared.row_marks);
    return grow_prepared(table, rows, params, execution, *fingerprint, parts.provenance.engine, monitor);
  };
  parts.criterion =
      prepared.treatment.fields.empty() ? criterion_info(criterion).name : causal_criterion(params);
  const auto grow_one = [&](const Prepared& rows) {
    PrunedTree pruned = grow_and_prune({table, fit_spec, params, rows, parts.criterion}, train);
    Tree& tree = pruned.grown.tree;
    if (params.cp >= 0.0) tree = prune_cp(tree, cp_risk(tree, params.loss_matrix), params.cp);
    return pruned;
  };
  std::vector<PrunedTree> trees;
  if (params.honest) {
    trees = grow_honest(table, prepared, params, criterion, grow_one);
    note_lonely_classes(prepared);
  } else if (params.tao > 0) {
    trees.push_back(make_refined({table, params, prepared, parts.criterion, monitor}, grow_one));
  } else {
    trees.push_back(grow_one(prepared));
  }
  if (std::any_of(trees.begin(), trees.end(), [](const PrunedTree& one) { return one.grown.heuristic; }))
    prepared.notes.push_back(category_note());
  if (trees.size() > 1) parts.combine = Combine::mean;
  parts.pruning_table = std::move(trees.front().table);
  for (PrunedTree& one : trees) parts.trees.push_back(std::move(one.grown.tree));
  parts.features = prepared.features;
  parts.targets = prepared.targets;
  parts.treatment = prepared.treatment;
  parts.params = params;
  parts.task = prepared.task;
  sign(parts, prepared, fingerprint->finish(parts.features));
  return finish_model(std::move(parts), table, prepared, held, execution);
}

Model fit_watched(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution,
                  const Model* so_far) {
  validate(params);
  check_needs(params, !spec.treatment.empty());
  check_lookahead(params);
  check_tao(params);
  if (!spec.treatment.empty()) check_treatment_params(params);
  Monitor monitor(execution.progress
                      ? Monitor::Report([&](std::string_view stage, double fraction, std::int64_t nodes) {
                          return execution.progress({stage, fraction, nodes});
                        })
                      : Monitor::Report());
  std::optional<Model> model;
  // Waking other threads takes longer than a small table does.
  constexpr std::int64_t few_cells = 1 << 15;
  const std::int64_t cells = table.n_rows() * static_cast<std::int64_t>(table.n_columns()) *
                             std::max<std::int32_t>(1, params.forest);
  with_threads(execution.threads == 0 && cells < few_cells ? 1 : execution.threads, [&] {
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
