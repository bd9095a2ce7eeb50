// SPDX-License-Identifier: Apache-2.0
// What search is asked for when rows are treated or not (Targets::treated).
#pragma once

#include <cstdint>

namespace bough {

struct TreatmentOptions {
  bool wanted = false;        ///< the engine of two arms runs
  bool effect = true;         ///< splits where the effect differs; else where the share of treated rows does
  std::int64_t min_rows = 5;  ///< treated rows, and untreated ones, that each side must hold
};

}  // namespace bough
