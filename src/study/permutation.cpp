// SPDX-License-Identifier: Apache-2.0
// Permutation tests: the whole tree, and every split among the rows of its node.
//
// Shuffling targets (with their weights) against the columns keeps both as they are and breaks every link
// between them. Whatever number is computed from the rows, in the same way each time, its place among the
// shuffled ones is uniform when there was no link: p = (1 + those as good) / (1 + repeats).
#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "bough/significance.hpp"
#include "model/prepare.hpp"
#include "params/conflicts.hpp"
#include "study/places.hpp"
#include "study/scoring.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kTreeSalt = 0x7e57;
constexpr std::uint64_t kSplitSalt = 0x5b17;
constexpr std::int64_t kFewestShuffles = 199;
constexpr std::int64_t kMostShuffles = 999;  // unless more are asked for

// With n tests the smallest p-value is adjusted to n / (1 + shuffles): half of 0.05 here.
std::int64_t shuffles_for(std::int64_t n_tests) {
  return std::clamp(40 * n_tests - 1, kFewestShuffles, kMostShuffles);
}

double score_of(const RefitJob& job, const Table& table, const PermutationOptions& options,
                const Execution& execution) {
  if (options.score == "held_out")
    return cross_validate(job, table, options.folds, options.seed, execution).pooled();
  return score_rows(job.fit(table, execution), table, job.spec.weight).mean();
}

void check(const PermutationOptions& options) {
  if (options.repeats) require_at_least(*options.repeats, 1, "repeats");
  require_at_least(options.folds, 2, "folds");
  if (options.score != "held_out" && options.score != "training")
    throw Error(ErrorCode::bad_params, fmt::format("there is no score '{}'", options.score),
                "use held_out or training");
}

std::string free_name(const Table& table, std::string name) {
  while (table.find(name)) name += '_';
  return name;
}

// One split of the rows of a node, searched as growing would search it.
struct Stump {
  NodeId node = 0;
  RefitJob job;
  double gain = 0.0;
};

// What limits a node of the tree limits a root of the node's rows alone. A limit on the decrease of impurity
// cannot turn a gain that passed it into one that did not, so it is dropped.
Params stump_params(const Params& whole, std::int64_t n_rows, double share_of_weight) {
  Params params = whole;
  params.max_depth = 1;
  params.max_leaf_nodes.reset();
  params.pruning = "none";
  params.ccp_alpha = 0.0;
  params.cp = -1.0;
  params.min_impurity_decrease = 0.0;
  params.min_samples_split = Amount::count(2);
  params.min_samples_leaf = Amount::count(static_cast<double>(whole.min_samples_leaf.resolve_up(n_rows)));
  params.min_weight_fraction_leaf = std::min(0.5, whole.min_weight_fraction_leaf / share_of_weight);
  params.class_weight = {};
  params.priors.clear();
  params.loss_matrix.clear();
  params.competitors = 0;
  reset_idle_params(params);
  return params;
}

double gain_of(const Model& model) {
  return model.tree().is_leaf(0) ? 0.0 : model.tree().gain(0);
}

// The rows with the weights that growing gave them: class weights, priors and losses are weights of rows
// here.
RefitJob weighted_job(const RefitJob& job) {
  RefitJob out = job;
  const Prepared prepared = prepare(job.table, job.spec, job.params);
  if (prepared.weights.empty()) return out;
  out.spec.weight = free_name(job.table, "weight");
  if (!job.spec.weight.empty()) out.spec.ignored.push_back(job.spec.weight);
  Table views;  // a copy of a table shares its columns, so the new one is added to views of them
  views.hold(std::make_shared<const Table>(job.table));
  for (std::size_t i = 0; i < job.table.n_columns(); ++i) append_column(views, job.table, i);
  views.add(out.spec.weight, std::span<const double>(prepared.weights));
  out.table = std::move(views);
  return out;
}

std::vector<NodeId> tested_nodes(const Tree& tree, std::int32_t max_depth) {
  std::vector<NodeId> nodes;
  const std::vector<std::int32_t> depths = tree.depths();
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node) && (max_depth < 0 || depths[static_cast<std::size_t>(node)] <= max_depth))
      nodes.push_back(node);
  return nodes;
}

// Training rows of the nodes, those of weight 0 left out.
std::vector<std::vector<RowId>> rows_of(const Model& model, const RefitJob& job,
                                        std::span<const NodeId> nodes) {
  const Table& table = job.table;
  std::vector<std::int32_t> place(static_cast<std::size_t>(model.tree().n_nodes()), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    place[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);
  std::vector<std::vector<RowId>> rows(nodes.size());
  const DecisionPaths paths = model.decision_path(table);
  for (const RowId row : prepare(table, job.spec, job.params).values.rows)
    for (std::int64_t k = paths.starts[row]; k < paths.starts[row + std::size_t{1}]; ++k) {
      const std::int32_t at = place[static_cast<std::size_t>(paths.nodes[static_cast<std::size_t>(k)])];
      if (at >= 0) rows[static_cast<std::size_t>(at)].push_back(row);
    }
  return rows;
}

std::vector<std::string> notes_for(const Params& params) {
  std::vector<std::string> notes;
  if (!params.monotonic_cst.empty() || !params.interaction_cst.empty())
    notes.emplace_back("constraints bind a node's split as they would bind a root");
  if (params.splitter == "random" || params.max_features)
    notes.emplace_back(
        "cuts or columns are drawn at random: a node's gain here need not be that of the tree's own split");
  return notes;
}

void refuse_classics(const Params& params) {
  if (params.honest)
    throw Error(ErrorCode::not_supported,
                "splits of honest trees are chosen by a part of the rows; they have no test here",
                "test the whole tree, or a tree without honest");
  if (params.algorithm == "cart") return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("splits of algorithm={} have many branches and may share rows; they have no test here",
                  params.algorithm),
      "test the whole tree, or a tree of algorithm=cart");
}

std::vector<Stump> make_stumps(const Model& whole, const RefitJob& job, std::span<const NodeId> nodes,
                               const Execution& execution) {
  const std::vector<std::vector<RowId>> rows = rows_of(whole, job, nodes);
  const RefitJob weighted = weighted_job(job);
  std::vector<Stump> stumps;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Stump& stump = stumps.emplace_back(Stump{nodes[i], weighted, 0.0});
    stump.job.table = weighted.table.take(rows[i]);
    stump.job.params =
        stump_params(job.params, job.table.n_rows(), whole.tree().weight(nodes[i]) / whole.tree().weight(0));
    stump.gain = gain_of(stump.job.fit(execution));
  }
  return stumps;
}

// How many shuffles of every node's targets have a split of at least its gain.
std::vector<std::int64_t> count_as_good(std::span<const Stump> stumps, const PermutationOptions& options,
                                        const Execution& execution) {
  const auto repeats = static_cast<std::size_t>(*options.repeats);
  std::vector<char> good(stumps.size() * repeats, 0);
  const std::uint64_t key = mix(options.seed, kSplitSalt);
  for_each_run(good.size(), execution, "permutation", [&](std::size_t i, const Execution& inner) {
    const Stump& stump = stumps[i / repeats];
    const std::uint64_t own = mix(mix(key, static_cast<std::uint64_t>(stump.node)), i % repeats);
    const Table shuffled = stump.job.shuffled(shuffled_rows(stump.job.table.n_rows(), own));
    good[i] = gain_of(stump.job.fit(shuffled, inner)) >= stump.gain ? 1 : 0;
  });
  std::vector<std::int64_t> counts(stumps.size(), 0);
  for (std::size_t i = 0; i < good.size(); ++i) counts[i / repeats] += good[i];
  return counts;
}

}  // namespace

TreePermutation permutation_test(const Model& model, const Table& table, const PermutationOptions& options,
                                 const Execution& execution) {
  check(options);
  const RefitJob job(model, table, options.refit);
  TreePermutation result;
  result.measure = measure_name(model.task());
  result.score_of = options.score;
  result.repeats = options.repeats.value_or(kFewestShuffles);
  result.seed = options.seed;
  result.reproduced = tests_hash(job.fit(execution)) == tests_hash(model);
  result.score = score_of(job, job.table, options, execution);
  std::vector<double> scores(static_cast<std::size_t>(result.repeats));
  std::vector<char> failed(scores.size(), 0);
  const std::uint64_t key = mix(options.seed, kTreeSalt);
  for_each_run(scores.size(), execution, "permutation", [&](std::size_t i, const Execution& inner) {
    const std::vector<RowId> order = shuffled_rows(job.table.n_rows(), mix(key, i));
    failed[i] = !attempt([&] { scores[i] = score_of(job, job.shuffled(order), options, inner); }).empty();
  });
  for (std::size_t i = 0; i < scores.size(); ++i) {
    result.failed += failed[i];
    result.as_good += failed[i] || as_good(model.task(), scores[i], result.score) ? 1 : 0;
    if (!failed[i]) result.shuffled.push_back(scores[i]);
  }
  result.p = (1.0 + static_cast<double>(result.as_good)) / (1.0 + static_cast<double>(result.repeats));
  return result;
}

SplitPermutations permutation_test_splits(const Model& model, const Table& table,
                                          const PermutationOptions& asked, const Execution& execution) {
  check(asked);
  PermutationOptions options = asked;
  refuse_classics(model.params());
  const RefitJob job(model, table, options.refit);
  const Model whole = job.fit(execution);
  const std::vector<Stump> stumps =
      make_stumps(whole, job, tested_nodes(whole.tree(), options.max_depth), execution);
  if (!options.repeats) options.repeats = shuffles_for(std::ssize(stumps));
  const std::vector<std::int64_t> as_good = count_as_good(stumps, options, execution);
  SplitPermutations result;
  result.repeats = *options.repeats;
  result.seed = options.seed;
  result.reproduced = tests_hash(whole) == tests_hash(model);
  result.notes = notes_for(job.params);
  const std::vector<std::int32_t> depths = whole.tree().depths();
  std::vector<double> p_values;
  for (std::size_t i = 0; i < stumps.size(); ++i) {
    const NodeId node = stumps[i].node;
    p_values.push_back((1.0 + static_cast<double>(as_good[i])) / (1.0 + static_cast<double>(result.repeats)));
    result.nodes.push_back({node, depths[static_cast<std::size_t>(node)], test_words(whole, node),
                            stumps[i].job.table.n_rows(), stumps[i].gain, as_good[i], p_values.back(), 1.0});
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i) result.nodes[i].adjusted = adjusted[i];
  return result;
}

}  // namespace bough
