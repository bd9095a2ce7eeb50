// SPDX-License-Identifier: Apache-2.0
// What only a terminal gets: colours and a progress line.
#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "bough/end_searches.hpp"
#include "interrupt.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

bool line_shown = false;

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) != "dumb";
}

}  // namespace

bool is_terminal(std::FILE* file) noexcept {
  return isatty(fileno(file)) == 1;
}

std::optional<std::size_t> width_of(std::FILE* file) noexcept {
  winsize size{};
  if (!is_terminal(file) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

std::string fitted(std::FILE* file, std::string_view text, std::size_t indent) {
  const std::size_t width = width_of(file).value_or(0);
  if (width <= 2 * indent) return std::string(text);
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return std::string(first, ' ') + bough::cli::wrap(text.substr(first), width - indent, indent);
}

Paint::Paint(std::FILE* file) : on_(is_terminal(file) && colours_wanted()) {}

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string Paint::answer(std::size_t number, std::string_view text) const {
  // Orange, sky blue, green, yellow, blue, red, purple, as src/draw/palette.cpp has them.
  constexpr std::array<std::string_view, 7> kColours{"33", "1;36", "1;32", "1;93", "1;94", "1;31", "1;35"};
  return wrap(number < kColours.size() ? kColours[number] : "1", text);
}

void show_progress(std::string_view what, const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  static const bool on = is_terminal(stderr);
  static Clock::time_point next;
  static std::string shown;
  if (!on || (line_shown && shown == what && Clock::now() < next)) return;
  next = Clock::now() + std::chrono::milliseconds(100);
  shown = what;
  std::string line = fmt::format("\r\033[K{}{}{}", what, progress.stage.empty() ? "" : ": ", progress.stage);
  if (progress.fraction > 0.0) line += fmt::format(" {:.0f}%", 100.0 * progress.fraction);
  if (progress.nodes > 0) line += fmt::format(", {} nodes", grouped(progress.nodes));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  line_shown = true;
}

void clear_progress() {
  if (!line_shown) return;
  std::fputs("\r\033[K", stderr);
  line_shown = false;
}

Execution execution_for(std::string what, int threads) {
  return {threads, [what = std::move(what)](const Progress& progress) {
            if (interrupted()) return false;
            show_progress(what, progress);
            return true;
          }};
}

Execution execution_that_keeps(std::string what, int threads) {
  return {threads, [what = std::move(what)](const Progress& progress) {
            end_searches(interrupted());
            show_progress(what, progress);
            return true;
          }};
}

}  // namespace bough::cli
