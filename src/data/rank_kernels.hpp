// SPDX-License-Identifier: Apache-2.0
// Vector kernels of ranking, chosen for the CPU at run time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

/// What cells times a scale are.
struct WholeCells {
  bool all = false;  ///< all are whole numbers of less than 2^30; else nothing here holds
  std::int32_t low = 0;
  std::int32_t high = 0;
};
/// Writes cells times `scale` to `whole`, if they are whole numbers from which the cells can be told: cell = whole / scale in the
/// cells' type. At least one cell; vector loads and stores may run past the ends.
WholeCells scale_to_whole(const float* cells, std::size_t n, double scale, std::int32_t* whole);
WholeCells scale_to_whole(const double* cells, std::size_t n, double scale, std::int32_t* whole);

/// ranks[i] = whole[i] - first, which must fit.
void subtract_first(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint8_t* ranks);
void subtract_first(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint16_t* ranks);

}  // namespace bough
