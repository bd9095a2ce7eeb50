// SPDX-License-Identifier: Apache-2.0
// Evaluations as JSON.
#include "bough/json.hpp"

#include <cmath>

#include "base/text.hpp"
#include "bough/inference.hpp"

namespace bough {
namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

Json json_of(const Evaluation& evaluation) {
  Json json{{"target", evaluation.target},
            {"task", evaluation.task == Task::classification ? "classification" : "regression"},
            {"n_rows", evaluation.n_rows},
            {"weight", number(evaluation.weight)},
            {"scores", Json::object()}};
  for (const auto& [name, score] : evaluation.scores) json["scores"][name] = number(score);
  json["confidence"] = evaluation.confidence;
  json["intervals"] = Json::object();
  for (const auto& [name, interval] : evaluation.intervals)
    json["intervals"][name] = {
        {"low", number(interval.low)}, {"high", number(interval.high)}, {"method", interval.method}};
  if (evaluation.task == Task::regression) return json;
  json["classes"] = evaluation.classes;
  json["unseen"] = evaluation.unseen;
  json["confusion"] = evaluation.confusion;
  json["by_class"] = Json::array();
  for (const ClassScore& one : evaluation.by_class)
    json["by_class"].push_back({{"recall", number(one.recall)}, {"precision", number(one.precision)}});
  json["lift"] = Json::array();
  for (const LiftDecile& row : evaluation.lift)
    json["lift"].push_back(
        {{"decile", row.decile}, {"rows", row.rows}, {"response", row.response}, {"lift", row.lift}});
  return json;
}

Json json_of(const std::vector<Evaluation>& evaluations) {
  Json list = Json::array();
  for (const Evaluation& evaluation : evaluations) list.push_back(json_of(evaluation));
  return list;
}

std::string dump(const Json& json) {
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace

std::string to_json(const std::vector<Evaluation>& evaluations) {
  return dump(json_of(evaluations));
}

std::string to_json(const std::map<std::string, std::vector<Evaluation>>& groups) {
  Json object = Json::object();
  for (const auto& [name, evaluations] : groups) object[name] = json_of(evaluations);
  return dump(object);
}

}  // namespace bough
