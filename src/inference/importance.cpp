// SPDX-License-Identifier: Apache-2.0
// Permutation importance: one copy of the cells, one column of it shuffled at a time.
#include "bough/importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/distributions.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "inference/labelled_rows.hpp"
#include "inference/tested_columns.hpp"

namespace bough {
namespace {

// Scores where more is better; of all others less is.
bool is_gain(const std::string& score) {
  return score == "accuracy" || score == "balanced_accuracy" || score == "auc" || score == "ks" ||
         score == "r2";
}

bool needs_chances(const std::string& score) {
  return score != "accuracy" && score != "balanced_accuracy";
}

// The model's cells column by column, its truth, and room for answers.
class Shuffler {
 public:
  Shuffler(const Model& model, const Table& table, const ImportanceSpec& spec, const Execution& execution)
      : model_(model), execution_(execution), scored_(read_truth(model, table, spec.weight)) {
    scored_.intervals = false;
    const RowReader reader(table, model.features());
    n_rows_ = static_cast<std::size_t>(reader.n_rows());
    cells_.resize(n_rows_ * reader.n_columns());
    reader.load(0, reader.n_rows(), cells_);
    rows_.resize(n_rows_);
    std::iota(rows_.begin(), rows_.end(), 0);
  }

  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }

  /// All scores of the rows as they are.
  std::vector<Evaluation> evaluate(bool chances) {
    const MatrixView view{Dtype::f64,
                          cells_.data(),
                          static_cast<std::int64_t>(n_rows_),
                          static_cast<std::int64_t>(model_.features().fields.size()),
                          sizeof(double),
                          static_cast<std::ptrdiff_t>(n_rows_ * sizeof(double))};
    std::vector<double> answers(n_rows_ * model_.n_outputs());
    model_.predict(view, answers, execution_);
    scored_.take_answers(answers);
    if (model_.task() == Task::classification) {
      for (std::size_t o = 0; o < scored_.outputs.size(); ++o) {
        std::vector<double>& out = scored_.outputs[o].chances;
        // Scores that look at classes alone take any chances.
        out.resize(n_rows_ * scored_.outputs[o].n_known);
        if (chances) model_.predict_proba(view, o, out, execution_);
      }
    }
    std::vector<Evaluation> all;
    with_threads(execution_.threads, [&] { all = scored_.score(rows_); });
    return all;
  }

  /// The mean of a score over the outputs; NaN where an output lacks it.
  double score(const std::string& name, bool chances) {
    const std::vector<Evaluation> all = evaluate(chances);
    double sum = 0.0;
    for (const Evaluation& one : all) {
      const auto found = one.scores.find(name);
      sum += found == one.scores.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    }
    return sum / static_cast<double>(all.size());
  }

  std::span<double> column(std::size_t j) { return std::span(cells_).subspan(j * n_rows_, n_rows_); }

 private:
  const Model& model_;
  const Execution& execution_;
  Scored scored_;
  std::size_t n_rows_ = 0;
  std::vector<double> cells_;
  std::vector<std::int64_t> rows_;
};

void shuffle(std::span<double> cells, std::uint64_t key) {
  for (std::size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[below(draw(key, i), i)]);
}

void summarise(ColumnImportance& column, double level) {
  const auto n = static_cast<double>(column.losses.size());
  double sum = 0.0, size = 0.0;
  for (const double loss : column.losses) {
    sum += loss;
    size += std::fabs(loss);
  }
  // Losses and gains of as many rows leave the last bits of their scores.
  column.mean = std::fabs(sum) <= 1e-12 * size ? 0.0 : sum / n;
  column.low = column.high = std::numeric_limits<double>::quiet_NaN();
  if (column.losses.size() < 2) return;
  double squares = 0.0;
  for (const double loss : column.losses) squares += (loss - column.mean) * (loss - column.mean);
  column.deviation = std::sqrt(squares / (n - 1.0));
  const double half = column.deviation == 0.0
                          ? 0.0
                          : student_quantile(level / 2 + 0.5, n - 1.0) * column.deviation / std::sqrt(n);
  column.low = column.mean - half;
  column.high = column.mean + half;
}

std::string chosen_score(const std::string& wish, const std::vector<Evaluation>& all) {
  const auto has = [&](const std::string& name) {
    return std::ranges::all_of(all, [&](const Evaluation& one) { return one.scores.contains(name); });
  };
  if (wish.empty()) {
    if (all.front().task == Task::classification) return "accuracy";
    return has("r2") ? "r2" : "rmse";
  }
  if (has(wish)) return wish;
  std::vector<std::string> names;
  for (const auto& [name, value] : all.front().scores)
    if (has(name)) names.push_back(name);
  throw Error(ErrorCode::bad_params, fmt::format("there is no score '{}' of this model and these rows", wish),
              fmt::format("the scores are {}", join(names, ", ")));
}

void check(const ImportanceSpec& spec) {
  if (spec.repeats < 1)
    throw Error(ErrorCode::bad_params, fmt::format("repeats must be at least 1, but is {}", spec.repeats),
                "a column must be shuffled at least once");
  if (!(spec.level > 0.0 && spec.level < 1.0))
    throw Error(ErrorCode::bad_params, fmt::format("the level of the intervals is {}", spec.level),
                "use a number between 0 and 1, such as 0.95");
}

}  // namespace

Importances permutation_importance(const Model& model, const Table& table, const ImportanceSpec& spec,
                                   const Execution& execution) {
  check(spec);
  std::string at = "scores";
  double done = 0.0;
  Execution inner = execution;
  if (execution.progress) inner.progress = [&](const Progress&) { return execution.progress({at, done, 0}); };
  Shuffler rows(model, table, spec, inner);
  Importances out;
  out.score = chosen_score(spec.score, rows.evaluate(true));
  out.higher_is_better = is_gain(out.score);
  out.n_rows = static_cast<std::int64_t>(rows.n_rows());
  out.repeats = spec.repeats;
  out.level = spec.level;
  const bool chances = needs_chances(out.score);
  out.base = rows.score(out.score, chances);
  const std::set<ColId> tested = tested_columns(model);
  const std::vector<double> impurity = model.importances();
  std::vector<double> kept;
  for (std::size_t j = 0; j < model.features().fields.size(); ++j) {
    ColumnImportance& column = out.columns.emplace_back();
    column.column = model.features().fields[j].name;
    column.impurity = impurity[j];
    column.losses.assign(static_cast<std::size_t>(spec.repeats), 0.0);
    at = fmt::format("column {} of {}", j + 1, model.features().fields.size());
    done = static_cast<double>(j) / static_cast<double>(model.features().fields.size());
    // A column that no tree looks at changes nothing.
    if (tested.contains(static_cast<ColId>(j))) {
      const std::span<double> cells = rows.column(j);
      kept.assign(cells.begin(), cells.end());
      for (std::size_t r = 0; r < column.losses.size(); ++r) {
        std::ranges::copy(kept, cells.begin());
        shuffle(cells, mix(mix(static_cast<std::uint64_t>(spec.seed), j), r));
        const double score = rows.score(out.score, chances);
        column.losses[r] = out.higher_is_better ? out.base - score : score - out.base;
      }
      std::ranges::copy(kept, cells.begin());
    }
    summarise(column, spec.level);
  }
  return out;
}

std::string to_json(const Importances& importances) {
  Json columns = Json::array();
  for (const ColumnImportance& one : importances.columns)
    columns.push_back({{"column", one.column},
                       {"mean", one.mean},
                       {"deviation", one.deviation},
                       {"low", one.low},
                       {"high", one.high},
                       {"impurity", one.impurity},
                       {"losses", one.losses}});
  const Json json{{"score", importances.score},     {"higher_is_better", importances.higher_is_better},
                  {"base", importances.base},       {"n_rows", importances.n_rows},
                  {"repeats", importances.repeats}, {"level", importances.level},
                  {"columns", std::move(columns)}};
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
