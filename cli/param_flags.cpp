// SPDX-License-Identifier: Apache-2.0
// Training parameters as options, made by walking the one table of them.
#include "param_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace bough::cli {

namespace {

std::string placeholder(const ParamRow& row) {
  std::string word(param_type(row));
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c == '_' ? '-' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return word;
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

Params read_params(const ParamFlags& flags) {
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
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    if (flags[i]) attempt([&] { set_param(params, kParams[i].name, *flags[i]); });
  }
  if (problems.empty()) attempt([&] { validate(params); });
  if (!problems.empty())
    throw Error(ErrorCode::bad_params, fmt::format("{}", fmt::join(problems, "\n")), hints);
  return params;
}

}  // namespace bough::cli
