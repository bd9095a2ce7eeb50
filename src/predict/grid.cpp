// SPDX-License-Identifier: Apache-2.0
// Walks over tables and matrices in blocks of rows.
#include "predict/grid.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"
#include "predict/predict.hpp"

namespace bough {
namespace {

// True when cells can be read as T where they lie.
template <class T>
bool is_regular(const MatrixView& matrix) {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  return matrix.row_stride % size == 0 && matrix.column_stride % size == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % alignof(T) == 0;
}

template <class T>
void in_place(const MatrixView& matrix, const std::function<void(const GridBlock&)>& body,
              std::size_t block) {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  const CellGrid<T> all{static_cast<const T*>(matrix.data), matrix.row_stride / size,
                        matrix.column_stride / size};
  const auto rows = static_cast<std::size_t>(matrix.rows);
  parallel_for((rows + block - 1) / block, [&](std::size_t i) {
    const std::size_t begin = i * block;
    body({begin, std::min(block, rows - begin), all.skip(begin)});
  });
}

// Cells at odd addresses, copied.
template <class T>
void copied(const MatrixView& matrix, const std::function<void(const GridBlock&)>& body) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const auto size = static_cast<std::size_t>(block_rows(columns));
  parallel_for((rows + size - 1) / size, [&](std::size_t i) {
    const std::size_t begin = i * size;
    const std::size_t count = std::min(size, rows - begin);
    std::vector<T> cells(count * columns);
    for (std::size_t r = 0; r < count; ++r) {
      const char* row =
          static_cast<const char*>(matrix.data) + static_cast<std::ptrdiff_t>(begin + r) * matrix.row_stride;
      for (std::size_t c = 0; c < columns; ++c)
        std::memcpy(&cells[r * columns + c], row + static_cast<std::ptrdiff_t>(c) * matrix.column_stride,
                    sizeof(T));
    }
    body({begin, count, CellGrid<T>{cells.data(), static_cast<std::ptrdiff_t>(columns), 1}});
  });
}

}  // namespace

void for_grids(const RowReader& reader, const std::function<void(const GridBlock&)>& body, std::size_t rows) {
  if (const std::optional<MatrixView> matrix = reader.matrix()) {
    for_grids(*matrix, body, rows);
    return;
  }
  for_blocks(reader, [&](const CellBlock& block) {
    const CellGrid<double> cells{block.cells.data(), 1, static_cast<std::ptrdiff_t>(block.count)};
    body({static_cast<std::size_t>(block.begin), block.count, cells});
  });
}

void for_grids(const MatrixView& matrix, const std::function<void(const GridBlock&)>& body,
               std::size_t rows) {
  switch (matrix.dtype) {
    case Dtype::f32:
      is_regular<float>(matrix) ? in_place<float>(matrix, body, rows) : copied<float>(matrix, body);
      return;
    case Dtype::f64:
      is_regular<double>(matrix) ? in_place<double>(matrix, body, rows) : copied<double>(matrix, body);
      return;
    default:
      throw Error(ErrorCode::bad_data, "a matrix to predict must hold f32 or f64 cells", "Convert it first.");
  }
}

}  // namespace bough
