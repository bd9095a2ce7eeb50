// SPDX-License-Identifier: Apache-2.0
// Small text helpers of the command line.
#include "text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "bough/error.hpp"
#include "bough/explain.hpp"

namespace bough::cli {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Letters to add, drop, change or swap with their neighbour to get from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

constexpr std::size_t kFar = 1000;

// Smaller is nearer; kFar when the two have little in common.
std::size_t dissimilarity(std::string_view name, std::string_view candidate) {
  const std::string a = lower(name);
  const std::string b = lower(candidate);
  const std::size_t distance = edit_distance(a, b);
  if (distance <= std::max(a.size(), b.size()) / 3) return distance;
  if (a.size() >= 3 && b.find(a) != std::string::npos) return 100 + b.size() - a.size();
  if (b.size() >= 3 && a.starts_with(b)) return 200 + a.size() - b.size();
  return kFar;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  bool was_quoted = false;
  const auto finish = [&] {
    if (!was_quoted) {
      while (!part.empty() && is_blank(part.back())) part.pop_back();
    }
    if (!part.empty() || was_quoted) parts.push_back(std::move(part));
    part.clear();
    was_quoted = false;
  };
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && inside && i + 1 < text.size() && text[i + 1] == '"') {
      part += text[++i];
    } else if (c == '"') {
      inside = !inside;
      was_quoted = true;
    } else if (c == separator && !inside) {
      finish();
    } else if (inside || !part.empty() || !is_blank(c)) {
      part += c;
    }
  }
  finish();
  return parts;
}

std::vector<std::string> split_lists(std::span<const std::string> texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts)
    for (std::string& part : split_list(text)) all.push_back(std::move(part));
  return all;
}

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates,
                                    std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t far = dissimilarity(name, candidate);
    if (far < kFar) near.emplace_back(far, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > most) near.resize(most);
  std::vector<std::string> names;
  names.reserve(near.size());
  for (auto& entry : near) names.push_back(std::move(entry.second));
  return names;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::vector<std::string> near = near_names(name, candidates);
  if (near.empty()) return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == near.size() ? " or " : ", ", near[i]);
  return text + "?";
}

void refuse_name(std::string_view kind, std::string_view name, std::span<const std::string> names) {
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::bad_params, fmt::format("there is no {} '{}'", kind, name),
              near.empty() ? fmt::format("the {}s are {}", kind, fmt::join(names, ", ")) : near);
}

std::string option_elsewhere(std::string_view written, std::span<const std::string> known) {
  // scikit-learn, rpart, ranger, LightGBM and Weka; words that people try; and the option that is meant.
  static constexpr std::array<std::array<std::string_view, 2>, 21> kNames{{
      {"--n-estimators", "--forest"},
      {"--num-trees", "--forest"},
      {"--ntree", "--forest"},
      {"--trees", "--forest"},
      {"--mtry", "--max-features"},
      {"--random-state", "--seed"},
      {"--n-jobs", "--threads"},
      {"--num-threads", "--threads"},
      {"--minbucket", "--min-samples-leaf"},
      {"--min-data-in-leaf", "--min-samples-leaf"},
      {"--min-node-size", "--min-samples-leaf"},
      {"--minsplit", "--min-samples-split"},
      {"--num-leaves", "--max-leaf-nodes"},
      {"--leaves", "--max-leaf-nodes"},
      {"--depth", "--max-depth"},
      {"--xval", "--pruning-folds"},
      {"--folds", "--pruning-folds"},
      {"--test-size", "--holdout"},
      {"--label", "--target"},
      {"--format", "--to"},
      {"--out", "--output"},
  }};
  for (const auto& [other, ours] : kNames)
    if (other == written && std::ranges::find(known, ours) != known.end()) return std::string(ours);
  return {};
}

std::string some_of(std::span<const std::string> names, std::size_t most) {
  const std::size_t shown = names.size() <= most ? names.size() : most;
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string score_text(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::fabs(value);
  if (size >= 1e-9 && size < 0.001) return fmt::format("{:.3g}", value);
  if (size >= 1e6) return fmt::format("{:.4g}", value);
  return size >= 1000 ? fmt::format("{:.1f}", value) : fmt::format("{:.4f}", value);
}

std::string amount_text(double value) {
  const double size = std::fabs(value);
  return size > 0.0 && size < 1e-9 ? fmt::format("{:.3g}", value) : score_text(value);
}

std::string csv_cell(std::string_view text) {
  const bool edge_blank = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  if (!edge_blank && text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string shell_word(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./=:,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead == '\n' || lead == '\t' || (lead >= 0x20 && lead < 0x7F)) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view sign = text.substr(0, length);
    // one_line knows which signs these are; the letters keep it from quoting blanks.
    const std::string within = one_line(fmt::format("a{}a", sign));
    const bool broken = within.starts_with("a\uFFFD") && sign != "\uFFFD";
    out += broken ? "\uFFFD" : within.substr(1, within.size() - 2);
    text.remove_prefix(broken ? 1 : sign.size());
  }
  return out;
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t size = display_width(word);
    if (column != 0 && column + 1 + size > width) {
      out += '\n';
      out.append(indent, ' ');
      column = 0;
    } else if (column != 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += size;
    at = end;
  }
  return out;
}

std::size_t display_width(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t size = display_width(text);
  return fmt::format("{}{:{}}", text, "", size < width ? width - size : 0);
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t size = display_width(text);
  return fmt::format("{:{}}{}", "", size < width ? width - size : 0, text);
}

}  // namespace bough::cli
