// SPDX-License-Identifier: Apache-2.0
// Memory that runs out when it is told to: what failing_memory.cpp puts in the place of operator new and
// aligned_alloc.
#pragma once

#include <cstdint>

namespace bough::failing_memory {

enum class Fail : std::uint8_t {
  once,    ///< one request is refused, the next are granted again
  forever  ///< every request from there on is refused
};

/// From now on the n-th request (1 is the next one) of any thread is refused.
void arm(std::int64_t n, Fail fail) noexcept;
/// All requests are granted again; true when one was refused.
bool disarm() noexcept;
/// Grants all requests from now on; disarm() still tells about those before.
void pause() noexcept;
/// Requests so far, in all threads.
std::int64_t requests() noexcept;
/// What operator new gave and nobody gave back.
std::int64_t live() noexcept;

}  // namespace bough::failing_memory
