// SPDX-License-Identifier: Apache-2.0
// SVG text.
#include "draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/markup.hpp"
#include "data/utf8.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::string_view kFonts = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

// At most two decimals, no trailing zeros, never "-0".
std::string num(double value) {
  if (!std::isfinite(value)) value = 0.0;
  const double rounded = std::round(value * 100.0) / 100.0;
  return fmt::format("{:.10g}", rounded == 0.0 ? 0.0 : rounded);
}

std::size_t sequence_length(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return length <= rest.size() && is_utf8(rest.substr(0, length)) ? length : 0;
}

std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  std::uint32_t point = static_cast<unsigned char>(sequence[0]) & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) point = point << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return point;
}

// Calls body(sign, code point) for every sign; bytes that are none give U+FFFD.
template <class Body>
void for_signs(std::string_view text, const Body& body) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      body(std::string_view("\uFFFD"), std::uint32_t{0xFFFD});
      text.remove_prefix(1);
      continue;
    }
    body(text.substr(0, length), code_point(text.substr(0, length)));
    text.remove_prefix(length);
  }
}

// In thousandths of the size, rounded up over the common sans-serif fonts.
double sign_width(std::uint32_t point) {
  constexpr std::string_view kNarrow = "ijlI.,:;'|!()[] ", kWide = "mwMW@%";
  if (point < 0x80) {
    const char c = static_cast<char>(point);
    if (kNarrow.find(c) != std::string_view::npos) return 350.0;
    if (kWide.find(c) != std::string_view::npos) return 960.0;
    if (c == 'f' || c == 't' || c == 'r') return 410.0;
    if (c >= 'A' && c <= 'Z') return 740.0;
    return 610.0;
  }
  if ((point >= 0x300 && point < 0x370) || point == 0x200D || (point >= 0xFE00 && point <= 0xFE0F))
    return 0.0;
  if (point >= 0x1100 && (point <= 0x115F || (point >= 0x2E80 && point <= 0xFFEF) || point >= 0x1F000))
    return 1050.0;
  return 680.0;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for_signs(text, [&](std::string_view sign, std::uint32_t point) {
    const std::string_view entity =
        point < 0x80 ? markup_entity(static_cast<char>(point)) : std::string_view();
    if (!entity.empty()) {
      out += entity;
      return;
    }
    const bool forbidden = (point < 0x20 && point != '\t' && point != '\n') || (point & 0xFFFEU) == 0xFFFE;
    out += forbidden ? std::string_view("\uFFFD") : sign;
  });
  return out;
}

double text_width(std::string_view text, double size) {
  double sum = 0.0;
  for_signs(text, [&](std::string_view, std::uint32_t point) { sum += sign_width(point); });
  return sum * size / 1000.0;
}

std::string fit_text(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  const double room = width * 1000.0 / size - 900.0;
  std::string out;
  double sum = 0.0;
  bool full = false;
  for_signs(text, [&](std::string_view sign, std::uint32_t point) {
    sum += sign_width(point);
    full = full || sum > room;
    if (!full) out += sign;
  });
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out + "…";
}

std::vector<std::string> wrap_text(std::string_view text, double size, double width, std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' ', 1), text.size());
    const std::string longer = line + std::string(text.substr(0, blank));
    if (!line.empty() && lines.size() + 1 < most && text_width(longer, size) > width) {
      lines.push_back(line);
      line = std::string(text.substr(1, blank - 1));
    } else {
      line = longer;
    }
    text.remove_prefix(blank);
  }
  lines.push_back(line);
  for (std::string& each : lines) each = fit_text(each, size, width);
  return lines;
}

std::string short_number(double value, int digits) {
  const double size = std::fabs(value);
  if (!std::isfinite(value) || size == 0.0 || (size >= 1e-3 && size < 1e6)) {
    return size >= std::pow(10.0, digits - 1) ? shown_number(std::round(value)) : shown_number(value, digits);
  }
  static constexpr std::array<std::string_view, 10> kRaised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string plain = fmt::format("{:.{}e}", value, std::max(digits - 1, 0));
  const std::size_t e = plain.find('e');
  std::string mantissa = plain.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  const int power = std::stoi(plain.substr(e + 1));
  std::string raised = power < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(power)))
    raised += kRaised[static_cast<std::size_t>(digit - '0')];
  return fmt::format("{}×10{}", mantissa, raised);
}

Inks inks_of(Theme theme) {
  switch (theme) {
    case Theme::dark:
      return {"#16181d", "#e8e8ea", "#9a9aa2", "#34373f"};
    case Theme::transparent:
      return {"", "#767676", "#767676", "#999999"};  // 4.5 to 1 on white and on black
    case Theme::light:
      break;
  }
  return {"#ffffff", "#1a1a1a", "#6e6e6e", "#e4e4e4"};
}

Svg::Svg(double width, double height, Theme theme, std::string_view title, std::string_view description)
    : inks_(inks_of(theme)) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" font-family=\"{2}\">\n<title>{3}</title>\n<desc>{4}</desc>\n",
      num(std::ceil(width)), num(std::ceil(height)), kFonts, xml_text(title), xml_text(description));
  if (!inks_.background.empty())
    text_ += fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", inks_.background);
}

std::string Svg::style_text(const ShapeStyle& style) const {
  std::string out = fmt::format(" fill=\"{}\"", style.fill);
  if (style.stroke != "none") {
    out += fmt::format(" stroke=\"{}\"", style.stroke);
    if (style.width != 1.0) out += fmt::format(" stroke-width=\"{}\"", num(style.width));
    if (!style.dashes.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", style.dashes);
  }
  if (style.opacity != 1.0) out += fmt::format(" opacity=\"{}\"", num(style.opacity));
  return out;
}

void Svg::rect(double x, double y, double width, double height, const ShapeStyle& style, double radius) {
  text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", num(x), num(y),
                       num(std::max(width, 0.0)), num(std::max(height, 0.0)));
  if (radius > 0.0) text_ += fmt::format(" rx=\"{}\"", num(radius));
  text_ += style_text(style) + "/>\n";
}

void Svg::line(Point from, Point to, const ShapeStyle& style) {
  ShapeStyle plain = style;
  plain.fill = "none";
  text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", num(from.x), num(from.y),
                       num(to.x), num(to.y), style_text(plain));
}

void Svg::circle(Point middle, double radius, const ShapeStyle& style) {
  text_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", num(middle.x), num(middle.y),
                       num(radius), style_text(style));
}

void Svg::polygon(std::span<const Point> points, const ShapeStyle& style) {
  text_ += "<polygon points=\"";
  for (const Point& point : points) text_ += fmt::format("{},{} ", num(point.x), num(point.y));
  text_ += fmt::format("\"{}/>\n", style_text(style));
}

void Svg::polyline(std::span<const Point> points, const ShapeStyle& style) {
  text_ += "<polyline points=\"";
  for (const Point& point : points) text_ += fmt::format("{},{} ", num(point.x), num(point.y));
  text_ += fmt::format("\"{}/>\n", style_text(style));
}

void Svg::branch(Point from, Point to, const ShapeStyle& style) {
  const double middle = (from.y + to.y) / 2.0;
  text_ += fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\"{}/>\n", num(from.x), num(from.y), num(from.x),
                       num(middle), num(to.x), num(middle), num(to.x), num(to.y), style_text(style));
}

void Svg::text(Point at, std::string_view words, const TextStyle& style) {
  text_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", num(at.x), num(at.y),
                       num(style.size), style.fill);
  if (style.anchor != "start") text_ += fmt::format(" text-anchor=\"{}\"", style.anchor);
  if (style.bold) text_ += " font-weight=\"bold\"";
  if (style.turned != 0.0)
    text_ += fmt::format(" transform=\"rotate({} {} {})\"", num(style.turned), num(at.x), num(at.y));
  if (style.halo && !inks_.background.empty())
    text_ += fmt::format(" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                         inks_.background);
  text_ += fmt::format(">{}</text>\n", xml_text(words));
}

void Svg::open(std::string_view attributes, std::string_view tooltip) {
  text_ += fmt::format("<g{}{}>\n", attributes.empty() ? "" : " ", attributes);
  if (!tooltip.empty()) text_ += fmt::format("<title>{}</title>\n", xml_text(tooltip));
}

void Svg::close() {
  text_ += "</g>\n";
}

std::string Svg::finish() && {
  return std::move(text_) + "</svg>\n";
}

}  // namespace bough
