// SPDX-License-Identifier: Apache-2.0
// Which rows are kept out of training, and the scores on them.
#include "holdout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "interrupt.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace bough::cli {

namespace {

// The finalizer of splitmix64: a bijection that scatters neighbouring keys.
std::uint64_t scatter(std::uint64_t key) {
  key += 0x9E3779B97F4A7C15ULL;
  key = (key ^ (key >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  key = (key ^ (key >> 27U)) * 0x94D049BB133111EBULL;
  return key ^ (key >> 31U);
}

// A number per combination of labels, in the order of the labels; all 0 for regression.
std::vector<std::uint32_t> stratum_of_rows(const Table& table, const Model& model) {
  std::vector<std::uint32_t> strata(static_cast<std::size_t>(table.n_rows()), 0);
  if (model.task() != Task::classification) return strata;
  std::map<std::string, std::uint32_t> ids;
  const auto labels_of = [&](std::size_t row) {
    std::string labels;
    for (const Field& target : model.targets().fields)
      labels +=
          cell_text(table.column(table.find(target.name).value()), static_cast<std::int64_t>(row)) + '\n';
    return labels;
  };
  for (std::size_t row = 0; row < strata.size(); ++row) ids.emplace(labels_of(row), 0);
  std::uint32_t next = 0;
  for (auto& [labels, id] : ids) id = next++;
  for (std::size_t row = 0; row < strata.size(); ++row) strata[row] = ids.at(labels_of(row));
  return strata;
}

Model fit_part(const HoldoutJob& job, const Table& part) {
  Params params = job.model.params();
  params.task = job.model.task() == Task::classification ? "classification" : "regression";
  const CleanStop clean;
  Model model = fit(part, job.spec, params, execution_for("held-out score", job.threads));
  throw_if_interrupted();
  return model;
}

}  // namespace

RowParts hold_out(const Table& table, const Model& model, double fraction, std::int64_t seed) {
  const std::vector<std::uint32_t> strata = stratum_of_rows(table, model);
  const std::size_t n = strata.size();
  std::vector<std::uint64_t> keys(n);
  for (std::size_t row = 0; row < n; ++row)
    keys[row] = scatter(scatter(static_cast<std::uint64_t>(seed)) ^ row);
  std::vector<RowId> order(n);
  std::iota(order.begin(), order.end(), RowId{0});
  std::sort(order.begin(), order.end(), [&](RowId a, RowId b) {
    return std::tie(strata[a], keys[a], a) < std::tie(strata[b], keys[b], b);
  });
  // Even steps through the rows, stratum after stratum: every stratum gives its share to within one row.
  RowParts parts;
  bool stratum_is_trained = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || strata[order[i]] != strata[order[i - 1]]) stratum_is_trained = false;
    const bool is_last = i + 1 == n || strata[order[i + 1]] != strata[order[i]];
    const auto step = [&](std::size_t at) { return std::floor(static_cast<double>(at) * fraction + 0.5); };
    const bool out = step(i + 1) > step(i) && (stratum_is_trained || !is_last);
    (out ? parts.held_out : parts.training).push_back(order[i]);
    stratum_is_trained = stratum_is_trained || !out;
  }
  std::sort(parts.training.begin(), parts.training.end());
  std::sort(parts.held_out.begin(), parts.held_out.end());
  return parts;
}

ScorePair score_holdout(const HoldoutJob& job) {
  const RowParts parts = hold_out(job.table, job.model, job.fraction, job.model.params().seed);
  ScorePair scores;
  if (parts.held_out.empty() || parts.training.empty()) {
    scores.why_not = fmt::format("{} rows are too few to hold any out", job.table.n_rows());
    return scores;
  }
  try {
    const Table training = job.table.take(parts.training);
    const Table held_out = job.table.take(parts.held_out);
    const Model model = fit_part(job, training);
    const Execution execution{job.threads, {}};
    scores.training = without_intervals(evaluate(model, training, job.spec.weight, execution));
    scores.held_out = evaluate(model, held_out, job.spec.weight, execution);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data && error.code() != ErrorCode::bad_params) throw;
    scores = {};
    scores.why_not = fmt::format("the part of the rows left for training does not do: {}", error.what());
  }
  return scores;
}

}  // namespace bough::cli
