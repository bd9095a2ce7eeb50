// SPDX-License-Identifier: Apache-2.0
// Training on tables that are larger than memory.
#pragma once

#include <optional>
#include <string>

#include "bough/model.hpp"
#include "command.hpp"
#include "tables.hpp"

namespace bough::cli {

/// How much memory training may take, and where its scratch goes.
struct MemoryFlags {
  std::optional<std::string> memory;  // none: all rows at once
  std::optional<std::string> scratch;
};

void add_memory_flags(Command& command, MemoryFlags& flags);
/// Throws bad_params for sizes that are none and for options without the one they belong to.
void check_memory_flags(const MemoryFlags& flags);

/// Trains on the rows of `path` without ever holding all of them. Columns that are left out are added to the plan.
Model train_out_of_core(const std::string& path, const ReadOptions& reading, ColumnPlan& plan,
                        const Params& params, const MemoryFlags& flags, const Execution& execution);

/// Says that --memory helps where a file is larger than what is free.
void hint_at_memory(const std::string& path);

}  // namespace bough::cli
