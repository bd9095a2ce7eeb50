// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: at once where nothing can be left half done, by request inside a job that cleans up behind itself.
#pragma once

#include <string>

namespace bough::cli {

/// Installs the handlers: Ctrl-C ends with 130, a closed pipe ends quietly.
void install_signal_handlers();

/// True after Ctrl-C inside a CleanStop.
bool interrupted() noexcept;
/// Throws Error{cancelled} after Ctrl-C.
void throw_if_interrupted();
/// Whether Ctrl-C was pressed inside a CleanStop; it counts as dealt with.
bool take_interrupt() noexcept;

/// While one lives, the first Ctrl-C only asks the job to stop; a second one ends the program.
class CleanStop {
 public:
  CleanStop() noexcept;
  ~CleanStop();
  CleanStop(const CleanStop&) = delete;
  CleanStop& operator=(const CleanStop&) = delete;
};

/// The unfinished file that an immediate end must remove; empty: none.
void remove_when_interrupted(const std::string& path) noexcept;

}  // namespace bough::cli
