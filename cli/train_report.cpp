// SPDX-License-Identifier: Apache-2.0
// What bough train says about the model it has made.
#include "train_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bough/causal.hpp"
#include "bough/choose_tree.hpp"
#include "bough/json.hpp"
#include "pruning.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

std::string percent(double fraction) {
  return fmt::format("{:.4g}%", 100.0 * fraction);
}

// Which rows have made the saved model: not all where some were held back, or chose splits only.
std::string grown_on(const Trained& trained) {
  const Params& params = trained.model.params();
  const bool calibrates = params.calibration_fraction > 0.0, prunes = params.pruning == "reduced_error";
  std::string text = (calibrates || prunes ? "" : "all ") + rows_text(trained.n_weighted);
  if (trained.n_weighted < trained.n_rows) text += " of positive weight";
  if (calibrates)
    text += fmt::format(" less {} held out to calibrate intervals", percent(params.calibration_fraction));
  if (prunes)
    text += fmt::format(" less {} {}held out to prune", percent(params.pruning_fraction),
                        calibrates ? "of the rest " : "");
  if (params.honest)
    text += fmt::format(": in {} {} choose splits, {} set leaf values",
                        trained.model.trees().size() > 1 ? "every tree" : "the tree",
                        percent(1.0 - params.honest_fraction), percent(params.honest_fraction));
  return text;
}

std::string leaves_text(NodeId leaves) {
  return fmt::format("{} {}", grouped(leaves), leaves == 1 ? "leaf" : "leaves");
}

// What a tree of one leaf answers.
std::string baseline_title(const Model& model) {
  if (model.task() == Task::classification) return "largest class";
  const std::string& criterion = model.parts().criterion;
  return criterion == "absolute_error" ? "median" : criterion == "quantile" ? "quantile" : "mean";
}

std::string size_line(const Trained& trained) {
  if (!trained.chosen) return {};
  const std::string text = choice_text(trained.model);
  if (text.empty())
    return fitted(stdout,
                  fmt::format("size: {}, fully grown: {} {} too few to choose a size",
                              leaves_text(trained.model.tree().n_leaves()), rows_text(trained.n_rows),
                              trained.n_rows == 1 ? "is" : "are"),
                  2) +
           "\n\n";
  const std::size_t end = text.find('\n');
  return fmt::format(
      "{}\n{}\n\n", fitted(stdout, "size: " + text.substr(0, end), 2),
      fitted(stdout, fmt::format("  ({}; --size full prunes nothing)", text.substr(end + 1)), 3));
}

// Which tree the scores are of, and on which rows.
std::string scores_note(const TrainReport& report) {
  const Trained& trained = report.trained;
  const ScorePair& scores = trained.scores;
  const std::string noun = trained.model.params().forest > 0 ? "forest" : "tree";
  if (!report.test.empty()) return fmt::format("  (test: {})\n", source_name(report.test));
  const std::string size = scores.leaves > 0 ? fmt::format(" of {}", leaves_text(scores.leaves)) : "";
  const std::string words = fmt::format(
      "  (of a {}{} grown the same way without the {} held out; the {}{} is grown on {})", noun, size,
      percent(report.holdout), report.output.empty() ? "" : "saved ", noun, grown_on(trained));
  return fitted(stdout, words, 3) + '\n';
}

std::string scores_text(const TrainReport& report) {
  const Trained& trained = report.trained;
  const Model& model = trained.model;
  const ScorePair& scores = trained.scores;
  const std::vector<Evaluation>& bag = trained.out_of_bag;
  if (!report.has_scores) return {};
  if (is_causal(model))
    return fmt::format(
        "  average effect  {}\n  from            {} to {}\n  (no scores: what would have happened is in no "
        "row)\n\n",
        score_text(trained.effects.mean), score_text(trained.effects.low), score_text(trained.effects.high));
  if (!scores.why_not.empty()) return fmt::format("no held-out score: {}\n\n", scores.why_not);
  ScoreColumns columns;
  if (!scores.training.empty()) columns.emplace_back("training", scores.training);
  if (!scores.held_out.empty())
    columns.emplace_back(report.test.empty() ? "held out" : "test", scores.held_out);
  if (!scores.baseline.empty()) columns.emplace_back(baseline_title(model), scores.baseline);
  if (!bag.empty()) columns.emplace_back("out of bag", bag);
  std::string text = score_table(columns) + interval_note(scores.held_out.empty() ? bag : scores.held_out);
  if (!bag.empty()) text += "  (out of bag: each row is predicted by the trees whose sample left it out)\n";
  if (!scores.held_out.empty()) text += scores_note(report);
  if (model.trees().size() == 1)
    text += overfitting_note(model, scores.training, scores.held_out, trained.chosen);
  return text + '\n';
}

}  // namespace

std::string train_text(const TrainReport& report) {
  const Paint paint(stdout);
  const Trained& trained = report.trained;
  const Model& model = trained.model;
  std::string text =
      fmt::format("{}\n{}, {} {}, criterion {}\n\n", paint.strong(task_text(model)),
                  rows_text(trained.n_rows), model.features().fields.size(),
                  model.features().fields.size() == 1 ? "column" : "columns", model.parts().criterion);
  text += scores_text(report) + size_line(trained);
  if (model.parts().pruning_table && !trained.chosen)
    text += pruning_table_text(*model.parts().pruning_table) + '\n';
  text += tree_or_summary(model);
  return text + (report.output.empty()
                     ? "\nnot saved: give a file with -o model.bough\n"
                     : fmt::format("\nsaved {}, grown on {}\n", report.output, grown_on(trained)));
}

std::string train_json(const TrainReport& report) {
  const Trained& trained = report.trained;
  const Model& model = trained.model;
  Json out;
  out["model"] = report.output.empty() ? Json() : Json(report.output);
  out["task"] = model.task() == Task::classification ? "classification" : "regression";
  out["criterion"] = model.parts().criterion;
  out["rows"] = trained.n_rows;
  const bool divided = model.params().honest || model.params().calibration_fraction > 0.0;
  out["grown_on"] = divided ? grown_on(trained) : "all rows";
  Json trees = Json::array();
  for (const Tree& tree : model.trees())
    trees.push_back({{"nodes", tree.n_nodes()}, {"leaves", tree.n_leaves()}, {"depth", tree.depth()}});
  out["trees"] = std::move(trees);
  const ScorePair& scores = trained.scores;
  const bool split = report.test.empty() && !scores.held_out.empty();
  out["holdout"] = split ? Json(report.holdout) : Json();
  if (is_causal(model) && report.has_scores)
    out["effects"] = {
        {"mean", trained.effects.mean}, {"low", trained.effects.low}, {"high", trained.effects.high}};
  if (!scores.training.empty()) out["training"] = Json::parse(to_json(scores.training));
  if (!scores.held_out.empty()) out[split ? "held_out" : "test"] = Json::parse(to_json(scores.held_out));
  if (!scores.baseline.empty()) out["baseline"] = Json::parse(to_json(scores.baseline));
  if (scores.leaves > 0) out["scored_leaves"] = scores.leaves;
  if (!trained.out_of_bag.empty()) out["out_of_bag"] = Json::parse(to_json(trained.out_of_bag));
  if (!scores.why_not.empty()) out["no_held_out_score"] = scores.why_not;
  if (model.parts().pruning_table) out["pruning_table"] = pruning_table_json(*model.parts().pruning_table);
  if (const auto sizes = size_table(model)) out["sizes"] = size_table_json(*sizes);
  Json importances = Json::object();
  const std::vector<double> values = model.importances();
  for (std::size_t i = 0; i < values.size(); ++i) importances[model.features().fields[i].name] = values[i];
  out["importances"] = std::move(importances);
  out["notes"] = model.parts().provenance.notes;
  return out.dump(2) + '\n';
}

}  // namespace bough::cli
