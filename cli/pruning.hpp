// SPDX-License-Identifier: Apache-2.0
// What the verbs share about pruning: the table of cross-validation, and options about folds.
#pragma once

#include <string>

#include "bough/choose_tree.hpp"
#include "bough/json.hpp"
#include "bough/model.hpp"
#include "command.hpp"

namespace bough::cli {

/// Which rows belong to which fold.
struct FoldFlags {
  std::string groups;
  std::string order;
  std::string ids;
  bool row_order = false;
};

void add_fold_flags(Command& command, FoldFlags& flags);
/// Throws bad_params when the options contradict each other.
FoldSpec read_folds(const FoldFlags& flags);

/// The table for people: the chosen row has a star, long tables are shortened.
std::string pruning_table_text(const PruningTable& table);
/// All of it.
Json pruning_table_json(const PruningTable& table);

/// The path of sizes, grown and searched trees side by side; the chosen row has a star.
std::string size_table_text(const SizeTable& table);
Json size_table_json(const SizeTable& table);

}  // namespace bough::cli
