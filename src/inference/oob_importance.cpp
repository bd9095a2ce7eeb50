// SPDX-License-Identifier: Apache-2.0
// Breiman's permutation importance: the cells of a column change places among the rows that a tree has not
// drawn.
//
// Only rows whose way passes a test of the column can end elsewhere, so only they walk again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "bough/json.hpp"
#include "inference/out_of_bag.hpp"

namespace bough {
namespace {

// One tree, the rows it has not drawn, and what it gets wrong about them.
class OobTree {
 public:
  OobTree(const Model& forest, std::size_t tree, const TrueErrors& truth, std::span<const double> cells)
      : forest_(forest),
        tree_(tree),
        truth_(truth),
        cells_(cells),
        n_columns_(forest.features().fields.size()),
        n_rows_(cells.size() / n_columns_),
        combiner_(forest.parts()),
        values_(value_width(forest.parts())) {}

  void take(const DrawnRows& drawn) {
    for (std::size_t row = 0; row < n_rows_; ++row)
      if (!drawn.has(tree_, row)) rows_.push_back(static_cast<std::uint32_t>(row));
    passing_.resize(n_columns_);
    errors_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto cells = [&](ColId column) { return cell(column, rows_[i]); };
      errors_[i] = error(rows_[i], cells);
      weight_ += truth_.weight(rows_[i]);
      sum_ += truth_.weight(rows_[i]) * errors_[i];
      note_columns(static_cast<std::uint32_t>(i), cells);
    }
  }

  [[nodiscard]] bool is_empty() const noexcept { return !(weight_ > 0.0); }
  [[nodiscard]] double base() const noexcept { return sum_ / weight_; }

  /// How much the error rises when the column's cells change places.
  double rise(std::size_t column, std::uint64_t key) {
    if (passing_[column].empty()) return 0.0;
    std::vector<std::uint32_t> from(rows_);
    for (std::size_t i = from.size(); i > 1; --i) std::swap(from[i - 1], from[below(draw(key, i), i)]);
    double rise = 0.0;
    for (const std::uint32_t i : passing_[column]) {
      const double moved = cell(static_cast<ColId>(column), from[i]);
      const auto cells = [&](ColId c) {
        return static_cast<std::size_t>(c) == column ? moved : cell(c, rows_[i]);
      };
      rise += truth_.weight(rows_[i]) * (error(rows_[i], cells) - errors_[i]);
    }
    return rise / weight_;
  }

 private:
  [[nodiscard]] double cell(ColId column, std::size_t row) const {
    return cells_[static_cast<std::size_t>(column) * n_rows_ + row];
  }

  template <class Cells>
  double error(std::size_t row, const Cells& cells) {
    combiner_.answer_of(tree_, cells, values_);
    if (std::isnan(values_.front())) return 0.0;  // the tree says nothing, so it is not wrong
    normalise_outputs(forest_.trees()[tree_], values_);
    return truth_.of(row, values_);
  }

  // Lists the row under every column that its way looks at.
  template <class Cells>
  void note_columns(std::uint32_t i, const Cells& cells) {
    const Tree& tree = forest_.trees()[tree_];
    const auto note = [&](ColId column) {
      std::vector<std::uint32_t>& list = passing_[static_cast<std::size_t>(column)];
      if (list.empty() || list.back() != i) list.push_back(i);
    };
    walk_parts(tree, cells, [&](NodeId node, double, bool) {
      if (tree.is_leaf(node)) return;
      if (tree.column(node) >= 0) note(tree.column(node));
      for (const ObliqueTerm& term : tree.terms(node)) note(term.column);
      for (const Alternative& test : tree.alternatives(node))
        if (test.role == AlternativeRole::surrogate) note(test.column);
    });
  }

  const Model& forest_;
  std::size_t tree_;
  const TrueErrors& truth_;
  std::span<const double> cells_;
  std::size_t n_columns_, n_rows_;
  Combiner combiner_;
  std::vector<double> values_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> errors_;
  std::vector<std::vector<std::uint32_t>> passing_;  // per column: which of `rows_` look at it
  double sum_ = 0.0, weight_ = 0.0;
};

void summarise(OobColumn& column, std::span<const double> rises) {
  const auto n = static_cast<double>(rises.size());
  for (const double rise : rises) column.mean += rise / n;
  if (rises.size() < 2) return;
  double squares = 0.0;
  for (const double rise : rises) squares += (rise - column.mean) * (rise - column.mean);
  column.standard_error = std::sqrt(squares / (n - 1.0) / n);
}

}  // namespace

OobImportances oob_importance(const Model& forest, const Table& table, const OobSpec& spec,
                              const Execution& execution) {
  check_bagged(forest, table.n_rows());
  const TrueErrors truth(forest, table, spec);
  const RowReader reader(table, forest.features());
  const std::size_t n_columns = reader.n_columns(), n_trees = forest.trees().size();
  std::vector<double> cells(static_cast<std::size_t>(reader.n_rows()) * n_columns);
  reader.load(0, reader.n_rows(), cells);
  std::vector<double> bases(n_trees, std::numeric_limits<double>::quiet_NaN()), rises(n_trees * n_columns);
  with_threads(execution.threads, [&] {
    const DrawnRows drawn(forest, static_cast<std::size_t>(reader.n_rows()),
                          fit_weights(forest, table, spec.weight));
    check_drawn_rows(forest, reader, drawn);
    parallel_for(n_trees, [&](std::size_t tree) {
      OobTree one(forest, tree, truth, cells);
      one.take(drawn);
      if (one.is_empty()) return;
      bases[tree] = one.base();
      for (std::size_t j = 0; j < n_columns; ++j)
        rises[tree * n_columns + j] = one.rise(j, mix(mix(static_cast<std::uint64_t>(spec.seed), tree), j));
    });
  });
  OobImportances out;
  out.measure = truth.measure();
  std::vector<std::size_t> used;
  for (std::size_t tree = 0; tree < n_trees; ++tree)
    if (!std::isnan(bases[tree])) used.push_back(tree);
  if (used.empty())
    throw Error(ErrorCode::bad_model, "every tree has drawn every row",
                "grow more trees, or lower max_samples");
  for (const std::size_t tree : used) out.base += bases[tree] / static_cast<double>(used.size());
  const std::vector<double> impurity = forest.importances();
  std::vector<double> of_column(used.size());
  for (std::size_t j = 0; j < n_columns; ++j) {
    OobColumn& column = out.columns.emplace_back();
    column.column = forest.features().fields[j].name;
    column.impurity = impurity[j];
    for (std::size_t i = 0; i < used.size(); ++i) of_column[i] = rises[used[i] * n_columns + j];
    summarise(column, of_column);
  }
  return out;
}

std::string to_json(const OobImportances& importances) {
  Json columns = Json::array();
  for (const OobColumn& one : importances.columns)
    columns.push_back({{"column", one.column},
                       {"mean", one.mean},
                       {"standard_error", one.standard_error},
                       {"impurity", one.impurity}});
  const Json json{
      {"measure", importances.measure}, {"base", importances.base}, {"columns", std::move(columns)}};
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
