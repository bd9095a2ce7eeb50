// SPDX-License-Identifier: Apache-2.0
// What engines rely on, checked once per engine, node or call in release builds too: a mistake becomes an error, never a
// read of memory that is not there.
#pragma once

#include <cstdint>
#include <string>

#include "bough/error.hpp"
#include "data/targets.hpp"

namespace bough {

[[noreturn]] inline void internal_error(const std::string& what) {
  throw Error(ErrorCode::internal, what,
              "this is a defect of bough: please report it with the call that led here");
}

/// Rows to grow on are rows of the table, and every target and weight knows them.
inline void check_rows(std::int64_t n_rows, const Targets& targets) {
  const auto n = static_cast<std::size_t>(n_rows);
  bool right = n_rows >= 0 && (targets.rows.empty() || targets.rows.back() < n);  // rows increase
  right &= targets.weights.empty() || targets.weights.size() >= n;
  for (const ClassTarget& target : targets.classes) right &= target.codes.size() >= n;
  for (const NumberTarget& target : targets.numbers) right &= target.fixed.values.size() >= n;
  if (!right) internal_error("the targets are not those of the table's rows");
}

}  // namespace bough
