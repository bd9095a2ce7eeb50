// SPDX-License-Identifier: Apache-2.0
// Vector kernels of coding: bucket search and byte transposition, chosen for the CPU at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/codes.hpp"

namespace bough {

/// What a stretch of cells turned out to hold.
struct CellsSeen {
  bool missing = false;
  bool between = false;  ///< known values that are no cut; looked for where `dense` says so
};
/// out[i] = number of cuts below x[i], or table.missing for NaN.
CellsSeen find_buckets(const CutTable<float>& table, bool dense, const float* x, std::size_t n,
                       std::uint8_t* out);
CellsSeen find_buckets(const CutTable<double>& table, bool dense, const double* x, std::size_t n,
                       std::uint8_t* out);

/// Sixteen columns of bytes to rows: to[r * to_stride + c] = from[c * from_stride + r] for r < n_rows (a
/// multiple of 16; buffers have room) and c < 16.
void transpose_bytes(const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to,
                     std::size_t to_stride, std::size_t n_rows);

/// Four columns of a row-major matrix of floats to columns, -0 to +0: to[c * to_stride + r] = from[r][c] for r < n_rows (a
/// multiple of 4) and c < 4; rows lie from_stride bytes apart.
void transpose_floats(const char* from, std::ptrdiff_t from_stride, float* to, std::size_t to_stride,
                      std::size_t n_rows);

}  // namespace bough
