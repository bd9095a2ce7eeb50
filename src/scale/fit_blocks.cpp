// SPDX-License-Identifier: Apache-2.0
// Training on blocks on one screen: facts, fixed points, levels, ends, model.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "bough/prune.hpp"
#include "model/assemble.hpp"
#include "model/bag.hpp"
#include "model/bag_marks.hpp"
#include "model/classics.hpp"
#include "model/progress.hpp"
#include "model/pruning.hpp"
#include "scale/provenance.hpp"
#include "scale/scale_spec.hpp"
#include "scale/ship_rows.hpp"
#include "scale/tree_job.hpp"

namespace bough {
namespace {

// Blocks must not mistake one training's notes for another's.
std::uint64_t new_job() {
  static std::atomic<std::uint64_t> count{0};
  const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return mix(now, ++count);
}

BagRule bag_rule(const ScalePlan::Parts& plan, const BlockFacts& facts) {
  BagRule bag;
  if (plan.params.forest == 0 || !plan.params.bootstrap) return bag;
  if (plan.weighted && !facts.all_weights_one)
    throw Error(ErrorCode::not_supported,
                "training on blocks does not draw rows in proportion to their weights",
                "turn bootstrap off, drop the weights, or train in memory");
  bag.bootstrap = true;
  bag.seed = plan.params.seed;
  bag.n_all = plan.n_rows;
  bag.n_draws = static_cast<std::int64_t>(bag_size(plan.params, static_cast<std::size_t>(plan.n_rows), {}));
  return bag;
}

// Trees that advance together: their histograms and the notes of blocks must fit.
std::size_t trees_at_once(const BlockJob& job) {
  constexpr std::int64_t most_rows = std::int64_t{1}
                                     << 28;  // that all blocks together note, some 8 bytes each
  const auto most = static_cast<std::size_t>(
      std::clamp<std::int64_t>(most_rows / std::max<std::int64_t>(1, job.plan->n_rows), 1, 64));
  return job.options.trees_at_once == 0 ? most : std::min(most, job.options.trees_at_once);
}

std::vector<Grown> grow_trees(const BlockJob& job, std::span<const std::uint32_t> numbers,
                              RequestChannel& channel, Monitor& monitor) {
  const Params& params = job.plan->params;
  const bool weighted = job.blank.bag.bootstrap || job.plan->weighted;
  std::vector<TreeFrame> frames = measure_frames(job, numbers, weighted, channel);
  TreeJobs trees;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t seed =
        params.forest > 0 ? tree_seed(params, numbers[i]) : static_cast<std::uint64_t>(params.seed);
    trees.push_back(std::make_unique<TreeJob>(job, numbers[i], std::move(frames[i]), seed, monitor));
  }
  while (std::any_of(trees.begin(), trees.end(), [](const auto& tree) { return tree->grower.open(); }))
    grow_level(job, trees, channel);
  return finish_trees(job, trees, channel);
}

Tree pruned(const ScalePlan::Parts& plan, Tree tree) {
  if (plan.params.ccp_alpha <= 0.0) return tree;
  if (plan.params.forest > 0 || resolved_pruning(plan.params) == "none")
    return prune(tree, plan.params.ccp_alpha);
  return prune(tree, cost_complexity_path(tree, named_risk(tree, plan.params.pruning_risk)),
               plan.params.ccp_alpha);
}

Model assemble(const ScalePlan& plan, const BlockFacts& facts, std::vector<Grown> grown) {
  for (Grown& one : grown) one.tree = pruned(plan.parts(), std::move(one.tree));
  Model::Parts parts = assemble_model({}, std::move(grown), model_facts(plan, facts));
  if (plan.params().forest > 0)
    mark_bags(parts, facts.all_weights_one ? std::vector<double>() : weights_mark(facts.weights_mark), {},
              nullptr);
  return Model(std::move(parts));
}

Model train(const ScalePlan& plan, BlockExecutor& executor, const BlockOptions& options, Monitor& monitor) {
  RequestChannel channel(executor, monitor);
  BlockJob job;
  job.plan = &plan.parts();
  job.options = options;
  job.blank.job = new_job();
  job.blank.criterion = plan.parts().criterion;
  monitor.stage("facts");
  const BlockFacts facts = channel.ask(job.request(Phase::describe, 0)).facts;
  check_facts(plan, facts);
  const CodedTable columns = column_shape(plan.parts(), facts);
  job.columns = &columns;
  job.blank.bag = bag_rule(plan.parts(), facts);
  job.row_bytes = gathered_row_bytes(plan, job.blank.bag.bootstrap || plan.parts().weighted);
  const auto n_trees = static_cast<std::uint32_t>(std::max(1, plan.params().forest));
  monitor.stage("grow");
  monitor.total(plan.n_rows() * n_trees);
  std::vector<Grown> grown;
  const std::size_t at_once = trees_at_once(job);
  for (std::uint32_t first = 0; first < n_trees;) {
    std::vector<std::uint32_t> numbers;
    job.blank.first_tree = first;
    while (first < n_trees && numbers.size() < at_once) numbers.push_back(first++);
    for (Grown& one : grow_trees(job, numbers, channel, monitor)) grown.push_back(std::move(one));
  }
  return assemble(plan, facts, std::move(grown));
}

}  // namespace

std::string LocalExecutor::ask(const std::string& request) {
  AnswerSum sum(request);
  for (RowBlock& block : blocks_) sum.add(block);
  return sum.take();
}

std::vector<std::string> LocalExecutor::regroup(const std::string& request) {
  std::vector<std::vector<std::string>> by_group(request_info(request).n_groups);
  for (RowBlock& block : blocks_) {
    std::vector<std::string> parts = parts_of(block, request);
    for (std::size_t g = 0; g < parts.size(); ++g) by_group[g].push_back(std::move(parts[g]));
  }
  std::vector<std::string> finished(by_group.size());
  parallel_for(by_group.size(),
               [&](std::size_t g) { finished[g] = finish_group(plan_, request, g, by_group[g]); });
  return finished;
}

Model fit_blocks(const ScalePlan& plan, BlockExecutor& executor, const Execution& execution,
                 const BlockOptions& options) {
  Monitor monitor(report_to(execution));
  std::optional<Model> model;
  with_threads(execution.threads, [&] { model = train(plan, executor, options, monitor); });
  return std::move(*model);
}

}  // namespace bough
