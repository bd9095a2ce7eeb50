// SPDX-License-Identifier: Apache-2.0
// Random small tables of a wanted shape.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "oracle/case.hpp"

namespace bough::oracle {

/// Random numbers that are the same everywhere (the standard's distributions are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// A whole number in [0, n).
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1));
  }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};

/// The base seed of this run: BOUGH_SEED, or the time. Printed when it is first asked for.
std::uint64_t base_seed();
/// Seed of the i-th table of a test.
std::uint64_t table_seed(std::string_view test, std::uint64_t i);
/// `count` tables, or a twentieth of them in sanitizer builds.
std::uint64_t scaled(std::uint64_t count);

enum class Weighting : std::uint8_t { none, whole, fractional };
enum class Columns : std::uint8_t { numeric, ordinal, category, mixed };

/// What a table is to look like. walk() gives every combination in turn.
struct Shape {
  std::string criterion = "gini";
  Weighting weighting = Weighting::none;
  Columns columns = Columns::mixed;
  bool missing = false;
  bool equality = false;
  std::size_t outputs = 1;
  int max_rows = 40;
  int max_columns = 5;
  int max_levels = 7;

  static constexpr std::size_t kCombinations = 8 * 3 * 4 * 2 * 2 * 2;
  static Shape nth(std::uint64_t i);
};

/// A random case of this shape, with default parameters but the criterion and category_split.
Case draw_case(const Shape& shape, Dice& dice);
/// The same with a given number of rows.
Case draw_rows(const Shape& shape, std::size_t n_rows, Dice& dice);

}  // namespace bough::oracle
