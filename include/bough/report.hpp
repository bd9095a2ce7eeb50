// SPDX-License-Identifier: Apache-2.0
// The report: a model and what it does to data as one page that opens in any browser, without a network.
#pragma once

#include <cstdint>
#include <string>

#include "bough/model.hpp"
#include "bough/table.hpp"

namespace bough {

struct ReportOptions {
  std::string title{};   ///< heading; empty: made of the target and the task
  std::string weight{};  ///< column of row weights in both tables, or empty
  std::string source{};  ///< what the given rows are called, a file name for instance, or empty
  /// Of both tables: numbers of their rows, from 0, in the files that they are from; empty: in order.
  std::vector<RowId> row_numbers{}, training_numbers{};
  const Table* training =
      nullptr;  ///< the rows the model was grown on: node distributions and why a split was made
  std::int64_t max_rows =
      20'000;         ///< rows that travel in the page; more are thinned out evenly. Scores use all rows
  int repeats = 10;   ///< shuffles per column of the permutation importances; 0: none
  int why_depth = 3;  ///< with `training`: splits above this depth show what they were chosen from
  Execution execution{};
};

/// One HTML file that needs nothing else. `held_out`: rows to score and trace, ideally ones that the model has
/// not seen, or null; without the target columns they can be traced but not scored. Names are escaped,
/// whatever they hold. Throws bad_data when the tables do not fit the model, bad_params for options out of
/// range.
[[nodiscard]] std::string report_page(const Model& model, const Table* held_out = nullptr,
                                      const ReportOptions& options = {});

/// Whether these are the rows that the model was grown on (was_grown_on), or labelled rows that fall into the nodes of a single
/// tree exactly as those did, with the same errors: then they are those rows, as far as three leaves or more can tell.
[[nodiscard]] bool looks_like_training(const Model& model, const Table& table,
                                       const std::string& weight = {});

/// Bytes of the page of a single tree, before any data.
[[nodiscard]] std::size_t report_frame_size();

}  // namespace bough
