// SPDX-License-Identifier: Apache-2.0
// The numbers of rules, counted anew on a table.
//
// Rows are counted in row order, so the sums are the same for any number of threads. A row that a tree
// divides counts with its share in the weights and as a row for every rule that gets some of it.
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bough/rules.hpp"
#include "predict/predict.hpp"
#include "rules/cover.hpp"
#include "rules/labelled_rows.hpp"

namespace bough {
namespace {

// The rows that every rule covers, in row order. Blocks keep the cells in cache while all rules look at them.
std::vector<std::vector<Cover>> covered_rows(const RuleSet::Parts& parts, const Table& table,
                                             const Execution& execution) {
  const RowReader reader(table, parts.features);
  const std::int64_t step = block_rows(reader.n_columns());
  std::vector<std::vector<std::vector<Cover>>> found(
      static_cast<std::size_t>((reader.n_rows() + step - 1) / step));
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const CellBlock& block) {
      CoverFinder finder(block);
      std::vector<std::uint32_t> rows(block.count);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
      auto& hits = found[static_cast<std::size_t>(block.begin / step)];
      for (const Rule& rule : parts.rules) {
        auto& own = hits.emplace_back();
        for (const Cover& cover : finder.find(rule, rows))
          if (cover.share == 1.0 || parts.match == RuleMatch::shares)
            own.push_back({static_cast<std::uint32_t>(block.begin) + cover.row, cover.share});
      }
    });
  });
  std::vector<std::vector<Cover>> all(parts.rules.size());
  for (const auto& hits : found)
    for (std::size_t r = 0; r < all.size(); ++r) all[r].insert(all[r].end(), hits[r].begin(), hits[r].end());
  return all;
}

void count(const RuleSet& rules, const Truth& truth, std::span<const Cover> hits, Rule& rule) {
  const std::size_t n_outputs = rules.n_outputs();
  std::vector<double> answers;
  for (std::size_t output = 0; output < n_outputs; ++output) answers.push_back(rules.answer(rule, output));
  rule.n_rows = 0;
  rule.weight = 0.0;
  rule.spread.reset();
  rule.right.assign(truth.classes.size(), 0.0);
  // Targets of several kinds have no spread in common, and no row shows an effect.
  const bool one_number = truth.numbers.size() == 1 && rules.parts().effect.empty();
  double squares = 0.0;
  for (const Cover& hit : hits) {
    const double weight = truth.weight(hit.row) * hit.share;
    if (weight == 0.0) continue;
    ++rule.n_rows;
    rule.weight += weight;
    for (std::size_t output = 0; output < truth.classes.size(); ++output)
      if (truth.classes[output][hit.row] == static_cast<std::int32_t>(answers[output]))
        rule.right[output] += weight;
    if (one_number) {
      const double gap = truth.numbers[0][hit.row] - answers[0];
      squares += weight * gap * gap;
    }
  }
  if (one_number && rule.weight > 0.0) rule.spread = std::sqrt(squares / rule.weight);
}

}  // namespace

std::vector<double> accuracy(const RuleSet& rules, const Table& table, std::string_view weight,
                             const Execution& execution) {
  const RuleSet::Parts& parts = rules.parts();
  if (parts.task != Task::classification)
    throw Error(ErrorCode::not_supported, "rules for numbers are not right or wrong",
                "Measure their spread.");
  const Truth truth = read_truth(table, parts.task, parts.targets, weight);
  const std::vector<double> answers = rules.predict(table, execution);
  std::vector<double> right(rules.n_outputs(), 0.0);
  double total = 0.0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.n_rows()); ++row) {
    total += truth.weight(row);
    for (std::size_t output = 0; output < right.size(); ++output)
      if (truth.classes[output][row] == static_cast<std::int32_t>(answers[row * right.size() + output]))
        right[output] += truth.weight(row);
  }
  for (double& share : right) share /= total;
  return right;
}

RuleSet measure(const RuleSet& rules, const Table& table, std::string_view weight,
                const Execution& execution) {
  RuleSet::Parts parts = rules.parts();
  const Truth truth = read_truth(table, parts.task, parts.targets, weight);
  const std::vector<std::vector<Cover>> hits = covered_rows(parts, table, execution);
  for (std::size_t r = 0; r < parts.rules.size(); ++r) count(rules, truth, hits[r], parts.rules[r]);
  parts.n_rows = 0;
  parts.weight = 0.0;
  std::ranges::fill(parts.base, 0.0);
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.n_rows()); ++row) {
    if (truth.weight(row) == 0.0) continue;
    ++parts.n_rows;
    parts.weight += truth.weight(row);
    std::size_t at = 0;
    for (std::size_t output = 0; output < truth.classes.size(); ++output) {
      parts.base[at + static_cast<std::size_t>(truth.classes[output][row])] += truth.weight(row);
      at += parts.targets.fields[output].levels.size();
    }
  }
  return RuleSet(std::move(parts));
}

}  // namespace bough
