// SPDX-License-Identifier: Apache-2.0
// The cross-validated cp table, as rpart makes it.
//
// Row i of the table is judged at the complexity sqrt(cp_i cp_(i-1)), the middle of the range in which its
// tree is the choice (10 cp_1 for the root), times the root's risk. For every group a tree is grown on the
// other rows, which count as they do among all rows (priors are not adjusted anew); complexities scale with
// the weight of those rows. The rows of the group go down the tree as far as nodes are more complex than
// that. Errors are summed over all rows; their standard error is that of a sum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/exact_grid.hpp"
#include "base/monitor.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "bough/cp.hpp"
#include "data/cells.hpp"
#include "grow/shrink.hpp"
#include "model/combine.hpp"
#include "model/divide_rows.hpp"
#include "model/grow_prepared.hpp"
#include "model/priors.hpp"
#include "model/progress.hpp"
#include "model/prune_rows.hpp"
#include "model/treatment.hpp"
#include "predict/predict.hpp"

namespace bough {
namespace {

std::vector<double> thresholds(std::span<const CpRow> rows, double root_risk) {
  std::vector<double> out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.push_back(root_risk * (i == 0 ? 10.0 * rows[0].cp : std::sqrt(rows[i].cp * rows[i - 1].cp)));
  return out;
}

void check_groups(std::span<const std::int64_t> groups, std::int64_t n_rows) {
  if (groups.size() != static_cast<std::size_t>(n_rows))
    throw Error(ErrorCode::bad_params, fmt::format("{} groups are given for {} rows", groups.size(), n_rows),
                "give one group per row");
  const auto odd =
      std::find_if(groups.begin(), groups.end(), [&](std::int64_t g) { return g != groups.front(); });
  if (odd == groups.end())
    throw Error(ErrorCode::bad_params, "all rows are in one group",
                "cross-validation needs two groups or more");
}

class Folds {
 public:
  Folds(const Model& model, const Table& table, const FitSpec& spec, const Execution& execution,
        Monitor& monitor)
      : model_(model), table_(table), execution_(execution), monitor_(monitor), params_(model.params()) {
    full_ = prepare(table, spec, params_);
    weights_ = full_.case_weights;
    if (weights_.empty()) weights_.assign(static_cast<std::size_t>(table.n_rows()), 1.0);
    total_ = sorted_sum(weights_);
    search_ = weights_;
    apply_priors(full_, params_, search_);
    if (!params_.priors.empty()) factors_ = error_factors();
    const Tree counted = counted_tree(model);
    const std::vector<double> risk = cp_risk(counted, params_.loss_matrix);
    const double root = risk.front();
    rows_ = counted.n_nodes() == 1
                ? cp_table(model)  // which knows the complexity of a root that lost its splits
                : cp_rows(counted, risk, params_.cp);
    alpha_ = params_.cp * root;
    at_ = thresholds(rows_, root);
    errors_.resize(rows_.size());
    squares_.resize(rows_.size());
    root_ = root;
  }

  void add(std::span<const std::int64_t> groups, std::int64_t group) {
    std::vector<double> kept = weights_;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (groups[i] == group) kept[i] = 0.0;
    const double weight = sorted_sum(kept);
    if (!(weight > 0.0))
      throw Error(ErrorCode::bad_data, fmt::format("outside group {} no row has a weight", group),
                  "use other groups");
    Prepared prepared = full_;
    prepared.case_weights = kept;
    prepared.values.weights.clear();
    prepared.values.rows.clear();
    prepared.values.total_weight = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] > 0.0) kept[i] = search_[i];
    to_fixed_point(prepared.values, kept, table_.n_rows());
    const Tree tree = grow_fold(prepared);
    const double scale = weight / total_;
    const std::vector<double> complexity =
        cp_complexity(tree, cp_risk(tree, params_.loss_matrix), alpha_ * scale);
    // Cutting changes no value of a shrunken tree, so that of the whole one answers at every complexity.
    score(shrink(tree, shrinkage_strength(model_)), complexity, scale, groups, group);
  }

  [[nodiscard]] std::vector<CpRow> finish() const {
    std::vector<CpRow> rows = rows_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double sum = sorted_sum(errors_[i]);
      rows[i].xerror = root_ > 0.0 ? sum / root_ : 0.0;
      const double spread = sorted_sum(squares_[i]) - sum * sum / total_;
      rows[i].xstd = root_ > 0.0 && spread > 0.0 ? std::sqrt(spread) / root_ : 0.0;
    }
    return rows;
  }

 private:
  Tree grow_fold(const Prepared& prepared) {
    Fingerprint fingerprint;
    std::string engine;
    return grow_prepared(table_, prepared, params_, execution_, fingerprint, engine, monitor_).tree;
  }

  // What an error on each class counts: its prior over its share of all rows.
  [[nodiscard]] std::vector<double> error_factors() const {
    std::vector<double> factors = class_shares(full_.values.classes.front(), weights_);
    const std::vector<std::string>& names = full_.targets.fields.front().levels.names;
    for (std::size_t c = 0; c < factors.size(); ++c) {
      const double prior = params_.priors.at(names[c]);
      factors[c] = factors[c] > 0.0 ? prior / factors[c] : 0.0;
    }
    return factors;
  }

  [[nodiscard]] double error(const Tree& tree, NodeId node, std::size_t row) {
    values_.resize(tree.value_width());
    tree.values(node, values_);
    double sum = 0.0;
    std::size_t first = 0;
    for (std::size_t o = 0; o < tree.n_outputs(); ++o) {
      const auto part = std::span<const double>(values_).subspan(first, tree.output_widths()[o]);
      first += part.size();
      if (tree.task() == Task::regression) {
        const double miss = full_.values.numbers[o].raw[row] - part.front();
        sum += miss * miss;
        continue;
      }
      const std::size_t truth = full_.values.classes[o].codes[row],
                        guess = choose_class(model_.parts(), part);
      const double loss =
          params_.loss_matrix.empty() ? (truth == guess ? 0.0 : 1.0) : params_.loss_matrix[truth][guess];
      sum += loss * (factors_.empty() ? 1.0 : factors_[truth]);
    }
    return sum / static_cast<double>(tree.n_outputs());
  }

  // Rows are few here and trees small: one row after the other.
  void score(const Tree& tree, std::span<const double> complexity, double scale,
             std::span<const std::int64_t> groups, std::int64_t group) {
    const RowReader reader(table_, model_.features());
    const auto n_columns = model_.features().fields.size();
    const std::int64_t step = block_rows(n_columns);
    std::vector<double> cells(n_columns * static_cast<std::size_t>(step));
    for (std::int64_t begin = 0; begin < table_.n_rows(); begin += step) {
      const auto count = static_cast<std::size_t>(std::min(step, table_.n_rows() - begin));
      const std::span<double> block(cells.data(), n_columns * count);
      reader.load(begin, static_cast<std::int64_t>(count), block);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = static_cast<std::size_t>(begin) + i;
        if (groups[row] != group || weights_[row] == 0.0) continue;
        run_down(tree, complexity, scale, CellBlock{begin, count, block}.row(i), row);
      }
    }
  }

  template <class Cells>
  void run_down(const Tree& tree, std::span<const double> complexity, double scale, const Cells& cells,
                std::size_t row) {
    NodeId node = 0;
    bool stuck = false;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      while (!stuck && !tree.is_leaf(node) && at_[i] * scale < complexity[static_cast<std::size_t>(node)]) {
        const std::int32_t child = route(tree, node, cells);
        stuck = child < 0;
        if (!stuck) node = tree.children(node)[static_cast<std::size_t>(child)];
      }
      const double miss = error(tree, node, row);
      errors_[i].push_back(miss * weights_[row]);
      squares_[i].push_back(miss * miss * weights_[row]);
    }
  }

  const Model& model_;
  const Table& table_;
  const Execution& execution_;
  Monitor& monitor_;
  Params params_;
  Prepared full_;
  std::vector<double> weights_, search_;  // of the rows: as given, and as search sees them
  std::vector<double> factors_;           // per class; empty: 1
  double total_ = 0.0, root_ = 0.0, alpha_ = 0.0;
  std::vector<CpRow> rows_;
  std::vector<double> at_;                             // complexity at which each row of the table is judged
  std::vector<std::vector<double>> errors_, squares_;  // per row of the table, of all rows that were judged
  std::vector<double> values_;
};

}  // namespace

Model cross_validate_cp(const Model& model, const Table& table, const FitSpec& spec,
                        std::span<const std::int64_t> groups, const Execution& execution) {
  if (model.trees().size() != 1)
    throw Error(ErrorCode::not_supported, "a cp table needs a model of one tree", "fit a single tree");
  refuse_treatment(model, "a cp table");
  refuse_honest(model.params());
  if (const std::int64_t fitted = model.parts().provenance.n_rows; fitted != table.n_rows())
    throw Error(ErrorCode::bad_data,
                fmt::format("the model was fitted on {} rows, but {} are given", fitted, table.n_rows()),
                "give the rows the model was fitted on");
  check_groups(groups, table.n_rows());
  Monitor monitor(report_to(execution));
  Model::Parts parts = model.parts();
  with_threads(execution.threads, [&] {
    Folds folds(model, table, spec, execution, monitor);
    for (const std::int64_t group : std::set<std::int64_t>(groups.begin(), groups.end()))
      folds.add(groups, group);
    parts.cp_table = folds.finish();
  });
  return Model(std::move(parts));
}

Model cross_validate_cp(const Model& model, const Table& table, const FitSpec& spec,
                        const std::string& group_column, const Execution& execution) {
  const auto at = table.find(group_column);
  if (!at)
    throw Error(ErrorCode::bad_data, fmt::format("there is no column '{}' to use as groups", group_column),
                "name a column of the table");
  const Levels levels = collect_levels(table.column(*at));
  std::vector<std::int32_t> codes(static_cast<std::size_t>(table.n_rows()));
  LevelReader(table.column(*at), levels).read(0, codes);
  const auto missing = std::find_if(codes.begin(), codes.end(), [](std::int32_t code) { return code < 0; });
  if (missing != codes.end())
    throw Error(ErrorCode::bad_data,
                fmt::format("the group '{}' is missing in row {}", group_column, missing - codes.begin() + 1),
                "every row needs a group");
  return cross_validate_cp(model, table, spec, std::vector<std::int64_t>(codes.begin(), codes.end()),
                           execution);
}

std::vector<std::int64_t> draw_groups(std::int64_t n_rows, std::int64_t folds, std::uint64_t seed) {
  if (folds < 2 || folds > n_rows)
    throw Error(ErrorCode::bad_params, fmt::format("{} folds cannot be made of {} rows", folds, n_rows),
                "use 2 folds or more, and no more than rows");
  return deal_groups(n_rows, folds, mix(seed, 0x6370));
}

}  // namespace bough
