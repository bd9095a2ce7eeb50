// SPDX-License-Identifier: Apache-2.0
// Random models with trees of every kind of node, from a seed alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "tree/samples.hpp"

namespace bough::samples {

class RandomModel {
 public:
  explicit RandomModel(std::uint64_t seed) : random_(seed) {}

  Model make() {
    Model::Parts parts;
    parts.task = chance(2) ? Task::classification : Task::regression;
    parts.features = features();
    parts.targets = targets(parts.task);
    const std::size_t n_trees = chance(3) ? 1 + below(4) : 1;
    if (n_trees > 1)
      parts.combine = parts.task == Task::classification && chance(2) ? Combine::vote : Combine::mean;
    for (std::size_t i = 0; i < n_trees; ++i) parts.trees.push_back(tree(parts));
    parts.criterion = parts.task == Task::classification ? "gini" : "squared_error";
    parts.params.max_depth = static_cast<std::int32_t>(1 + below(9));
    parts.params.min_samples_leaf = chance(2) ? Amount::count(3) : Amount::fraction(0.25);
    parts.params.seed = static_cast<std::int64_t>(below(1000));
    parts.provenance = {"0.1.0", "train \"x\"\n",
                        "abc",   static_cast<std::int64_t>(below(1'000'000)),
                        "lists", {"note \xc3\xa9", "\xff\xfe not UTF-8"}};
    return Model(std::move(parts));
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }

  /// Any finite double: tame, tiny, huge, or made of random bits.
  double number() {
    switch (below(5)) {
      case 0:
        return static_cast<double>(below(20)) - 10.0;
      case 1:
        return std::numeric_limits<double>::denorm_min() * static_cast<double>(below(9));
      case 2:
        return -0.0;
      case 3:
        return static_cast<double>(random_()) / 3e18 - 3.0;
      default:
        break;
    }
    const double bits = std::bit_cast<double>(random_());
    return std::isfinite(bits) ? bits : 0.1;
  }

 private:
  static Levels levels(std::size_t n, const std::string& prefix) {
    Levels levels;
    for (std::size_t i = 0; i < n; ++i) levels.names.push_back(prefix + std::to_string(i));
    return levels;
  }

  Schema features() {
    Schema schema;
    const std::size_t n = 3 + below(5);
    for (std::size_t i = 0; i < n; ++i) {
      Field field;
      field.name = i == 1 ? std::string("odd \xff name") : std::to_string(i) + " \"column\"";
      field.kind = i == 0 ? Kind::numeric : i == 1 ? Kind::ordinal : i == 2 ? Kind::category : Kind(below(3));
      if (field.kind != Kind::numeric) field.levels = levels(2 + below(70), "level ");
      if (field.kind == Kind::ordinal) {
        field.levels.type = Levels::Type::real;
        for (std::size_t j = 0; j < field.levels.size(); ++j)
          field.levels.numbers.push_back(0.1 * static_cast<double>(j));
        field.levels.numbers.back() = std::numeric_limits<double>::infinity();
      }
      schema.fields.push_back(field);
    }
    return schema;
  }

  Schema targets(Task task) {
    Schema schema;
    const std::size_t n = 1 + below(3);
    for (std::size_t i = 0; i < n; ++i) {
      Field field{std::to_string(i) + " target", Kind::numeric, Role::target, {}};
      if (task == Task::classification) {
        field.kind = Kind::category;
        field.levels = levels(1 + below(chance(3) ? 90 : 4), "class ");
      }
      schema.fields.push_back(field);
    }
    return schema;
  }

  ColId column_of(const Schema& features, Kind kind) {
    while (true) {
      const std::uint64_t column = below(features.fields.size());
      if (features.fields[column].kind == kind) return static_cast<ColId>(column);
    }
  }

  // Every child gets a level as long as there are enough.
  Split random_map(ColId column, std::uint32_t n_levels, std::int32_t n_children) {
    std::vector<std::uint32_t> known;
    std::vector<std::uint16_t> children;
    for (std::uint32_t level = 0; level < n_levels; ++level) {
      const bool needed = n_levels - level <= static_cast<std::uint32_t>(n_children) || known.size() < 1;
      if (!needed && chance(3)) continue;
      known.push_back(level);
      const auto next = static_cast<std::uint64_t>(known.size() - 1);
      children.push_back(static_cast<std::uint16_t>(next < static_cast<std::uint64_t>(n_children)
                                                        ? next
                                                        : below(static_cast<std::uint64_t>(n_children))));
    }
    Split split = mapped(column, known, children,
                         static_cast<std::int32_t>(below(static_cast<std::uint64_t>(n_children))));
    split.kind = n_children > 2 ? NodeKind::multiway : NodeKind::subset;
    return split;
  }

  std::pair<Split, std::int32_t> random_split(const Schema& features) {
    const auto n_levels = [&](ColId column) {
      return static_cast<std::uint32_t>(features.fields[static_cast<std::size_t>(column)].levels.size());
    };
    const ColId number_column = column_of(features, Kind::numeric);
    const ColId ordinal_column = column_of(features, Kind::ordinal);
    const ColId category_column = column_of(features, Kind::category);
    switch (below(7)) {
      case 0:
        return {numeric(number_column, chance(5) ? std::numeric_limits<double>::infinity() : number()), 2};
      case 1:
        return {ordinal(ordinal_column, static_cast<double>(1 + below(n_levels(ordinal_column)))), 2};
      case 2:
        return {equality(category_column, static_cast<double>(below(n_levels(category_column)))), 2};
      case 3:
        return {random_map(category_column, n_levels(category_column), 2), 2};
      case 4: {
        const auto n =
            static_cast<std::int32_t>(2 + below(std::min<std::uint64_t>(n_levels(category_column) - 1, 4)));
        return {random_map(category_column, n_levels(category_column), n), n};
      }
      case 5: {
        std::vector<double> cuts{number(), number(), number()};
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        return {interval(number_column, cuts), static_cast<std::int32_t>(cuts.size()) + 1};
      }
      default:
        break;
    }
    std::vector<ObliqueTerm> terms;
    for (std::size_t i = 0; i < features.fields.size(); ++i) {
      if (features.fields[i].kind == Kind::numeric) terms.push_back({static_cast<ColId>(i), number()});
    }
    return {oblique(terms, number()), 2};
  }

  Tree tree(const Model::Parts& parts) {
    std::vector<std::uint32_t> widths;
    for (const Field& field : parts.targets.fields) {
      widths.push_back(parts.task == Task::classification ? static_cast<std::uint32_t>(field.levels.size())
                                                          : 1);
    }
    TreeBuilder builder(parts.task, widths);
    std::vector<TreeBuilder::Handle> leaves{builder.root()};
    for (std::uint64_t i = below(12); i > 0; --i) {
      const std::size_t at = below(leaves.size());
      auto [split, n] = random_split(parts.features);
      split.missing_to = static_cast<std::int32_t>(below(static_cast<std::uint64_t>(n) + 3)) - 3;
      split.gain = static_cast<double>(below(100)) / 7.0;
      if (split.kind == NodeKind::subset || split.kind == NodeKind::multiway) split.missing_to = n - 1;
      const auto first = builder.split(leaves[at], split, n);
      leaves[at] = first;
      for (std::int32_t child = 1; child < n; ++child) leaves.push_back(first + child);
    }
    const auto width = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
    // Children have higher handles than their parents.
    for (auto node = static_cast<TreeBuilder::Handle>(builder.n_handles()) - 1; node >= 0; --node) {
      builder.set_stats(node, stats(builder, node, width, parts.task));
      if (builder.n_handles() > 5) builder.set_extra("variance", node, number());
    }
    return std::move(builder).finish();
  }

  NodeStats stats(const TreeBuilder& builder, TreeBuilder::Handle node, std::size_t width, Task task) {
    NodeStats stats;
    if (builder.is_leaf(node)) stats.n_rows = static_cast<std::int64_t>(below(50));
    for (const auto child : builder.children(node)) stats.n_rows += builder.stats(child).n_rows;
    stats.weight = static_cast<double>(stats.n_rows) * 0.7;
    stats.impurity = number();
    for (std::size_t i = 0; i < width; ++i) {
      const double value = chance(3) ? 0.0 : number();
      stats.values.push_back(task == Task::classification ? std::abs(value) : value);
    }
    return stats;
  }

  std::mt19937_64 random_;
};

}  // namespace bough::samples
