// SPDX-License-Identifier: Apache-2.0
// Which splits a node may have: sizes, weights, monotone bounds, interactions, read off the parameters again.
#pragma once

#include <limits>
#include <set>
#include <string>

#include "oracle/brute.hpp"

namespace bough::oracle {

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

/// A node on the way through a tree.
struct Visit {
  NodeId node = 0;
  RowList rows;
  int depth = 0;
  Interval bounds{-kInfinity, kInfinity};  ///< of its value, by monotone constraints above
  std::set<std::string> used;              ///< columns on the path
  std::uint64_t key = 0;                   ///< random key of the node
};

/// Rows of positive weight.
RowList used_rows(const Case& sample);
inline Real middle(const Interval& interval) {
  return interval.low / 2 + interval.high / 2;
}

class Limits {
 public:
  explicit Limits(const Case& sample);
  [[nodiscard]] std::size_t min_leaf() const { return min_leaf_; }
  [[nodiscard]] std::size_t min_split() const { return min_split_; }
  /// Monotone constraint of a column.
  [[nodiscard]] int sign(std::size_t column) const;
  /// A column may be tested when some group holds it together with every column used on the path.
  [[nodiscard]] bool may_test(const Visit& visit, std::size_t column) const;
  /// Within `slack` of the limits: negative demands room to spare.
  [[nodiscard]] bool allows(const Visit& visit, std::size_t column, const RowList& left, const RowList& right,
                            Real slack) const;

 private:
  const Case* sample_;
  Real total_ = 0;
  std::size_t min_leaf_ = 1;
  std::size_t min_split_ = 2;
};

}  // namespace bough::oracle
