// SPDX-License-Identifier: Apache-2.0
// Names of criteria.
#include "criterion/registry.hpp"

#include <fmt/format.h>

namespace bough {

CriterionId resolve_criterion(std::string_view name, Task task) {
  if (name == "auto") return task == Task::classification ? CriterionId::gini : CriterionId::squared_error;
  if (name == "log_loss") name = "entropy";
  if (name == "friedman_mse") name = "squared_error";
  std::string fitting;
  for (const CriterionInfo& info : kCriterionTable) {
    if (info.name == name && info.task == task) return info.id;
    if (info.task == task) fitting += fmt::format("{}{}", fitting.empty() ? "" : ", ", info.name);
  }
  throw Error(ErrorCode::bad_params,
              fmt::format("criterion '{}' is not for {}", name,
                          task == Task::classification ? "classification" : "regression"),
              fmt::format("use one of {}, or set the task", fitting));
}

}  // namespace bough
