// SPDX-License-Identifier: Apache-2.0
// BOUGH_ASSERT: programmer errors, checked in debug and sanitizer builds only.
#pragma once

#include <cstdio>
#include <cstdlib>

#if defined(BOUGH_CHECKED)
#define BOUGH_ASSERT(condition)                                                              \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
#else
#define BOUGH_ASSERT(condition) static_cast<void>(0)
#endif
