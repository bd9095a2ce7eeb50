// SPDX-License-Identifier: Apache-2.0
// From parameters to a search, and from its result to words.
#include "model/searched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/given_params.hpp"
#include "params/conflicts.hpp"

namespace bough {
namespace {

// "at most 8 leaves and depth 3 with 5 rows or more in every leaf".
std::string limit_words(const Params& params, std::int64_t n_rows) {
  std::string words = "at most ";
  if (params.max_leaf_nodes) words += fmt::format("{} leaves", *params.max_leaf_nodes);
  if (params.max_leaf_nodes && params.max_depth) words += " and ";
  if (params.max_depth) words += fmt::format("depth {}", *params.max_depth);
  if (const std::int64_t least = params.min_samples_leaf.resolve_up(n_rows); least > 1)
    words += fmt::format(" with {} rows or more in every leaf", least);
  return words;
}

search::SearchSpec search_spec(const Prepared& prepared, const Params& params) {
  constexpr std::int32_t most = 1 << 20;  // leaves and levels beyond any search
  search::SearchSpec spec;
  spec.prove = params.search == "optimal";
  spec.limits.leaves = std::min(params.max_leaf_nodes.value_or(most), most);
  spec.limits.depth = std::min(params.max_depth.value_or(most), most);
  spec.leaf_price = params.leaf_price;
  spec.min_samples_leaf = params.min_samples_leaf.resolve_up(prepared.n_weighted);
  spec.equality = params.category_split == "equality";
  spec.work_limit = params.work_limit;
  spec.time_limit = params.time_limit;
  spec.criterion = resolve_criterion(params.criterion, prepared.task);
  for (const Field& field : prepared.features.fields) spec.names.push_back(field.name);
  return spec;
}

void check_numbers(const Prepared& prepared, const Params& params) {
  if (resolve_criterion(params.criterion, prepared.task) != CriterionId::squared_error)
    throw Error(ErrorCode::not_supported,
                fmt::format("search={} makes squared errors of numbers small, not criterion={}",
                            params.search, params.criterion),
                "use criterion=squared_error, or search=greedy");
  if (params.search == "optimal" && params.min_samples_leaf.resolve_up(prepared.n_weighted) > 1)
    throw Error(ErrorCode::not_supported,
                "search=optimal proves trees of numbers without min_samples_leaf, which is given",
                "drop min_samples_leaf, or use search=anytime");
}

search::SearchSpec spec_of(const Prepared& prepared, const Params& params) {
  if (prepared.values.n_outputs() != 1)
    throw Error(ErrorCode::not_supported,
                fmt::format("search={} counts errors of one target, and there are {}", params.search,
                            prepared.values.n_outputs()),
                "use search=greedy, or fit one model per target");
  if (prepared.task == Task::regression) check_numbers(prepared, params);
  if (!params.max_leaf_nodes && !params.max_depth)
    throw Error(ErrorCode::bad_params,
                fmt::format("search={} needs a limit on the size of the tree", params.search),
                "set max_leaf_nodes, max_depth or both");
  return search_spec(prepared, params);
}

// What an error on a row of every class costs, whatever the answer.
std::vector<double> class_costs(const NumberGrid& losses) {
  std::vector<double> costs;
  for (std::size_t c = 0; c < losses.size(); ++c) {
    const double cost = losses[c][c == 0 ? 1 : 0];
    for (std::size_t d = 0; d < losses.size(); ++d)
      if (losses[c][d] != (c == d ? 0.0 : cost))
        throw Error(
            ErrorCode::not_supported,
            "searches know losses that depend on the class alone, but in loss_matrix they differ by answer",
            "give every row one loss beside the 0 of the right answer, or use search=greedy");
    costs.push_back(cost);
  }
  return costs;
}

// The targets under weights that say what an error costs.
Targets cost_targets(const Prepared& prepared, const NumberGrid& losses) {
  const std::vector<double> costs = class_costs(losses);
  Targets out;
  out.classes = prepared.values.classes;
  const std::vector<std::uint32_t>& codes = out.classes.front().codes;
  std::vector<double> weights(codes.size(), 0.0);
  for (const RowId row : prepared.values.rows)
    weights[row] = (prepared.case_weights.empty() ? 1.0 : prepared.case_weights[row]) * costs[codes[row]];
  to_fixed_point(out, weights, std::ssize(codes));
  return out;
}

std::string number_words(const SearchProof& proof, const Params& params, const std::string& limits) {
  const std::string leaves =
      params.leaf_price > 0.0 ? fmt::format(" with leaves at {} each", params.leaf_price) : std::string();
  const std::string found = fmt::format("search: a sum of squared errors{} of {} on the training rows",
                                        leaves, number_text(proof.cost));
  if (proof.is_proven()) return fmt::format("{}; proven: no tree of {} has a lower one", found, limits);
  if (params.search == "optimal")
    return fmt::format("{}; the proof was ended early: no tree of {} has one below {}", found, limits,
                       number_text(proof.lower_bound));
  return fmt::format("{}, the lowest found within {}; whether a tree has a lower one is not known", found,
                     limits);
}

bool can_search(const Prepared& prepared, const Params& params) {
  const bool known =
      prepared.task == Task::classification
          ? prepared.values.classes.size() == 1
          : prepared.values.numbers.size() == 1 &&
                resolve_criterion(params.criterion, prepared.task) == CriterionId::squared_error;
  return known && prepared.n_rows * std::ssize(prepared.features.fields) <= kMostSearchedCells &&
         params.loss_matrix.empty() && is_supported(Mode::search, params);
}

// Why trees cannot be searched beside grown ones.
std::string why_not_searched(const Prepared& prepared, const Params& params) {
  if (prepared.values.n_outputs() != 1) return "there are several targets";
  if (prepared.task != Task::classification &&
      resolve_criterion(params.criterion, prepared.task) != CriterionId::squared_error)
    return fmt::format("the search does not know criterion={}", params.criterion);
  const std::vector<std::string> unknown = unsearched_params(params);
  if (!params.loss_matrix.empty() || !unknown.empty())
    return fmt::format("the search does not know {}", unknown.empty() ? "loss_matrix" : join(unknown, ", "));
  return fmt::format("the table has more than {} cells", kMostSearchedCells);
}

}  // namespace

std::string idle_work_limit(const Prepared& prepared, const Params& params) {
  if (!params.work_limit || can_search(prepared, params)) return {};
  return fmt::format("work_limit={} has no effect, because nothing was searched: {}", *params.work_limit,
                     why_not_searched(prepared, params));
}

Grown grow_searched(const Table& table, const Prepared& prepared, const Params& params,
                    Fingerprint& fingerprint, Monitor& monitor) {
  search::SearchSpec spec = spec_of(prepared, params);
  std::optional<Targets> costs;
  if (!params.loss_matrix.empty()) spec.costs = &costs.emplace(cost_targets(prepared, params.loss_matrix));
  const EncodedTable encoded = encode(table, prepared.features, fingerprint, monitor);
  search::Searched found = search::search_tree(encoded, prepared.values, spec, monitor);
  Grown grown{std::move(found.tree), false, found.proof, std::move(found.notes)};
  const bool all_tests = grown.notes.empty();  // or some categories were not searched in full
  grown.notes.push_back(search_words(found.proof, params, prepared, all_tests));
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
  if (prepared.task != Task::classification || !can_search(prepared, params) || leaves > kMostSearchedLeaves)
    return {};
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

std::string search_words(const SearchProof& proof, const Params& params, const Prepared& prepared,
                         bool all_tests) {
  const std::string limits =
      limit_words(params, prepared.n_weighted) + (all_tests ? "" : " and with the searched subsets");
  if (prepared.task == Task::regression) return number_words(proof, params, limits);
  const std::string unit = params.leaf_price > 0.0
                               ? fmt::format("errors and leaves at {} each", params.leaf_price)
                               : std::string(params.loss_matrix.empty() ? "errors" : "lost by errors");
  const std::string found = fmt::format("search: {} {} on the training rows", number_text(proof.cost), unit);
  if (proof.is_proven()) return fmt::format("{}; proven: no tree of {} has fewer", found, limits);
  if (params.search == "optimal")
    return fmt::format("{}; the proof was ended early: no tree of {} has fewer than {}", found, limits,
                       number_text(proof.lower_bound));
  return fmt::format("{}, the fewest found within {}; whether a tree has fewer is not known", found, limits);
}

}  // namespace bough
