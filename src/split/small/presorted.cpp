// SPDX-License-Identifier: Apache-2.0
// The presorted engine for every family of criteria made of sums.
#include "split/small/presorted.hpp"

namespace bough {
namespace {

template <class F>
auto with_presorted_family(const Targets& targets, CriterionId criterion, const F& f) {
  return targets.is_classification() ? f(ClassFamily(targets, criterion))
                                     : f(MomentFamily(targets, criterion));
}

}  // namespace

std::unique_ptr<SubtreeGrower> make_presorted(const CodedTable& table, const Targets& targets,
                                              const EngineOptions& options,
                                              const std::vector<double>& scales) {
  return with_presorted_family(targets, options.criterion,
                               [&](auto family) -> std::unique_ptr<SubtreeGrower> {
                                 return std::make_unique<Presorted<decltype(family)>>(
                                     table, targets, std::move(family), options, scales);
                               });
}

bool has_strip_scores(const Targets& targets, CriterionId criterion) {
  return with_presorted_family(targets, criterion, [&](auto family) {
    return StripScorer<decltype(family)>(targets, criterion).fits();
  });
}

}  // namespace bough
