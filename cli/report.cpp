// SPDX-License-Identifier: Apache-2.0
// Scores, trees and importances as text for people.
#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/causal.hpp"
#include "bough/explain.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::array<std::string_view, 11> kScoreOrder{
    "accuracy", "balanced_accuracy", "auc",    "ks", "log_loss", "brier", "rmse", "mae",
    "r2",       "deviance",          "pinball"};

struct TextTable {
  std::vector<std::vector<std::string>> rows;

  // The first column to the left, the others to the right; the first row is the head.
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    std::string out;
    for (const auto& row : rows) {
      std::string line = fmt::format("  {}", pad_right(row[0], widths[0]));
      for (std::size_t i = 1; i < row.size(); ++i) line += fmt::format("  {}", pad_left(row[i], widths[i]));
      while (line.back() == ' ') line.pop_back();
      out += line + '\n';
    }
    return out;
  }
};

// Names of the scores that any of the columns has, in the usual order, those unknown here at the end.
std::vector<std::string> score_names(const ScoreColumns& columns, std::size_t target) {
  std::vector<std::string> names(kScoreOrder.begin(), kScoreOrder.end());
  std::vector<std::string> present;
  for (const auto& [title, evaluations] : columns)
    for (const auto& [name, value] : evaluations[target].scores) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      present.push_back(name);
    }
  std::erase_if(names, [&](const std::string& name) {
    return std::find(present.begin(), present.end(), name) == present.end();
  });
  return names;
}

// "0.9333 (0.8868 to 0.9616)".
// Whether a tiny error is one, because the targets are, and no rounding of what is right.
bool are_amounts(const Evaluation& evaluation, const std::string& name) {
  const auto r2 = evaluation.scores.find("r2");
  return name != "r2" && r2 != evaluation.scores.end() && std::fabs(1.0 - r2->second) > 1e-12;
}

std::string score_cell(const Evaluation& evaluation, const std::string& name) {
  const auto found = evaluation.scores.find(name);
  if (found == evaluation.scores.end()) return "-";
  const auto text = are_amounts(evaluation, name) ? amount_text : score_text;
  const auto interval = evaluation.intervals.find(name);
  if (interval == evaluation.intervals.end()) return text(found->second);
  return fmt::format("{} ({} to {})", text(found->second), text(interval->second.low),
                     text(interval->second.high));
}

std::string weight_text(double weight) {
  return weight == std::floor(weight) && std::fabs(weight) < 1e15 ? grouped(static_cast<std::int64_t>(weight))
                                                                  : fmt::format("{:.4g}", weight);
}

// Of the class that an answer begins with ("setosa 100%", "Survived = 0: 91%"); beyond all where there is none.
std::size_t class_number(const Model& model, std::string_view answer) {
  if (model.targets().fields.size() != 1) return std::string::npos;
  const Field& target = model.targets().fields.front();
  const std::vector<std::string>& names = target.levels.names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = one_line(names[i]);
    if (answer.starts_with(name + ' ') ||
        answer.starts_with(fmt::format("{} = {}:", one_line(target.name), name)))
      return i;
  }
  return std::string::npos;
}

}  // namespace

std::string score_table(const ScoreColumns& columns) {
  std::string text;
  const std::size_t n_targets = columns.front().second.size();
  for (std::size_t target = 0; target < n_targets; ++target) {
    TextTable table;
    std::vector<std::string> head{n_targets > 1 ? one_line(columns.front().second[target].target) : ""};
    std::vector<std::string> rows{"rows"};
    for (const auto& [title, evaluations] : columns) {
      head.push_back(title);
      rows.push_back(grouped(evaluations[target].n_rows));
    }
    const bool has_titles =
        std::any_of(head.begin(), head.end(), [](const auto& word) { return !word.empty(); });
    if (has_titles) table.rows.push_back(std::move(head));
    table.rows.push_back(std::move(rows));
    for (const std::string& name : score_names(columns, target)) {
      std::vector<std::string> row{score_title(name)};
      for (const auto& [title, evaluations] : columns) {
        row.push_back(score_cell(evaluations[target], name));
      }
      table.rows.push_back(std::move(row));
    }
    text += fmt::format("{}{}", target > 0 ? "\n" : "", table.text());
  }
  return text;
}

std::string interval_note(std::span<const Evaluation> evaluations) {
  for (const Evaluation& evaluation : evaluations)
    if (!evaluation.intervals.empty())
      return fmt::format("  (in parentheses: {:.4g}% intervals)\n", 100.0 * evaluation.confidence);
  return {};
}

std::vector<Evaluation> without_intervals(std::vector<Evaluation> evaluations) {
  for (Evaluation& evaluation : evaluations) evaluation.intervals.clear();
  return evaluations;
}

namespace {

// A matrix of more classes does not fit a terminal.
constexpr std::size_t kMatrixClasses = 8, kMostConfusions = 15;

// The pairs of classes that are taken for each other most often.
std::string largest_confusions(const Evaluation& evaluation) {
  struct Pair {
    std::size_t truth = 0, guess = 0;
    double weight = 0.0, share = 0.0;
  };
  std::vector<Pair> pairs;
  double right = 0.0, all = 0.0;
  for (std::size_t i = 0; i < evaluation.confusion.size(); ++i) {
    const std::vector<double>& row = evaluation.confusion[i];
    const double total = std::accumulate(row.begin(), row.end(), 0.0);
    all += total;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (i == j)
        right += row[j];
      else if (row[j] > 0.0)
        pairs.push_back({i, j, row[j], row[j] / total});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.weight > b.weight; });
  const std::size_t shown = std::min(pairs.size(), kMostConfusions);
  TextTable table;
  table.rows.push_back({"true", "predicted", "rows", "of that class"});
  for (const Pair& pair : std::span(pairs).first(shown))
    table.rows.push_back({one_line(evaluation.classes[pair.truth]), one_line(evaluation.classes[pair.guess]),
                          weight_text(pair.weight), fmt::format("{:.1f}%", 100.0 * pair.share)});
  const std::string head = fmt::format("  {} of {} are right; the largest of {} confusions:\n",
                                       weight_text(right), weight_text(all), grouped(std::ssize(pairs)));
  return pairs.empty() ? fmt::format("  all {} are right\n", weight_text(all)) : head + table.text();
}

}  // namespace

std::string confusion_table(const Evaluation& evaluation) {
  if (evaluation.classes.size() > kMatrixClasses && !evaluation.confusion.empty())
    return largest_confusions(evaluation);
  TextTable table;
  table.rows.push_back({"true \\ predicted"});
  for (const std::string& name : evaluation.classes) table.rows[0].push_back(one_line(name));
  for (std::size_t i = 0; i < evaluation.confusion.size(); ++i) {
    std::vector<std::string> row{one_line(evaluation.classes[i])};
    for (const double weight : evaluation.confusion[i]) row.push_back(weight_text(weight));
    table.rows.push_back(std::move(row));
  }
  return table.text();
}

std::string class_table(const Evaluation& evaluation) {
  TextTable table;
  table.rows.push_back({"class", "recall", "precision"});
  const auto share = [](double value) { return std::isnan(value) ? std::string("-") : score_text(value); };
  for (std::size_t i = 0; i < evaluation.by_class.size(); ++i)
    table.rows.push_back({one_line(evaluation.classes[i]), share(evaluation.by_class[i].recall),
                          share(evaluation.by_class[i].precision)});
  return table.text();
}

std::string lift_table(const Evaluation& evaluation) {
  TextTable table;
  table.rows.push_back({"decile", "rows", "response", "lift"});
  for (const LiftDecile& decile : evaluation.lift) {
    table.rows.push_back({std::to_string(decile.decile), weight_text(decile.rows),
                          score_text(decile.response), fmt::format("{:.2f}", decile.lift)});
  }
  return table.text();
}

std::string importance_bars(const Model& model, std::size_t most) {
  const std::vector<double> importances = model.importances();
  std::vector<std::size_t> order(importances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return importances[a] > importances[b]; });
  while (!order.empty() && importances[order.back()] <= 0.0) order.pop_back();
  if (order.empty()) return {};
  const std::size_t left_out = order.size() > most ? order.size() - most : 0;
  order.resize(order.size() - left_out);
  std::size_t width = 0;
  for (const std::size_t i : order)
    width = std::max(width, display_width(one_line(model.features().fields[i].name)));
  const Paint paint(stdout);
  std::string text;
  for (const std::size_t i : order) {
    constexpr double kBarWidth = 30.0;
    const int filled = static_cast<int>(std::lround(kBarWidth * importances[i] / importances[order.front()]));
    std::string bar;
    for (int k = 0; k < std::max(filled, 1); ++k) bar += "█";
    text += fmt::format("  {}  {:.3f} {}\n", pad_right(one_line(model.features().fields[i].name), width),
                        importances[i], paint.bar(bar));
  }
  if (left_out > 0) text += fmt::format("  and {} more\n", left_out);
  return text;
}

std::string size_text(const Model& model) {
  std::int64_t nodes = 0;
  std::int64_t leaves = 0;
  std::int32_t depth = 0;
  for (const Tree& tree : model.trees()) {
    nodes += tree.n_nodes();
    leaves += tree.n_leaves();
    depth = std::max(depth, tree.depth());
  }
  const std::string trees =
      model.trees().size() == 1 ? "" : fmt::format("{} trees, ", grouped(std::ssize(model.trees())));
  return fmt::format("{}{} {}, {} {}, depth {}", trees, grouped(nodes), nodes == 1 ? "node" : "nodes",
                     grouped(leaves), leaves == 1 ? "leaf" : "leaves", depth);
}

std::string task_text(const Model& model) {
  std::vector<std::string> targets;
  for (const Field& field : model.targets().fields) {
    std::vector<std::string> names;
    for (const std::string& name : field.levels.names) names.push_back(one_line(name));
    targets.push_back(names.empty() ? one_line(field.name)
                                    : fmt::format("{} ({})", one_line(field.name), some_of(names, 6)));
  }
  if (is_causal(model)) {
    const Field& treatment = model.parts().treatment.fields.front();
    return fmt::format("effect of {} ({} against {}) on {}", one_line(treatment.name),
                       one_line(treatment.levels.names[1]), one_line(treatment.levels.names[0]),
                       targets.front());
  }
  return fmt::format("{} of {}", model.task() == Task::classification ? "classification" : "regression",
                     fmt::join(targets, ", "));
}

std::string rows_text(std::int64_t n) {
  return fmt::format("{} {}", grouped(n), n == 1 ? "row" : "rows");
}

std::size_t tree_index(const Model& model, std::int64_t number) {
  const std::int64_t n_trees = std::ssize(model.trees());
  if (number >= 1 && number <= n_trees) return static_cast<std::size_t>(number - 1);
  throw Error(ErrorCode::bad_params, fmt::format("--tree {}: there is no such tree", number),
              n_trees == 1 ? "the model has one tree, number 1"
                           : fmt::format("the model has trees 1 to {}", n_trees));
}

std::string painted_tree(const Model& model, std::string_view text) {
  constexpr std::string_view kBranch = "─ ", kArrow = " → ", kRows = " · ";
  const Paint paint(stdout);
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    const std::size_t branch = line.find(kBranch), arrow = line.rfind(kArrow);
    const std::size_t test = branch == line.npos ? 0 : branch + kBranch.size();
    if (test > 0) out += paint.faint(line.substr(0, test));
    if (arrow == line.npos || arrow < test) {
      out += fmt::format("{}\n", line.substr(test));
      continue;
    }
    const std::size_t answer = arrow + kArrow.size(), rows = std::max(line.rfind(kRows), answer);
    const std::string_view words = line.substr(answer, rows - answer);
    out += fmt::format("{}{}{}\n", line.substr(test, answer - test),
                       paint.answer(class_number(model, words), words),
                       rows < line.size() ? paint.faint(line.substr(rows)) : "");
  }
  return out;
}

// Columns of many categories, where trees split on any.
static std::string noisy_columns(const Model& model) {
  constexpr std::size_t kMany = 10;
  std::vector<std::string> names;
  const std::vector<Field>& fields = model.features().fields;
  const std::vector<double> importances = model.importances();
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].kind == Kind::category && fields[i].levels.size() > kMany && importances[i] > 0.0)
      names.push_back(one_line(fields[i].name));
  if (names.empty()) return {};
  return fmt::format("Columns of many categories often cause this (here {}): --ignore leaves them out.",
                     some_of(names, 3));
}

std::string overfitting_note(const Model& model, std::span<const Evaluation> training,
                             std::span<const Evaluation> held_out, bool chosen) {
  constexpr double kFar = 0.1;
  constexpr std::int64_t kFewRows = 30;  // fewer say too little
  if (training.size() != 1 || held_out.size() != 1 || held_out.front().n_rows < kFewRows) return {};
  const std::string score = held_out.front().task == Task::classification ? "accuracy" : "r2";
  const auto seen = training.front().scores.find(score), unseen = held_out.front().scores.find(score);
  const auto interval = held_out.front().intervals.find(score);
  if (seen == training.front().scores.end() || unseen == held_out.front().scores.end() ||
      interval == held_out.front().intervals.end())
    return {};
  if (seen->second < unseen->second + kFar || seen->second <= interval->second.high) return {};
  const std::string advice =
      chosen ? noisy_columns(model)
             : "A smaller one should do as well or better: --size auto, or --pruning cost_complexity.";
  return fmt::format(
      "  The tree answers its training rows far better than new ones ({} {} and {}): it has learned "
      "noise.\n{}",
      score_title(score), score_text(seen->second), score_text(unseen->second),
      advice.empty() ? "" : fmt::format("  {}\n", advice));
}

std::string tree_or_summary(const Model& model) {
  std::string text = size_text(model) + '\n';
  if (model.trees().size() == 1 && model.tree().n_nodes() <= kSmallTree)
    return text + '\n' + painted_tree(model, to_text(model));
  const std::string bars = importance_bars(model, 10);
  return bars.empty() ? text : text + "\nImportances:\n" + bars;
}

}  // namespace bough::cli
