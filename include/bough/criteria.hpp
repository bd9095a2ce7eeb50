// SPDX-License-Identifier: Apache-2.0
// Every criterion, declared once. Parameters, their checks, the search's registry and the words of
// explanations, pictures and exports walk kCriteria.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bough {

/// Task of a model and meaning of node values.
enum class Task : std::uint8_t { classification, regression };

/// Numbers of the rows of kCriteria; files of blocks hold them, so a new one comes last.
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

/// Which statistics of its rows a criterion is a function of.
enum class Family : std::uint8_t {
  classes,  ///< weights of the classes
  moments,  ///< sums of weights and targets
  order     ///< the targets in order
};

/// How a split is scored: by the decrease of weight * impurity, by that decrease over the split information,
/// or by a measure of its own.
enum class SplitScore : std::uint8_t { decrease, ratio, own };

struct CriterionInfo {
  CriterionId id;
  std::string_view name;
  std::string_view alias;  ///< another name that parameters take, or empty
  Task task;
  Family family;
  SplitScore score;
  /// Whether bounds and quick scores are written and proven for it. One without is searched by the exact engine
  /// only, and is not supported on blocks of rows.
  bool has_bounds;
  std::string_view impurity;    ///< the word for the impurity of a node
  std::string_view measure;     ///< what the search maximises
  std::string_view definition;  ///< a line: the formula in plain characters
};

// clang-format off
inline constexpr std::array kCriteria{
  CriterionInfo{CriterionId::gini, "gini", "", Task::classification, Family::classes, SplitScore::decrease, true,
   "gini", "decrease in gini impurity",
   "gini impurity = 1 - sum of p^2 over the class shares p"},
  CriterionInfo{CriterionId::entropy, "entropy", "log_loss", Task::classification, Family::classes, SplitScore::decrease, true,
   "entropy", "information gain in bits",
   "entropy = -sum of p log2 p over the class shares p, in bits"},
  CriterionInfo{CriterionId::misclassification, "misclassification", "", Task::classification, Family::classes, SplitScore::decrease, true,
   "misclassification", "decrease in the error share",
   "misclassification = 1 - the largest class share"},
  CriterionInfo{CriterionId::hellinger, "hellinger", "", Task::classification, Family::classes, SplitScore::own, true,
   "hellinger", "Hellinger distance",
   "Hellinger: 1 - sum over the sides of sqrt(P Q), with P and Q the parts of a class and of the others on a side, averaged over the classes present"},
  CriterionInfo{CriterionId::gain_ratio, "gain_ratio", "", Task::classification, Family::classes, SplitScore::ratio, false,
   "entropy", "gain ratio",
   "gain ratio = information gain / split information; entropy = -sum of p log2 p over the class shares p"},
  CriterionInfo{CriterionId::squared_error, "squared_error", "friedman_mse", Task::regression, Family::moments, SplitScore::decrease, true,
   "squared error", "decrease in squared error",
   "squared error = mean of (y - mean)^2"},
  CriterionInfo{CriterionId::absolute_error, "absolute_error", "", Task::regression, Family::order, SplitScore::decrease, false,
   "absolute error", "decrease in absolute error",
   "absolute error = mean of |y - median|"},
  CriterionInfo{CriterionId::poisson, "poisson", "", Task::regression, Family::moments, SplitScore::decrease, true,
   "Poisson deviance", "decrease in Poisson deviance",
   "half Poisson deviance = mean of y ln(y / mean)"},
  CriterionInfo{CriterionId::quantile, "quantile", "", Task::regression, Family::order, SplitScore::decrease, false,
   "pinball loss", "decrease in pinball loss",
   "pinball loss = mean of q (y - v) above and (1 - q) (v - y) below the quantile v at level q"},
};
// clang-format on

static_assert([] {
  for (std::size_t i = 0; i < kCriteria.size(); ++i)
    if (static_cast<std::size_t>(kCriteria[i].id) != i) return false;
  return true;
}());

constexpr const CriterionInfo& criterion_info(CriterionId id) noexcept {
  return kCriteria[static_cast<std::size_t>(id)];
}

/// The row of a name or an alias, or null.
constexpr const CriterionInfo* find_criterion(std::string_view name) noexcept {
  for (const CriterionInfo& row : kCriteria)
    if (!name.empty() && (row.name == name || row.alias == name)) return &row;
  return nullptr;
}

/// The word for a node's impurity in a model of this criterion (Model::Parts::criterion); those of treatments
/// are no choices of the parameter.
constexpr std::string_view impurity_name(std::string_view criterion) noexcept {
  if (const CriterionInfo* row = find_criterion(criterion)) return row->impurity;
  if (criterion == "effect_error") return "effect error";
  return criterion == "treatment_gini" ? "treatment gini" : "impurity";
}

inline constexpr std::size_t kCriterionAliases = [] {
  std::size_t n = 0;
  for (const CriterionInfo& row : kCriteria) n += row.alias.empty() ? 0 : 1;
  return n;
}();

/// What the parameter takes: auto, the names, then the aliases.
inline constexpr auto kCriterionChoices = [] {
  std::array<std::string_view, 1 + kCriteria.size() + kCriterionAliases> all{"auto"};
  std::size_t at = 1;
  for (const CriterionInfo& row : kCriteria) all[at++] = row.name;
  for (const CriterionInfo& row : kCriteria)
    if (!row.alias.empty()) all[at++] = row.alias;
  return all;
}();

}  // namespace bough
