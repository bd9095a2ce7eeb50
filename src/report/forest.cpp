// SPDX-License-Identifier: Apache-2.0
// What is told about a forest as a whole: its trees' sizes, the one most like it, and its out-of-bag figures.
#include <algorithm>

#include "bough/out_of_bag.hpp"
#include "bough/proximity.hpp"
#include "model/bag_marks.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

constexpr std::size_t kErrorPoints = 300;

// The error of the first 1, 2, ... trees, thinned out evenly; the last is always there.
Json curve_data(const OobCurve& curve) {
  Json trees = Json::array(), errors = Json::array();
  const std::size_t n = curve.errors.size(), step = n / kErrorPoints + 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % step != 0 && i + 1 != n) continue;
    trees.push_back(i + 1);
    errors.push_back(json_number(curve.errors[i]));
  }
  return {{"measure", curve.measure},
          {"trees", std::move(trees)},
          {"errors", std::move(errors)},
          {"rows", curve.n_rows.back()}};
}

Json importance_data(const OobImportances& found) {
  Json mean = Json::array(), spread = Json::array();
  for (const OobColumn& column : found.columns) {
    mean.push_back(json_number(column.mean));
    spread.push_back(json_number(column.standard_error));
  }
  return {{"measure", found.measure},
          {"base", json_number(found.base)},
          {"mean", std::move(mean)},
          {"standard_error", std::move(spread)}};
}

bool knows_bags(const Model& model, const Table* training, const RowLabels& truth) {
  return leaves_rows_out(model.params()) && training != nullptr && truth.known &&
         training->n_rows() == model.parts().provenance.n_rows;
}

}  // namespace

Json forest_data(const Model& model, const Table* held_out, const ReportOptions& options) {
  if (model.trees().size() < 2) return nullptr;
  Json out{{"bagged", leaves_rows_out(model.params())}};
  const Table* rows = options.training != nullptr ? options.training : held_out;
  if (rows != nullptr && rows->n_rows() > 0) {
    const TreeProximity proximity = tree_proximity(model, *rows, options.execution);
    out["representative"] = proximity.representative;
    out["distances"] = json_numbers(proximity.distances);
  }
  if (options.training == nullptr) return out;
  if (!knows_bags(model, options.training, read_row_labels(model, *options.training, options.weight)))
    return out;
  try {
    static_cast<void>(drawing_weights(model, static_cast<std::size_t>(options.training->n_rows()),
                                      fit_weights(model, *options.training, options.weight)));
  } catch (const Error& error) {
    out["refused"] = std::string(error.what());
    return out;
  }
  const OobSpec spec{options.weight, true, 0};
  out["curve"] = curve_data(oob_curve(model, *options.training, spec, options.execution));
  const std::vector<Evaluation> scores =
      evaluate_out_of_bag(model, *options.training, spec, options.execution);
  out["scores"] = Json::array();
  for (const Evaluation& one : scores) {
    Json named = Json::object();
    for (const auto& [name, score] : one.scores) named[name] = json_number(score);
    out["scores"].push_back(std::move(named));
  }
  if (options.repeats > 0)
    out["importance"] = importance_data(oob_importance(model, *options.training, spec, options.execution));
  return out;
}

}  // namespace bough
