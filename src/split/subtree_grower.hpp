// SPDX-License-Identifier: Apache-2.0
// Who finishes small subtrees for the fast engine, whatever the criterion: the presorted engine behind an interface, so that
// the histograms above it need not be compiled for every criterion.
#pragma once

#include <memory>
#include <vector>

#include "base/interface.hpp"
#include "split/engine.hpp"

namespace bough {

/// Grows subtrees of a few thousand rows; used by one thread.
class SubtreeGrower : public Interface {
 public:
  /// Grows the subtree of `rows`; ordered_rows() then has them node by node.
  virtual Subtree grow(Rows rows, std::int32_t depth, std::uint64_t key, const SubtreeRules& rules) = 0;
  [[nodiscard]] virtual Rows ordered_rows() const noexcept = 0;
};

/// Sorted lists (presorted.hpp). `scales`: what weights of combinations are divided by, per column; empty: 1. Everything must
/// outlive the grower.
std::unique_ptr<SubtreeGrower> make_presorted(const CodedTable& table, const Targets& targets,
                                              const EngineOptions& options,
                                              const std::vector<double>& scales = {});
/// Whether sorted lists have fast scores for the targets and the criterion (strip_scores.hpp).
bool has_strip_scores(const Targets& targets, CriterionId criterion);

}  // namespace bough
