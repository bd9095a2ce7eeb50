// SPDX-License-Identifier: Apache-2.0
// Names of criteria.
#include "criterion/registry.hpp"

#include <fmt/format.h>

#include "bough/error.hpp"

namespace bough {

CriterionId resolve_criterion(std::string_view name, Task task) {
  if (name == "auto") return task == Task::classification ? CriterionId::gini : CriterionId::squared_error;
  if (const CriterionInfo* row = find_criterion(name); row != nullptr && row->task == task) return row->id;
  std::string fitting;
  for (const CriterionInfo& info : kCriteria)
    if (info.task == task) fitting += fmt::format("{}{}", fitting.empty() ? "" : ", ", info.name);
  throw Error(ErrorCode::bad_params,
              fmt::format("criterion '{}' is not for {}", name,
                          task == Task::classification ? "classification" : "regression"),
              fmt::format("use one of {}, or set the task", fitting));
}

void throw_unregistered(CriterionId id) {
  throw Error(ErrorCode::internal,
              fmt::format("criterion={} is named, but has no type", criterion_info(id).name));
}

}  // namespace bough
