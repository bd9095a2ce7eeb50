// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and closed pipes.
#include "interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <string_view>

#include "bough/error.hpp"

namespace bough::cli {

namespace {

constexpr int kInterruptedExit = 130;

// Only lock-free atomics and async-signal-safe calls may be used in the handler.
std::atomic<bool> asked{false};
std::atomic<int> clean_stops{0};
std::atomic<bool> unfinished{false};
std::array<char, 4096> unfinished_path{};

extern "C" void on_interrupt(int) {
  if (clean_stops.load() > 0 && !asked.exchange(true)) return;
  if (unfinished.load()) unlink(unfinished_path.data());
  // A terminal has just shown ^C, so the message goes on a line of its own.
  constexpr std::string_view kMessage = "\nbough: cancelled\n";
  const std::string_view shown = kMessage.substr(isatty(STDERR_FILENO) == 1 ? 0 : 1);
  const ssize_t written = write(STDERR_FILENO, shown.data(), shown.size());
  static_cast<void>(written);
  _exit(kInterruptedExit);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  // A shell starts background jobs with Ctrl-C ignored; that is to stay so.
  if (before.sa_handler != SIG_IGN) {
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes is told like a full disk
}

bool interrupted() noexcept {
  return asked.load();
}

bool take_interrupt() noexcept {
  return asked.exchange(false);
}

void throw_if_interrupted() {
  if (interrupted()) throw Error(ErrorCode::cancelled, "cancelled");
}

CleanStop::CleanStop() noexcept {
  clean_stops.fetch_add(1);
}

CleanStop::~CleanStop() {
  clean_stops.fetch_sub(1);
}

void remove_when_interrupted(const std::string& path) noexcept {
  unfinished.store(false);
  if (path.empty() || path.size() >= unfinished_path.size()) return;
  std::memcpy(unfinished_path.data(), path.c_str(), path.size() + 1);
  unfinished.store(true);
}

}  // namespace bough::cli
