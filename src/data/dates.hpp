// SPDX-License-Identifier: Apache-2.0
// Dates of ISO 8601, and of the order day.month.year, as numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bough {

/// Days since 1970-01-01 of "2013-01-31", "31.01.2013", "2013-01-31 05:00", "2013-01-31T05:00:00.5Z" or with an offset of
/// hours, "+01:00"; times without one count as UTC. Nothing for other texts and days that do not exist.
std::optional<double> parse_date(std::string_view text) noexcept;

/// The text of days since 1970-01-01 that parse_date reads: "2013-01-31", and with a time of day "2013-01-31 12:00" in
/// as few digits as tell the same number, at most microseconds. Nothing for days outside the years 0 to 9999.
std::optional<std::string> date_text(double count);

}  // namespace bough
