// SPDX-License-Identifier: Apache-2.0
// A model as a checked value: its trees must fit its schema.
#include "bough/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "model/predictor.hpp"
#include "tree/access.hpp"

namespace bough {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_model, what, "The parts of the model do not belong together; make it again.");
}

void check_fields(const Schema& schema, const char* what) {
  std::unordered_set<std::string_view> names;
  names.reserve(schema.fields.size());
  for (const Field& field : schema.fields) {
    if (!names.insert(field.name).second) refuse(fmt::format("two {} are called '{}'", what, field.name));
    const Levels& levels = field.levels;
    if (levels.size() >= std::numeric_limits<std::int32_t>::max()) {
      refuse(fmt::format("'{}' has too many levels", field.name));
    }
    if (levels.numbers.size() != (levels.type == Levels::Type::text ? 0 : levels.names.size())) {
      refuse(fmt::format("'{}' has {} levels but {} numbers for them", field.name, levels.size(),
                         levels.numbers.size()));
    }
    const std::unordered_set<std::string_view> level_names(levels.names.begin(), levels.names.end());
    if (level_names.size() != levels.size())
      refuse(fmt::format("'{}' has two levels of one name", field.name));
    for (const double number : levels.numbers) {
      if (std::isnan(number)) refuse(fmt::format("a level of '{}' is not a number", field.name));
    }
  }
}

std::vector<std::uint32_t> expected_widths(const Model::Parts& parts) {
  std::vector<std::uint32_t> widths;
  for (const Field& field : parts.targets.fields) {
    if (parts.task == Task::classification && field.levels.size() == 0) {
      refuse(fmt::format("the target '{}' has no classes", field.name));
    }
    widths.push_back(parts.task == Task::classification ? static_cast<std::uint32_t>(field.levels.size())
                                                        : 1);
  }
  return widths;
}

void check_kinds(const Tree& tree, const Schema& features) {
  const auto kind = [&](ColId column) { return features.fields[static_cast<std::size_t>(column)].kind; };
  const auto refuse_test = [](NodeId node, const char* what) {
    refuse(fmt::format("tree node {}: tests {} in a column of another kind", node, what));
  };
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    switch (tree.kind(node)) {
      case NodeKind::leaf:
        break;
      case NodeKind::numeric:
      case NodeKind::interval:
        if (kind(tree.column(node)) != Kind::numeric) refuse_test(node, "numbers");
        break;
      case NodeKind::ordinal:
        if (kind(tree.column(node)) != Kind::ordinal) refuse_test(node, "an order");
        break;
      case NodeKind::equality:
      case NodeKind::subset:
      case NodeKind::multiway:
        if (kind(tree.column(node)) == Kind::numeric) refuse_test(node, "levels");
        break;
      case NodeKind::oblique:
        for (const ObliqueTerm& term : tree.terms(node)) {
          if (kind(term.column) == Kind::category) refuse_test(node, "a sum");
        }
    }
  }
}

void check_tree(const Tree& tree, const Model::Parts& parts, std::span<const std::uint32_t> n_levels) {
  const std::vector<std::uint32_t> widths = expected_widths(parts);
  const auto have = tree.output_widths();
  if (tree.task() != parts.task) refuse("a tree of another task than the model");
  if (!std::equal(have.begin(), have.end(), widths.begin(), widths.end())) {
    refuse(fmt::format("the tree's outputs are [{}] wide, the targets [{}]", fmt::join(have, ", "),
                       fmt::join(widths, ", ")));
  }
  const std::vector<Field>& fields = parts.features.fields;
  if (TreeAccess::made_for(tree, fields.size()) &&
      std::all_of(fields.begin(), fields.end(),
                  [](const Field& field) { return field.kind == Kind::numeric; }))
    return;
  tree.check(parts.features.fields.size(), n_levels);
  check_kinds(tree, parts.features);
}

void check_table(const PruningTable& table) {
  const std::size_t n = table.alphas.size();
  if (n == 0 || table.n_leaves.size() != n || table.errors.size() != n || table.standard_errors.size() != n)
    refuse("the columns of the pruning table are empty or of different lengths");
  for (std::size_t i = 0; i < n; ++i) {
    const bool numbers = std::isfinite(table.alphas[i]) && table.alphas[i] >= 0.0 &&
                         std::isfinite(table.errors[i]) && table.errors[i] >= 0.0 &&
                         std::isfinite(table.standard_errors[i]) && table.standard_errors[i] >= 0.0 &&
                         table.n_leaves[i] >= 1;
    const bool falls =
        i == 0 || (table.alphas[i] > table.alphas[i - 1] && table.n_leaves[i] < table.n_leaves[i - 1]);
    if (!numbers || !falls) refuse(fmt::format("row {} of the pruning table makes no sense", i));
  }
  if (table.chosen >= n) refuse(fmt::format("row {} of {} in the pruning table is chosen", table.chosen, n));
  if (table.folds < 2) refuse(fmt::format("a pruning table of {} folds", table.folds));
}

void check_loss(const Model::Parts& parts) {
  const std::size_t size = parts.params.loss_matrix.size();
  if (size == 0) return;
  if (parts.task != Task::classification || parts.targets.fields.size() != 1 ||
      size != parts.targets.fields.front().levels.size())
    refuse(fmt::format("a loss matrix of {} classes does not fit the targets", size));
}

void check_cp_table(std::span<const CpRow> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CpRow& row = rows[i];
    if (!std::isfinite(row.cp) || !std::isfinite(row.rel_error) ||
        std::isnan(row.xerror) != std::isnan(row.xstd) || std::isinf(row.xerror) || std::isinf(row.xstd))
      refuse(fmt::format("row {} of the cp table holds a number that is not finite", i));
    if (row.n_splits < 0 || (i > 0 && row.n_splits < rows[i - 1].n_splits))
      refuse(fmt::format("row {} of the cp table holds {} splits", i, row.n_splits));
  }
}

void check_treatment(const Model::Parts& parts) {
  if (parts.treatment.fields.empty()) return;
  if (parts.treatment.fields.size() != 1 || parts.treatment.fields.front().levels.size() != 2)
    refuse("a treatment is one column of two values");
  if (parts.task != Task::regression || parts.targets.fields.size() != 1)
    refuse("the effect of a treatment is on one number");
}

void check_parts(const Model::Parts& parts, std::span<const std::uint32_t> n_levels) {
  if (parts.trees.empty()) refuse("a model without trees");
  if (parts.combine == Combine::single && parts.trees.size() != 1) {
    refuse(fmt::format("a single tree is announced, {} are given", parts.trees.size()));
  }
  if (parts.combine == Combine::vote && parts.task != Task::classification)
    refuse("trees can only vote on classes");
  if (parts.targets.fields.empty()) refuse("a model without targets");
  if (parts.pruning_table) check_table(*parts.pruning_table);
  check_loss(parts);
  check_cp_table(parts.cp_table);
  check_fields(parts.features, "features");
  check_fields(parts.targets, "targets");
  check_fields(parts.treatment, "treatments");
  check_treatment(parts);
  for (std::size_t i = 0; i < parts.trees.size(); ++i) {
    try {
      check_tree(parts.trees[i], parts, n_levels);
    } catch (const Error& error) {
      if (parts.trees.size() == 1) throw;
      throw Error(error.code(), fmt::format("tree {}: {}", i, error.what()), error.hint());
    }
  }
}

std::vector<std::uint32_t> levels_per_feature(const Schema& features) {
  std::vector<std::uint32_t> n_levels;
  n_levels.reserve(features.fields.size());
  for (const Field& field : features.fields) {
    n_levels.push_back(field.kind == Kind::numeric ? 0 : static_cast<std::uint32_t>(field.levels.size()));
  }
  return n_levels;
}

// An oblique test's gain is shared out by the size of the weights.
void add_oblique(const Tree& tree, NodeId node, std::span<double> sums) {
  const auto terms = tree.terms(node);
  double total = 0.0;
  for (const ObliqueTerm& term : terms) total += std::abs(term.weight);
  for (const ObliqueTerm& term : terms) {
    const double share =
        total > 0.0 ? std::abs(term.weight) / total : 1.0 / static_cast<double>(terms.size());
    sums[static_cast<std::size_t>(term.column)] += tree.gain(node) * share;
  }
}

// Share of every column in what a tree gained; all 0 for a tree that gained nothing.
std::vector<double> gain_shares(const Tree& tree, std::size_t n_columns) {
  std::vector<double> sums(n_columns);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    if (tree.kind(node) == NodeKind::oblique) {
      add_oblique(tree, node, sums);
    } else {
      sums[static_cast<std::size_t>(tree.column(node))] += tree.gain(node);
    }
  }
  double total = 0.0;
  for (const double sum : sums) total += sum;
  for (double& sum : sums) sum = total > 0.0 ? sum / total : 0.0;
  return sums;
}

}  // namespace

std::string_view version() noexcept {
  return BOUGH_VERSION;
}

Model::Model(Parts parts) {
  check_parts(parts, levels_per_feature(parts.features));
  parts_ = std::make_shared<const Parts>(std::move(parts));
  predictor_ = std::make_shared<PredictorCache>();
}

const Predictor& Model::predictor() const {
  return predictor_->of(*parts_);
}

std::vector<std::uint32_t> Model::n_levels() const {
  return levels_per_feature(parts_->features);
}

std::vector<double> Model::importances() const {
  std::vector<double> mean(parts_->features.fields.size());
  double total = 0.0;
  for (const Tree& tree : parts_->trees) {
    const std::vector<double> shares = gain_shares(tree, mean.size());
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += shares[j];
    for (const double share : shares) total += share;
  }
  for (double& share : mean) share = total > 0.0 ? share / total : 0.0;
  return mean;
}

}  // namespace bough
