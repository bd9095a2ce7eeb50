// SPDX-License-Identifier: Apache-2.0
// The cp table as an SVG picture: the error of every tree with its standard error, and the line of one
// standard error above the least.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bough/rpart.hpp"

namespace bough {
namespace {

constexpr double kWidth = 640, kHeight = 400, kLeft = 70, kRight = 20, kTop = 50, kBottom = 50;

class Picture {
 public:
  explicit Picture(std::vector<CpRow> rows)
      : rows_(std::move(rows)), crossed_(!std::isnan(rows_.front().xerror)) {
    for (const CpRow& row : rows_) {
      low_ = std::min(low_, error(row) - spread(row));
      high_ = std::max(high_, error(row) + spread(row));
    }
    low_ = std::min(low_, 0.0);
    high_ = (high_ > low_ ? high_ : low_ + 1.0) * 1.05;
  }

  std::string draw() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kWidth, kHeight);
    axes();
    points();
    if (crossed_) limit();
    return text_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double error(const CpRow& row) const { return crossed_ ? row.xerror : row.rel_error; }
  [[nodiscard]] double spread(const CpRow& row) const { return crossed_ ? row.xstd : 0.0; }
  [[nodiscard]] double x(std::size_t i) const {
    return kLeft +
           (kWidth - kLeft - kRight) * (static_cast<double>(i) + 0.5) / static_cast<double>(rows_.size());
  }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * (value - low_) / (high_ - low_);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view style) {
    text_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2,
                         y2, style);
  }
  void words(double at_x, double at_y, std::string_view what) {
    text_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at_x, at_y, what);
  }

  void axes() {
    line(kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom, "stroke=\"black\"");
    line(kLeft, kTop, kLeft, kHeight - kBottom, "stroke=\"black\"");
    for (int i = 0; i <= 4; ++i) {
      const double value = low_ + (high_ - low_) * i / 4;
      line(kLeft - 4, y(value), kLeft, y(value), "stroke=\"black\"");
      words(kLeft - 26, y(value) + 4, fmt::format("{:.3g}", value));
    }
    // Every label would not be readable in a long table.
    const std::size_t step = (rows_.size() + 11) / 12;
    for (std::size_t i = 0; i < rows_.size(); i += step) {
      const std::string cp = i == 0 ? "Inf" : fmt::format("{:.2g}", std::sqrt(rows_[i].cp * rows_[i - 1].cp));
      words(x(i), kHeight - kBottom + 18, cp);
      words(x(i), kTop - 8, fmt::format("{}", rows_[i].n_splits + 1));
    }
    words(kWidth / 2, kHeight - 12, "cp");
    words(kWidth / 2, 18, "leaves");
    words(kLeft, 18, crossed_ ? "cross-validated error" : "error in training");
  }

  void points() {
    std::string way;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double error_of = error(rows_[i]), spread_of = spread(rows_[i]);
      way += fmt::format("{:.1f},{:.1f} ", x(i), y(error_of));
      if (crossed_) line(x(i), y(error_of - spread_of), x(i), y(error_of + spread_of), "stroke=\"gray\"");
      text_ +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"black\"/>\n", x(i), y(error_of));
    }
    text_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"black\"/>\n", way);
  }

  void limit() {
    const auto least = std::min_element(rows_.begin(), rows_.end(),
                                        [](const CpRow& a, const CpRow& b) { return a.xerror < b.xerror; });
    const double at = y(least->xerror + least->xstd);
    line(kLeft, at, kWidth - kRight, at, "stroke=\"black\" stroke-dasharray=\"3 4\"");
  }

  std::vector<CpRow> rows_;
  bool crossed_;
  double low_ = 0.0, high_ = 0.0;
  std::string text_;
};

}  // namespace

std::string cp_svg(const Model& model) {
  return Picture(cp_table(model)).draw();
}

}  // namespace bough
