// SPDX-License-Identifier: Apache-2.0
// Rotation: the numeric columns turned against each other, and what cross-validation says before and after.
//
// The columns are standardised (which changes no tree but for rounding), z becomes Q G Q' z: Q is a random
// permutation (planes of two columns) or a random orthogonal matrix, G turns the planes 1-2, 3-4, ... by the
// angle. The rows and folds of a repeat are the same at every angle, so differences are paired.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "base/distributions.hpp"
#include "base/random.hpp"
#include "bough/significance.hpp"
#include "data/cells.hpp"
#include "study/scoring.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kPlaneSalt = 0x707a;

using Matrix = std::vector<std::vector<double>>;

// The columns that can be turned, standardised.
struct Turnable {
  std::vector<std::size_t> columns;  // of the table
  Matrix cells;                      // per column
  std::vector<std::string> names;
  std::vector<std::string> left;
};

bool standardise(std::vector<double>& cells) {
  const double n = static_cast<double>(cells.size());
  for (const double x : cells)
    if (!std::isfinite(x)) return false;
  const double mean = std::accumulate(cells.begin(), cells.end(), 0.0) / n;
  double squares = 0.0;
  for (const double x : cells) squares += (x - mean) * (x - mean);
  const double deviation = std::sqrt(squares / n);
  if (!(deviation > 0.0) || !std::isfinite(deviation)) return false;
  for (double& x : cells) x = (x - mean) / deviation;
  return true;
}

Turnable turnable_columns(const RefitJob& job, const Schema& features) {
  Turnable out;
  for (std::size_t c = 0; c < features.fields.size(); ++c) {
    const Field& field = features.fields[c];
    const std::size_t index = job.table.find(field.name).value();
    std::vector<double> cells(static_cast<std::size_t>(job.table.n_rows()));
    if (field.kind == Kind::numeric) read_numbers(job.table.column(index), 0, cells);
    if (field.kind != Kind::numeric || !standardise(cells)) {
      out.left.push_back(field.name);
      continue;
    }
    out.columns.push_back(index);
    out.names.push_back(field.name);
    out.cells.push_back(std::move(cells));
  }
  if (out.columns.size() < 2)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} column{} can be turned, but a rotation needs two", out.columns.size(),
                            out.columns.size() == 1 ? "" : "s"),
                "numeric columns without missing cells and with more than one value can");
  return out;
}

// Rows of an orthogonal matrix: a permutation, or Gram and Schmidt's of normal numbers.
Matrix directions(std::size_t size, bool any, std::uint64_t key) {
  Matrix rows(size, std::vector<double>(size, 0.0));
  if (!any) {
    const std::vector<RowId> order = shuffled_rows(static_cast<std::int64_t>(size), key);
    for (std::size_t i = 0; i < size; ++i) rows[i][order[i]] = 1.0;
    return rows;
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      rows[i][j] = normal_quantile(unit(draw(key, i * size + j)) * (1.0 - 0x1p-53) + 0x1p-54);
    for (int pass = 0; pass < 2; ++pass) {  // the second pass removes what rounding left
      for (std::size_t k = 0; k < i; ++k) {
        const double part = std::inner_product(rows[i].begin(), rows[i].end(), rows[k].begin(), 0.0);
        for (std::size_t j = 0; j < size; ++j) rows[i][j] -= part * rows[k][j];
      }
    }
    const double length = std::sqrt(std::inner_product(rows[i].begin(), rows[i].end(), rows[i].begin(), 0.0));
    for (double& x : rows[i]) x /= length;
  }
  return rows;
}

Matrix turned(const Matrix& cells, const Matrix& rows, double degrees) {
  const std::size_t size = cells.size(), n = cells.front().size();
  const double angle = degrees * std::numbers::pi / 180.0, c = std::cos(angle), s = std::sin(angle);
  Matrix out = cells;
  // In every plane only the two coordinates u and v change: z += (u' - u) p + (v' - v) q.
  for (std::size_t k = 0; k + 1 < size; k += 2) {
    std::vector<double> u(n, 0.0), v(n, 0.0);
    for (std::size_t j = 0; j < size; ++j) {
      const double p = rows[k][j], q = rows[k + 1][j];
      if (p == 0.0 && q == 0.0) continue;
      for (std::size_t i = 0; i < n; ++i) {
        u[i] += p * cells[j][i];
        v[i] += q * cells[j][i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double turned_u = c * u[i] - s * v[i], turned_v = s * u[i] + c * v[i];
      u[i] = turned_u - u[i];
      v[i] = turned_v - v[i];
    }
    for (std::size_t j = 0; j < size; ++j) {
      const double p = rows[k][j], q = rows[k + 1][j];
      if (p == 0.0 && q == 0.0) continue;
      for (std::size_t i = 0; i < n; ++i) out[j][i] += p * u[i] + q * v[i];
    }
  }
  return out;
}

Table with_cells(const Table& table, const Turnable& columns, const Matrix& cells) {
  Table out;
  out.hold(std::make_shared<const Table>(table));
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const auto at = std::ranges::find(columns.columns, i);
    if (at != columns.columns.end()) {
      out.add(table.name(i),
              std::span<const double>(cells[static_cast<std::size_t>(at - columns.columns.begin())]));
    } else {
      append_column(out, table, i);
    }
  }
  return out;
}

void check(const RotationOptions& options) {
  require_at_least(options.folds, 2, "folds");
  require_at_least(options.repeats, 1, "repeats");
  if (options.planes != "pairs" && options.planes != "random")
    throw Error(ErrorCode::bad_params, fmt::format("there are no planes '{}'", options.planes),
                "use pairs (of columns) or random");
  if (options.angles.empty())
    throw Error(ErrorCode::bad_params, "rotation needs an angle", "give some, in degrees");
  for (const double angle : options.angles)
    if (!std::isfinite(angle))
      throw Error(ErrorCode::bad_params, fmt::format("{} is no angle", angle), "give degrees");
}

RotationScore collect(double angle, std::span<const FoldScores> repeats) {
  RotationScore score{.angle = angle, .mean = 0.0, .leaves = 0.0, .scores = {}, .difference = {}};
  for (const FoldScores& repeat : repeats)
    for (std::size_t i = 0; i < repeat.scores.size(); ++i) {
      score.scores.push_back(repeat.scores[i].mean());
      score.leaves += repeat.leaves[i];
    }
  const double n = static_cast<double>(score.scores.size());
  score.mean = std::accumulate(score.scores.begin(), score.scores.end(), 0.0) / n;
  score.leaves /= n;
  return score;
}

}  // namespace

RotationStudy rotation(const Model& model, const Table& table, const RotationOptions& options,
                       const Execution& execution) {
  check(options);
  const RefitJob job(model, table, options.refit);
  const Turnable columns = turnable_columns(job, model.features());
  const std::size_t n_angles = options.angles.size() + 1;  // the first is 0: the columns as they are
  const auto n_repeats = static_cast<std::size_t>(options.repeats);
  std::vector<FoldScores> runs(n_angles * n_repeats);
  for_each_run(runs.size(), execution, "rotation", [&](std::size_t i, const Execution& inner) {
    const std::size_t angle = i / n_repeats, repeat = i % n_repeats;
    const std::uint64_t key = mix(mix(options.seed, kPlaneSalt), repeat);
    const Matrix cells =
        angle == 0 ? columns.cells
                   : turned(columns.cells, directions(columns.cells.size(), options.planes == "random", key),
                            options.angles[angle - 1]);
    runs[i] = cross_validate(job, with_cells(job.table, columns, cells), options.folds, mix(key, 1), inner);
  });
  RotationStudy study;
  study.measure = measure_name(model.task());
  study.planes = options.planes;
  study.folds = options.folds;
  study.repeats = options.repeats;
  study.seed = options.seed;
  study.turned = columns.names;
  study.left = columns.left;
  const auto part = [&](std::size_t angle) { return std::span(runs).subspan(angle * n_repeats, n_repeats); };
  study.before = collect(0.0, part(0));
  for (std::size_t a = 1; a < n_angles; ++a) {
    RotationScore& score = study.after.emplace_back(collect(options.angles[a - 1], part(a)));
    std::vector<double> differences;
    for (std::size_t i = 0; i < score.scores.size(); ++i)
      differences.push_back(score.scores[i] - study.before.scores[i]);
    score.difference = paired_test(differences, 1.0 / (options.folds - 1.0));
  }
  return study;
}

}  // namespace bough
