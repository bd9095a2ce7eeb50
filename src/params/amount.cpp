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

std::int64_t at_least_one(double amount) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(amount));
}

}  // namespace

std::int64_t Amount::resolve_up(std::int64_t total) const {
  const auto n = static_cast<double>(total);
  switch (unit) {
    case Unit::count:
      return at_least_one(std::ceil(value));
    case Unit::fraction:
      return at_least_one(std::ceil(value * n));
    case Unit::sqrt:
      return at_least_one(std::ceil(std::sqrt(n)));
    case Unit::log2:
      return at_least_one(ceil_log2(total));
    case Unit::square:
      return at_least_one(n * n);
    case Unit::automatic:  // what it is for a task: model/grow_spec.cpp
      return at_least_one(n);
  }
  return 1;
}

std::int64_t Amount::resolve_down(std::int64_t total) const {
  const auto n = static_cast<double>(total);
  switch (unit) {
    case Unit::count:
      return at_least_one(std::floor(value));
    case Unit::fraction:
      return at_least_one(std::floor(value * n));
    case Unit::sqrt:
      return at_least_one(std::floor(std::sqrt(n)));
    case Unit::log2:
      return at_least_one(floor_log2(total));
    case Unit::square:
      return at_least_one(n * n);
    case Unit::automatic:  // what it is for a task: model/grow_spec.cpp
      return at_least_one(n);
  }
  return 1;
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
