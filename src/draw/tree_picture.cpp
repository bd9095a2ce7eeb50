// SPDX-License-Identifier: Apache-2.0
// A tree as an SVG picture: boxes on the places of lay_out(), curves between them, a legend.
//
// A box holds the question, the answer, rows and impurity, and below them the shares of the classes as a bar
// or the value as a mark on the scale of all values. Folded branches have dashed boxes that say what is
// below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "draw/palette.hpp"
#include "draw/picture_rows.hpp"
#include "draw/svg.hpp"
#include "draw/tree_words.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr double kFont = 12.0, kSmall = 10.5, kLine = 15.0, kPad = 9.0, kBar = 7.0;
constexpr double kPlot = 46.0, kPlotWidth = 150.0;  // of the distribution in a box
constexpr std::string_view kMark = "#d55e00";       // the marked row
constexpr double kMargin = 18.0, kLevelGap = 54.0, kWidest = 210.0, kNarrowest = 78.0;
constexpr std::size_t kMostBoxes = 20'000, kAllClasses = 24, kMostClasses = 10, kMostWinners = 40;

struct Drawn {
  ViewBox box;
  BoxWords words;
  EdgeWords edge;  // at the edge that leads here
  double width = 0.0, height = 0.0;
  double x = 0.0, y = 0.0;  // middle, top
  std::optional<NodeBars> bars{};
};

class TreePicture {
 public:
  TreePicture(const Model& model, const Tree& tree, const TreePictureOptions& options)
      : model_(model), tree_(tree), options_(options), writer_(model, tree, options) {
    if (tree.task() == Task::regression) std::tie(lowest_, highest_) = value_range(tree);
    if (options.rows != nullptr) rows_.emplace(model, tree, *options.rows, options.row);
    make_boxes(view_tree(tree, options.view));
    place();
  }

  std::string draw() {
    Svg svg(width_, height_, options_.picture.theme, title(), description());
    if (!shown_title().empty())
      svg.text({width_ / 2.0, kMargin + 10.0}, shown_title(),
               {.size = 15.0, .anchor = "middle", .fill = svg.inks().ink, .bold = true});
    for (const Drawn& drawn : boxes_) curve(svg, drawn);
    for (const Drawn& drawn : boxes_) frame(svg, drawn);
    for (const Drawn& drawn : boxes_) edge_words(svg, drawn);
    legend(svg);
    return std::move(svg).finish();
  }

 private:
  [[nodiscard]] bool has_classes() const { return tree_.task() == Task::classification; }

  void make_boxes(const TreeView& view) {
    if (view.boxes.size() > kMostBoxes)
      throw Error(ErrorCode::bad_params,
                  fmt::format("a picture of {} cannot be read", shown_count(std::ssize(view.boxes), "box")),
                  "give a smaller max_depth, or none: then it is chosen");
    folded_at_ = view.max_depth;
    for (const ViewBox& box : view.boxes) {
      Drawn& drawn = boxes_.emplace_back();
      drawn.box = box;
      drawn.words = writer_.box(box);
      if (box.parent >= 0 && box.what != ViewBox::What::rest)
        drawn.edge = writer_.edge(boxes_[static_cast<std::size_t>(box.parent)].box.node, box.child);
      if (rows_ && box.what == ViewBox::What::inner) drawn.bars = rows_->bars(box.node);
      measure(drawn);
    }
  }

  void measure(Drawn& drawn) const {
    std::vector<BoxLine> lines;
    double widest = kNarrowest - 2.0 * kPad;
    // A sum is long and its cut comes last: without the cut the test would say nothing.
    const bool sum = drawn.box.what != ViewBox::What::rest && tree_.kind(drawn.box.node) == NodeKind::oblique;
    const std::size_t most_bold = sum ? 6 : 3;
    for (const BoxLine& line : drawn.words.lines) {
      const double size = line_size(line) * (line.bold ? 1.06 : 1.0);
      for (std::string& text : wrap_text(line.text, size, kWidest - 2.0 * kPad, line.bold ? most_bold : 2)) {
        widest = std::max(widest, text_width(text, size));
        lines.push_back({std::move(text), line.bold});
      }
    }
    drawn.words.lines = std::move(lines);
    if (drawn.bars) widest = std::max(widest, kPlotWidth);
    drawn.width = widest + 2.0 * kPad;
    drawn.height = 2.0 * kPad + static_cast<double>(drawn.words.lines.size()) * kLine - 3.0 +
                   (has_bar(drawn) ? kBar + 6.0 : 0.0) + (drawn.bars ? kPlot + 14.0 : 0.0);
  }

  [[nodiscard]] static double line_size(const BoxLine& line) { return line.bold ? kFont : kSmall; }
  [[nodiscard]] bool has_bar(const Drawn& drawn) const {
    return options_.bars && drawn.words.outcomes.size() == 1 &&
           (has_classes() ? drawn.words.outcomes.front().shares.size() > 1 : highest_ > lowest_);
  }

  [[nodiscard]] bool is_causal() const { return !model_.parts().treatment.fields.empty(); }
  // The effect farthest from 0: colours and bars run from 0 both ways.
  [[nodiscard]] double farthest() const { return std::max(std::fabs(lowest_), std::fabs(highest_)); }

  // The label of an edge may be wider than its box; boxes are spaced by the wider of both.
  void place() {
    std::vector<std::int32_t> parents;
    std::vector<double> widths;
    for (Drawn& drawn : boxes_) {
      parents.push_back(drawn.box.parent);
      drawn.edge.yes_no = fit_text(drawn.edge.yes_no, kSmall, kWidest - 40.0);
      widths.push_back(std::max(drawn.width, edge_width(drawn)));
    }
    const Layout layout = lay_out(parents, widths, {.siblings = 14.0, .cousins = 22.0});
    std::vector<double> heights(static_cast<std::size_t>(layout.n_levels), 0.0);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      double& height = heights[static_cast<std::size_t>(layout.depth[i])];
      height = std::max(height, boxes_[i].height);
    }
    std::vector<double> tops{kMargin + (shown_title().empty() ? 0.0 : 28.0)};
    for (const double height : heights) tops.push_back(tops.back() + height + kLevelGap);
    const double body = layout.width + 2.0 * kMargin;
    width_ = std::max({body, text_width(shown_title(), 15.0) * 1.06 + 2.0 * kMargin, legend_width()});
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      boxes_[i].x = layout.x[i] + kMargin + (width_ - body) / 2.0;
      boxes_[i].y = tops[static_cast<std::size_t>(layout.depth[i])];
    }
    legend_top_ = tops.back() - kLevelGap + 16.0;
    height_ = legend_top_ + legend_height() + kMargin;
  }

  void curve(Svg& svg, const Drawn& drawn) const {
    if (drawn.box.parent < 0) return;
    const Drawn& above = boxes_[static_cast<std::size_t>(drawn.box.parent)];
    const bool rest = drawn.box.what == ViewBox::What::rest;
    const double share = rest ? 0.0 : tree_.weight(drawn.box.node) / std::max(tree_.weight(0), 1e-300);
    // Without a background nothing hides the line behind the words.
    const bool ends_above = svg.inks().background.empty() && !drawn.edge.yes_no.empty() && !is_beside(drawn);
    const bool marked = !rest && on_path(drawn);
    svg.branch({above.x, above.y + above.height}, {drawn.x, drawn.y - (ends_above ? 18.0 : 0.0)},
               {.stroke = marked ? kMark : std::string_view(svg.inks().faint),
                .width = 1.0 + 3.0 * std::clamp(share, 0.0, 1.0),
                .dashes = rest ? "3 3" : ""});
  }

  // Short words stand beside the line, long ones on it.
  [[nodiscard]] bool is_beside(const Drawn& drawn) const {
    return edge_width(drawn) + 8.0 < drawn.width / 2.0;
  }
  [[nodiscard]] static double edge_width(const Drawn& drawn) {
    return text_width(drawn.edge.yes_no, kSmall) + (drawn.edge.missing ? 18.0 : 0.0);
  }

  void edge_words(Svg& svg, const Drawn& drawn) const {
    if (drawn.box.parent < 0 || (drawn.edge.yes_no.empty() && !drawn.edge.missing)) return;
    const double width = edge_width(drawn);
    double left = drawn.x - width / 2.0;
    if (is_beside(drawn)) {
      const bool turns_left = drawn.x < boxes_[static_cast<std::size_t>(drawn.box.parent)].x;
      left = turns_left ? drawn.x - 6.0 - width : drawn.x + 6.0;
    }
    svg.text({left, drawn.y - 6.0}, drawn.edge.yes_no,
             {.size = kSmall, .fill = svg.inks().ink, .halo = true});
    if (drawn.edge.missing) missing_mark(svg, {left + width - 7.0, drawn.y - 9.5});
  }

  static void missing_mark(Svg& svg, Point at) {
    svg.circle(at, 6.0, {.fill = "#ffffff", .stroke = "#6e6e6e"});
    svg.text({at.x, at.y + 3.4}, "?", {.size = 9.5, .anchor = "middle", .fill = "#1a1a1a", .bold = true});
  }

  [[nodiscard]] std::string fill_of(const Drawn& drawn) const {
    if (!options_.colour || drawn.words.outcomes.empty()) return "#ffffff";
    const Outcome& outcome = drawn.words.outcomes.front();
    if (is_causal()) return effect_fill(outcome.value, farthest());
    if (outcome.shares.empty()) return value_fill(outcome.value, lowest_, highest_);
    const auto best = static_cast<std::size_t>(outcome.value);
    return class_fill(best, outcome.shares[best], outcome.shares.size());
  }

  void frame(Svg& svg, const Drawn& drawn) const {
    const bool whole = drawn.box.what == ViewBox::What::inner || drawn.box.what == ViewBox::What::leaf;
    const bool leaf = drawn.box.what == ViewBox::What::leaf;
    svg.open(fmt::format("class=\"{}\" data-node=\"{}\"",
                         leaf    ? "leaf"
                         : whole ? "node"
                                 : "folded",
                         drawn.box.node),
             drawn.words.tooltip);
    const bool marked = drawn.box.what != ViewBox::What::rest && on_path(drawn);
    svg.rect(drawn.x - drawn.width / 2.0, drawn.y, drawn.width, drawn.height,
             {.fill = fill_of(drawn),
              .stroke = marked ? kMark : std::string_view("#4a4a4a"),
              .width = marked ? 2.4
                       : leaf ? 1.0
                              : 1.3,
              .dashes = whole ? "" : "5 3"},
             leaf ? 9.0 : 3.0);
    double at = drawn.y + kPad + 10.0;
    for (const BoxLine& line : drawn.words.lines) {
      svg.text({drawn.x, at}, line.text,
               {.size = line_size(line), .anchor = "middle", .fill = "#000000", .bold = line.bold});
      at += kLine;
    }
    if (drawn.bars) {
      plot(svg, drawn, at - 4.0);
      at += kPlot + 14.0;
    }
    if (has_bar(drawn)) bar(svg, drawn, at - 6.0);
    svg.close();
  }

  [[nodiscard]] bool on_path(const Drawn& drawn) const { return rows_ && rows_->on_path(drawn.box.node); }

  // The rows of a box along its column: bars by class or mean, dashed borders of the children, the marked row.
  void plot(Svg& svg, const Drawn& drawn, double top) const {
    const double left = drawn.x - drawn.width / 2.0 + kPad, room = drawn.width - 2.0 * kPad,
                 low = top + kPlot;
    const NodeBars& bars = *drawn.bars;
    svg.rect(left, top, room, kPlot, {.fill = "#ffffff", .stroke = "#c8c8c8", .width = 0.6});
    const double step = room / static_cast<double>(bars.bars.size());
    for (std::size_t i = 0; i < bars.bars.size(); ++i) {
      const RowBar& one = bars.bars[i];
      double at = low;
      const auto part = [&](double count, const std::string& fill) {
        const double size = (kPlot - 3.0) * count / bars.top;
        at -= size;
        if (size > 0.01)
          svg.rect(left + static_cast<double>(i) * step + 0.4, at, std::max(step - 0.8, 0.5), size,
                   {.fill = fill});
      };
      for (std::size_t c = 0; c < one.parts.size(); ++c) part(one.parts[c], hex(class_colour(c)));
      if (one.parts.empty() && one.count > 0.0)
        part(one.count, is_causal() ? effect_fill(one.sum / one.count, farthest())
                                    : blend(class_colour(4), 0.25 + 0.75 * place_of(one.sum / one.count)));
    }
    svg.line({left, low}, {left + room, low}, {.stroke = "#6e6e6e", .width = 0.8});
    for (const double cut : bars.cuts)
      svg.line({left + cut * room, top}, {left + cut * room, low + 3.0},
               {.stroke = "#000000", .width = 1.2, .dashes = "3 2"});
    if (!bars.row) return;
    const double x = left + *bars.row * room;
    const std::array<Point, 3> mark{Point{x, low + 1.0}, Point{x + 5.0, low + 9.0},
                                    Point{x - 5.0, low + 9.0}};
    svg.polygon(mark, {.fill = kMark, .stroke = "#ffffff", .width = 0.6});
  }
  // Place of a value between the lowest and the highest of the tree.
  [[nodiscard]] double place_of(double value) const {
    const double range = highest_ / 2.0 - lowest_ / 2.0;
    return range > 0.0 ? std::clamp((value / 2.0 - lowest_ / 2.0) / range, 0.0, 1.0) : 0.5;
  }

  void bar(Svg& svg, const Drawn& drawn, double top) const {
    const double left = drawn.x - drawn.width / 2.0 + kPad, room = drawn.width - 2.0 * kPad;
    const Outcome& outcome = drawn.words.outcomes.front();
    svg.rect(left, top, room, kBar, {.fill = "#ffffff", .stroke = "#4a4a4a", .width = 0.6});
    if (has_classes()) {
      double at = left;
      for (std::size_t i = 0; i < outcome.shares.size(); ++i) {
        const double part = room * outcome.shares[i];
        if (part > 0.02) svg.rect(at, top, part, kBar, {.fill = hex(class_colour(i))});
        at += part;
      }
      svg.rect(left, top, room, kBar, {.stroke = "#4a4a4a", .width = 0.6});
      return;
    }
    if (is_causal()) {
      const double middle = left + room / 2.0, part = room / 2.0 * std::fabs(outcome.value) / farthest();
      const bool above = outcome.value >= 0.0;
      svg.rect(above ? middle : middle - part, top, part, kBar, {.fill = hex(effect_colour(above))});
      svg.line({middle, top - 1.5}, {middle, top + kBar + 1.5}, {.stroke = "#4a4a4a", .width = 1.0});
      return;
    }
    svg.rect(left, top, room * place_of(outcome.value), kBar, {.fill = hex(class_colour(4))});
  }

  // ---------------------------------------------------------------- words around the tree
  [[nodiscard]] std::string target_name() const {
    std::vector<std::string> names;
    for (const Field& field : model_.targets().fields) names.push_back(shown_name(field.name));
    std::string text = names.empty() ? "" : names.front();
    for (std::size_t i = 1; i < std::min<std::size_t>(names.size(), 4); ++i)
      text += fmt::format(", {}", names[i]);
    return names.size() > 4 ? text + ", …" : text;
  }

  [[nodiscard]] std::string title() const {
    if (options_.picture.title && !options_.picture.title->empty()) return *options_.picture.title;
    if (is_causal())
      return fmt::format("Effect of {} on {}{}", shown_name(model_.parts().treatment.fields.front().name),
                         target_name(), of_several().empty() ? "" : fmt::format(" ({})", of_several()));
    return fmt::format("Decision tree of {}{}", target_name(),
                       of_several().empty() ? "" : fmt::format(" ({})", of_several()));
  }
  // "tree 2 of 10" when there are others.
  [[nodiscard]] std::string of_several() const {
    return model_.trees().size() == 1 ? "" : tree_of_words(model_, options_.picture.tree.value_or(0));
  }
  [[nodiscard]] std::string shown_title() const {
    if (!options_.picture.title) return is_causal() ? title() : of_several();
    std::string line = shown_line(*options_.picture.title);
    if (!line.empty() && !of_several().empty()) line += fmt::format(" ({})", of_several());
    return fit_text(line, 15.0, 1200.0);
  }
  static std::string shown_line(const std::string& text) {
    std::string line = text;
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20; }, ' ');
    return line;
  }

  [[nodiscard]] std::string description() const {
    std::string text = fmt::format("{} and {}, {} deep, grown on {}.", shown_count(tree_.n_nodes(), "node"),
                                   shown_count(tree_.n_leaves(), "leaf"), shown_count(tree_.depth(), "level"),
                                   shown_count(tree_.n_rows(0), "row"));
    if (folded_at_ >= 0) text += fmt::format(" Branches below level {} are folded.", folded_at_);
    return text;
  }

  // The classes that the legend names: of too many those that win somewhere, then the larger ones.
  [[nodiscard]] std::vector<std::size_t> legend_classes() const {
    if (!has_classes() || model_.n_outputs() != 1 || (!options_.colour && !options_.bars)) return {};
    const std::vector<double>& shares = boxes_.front().words.outcomes.front().shares;
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() <= kAllClasses) return order;
    std::vector<bool> wins(shares.size(), false);
    for (const Drawn& drawn : boxes_)
      for (const Outcome& outcome : drawn.words.outcomes)
        wins[static_cast<std::size_t>(outcome.value)] = true;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return wins[a] != wins[b] ? wins[a] : shares[a] > shares[b];
    });
    const auto winners = static_cast<std::size_t>(std::ranges::count(wins, true));
    order.resize(std::max(kMostClasses, std::min(winners, kMostWinners)));
    std::sort(order.begin(), order.end());
    return order;
  }

  // The entries of the legend: a class each, or the scale; then what the signs mean.
  struct Entry {
    std::string text{};
    std::string fill{};
    bool missing = false;
    bool folded = false;
  };
  [[nodiscard]] std::vector<Entry> entries() const {
    std::vector<Entry> out;
    const std::vector<std::string>& names = model_.targets().fields.front().levels.names;
    const std::vector<std::size_t> classes = legend_classes();
    for (const std::size_t i : classes)
      out.push_back({.text = fit_text(class_words(model_.targets().fields.front(), i), kSmall, 140.0),
                     .fill = hex(class_colour(i))});
    if (!classes.empty() && names.size() > classes.size())
      out.push_back({.text = fmt::format("and {} more", names.size() - classes.size())});
    if (!has_classes() && model_.n_outputs() == 1 && highest_ > lowest_ && options_.colour) {
      // The title of a causal tree names what its scale is of.
      if (!is_causal())
        out.push_back({.text = fit_text(shown_name(model_.targets().fields.front().name), kSmall, 140.0)});
      for (const double value : {lowest_, highest_})
        out.push_back(
            {.text = short_number(value),
             .fill = is_causal() ? effect_fill(value, farthest()) : value_fill(value, lowest_, highest_)});
    }
    if (std::ranges::any_of(boxes_, [](const Drawn& drawn) { return drawn.edge.missing; }))
      out.push_back({.text = "missing values go here", .missing = true});
    if (std::ranges::any_of(boxes_, [](const Drawn& d) { return d.box.what == ViewBox::What::folded; }))
      out.push_back({.text = "folded branch", .folded = true});
    return out;
  }
  [[nodiscard]] static double entry_width(const Entry& entry) {
    return 18.0 + text_width(entry.text, kSmall) + 18.0;
  }
  [[nodiscard]] double legend_width() const {
    double widest = 0.0;
    for (const Entry& entry : entries()) widest = std::max(widest, entry_width(entry));
    return widest + 2.0 * kMargin;
  }
  // Rows of entries that fit the picture.
  [[nodiscard]] std::vector<std::vector<Entry>> legend_rows() const {
    std::vector<std::vector<Entry>> rows;
    double at = std::numeric_limits<double>::infinity();
    for (const Entry& entry : entries()) {
      if (at + entry_width(entry) > width_ - 2.0 * kMargin + 18.0) {
        rows.emplace_back();
        at = 0.0;
      }
      rows.back().push_back(entry);
      at += entry_width(entry);
    }
    return rows;
  }
  [[nodiscard]] double legend_height() const { return static_cast<double>(legend_rows().size()) * 18.0; }

  void legend(Svg& svg) const {
    double y = legend_top_ + 10.0;
    for (const std::vector<Entry>& row : legend_rows()) {
      double total = -18.0;
      for (const Entry& entry : row) total += entry_width(entry);
      double x = (width_ - total) / 2.0;
      for (const Entry& entry : row) {
        if (entry.missing)
          missing_mark(svg, {x + 6.0, y - 1.0});
        else if (entry.folded || !entry.fill.empty())
          svg.rect(x, y - 7.0, 12.0, 12.0,
                   {.fill = entry.folded ? "#ffffff" : std::string_view(entry.fill),
                    .stroke = "#4a4a4a",
                    .width = 0.8,
                    .dashes = entry.folded ? "3 2" : ""});
        svg.text({x + 18.0, y + 3.0}, entry.text, {.size = kSmall, .fill = svg.inks().ink});
        x += entry_width(entry);
      }
      y += 18.0;
    }
  }

  const Model& model_;
  const Tree& tree_;
  const TreePictureOptions& options_;
  TreeWriter writer_;
  std::optional<PictureRows> rows_;
  std::vector<Drawn> boxes_;
  int folded_at_ = -1;
  double width_ = 0.0, height_ = 0.0, legend_top_ = 0.0;
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::string draw_tree(const Model& model, const TreePictureOptions& options) {
  const std::size_t tree = options.picture.tree.value_or(0);
  return TreePicture(model, tree_at(model, tree), options).draw();
}

}  // namespace bough
