// SPDX-License-Identifier: Apache-2.0
// Dates of ISO 8601, and of the order day.month.year, as numbers.
#include "data/dates.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace bough {
namespace {

// Takes `n` digits from the front of the text; -1 when they are not there.
int take_digits(std::string_view& text, std::size_t n) noexcept {
  if (text.size() < n) return -1;
  int value = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(n);
  return value;
}

bool take(std::string_view& text, char sign) noexcept {
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

// Seconds of "05:00", "05:00:00" or "05:00:00.25".
std::optional<double> take_time(std::string_view& text) noexcept {
  const int hours = take_digits(text, 2);
  if (hours < 0 || hours > 24 || !take(text, ':')) return std::nullopt;
  const int minutes = take_digits(text, 2);
  if (minutes < 0 || minutes > 59) return std::nullopt;
  double seconds = 0.0;
  if (take(text, ':')) {
    const int whole = take_digits(text, 2);
    if (whole < 0 || whole > 60) return std::nullopt;
    seconds = whole;
    double place = 0.1;
    if (take(text, '.'))
      for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), place /= 10)
        seconds += place * (text.front() - '0');
  }
  return hours * 3600.0 + minutes * 60.0 + seconds;
}

// "7." and "07.".
int take_short(std::string_view& text) noexcept {
  const int value = take_digits(text, text.size() > 1 && text[1] == '.' ? 1 : 2);
  return take(text, '.') ? value : -1;
}

struct Day {
  int year = -1, month = -1, day = -1;
};

// "2013-01-31" or "31.01.2013". With slashes one could not tell days from months.
Day take_day(std::string_view& text) noexcept {
  Day out;
  if (text.size() > 4 && text[4] == '-') {
    out.year = take_digits(text, 4);
    text.remove_prefix(1);
    out.month = take_digits(text, 2);
    out.day = take(text, '-') ? take_digits(text, 2) : -1;
  } else {
    out.day = take_short(text);
    out.month = take_short(text);
    out.year = take_digits(text, 4);
  }
  return out;
}

}  // namespace

std::optional<double> parse_date(std::string_view text) noexcept {
  const auto [year, month, day] = take_day(text);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.empty()) return days;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const std::optional<double> time = take_time(text);
  if (!time) return std::nullopt;
  double offset = 0.0;
  if (!take(text, 'Z') && !text.empty()) {
    const bool west = text.front() == '-';
    if (!take(text, '+') && !take(text, '-')) return std::nullopt;
    const int hours = take_digits(text, 2);
    take(text, ':');
    const int minutes = text.empty() ? 0 : take_digits(text, 2);
    if (hours < 0 || minutes < 0) return std::nullopt;
    offset = (west ? -1.0 : 1.0) * (hours * 3600.0 + minutes * 60.0);
  }
  if (!text.empty()) return std::nullopt;
  return days + (*time - offset) / 86400.0;
}

std::optional<std::string> date_text(double count) {
  using std::chrono::days, std::chrono::year_month_day, std::chrono::sys_days;
  constexpr std::int64_t kDay = 86'400'000'000;  // in microseconds
  // Of the year 0 and of 9999: parse_date reads years of four digits.
  if (!(count >= -719'528.0 && count < 2'932'897.0)) return std::nullopt;
  std::string text;
  for (const std::int64_t unit :
       {kDay, std::int64_t{60'000'000}, std::int64_t{1'000'000}, std::int64_t{1'000}, std::int64_t{1}}) {
    const std::int64_t micros = std::llround(count * static_cast<double>(kDay / unit)) * unit;
    const std::int64_t day = micros >= 0 ? micros / kDay : -((kDay - 1 - micros) / kDay);
    const std::int64_t rest = micros - day * kDay;
    const year_month_day date{sys_days(days(day))};
    text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    if (unit < kDay) text += fmt::format(" {:02}:{:02}", rest / 3'600'000'000, rest / 60'000'000 % 60);
    if (unit < 60'000'000) text += fmt::format(":{:02}", rest / 1'000'000 % 60);
    if (unit == 1'000) text += fmt::format(".{:03}", rest / 1'000 % 1'000);
    if (unit == 1) text += fmt::format(".{:06}", rest % 1'000'000);
    if (parse_date(text) == count) break;
  }
  return text;
}

}  // namespace bough
