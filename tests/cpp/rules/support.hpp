// SPDX-License-Identifier: Apache-2.0
// Tables and models for the tests of rules.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "bough/rules.hpp"
#include "rules/match.hpp"

namespace bough::test {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The share of a row that a rule covers, row by row.
template <class Cells>
double covered_share(const Rule& rule, const Cells& cells) {
  double share = 1.0;
  for (const RuleCondition& condition : rule.conditions) {
    const double value = subject_of(condition, cells);
    if (std::isnan(value)) {
      share *= condition.missing;
      if (share == 0.0) return 0.0;
    } else if (!passes_known(condition, value)) {
      return 0.0;
    }
  }
  return share;
}

/// A model of one tree of another model.
inline Model single(const Model& model, std::size_t tree) {
  Model::Parts parts = model.parts();
  parts.trees = {parts.trees[tree]};
  parts.combine = Combine::single;
  for (std::size_t i = 0; i < parts.features.fields.size(); ++i)
    parts.features.fields[i].name = "column " + std::to_string(i);  // tables want UTF-8
  return Model(std::move(parts));
}

/// Numbers that matter to a tree: its thresholds and cuts and their neighbours, and what is beyond.
inline std::vector<double> telling_numbers(const Tree& tree, ColId column) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> numbers{-infinity, infinity, 0.0, 1.0, -3.5, kMissing};
  const auto add = [&](double x) {
    numbers.insert(numbers.end(), {x, std::nextafter(x, -infinity), std::nextafter(x, infinity)});
  };
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.column(node) != column) continue;
    if (tree.kind(node) == NodeKind::numeric) add(tree.threshold(node));
    for (const double cut : tree.cuts(node)) add(cut);
  }
  return numbers;
}

/// Rows that fit the features of a model: telling numbers, all levels, unseen ones, missing cells.
inline Table telling_table(const Model& model, std::size_t n_rows, std::mt19937_64& random) {
  Table table;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t column = 0; column < model.features().fields.size(); ++column) {
    const Field& field = model.features().fields[column];
    if (field.kind == Kind::category) {
      std::vector<std::string> dictionary = field.levels.names;
      dictionary.emplace_back("never seen");
      std::vector<std::int32_t> codes(n_rows);
      for (std::int32_t& code : codes) code = static_cast<std::int32_t>(below(dictionary.size() + 1)) - 1;
      table.add(field.name, codes, dictionary);
      continue;
    }
    std::vector<double> numbers = telling_numbers(model.tree(), static_cast<ColId>(column));
    if (field.kind == Kind::ordinal) {
      numbers = field.levels.numbers;
      numbers.push_back(kMissing);
      numbers.push_back(123.5);  // no level
    }
    std::vector<double> cells(n_rows);
    for (double& cell : cells) cell = numbers[below(numbers.size())];
    table.add(field.name, cells);
  }
  return table;
}

/// A random table of numbers and categories with holes, a class target "y" that depends on them, and weights
/// "w".
struct MadeTable {
  Table table;
  std::vector<std::string> labels;
};

inline MadeTable made_table(std::uint64_t seed, std::size_t n_rows, std::size_t n_classes = 2) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<double> a(n_rows);
  std::vector<double> b(n_rows);
  std::vector<double> w(n_rows);
  std::vector<std::int32_t> job(n_rows);
  MadeTable made;
  const std::vector<std::string> jobs{"cook", "dean", "nurse", "pilot"};
  for (std::size_t i = 0; i < n_rows; ++i) {
    a[i] = std::floor(uniform() * 20.0);
    b[i] = std::floor(uniform() * 20.0);
    job[i] = static_cast<std::int32_t>(random() % 4);
    double truth = (a[i] > 8.0 ? 1.0 : 0.0) + (b[i] > 12.0 && job[i] < 2 ? 1.0 : 0.0);
    if (uniform() < 0.15) truth = static_cast<double>(random() % n_classes);
    made.labels.push_back("c" + std::to_string(static_cast<std::size_t>(truth) % n_classes));
    if (uniform() < 0.1) a[i] = kMissing;
    if (uniform() < 0.1) job[i] = -1;
    w[i] = static_cast<double>(1 + random() % 3);
  }
  made.table.add("a", a);
  made.table.add("b", b);
  made.table.add("job", job, jobs);
  made.table.add("y", std::span<const std::string>(made.labels));
  made.table.add("w", w);
  return made;
}

inline Model grown(const Table& table, std::int32_t max_depth = 6) {
  Params params;
  params.max_depth = max_depth;
  FitSpec spec;
  spec.targets = {"y"};
  spec.ignored = {"w"};
  return fit(table, spec, params);
}

}  // namespace bough::test
