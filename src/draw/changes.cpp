// SPDX-License-Identifier: Apache-2.0
// Trees before and after a row is left out: pictures of trees set into one document, two by two.
#include "bough/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "draw/svg.hpp"

namespace bough {
namespace {

constexpr double kPairMargin = 20.0;
constexpr double kTitleLine = 18.0;
constexpr double kWordSize = 13.0;
constexpr std::size_t kMostWords = 4;  // differences told above a pair
constexpr std::size_t kMostRows = 12;

struct Picture {
  std::string svg;
  double width = 0.0;
  double height = 0.0;
};

double attribute(const std::string& svg, std::string_view name) {
  const std::string start = fmt::format(" {}=\"", name);
  const std::size_t at = svg.find(start);
  return at == std::string::npos ? 0.0 : std::strtod(svg.c_str() + at + start.size(), nullptr);
}

Picture picture_of(const Model& model, std::string title, Theme theme) {
  TreePictureOptions options;
  options.picture.theme = theme;
  options.picture.title = std::move(title);
  options.node_ids = true;
  Picture picture{draw_tree(model, options), 0.0, 0.0};
  picture.width = attribute(picture.svg, "width");
  picture.height = attribute(picture.svg, "height");
  return picture;
}

// A whole document as a part of another one.
std::string placed(const Picture& picture, double x, double y) {
  std::string svg = picture.svg;
  const std::size_t at = svg.find("<svg ");
  return svg.substr(at).insert(5, fmt::format("x=\"{:.0f}\" y=\"{:.0f}\" ", x, y));
}

std::string rows_words(const LeaveOneOut& result, const ChangedTree& tree) {
  std::string text;
  for (std::size_t i = 0; i < std::min(tree.rows.size(), kMostRows); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", tree.rows[i] + result.first_row);
  if (tree.rows.size() > kMostRows) text += fmt::format(" and {} more", tree.rows.size() - kMostRows);
  return fmt::format("without {} {}", tree.rows.size() == 1 ? "row" : "any of rows", text);
}

std::vector<std::string> words_of(const ChangedTree& tree) {
  std::vector<std::string> lines;
  for (const NodeDifference& difference : tree.differences) {
    if (lines.size() == kMostWords) {
      lines.push_back(fmt::format("and {} more differences", tree.differences.size() - kMostWords));
      break;
    }
    lines.push_back(fmt::format("node {}: {} → {}", difference.before, difference.from, difference.to));
  }
  return lines;
}

struct Pair {
  Picture after;
  std::string title;
  std::vector<std::string> words;
  double top = 0.0;
  [[nodiscard]] double head() const { return kTitleLine * (2.0 + static_cast<double>(words.size())); }
};

}  // namespace

std::string draw_changes(const LeaveOneOut& result, std::size_t most, Theme theme) {
  const Picture before = picture_of(*result.before, "all rows", theme);
  std::vector<Pair> pairs;
  double width = before.width, bottom = kPairMargin;
  for (const ChangedTree& tree : result.changed) {
    if (!tree.model || pairs.size() == most) break;
    Pair& pair = pairs.emplace_back(Pair{picture_of(*tree.model, rows_words(result, tree), theme),
                                         rows_words(result, tree), words_of(tree), bottom});
    width = std::max(width, before.width + kPairMargin + pair.after.width);
    bottom += pair.head() + std::max(before.height, pair.after.height) + kPairMargin;
  }
  if (pairs.empty()) bottom += 2.0 * kTitleLine + before.height + kPairMargin;
  const std::string summary =
      fmt::format("{} of {} rows {} the structure of the tree when left out, {} only {} cuts",
                  result.n_structure(), result.n_rows, result.n_structure() == 1 ? "changes" : "change",
                  result.n_cuts(), result.n_cuts() == 1 ? "moves" : "move");
  width = std::max(width, text_width(summary, kWordSize)) + 2.0 * kPairMargin;
  Svg svg(width, bottom + kTitleLine, theme, "Leave one out", summary);
  svg.text({kPairMargin, kPairMargin}, summary, {.size = kWordSize, .fill = svg.inks().ink});
  std::string parts;
  if (pairs.empty()) parts = placed(before, kPairMargin, kPairMargin + kTitleLine);
  for (const Pair& pair : pairs) {
    double y = pair.top + 2.0 * kTitleLine;
    svg.text({kPairMargin, y}, fit_text(pair.title, kWordSize, width - 2.0 * kPairMargin),
             {.size = kWordSize, .fill = svg.inks().ink, .bold = true});
    for (const std::string& line : pair.words)
      svg.text({kPairMargin, y += kTitleLine}, fit_text(line, kWordSize, width - 2.0 * kPairMargin),
               {.size = kWordSize, .fill = svg.inks().ink});
    parts += placed(before, kPairMargin, pair.top + pair.head() + kTitleLine);
    parts += placed(pair.after, 2.0 * kPairMargin + before.width, pair.top + pair.head() + kTitleLine);
  }
  std::string document = std::move(svg).finish();
  document.insert(document.rfind("</svg>"), parts);
  return document;
}

}  // namespace bough
