// SPDX-License-Identifier: Apache-2.0
// Random trees of every kind of node over random rows, with rows to prune them by. All numbers are dyadic, so
// that sums of errors are exact in any order.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "predict/route.hpp"
#include "tree/samples.hpp"

namespace bough::samples {

struct PruneSample {
  struct Rows {
    std::vector<std::vector<double>> cells;  // per column, per row: numbers or level indices; NaN is missing
    std::vector<std::vector<double>> truth;  // per output, per row: class codes or numbers
    std::vector<double> weights;
    [[nodiscard]] auto row(std::size_t i) const {
      return [this, i](ColId column) { return cells[static_cast<std::size_t>(column)][i]; };
    }
    [[nodiscard]] std::size_t size() const { return weights.size(); }
  };

  struct Options {
    std::size_t n_splits = 6;
    std::size_t n_train = 40;
    std::size_t n_prune = 25;
    bool by_share = true;
  };

  PruneSample(std::uint64_t seed, const Options& wish) : random(seed), options(wish) {
    task = below(2) == 0 ? Task::classification : Task::regression;
    const std::size_t n_outputs = 1 + below(2);
    for (std::size_t o = 0; o < n_outputs; ++o)
      widths.push_back(task == Task::classification ? static_cast<std::uint32_t>(2 + below(3)) : 1);
    train = rows(options.n_train);
    prune = rows(options.n_prune);
    tree = grow();
  }

  std::uint64_t below(std::uint64_t n) { return random() % n; }

  [[nodiscard]] Model model() const {
    Model::Parts parts;
    parts.trees = {tree};
    parts.task = task;
    parts.criterion = task == Task::classification ? "gini" : "squared_error";
    parts.features.fields = {field("a", Kind::numeric, 0), field("b", Kind::numeric, 0),
                             field("o", Kind::ordinal, 4), field("c", Kind::category, 5)};
    for (std::size_t o = 0; o < widths.size(); ++o) {
      parts.targets.fields.push_back(
          field(name(o), Kind::category, task == Task::classification ? widths[o] : 0));
      if (task == Task::regression) parts.targets.fields.back().kind = Kind::numeric;
      parts.targets.fields.back().role = Role::target;
    }
    return Model(std::move(parts));
  }

  [[nodiscard]] Table table(const Rows& from) const {
    Table out;
    const char* names[] = {"a", "b", "o", "c"};
    for (std::size_t j = 0; j < 4; ++j) out.add(names[j], from.cells[j]);
    for (std::size_t o = 0; o < from.truth.size(); ++o) out.add(name(o), from.truth[o]);
    out.add("w", from.weights);
    return out;
  }

  static std::string name(std::size_t output) {
    return std::string("y").append(1, static_cast<char>('0' + output));
  }

  static std::vector<std::uint32_t> n_levels() { return {0, 0, 4, 5}; }

  std::mt19937_64 random;
  Options options;
  Task task = Task::classification;
  std::vector<std::uint32_t> widths;
  Rows train, prune;
  Tree tree;

 private:
  static Field field(const std::string& name, Kind kind, std::uint32_t n_levels) {
    Field out;
    out.name = name;
    out.kind = kind;
    if (n_levels > 0) out.levels.type = Levels::Type::integer;
    for (std::uint32_t i = 0; i < n_levels; ++i) {
      out.levels.names.push_back(std::to_string(i));
      out.levels.numbers.push_back(i);
    }
    return out;
  }

  Rows rows(std::size_t n) {
    Rows out;
    out.cells.assign(4, std::vector<double>(n));
    out.truth.assign(widths.size(), std::vector<double>(n));
    out.weights.assign(n, 1.0);
    const std::uint64_t kinds[] = {16, 16, 4, 5};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        out.cells[j][i] =
            below(8) == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(below(kinds[j]));
      for (std::size_t o = 0; o < widths.size(); ++o)
        out.truth[o][i] = static_cast<double>(below(task == Task::classification ? widths[o] : 7));
      out.weights[i] = static_cast<double>(below(3) == 0 ? below(4) : 1);
    }
    return out;
  }

  using Part = std::vector<std::pair<std::size_t, double>>;  // rows and weights

  NodeStats stats(const Part& part) {
    NodeStats out;
    std::size_t width = 0;
    for (const std::uint32_t w : widths) width += w;
    out.values.assign(width, 0.0);
    for (const auto& [row, weight] : part) {
      out.n_rows += 1;
      out.weight += weight;
      std::size_t start = 0;
      for (std::size_t o = 0; o < widths.size(); ++o) {
        if (task == Task::classification)
          out.values[start + static_cast<std::size_t>(train.truth[o][row])] += weight;
        else
          out.values[start] += weight * train.truth[o][row];
        start += widths[o];
      }
    }
    if (task == Task::regression)
      for (double& value : out.values) value = out.weight > 0 ? std::round(4 * value / out.weight) / 4 : 0.0;
    out.impurity = static_cast<double>(below(64)) / 64;
    return out;
  }

  std::pair<Split, std::int32_t> any_split() {
    switch (below(7)) {
      case 0:
        return {ordinal(2, static_cast<double>(1 + below(3))), 2};
      case 1:
        return {equality(3, static_cast<double>(below(5))), 2};
      case 2:
        return {mapped(3, {0, 2, 4}, {0, 1, 0}), 2};
      case 3:
        return {mapped(3, {0, 1, 3, 4}, {0, 2, 1, 2}, static_cast<std::int32_t>(below(3))), 3};
      case 4:
        return {interval(1, {3.0, 7.0, 11.0}), 4};
      case 5:
        return {oblique({{0, 1.0}, {1, -0.5}}, static_cast<double>(below(12))), 2};
      default:
        return {numeric(static_cast<ColId>(below(2)), static_cast<double>(below(15))), 2};
    }
  }

  Tree grow() {
    TreeBuilder builder(task, widths);
    std::vector<std::pair<TreeBuilder::Handle, Part>> leaves{{builder.root(), {}}};
    for (std::size_t i = 0; i < train.size(); ++i) leaves[0].second.emplace_back(i, 1.0);
    for (std::size_t s = 0; s < options.n_splits; ++s) {
      const std::size_t at = below(leaves.size());
      const auto [handle, part] = leaves[at];
      auto [split, n] = any_split();
      split.gain = static_cast<double>(below(32)) / 4;
      const std::uint64_t missing = below(options.by_share ? 6 : 5);
      split.missing_to = missing == 5   ? static_cast<std::int32_t>(missing_by_share)
                         : missing == 4 ? static_cast<std::int32_t>(missing_stops)
                         : missing == 3 ? static_cast<std::int32_t>(missing_surrogate)
                                        : static_cast<std::int32_t>(below(static_cast<std::uint64_t>(n)));
      const double halves[4][4] = {{}, {0.25, 0.75}, {0.5, 0.25, 0.25}, {0.25, 0.25, 0.25, 0.25}};
      const std::span<const double> shares(halves[n - 1], static_cast<std::size_t>(n));
      builder.set_stats(handle, stats(part));
      const auto first = builder.split(handle, split, n, shares);
      std::vector<Part> below_it(static_cast<std::size_t>(n));
      const Tree one = stump_of(split, n, shares);
      for (const auto& [row, weight] : part) {
        const std::int32_t child = route(one, 0, train.row(row));
        if (child >= 0) below_it[static_cast<std::size_t>(child)].emplace_back(row, weight);
        if (child == missing_by_share)
          for (std::size_t i = 0; i < shares.size(); ++i) below_it[i].emplace_back(row, weight * shares[i]);
      }
      leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(at));
      for (std::int32_t i = 0; i < n; ++i)
        leaves.emplace_back(first + i, below_it[static_cast<std::size_t>(i)]);
    }
    for (const auto& [handle, part] : leaves) builder.set_stats(handle, stats(part));
    return std::move(builder).finish();
  }

  static Tree stump_of(const Split& split, std::int32_t n, std::span<const double> shares) {
    TreeBuilder builder(Task::regression, {1});
    const auto first = builder.split(builder.root(), split, n, shares);
    for (std::int32_t i = -1; i < n; ++i) builder.set_stats(i < 0 ? 0 : first + i, {0, 1.0, 0.0, {0.0}});
    return std::move(builder).finish();
  }
};

}  // namespace bough::samples
