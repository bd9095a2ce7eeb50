// SPDX-License-Identifier: Apache-2.0
// Scores on rows kept out of training.
#include "holdout.hpp"

#include <fmt/format.h>

#include "interrupt.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace bough::cli {
namespace {

Model fit_part(const HoldoutJob& job, const Table& part) {
  Params params = job.model.params();
  params.task = job.model.task() == Task::classification ? "classification" : "regression";
  const CleanStop clean;
  Model model = fit(part, job.spec, params, execution_for("held-out score", job.threads));
  throw_if_interrupted();
  return model;
}

}  // namespace

ScorePair score_holdout(const HoldoutJob& job) {
  const HeldOutRows parts =
      hold_out(job.table, job.model, job.fraction, static_cast<std::uint64_t>(job.model.params().seed));
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
