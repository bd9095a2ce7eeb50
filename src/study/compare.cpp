// SPDX-License-Identifier: Apache-2.0
// Two models side by side: their answers to the same rows, their parameters on the same splits, their trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "bough/significance.hpp"
#include "data/cells.hpp"
#include "model/folds.hpp"
#include "study/answers.hpp"
#include "study/places.hpp"
#include "study/scoring.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kSplitSalt = 0xc09a;

std::vector<std::string> target_names(const Model& model) {
  std::vector<std::string> names;
  for (const Field& field : model.targets().fields) names.push_back(field.name);
  return names;
}

void check(const Model& first, const Model& second, const CompareOptions& options) {
  if (first.task() != second.task())
    throw Error(ErrorCode::bad_params, "one model is for classes, the other for numbers",
                "compare models of the same task");
  if (target_names(first) != target_names(second))
    throw Error(ErrorCode::bad_params,
                fmt::format("the models answer different questions: {} and {}",
                            list_some(target_names(first), 5), list_some(target_names(second), 5)),
                "compare models of the same targets");
  require_at_least(options.splits, 2, "splits");
  if (!(options.fraction > 0.0 && options.fraction < 1.0))
    throw Error(ErrorCode::bad_params, fmt::format("a split cannot hold out the share {}", options.fraction),
                "give a number between 0 and 1");
}

// Rows that count: all, or those of positive weight.
std::vector<char> counted_rows(const Table& data, const std::string& weight) {
  std::vector<char> counted(static_cast<std::size_t>(data.n_rows()), 1);
  if (weight.empty()) return counted;
  std::vector<double> weights(counted.size());
  read_numbers(data.column(data.find(weight).value()), 0, weights);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = weights[i] > 0.0 ? 1 : 0;
  return counted;
}

// Scores and answers of both models, row after row.
struct Sides {
  std::vector<double> first_scores, second_scores;
  Answers first, second;
  std::vector<char> counted;
};

void count_classes(const Sides& sides, std::size_t output, OutputComparison& out) {
  const std::size_t step = sides.first.n_outputs;
  const std::vector<double> map = class_map(sides.first.labels[output], sides.second.labels[output]);
  for (std::size_t row = 0; row < sides.counted.size(); ++row) {
    if (!sides.counted[row]) continue;
    const std::size_t i = row * step + output;
    const bool a = sides.first_scores[i] > 0.0, b = sides.second_scores[i] > 0.0;
    ++(a && b ? out.both_right : a ? out.only_first : b ? out.only_second : out.both_wrong);
    out.agree += map[static_cast<std::size_t>(sides.second.values[i])] == sides.first.values[i] ? 1 : 0;
  }
}

void count_numbers(const Sides& sides, std::size_t output, double confidence, OutputComparison& out) {
  const std::size_t step = sides.first.n_outputs;
  std::vector<double> differences;
  double squares = 0.0;
  for (std::size_t row = 0; row < sides.counted.size(); ++row) {
    if (!sides.counted[row]) continue;
    const std::size_t i = row * step + output;
    differences.push_back(sides.first_scores[i] - sides.second_scores[i]);
    out.only_first += differences.back() < 0.0 ? 1 : 0;
    out.only_second += differences.back() > 0.0 ? 1 : 0;
    const double gap = sides.first.values[i] - sides.second.values[i];
    squares += gap * gap;
    out.agree += gap == 0.0 ? 1 : 0;
  }
  out.losses = paired_test(differences, 0.0, confidence);
  out.distance = std::sqrt(squares / static_cast<double>(differences.size()));
}

std::vector<OutputComparison> compare_outputs(const Model& first, const Model& second, const Table& data,
                                              const CompareOptions& options, const Execution& execution) {
  const EvaluateOptions scoring{options.weight, options.confidence};
  const std::vector<Evaluation> a = evaluate(first, data, scoring, execution);
  const std::vector<Evaluation> b = evaluate(second, data, scoring, execution);
  const Sides sides{row_scores(first, data), row_scores(second, data), answers_of(first, data, execution),
                    answers_of(second, data, execution), counted_rows(data, options.weight)};
  std::vector<OutputComparison> outputs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    OutputComparison& out = outputs.emplace_back();
    out.target = a[i].target;
    out.task = first.task();
    out.first = a[i];
    out.second = b[i];
    first.task() == Task::classification ? count_classes(sides, i, out)
                                         : count_numbers(sides, i, options.confidence, out);
    out.p = mcnemar_p(out.only_first, out.only_second);
  }
  return outputs;
}

struct Parts {
  std::vector<RowId> train;
  std::vector<RowId> test;
};

// Rows held out by the split, class by class.
Parts split_rows(const RefitJob& job, double fraction, std::uint64_t seed) {
  const Prepared prepared = prepare(job.table, job.spec, job.params);
  const std::vector<char> held = hold_out(prepared, fraction, seed);
  Parts parts;
  for (const RowId row : prepared.values.rows) (held[row] ? parts.test : parts.train).push_back(row);
  return parts;
}

ResampledComparison resample(const Model& first, const Model& second, const Table& training,
                             const CompareOptions& options, const Execution& execution) {
  const RefitJob a(first, training, options.refit), b(second, training, options.refit);
  ResampledComparison result;
  result.measure = measure_name(first.task());
  const auto n = static_cast<std::size_t>(options.splits);
  result.first.resize(n);
  result.second.resize(n);
  std::vector<Parts> parts(n);
  const std::uint64_t key = mix(options.seed, kSplitSalt);
  for_each_run(n, execution, "resampling", [&](std::size_t i, const Execution& inner) {
    parts[i] = split_rows(a, options.fraction, mix(key, i));
    const auto score = [&](const RefitJob& job) {
      const Model model = job.fit(job.table.take(parts[i].train), inner);
      return score_rows(model, job.table.take(parts[i].test), job.spec.weight).mean();
    };
    result.first[i] = score(a);
    result.second[i] = score(b);
  });
  result.first_reproduced = tests_hash(a.fit(execution)) == tests_hash(first);
  result.second_reproduced = tests_hash(b.fit(execution)) == tests_hash(second);
  result.n_train = std::ssize(parts.front().train);
  result.n_test = std::ssize(parts.front().test);
  std::vector<double> differences;
  for (std::size_t i = 0; i < n; ++i) differences.push_back(result.first[i] - result.second[i]);
  result.test =
      paired_test(differences, static_cast<double>(result.n_test) / static_cast<double>(result.n_train),
                  options.confidence);
  return result;
}

TreeSize size_of(const Model& model) {
  TreeSize size{std::ssize(model.trees()), 0, 0, 0};
  for (const Tree& tree : model.trees()) {
    size.nodes += tree.n_nodes();
    size.leaves += tree.n_leaves();
    size.depth = std::max<std::int64_t>(size.depth, tree.depth());
  }
  return size;
}

std::set<std::string> columns_of(const Model& model) {
  std::set<std::string> names;
  const auto add = [&](ColId column) {
    names.insert(model.features().fields[static_cast<std::size_t>(column)].name);
  };
  for (const Tree& tree : model.trees())
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      if (tree.kind(node) != NodeKind::oblique) add(tree.column(node));
      for (const ObliqueTerm& term : tree.terms(node)) add(term.column);
    }
  return names;
}

void compare_columns(const Model& first, const Model& second, Comparison& result) {
  const std::set<std::string> a = columns_of(first), b = columns_of(second);
  std::ranges::set_intersection(a, b, std::back_inserter(result.columns_both));
  std::ranges::set_difference(a, b, std::back_inserter(result.columns_first));
  std::ranges::set_difference(b, a, std::back_inserter(result.columns_second));
}

}  // namespace

Comparison compare(const Model& first, const Model& second, const Table& data, const CompareOptions& options,
                   const Table* training, const Execution& execution) {
  check(first, second, options);
  Comparison result;
  result.n_rows = data.n_rows();
  result.outputs = compare_outputs(first, second, data, options, execution);
  if (training != nullptr) result.resampled = resample(first, second, *training, options, execution);
  result.first = size_of(first);
  result.second = size_of(second);
  compare_columns(first, second, result);
  if (first.trees().size() == 1 && second.trees().size() == 1) {
    result.differences = tree_differences(first, second, options.most);
    result.same_tests = result.differences.empty();
  }
  for (const ParamRow& row : kParams) {
    const std::string a = param_text(first.params(), row), b = param_text(second.params(), row);
    if (a != b) result.params.push_back({std::string(row.name), a, b});
  }
  return result;
}

}  // namespace bough
