// SPDX-License-Identifier: Apache-2.0
// Scores of classes and of numbers.
//
// Classes. With weights w, true class y and chances p:
//   accuracy           sum of w where the predicted class is y, over sum of w
//   balanced_accuracy  mean over the classes that occur of the share predicted rightly
//   auc                two classes: of the second against the first; more: mean of every class that occurs
//   against the
//                      rest
//   log_loss           mean of -ln p(y), p clipped to [e, 1 - e] with e = 2^-52, the epsilon of doubles
//   brier              two classes: mean of (p(second) - [y is the second])^2; more: mean of the sum over
//   classes of
//                      (p(c) - [y is c])^2
// A label that the model does not know is a class of its own that gets the chance 0 in every row.
// Numbers. rmse, mae, r2 = 1 - SS(residual) / SS(about the weighted mean), deviance = mean of
// 2 (y ln(y / p) - y + p), pinball = mean of q (y - p) above and (1 - q) (p - y) below.
#include "inference/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/math.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

constexpr double kLeastChance = std::numeric_limits<double>::epsilon();
constexpr std::size_t kMostConfused = 1000;  // classes above which the confusion matrix is left out

double total_weight(std::span<const std::int64_t> rows, std::span<const double> weights) {
  double sum = 0.0;
  for (const std::int64_t row : rows) sum += weight_of(weights, row);
  return sum;
}

// Rows of weight 0 do not count.
std::int64_t weighted_rows(std::span<const std::int64_t> rows, std::span<const double> weights) {
  return std::ranges::count_if(rows, [&](std::int64_t row) { return weight_of(weights, row) > 0.0; });
}

void score_two_classes(const ClassRows& data, Evaluation& evaluation) {
  const std::vector<ScoreGroup> groups = groups_of(data, 1);
  if (const std::optional<double> auc = area_under_curve(groups)) evaluation.scores["auc"] = *auc;
  if (const std::optional<double> ks = ks_distance(groups)) evaluation.scores["ks"] = *ks;
  evaluation.lift = lift_table(groups);
}

void score_one_against_rest(const ClassRows& data, Evaluation& evaluation) {
  std::vector<std::optional<double>> areas(data.n_classes);
  parallel_for(data.n_classes, [&](std::size_t i) { areas[i] = area_under_curve(groups_of(data, i)); });
  double sum = 0.0;
  double count = 0.0;
  for (const std::optional<double>& area : areas) {
    if (!area) continue;
    sum += *area;
    count += 1.0;
  }
  if (count > 0.0) evaluation.scores["auc"] = sum / count;
}

struct Recall {
  double all = 0.0;
  double right = 0.0;
};

double mean_recall(std::span<const Recall> recalls) {
  double sum = 0.0;
  double count = 0.0;
  for (const Recall& recall : recalls) {
    if (recall.all <= 0.0) continue;
    sum += recall.right / recall.all;
    count += 1.0;
  }
  return sum / count;
}

void score_each_class(Evaluation& evaluation) {
  const std::vector<std::vector<double>>& confusion = evaluation.confusion;
  for (std::size_t c = 0; c < confusion.size(); ++c) {
    double truly = 0.0, predicted = 0.0;
    for (std::size_t other = 0; other < confusion.size(); ++other) {
      truly += confusion[c][other];
      predicted += confusion[other][c];
    }
    evaluation.by_class.push_back({confusion[c][c] / truly, confusion[c][c] / predicted});
  }
}

// Sums over rows, in row order.
struct NumberSums {
  double weight = 0.0, truth = 0.0, squares = 0.0, sizes = 0.0, deviance = 0.0, pinball = 0.0;
  double least = std::numeric_limits<double>::infinity();  // truth
  double most = -std::numeric_limits<double>::infinity();
  bool has_deviance = true;
};

NumberSums sum_numbers(const NumberRows& data) {
  NumberSums sums;
  for (const std::int64_t row : data.rows) {
    const double weight = weight_of(data.weights, row);
    if (weight == 0.0) continue;
    const double y = data.truth[static_cast<std::size_t>(row)];
    const double p = data.predicted[static_cast<std::size_t>(row)];
    const double gap = y - p;
    sums.least = std::min(sums.least, y);
    sums.most = std::max(sums.most, y);
    sums.weight += weight;
    sums.truth += weight * y;
    sums.squares += weight * gap * gap;
    sums.sizes += weight * std::fabs(gap);
    sums.pinball += weight * pinball_of(gap, data.quantile);
    sums.has_deviance = sums.has_deviance && p > 0.0 && y >= 0.0;
    if (sums.has_deviance) sums.deviance += weight * deviance_of(y, p);
  }
  return sums;
}

double squares_about(const NumberRows& data, double centre) {
  double sum = 0.0;
  for (const std::int64_t row : data.rows) {
    const double gap = data.truth[static_cast<std::size_t>(row)] - centre;
    sum += weight_of(data.weights, row) * gap * gap;
  }
  return sum;
}

}  // namespace

std::string score_title(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTitles{
      {{"balanced_accuracy", "balanced accuracy"},
       {"auc", "AUC"},
       {"ks", "KS"},
       {"log_loss", "log loss"},
       {"brier", "Brier score"},
       {"rmse", "RMSE"},
       {"mae", "MAE"},
       {"r2", "R2"},
       {"deviance", "Poisson deviance"}}};
  for (const auto& [own, title] : kTitles)
    if (own == name) return std::string(title);
  return std::string(name == "pinball" ? "pinball loss" : name);
}

std::vector<ScoreGroup> groups_of(const ClassRows& data, std::size_t of_class) {
  std::vector<RankedRow> ranked;
  ranked.reserve(data.rows.size());
  for (const std::int64_t row : data.rows)
    ranked.push_back({chance_of(data, row, of_class), weight_of(data.weights, row),
                      static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]) == of_class});
  return group_scores(std::move(ranked));
}

double log_loss_of(const ClassRows& data, std::int64_t row) {
  const auto truth = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]);
  return -log_exact(std::clamp(chance_of(data, row, truth), kLeastChance, 1.0 - kLeastChance));
}

double brier_of(const ClassRows& data, std::int64_t row) {
  const auto truth = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]);
  if (data.n_classes == 2) {
    const double gap = chance_of(data, row, 1) - (truth == 1 ? 1.0 : 0.0);
    return gap * gap;
  }
  double sum = truth < data.n_known ? 0.0 : 1.0;
  for (std::size_t i = 0; i < data.n_known; ++i) {
    const double gap = chance_of(data, row, i) - (truth == i ? 1.0 : 0.0);
    sum += gap * gap;
  }
  return sum;
}

double deviance_of(double truth, double predicted) {
  // Nearly right: the sum below would cancel. y log(y / m) - (y - m) = m ((1 + r) log(1 + r) - r) with r = y / m - 1.
  const double off = (truth - predicted) / predicted;
  if (std::fabs(off) < 1.0 / 1024.0)
    return predicted * off * off *
           (1.0 - off / 3.0 + off * off / 6.0 - off * off * off / 10.0 + off * off * off * off / 15.0);
  double log = 0.0;
  if (truth > 0.0) {
    const double ratio = truth / predicted;
    log = ratio > 0.0 && std::isfinite(ratio) ? log_exact(ratio) : log_exact(truth) - log_exact(predicted);
  }
  return 2.0 * (truth * log - (truth - predicted));
}

double pinball_of(double gap, double quantile) {
  return gap >= 0.0 ? quantile * gap : (quantile - 1.0) * gap;
}

void score_classes(const ClassRows& data, Evaluation& evaluation) {
  evaluation.n_rows = weighted_rows(data.rows, data.weights);
  evaluation.weight = total_weight(data.rows, data.weights);
  if (data.n_classes <= kMostConfused)
    evaluation.confusion.assign(data.n_classes, std::vector<double>(data.n_classes, 0.0));
  if (evaluation.weight <= 0.0) return;
  std::vector<Recall> recalls(data.n_classes);
  double right = 0.0;
  double log_loss = 0.0;
  double brier = 0.0;
  for (const std::int64_t row : data.rows) {
    const double weight = weight_of(data.weights, row);
    const auto truth = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]);
    const auto predicted = static_cast<std::size_t>(data.predicted[static_cast<std::size_t>(row)]);
    recalls[truth].all += weight;
    if (predicted == truth) recalls[truth].right += weight;
    if (predicted == truth) right += weight;
    if (!evaluation.confusion.empty()) evaluation.confusion[truth][predicted] += weight;
    log_loss += weight * log_loss_of(data, row);
    brier += weight * brier_of(data, row);
  }
  evaluation.scores["accuracy"] = right / evaluation.weight;
  evaluation.scores["balanced_accuracy"] = mean_recall(recalls);
  evaluation.scores["log_loss"] = log_loss / evaluation.weight;
  evaluation.scores["brier"] = brier / evaluation.weight;
  score_each_class(evaluation);
  if (data.n_known < 2) return;  // a model of one class ranks nothing
  if (data.n_classes > kMostRankedClasses) return;
  if (data.n_classes == 2) {
    score_two_classes(data, evaluation);
  } else {
    score_one_against_rest(data, evaluation);
  }
}

void score_numbers(const NumberRows& data, Evaluation& evaluation) {
  const NumberSums sums = sum_numbers(data);
  evaluation.n_rows = weighted_rows(data.rows, data.weights);
  evaluation.weight = sums.weight;
  if (sums.weight <= 0.0) return;
  evaluation.scores["rmse"] = std::sqrt(sums.squares / sums.weight);
  evaluation.scores["mae"] = sums.sizes / sums.weight;
  evaluation.scores["pinball"] = sums.pinball / sums.weight;
  const double spread = squares_about(data, sums.truth / sums.weight);
  // Of one truth there is no share to explain, although its mean may be rounded. A share may be beyond any double, too.
  const double r2 = 1.0 - sums.squares / spread;
  if (sums.least < sums.most && spread > 0.0 && std::isfinite(r2)) evaluation.scores["r2"] = r2;
  if (sums.has_deviance) evaluation.scores["deviance"] = sums.deviance / sums.weight;
}

}  // namespace bough
