// SPDX-License-Identifier: Apache-2.0
// From parameters to a search, and from its result to words.
#include "model/searched.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "params/conflicts.hpp"

namespace bough {
namespace {

// "at most 8 leaves and depth 3".
std::string limit_words(const Params& params) {
  std::string words = "at most ";
  if (params.max_leaf_nodes) words += fmt::format("{} leaves", *params.max_leaf_nodes);
  if (params.max_leaf_nodes && params.max_depth) words += " and ";
  if (params.max_depth) words += fmt::format("depth {}", *params.max_depth);
  return words;
}

search::SearchSpec search_spec(const Prepared& prepared, const Params& params) {
  constexpr std::int32_t most = 1 << 20;  // leaves and levels beyond any search
  search::SearchSpec spec;
  spec.prove = params.search == "optimal";
  spec.limits.leaves = std::min(params.max_leaf_nodes.value_or(most), most);
  spec.limits.depth = std::min(params.max_depth.value_or(most), most);
  spec.leaf_price = params.leaf_price;
  spec.min_samples_leaf = params.min_samples_leaf.resolve_up(prepared.n_rows);
  spec.equality = params.category_split == "equality";
  spec.work_limit = params.work_limit;
  spec.time_limit = params.time_limit;
  spec.criterion = resolve_criterion(params.criterion, prepared.task);
  for (const Field& field : prepared.features.fields) spec.names.push_back(field.name);
  return spec;
}

search::SearchSpec spec_of(const Prepared& prepared, const Params& params) {
  if (prepared.task != Task::classification || prepared.values.classes.size() != 1)
    throw Error(ErrorCode::not_supported,
                fmt::format("search={} counts errors of one class target, which is not there", params.search),
                "use search=greedy, or fit one model per target");
  if (!params.max_leaf_nodes && !params.max_depth)
    throw Error(ErrorCode::bad_params,
                fmt::format("search={} needs a limit on the size of the tree", params.search),
                "set max_leaf_nodes, max_depth or both");
  return search_spec(prepared, params);
}

bool can_search(const Prepared& prepared, const Params& params) {
  return prepared.task == Task::classification && prepared.values.classes.size() == 1 &&
         prepared.n_rows * std::ssize(prepared.features.fields) <= kMostSearchedCells &&
         is_supported(Mode::search, params);
}

}  // namespace

Grown grow_searched(const Table& table, const Prepared& prepared, const Params& params,
                    Fingerprint& fingerprint, Monitor& monitor) {
  const search::SearchSpec spec = spec_of(prepared, params);
  const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
  search::Searched found = search::search_tree(encoded, prepared.values, spec, monitor);
  Grown grown{std::move(found.tree), false, found.proof, std::move(found.notes)};
  grown.notes.push_back(search_words(found.proof, params));
  return grown;
}

std::vector<SizedTrees> search_sizes(const Table& table, std::span<const Prepared* const> rows,
                                     const Params& params, Monitor& monitor) {
  const Prepared& all = *rows.front();
  if (!can_search(all, params)) return {};
  monitor.stage("search");
  Fingerprint unused;
  const EncodedTable encoded = encode(table, all.features, unused, monitor);
  std::vector<SizedTrees> out(rows.size());
  try {
    parallel_for(rows.size(), [&](std::size_t i) {
      search::SearchSpec spec = search_spec(*rows[i], params);
      spec.limits.leaves = std::min(spec.limits.leaves, kMostSearchedLeaves);
      spec.work_limit = params.work_limit.value_or(kChoiceWork) / std::ssize(rows);
      search::SearchedPath found = search::search_path(encoded, rows[i]->values, spec, monitor);
      out[i] = {std::move(found.trees), std::move(found.proofs), std::move(found.notes)};
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_supported) throw;  // weights that have no common unit
    return {};
  }
  return out;
}

std::vector<search::RootTree> searched_roots(const Table& table, const Prepared& prepared,
                                             const Params& params, std::int32_t leaves, Monitor& monitor) {
  if (!can_search(prepared, params) || leaves > kMostSearchedLeaves) return {};
  Fingerprint unused;
  const EncodedTable encoded = encode(table, prepared.features, unused, monitor);
  search::SearchSpec spec = search_spec(prepared, params);
  spec.limits.leaves = leaves;
  try {
    return search::search_roots(encoded, prepared.values, spec, monitor);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_supported) throw;  // weights that have no common unit
    return {};
  }
}

std::string search_words(const SearchProof& proof, const Params& params) {
  const std::string unit = params.leaf_price > 0.0
                               ? fmt::format("errors and leaves at {} each", params.leaf_price)
                               : std::string("errors");
  const std::string found = fmt::format("search: {} {} on the training rows", number_text(proof.cost), unit);
  if (proof.is_proven())
    return fmt::format("{}; proven: no tree of {} has fewer", found, limit_words(params));
  if (params.search == "optimal")
    return fmt::format("{}; a limit ended the proof: no tree of {} has fewer than {}", found,
                       limit_words(params), number_text(proof.lower_bound));
  return fmt::format("{}, the fewest found within {}; whether a tree has fewer is not known", found,
                     limit_words(params));
}

}  // namespace bough
