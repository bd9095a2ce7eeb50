// SPDX-License-Identifier: Apache-2.0
// The text of `bough <verb> --help`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command.hpp"
#include "errors.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::size_t kMostWidth = 100;
constexpr std::size_t kLeastWidth = 60;
constexpr std::size_t kMostExamples = 3;  // of the short help
constexpr std::size_t kDocColumn = 36;
constexpr std::size_t kWordColumn = 18;

std::string usage_of(const std::string& verb, const std::vector<FlagInfo>& flags) {
  std::string usage = fmt::format("Usage: bough {}", verb);
  for (const FlagInfo& info : flags) {
    if (info.argument) usage += info.required ? ' ' + info.value : fmt::format(" [{}]", info.value);
  }
  return usage + " [options]\n";
}

// The width of the terminal, if it is one.
std::size_t width() {
  return std::clamp(width_of(stdout).value_or(kMostWidth), kLeastWidth, kMostWidth);
}

// The beginning of a text that fits into a line: to the end of a clause, or with dots that show that it goes on.
std::string one_line_of(const std::string& text, std::size_t room) {
  if (display_width(text) <= room) return text;
  constexpr std::size_t kLeast = 12;  // a single word says nothing
  constexpr std::string_view kMore = " ...";
  const auto open_bracket = [&](std::size_t at) {
    const std::string_view line(text.data(), at);
    return std::ranges::count(line, '(') == std::ranges::count(line, ')') ? std::string::npos
                                                                          : line.rfind(" (");
  };
  std::size_t end = 0;
  for (const std::string_view mark : {". ", "; "})
    for (std::size_t at = text.find(mark); at != std::string::npos && at <= room;
         at = text.find(mark, at + 1))
      if (open_bracket(at) == std::string::npos) end = std::max(end, at);
  if (const std::size_t last = text.rfind(" ("); end == 0 && text.ends_with(')') && last <= room) end = last;
  if (end >= kLeast) return text.substr(0, end);
  end = text.rfind(' ', room - kMore.size());
  end = std::min(end, open_bracket(end));
  while (text[end - 1] == ',' || text[end - 1] == ':') --end;
  return text.substr(0, end) + std::string(kMore);
}

// What an option needs, where its text does not say so itself.
std::string with_needs(std::string doc, const std::vector<Effect>& rows) {
  std::string words;
  for (const Effect& row : rows) {
    const auto is_said = [&](const std::string& text) {
      const Need need = parse_need(text);
      return doc.find(need.values.empty() ? need.option : need.values.front()) != std::string::npos;
    };
    if (row.needs.empty() || std::ranges::any_of(row.needs, is_said)) continue;
    words += (words.empty() ? "" : "; ") + needs_text(row);
  }
  return words.empty() ? doc : fmt::format("{} ({})", doc, words);
}

std::string line_of(const FlagInfo& info, const std::vector<Effect>& effects, Command::HelpDepth depth) {
  std::string left = "  ";
  if (info.argument) {
    left += info.value;
  } else {
    if (info.names.front().starts_with("--")) left += "    ";
    left += fmt::format("{}", fmt::join(info.names, ", "));
    if (!info.value.empty()) left += ' ' + info.value;
  }
  std::string doc = info.doc;
  if (depth == Command::HelpDepth::basic) {
    const std::string line = pad_right(left, kDocColumn);
    return line + (line.size() > kDocColumn ? "  " : "") +
           one_line_of(doc, width() - std::min(width() - 20, std::max(line.size() + 2, kDocColumn))) + '\n';
  }
  doc = with_needs(doc, effects);
  if (!info.choices.empty()) doc += fmt::format(" [{}]", fmt::join(info.choices, ", "));
  doc = wrap(doc, width() - kDocColumn, kDocColumn);
  if (left.size() + 2 > kDocColumn) return left + '\n' + std::string(kDocColumn, ' ') + doc + '\n';
  return pad_right(left, kDocColumn) + doc + '\n';
}

}  // namespace

bool Command::is_basic(const FlagInfo& info) const {
  if (info.argument) return true;
  if (essentials_.empty()) return !info.expert && info.group != "Reading";
  return std::find(essentials_.begin(), essentials_.end(), info.names.back()) != essentials_.end();
}

std::string Command::help(HelpDepth depth) const {
  const bool basic = depth == HelpDepth::basic;
  std::string text = fmt::format("bough {}: {}\n\n{}", name_, summary_, usage_of(name_, flags_));
  std::vector<std::string> groups;
  for (const FlagInfo& info : flags_) {
    const std::string& group = info.argument ? "Arguments" : info.group;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::size_t hidden = 0;
  if (basic) text += '\n';
  for (const std::string& group : groups) {
    std::string lines;
    for (const FlagInfo& info : flags_) {
      if ((info.argument ? "Arguments" : info.group) != group) continue;
      if (basic && !is_basic(info))
        ++hidden;
      else
        lines += line_of(info, effects_of(info), depth);
    }
    if (!lines.empty()) text += basic ? lines : fmt::format("\n{}:\n{}", group, lines);
  }
  text += basic ? "  -h, --help                        Show this text\n"
                : "\n  -h, --help                        Show the short help\n";
  if (basic)
    text += fmt::format("      --help-all                    Explain each{}\n",
                        hidden > 0 ? fmt::format(", and list {} more options", hidden) : "");
  for (const auto& [title, meanings] : words_) {
    if (basic) break;
    text += fmt::format("\n{}:\n", title);
    for (const auto& [word, meaning] : meanings)
      text += pad_right("  " + word, kWordColumn) + wrap(meaning, width() - kWordColumn, kWordColumn) + '\n';
  }
  for (const std::string& note : notes_)
    if (!basic) text += fmt::format("\n{}\n", wrap(note, width(), 0));
  if (!basic) text += fmt::format("\n{}\n", fitted(stdout, fmt::format("Exit codes: {}", kExitCodes), 2));
  if (!examples_.empty()) text += "\nExamples:\n";
  for (std::size_t i = 0; i < examples_.size() && (!basic || i < kMostExamples); ++i)
    text += fmt::format("  {}\n", examples_[i]);
  return text;
}

}  // namespace bough::cli
