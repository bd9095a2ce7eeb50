// SPDX-License-Identifier: Apache-2.0
// Results of studies as JSON. Rows and nodes count from 0; numbers that are not finite are text.
#include "bough/json.hpp"

#include <cmath>

#include "base/text.hpp"
#include "bough/significance.hpp"

namespace bough {
namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json json_of(std::span<const Counted> counts) {
  Json list = Json::array();
  for (const Counted& counted : counts) list.push_back({{"name", counted.name}, {"count", counted.count}});
  return list;
}

Json json_of(std::span<const NodeDifference> differences) {
  Json list = Json::array();
  for (const NodeDifference& difference : differences)
    list.push_back({{"before", difference.before},
                    {"after", difference.after},
                    {"depth", difference.depth},
                    {"change", change_name(difference.change)},
                    {"from", difference.from},
                    {"to", difference.to}});
  return list;
}

Json json_of(const PairedTest& test) {
  return {{"mean", number(test.mean)}, {"standard_error", number(test.standard_error)},
          {"t", number(test.t)},       {"freedom", number(test.freedom)},
          {"p", number(test.p)},       {"low", number(test.low)},
          {"high", number(test.high)}, {"confidence", test.confidence}};
}

Json json_of(const RotationScore& score) {
  return {{"angle", score.angle},
          {"mean", number(score.mean)},
          {"leaves", number(score.leaves)},
          {"scores", numbers(score.scores)},
          {"difference", json_of(score.difference)}};
}

Json json_of(const TreeSize& size) {
  return {{"trees", size.trees}, {"nodes", size.nodes}, {"leaves", size.leaves}, {"depth", size.depth}};
}

Json json_of(const OutputComparison& output) {
  Json json{{"target", output.target},
            {"first", Json::parse(to_json(std::vector<Evaluation>{output.first}))[0]},
            {"second", Json::parse(to_json(std::vector<Evaluation>{output.second}))[0]},
            {"agree", output.agree}};
  if (output.task == Task::classification) {
    json["mcnemar"] = {{"both_right", output.both_right},
                       {"only_first", output.only_first},
                       {"only_second", output.only_second},
                       {"both_wrong", output.both_wrong},
                       {"p", number(output.p)}};
    return json;
  }
  json["distance"] = number(output.distance);
  json["sign_test"] = {
      {"first_nearer", output.only_first}, {"second_nearer", output.only_second}, {"p", number(output.p)}};
  json["squared_errors"] = json_of(*output.losses);
  return json;
}

std::string dump(const Json& json) {
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace

std::string to_json(const Stability& result) {
  Json json{{"n_rows", result.n_rows},
            {"repeats", result.repeats},
            {"failed", result.failed},
            {"failure", result.failure},
            {"seed", result.seed},
            {"reproduced", result.reproduced},
            {"task", result.task == Task::classification ? "classification" : "regression"},
            {"same_columns", result.same_columns},
            {"same_tree", result.same_tree},
            {"tree", {{"leaves", result.tree_leaves}, {"depth", result.tree_depth}}},
            {"nodes", Json::array()}};
  for (const NodeStability& node : result.nodes)
    json["nodes"].push_back({{"node", node.node},
                             {"depth", node.depth},
                             {"column", node.column},
                             {"test", node.test},
                             {"met", node.met},
                             {"same_column", node.same_column},
                             {"same_test", node.same_test},
                             {"leaves", node.leaves},
                             {"columns", json_of(node.columns)},
                             {"tests", json_of(node.tests)},
                             {"thresholds", numbers(node.thresholds)}});
  json["used"] = json_of(result.used);
  json["leaves"] = result.leaves;
  json["depths"] = result.depths;
  json["answers"] = numbers(result.answers);
  json["roots"] = Json::array();
  for (const RootChoice& root : result.roots)
    json["roots"].push_back(
        {{"column", root.column}, {"test", root.test}, {"errors", root.errors}, {"leaves", root.leaves}});
  json["root_slack"] = result.root_slack;
  return dump(json);
}

std::string to_json(const LeaveOneOut& result) {
  Json json{{"n_rows", result.n_rows},           {"refits", result.refits}, {"reproduced", result.reproduced},
            {"structure", result.n_structure()}, {"cuts", result.n_cuts()}, {"failed", result.failed},
            {"failure", result.failure},         {"changed", Json::array()}};
  for (const ChangedTree& tree : result.changed)
    json["changed"].push_back({{"rows", tree.rows},
                               {"structure", tree.structure},
                               {"answers", tree.answers},
                               {"differences", json_of(tree.differences)}});
  return dump(json);
}

std::string to_json(const RotationStudy& result) {
  Json json{{"measure", result.measure}, {"planes", result.planes}, {"folds", result.folds},
            {"repeats", result.repeats}, {"seed", result.seed},     {"turned", result.turned},
            {"left", result.left},       {"before", Json::object()}};
  const Json before = json_of(result.before);
  for (const auto& [name, value] : before.items())
    if (name != "difference") json["before"][name] = value;
  json["after"] = Json::array();
  for (const RotationScore& score : result.after) json["after"].push_back(json_of(score));
  return dump(json);
}

std::string to_json(const TreePermutation& result) {
  return dump({{"measure", result.measure},
               {"score_of", result.score_of},
               {"score", number(result.score)},
               {"repeats", result.repeats},
               {"failed", result.failed},
               {"seed", result.seed},
               {"reproduced", result.reproduced},
               {"as_good", result.as_good},
               {"p", number(result.p)},
               {"shuffled", numbers(result.shuffled)}});
}

std::string to_json(const SplitPermutations& result) {
  Json json{{"repeats", result.repeats},
            {"seed", result.seed},
            {"reproduced", result.reproduced},
            {"notes", result.notes},
            {"nodes", Json::array()}};
  for (const SplitPermutation& node : result.nodes)
    json["nodes"].push_back({{"node", node.node},
                             {"depth", node.depth},
                             {"test", node.test},
                             {"n_rows", node.n_rows},
                             {"gain", number(node.gain)},
                             {"as_good", node.as_good},
                             {"p", number(node.p)},
                             {"adjusted", number(node.adjusted)}});
  return dump(json);
}

std::string to_json(const Comparison& result) {
  Json json{{"n_rows", result.n_rows}, {"outputs", Json::array()}};
  for (const OutputComparison& output : result.outputs) json["outputs"].push_back(json_of(output));
  if (result.resampled) {
    const ResampledComparison& own = *result.resampled;
    json["resampled"] = {{"first_reproduced", own.first_reproduced},
                         {"second_reproduced", own.second_reproduced},
                         {"measure", own.measure},
                         {"n_train", own.n_train},
                         {"n_test", own.n_test},
                         {"first", numbers(own.first)},
                         {"second", numbers(own.second)},
                         {"test", json_of(own.test)}};
  }
  json["first"] = json_of(result.first);
  json["second"] = json_of(result.second);
  json["columns"] = {{"both", result.columns_both},
                     {"only_first", result.columns_first},
                     {"only_second", result.columns_second}};
  json["same_tests"] = result.same_tests;
  json["differences"] = json_of(result.differences);
  json["params"] = Json::array();
  for (const ParamDifference& param : result.params)
    json["params"].push_back({{"name", param.name}, {"first", param.first}, {"second", param.second}});
  return dump(json);
}

}  // namespace bough
