// SPDX-License-Identifier: Apache-2.0
// From exceptions to messages on standard error and exit codes.
#include "errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "param_flags.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

// Messages that list several problems have several lines; those after the first are indented.
std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += indent;
  }
  return out;
}

// A message about what goes on; on a terminal its lines end between words. Errors keep their lines: their hints hold
// commands to be copied.
void say(std::string_view kind, std::string_view text) {
  constexpr std::size_t kIndent = 2;
  clear_progress();
  const std::string words = fmt::format("bough: {}{}", kind, indented(harmless(text), "  "));
  const std::size_t width = words.find('\n') == std::string::npos ? width_of(stderr).value_or(0) : 0;
  std::string out = width > kIndent ? wrap(words, width - kIndent, kIndent) : words;
  if (!kind.empty()) out.replace(7, kind.size() - 1, Paint(stderr).warning(kind.substr(0, kind.size() - 1)));
  std::fputs((out + '\n').c_str(), stderr);
}

int report(ErrorCode code, std::string_view message, std::string_view hint) {
  clear_progress();
  const Paint paint(stderr);
  std::string text = fmt::format("bough: {} {}\n", paint.bad("error:"), indented(harmless(message), "  "));
  if (!hint.empty())
    text += fmt::format("  {} {}\n", paint.strong("hint:"), indented(harmless(hint), "        "));
  std::fputs(text.c_str(), stderr);
  return exit_code(code);
}

int report_cancelled() {
  clear_progress();
  std::fputs("bough: cancelled, nothing was written\n", stderr);
  return exit_code(ErrorCode::cancelled);
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  const int reason = errno;
  std::clearerr(stdout);
  throw Error(ErrorCode::io, fmt::format("cannot write to standard output: {}",
                                         reason != 0 ? std::strerror(reason) : "the write failed"));
}

}  // namespace

int exit_code(ErrorCode code) noexcept {
  constexpr int kDefect = 70;
  static constexpr std::array<std::pair<ErrorCode, int>, 7> kCodes{{
      {ErrorCode::bad_params, 2},
      {ErrorCode::bad_data, 3},
      {ErrorCode::bad_model, 4},
      {ErrorCode::io, 5},
      {ErrorCode::not_supported, 6},
      {ErrorCode::out_of_memory, 6},
      {ErrorCode::cancelled, 130},
  }};
  const auto* const found = std::ranges::find(kCodes, code, &std::pair<ErrorCode, int>::first);
  return found == kCodes.end() ? kDefect : found->second;
}

namespace {

// Telling that memory ran out must not need any.
int report_no_memory() noexcept {
  std::fputs(
      "bough: error: not enough memory\n  hint: use fewer rows or columns, or a machine with more memory\n",
      stderr);
  return exit_code(ErrorCode::out_of_memory);
}

int guarded_once(const std::function<int()>& body) {
  try {
    const int code = body();
    clear_progress();
    flush_output();
    return code;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) return report_cancelled();
    return report(error.code(), as_options(error.what()), as_options(error.hint()));
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const std::exception& error) {
    return report(ErrorCode::internal, fmt::format("internal error: {}", error.what()),
                  "this is a defect of bough; please report it with the command that led here");
  }
}

}  // namespace

int guarded(const std::function<int()>& body) {
  try {
    return guarded_once(body);
  } catch (const std::bad_alloc&) {  // while an error was told
    return report_no_memory();
  }
}

void require_at_least(std::int64_t least, std::int64_t value, std::string_view option,
                      std::string_view hint) {
  if (value < least)
    throw Error(
        ErrorCode::bad_params,
        fmt::format("{} must {}, but is {}", option, least == 0 ? "not be negative" : "be at least 1", value),
        std::string(hint));
}

void warn(std::string_view message) {
  say("warning: ", message);
}

void tell(std::string_view message) {
  say("", message);
}

}  // namespace bough::cli
