// SPDX-License-Identifier: Apache-2.0
// Results of studies as text for people. Rows count from 1 unless a result says otherwise, nodes from 0.
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bough/significance.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostCompetitors = 4;
constexpr double kUsualLevel = 0.05;

// Shuffles without which Holm's adjustment of the smallest of n p-values stays above the usual level.
std::int64_t shuffles_to_reach(std::size_t n) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(n) / kUsualLevel - 1e-9)) - 1;
}

std::string share(std::int64_t count, std::int64_t all) {
  return all == 0 ? "-" : shown_share(static_cast<double>(count) / static_cast<double>(all));
}

std::string short_number(double value) {
  return number_text(value, 4);
}

// A p-value: never shown as 0.
std::string p_text(double p) {
  if (p < 1e-4) return fmt::format("{:.1e}", p);
  return fmt::format("{:.4f}", p);
}

double quantile_of(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  if (low + 1 >= sorted.size()) return sorted.back();
  const double part = at - static_cast<double>(low);
  return part == 0.0 ? sorted[low] : sorted[low] * (1.0 - part) + sorted[low + 1] * part;
}

std::string range_text(std::vector<double> values, int digits = 4) {
  if (values.empty()) return "-";
  std::ranges::sort(values);
  const auto end = [&](double q) { return number_text(quantile_of(values, q), digits); };
  return fmt::format("{} (90% between {} and {})", end(0.5), end(0.05), end(0.95));
}

std::string range_text(std::span<const std::int64_t> values) {
  return range_text(std::vector<double>(values.begin(), values.end()));
}

std::string not_reproduced(bool reproduced) {
  if (reproduced) return {};
  return "  Note: fitting these rows again does not give the model's own tree (other rows or weights, a tree "
         "cut by "
         "hand\n  or grown elsewhere). What follows is about the tree of these rows.\n";
}

std::string rows_list(const LeaveOneOut& result, std::span<const std::int64_t> rows, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", rows[i] + result.first_row);
  return rows.size() > most ? fmt::format("{} and {} more", text, rows.size() - most) : text;
}

std::string difference_text(const NodeDifference& difference) {
  return fmt::format("node {}: {} -> {}", difference.before, difference.from, difference.to);
}

std::string node_text(const NodeStability& node) {
  std::string text = fmt::format("  node {} at depth {}: {}\n", node.node, node.depth, node.test);
  if (node.met == 0) return text + "    never met\n";
  text += fmt::format("    met {} times: same column {}, same test {}{}\n", node.met,
                      share(node.same_column, node.met), share(node.same_test, node.met),
                      node.leaves > 0 ? fmt::format(", a leaf {}", share(node.leaves, node.met)) : "");
  if (!node.thresholds.empty())
    text += fmt::format("    threshold {}\n", range_text(node.thresholds, kShownDigits));
  if (!node.tests.empty() && node.thresholds.empty()) {
    text += "    tests:";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, node.tests.size()); ++i)
      text += fmt::format("{} {} ({})", i == 0 ? "" : ";", node.tests[i].name,
                          share(node.tests[i].count, node.met));
    text += '\n';
  }
  std::string others;
  std::size_t shown = 0;
  for (const Counted& column : node.columns) {
    if (column.name == node.column || shown == kMostCompetitors) continue;
    others += fmt::format("{}{} {}", shown++ == 0 ? "" : ", ", shown_name(column.name),
                          share(column.count, node.met));
  }
  if (!others.empty()) text += fmt::format("    instead: {}\n", others);
  return text;
}

std::string test_text(const PairedTest& test) {
  if (std::isinf(test.standard_error)) return "one score is too few for a test";
  return fmt::format("{} ({:.4g}% interval {} to {}), t = {} with {} degrees of freedom, p = {}",
                     short_number(test.mean), 100.0 * test.confidence, short_number(test.low),
                     short_number(test.high), short_number(test.t), short_number(test.freedom),
                     p_text(test.p));
}

std::string names_text(std::span<const std::string> names) {
  if (names.empty()) return "none";
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(shown_name(name));
  return list_some(shown, 12);
}

std::string size_text(const TreeSize& size) {
  return fmt::format("{}{}, {}, depth {}", size.trees == 1 ? "" : fmt::format("{} trees, ", size.trees),
                     shown_count(size.nodes, "node"), shown_count(size.leaves, "leaf"), size.depth);
}

std::string score_line(const OutputComparison& output, const std::string& name) {
  const auto cell = [&](const Evaluation& evaluation) {
    const auto interval = evaluation.intervals.find(name);
    const std::string score = short_number(evaluation.scores.at(name));
    if (interval == evaluation.intervals.end()) return score;
    return fmt::format("{} ({} to {})", score, short_number(interval->second.low),
                       short_number(interval->second.high));
  };
  return fmt::format("    {:<18} {:<30} {}\n", score_title(name), cell(output.first), cell(output.second));
}

std::string output_text(const OutputComparison& output) {
  std::string text = fmt::format("  {}, {}:\n    {:<18} {:<30} {}\n", shown_name(output.target),
                                 shown_count(output.first.n_rows, "row"), "", "first", "second");
  for (const auto& [name, score] : output.first.scores)
    if (output.second.scores.contains(name)) text += score_line(output, name);
  if (output.task == Task::classification) {
    text += fmt::format(
        "    both right {}, only the first {}, only the second {}, both wrong {}; the same prediction {}\n"
        "    McNemar's exact test: p = {}\n",
        output.both_right, output.only_first, output.only_second, output.both_wrong, output.agree,
        p_text(output.p));
    return text;
  }
  text += fmt::format(
      "    the first is closer on {} rows, the second on {}; the same prediction on {}; predictions differ "
      "by {} (rms)\n",
      output.only_first, output.only_second, output.agree, short_number(output.distance));
  text += fmt::format("    squared errors, first minus second: {}\n    sign test: p = {}\n",
                      test_text(*output.losses), p_text(output.p));
  return text;
}

}  // namespace

// Trees that are as good within chance, by the column at the root.
std::string roots_text(const Stability& result) {
  if (result.roots.empty()) return {};
  std::string text = fmt::format(
      "\nOther columns at the root, the best tree found of at most {} leaves (* within one standard error, "
      "{}, of the "
      "fewest errors):\n",
      result.tree_leaves, number_text(result.root_slack, 3));
  for (const RootChoice& root : result.roots)
    text += fmt::format("{} {:>7} {:<6}  {:>2} leaves  {}\n",
                        root.errors <= result.roots.front().errors + result.root_slack ? '*' : ' ',
                        number_text(root.errors, 6), root.errors == 1.0 ? "error" : "errors", root.leaves,
                        root.test);
  return text;
}

std::string to_text(const Stability& result) {
  std::string text = fmt::format("Stability: {} bootstrapped trees of {} (seed {})\n", result.repeats,
                                 shown_count(result.n_rows, "row"), result.seed);
  text += not_reproduced(result.reproduced);
  if (result.failed > 0)
    text += fmt::format("  {} repeats gave no tree; the first because {}\n", result.failed, result.failure);
  if (result.repeats == 0) return text;
  text += fmt::format("  trees with identical columns {}, with identical tests {}\n",
                      share(result.same_columns, result.repeats), share(result.same_tree, result.repeats));
  text += fmt::format("  leaves {}; the tree grown on all rows has {}\n", range_text(result.leaves),
                      result.tree_leaves);
  text += fmt::format("  {}: {}\n",
                      result.task == Task::classification ? "share of predictions that stay the same"
                                                          : "rms difference of the predictions",
                      range_text(result.answers));
  text += "\nColumns, by the share of trees that test them:\n";
  std::vector<Counted> used = result.used;
  std::ranges::stable_sort(used, std::greater<>(), &Counted::count);
  for (const Counted& column : used)
    if (column.count > 0)
      text += fmt::format("  {:>7}  {}\n", share(column.count, result.repeats), shown_name(column.name));
  if (result.nodes.empty()) return text + "\nThe tree of all rows is a single leaf.\n";
  text += "\nNodes (met: trees with the same columns above the node):\n";
  for (const NodeStability& node : result.nodes) text += node_text(node);
  return text + roots_text(result);
}

std::string to_text(const LeaveOneOut& result, std::size_t most) {
  const std::int64_t unchanged =
      result.n_rows - result.n_structure() - result.n_cuts() - std::ssize(result.failed);
  std::string text =
      fmt::format("Leave one out: {} ({}{})\n", shown_count(result.n_rows, "row"),
                  shown_count(result.refits, "refit"), result.first_row == 0 ? ", rows count from 0" : "");
  text += not_reproduced(result.reproduced);
  if (!result.failed.empty())
    text += fmt::format("  nothing can be fitted without {} {}: {}\n",
                        result.failed.size() == 1 ? "row" : "any of the rows",
                        rows_list(result, result.failed, 10), result.failure);
  const auto verb = [](std::int64_t count, const char* word) {
    return fmt::format("{}{}", word, count == 1 ? "s" : "");
  };
  text += fmt::format("  {} {} the structure of the tree, {} only {} cuts, {} {} no test\n",
                      shown_count(result.n_structure(), "row"), verb(result.n_structure(), "change"),
                      result.n_cuts(), verb(result.n_cuts(), "move"), unchanged, verb(unchanged, "change"));
  for (std::size_t i = 0; i < std::min(most, result.changed.size()); ++i) {
    const ChangedTree& tree = result.changed[i];
    text += fmt::format("\nwithout {} {}: {}, {} {}\n", tree.rows.size() == 1 ? "row" : "any of the rows",
                        rows_list(result, tree.rows, 15),
                        tree.structure ? "different structure" : "different cuts",
                        shown_count(tree.answers, "prediction"), verb(tree.answers, "change"));
    for (const NodeDifference& difference : tree.differences)
      text += fmt::format("  {}\n", difference_text(difference));
  }
  if (result.changed.size() > most)
    text += fmt::format("\nand {} more {}\n", result.changed.size() - most,
                        result.changed.size() - most == 1 ? "tree" : "trees");
  return text;
}

std::string to_text(const RotationStudy& result) {
  std::string text = fmt::format(
      "Rotation: {} of {} folds x {} repeats (seed {}), planes: {}\n  rotated (standardised): {}\n  not "
      "rotated: {}\n\n",
      result.measure, result.folds, result.repeats, result.seed, result.planes, names_text(result.turned),
      names_text(result.left));
  text +=
      fmt::format("  {:>7}  {:>10}  {:>8}  change ({:.4g}% interval, p of the corrected resampled t-test)\n",
                  "angle", result.measure, "leaves", 100.0 * PairedTest{}.confidence);
  text +=
      fmt::format("  {:>7}  {:>10}  {:>8.1f}\n", "0", short_number(result.before.mean), result.before.leaves);
  for (const RotationScore& score : result.after)
    text += fmt::format("  {:>7}  {:>10}  {:>8.1f}  {} ({} to {}), p = {}\n", short_number(score.angle),
                        short_number(score.mean), score.leaves, short_number(score.difference.mean),
                        short_number(score.difference.low), short_number(score.difference.high),
                        p_text(score.difference.p));
  return text +
         "\nTrees split on one column at a time. If they get worse after rotation, the original columns\n"
         "suit them; if they get better, sums of columns would suit them better.\n";
}

std::string to_text(const TreePermutation& result) {
  std::string text = fmt::format("Permutation test of the tree: {} shuffles of the targets (seed {})\n",
                                 result.repeats, result.seed);
  text += not_reproduced(result.reproduced);
  text += fmt::format("  {} {}: {}\n", result.score_of == "held_out" ? "cross-validated" : "training",
                      result.measure, short_number(result.score));
  text += fmt::format("  with shuffled targets: {}\n", range_text(result.shuffled));
  if (result.failed > 0)
    text += fmt::format("  {} shuffles could not be fitted and count as equally good\n", result.failed);
  return text + fmt::format("  as good or better: {} of {}, p = {}\n", result.as_good, result.repeats,
                            p_text(result.p));
}

std::string to_text(const SplitPermutations& result) {
  std::string text =
      fmt::format("Permutation test of every split: {} shuffles of the targets in each node (seed {})\n",
                  result.repeats, result.seed);
  text += not_reproduced(result.reproduced);
  for (const std::string& note : result.notes) text += fmt::format("  Note: {}.\n", note);
  if (result.nodes.empty()) return text + "  the tree is a single leaf\n";
  text +=
      fmt::format("  {:>5}  {:>5}  {:>8}  {:>8}  {:>8}  test\n", "node", "depth", "rows", "p", "adjusted");
  for (const SplitPermutation& node : result.nodes)
    text += fmt::format("  {:>5}  {:>5}  {:>8}  {:>8}  {:>8}  {}\n", node.node, node.depth, node.n_rows,
                        p_text(node.p), p_text(node.adjusted), node.test);
  text += fmt::format(
      "  p: given the rows of the node, the probability of a split at least as good if columns and\n"
      "  target were unrelated; adjusted: Holm correction for {}. The smallest possible p is {}.\n",
      shown_count(std::ssize(result.nodes), "test"),
      p_text(1.0 / (1.0 + static_cast<double>(result.repeats))));
  if (const std::int64_t enough = shuffles_to_reach(result.nodes.size()); result.repeats < enough)
    text += fmt::format("  Note: with so few shuffles no adjusted p can reach {}; {} could.\n",
                        number_text(kUsualLevel), enough);
  return text;
}

std::string to_text(const Comparison& result) {
  std::string text = "Predictions:\n";
  for (const OutputComparison& output : result.outputs) text += output_text(output);
  if (result.resampled) {
    const ResampledComparison& own = *result.resampled;
    text += fmt::format(
        "\nParameters, refitted on {} splits ({} rows to train on, {} to test):\n  {}, first minus second: "
        "{}\n"
        "  (corrected resampled t-test)\n",
        own.first.size(), own.n_train, own.n_test, own.measure, test_text(own.test));
    for (const auto& [side, reproduced] :
         {std::pair{"first", own.first_reproduced}, std::pair{"second", own.second_reproduced}})
      if (!reproduced)
        text += fmt::format(
            "  Note: a fit of all training rows with the parameters of the {} model does not give its tree "
            "(other "
            "rows\n  or weights, or a tree that was pruned afterwards), so this says nothing about that "
            "tree.\n",
            side);
  }
  text += fmt::format("\nTrees:\n  first:  {}\n  second: {}\n", size_text(result.first),
                      size_text(result.second));
  text += fmt::format("  columns in both: {}\n  only in the first: {}\n  only in the second: {}\n",
                      names_text(result.columns_both), names_text(result.columns_first),
                      names_text(result.columns_second));
  if (result.same_tests) text += "  the tests are the same\n";
  for (const NodeDifference& difference : result.differences)
    text += fmt::format("  node {} / {}: {} | {}\n", difference.before, difference.after, difference.from,
                        difference.to);
  if (!result.params.empty()) text += "\nParameters that differ:\n";
  for (const ParamDifference& param : result.params)
    text += fmt::format("  {}: {} | {}\n", param.name, param.first, param.second);
  return text;
}

}  // namespace bough
