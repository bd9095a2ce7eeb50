// SPDX-License-Identifier: Apache-2.0
// Scores on rows kept out of training.
#include "holdout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bough/prune.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {
namespace {

constexpr double kMostChances = 5e7;  // numbers in memory at a time

Model fit_part(const HoldoutJob& job, const Table& part) {
  Params params = job.model.params();
  params.task = job.model.task() == Task::classification ? "classification" : "regression";
  const CleanStop clean;
  Model model = fit(part, job.spec, params, execution_for("held-out score", job.threads));
  throw_if_interrupted();
  return model;
}

// As many rows as can be scored, at equal distances.
std::optional<std::vector<RowId>> sample(const Model& model, const Table& rows) {
  std::size_t classes = 1;
  for (const Field& field : model.targets().fields) classes = std::max(classes, field.levels.size());
  const auto most = static_cast<std::int64_t>(kMostChances / static_cast<double>(classes));
  if (rows.n_rows() <= most) return std::nullopt;
  std::vector<RowId> some;
  for (std::int64_t i = 0; i < most; ++i)
    some.push_back(static_cast<RowId>(static_cast<double>(i) * static_cast<double>(rows.n_rows()) /
                                      static_cast<double>(most)));
  return some;
}

}  // namespace

std::vector<Evaluation> score_rows(const Model& model, const Table& rows, const std::string& weight,
                                   int threads) {
  const Execution execution = execution_for("scores", threads);
  show_progress("scores");
  const std::optional<std::vector<RowId>> some = sample(model, rows);
  if (!some) return evaluate(model, rows, weight, execution);
  tell(fmt::format("scores use {} of {} rows, because there are so many classes (--no-scores skips them)",
                   grouped(std::ssize(*some)), grouped(rows.n_rows())));
  return evaluate(model, rows.take(*some), weight, execution);
}

std::vector<Evaluation> score_baseline(const Model& model, const Table& rows, const std::string& weight,
                                       int threads) {
  if (model.trees().size() != 1 || model.tree().is_leaf(0)) return {};
  const NodeId root[] = {0};
  return without_intervals(score_rows(cut(model, root), rows, weight, threads));
}

ScorePair score_holdout(const HoldoutJob& job) {
  const HeldOutRows parts =
      hold_out(job.table, job.model, job.fraction, static_cast<std::uint64_t>(job.model.params().seed));
  ScorePair scores;
  if (parts.held_out.empty() || parts.training.empty()) {
    scores.why_not = fmt::format("{} {} too few to hold any out", rows_text(job.table.n_rows()),
                                 job.table.n_rows() == 1 ? "is" : "are");
    return scores;
  }
  try {
    const Table training = job.table.take(parts.training);
    const Table held_out = job.table.take(parts.held_out);
    const Model model = fit_part(job, training);
    const std::string& weight = job.spec.weight;
    if (model.trees().size() == 1) scores.leaves = model.tree().n_leaves();
    scores.training = without_intervals(score_rows(model, training, weight, job.threads));
    scores.held_out = score_rows(model, held_out, weight, job.threads);
    scores.baseline = score_baseline(model, held_out, weight, job.threads);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data && error.code() != ErrorCode::bad_params) throw;
    scores = {};
    scores.why_not = fmt::format("the part of the rows left for training does not do: {}", error.what());
  }
  return scores;
}

}  // namespace bough::cli
