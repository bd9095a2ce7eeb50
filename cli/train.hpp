// SPDX-License-Identifier: Apache-2.0
// The options of bough train, and who chooses the size of the tree.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "bough/model.hpp"
#include "out_of_core.hpp"
#include "param_flags.hpp"
#include "pruning.hpp"
#include "tables.hpp"

namespace bough::cli {

struct TrainFlags {
  std::string data;
  std::string output;
  std::string test;
  double holdout = std::numeric_limits<double>::quiet_NaN();  // not given
  std::optional<int> cp_folds;
  std::string cp_groups;
  int threads = 0;
  bool json = false;
  bool no_scores = false;
  std::string on_interrupt;  // cancel (also where empty) or keep
  std::string size;          // auto, full; empty: auto unless parameters say how the tree is grown
  ReadFlags read;
  ColumnFlags columns;
  ParamFlags params;
  std::string preset;
  FoldFlags folds;
  std::optional<std::string> dask;
  MemoryFlags memory;
};

/// Whether the parameter was typed.
bool is_given(const TrainFlags& flags, std::string_view param);
/// Whether the user leaves the size of the tree to us. Says so where options that change nothing keep us from it. Throws
/// bad_params where --size contradicts other options.
bool chooses_size(const TrainFlags& flags, const Params& params, const FitSpec& spec);
/// Says why trees were only grown and pruned, where a parameter keeps small trees from being searched.
void tell_of_no_search(const Model& model, const Params& params);
/// Every node keeps the share of every class, so many classes allow only so many leaves, and scores of the trees of
/// cross-validation would take longer than all else. Gives the most leaves; 0: the classes are few.
std::int32_t leaves_for_many_classes(const Table& table, const FitSpec& spec);

}  // namespace bough::cli
