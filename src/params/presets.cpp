// SPDX-License-Identifier: Apache-2.0
// The presets, one function each.
#include "bough/presets.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace bough {
namespace {

// oneDAL's decision trees, whose defaults are information gain, equality tests for categories and reduced
// error pruning with leaf values of the pruning rows. docs/pruning.md lists what is not copied.
void set_onedal(Params& params) {
  if (params.task == "auto")
    throw Error(ErrorCode::bad_params, "the preset onedal has one form for classes and one for numbers",
                "set task to classification or regression");
  params.criterion = params.task == "regression" ? "squared_error" : "entropy";
  params.category_split = "equality";
  params.pruning = "reduced_error";
  params.pruning_leaf_values = "prune";
}

struct Entry {
  Preset preset;
  void (*set)(Params&);
};

constexpr std::array<Entry, 1> kEntries{{
    {{"onedal",
      "oneDAL's decision trees: information gain or squared error, equality tests for categories, reduced "
      "error "
      "pruning with leaf values of the pruning rows"},
     set_onedal},
}};

constexpr auto kPresets = [] {
  std::array<Preset, kEntries.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kEntries[i].preset;
  return out;
}();

}  // namespace

std::span<const Preset> presets() noexcept {
  return kPresets;
}

void apply_preset(Params& params, std::string_view name) {
  for (const Entry& entry : kEntries)
    if (entry.preset.name == name) return entry.set(params);
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  throw Error(ErrorCode::bad_params, fmt::format("there is no preset '{}'", name),
              fmt::format("the presets are {}", join(names, ", ")));
}

}  // namespace bough
