// SPDX-License-Identifier: Apache-2.0
// Counts and fractions of a total.
#include <algorithm>
#include <bit>
#include <cmath>

#include "params/values.hpp"

namespace bough {
namespace {

// Exact for every total: floor(log2(n)) is the position of the highest bit.
double floor_log2(std::int64_t total) {
  return total < 1 ? 0.0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(total)) - 1);
}

double ceil_log2(std::int64_t total) {
  return total <= 1 ? 0.0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(total) - 1));
}

struct NamedUnit {
  const char* name;
  Amount::Unit unit;
};
constexpr NamedUnit kNamedUnits[] = {{"sqrt", Amount::Unit::sqrt},
                                     {"log2", Amount::Unit::log2},
                                     {"square", Amount::Unit::square},
                                     {"auto", Amount::Unit::automatic}};

std::int64_t resolve(const Amount& amount, std::int64_t total, double (*rounded)(double),
                     double (*rounded_log2)(std::int64_t)) {
  const auto n = static_cast<double>(total);
  const auto count = [&] {
    switch (amount.unit) {
      case Amount::Unit::count:
        return rounded(amount.value);
      case Amount::Unit::fraction:
        return rounded(amount.value * n);
      case Amount::Unit::sqrt:
        return rounded(std::sqrt(n));
      case Amount::Unit::log2:
        return rounded_log2(total);
      case Amount::Unit::square:
        return n * n;
      case Amount::Unit::automatic:  // what it is for a task: model/grow_spec.cpp
        return n;
    }
    return 1.0;
  };
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(count()));
}

}  // namespace

std::int64_t Amount::resolve_up(std::int64_t total) const {
  return resolve(
      *this, total, [](double x) { return std::ceil(x); }, ceil_log2);
}

std::int64_t Amount::resolve_down(std::int64_t total) const {
  return resolve(
      *this, total, [](double x) { return std::floor(x); }, floor_log2);
}

std::optional<Amount> named_amount(std::string_view word) noexcept {
  for (const NamedUnit& named : kNamedUnits)
    if (named.name == word) return Amount::named(named.unit);
  return std::nullopt;
}

const char* amount_name(Amount::Unit unit) noexcept {
  for (const NamedUnit& named : kNamedUnits)
    if (named.unit == unit) return named.name;
  return nullptr;
}

}  // namespace bough
