// SPDX-License-Identifier: Apache-2.0
// From a table and the user's wishes to what growing needs: schema, encoded columns, targets, weights.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.hpp"
#include "bough/model.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"

namespace bough {

struct Prepared {
  Task task = Task::classification;
  Schema features;
  Schema targets;                    ///< with class levels
  EncodedTable table;
  Targets values;
  std::string data_hash;
  std::vector<std::string> notes;
};

/// Resolves columns, checks targets and weights, encodes. Throws bad_data or bad_params listing what is wrong.
Prepared prepare(const Table& table, const FitSpec& spec, const Params& params, Monitor& monitor);

}  // namespace bough
