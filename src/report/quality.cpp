// SPDX-License-Identifier: Apache-2.0
// How good the answers are on labelled rows: scores, confusion, and for chances the ROC curve and
// calibration.
#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "bough/importance.hpp"
#include "bough/inference.hpp"
#include "inference/scores.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostCurves = 30;
constexpr std::size_t kCurvePoints = 200;
constexpr std::size_t kBins = 10;

// Points of the curve from (0, 0) to (1, 1), thinned out evenly.
Json roc_points(std::span<const ScoreGroup> groups) {
  double positive = 0.0, negative = 0.0;
  for (const ScoreGroup& group : groups) {
    positive += group.positive;
    negative += group.negative;
  }
  Json points = Json::array({Json::array({0.0, 0.0})});
  const std::size_t step = groups.size() / kCurvePoints + 1;
  double hits = 0.0, alarms = 0.0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    hits += groups[i].positive;
    alarms += groups[i].negative;
    if (i % step == step - 1 || i + 1 == groups.size())
      points.push_back({alarms / negative, hits / positive});
  }
  return points;
}

// Wilson's interval of a share; weights count as rows.
std::pair<double, double> wilson(double share, double n) {
  const double z = normal_quantile(0.975);
  const double centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
  const double half = z / (1.0 + z * z / n) * std::sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

// Tenths of the predicted chance: its mean, the observed share with its interval, and the weight.
Json calibration(std::span<const ScoreGroup> groups) {
  struct Bin {
    double weight = 0.0, chance = 0.0, positive = 0.0;
  };
  std::vector<Bin> bins(kBins);
  for (const ScoreGroup& group : groups) {
    Bin& bin = bins[std::min(static_cast<std::size_t>(group.score * kBins), kBins - 1)];
    const double weight = group.positive + group.negative;
    bin.weight += weight;
    bin.chance += weight * group.score;
    bin.positive += group.positive;
  }
  Json out = Json::array();
  for (const Bin& bin : bins) {
    if (bin.weight <= 0.0) continue;
    const double share = bin.positive / bin.weight;
    const auto [low, high] = wilson(share, bin.weight);
    out.push_back({bin.chance / bin.weight, share, low, high, bin.weight});
  }
  return out;
}

// Every class against the rest; of two classes the second only.
Json curves(const Model& model, const Table& table, const RowLabels& truth, std::size_t output,
            const Execution& execution) {
  const std::size_t classes = model.targets().fields[output].levels.size();
  const std::vector<double> chances = model.predict_proba(table, output, execution);
  Json out = Json::array();
  for (std::size_t c = classes == 2 ? 1 : 0; c < std::min(classes, kMostCurves); ++c) {
    std::vector<RankedRow> rows;
    for (std::size_t row = 0; row < truth.classes[output].size(); ++row)
      rows.push_back({chances[row * classes + c], truth.weight(row),
                      truth.classes[output][row] == static_cast<std::int32_t>(c)});
    const std::vector<ScoreGroup> groups = group_scores(std::move(rows));
    const std::optional<double> area = area_under_curve(groups);
    if (!area) continue;
    out.push_back(
        {{"class", c}, {"auc", *area}, {"roc", roc_points(groups)}, {"calibration", calibration(groups)}});
  }
  return out;
}

}  // namespace

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json json_numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(json_number(value));
  return out;
}

Json quality_data(const Model& model, const Table& table, const RowLabels& truth,
                  const ReportOptions& options) {
  Json out = Json::array();
  const std::vector<Evaluation> all = evaluate(model, table, options.weight, options.execution);
  for (std::size_t output = 0; output < all.size(); ++output) {
    const Evaluation& evaluation = all[output];
    Json scores = Json::object();
    for (const auto& [name, score] : evaluation.scores) scores[name] = json_number(score);
    Json one{{"rows", evaluation.n_rows},
             {"weight", json_number(evaluation.weight)},
             {"scores", std::move(scores)},
             {"classes", evaluation.classes},
             {"confusion", evaluation.confusion}};
    one["intervals"] = Json::object();
    for (const auto& [name, range] : evaluation.intervals)
      one["intervals"][name] = {json_number(range.low), json_number(range.high), range.method};
    if (evaluation.task == Task::classification)
      one["curves"] = curves(model, table, truth, output, options.execution);
    out.push_back(std::move(one));
  }
  return out;
}

Json permutation_data(const Model& model, const Table& table, const ReportOptions& options) {
  ImportanceSpec spec;
  spec.repeats = options.repeats;
  spec.weight = options.weight;
  const Importances all = permutation_importance(model, table, spec, options.execution);
  Json mean = Json::array(), low = Json::array(), high = Json::array();
  for (const ColumnImportance& column : all.columns) {
    mean.push_back(json_number(column.mean));
    low.push_back(json_number(column.low));
    high.push_back(json_number(column.high));
  }
  return {{"measure", all.score},    {"base", json_number(all.base)}, {"repeats", all.repeats},
          {"mean", std::move(mean)}, {"low", std::move(low)},         {"high", std::move(high)}};
}

}  // namespace bough
