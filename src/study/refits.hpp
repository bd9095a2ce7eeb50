// SPDX-License-Identifier: Apache-2.0
// Many refits of one model: its columns in its order, rows chosen or targets shuffled, side by side.
#pragma once

#include <functional>

#include "base/monitor.hpp"
#include "bough/study.hpp"

namespace bough {

/// What refits of a model start from.
struct RefitJob {
  Table table;  ///< features in the model's order, targets, weight, fold column; nothing else
  FitSpec spec;
  Params params;

  /// Throws as refit() does.
  RefitJob(const Model& model, const Table& rows, const RefitOptions& options);

  [[nodiscard]] Model fit(const Table& rows, const Execution& execution) const;
  [[nodiscard]] Model fit(const Execution& execution) const { return fit(table, execution); }
  /// The table with its targets and weights moved: row i gets those of row order[i].
  [[nodiscard]] Table shuffled(std::span<const RowId> order) const;
};

/// Calls body(i, execution of one thread) for i in [0, count), in parallel, with progress and cancellation.
void for_each_run(std::size_t count, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t, const Execution&)>& body);

/// What went wrong in a run: empty when nothing did. Errors of data and parameters are results, others are
/// thrown.
std::string attempt(const std::function<void()>& body);

/// Adds a view of a column; somebody must hold its memory.
void append_column(Table& out, const Table& table, std::size_t index);

/// Numbers 0 .. n - 1 in a random order.
std::vector<RowId> shuffled_rows(std::int64_t n_rows, std::uint64_t key);

/// Throws bad_params unless low <= value.
void require_at_least(std::int64_t value, std::int64_t low, std::string_view name);

}  // namespace bough
