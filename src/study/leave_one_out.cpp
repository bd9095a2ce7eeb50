// SPDX-License-Identifier: Apache-2.0
// Leave-one-out: the tree without each row in turn, and which rows the tree hangs on.
//
// Growing with algorithm=cart looks at rows as a multiset: sums are exact integers, ties are settled by
// columns and values. So rows that are equal in every cell leave the same tree behind, and one refit answers
// for all of them - unless pruning draws rows by their number (cross-validation, reduced error).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/hash.hpp"
#include "data/cells.hpp"
#include "study/answers.hpp"
#include "study/places.hpp"
#include "study/refits.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostDifferences = 20;

struct Outcome {
  std::string failure;
  std::uint64_t tests = 0;
  bool changed = false;
  bool structure = false;
  std::int64_t answers = 0;
  std::vector<NodeDifference> differences;
};

std::vector<RowId> rows_without(std::int64_t n_rows, std::int64_t row) {
  std::vector<RowId> rows(static_cast<std::size_t>(n_rows - 1));
  std::iota(rows.begin(), rows.begin() + row, RowId{0});
  std::iota(rows.begin() + row, rows.end(), static_cast<RowId>(row + 1));
  return rows;
}

bool rows_are_a_multiset(const Params& params) {
  const std::string_view pruning = resolved_pruning(params);
  return params.algorithm == "cart" && pruning != "reduced_error" &&
         !(pruning == "cost_complexity" && params.ccp_alpha == 0.0);
}

// Every cell of a row, as bytes that differ where cells do.
std::vector<std::string> row_contents(const Table& table) {
  std::vector<std::string> contents(static_cast<std::size_t>(table.n_rows()));
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    const Table::Column& column = table.column(c);
    if (is_number_column(column)) {
      std::vector<double> numbers(contents.size());
      read_numbers(column, 0, numbers);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        contents[i].append(reinterpret_cast<const char*>(&numbers[i]), sizeof(double));
      continue;
    }
    for (std::size_t i = 0; i < contents.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      const bool missing = is_missing(column, row);
      const std::string text = missing ? std::string() : cell_text(column, row);
      contents[i] += fmt::format("{}{}:{}", missing ? 'm' : 'v', text.size(), text);
    }
  }
  return contents;
}

// For every row the first row that is equal to it.
std::vector<std::size_t> first_equal(const RefitJob& job) {
  std::vector<std::size_t> first(static_cast<std::size_t>(job.table.n_rows()));
  std::iota(first.begin(), first.end(), std::size_t{0});
  if (!rows_are_a_multiset(job.params)) return first;
  const std::vector<std::string> contents = row_contents(job.table);
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = seen.emplace(contents[i], i).first->second;
  return first;
}

Outcome run(const RefitJob& job, const Model& whole, const Answers& answers, std::int64_t row,
            const Execution& execution) {
  Outcome outcome;
  outcome.failure = attempt([&] {
    const Model grown = job.fit(job.table.take(rows_without(job.table.n_rows(), row)), execution);
    outcome.differences = tree_differences(whole, grown, SIZE_MAX);
    outcome.changed = !outcome.differences.empty();
    if (!outcome.changed) return;
    outcome.tests = tests_hash(grown);
    outcome.structure = std::ranges::any_of(outcome.differences, [](const NodeDifference& difference) {
      return difference.change != TestChange::cut;
    });
    if (outcome.differences.size() > kMostDifferences) outcome.differences.resize(kMostDifferences);
    outcome.answers = count_moved(answers, answers_of(grown, job.table, execution));
  });
  return outcome;
}

std::vector<ChangedTree> grouped(std::span<const Outcome> outcomes, std::span<const std::size_t> first) {
  std::map<std::uint64_t, std::size_t> place;
  std::vector<ChangedTree> trees;
  for (std::size_t row = 0; row < first.size(); ++row) {
    const Outcome& outcome = outcomes[first[row]];
    if (!outcome.changed) continue;
    const auto [at, is_new] = place.emplace(outcome.tests, trees.size());
    if (is_new) trees.push_back({{}, outcome.structure, outcome.answers, outcome.differences, {}});
    trees[at->second].rows.push_back(static_cast<std::int64_t>(row));
  }
  const auto order = [](const ChangedTree& tree) {
    return std::tuple(!tree.structure, tree.differences.front().depth, -std::ssize(tree.rows));
  };
  std::ranges::stable_sort(trees, std::less<>(), order);
  return trees;
}

std::int64_t count_rows(std::span<const ChangedTree> trees, bool structure) {
  std::int64_t rows = 0;
  for (const ChangedTree& tree : trees)
    if (tree.structure == structure) rows += std::ssize(tree.rows);
  return rows;
}

}  // namespace

std::int64_t LeaveOneOut::n_structure() const {
  return count_rows(changed, true);
}

std::int64_t LeaveOneOut::n_cuts() const {
  return count_rows(changed, false);
}

LeaveOneOut leave_one_out(const Model& model, const Table& table, const LeaveOneOutOptions& options,
                          const Execution& execution) {
  const RefitJob job(model, table, options.refit);
  if (job.table.n_rows() < 2)
    throw Error(ErrorCode::bad_data, "leaving a row out of a table of one row leaves nothing",
                "give more rows");
  const Model whole = job.fit(execution);
  const Answers answers = answers_of(whole, job.table, execution);
  const std::vector<std::size_t> first = first_equal(job);
  std::vector<std::size_t> needed;
  for (std::size_t row = 0; row < first.size(); ++row)
    if (first[row] == row) needed.push_back(row);
  std::vector<Outcome> outcomes(first.size());
  for_each_run(needed.size(), execution, "leave one out", [&](std::size_t i, const Execution& inner) {
    outcomes[needed[i]] = run(job, whole, answers, static_cast<std::int64_t>(needed[i]), inner);
  });
  LeaveOneOut result;
  result.n_rows = job.table.n_rows();
  result.refits = std::ssize(needed);
  result.reproduced = tests_hash(whole) == tests_hash(model);
  for (std::size_t row = 0; row < first.size(); ++row) {
    const std::string& failure = outcomes[first[row]].failure;
    if (failure.empty()) continue;
    if (result.failed.empty()) result.failure = failure;
    result.failed.push_back(static_cast<std::int64_t>(row));
  }
  result.changed = grouped(outcomes, first);
  result.before = whole;
  for (std::size_t i = 0; i < std::min(options.most_models, result.changed.size()); ++i)
    result.changed[i].model =
        job.fit(job.table.take(rows_without(job.table.n_rows(), result.changed[i].rows.front())), execution);
  return result;
}

}  // namespace bough
