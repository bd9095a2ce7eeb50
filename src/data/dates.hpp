// SPDX-License-Identifier: Apache-2.0
// Dates of ISO 8601, and of the order day.month.year, as numbers.
#pragma once

#include <optional>
#include <string_view>

namespace bough {

/// Days since 1970-01-01 of "2013-01-31", "31.01.2013", "2013-01-31 05:00", "2013-01-31T05:00:00.5Z" or with an offset of
/// hours, "+01:00"; times without one count as UTC. Nothing for other texts and days that do not exist.
std::optional<double> parse_date(std::string_view text) noexcept;

}  // namespace bough
