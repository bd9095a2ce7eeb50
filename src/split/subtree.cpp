// SPDX-License-Identifier: Apache-2.0
// Column sampling, shared by the grower and the engines.
#include "split/subtree.hpp"

#include <utility>

#include "base/random.hpp"

namespace bough {

std::vector<ColId> draw_columns(std::vector<ColId> columns, std::size_t wanted, std::uint64_t key) {
  if (wanted == 0 || wanted >= columns.size()) return columns;
  const std::uint64_t own = mix(key, UINT64_MAX);
  for (std::size_t i = 0; i + 1 < columns.size(); ++i)
    std::swap(columns[i], columns[i + below(draw(own, i), columns.size() - i)]);
  return columns;
}

}  // namespace bough
