// SPDX-License-Identifier: Apache-2.0
// Trial of the strengths of shrinkage.
#include "model/shrinkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/exact_grid.hpp"
#include "base/math.hpp"
#include "bough/prune.hpp"
#include "grow/shrink.hpp"

namespace bough {
namespace {

double number_loss(const Loss& loss, double gap) {
  if (loss.kind == Loss::Kind::squared) return gap * gap;
  if (loss.kind == Loss::Kind::absolute) return std::fabs(gap);
  return gap >= 0.0 ? loss.quantile * gap : (loss.quantile - 1.0) * gap;
}

std::string_view loss_word(Task task, const Loss& loss) {
  if (task == Task::classification) return "log loss";
  if (loss.kind == Loss::Kind::squared) return "squared error";
  return loss.kind == Loss::Kind::absolute ? "absolute error" : "pinball loss";
}

}  // namespace

double mean_weight(const Prepared& prepared) {
  if (prepared.case_weights.empty()) return 1.0;
  std::vector<double> weights;
  for (const RowId row : prepared.values.rows) weights.push_back(prepared.case_weights[row]);
  const auto n = static_cast<double>(weights.size());
  return sorted_sum(std::move(weights)) / n;
}

std::vector<double> strengths_by(double unit) {
  std::vector<double> strengths(kStrengths.begin(), kStrengths.end());
  for (double& strength : strengths) strength *= unit;
  return strengths;
}

StrengthTrial::StrengthTrial(const Table& table, const Prepared& prepared, const Loss& loss, double unit)
    : reader_(table, prepared.features),
      prepared_(prepared),
      loss_(loss),
      strengths_(strengths_by(unit)),
      answers_(strengths_.size()),
      asked_(static_cast<std::size_t>(table.n_rows()), 0) {}

void StrengthTrial::ask(const Tree& tree, std::span<const double> judged) {
  JudgeRows rows{&reader_, {}, {}, judged};
  const std::vector<RowEnd> ends = row_ends(tree, rows);
  width_ = tree.value_width();
  for (std::size_t s = 0; s < strengths_.size(); ++s) {
    std::vector<double>& sums = answers_[s];
    sums.resize(asked_.size() * width_, 0.0);
    const std::vector<double> answers = shrunken_answers(tree, strengths_[s]);
    for (const RowEnd& end : ends) {
      const double share = end.weight / judged[end.row];
      const std::size_t node = static_cast<std::size_t>(end.node) * width_;
      for (std::size_t i = 0; i < width_; ++i) sums[end.row * width_ + i] += share * answers[node + i];
    }
  }
  for (std::size_t row = 0; row < asked_.size(); ++row)
    if (judged[row] > 0.0) ++asked_[row];
}

double StrengthTrial::loss_of(RowId row, std::span<const double> answer) const {
  constexpr double least = std::numeric_limits<double>::epsilon();  // as the score log_loss has it
  const auto trees = static_cast<double>(asked_[row]);
  double loss = 0.0;
  std::size_t at = 0;
  for (const ClassTarget& target : prepared_.values.classes) {
    loss -= log_exact(std::clamp(answer[at + target.codes[row]] / trees, least, 1.0 - least));
    at += target.n_classes;
  }
  for (const NumberTarget& target : prepared_.values.numbers)
    loss += number_loss(loss_, target.raw[row] - answer[at++] / trees);
  return loss;
}

ChosenStrength StrengthTrial::choose() const {
  std::vector<double> losses(strengths_.size(), 0.0);
  double total = 0.0;
  for (const RowId row : prepared_.values.rows) {
    if (asked_[row] == 0) continue;
    double weight = prepared_.weights.empty() ? 1.0 : prepared_.weights[row];
    // Values of nodes have no losses in them.
    if (!prepared_.value_scale.empty())
      weight *= prepared_.value_scale[prepared_.values.classes.front().codes[row]];
    total += weight;
    for (std::size_t s = 0; s < losses.size(); ++s)
      losses[s] += weight * loss_of(row, std::span(answers_[s]).subspan(row * width_, width_));
  }
  if (!(total > 0.0))
    throw Error(ErrorCode::bad_data, "the trees have seen every row, so none is left to choose shrinkage",
                "give shrinkage a number");
  total *= static_cast<double>(prepared_.values.n_outputs());
  const auto best = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  const std::string_view word = loss_word(prepared_.task, loss_);
  if (best == 0)
    return {0.0, fmt::format("shrinkage lowered the {} of unseen rows at no strength ({:.4g} without)", word,
                             losses[0] / total)};
  return {strengths_[best],
          fmt::format("shrinkage {:g} has the lowest {} of unseen rows: {:.4g} ({:.4g} without)",
                      strengths_[best], word, losses[best] / total, losses[0] / total)};
}

double shrinkage_strength(const Model& model) {
  const auto chosen = model.parts().extras.find("shrinkage");
  return chosen != model.parts().extras.end() && !chosen->second.empty() ? chosen->second.front()
                                                                         : model.params().shrinkage.strength;
}

Tree counted_tree(const Model& model, std::size_t index) {
  return unshrink(model.trees()[index], shrinkage_strength(model));
}

ChosenStrength choose_strength(const PruningJob& job, std::span<const Tree> fold_trees,
                               const std::function<Tree(const Prepared&)>& grow) {
  const Params& params = job.params;
  const Folds folds = make_folds(job.table, job.prepared, job.spec.folds, params.pruning_folds,
                                 static_cast<std::uint64_t>(params.seed));
  StrengthTrial trial(job.table, job.prepared,
                      natural_loss(job.criterion, job.prepared.task, params.quantile),
                      mean_weight(job.prepared));
  std::vector<char> keep(folds.of_row.size());
  std::vector<double> judged(keep.size());
  for (std::int32_t fold = 0; fold < folds.n; ++fold) {
    for (std::size_t row = 0; row < keep.size(); ++row) {
      keep[row] = folds.grows(fold, row) ? 1 : 0;
      judged[row] = folds.of_row[row] == fold ? 1.0 : 0.0;
    }
    if (!fold_trees.empty()) {
      trial.ask(fold_trees[static_cast<std::size_t>(fold)], judged);
      continue;
    }
    Prepared part = part_of(job.prepared, keep);
    part.value_scale = job.prepared.value_scale;
    trial.ask(grow(part), judged);
  }
  return trial.choose();
}

}  // namespace bough
