// SPDX-License-Identifier: Apache-2.0
// Names of levels, and texts that stand for a number or a truth value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bough/table.hpp"

namespace bough {

/// Printable form of a numeric, whole or boolean level; the one form used everywhere.
std::string level_name(Levels::Type type, double number);
/// Levels of the given numbers, in this order; integer when all of them are whole.
Levels number_levels(std::vector<double> numbers);
/// true, True, TRUE and their opposites; nothing else.
std::optional<bool> parse_boolean(std::string_view text) noexcept;
/// Number a text stands for when it is compared with levels of `type`.
std::optional<double> level_number(Levels::Type type, std::string_view text) noexcept;

}  // namespace bough
