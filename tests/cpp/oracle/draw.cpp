// SPDX-License-Identifier: Apache-2.0
// Columns, targets and weights that provoke ties, gaps, repeated values and rounding.
#include "oracle/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <set>

#include "oracle/brute.hpp"

namespace bough::oracle {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Replaces values by their rank among those present, missing ones apart.
std::size_t make_dense(std::vector<double>& cells) {
  std::set<double> present;
  for (const double cell : cells)
    if (!std::isnan(cell)) present.insert(cell);
  for (double& cell : cells)
    if (!std::isnan(cell)) cell = static_cast<double>(std::distance(present.begin(), present.find(cell)));
  return present.size();
}

double draw_number(Dice& dice, std::size_t style) {
  switch (style) {
    case 0:
      return dice.between(0, 5);
    case 1:
      return std::floor(dice.unit() * 16) / 8 - 1;
    case 2:
      return dice.unit() * 2 - 1;
    case 3:
      return static_cast<double>(static_cast<float>(std::exp(dice.unit() * 40 - 20)));
    default:
      return 1.0 + 0x1p-52 * dice.between(0, 4);  // neighbouring doubles
  }
}

PlainColumn draw_column(Kind kind, const Shape& shape, std::size_t n_rows, Dice& dice) {
  PlainColumn column;
  column.kind = kind;
  const double missing = shape.missing ? dice.unit() * 0.6 : 0.0;
  const std::size_t style = dice.below(5);
  const auto levels = static_cast<std::size_t>(dice.between(2, shape.max_levels));
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double cell =
        kind == Kind::numeric ? draw_number(dice, style) : static_cast<double>(dice.below(levels));
    column.cells.push_back(dice.chance(missing) ? kMissing : cell);
  }
  if (kind == Kind::numeric) {
    column.storage = style == 3 && dice.chance(0.5) ? Storage::f32 : Storage::f64;
    return column;
  }
  column.storage = dice.chance(0.5) ? Storage::text : Storage::f64;
  // An order that the user gives may name levels that no row has.
  const bool given = kind == Kind::ordinal && column.storage == Storage::text;
  column.n_levels = given ? levels : make_dense(column.cells);
  if (column.n_levels == 0) column.storage = Storage::f64;
  return column;
}

Kind draw_kind(Columns columns, Dice& dice) {
  switch (columns) {
    case Columns::numeric:
      return Kind::numeric;
    case Columns::ordinal:
      return Kind::ordinal;
    case Columns::category:
      return Kind::category;
    case Columns::mixed:
      break;
  }
  return std::array{Kind::numeric, Kind::ordinal, Kind::category}[dice.below(3)];
}

double draw_target(Dice& dice, std::size_t style, bool positive) {
  double y = 0.0;
  switch (style) {
    case 0:
      y = dice.between(0, 3);
      break;
    case 1:
      y = dice.between(-20, 20);
      break;
    case 2:
      y = dice.unit() * 10 - 5;
      break;
    case 3:
      y = 1e6 + dice.between(0, 9);
      break;
    case 4:
      y = std::exp(dice.unit() * 12 - 6);
      break;
    default:
      y = (dice.unit() - 0.5) * 1e-7;
      break;
  }
  return positive ? std::fabs(y) : y;
}

void draw_targets(Case& sample, const Shape& shape, std::size_t n_rows, Dice& dice) {
  const bool poisson = shape.criterion == "poisson";
  for (std::size_t o = 0; o < shape.outputs; ++o) {
    std::vector<double> target;
    const auto n_classes = static_cast<std::size_t>(dice.between(2, dice.chance(0.5) ? 2 : 5));
    const std::size_t style = dice.below(6);
    // Some targets follow the first column, so that trees get shape; the rest are noise.
    const bool follow = dice.chance(0.5);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double cell = sample.columns[0].cells[i];
      const double shift = follow && !std::isnan(cell) ? std::floor(std::min(cell, 100.0)) : 0.0;
      if (sample.classes) {
        const double noise = static_cast<double>(dice.below(n_classes));
        target.push_back(std::fmod(std::fabs(shift) + (dice.chance(0.7) && follow ? 0.0 : noise),
                                   static_cast<double>(n_classes)));
      } else {
        const double y = draw_target(dice, style, poisson);
        target.push_back(poisson ? (dice.chance(0.3) ? 0.0 : y + std::fabs(shift)) : y + shift);
      }
    }
    if (sample.classes) sample.n_classes.push_back(make_dense(target));
    if (poisson) target[dice.below(n_rows)] = 1.0;
    sample.targets.push_back(std::move(target));
  }
}

void draw_weights(Case& sample, const Shape& shape, std::size_t n_rows, Dice& dice) {
  if (shape.weighting == Weighting::none) return;
  const std::size_t style = dice.below(3);
  const double zeros = dice.chance(0.3) ? 0.2 : 0.0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    double w = 0.0;
    if (shape.weighting == Weighting::whole) {
      w = dice.between(1, style == 0 ? 2 : 9);
    } else {
      w = style == 0   ? dice.between(1, 12) * 0.25
          : style == 1 ? dice.unit() + 0.01
                       : std::exp(dice.unit() * 10 - 5);
    }
    sample.weights.push_back(i > 0 && dice.chance(zeros) ? 0.0 : w);
  }
  // Poisson needs rows with a positive target to learn from.
  if (shape.criterion == "poisson")
    for (const auto& target : sample.targets)
      for (std::size_t i = 0; i < n_rows; ++i)
        if (target[i] > 0.0 && sample.weights[i] == 0.0) sample.weights[i] = 1.0;
}

}  // namespace

std::uint64_t base_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("BOUGH_SEED");
    const std::uint64_t base =
        given != nullptr
            ? std::strtoull(given, nullptr, 10)
            : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) / 1000;
    std::cout << "base seed " << base << " (BOUGH_SEED=" << base << " repeats this run)" << std::endl;
    return base;
  }();
  return seed;
}

std::uint64_t table_seed(std::string_view test, std::uint64_t i) {
  std::uint64_t seed = base_seed();
  for (const char c : test) seed = scramble(seed ^ static_cast<unsigned char>(c));
  return scramble(seed + i);
}

// A few tables only under the sanitizers, and where BOUGH_FEWER=20 asks for every twentieth.
static std::uint64_t fewer() {
#if defined(BOUGH_CHECKED)
  constexpr std::uint64_t kUsual = 20;
#else
  constexpr std::uint64_t kUsual = 1;
#endif
  static const std::uint64_t times = [] {
    const char* given = std::getenv("BOUGH_FEWER");
    return given != nullptr ? std::max<std::uint64_t>(std::strtoull(given, nullptr, 10), 1) : kUsual;
  }();
  return times;
}

std::uint64_t scaled(std::uint64_t count) {
  return count / fewer();
}

Shape Shape::nth(std::uint64_t i) {
  if (fewer() > 1) i *= 37;  // a few tables in a row then differ in everything
  const auto digit = [&](std::uint64_t base) {
    const std::uint64_t value = i % base;
    i /= base;
    return value;
  };
  Shape shape;
  shape.criterion = kCriteria[digit(kCriteria.size())].name;
  shape.weighting = static_cast<Weighting>(digit(3));
  shape.columns = static_cast<Columns>(digit(4));
  shape.missing = digit(2) == 1;
  shape.equality = digit(2) == 1;
  shape.outputs = 1 + digit(2);
  return shape;
}

Case draw_case(const Shape& shape, Dice& dice) {
  return draw_rows(shape, static_cast<std::size_t>(dice.between(2, dice.chance(0.5) ? 12 : shape.max_rows)),
                   dice);
}

Case draw_rows(const Shape& shape, std::size_t n_rows, Dice& dice) {
  Case sample;
  const int n_columns = dice.between(1, shape.max_columns);
  for (int j = 0; j < n_columns; ++j) {
    sample.columns.push_back(draw_column(draw_kind(shape.columns, dice), shape, n_rows, dice));
    sample.columns.back().name = fmt::format("x{}", j);
  }
  sample.classes = is_class_criterion(shape.criterion);
  draw_targets(sample, shape, n_rows, dice);
  draw_weights(sample, shape, n_rows, dice);
  sample.params.task = sample.classes ? "classification" : "regression";
  sample.params.criterion = shape.criterion;
  sample.params.category_split = shape.equality ? "equality" : "subset";
  if (shape.criterion == "quantile")
    sample.params.quantile = std::array{0.1, 0.25, 0.5, 0.75, 0.9}[dice.below(5)];
  return sample;
}

}  // namespace bough::oracle
