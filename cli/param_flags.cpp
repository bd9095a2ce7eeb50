// SPDX-License-Identifier: Apache-2.0
// Training parameters as options, made by walking the one table of them.
#include "param_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "bough/presets.hpp"

namespace bough::cli {

namespace {

// What stands for the value in --help; a type without a line here shows its own name.
std::string placeholder(const ParamRow& row) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords{{{"int", "N"},
                                                                                 {"number", "X"},
                                                                                 {"amount", "AMOUNT"},
                                                                                 {"choice", "WORD"},
                                                                                 {"class_weight", "WEIGHTS"},
                                                                                 {"shrinkage", "X"},
                                                                                 {"name_numbers", "PAIRS"},
                                                                                 {"name_groups", "GROUPS"},
                                                                                 {"number_grid", "ROWS"}}};
  const std::string_view type = param_type(row);
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& pair) { return pair.first == type; });
  return std::string(found == kWords.end() ? type : found->second);
}

}  // namespace

std::string option_name(std::string_view param) {
  std::string name = "--" + std::string(param);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void add_param_flags(Command& command, ParamFlags& flags) {
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    const ParamRow& row = kParams[i];
    Flag flag{option_name(row.name), std::string(row.doc), placeholder(row)};
    flag.choices.assign(row.choices.begin(), row.choices.end());
    flag.doc += fmt::format(" (default: {})", param_default(row));
    flag.expert = row.tier == ParamTier::expert;
    command.group(std::string(row.group));
    command.option(flags[i], flag);
  }
}

Params read_params(const ParamFlags& flags, const std::string& preset) {
  Params params;
  std::vector<std::string> problems;
  std::string hints;
  const auto attempt = [&](const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      problems.emplace_back(error.what());
      if (!error.hint().empty()) hints += (hints.empty() ? "" : "\n") + error.hint();
    }
  };
  if (!preset.empty()) {
    attempt([&] {
      // The preset may depend on the task.
      for (std::size_t i = 0; i < kParams.size(); ++i)
        if (kParams[i].name == "task" && flags[i]) set_param(params, "task", *flags[i]);
      apply_preset(params, preset);
    });
  }
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    if (flags[i]) attempt([&] { set_param(params, kParams[i].name, *flags[i]); });
  }
  if (problems.empty()) attempt([&] { validate(params); });
  if (!problems.empty())
    throw Error(ErrorCode::bad_params, fmt::format("{}", fmt::join(problems, "\n")), hints);
  return params;
}

}  // namespace bough::cli
