// SPDX-License-Identifier: Apache-2.0
// From a table to the best tree found, and what is known about all others.
#include "search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grow/tao.hpp"
#include "search/anytime.hpp"
#include "search/held.hpp"
#include "search/purify.hpp"

namespace bough::search {
namespace {

// Trees for the start of a proof: deeper searches need a good bound, the shallow ones probe by themselves. Where one case
// in kEasy or fewer is answered wrong at once, the proof takes less than a better start would.
constexpr std::size_t kStartPlans = 9;
constexpr std::int64_t kStartWork = 30'000'000;
constexpr Cost kEasy = 100;

// What ties between trees of equal errors may take, some tenth of a second.
constexpr std::int64_t kPurifyWork = 4'000'000;

std::int32_t min_cases(const SearchSpec& spec, const Subset& all) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(spec.min_samples_leaf, all.size()));
}

class Search {
 public:
  Search(const ChainTable& chains, const SearchSpec& spec, Monitor& monitor)
      : all_(chains.cases),
        spec_(spec),
        price_(price_of(chains, spec.leaf_price)),
        budget_(spec.work_limit.value_or(spec.prove ? kProofWork : kAnytimeWork), spec.time_limit, &monitor) {
    spec_.limits.leaves = std::min(spec.limits.leaves, chains.cases.n);
  }

  void run() {
    search();
    Budget ties(kPurifyWork, std::nullopt);
    best_ = purified(all_, std::move(best_), min_cases(spec_, all_), ties);
    cost_ = best_.errors(all_) + price_ * best_.n_leaves();
    if (!spec_.prove) lower_ = cost_ <= price_ ? cost_ : 0;
  }

  [[nodiscard]] const SmallTree& best() const noexcept { return best_; }
  [[nodiscard]] SearchProof proof(int exponent) const {
    SearchProof proof;
    proof.errors = std::ldexp(static_cast<double>(best_.errors(all_)), -exponent);
    proof.cost = std::ldexp(static_cast<double>(cost_), -exponent);
    proof.lower_bound = std::ldexp(static_cast<double>(lower_), -exponent);
    proof.work = budget_.spent();
    return proof;
  }

 private:
  void search() {
    const bool shallow = std::min(spec_.limits.depth, spec_.limits.leaves - 1) <= 3;
    Anytime start(all_, spec_.limits, price_, min_cases(spec_, all_), budget_);
    if (!spec_.prove) {
      start.run(SIZE_MAX);
    } else if (shallow) {
      start.run_greedy();
    } else {
      const std::int64_t whole = budget_.limit();
      budget_.limit_to(std::min(whole, kStartWork));
      start.start();
      if (!is_easy(start.cost())) start.run(kStartPlans);
      budget_.limit_to(whole);
      budget_.go_on();
    }
    best_ = start.best();
    cost_ = start.cost();
    if (!spec_.prove) return;
    const std::int32_t least = min_cases(spec_, all_);
    Found found = least > 1 ? best_held_tree(all_, spec_.limits, price_, cost_, least, budget_)
                            : best_tree(all_, spec_.limits, price_, cost_, budget_);
    lower_ = std::min(found.lower, cost_);
    if (found.cost >= cost_) return;
    cost_ = found.cost;
    best_ = std::move(found.tree);
  }

  // Only where depth alone limits the tree: leaves of any shape are hardly ever proven.
  [[nodiscard]] bool is_easy(Cost cost) const {
    return spec_.limits.depth <= 4 && spec_.limits.leaves >= 1 << spec_.limits.depth &&
           cost <= all_.weight() / kEasy;
  }

  Subset all_;
  SearchSpec spec_;
  Cost price_;
  Budget budget_;
  SmallTree best_;
  Cost cost_ = 0, lower_ = 0;
};

// Trees of numbers by squared error. Ties are settled by the order of the search: a lower error is a better answer already.
class NumberSearch {
 public:
  NumberSearch(const ChainTable& chains, const SearchSpec& spec, Monitor& monitor)
      : all_(chains.cases),
        measure_(all_),
        spec_(spec),
        exponent_(2 * chains.value_exponent + chains.exponent),
        budget_(spec.work_limit.value_or(spec.prove ? kProofWork : kAnytimeWork), spec.time_limit, &monitor) {
    spec_.limits.leaves = std::min(spec.limits.leaves, chains.cases.n);
    const double price = std::ldexp(spec.leaf_price, exponent_);
    if (price > measure_.from_cost(measure_.leaf(all_)))
      throw Error(ErrorCode::bad_params,
                  fmt::format("leaf_price={} is more than all squared errors", spec.leaf_price),
                  "use a price below the squared error of a single leaf");
    price_ = measure_.to_cost(price);
  }

  void run() {
    AnytimeSquares start = anytime();
    if (!spec_.prove) {
      start.run(SIZE_MAX);
    } else {
      const std::int64_t whole = budget_.limit();
      budget_.limit_to(std::min(whole, kStartWork));
      start.run(kStartPlans);
      budget_.limit_to(whole);
      budget_.go_on();
    }
    best_ = start.best();
    cost_ = start.cost();
    lower_ = cost_ <= price_ ? cost_ : 0;
    if (!spec_.prove) return;
    FoundSquares found = best_square_tree(measure_, all_, spec_.limits, price_, cost_, budget_);
    lower_ = std::min(found.lower, cost_);
    if (found.cost >= cost_) return;
    cost_ = found.cost;
    best_ = std::move(found.tree);
  }

  std::vector<SmallTree> path() {
    AnytimeSquares search = anytime();
    search.run_path();
    return search.path();
  }

  [[nodiscard]] const SmallTree& best() const noexcept { return best_; }
  [[nodiscard]] SearchProof proof() const { return proof_of(best_, lower_); }
  [[nodiscard]] SearchProof proof_of(const SmallTree& tree, Squares::Cost lower) const {
    const Squares::Cost errors = measure_.of(tree, all_);
    return {to_squares(errors), to_squares(errors + price_ * tree.n_leaves()), to_squares(lower),
            budget_.spent()};
  }

 private:
  [[nodiscard]] AnytimeSquares anytime() {
    return AnytimeSquares(all_, spec_.limits, price_, min_cases(spec_, all_), budget_, measure_);
  }
  [[nodiscard]] double to_squares(Squares::Cost cost) const {
    return std::ldexp(measure_.from_cost(cost), -exponent_);
  }

  Subset all_;
  Squares measure_;
  SearchSpec spec_;
  int exponent_;  // squares of the table are those of the targets times two to this
  Squares::Cost price_ = 0;
  Budget budget_;
  SmallTree best_;
  Squares::Cost cost_ = 0, lower_ = 0;
};

// The refiner gives a tree of tests its statistics, and missing cells that no row showed the heavier side.
Tree finished(const SmallTree& tree, const ChainTable& chains, const EncodedTable& table,
              const Targets& targets, CriterionId criterion) {
  TaoSpec spec;
  spec.criterion = criterion;
  const Tree bare = to_tree(tree, chains, table, targets);
  return TreeRefiner(bare, table, targets, spec).finish();
}

}  // namespace

Searched search_tree(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                     Monitor& monitor) {
  monitor.stage("search");
  const ChainTable chains = make_chains(table, spec.costs == nullptr ? targets : *spec.costs,
                                        {spec.equality, spec.leaf_price, spec.names});
  const auto found = [&](const SmallTree& tree, const SearchProof& proof) {
    return Searched{finished(tree, chains, table, targets, spec.criterion), proof, chains.notes};
  };
  if (!targets.is_classification()) {
    NumberSearch search(chains, spec, monitor);
    search.run();
    return found(search.best(), search.proof());
  }
  Search search(chains, spec, monitor);
  search.run();
  return found(search.best(), search.proof(chains.exponent));
}

SearchedPath search_path(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                         Monitor& monitor) {
  const ChainTable chains = make_chains(table, targets, {spec.equality, 0.0, spec.names});
  SearchedPath out{{}, {}, chains.notes};
  if (!targets.is_classification()) {
    SearchSpec free = spec;
    free.prove = false;
    free.leaf_price = 0.0;
    NumberSearch search(chains, free, monitor);
    for (const SmallTree& tree : search.path()) {
      out.proofs.push_back(search.proof_of(tree, 0));
      out.trees.push_back(finished(tree, chains, table, targets, spec.criterion));
    }
    return out;
  }
  const Subset all(chains.cases);
  Budget budget(spec.work_limit.value_or(kAnytimeWork), spec.time_limit, &monitor);
  const Limits limits{std::min(spec.limits.leaves, all.size()), spec.limits.depth};
  Anytime search(all, limits, 0, min_cases(spec, all), budget);
  search.run_path();
  for (const SmallTree& tree : search.path()) {
    const double errors = std::ldexp(static_cast<double>(tree.errors(all)), -chains.exponent);
    out.proofs.push_back({errors, errors, 0.0, budget.spent()});
    out.trees.push_back(finished(tree, chains, table, targets, spec.criterion));
  }
  return out;
}

std::vector<RootTree> search_roots(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                                   Monitor& monitor) {
  const ChainTable chains = make_chains(table, targets, {spec.equality, 0.0, spec.names});
  const Subset all(chains.cases);
  Budget budget(spec.work_limit.value_or(kAnytimeWork), spec.time_limit, &monitor);
  const Limits limits{std::min(spec.limits.leaves, all.size()), spec.limits.depth};
  Anytime search(all, limits, 0, min_cases(spec, all), budget);
  std::vector<RootTree> out;
  for (ColId column = 0; column < std::ssize(spec.names); ++column) {
    std::vector<std::int32_t> of_column;
    for (std::size_t i = 0; i < chains.sources.size(); ++i)
      if (chains.sources[i].column == column) of_column.push_back(static_cast<std::int32_t>(i));
    if (of_column.empty()) continue;
    const std::optional<SmallTree> found = search.best_with_root(of_column);
    if (!found) continue;
    const double errors = std::ldexp(static_cast<double>(found->errors(all)), -chains.exponent);
    out.push_back({column, errors, finished(*found, chains, table, targets, spec.criterion)});
  }
  std::ranges::stable_sort(out, {}, &RootTree::errors);
  return out;
}

}  // namespace bough::search
