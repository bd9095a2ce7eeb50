// SPDX-License-Identifier: Apache-2.0
// Columns as chains of tests, and trees over chains as trees over columns.
#pragma once

#include <string>
#include <vector>

#include "bough/tree.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"
#include "search/cases.hpp"

namespace bough::search {

/// What the tests of a chain ask. Numbers and ordinal levels: known cells up to a cut go left, missing cells right or
/// left. Categories: a level, or a set of levels, goes left; missing cells are a level of their own.
struct ChainSource {
  ColId column = 0;
  enum class Kind : std::uint8_t { ordered, equality, set } kind = Kind::ordered;
};

/// Cases and chains of the rows that `targets` may use.
struct ChainTable {
  Cases cases;
  std::vector<ChainSource> sources;  ///< per chain
  std::vector<RowId> rows;           ///< per case
  int exponent = 0;                  ///< a cost of 1 is a weight of 2^-exponent
  int value_exponent = 0;            ///< a difference of 1 between Cases::values is one of 2^-value_exponent
  std::vector<std::string> notes;    ///< families of tests that are not searched in full
};

struct ChainOptions {
  bool equality = false;  ///< categories by equality instead of subset
  double leaf_price = 0.0;
  std::span<const std::string> names;  ///< of the columns
};

/// Levels (missing cells are one) up to which all subsets of a category are chains. Beyond, a chain per class orders
/// levels by their share of it.
inline constexpr std::size_t kAllSubsets = 5;

/// Throws not_supported when weights and price do not fit into exact costs.
ChainTable make_chains(const EncodedTable& table, const Targets& targets, const ChainOptions& options);

/// leaf_price in costs of the table.
Cost price_of(const ChainTable& table, double leaf_price);

/// The tree over the columns, without statistics.
Tree to_tree(const SmallTree& tree, const ChainTable& chains, const EncodedTable& table,
             const Targets& targets);

}  // namespace bough::search
