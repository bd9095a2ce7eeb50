// SPDX-License-Identifier: Apache-2.0
// Intervals of scores. Nothing here is drawn at random: every interval is a formula over the rows.
//
// Weights. With w~ = w / sum of w, rows count like n = 1 / sum of w~^2 rows (Kish), which is their number
// when all weigh the same. The variance of a weighted mean m of x is sum of w~^2 (x - m)^2 / (1 - 1 / n),
// which is s^2 / n then.
//   accuracy           Wilson (1927)
//   balanced_accuracy  the Wilson intervals of the classes' shares, joined by MOVER (Zou and Donner 2008):
//   the distance
//                      of the end from the mean is the root of the summed squares of the classes' distances,
//                      over K
//   auc                DeLong, DeLong and Clarke-Pearson (1988): every row of the class has a placement among
//   the others
//                      (the share it beats, ties half) and the others have theirs; the variance is that of
//                      the two means. With more classes a row's deviations are averaged over the classes
//                      first. Where classes are parted perfectly that variance is 0, and the end is Wilson's
//                      for the smaller side.
//   ks                 a difference of two shares at the cut where it is largest: Newcombe (1998), the cut
//   taken as given log_loss, brier, mae, deviance, pinball   Student's t of the mean over rows; rmse: the
//   root of the mean square's r2                 Student's t with the linearised deviations -((e^2 - A) - (A
//   / B) (d^2 - B)) / B of a row with the
//                      residual e and the distance d from the mean, A and B their mean squares
#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "base/parallel.hpp"
#include "inference/scores.hpp"

namespace bough {
namespace {

constexpr std::size_t kGrain = 4096;

// Sum of weights and of their squares.
struct Weights {
  double sum = 0.0;
  double squares = 0.0;
  void add(double weight) {
    sum += weight;
    squares += weight * weight;
  }
  // As many rows of equal weight as would tell as much.
  [[nodiscard]] double rows() const { return squares > 0.0 ? sum * sum / squares : 0.0; }
};

double normal_limit(double confidence) {
  return normal_quantile(0.5 + confidence / 2.0);
}

ScoreInterval wilson(double share, double rows, double confidence) {
  const double z = normal_limit(confidence), s = z * z / rows;
  const double centre = (share + s / 2.0) / (1.0 + s);
  const double half = z * std::sqrt(share * (1.0 - share) / rows + s / (4.0 * rows)) / (1.0 + s);
  return {share <= 0.0 ? 0.0 : std::max(0.0, centre - half),
          share >= 1.0 ? 1.0 : std::min(1.0, centre + half), "Wilson"};
}

// What says how far the mean of something over rows is known: its mean, the variance of that mean, degrees of
// freedom.
struct MeanSpread {
  double mean = 0.0;
  double variance = 0.0;
  double freedom = 0.0;
};

template <class Value>
std::optional<MeanSpread> mean_spread(std::span<const std::int64_t> rows, std::span<const double> weights,
                                      const Value& value) {
  Weights all;
  double sum = 0.0;
  for (const std::int64_t row : rows) {
    const double weight = weight_of(weights, row);
    if (weight == 0.0) continue;
    all.add(weight);
    sum += weight * value(row);
  }
  const double n = all.rows();
  if (!(n > 1.0 + 1e-9)) return std::nullopt;
  MeanSpread spread{sum / all.sum, 0.0, n - 1.0};
  for (const std::int64_t row : rows) {
    const double weight = weight_of(weights, row) / all.sum;
    if (weight == 0.0) continue;
    const double gap = weight * (value(row) - spread.mean);
    spread.variance += gap * gap;
  }
  spread.variance /= 1.0 - 1.0 / n;
  // Rows that all give the same number, but for rounding, say nothing about how far others may differ.
  constexpr double rounding = 1e-24;
  if (!(spread.variance * n > rounding * spread.mean * spread.mean)) return std::nullopt;
  return spread;
}

ScoreInterval student(const MeanSpread& spread, double centre, double confidence) {
  const double half = student_quantile(0.5 + confidence / 2.0, spread.freedom) * std::sqrt(spread.variance);
  return {centre - half, centre + half, "t"};
}

struct Sides {
  Weights positive;
  Weights negative;
};

Sides sides_of(const ClassRows& data, std::size_t of_class) {
  Sides sides;
  for (const std::int64_t row : data.rows) {
    const bool is = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]) == of_class;
    (is ? sides.positive : sides.negative).add(weight_of(data.weights, row));
  }
  return sides;
}

// Adds what every row contributes to the deviation of the class's area from the truth, times `share`.
void add_deviations(const ClassRows& data, std::size_t of_class, const Sides& sides, double share,
                    std::vector<double>& deviations) {
  const std::vector<ScoreGroup> groups = groups_of(data, of_class);
  const double area = *area_under_curve(groups);
  std::vector<double> above_positive(
      groups.size());  // weight of the class in groups of higher score, and half of this
  std::vector<double> below_negative(groups.size());  // the others in groups of lower score, and half of this
  double seen_positive = 0.0, left_negative = sides.negative.sum;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    above_positive[g] = seen_positive + groups[g].positive / 2.0;
    below_negative[g] = left_negative - groups[g].negative / 2.0;
    seen_positive += groups[g].positive;
    left_negative -= groups[g].negative;
  }
  const auto scale = [&](const Weights& side) {
    return share / (side.sum * std::sqrt(1.0 - 1.0 / side.rows()));
  };
  const double positive_scale = scale(sides.positive), negative_scale = scale(sides.negative);
  parallel_ranges(data.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t row = data.rows[i];
      const double weight = weight_of(data.weights, row);
      if (weight == 0.0) continue;
      const auto at =
          static_cast<std::size_t>(std::ranges::lower_bound(groups, chance_of(data, row, of_class),
                                                            std::greater<>(), &ScoreGroup::score) -
                                   groups.begin());
      const bool is = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]) == of_class;
      const double placement =
          is ? below_negative[at] / sides.negative.sum : above_positive[at] / sides.positive.sum;
      deviations[i] += weight * (is ? positive_scale : negative_scale) * (placement - area);
    }
  });
}

std::optional<ScoreInterval> area_interval(const ClassRows& data, double area, double confidence) {
  std::vector<std::size_t> classes;
  std::vector<Sides> sides(data.n_classes);
  double least = HUGE_VAL;
  for (std::size_t c = data.n_classes == 2 ? 1 : 0; c < data.n_classes; ++c) {
    sides[c] = sides_of(data, c);
    if (sides[c].positive.sum <= 0.0 || sides[c].negative.sum <= 0.0) continue;
    classes.push_back(c);
    least = std::min({least, sides[c].positive.rows(), sides[c].negative.rows()});
  }
  if (classes.empty() || !(least > 1.0 + 1e-9)) return std::nullopt;
  std::vector<double> deviations(data.rows.size(), 0.0);
  for (const std::size_t c : classes)
    add_deviations(data, c, sides[c], 1.0 / static_cast<double>(classes.size()), deviations);
  double variance = 0.0;
  for (const double deviation : deviations) variance += deviation * deviation;
  if (area >= 1.0 || area <= 0.0) {
    ScoreInterval interval = wilson(area, least, confidence);
    interval.method = "Wilson of the smaller side, the classes being parted perfectly";
    return interval;
  }
  const double half = normal_limit(confidence) * std::sqrt(variance);
  return ScoreInterval{std::max(0.0, area - half), std::min(1.0, area + half), "DeLong"};
}

ScoreInterval recall_interval(const ClassRows& data, double mean, double confidence) {
  std::vector<Weights> all(data.n_classes);
  std::vector<double> right(data.n_classes, 0.0);
  for (const std::int64_t row : data.rows) {
    const auto truth = static_cast<std::size_t>(data.truth[static_cast<std::size_t>(row)]);
    all[truth].add(weight_of(data.weights, row));
    if (static_cast<std::size_t>(data.predicted[static_cast<std::size_t>(row)]) == truth)
      right[truth] += weight_of(data.weights, row);
  }
  double below = 0.0, above = 0.0, classes = 0.0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].sum <= 0.0) continue;
    const double share = right[c] / all[c].sum;
    const ScoreInterval own = wilson(share, all[c].rows(), confidence);
    below += (share - own.low) * (share - own.low);
    above += (own.high - share) * (own.high - share);
    classes += 1.0;
  }
  return {std::max(0.0, mean - std::sqrt(below) / classes), std::min(1.0, mean + std::sqrt(above) / classes),
          "MOVER of Wilson"};
}

// The cut of the largest difference is taken as given.
ScoreInterval ks_interval(const ClassRows& data, double distance, double confidence) {
  const Sides sides = sides_of(data, 1);
  double positive = 0.0, negative = 0.0, most = -1.0, best_positive = 0.0, best_negative = 0.0;
  for (const ScoreGroup& group : groups_of(data, 1)) {
    positive += group.positive;
    negative += group.negative;
    const double gap = std::fabs(positive / sides.positive.sum - negative / sides.negative.sum);
    if (gap <= most) continue;
    most = gap;
    best_positive = std::min(1.0, positive / sides.positive.sum);
    best_negative = std::min(1.0, negative / sides.negative.sum);
  }
  ScoreInterval a = wilson(best_positive, sides.positive.rows(), confidence);
  ScoreInterval b = wilson(best_negative, sides.negative.rows(), confidence);
  if (best_negative > best_positive) {
    std::swap(best_positive, best_negative);
    std::swap(a, b);
  }
  // Both are at most 1, so squares are safe; hypot has other last bits in every C library.
  const auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
  const double below = length(best_positive - a.low, b.high - best_negative);
  const double above = length(a.high - best_positive, best_negative - b.low);
  return {std::max(0.0, distance - below), std::min(1.0, distance + above), "Newcombe"};
}

}  // namespace

void add_intervals(const ClassRows& data, Evaluation& evaluation) {
  const std::map<std::string, double>& scores = evaluation.scores;
  if (!scores.contains("accuracy")) return;
  const double confidence = evaluation.confidence;
  Weights all;
  for (const std::int64_t row : data.rows) all.add(weight_of(data.weights, row));
  evaluation.intervals["accuracy"] = wilson(scores.at("accuracy"), all.rows(), confidence);
  evaluation.intervals["balanced_accuracy"] =
      recall_interval(data, scores.at("balanced_accuracy"), confidence);
  const auto mean_of = [&](const char* name, double (*loss)(const ClassRows&, std::int64_t), double most) {
    const auto spread =
        mean_spread(data.rows, data.weights, [&](std::int64_t row) { return loss(data, row); });
    if (!spread) return;
    ScoreInterval& interval = evaluation.intervals[name] = student(*spread, scores.at(name), confidence);
    interval.low = std::max(0.0, interval.low);
    interval.high = std::min(most, interval.high);
  };
  mean_of("log_loss", log_loss_of, HUGE_VAL);
  mean_of("brier", brier_of, data.n_classes == 2 ? 1.0 : 2.0);
  if (const auto auc = scores.find("auc"); auc != scores.end())
    if (const auto interval = area_interval(data, auc->second, confidence))
      evaluation.intervals["auc"] = *interval;
  if (const auto ks = scores.find("ks"); ks != scores.end())
    evaluation.intervals["ks"] = ks_interval(data, ks->second, confidence);
}

void add_intervals(const NumberRows& data, Evaluation& evaluation) {
  const std::map<std::string, double>& scores = evaluation.scores;
  const double confidence = evaluation.confidence;
  const auto truth = [&](std::int64_t row) { return data.truth[static_cast<std::size_t>(row)]; };
  const auto answer = [&](std::int64_t row) { return data.predicted[static_cast<std::size_t>(row)]; };
  const auto square = [&](std::int64_t row) {
    return (truth(row) - answer(row)) * (truth(row) - answer(row));
  };
  const auto mean_of = [&](const char* name, const auto& loss) {
    if (!scores.contains(name)) return;
    const auto spread = mean_spread(data.rows, data.weights, loss);
    if (!spread) return;
    ScoreInterval& interval = evaluation.intervals[name] = student(*spread, scores.at(name), confidence);
    interval.low = std::max(0.0, interval.low);
  };
  mean_of("mae", [&](std::int64_t row) { return std::fabs(truth(row) - answer(row)); });
  mean_of("pinball", [&](std::int64_t row) { return pinball_of(truth(row) - answer(row), data.quantile); });
  mean_of("deviance", [&](std::int64_t row) { return deviance_of(truth(row), answer(row)); });
  const auto squares = mean_spread(data.rows, data.weights, square);
  if (!squares) return;
  const ScoreInterval mse = student(*squares, squares->mean, confidence);
  evaluation.intervals["rmse"] = {std::sqrt(std::max(0.0, mse.low)), std::sqrt(std::max(0.0, mse.high)), "t"};
  if (!scores.contains("r2")) return;
  const auto spread = mean_spread(data.rows, data.weights, truth);
  if (!spread) return;
  const double mean = spread->mean;
  const auto distance = [&](std::int64_t row) { return (truth(row) - mean) * (truth(row) - mean); };
  const double a = squares->mean, b = squares->mean / (1.0 - scores.at("r2"));  // r2 = 1 - a / b
  const auto linear = mean_spread(data.rows, data.weights, [&](std::int64_t row) {
    return -((square(row) - a) - (a / b) * (distance(row) - b)) / b;
  });
  if (!linear) return;
  ScoreInterval interval = student(*linear, scores.at("r2"), confidence);
  interval.high = std::min(1.0, interval.high);
  interval.method = "t, linearised";
  evaluation.intervals["r2"] = interval;
}

}  // namespace bough
