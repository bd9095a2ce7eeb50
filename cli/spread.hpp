// SPDX-License-Identifier: Apache-2.0
// Columns of bough predict that say how far answers may be off.
#pragma once

#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough::cli {

class Command;

struct SpreadFlags {
  double interval = 0.0;  // 0: none
  std::string method = "conformal";
  double mean_interval = 0.0;  // 0: none
  bool std_error = false;
  std::vector<std::string> quantiles;
  [[nodiscard]] bool any() const {
    return interval != 0.0 || mean_interval != 0.0 || std_error || !quantiles.empty();
  }
};
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
