// SPDX-License-Identifier: Apache-2.0
// What engines of one family of criteria share that search every node by itself, several at once.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/stats/order_family.hpp"

namespace bough {

template <class FamilyT>
class FamilyEngine : public Engine {
 public:
  FamilyEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : table_(&table), targets_(&targets), options_(std::move(options)), family_(std::move(family)) {}

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals(tasks.size());
    parallel_for(tasks.size(), [&](std::size_t i) { proposals[i] = search(tasks[i], monitor); });
    return proposals;
  }

 protected:
  virtual Proposal search(const NodeTask& task, Monitor& monitor) = 0;

  const EncodedTable* table_;
  const Targets* targets_;
  EngineOptions options_;
  FamilyT family_;
};

/// The EngineT of the given family.
template <template <class> class EngineT, class FamilyT>
std::unique_ptr<Engine> make_family_engine(const EncodedTable& table, const Targets& targets,
                                           const EngineOptions& options, FamilyT family) {
  check_rows(table.n_rows, targets);
  return std::make_unique<EngineT<FamilyT>>(table, targets, options, std::move(family));
}

/// The EngineT of the criterion's family.
template <template <class> class EngineT>
std::unique_ptr<Engine> make_family_engine(const EncodedTable& table, const Targets& targets,
                                           const EngineOptions& options) {
  return with_family(targets, options.criterion, options.quantile, [&](auto family) {
    return make_family_engine<EngineT>(table, targets, options, std::move(family));
  });
}

}  // namespace bough
