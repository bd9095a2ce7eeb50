// SPDX-License-Identifier: Apache-2.0
// Training parameters as options, made by walking the one table of them.
#include "param_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
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

namespace {

// Names that are words of everyday language are options where one is told what to do about them, where they are what is
// not supported, and at the beginning of a sentence about their value.
bool is_told(std::string_view before, std::string_view after) {
  for (const std::string_view words :
       {"set ", "set the ", "leave ", "because ", "drop ", "turn ", "give ", "not support ", "option "})
    if (before.ends_with(words)) return true;
  const std::size_t list = before.rfind("not support ");
  if (list != std::string_view::npos && before.ends_with(", ")) return true;
  return before.empty() && (after.starts_with(" must ") || after.starts_with(" is "));
}

}  // namespace

std::string as_options(std::string_view text) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    const bool known =
        std::any_of(kParams.begin(), kParams.end(), [&](const ParamRow& row) { return row.name == word; }) ||
        (!word.empty() && is_option_of_verb(option_name(word)));
    const bool valued = end < text.size() && text[end] == '=';
    // A value may be called as a parameter is (pruning=critical_value); quoted words are the user's.
    const std::string_view before(out);
    const bool told = is_told(before, text.substr(end));
    const bool is_value = (i > 0 && (text[i - 1] == '\'' || text[i - 1] == '"' || text[i - 1] == '=')) ||
                          (!told && !valued && is_choice_of_verb(std::string(word)));
    if (known && !is_value && (valued || told || word.find('_') != std::string_view::npos)) {
      if (before.ends_with("set the ")) out.erase(out.size() - 4);
      out += option_name(word);
      if (valued) out += ' ';
      i = end + (valued ? 1 : 0);
    } else {
      out += word.empty() ? text.substr(i, 1) : word;
      i = word.empty() ? i + 1 : end;
    }
  }
  return out;
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
    command.effects({{flag.names}});  // what a parameter needs is the library's table (check_given_params)
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
  // Who chooses another pruning than the preset's has no use for its details.
  const auto given = [&](std::string_view name) {
    for (std::size_t i = 0; i < kParams.size(); ++i)
      if (kParams[i].name == name) return flags[i].has_value();
    return false;
  };
  for (const ParamRow& row : kParams)
    if (!preset.empty() && given("pruning") && row.name.starts_with("pruning_") && !given(row.name))
      attempt([&] { set_param(params, row.name, param_default(row)); });
  if (problems.empty()) attempt([&] { validate(params); });
  if (!problems.empty())
    throw Error(ErrorCode::bad_params, fmt::format("{}", fmt::join(problems, "\n")), hints);
  return params;
}

}  // namespace bough::cli
