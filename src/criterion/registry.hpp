// SPDX-License-Identifier: Apache-2.0
// From the choice of a criterion at run time to its type.
#pragma once

#include <string_view>

#include "bough/criteria.hpp"
#include "criterion/entropy.hpp"
#include "criterion/gain_ratio.hpp"
#include "criterion/gini.hpp"
#include "criterion/hellinger.hpp"
#include "criterion/misclassification.hpp"
#include "criterion/poisson.hpp"
#include "criterion/quantile.hpp"
#include "criterion/squared_error.hpp"

namespace bough {

/// The id of a name or alias (log_loss, friedman_mse); "auto" gives the task's default. Throws bad_params when the
/// criterion does not fit the task.
CriterionId resolve_criterion(std::string_view name, Task task);

/// Says that with_class_criterion has no line for it.
[[noreturn]] void throw_unregistered(CriterionId id);

template <class T>
struct Tag {
  using type = T;
};

/// Calls f(Tag<C>) with the class criterion of `id`; throws when it is none.
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
    case CriterionId::gini:
      return f(Tag<Gini>{});
    default:
      break;
  }
  throw_unregistered(id);
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
