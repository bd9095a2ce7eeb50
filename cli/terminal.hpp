// SPDX-License-Identifier: Apache-2.0
// What only a terminal gets: colours and a progress line.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "bough/model.hpp"

namespace bough::cli {

bool is_terminal(std::FILE* file) noexcept;
/// Columns of the terminal; nothing where the file is none.
std::optional<std::size_t> width_of(std::FILE* file) noexcept;

/// Text in lines as wide as the terminal, those after the first indented; unchanged where the file is no terminal.
std::string fitted(std::FILE* file, std::string_view text, std::size_t indent);

/// Colours for one stream: none unless it is a terminal, and never when NO_COLOR is set.
class Paint {
 public:
  explicit Paint(std::FILE* file);
  [[nodiscard]] std::string strong(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return wrap("2", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return wrap("1;31", text); }
  [[nodiscard]] std::string warning(std::string_view text) const { return wrap("1;33", text); }
  [[nodiscard]] std::string bar(std::string_view text) const { return wrap("32", text); }
  /// In the colour nearest to that of the class in pictures; beyond the colours there are, only strong.
  [[nodiscard]] std::string answer(std::size_t number, std::string_view text) const;

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;
  bool on_;
};

/// Shows one line of progress on standard error when that is a terminal, some ten times a second; printing, warnings
/// and the end of the program remove it.
void show_progress(std::string_view what, const Progress& progress = {});
/// Removes the line of progress, if one is shown.
void clear_progress();

/// Execution for a job called `what`: `threads` threads, a progress line, and an end when the user presses
/// Ctrl-C.
Execution execution_for(std::string what, int threads);
/// The same for a search, which Ctrl-C ends with the best tree so far.
Execution execution_that_keeps(std::string what, int threads);

}  // namespace bough::cli
