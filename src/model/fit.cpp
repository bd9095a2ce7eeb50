// SPDX-License-Identifier: Apache-2.0
// The pipeline on one screen: table -> encode -> grow -> prune -> model.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/model.hpp"
#include "grow/grow.hpp"
#include "model/classics.hpp"
#include "model/grow_prepared.hpp"
#include "model/priors.hpp"
#include "model/pruning.hpp"

namespace bough {
namespace {

ColId feature_index(const Schema& features, const std::string& name, std::string_view param) {
  if (const auto index = features.find(name)) return static_cast<ColId>(*index);
  std::vector<std::string> names;
  for (const Field& field : features.fields) names.push_back(field.name);
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::bad_params, fmt::format("{} names '{}', which is no feature column", param, name),
              near.empty() ? fmt::format("the features are {}", list_some(names, 12)) : fmt::format("did you mean '{}'?", near));
}

std::vector<int> monotone_signs(const Prepared& prepared, const Params& params) {
  const bool any = std::any_of(params.monotonic_cst.begin(), params.monotonic_cst.end(),
                               [](const auto& entry) { return entry.second != 0.0; });
  if (!any) return {};
  if (prepared.values.n_outputs() != 1 ||
      (prepared.task == Task::classification && prepared.values.classes.front().n_classes > 2))
    throw Error(ErrorCode::not_supported, "monotone constraints need one target, a number or two classes",
                "fit one model per target, or drop monotonic_cst");
  if (prepared.task == Task::classification && prepared.values.classes.front().n_classes < 2) return {};
  std::vector<int> signs(prepared.features.fields.size(), 0);
  for (const auto& [name, sign] : params.monotonic_cst) {
    const auto column = static_cast<std::size_t>(feature_index(prepared.features, name, "monotonic_cst"));
    if (prepared.features.fields[column].kind == Kind::category && sign != 0.0)
      throw Error(ErrorCode::bad_params, fmt::format("monotonic_cst names '{}', a category without order", name),
                  "make the column ordinal, or drop the constraint");
    if (sign != -1.0 && sign != 0.0 && sign != 1.0)
      throw Error(ErrorCode::bad_params, fmt::format("monotonic_cst of '{}' is {}", name, sign), "use 1, 0 or -1");
    signs[column] = static_cast<int>(sign);
  }
  return signs;
}

std::vector<std::vector<ColId>> interaction_groups(const Prepared& prepared, const Params& params) {
  if (params.interaction_cst.empty()) return {};
  std::vector<std::vector<ColId>> groups;
  std::vector<char> listed(prepared.features.fields.size(), 0);
  for (const auto& names : params.interaction_cst) {
    std::vector<ColId> group;
    for (const std::string& name : names) {
      group.push_back(feature_index(prepared.features, name, "interaction_cst"));
      listed[static_cast<std::size_t>(group.back())] = 1;
    }
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (!group.empty()) groups.push_back(std::move(group));
  }
  for (std::size_t j = 0; j < listed.size(); ++j)
    if (!listed[j]) groups.push_back({static_cast<ColId>(j)});
  return groups;
}

FullOptions full_options(const Prepared& prepared, const Params& params) {
  FullOptions full;
  full.missing = params.missing_policy == "surrogate" ? MissingPolicy::surrogate
                 : params.missing_policy == "stop"    ? MissingPolicy::stop
                                               : MissingPolicy::learn;
  full.wanted = full.missing != MissingPolicy::learn || params.competitors > 0 || !params.column_costs.empty();
  if (!full.wanted) return full;
  if (params.splitter == "hist")
    throw Error(ErrorCode::not_supported,
                "splitter=hist does not know surrogates, competitors or column costs", "use splitter=best");
  full.surrogates = static_cast<std::size_t>(params.surrogates);
  full.else_stops = params.surrogate_else == "stop";
  full.known_agreement = params.surrogate_agreement == "known";
  full.competitors = static_cast<std::size_t>(params.competitors);
  if (!params.column_costs.empty()) full.costs.assign(prepared.features.fields.size(), 1.0);
  for (const auto& [name, cost] : params.column_costs)
    full.costs[static_cast<std::size_t>(feature_index(prepared.features, name, "column_costs"))] = cost;
  full.weights = prepared.case_weights;
  return full;
}

}  // namespace

GrowSpec grow_spec(const Prepared& prepared, const Params& params, CriterionId criterion) {
  const std::int64_t n_rows = prepared.n_rows;
  GrowSpec spec;
  spec.engine.criterion = criterion;
  spec.engine.quantile = params.quantile;
  spec.engine.scan.equality = params.category_split == "equality";
  spec.engine.scan.random = params.splitter == "random";
  spec.engine.monotone = monotone_signs(prepared, params);
  spec.engine.full = full_options(prepared, params);
  if (params.max_depth) spec.max_depth = *params.max_depth;
  spec.min_samples_split = params.min_samples_split.resolve_up(n_rows);
  spec.min_samples_leaf = params.min_samples_leaf.resolve_up(n_rows);
  spec.min_weight_fraction_leaf = params.min_weight_fraction_leaf;
  spec.min_impurity_decrease = params.min_impurity_decrease;
  spec.max_leaf_nodes = params.max_leaf_nodes;
  if (params.max_features)
    spec.max_features = static_cast<std::size_t>(
        params.max_features->resolve_down(static_cast<std::int64_t>(prepared.features.fields.size())));
  spec.interactions = interaction_groups(prepared, params);
  spec.seed = static_cast<std::uint64_t>(params.seed);
  return spec;
}

namespace {

// How to search: which engine, and whether it sees buckets (splitter=hist) or values.
struct Wish {
  std::string_view engine;
  bool buckets = false;
};

Grown grow_lists(const EncodedTable& encoded, const Targets& targets, const GrowSpec& spec, Monitor& monitor) {
  const std::unique_ptr<Engine> engine = make_lists_engine(encoded, targets, spec.engine);
  return grow(*engine, encoded.columns.size(), targets, spec, monitor);
}

// Grows with the engine that fits; which one it is shows in the provenance and nowhere else.
Grown grow_table(const Table& table, const Prepared& prepared, GrowSpec spec, const Wish& wish, Fingerprint& fingerprint,
                 std::string& engine_name, Monitor& monitor) {
  const std::size_t n_columns = prepared.features.fields.size();
  bool sparse = false;
  for (const Field& field : prepared.features.fields)
    sparse |= std::holds_alternative<SparseView>(table.column(table.find(field.name).value()));
  if (wish.buckets && sparse)
    throw Error(ErrorCode::not_supported, "splitter=hist is for dense columns, but some are sparse", "use splitter=best");
  if (spec.engine.full.wanted) {
    const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
    const std::unique_ptr<Engine> engine = make_full_engine(encoded, prepared.values, spec.engine);
    engine_name = "full";
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  const bool forced = wish.engine == "lists" || wish.engine == "sparse";
  const bool fast = !forced && !sparse && fast_engine_fits(prepared.values, spec.engine, n_columns);
  const bool stored_only = wish.engine != "lists" && (sparse || wish.engine == "sparse") && !wish.buckets &&
                           sparse_engine_fits(prepared.values, spec.engine);
  engine_name = fast ? "fast" : stored_only ? "sparse" : "lists";
  if (fast || wish.buckets) {
    const bool plain = spec.engine.monotone.empty() && spec.interactions.empty() && !spec.max_leaf_nodes && !wish.buckets;
    const bool cells_only = plain && fast_engine_only_lists(prepared.values, spec.engine, spec.max_depth);
    CodedTable codes = make_codes(table, prepared.features, cells_only ? CodeUse::cells : wish.buckets ? CodeUse::buckets : CodeUse::search, fingerprint, monitor);
    if (wish.buckets) spec.engine.buckets = use_buckets(codes);
    if (!fast) return grow_lists(encode_buckets(codes), prepared.values, spec, monitor);
    const std::unique_ptr<Engine> engine = make_fast_engine(codes, prepared.values, spec.engine);
    return grow(*engine, n_columns, prepared.values, spec, monitor);
  }
  EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
  if (!stored_only) return grow_lists(std::move(encoded), prepared.values, spec, monitor);
  const std::unique_ptr<Engine> engine = make_sparse_engine(encoded, prepared.values, spec.engine);
  return grow(*engine, n_columns, prepared.values, spec, monitor);
}

}  // namespace

Grown grow_prepared(const Table& table, const Prepared& prepared, const Params& params, const Execution& execution,
                    Fingerprint& fingerprint, std::string& engine_name, Monitor& monitor) {
  Grown grown;
  if (is_classic(params)) {
    engine_name = "quinlan";
    grown.tree = grow_classic(table, prepared, params, fingerprint, monitor);
  } else {
    GrowSpec spec = grow_spec(prepared, params, resolve_criterion(params.criterion, prepared.task));
    if (execution.engine == "refine" || execution.engine == "frugal") {
      spec.engine.small_rows = 0;
      spec.engine.min_histogram = 1;
    }
    if (execution.engine == "frugal") spec.engine.histogram_budget = std::size_t{64} << 10;
    if (execution.engine == "presorted") spec.engine.small_rows = kMaxSmallRows;
    grown = grow_table(table, prepared, std::move(spec), {execution.engine, params.splitter == "hist"}, fingerprint,
                       engine_name, monitor);
  }
  if (!prepared.value_scale.empty()) grown.tree = scale_values(grown.tree, prepared.value_scale);
  return grown;
}

namespace {

Model fit_prepared(const Table& table, const FitSpec& fit_spec, const Params& params, const Execution& execution,
                   Monitor& monitor) {
  check_algorithm(params);
  Prepared prepared = prepare(table, fit_spec, params);
  const CriterionId criterion = resolve_criterion(wanted_criterion(params, prepared.task), prepared.task);
  Model::Parts parts;
  std::optional<Fingerprint> fingerprint;  // of the cells that a training has read: the same every time
  const auto train = [&](const Prepared& rows) {
    fingerprint.emplace(rows.features.fields.size(), static_cast<std::size_t>(table.n_rows()));
    return grow_prepared(table, rows, params, execution, *fingerprint, parts.provenance.engine, monitor);
  };
  parts.criterion = criterion_info(criterion).name;
  PrunedTree pruned = grow_and_prune({table, fit_spec, params, prepared, parts.criterion}, train);
  Tree& tree = pruned.grown.tree;
  if (params.cp >= 0.0) tree = prune_cp(tree, cp_risk(tree, params.loss_matrix), params.cp);
  if (pruned.grown.heuristic)
    prepared.notes.push_back(
        fmt::format("subsets of categories with more than {} values were searched by the heuristic 'principal_direction'",
                    kExhaustiveLevels));
  parts.trees.push_back(std::move(pruned.grown.tree));
  parts.pruning_table = std::move(pruned.table);
  parts.features = std::move(prepared.features);
  parts.targets = std::move(prepared.targets);
  parts.params = params;
  parts.task = prepared.task;
  parts.provenance.library_version = version();
  const std::uint64_t hashes[] = {fingerprint->finish(parts.features), prepared.target_hash};
  parts.provenance.data_hash = fmt::format("xxh3:{:016x}", hash_bytes(hashes, sizeof hashes));
  parts.provenance.n_rows = prepared.n_rows;
  parts.provenance.notes = std::move(prepared.notes);
  return Model(std::move(parts));
}

}  // namespace

Model fit(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution) {
  validate(params);
  Monitor monitor(execution.progress ? Monitor::Report([&](std::string_view stage, double fraction, std::int64_t nodes) {
    return execution.progress({stage, fraction, nodes});
  })
                                     : Monitor::Report());
  std::optional<Model> model;
  // Waking other threads takes longer than a small table does.
  constexpr std::int64_t few_cells = 1 << 15;
  const bool small = table.n_rows() * static_cast<std::int64_t>(table.n_columns()) < few_cells;
  with_threads(execution.threads == 0 && small ? 1 : execution.threads, [&] { model = fit_prepared(table, spec, params, execution, monitor); });
  return std::move(*model);
}

}  // namespace bough
