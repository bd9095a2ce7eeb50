// SPDX-License-Identifier: Apache-2.0
// The text of `bough <verb> --help`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kDocColumn = 36;
constexpr std::size_t kWordColumn = 18;

std::string usage_of(const std::string& verb, const std::vector<FlagInfo>& flags) {
  std::string usage = fmt::format("Usage: bough {}", verb);
  for (const FlagInfo& info : flags) {
    if (info.argument) usage += info.required ? ' ' + info.value : fmt::format(" [{}]", info.value);
  }
  return usage + " [options]\n";
}

std::string line_of(const FlagInfo& info) {
  std::string left = "  ";
  if (info.argument) {
    left += info.value;
  } else {
    if (info.names.front().starts_with("--")) left += "    ";
    left += fmt::format("{}", fmt::join(info.names, ", "));
    if (!info.value.empty()) left += ' ' + info.value;
  }
  std::string doc = info.doc;
  if (!info.choices.empty()) doc += fmt::format(" [{}]", fmt::join(info.choices, ", "));
  doc = wrap(doc, kWidth - kDocColumn, kDocColumn);
  if (left.size() + 2 > kDocColumn) return left + '\n' + std::string(kDocColumn, ' ') + doc + '\n';
  return pad_right(left, kDocColumn) + doc + '\n';
}

}  // namespace

std::string Command::help(HelpDepth depth) const {
  std::string text = fmt::format("bough {}: {}\n\n{}", name_, summary_, usage_of(name_, flags_));
  std::vector<std::string> groups;
  bool hides = false;
  for (const FlagInfo& info : flags_) {
    const std::string& group = info.argument ? "Arguments" : info.group;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  for (const std::string& group : groups) {
    std::string lines;
    for (const FlagInfo& info : flags_) {
      if ((info.argument ? "Arguments" : info.group) != group) continue;
      if (info.expert && depth == HelpDepth::basic)
        hides = true;
      else
        lines += line_of(info);
    }
    if (!lines.empty()) text += fmt::format("\n{}:\n{}", group, lines);
  }
  text += "\n  -h, --help                        Show this text\n";
  if (hides) text += "      --help-all                    Show the expert options too\n";
  for (const auto& [title, meanings] : words_) {
    text += fmt::format("\n{}:\n", title);
    for (const auto& [word, meaning] : meanings)
      text += pad_right("  " + word, kWordColumn) + wrap(meaning, kWidth - kWordColumn, kWordColumn) + '\n';
  }
  for (const std::string& note : notes_) text += fmt::format("\n{}\n", wrap(note, kWidth, 0));
  if (!examples_.empty()) text += "\nExamples:\n";
  for (const std::string& example : examples_) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace bough::cli
