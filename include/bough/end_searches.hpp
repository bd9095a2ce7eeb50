// SPDX-License-Identifier: Apache-2.0
// Ctrl-C for searches of small trees.
#pragma once

namespace bough {

/// While it is on, every search of small trees in this process (search=anytime, optimal or auto) ends soon with the best
/// tree found so far, which then depends on the moment. May be called by a handler of signals.
void end_searches(bool on) noexcept;
[[nodiscard]] bool searches_end() noexcept;

}  // namespace bough
