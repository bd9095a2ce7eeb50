// SPDX-License-Identifier: Apache-2.0
// Orders of category levels along which a subset split is searched.
//
// Exact: by class share or mean (families.hpp says when). Otherwise the heuristic "principal_direction" (Coppersmith, Hong,
// Hosking 1999): levels are points P_l (class shares, means or quantiles per output), and the order is by the projection on
// the first principal direction of their weighted scatter; beside it every coordinate gives an order of its own.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "split/stats/families.hpp"

namespace bough {

inline std::vector<std::size_t> order_of(std::span<const double> keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  return order;
}

/// `levels`: the sums (additive families) or the rows of each level.
template <class FamilyT, class Level>
std::vector<std::size_t> order_by_key(const FamilyT& family, std::span<const Level> levels) {
  std::vector<double> keys;
  for (const Level& level : levels) keys.push_back(family.order_key(level));
  return order_of(keys);
}

/// First principal direction of points (n by d, row after row) with weights, by power iteration from a fixed start.
std::vector<double> principal_direction(std::span<const double> points, std::span<const double> weights,
                                        std::size_t d);

template <class FamilyT, class Level>
std::vector<std::vector<std::size_t>> heuristic_orders(const FamilyT& family, std::span<const Level> levels,
                                                       std::span<const double> weights) {
  const std::size_t d = family.vector_size();
  std::vector<double> points(levels.size() * d);
  for (std::size_t l = 0; l < levels.size(); ++l)
    family.level_vector(levels[l], std::span(points).subspan(l * d, d));
  std::vector<std::vector<std::size_t>> orders;
  const std::vector<double> direction = principal_direction(points, weights, d);
  std::vector<double> keys(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l)
    keys[l] = std::inner_product(direction.begin(), direction.end(),
                                 points.begin() + static_cast<std::ptrdiff_t>(l * d), 0.0);
  orders.push_back(order_of(keys));
  // Beyond 64 coordinates the single orders cost more than they bring.
  for (std::size_t c = 0; c < d && d <= 64 && d > 1; ++c) {
    for (std::size_t l = 0; l < levels.size(); ++l) keys[l] = points[l * d + c];
    orders.push_back(order_of(keys));
  }
  return orders;
}

}  // namespace bough
