// SPDX-License-Identifier: Apache-2.0
// What a block does with a request, phase by phase.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/fixed_scale.hpp"
#include "base/parallel.hpp"
#include "scale/answer.hpp"
#include "scale/collect.hpp"
#include "scale/ship_rows.hpp"
#include "scale/tree_notes.hpp"
#include "split/histogram/number_sums.hpp"

namespace bough {
namespace {

constexpr std::size_t kCountAtOnce = 1 << 15;

JobNotes& notes_of(RowBlock& block, const Request& request) {
  std::unique_ptr<BlockNotes>& notes = block.state().notes;
  auto* job = dynamic_cast<JobNotes*>(notes.get());
  if (job == nullptr || job->job != request.job) {
    auto fresh = std::make_unique<JobNotes>();
    fresh->job = request.job;
    job = fresh.get();
    notes = std::move(fresh);
  }
  std::erase_if(job->trees, [&](const auto& entry) { return entry.first < request.first_tree; });
  for (const TreeRequest& tree : request.trees) job->of(tree.tree);  // so that references stay
  return *job;
}

// Stages: 0 the largest weight and targets; 1 units of weights; 2 fixed weights and units of targets; 3 sums
// of fixed targets; 4 what depends on the centre.
TreeMeasure measure(const BlockRows& rows, TreeNotes& notes, const Request& request,
                    const TreeRequest& tree) {
  const TreeFrame& frame = tree.frame;
  const std::span<const double> weights =
      frame.weighted ? notes.weights(rows, request.bag, tree.tree) : std::span<const double>();
  TreeMeasure out;
  out.outputs.resize(rows.numbers.size());
  const auto n = static_cast<std::size_t>(rows.table.n_rows);
  const auto has_say = [&](std::size_t i) { return weights.empty() || weights[i] > 0.0; };
  if (request.stage == 0) {
    for (const double w : weights) {
      out.largest_weight = std::max(out.largest_weight, w);
      out.fraction_bits = fraction_bits(w, out.fraction_bits, kMostFractionBits);
    }
    for (std::size_t o = 0; o < rows.numbers.size(); ++o)
      for (std::size_t i = 0; i < n; ++i)
        if (has_say(i))
          out.outputs[o].largest = std::max(out.outputs[o].largest, std::fabs(rows.numbers[o][i]));
    return out;
  }
  if (request.stage == 1) {
    if (frame.largest_weight <= 0.0) return out;
    const SizeUnits sizes(frame.largest_weight);
    for (const double w : weights) out.weight_units += sizes.of(w);
    return out;
  }
  // The unit of targets follows from what stage 2 measures.
  const Targets targets = fixed_targets(rows, frame, weights, request.stage > 2);
  for (const RowId row : targets.rows) out.total_weight += targets.weight(row);
  out.n_rows = static_cast<std::int64_t>(targets.rows.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (loses_weight(weights[i], targets.weights[i], targets.weight_exponent)) {
      out.lost = rows.first_row + static_cast<std::int64_t>(i);
      break;
    }
  for (std::size_t o = 0; o < rows.numbers.size(); ++o) {
    TreeMeasure::Output& to = out.outputs[o];
    const TreeFrame::Output& known = frame.outputs[o];
    const NumberTarget& target = targets.numbers[o];
    if (request.stage == 2 && known.largest > 0.0) {
      const SizeUnits sizes(known.largest);
      for (const RowId row : targets.rows)
        to.units += static_cast<uint128>(sizes.of(std::fabs(target.raw[row]))) *
                    static_cast<std::uint64_t>(targets.weight(row));
    }
    if (request.stage == 3) to.sum = target_sum(targets.rows, targets, o);
    if (request.stage < 4) continue;
    const std::int64_t centre = frame.layout.frame.centres[o];
    to.squares = NumberSums<std::int64_t>::squares_around(targets, o, centre);
    std::tie(to.around, to.plain) = NumberSums<std::int64_t>::reach(targets, o, centre);
    if (request.criterion == CriterionId::poisson)
      to.excess = largest_excess(targets.rows, target, known.poisson.centre);
  }
  return out;
}

void add_measures(const BlockRows& rows, JobNotes& notes, const Request& request, Answer& sum) {
  std::vector<TreeMeasure> own(request.trees.size());
  parallel_for(own.size(), [&](std::size_t i) {
    own[i] = measure(rows, notes.of(request.trees[i].tree), request, request.trees[i]);
  });
  if (sum.measures.empty()) {
    sum.measures = std::move(own);
  } else {
    for (std::size_t i = 0; i < own.size(); ++i) sum.measures[i].merge(own[i]);
  }
}

void forget(JobNotes& notes) noexcept {
  for (auto& [number, tree] : notes.trees) tree.forget();
}

// Adds the rows of a node, by several threads where they are many.
void count_rows(const BlockCounter& counter, Rows rows, std::span<std::byte> histogram) {
  if (rows.size() < 2 * kCountAtOnce || available_threads() == 1) {
    counter.count(rows, histogram);
    return;
  }
  std::mutex mutex;
  parallel_ranges(rows.size(), kCountAtOnce, [&](std::size_t begin, std::size_t end) {
    Buffer<unsigned char> part(histogram.size());
    std::fill_n(part.data(), part.size(), static_cast<unsigned char>(0));
    const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(part.data()), part.size());
    counter.count(rows.subspan(begin, end - begin), bytes);
    const std::lock_guard lock(mutex);
    add_lanes(counter.lanes(), histogram, bytes);
  });
}

void count(const BlockRows&, JobNotes& notes, const Request& request, Answer& sum) {
  struct Item {
    const TreeNotes* tree;
    EngineNode node;
  };
  std::vector<Item> items;
  for (const TreeRequest& tree : request.trees)
    for (const EngineNode node : tree.nodes) items.push_back({&notes.of(tree.tree), node});
  if (!items.empty()) {
    const BlockCounter& first = items.front().tree->counter();
    if (sum.n_histograms == 0) sum.resize_histograms(first.bytes(), items.size());
    sum.lanes = first.lanes();
  }
  for (const Item& item : items)
    if (item.tree->counter().bytes() != sum.histogram_bytes || items.size() != sum.n_histograms)
      throw Error(ErrorCode::bad_data, "a request to blocks counts trees of different kinds");
  parallel_for(items.size(), [&](std::size_t i) {
    count_rows(items[i].tree->counter(), items[i].tree->rows(items[i].node), sum.histogram(i));
  });
  std::size_t at = 0;
  for (const TreeRequest& tree : request.trees) {
    const TreeNotes& own = notes.of(tree.tree);
    const std::vector<NumberTarget>& numbers = own.targets().numbers;
    sum.extremes.resize(std::max(sum.extremes.size(), at + tree.extremes.size() * numbers.size()));
    parallel_for(tree.extremes.size(), [&](std::size_t i) {
      for (std::size_t o = 0; o < numbers.size(); ++o) {
        Range64& range = sum.extremes[at + i * numbers.size() + o];
        for (const RowId row : own.rows(tree.extremes[i])) {
          const std::int64_t y = numbers[o].fixed.values[row];
          range.low = std::min(range.low, y);
          range.high = std::max(range.high, y);
        }
      }
    });
    at += tree.extremes.size() * numbers.size();
  }
}

void add_sums(JobNotes& notes, const Request& request, Answer& sum) {
  std::size_t at = 0;
  for (const TreeRequest& tree : request.trees) {
    const TreeNotes& own = notes.of(tree.tree);
    const std::vector<PoissonFrame> poisson = tree.frame.poisson();
    sum.totals.resize(std::max(sum.totals.size(), at + tree.nodes.size()));
    parallel_for(tree.nodes.size(), [&](std::size_t i) {
      sum.totals[at + i].merge(
          leaf_totals(own.rows(tree.nodes[i]), own.targets(), request.criterion, poisson));
    });
    at += tree.nodes.size();
  }
}

}  // namespace

struct AnswerSum::State {
  Request request;
  Answer sum;
};

AnswerSum::AnswerSum(std::string request) : state_(std::make_unique<State>()) {
  state_->request = Request::from_bytes(request);
  state_->sum.phase = state_->request.phase;
}
AnswerSum::~AnswerSum() = default;

void AnswerSum::add(RowBlock& block) {
  const Request& request = state_->request;
  Answer& sum = state_->sum;
  const BlockRows& rows = block.state().rows;
  if (request.phase == Phase::describe) {
    if (sum.facts.has_missing.empty()) {
      sum.facts = rows.facts;
    } else {
      sum.facts.merge(rows.facts);
    }
    return;
  }
  JobNotes& notes = notes_of(block, request);
  if (request.phase == Phase::measure) {
    add_measures(rows, notes, request, sum);
    if (block.state().frugal) forget(notes);
    return;
  }
  parallel_for(request.trees.size(), [&](std::size_t i) {
    notes.of(request.trees[i].tree).catch_up(rows, request.bag, request.trees[i]);
  });
  if (request.phase == Phase::count) count(rows, notes, request, sum);
  if (request.phase == Phase::collect) collect(rows, notes, request, sum);
  if (request.phase == Phase::sums) add_sums(notes, request, sum);
  if (block.state().frugal) forget(notes);
}

std::string AnswerSum::take() {
  return state_->sum.bytes();
}

std::string answer(RowBlock& block, std::string_view request) {
  AnswerSum sum{std::string(request)};
  sum.add(block);
  return sum.take();
}

std::vector<std::string> parts_of(RowBlock& block, std::string_view bytes) {
  const Request request = Request::from_bytes(bytes);
  if (request.phase != Phase::regroup)
    throw Error(ErrorCode::bad_data, "only a request to regroup has parts");
  const BlockRows& rows = block.state().rows;
  JobNotes& notes = notes_of(block, request);
  std::vector<Packer> parts(request.n_groups);
  for (const TreeRequest& tree : request.trees) {
    TreeNotes& own = notes.of(tree.tree);
    own.catch_up(rows, request.bag, tree);
    for (const GatheredNode& node : tree.gathered) {
      if (node.group >= request.n_groups)
        throw Error(ErrorCode::bad_data, "a request to blocks names a group that is not there");
      pack_rows(rows, own.targets(), tree.frame.weighted, own.rows(node.node), parts[node.group]);
    }
    if (block.state().frugal) own.forget();
  }
  std::vector<std::string> out;
  for (Packer& part : parts) out.push_back(part.take());
  return out;
}

}  // namespace bough
