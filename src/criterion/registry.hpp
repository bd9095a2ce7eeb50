// SPDX-License-Identifier: Apache-2.0
// The one list of criteria: names, families, and the dispatch from a run-time choice to a type.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "bough/params.hpp"
#include "bough/tree.hpp"
#include "criterion/entropy.hpp"
#include "criterion/gain_ratio.hpp"
#include "criterion/gini.hpp"
#include "criterion/hellinger.hpp"
#include "criterion/misclassification.hpp"
#include "criterion/poisson.hpp"
#include "criterion/quantile.hpp"
#include "criterion/squared_error.hpp"

namespace bough {

enum class CriterionId : std::uint8_t {
  gini,
  entropy,
  misclassification,
  hellinger,
  gain_ratio,
  squared_error,
  absolute_error,
  poisson,
  quantile
};

/// Which statistics a criterion is made of.
enum class Family : std::uint8_t { classes, moments, order };

struct CriterionInfo {
  CriterionId id;
  std::string_view name;
  Task task;
  Family family;
};

inline constexpr std::array<CriterionInfo, 9> kCriterionTable{{
    {CriterionId::gini, "gini", Task::classification, Family::classes},
    {CriterionId::entropy, "entropy", Task::classification, Family::classes},
    {CriterionId::misclassification, "misclassification", Task::classification, Family::classes},
    {CriterionId::hellinger, "hellinger", Task::classification, Family::classes},
    {CriterionId::gain_ratio, "gain_ratio", Task::classification, Family::classes},
    {CriterionId::squared_error, "squared_error", Task::regression, Family::moments},
    {CriterionId::absolute_error, "absolute_error", Task::regression, Family::order},
    {CriterionId::poisson, "poisson", Task::regression, Family::moments},
    {CriterionId::quantile, "quantile", Task::regression, Family::order},
}};

static_assert([] {
  for (std::size_t i = 0; i < kCriterionTable.size(); ++i)
    if (kCriterionTable[i].name != kCriteria[i] || static_cast<std::size_t>(kCriterionTable[i].id) != i)
      return false;
  return kCriterionTable.size() == kCriteria.size();
}());

inline const CriterionInfo& criterion_info(CriterionId id) noexcept {
  return kCriterionTable[static_cast<std::size_t>(id)];
}

/// The id of a name or alias (log_loss, friedman_mse); "auto" gives the task's default. Throws bad_params when the
/// criterion does not fit the task.
CriterionId resolve_criterion(std::string_view name, Task task);

template <class T>
struct Tag {
  using type = T;
};

/// Calls f(Tag<C>) with the class criterion of `id`.
template <class F>
decltype(auto) with_class_criterion(CriterionId id, F&& f) {
  switch (id) {
    case CriterionId::entropy:
      return f(Tag<Entropy>{});
    case CriterionId::misclassification:
      return f(Tag<Misclassification>{});
    case CriterionId::hellinger:
      return f(Tag<Hellinger>{});
    case CriterionId::gain_ratio:
      return f(Tag<GainRatio>{});
    default:
      return f(Tag<Gini>{});
  }
}

/// Calls f(Tag<C>) with the moment criterion of `id`.
template <class F>
decltype(auto) with_moment_criterion(CriterionId id, F&& f) {
  if (id == CriterionId::poisson) return f(Tag<Poisson>{});
  return f(Tag<SquaredError>{});
}

inline QuantileLoss quantile_loss(CriterionId id, double level) noexcept {
  return id == CriterionId::quantile ? QuantileLoss{level, 1.0} : QuantileLoss{};
}

}  // namespace bough
