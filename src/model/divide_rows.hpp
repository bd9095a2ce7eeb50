// SPDX-License-Identifier: Apache-2.0
// Dividing rows at random: every choice is a function of a key and the rows' numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/targets.hpp"

namespace bough {

/// The `count` of `rows` (all different) that have the lowest draws of the key, in no particular order.
std::vector<RowId> lowest_draws(std::span<const RowId> rows, std::size_t count, std::uint64_t key);

/// The rows, one combination of labels after the other, inside of it in an order drawn by the key.
std::vector<RowId> shuffled_by_class(std::span<const RowId> rows, std::span<const ClassTarget> classes,
                                     std::uint64_t key);

/// True for a fraction of the rows (given by increasing number), drawn by the key; `n_rows`: of the whole table,
/// rows that are not given get false. Every combination of labels gives its share to within one row; `classes`
/// may be empty.
std::vector<char> divide_rows(std::span<const RowId> rows, std::size_t n_rows,
                              std::span<const ClassTarget> classes, double fraction, std::uint64_t key);

/// The same, but every combination of labels keeps at least one row that is not held out.
std::vector<char> hold_out_rows(std::span<const RowId> rows, std::size_t n_rows,
                                std::span<const ClassTarget> classes, double fraction, std::uint64_t key);

/// Groups 0 to folds - 1 of equal size to within one row, dealt to the rows by the key, classes left aside.
std::vector<std::int64_t> deal_groups(std::int64_t n_rows, std::int64_t folds, std::uint64_t key);

}  // namespace bough
