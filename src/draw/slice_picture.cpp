// SPDX-License-Identifier: Apache-2.0
// What pictures of slices share.
#include "draw/slice_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "draw/palette.hpp"
#include "explain/outcome.hpp"
#include "explain/words.hpp"

namespace bough {

Scale axis_scale(const Model& model, const SliceAxis& axis) {
  if (!axis.is_levels) return {.low = axis.low, .high = axis.high};
  std::vector<std::string> names;
  for (const std::string& name : model.features().fields[static_cast<std::size_t>(axis.column)].levels.names)
    names.push_back(shown_name(name));
  return name_scale(std::move(names));
}

double spread(const SliceAxis& axis, std::size_t row) {
  if (!axis.is_levels) return 0.0;
  // Multiples of two numbers would lie on lines where both axes are spread; draws of two keys do not.
  return (unit(draw(static_cast<std::uint64_t>(axis.column), row)) - 0.5) * 0.7;
}

std::vector<std::string> slice_captions(const Slice& slice, const SliceOptions& options) {
  std::vector<std::string> captions;
  if (const std::string held = held_words(slice); !held.empty()) captions.push_back("Held: " + held + ".");
  if (options.points && slice.n_rows > 0) {
    std::int64_t unknown = 0;
    for (std::size_t i = 0; i < slice.axes.front().cells.size(); ++i)
      unknown += std::ranges::any_of(slice.axes, [&](const SliceAxis& axis) {
        return !std::isfinite(axis.cells[i]) || (axis.is_levels && axis.cells[i] < 0.0);
      });
    std::string text;
    if (slice.n_drawn < slice.n_rows)
      text = fmt::format("{} of {} are drawn.", grouped(slice.n_drawn), shown_count(slice.n_rows, "row"));
    if (unknown > 0)
      text += fmt::format("{}{} no value here.", text.empty() ? "" : " ",
                          unknown == 1 ? "1 row has" : grouped(unknown) + " rows have");
    if (!text.empty()) captions.push_back(std::move(text));
  }
  return captions;
}

std::vector<LegendEntry> class_legend(const Model& model, std::size_t output, LegendEntry::Mark mark) {
  constexpr std::size_t kMost = 12;
  std::vector<LegendEntry> entries;
  const Field& target = model.targets().fields[output];
  const std::vector<std::string>& names = target.levels.names;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    entries.push_back({fit_text(class_words(target, i), 11.0, 140.0), hex(class_colour(i)), mark});
  if (names.size() > kMost)
    entries.push_back({fmt::format("and {} more", names.size() - kMost), "none", LegendEntry::Mark::box});
  return entries;
}

void set_title(ChartSpec& spec, const PictureOptions& picture, std::string plain) {
  spec.title = std::move(plain);
  spec.theme = picture.theme;
  if (!picture.title || picture.title->empty()) return;
  spec.title = *picture.title;
  std::ranges::replace_if(
      spec.title, [](unsigned char c) { return c < 0x20; }, ' ');
  spec.shows_title = true;
}

}  // namespace bough
