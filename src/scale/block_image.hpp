// SPDX-License-Identifier: Apache-2.0
// A block as one piece of memory: where everything lies in it, and what it says about itself.
//
//   header   64 bytes: magic, version, bytes in all, bytes of the description, checksum of all behind the
//   header description, codes by column, codes by row, cells of numeric columns, wide codes, classes, number
//   targets, weights
//
// Every part begins at a multiple of 64 bytes. Where parts lie follows from the description alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/planned_codes.hpp"
#include "scale/row_block.hpp"

namespace bough {

/// What a block must know to read itself.
struct BlockShape {
  std::int64_t first_row = 0;
  std::int64_t n_rows = 0;
  std::vector<ColumnShape> columns;      ///< by feature
  std::vector<std::uint32_t> n_classes;  ///< per class target
  std::uint32_t n_numbers = 0;           ///< number targets
  bool weighted = false;
};

std::string description(const BlockShape& shape, const BlockFacts& facts);

/// Where parts begin, in bytes from the begin of the image.
struct BlockPlaces {
  std::size_t by_column = 0;
  std::size_t by_row = 0;
  std::vector<std::size_t> cells;    ///< by feature; 0 where it is not numeric
  std::vector<std::size_t> wide;     ///< by feature; 0 where it is not wide
  std::vector<std::size_t> classes;  ///< per class target
  std::vector<std::size_t> numbers;  ///< per number target
  std::size_t weights = 0;           ///< 0: none
  std::size_t total = 0;
};
BlockPlaces places(const BlockShape& shape, const CodedTable& table, std::size_t description_bytes);

/// Whether the class of a row is the last byte of its codes.
inline bool class_in_codes(const BlockShape& shape) noexcept {
  return shape.n_classes.size() == 1 && shape.n_classes.front() <= 255;
}

/// Lets the table view the parts.
void view_parts(CodedTable& table, const BlockShape& shape, const BlockPlaces& at, const std::byte* image);

/// Writes header and description, when all else is written.
void seal(std::span<std::byte> image, std::string_view described);
/// Everything that an image says. Throws bad_data where it is no block or has changed.
BlockRows read_image(std::span<const std::byte> image);
/// The same for an image that nobody else has had.
BlockRows read_sealed(std::span<const std::byte> image);

}  // namespace bough
