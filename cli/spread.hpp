// SPDX-License-Identifier: Apache-2.0
// Columns of bough predict that say how far answers may be off.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough::cli {

class Command;

struct SpreadFlags {
  static constexpr double kNone = std::numeric_limits<double>::lowest();  // not given
  double interval = kNone;
  std::string method;  // empty: conformal
  double mean_interval = kNone;
  bool std_error = false;
  std::vector<std::string> quantiles;
  [[nodiscard]] bool any() const {
    return interval != kNone || mean_interval != kNone || std_error || !quantiles.empty();
  }
};
/// Throws bad_params for what would be asked for in vain. `flags` as add_spread_flags left them.
void check_spread_flags(const SpreadFlags& flags);
void add_spread_flags(Command& command, SpreadFlags& flags);

/// A column of the result: numbers, or the labels of a set of classes per row.
struct SpreadColumn {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::vector<std::string>> sets;
};

/// The columns that were asked for. Throws not_supported or bad_params where the model cannot have them.
std::vector<SpreadColumn> spread_columns(const Model& model, const Table& rows, const SpreadFlags& flags,
                                         const Execution& execution);

}  // namespace bough::cli
