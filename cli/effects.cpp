// SPDX-License-Identifier: Apache-2.0
// Needs of options, and the sentences made of them.
#include "effects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace bough::cli {

namespace {

// "a", "a or b", "a, b or c".
std::string joined(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? fmt::format(" {} ", last) : ", ") + words[i];
  return text;
}

bool is_argument(const std::string& option) {
  return !option.starts_with('-');
}

// "--kind is path", "'bough study splits' does not use it".
std::string value_reason(const Need& need, const Typed& typed) {
  const std::string value = typed.value(need.option).value_or("");
  if (is_argument(need.option)) return fmt::format("'bough {} {}' does not use it", typed.verb, value);
  return value.empty() ? fmt::format("{} is not given", need.option)
                       : fmt::format("{} is {}", need.option, value);
}

std::vector<Need> needs_of(const Effect& row) {
  std::vector<Need> needs;
  for (const std::string& text : row.needs) needs.push_back(parse_need(text));
  return needs;
}

std::string reason(const std::vector<Need>& needs, const Typed& typed) {
  std::vector<std::string> reasons, absent;
  for (const Need& need : needs) {
    if (need.kind == Need::Kind::given) absent.push_back(need.option);
    if (need.kind == Need::Kind::absent)
      reasons.push_back(is_argument(need.option)
                            ? fmt::format("'{}' is given", typed.value(need.option).value_or(need.option))
                            : fmt::format("{} is given", need.option));
    if (need.kind == Need::Kind::valued) reasons.push_back(value_reason(need, typed));
  }
  if (absent.size() == 1) reasons.push_back(fmt::format("{} is not given", absent.front()));
  if (absent.size() == 2) reasons.push_back(fmt::format("neither {} is given", joined(absent, "nor")));
  if (absent.size() > 2) reasons.push_back(fmt::format("none of {} is given", joined(absent, "and")));
  return joined(reasons, "and");
}

}  // namespace

Need parse_need(const std::string& text) {
  if (text.starts_with('!')) return {Need::Kind::absent, text.substr(1)};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {Need::Kind::given, text};
  return {Need::Kind::valued, text.substr(0, equals), split_list(text.substr(equals + 1), '|')};
}

bool holds(const Need& need, const Typed& typed) {
  if (need.kind == Need::Kind::given) return typed.given(need.option);
  if (need.kind == Need::Kind::absent) return !typed.given(need.option);
  const std::optional<std::string> value = typed.value(need.option);
  return value && std::ranges::find(need.values, *value) != need.values.end();
}

IdleWords idle_words(const std::string& option, const Effect& row, const Typed& typed) {
  const std::vector<Need> needs = needs_of(row);
  std::vector<std::string> ways, added;
  for (const Need& need : needs) {
    if (need.kind == Need::Kind::given) added.push_back(need.option);
    if (need.kind == Need::Kind::absent)
      ways.push_back(is_argument(need.option) ? "leave that out" : fmt::format("leave {} out", need.option));
    if (need.kind == Need::Kind::valued)
      ways.push_back(is_argument(need.option)
                         ? fmt::format("ask for bough {} {}", typed.verb, joined(need.values, "or"))
                         : fmt::format("use {} {}", need.option, joined(need.values, "or")));
  }
  if (!added.empty()) ways.insert(ways.begin(), fmt::format("add {}", joined(added, "or")));
  // "use --a b, c or d, or leave --e out": the last or is about more than d.
  const bool listed =
      std::ranges::any_of(ways, [](const std::string& way) { return way.find(" or ") != std::string::npos; });
  const std::string way_out = fmt::format("leave {} out", option);
  if (!listed) ways.push_back(way_out);
  return {
      fmt::format("{} does nothing, because {}", option, row.why.empty() ? reason(needs, typed) : row.why),
      listed ? fmt::format("{}, or {}", joined(ways, "or"), way_out) : joined(ways, "or")};
}

std::string needs_text(const Effect& row) {
  std::vector<std::string> words;
  for (const Need& need : needs_of(row)) {
    if (need.kind == Need::Kind::given) words.push_back(fmt::format("with {}", need.option));
    if (need.kind == Need::Kind::absent) words.push_back(fmt::format("without {}", need.option));
    if (need.kind == Need::Kind::valued)
      words.push_back(is_argument(need.option)
                          ? joined(need.values, "or")
                          : fmt::format("with {} {}", need.option, joined(need.values, "or")));
  }
  return joined(words, "or");
}

}  // namespace bough::cli
