// SPDX-License-Identifier: Apache-2.0
// A tree of the right size without being told which.
//
// Two families of trees are tried: the cost-complexity path of the grown tree, judged at prices between those of the
// path as in cost_complexity_cv.cpp, and the trees that one search finds for every number of leaves. Every tree is
// judged by rows it has not seen, under every strength of shrinkage, which changes only what nodes answer: trees are
// made once per fold. Log loss decides between them, because errors alone do not see how sure a leaf is. For numbers, and
// where nothing is searched (large tables), the size is that of pruning=cost_complexity: under shrinkage more leaves
// hardly ever hurt, so that it would lead to trees of thousands. Of numbers a searched tree takes the place of a pruned one
// that is small, where it has no more leaves and no higher loss.
#include "model/choose_tree.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "grow/shrink.hpp"
#include "model/path_errors.hpp"
#include "model/searched.hpp"
#include "model/shrinkage.hpp"

namespace bough {
namespace {

// Errors of all trees of a family under every strength: by the loss that decides, and by the error that people count.
class FamilyErrors {
 public:
  FamilyErrors(const Prepared& prepared, const Loss& error, const std::vector<double>& strengths,
               std::size_t n_trees)
      : strengths_(strengths), two_losses_(prepared.task == Task::classification) {
    const Loss loss = two_losses_ ? Loss{Loss::Kind::log, 0.5} : error;
    for (std::size_t s = 0; s < strengths.size(); ++s) {
      sums_.emplace_back(prepared, loss, n_trees);
      if (two_losses_) sums_.emplace_back(prepared, error, n_trees);
    }
  }

  // add(sums, answers of nodes) for every strength and loss.
  template <class Add>
  void add(const Tree& tree, const Add& add_to) {
    parallel_for(strengths_.size(), [&](std::size_t s) {
      const NodeValues answers =
          strengths_[s] == 0.0 ? stored_values(tree) : shrunken_answers(tree, strengths_[s]);
      for (std::size_t l = 0; l < n_losses(); ++l) add_to(sums_[s * n_losses() + l], answers);
    });
  }

  // Errors without shrinkage (or under the only strength).
  [[nodiscard]] PathErrors::Means plain(const std::vector<double>& judged) const {
    return sums_[n_losses() - 1].means(judged);
  }

  // Rows of the table, each under its best strength; leaves and training errors are to be filled in.
  [[nodiscard]] std::vector<SizeRow> rows(const std::vector<double>& judged, std::size_t n_trees) const {
    std::vector<PathErrors::Means> means;
    for (const PathErrors& one : sums_) means.push_back(one.means(judged));
    std::vector<SizeRow> out(n_trees);
    for (std::size_t i = 0; i < n_trees; ++i) {
      std::size_t best = 0;
      for (std::size_t s = 1; s < strengths_.size(); ++s)
        if (means[s * n_losses()].errors[i] < means[best * n_losses()].errors[i]) best = s;
      const PathErrors::Means& loss = means[best * n_losses()];
      out[i].shrinkage = strengths_[best];
      out[i].loss = loss.errors[i];
      out[i].standard_loss = loss.standard_errors[i];
      const PathErrors::Means& error = means[best * n_losses() + n_losses() - 1];
      out[i].error = error.errors[i];
      out[i].standard_error = error.standard_errors[i];
    }
    return out;
  }

 private:
  [[nodiscard]] std::size_t n_losses() const { return two_losses_ ? 2 : 1; }
  const std::vector<double>& strengths_;
  bool two_losses_;
  std::vector<PathErrors> sums_;  // per strength: the loss, then the error where it is another one
};

std::vector<double> weights_of(const Prepared& prepared, std::size_t n_rows) {
  std::vector<double> weights(n_rows, 0.0);
  for (const RowId row : prepared.values.rows)
    weights[row] = prepared.weights.empty() ? 1.0 : prepared.weights[row];
  return weights;
}

// How trees of a table are compared: by loss and a price per leaf, among those of at most so many leaves.
struct Taste {
  NodeId leaves = std::numeric_limits<NodeId>::max();
  double price = 0.0;
  double slack = kCloseLoss;  // in standard errors of the loss
};

// The smallest tree that is within the slack of the best one; of equal sizes the lower loss, of equal losses the first.
// The first row is one leaf.
std::size_t smallest_good(const std::vector<SizeRow>& rows, const Taste& taste) {
  const auto cost = [&](std::size_t i) { return rows[i].loss + taste.price * rows[i].leaves; };
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].leaves <= taste.leaves && cost(i) < cost(lowest)) lowest = i;
  const double most = cost(lowest) + taste.slack * rows[lowest].standard_loss;
  std::size_t best = lowest;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (cost(i) > most || rows[i].leaves > taste.leaves) continue;
    if (rows[i].leaves < rows[best].leaves ||
        (rows[i].leaves == rows[best].leaves && rows[i].loss < rows[best].loss))
      best = i;
  }
  return best;
}

class Choice {
 public:
  Choice(const PruningJob& job, const Train& train, Monitor& monitor)
      : job_(job),
        train_(train),
        monitor_(monitor),
        error_(natural_loss(job.criterion, job.prepared.task, job.params.quantile)),
        reader_(job.table, job.prepared.features),
        strengths_(job.params.shrinkage.strength > 0.0 ? std::vector<double>{job.params.shrinkage.strength}
                                                       : strengths_by(mean_weight(job.prepared))),
        all_(weights_of(job.prepared, static_cast<std::size_t>(job.table.n_rows()))) {}

  PrunedTree run() {
    const Params& params = job_.params;
    const Folds folds = make_folds(job_.table, job_.prepared, job_.spec.folds, params.pruning_folds,
                                   static_cast<std::uint64_t>(params.seed));
    for (std::int32_t fold = 0; fold < folds.n; ++fold)
      parts_.push_back(fold_rows(job_.prepared, folds, fold, judged_));
    SizeTable table;
    table.folds = folds.n;
    table.measure = loss_name(error_);
    table.rows = grown_rows();
    const std::size_t n_grown = table.rows.size();
    const std::size_t pruned_row = n_grown - 1 - chosen_price(prices_, params.pruning_rule);
    const bool classes = job_.prepared.task == Task::classification;
    // Numbers take a searched tree in place of a small pruned one alone: large ones are far better.
    std::vector<SizedTrees> searched;
    if (classes || table.rows[pruned_row].leaves <= kMostPrunedLeaves) searched = search_trees();
    if (!searched.empty()) {
      const std::vector<SizeRow> more = searched_rows(searched);
      table.rows.insert(table.rows.end(), more.begin(), more.end());
    }
    table.chosen =
        classes && !searched.empty() ? readable(table.rows) : smaller_and_no_worse(table.rows, pruned_row);
    PrunedTree out =
        table.chosen < n_grown ? pruned(table.chosen) : found(searched.front(), table.chosen - n_grown);
    out.sizes = thinned(std::move(table));
    if (const std::string note = idle_work_limit(job_.prepared, params); !note.empty())
      out.grown.notes.push_back(note);
    return out;
  }

 private:
  // A tree that can be searched is to be read, so every leaf has to pay; unless that makes far more errors than a
  // large tree, or the user says how many leaves there may be.
  [[nodiscard]] std::size_t readable(const std::vector<SizeRow>& rows) const {
    const bool one_se = job_.params.pruning_rule == "one_se";
    Taste any;
    if (one_se) any.slack = 1.0;
    if (job_.params.max_leaf_nodes) any.leaves = *job_.params.max_leaf_nodes;
    const std::size_t large = smallest_good(rows, any);
    if (job_.params.max_leaf_nodes) return large;
    Taste paid;
    paid.price = kLeafShare * rows.front().loss;
    paid.slack = one_se ? 1.0 : 0.0;
    const std::size_t small = smallest_good(rows, paid);
    const bool far = rows[large].error + rows[large].standard_error < rows[small].error &&
                     rows[large].error <= kFarFewerErrors * rows[small].error;
    return far ? large : small;
  }

  // The pruned tree, or the smallest of the searched ones that have no more leaves and no higher loss.
  [[nodiscard]] static std::size_t smaller_and_no_worse(const std::vector<SizeRow>& rows,
                                                        std::size_t pruned) {
    std::size_t best = pruned;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].searched || rows[i].leaves > rows[best].leaves || rows[i].loss > rows[pruned].loss)
        continue;
      if (rows[i].leaves < rows[best].leaves || rows[i].loss < rows[best].loss) best = i;
    }
    return best;
  }

  [[nodiscard]] PruningPath path_of(const Tree& tree) const {
    return cost_complexity_path(tree, named_risk(tree, job_.params.pruning_risk));
  }

  // From one leaf to the full tree.
  std::vector<SizeRow> grown_rows() {
    grown_ = train_(job_.prepared);
    path_ = path_of(grown_.tree);
    prices_ = distinct_prices(path_);
    const std::vector<double> prices = middles(prices_.alphas);
    FamilyErrors errors(job_.prepared, error_, strengths_, prices.size());
    for (const FoldRows& part : parts_) {
      const Grown grown = train_(part.grown);
      const JudgeRows rows = judge_rows(job_.prepared, reader_, part.weights);
      const std::vector<RowEnd> ends = row_ends(grown.tree, rows);
      const PruningPath path = path_of(grown.tree);
      errors.add(grown.tree, [&](PathErrors& sums, const NodeValues& answers) {
        sums.add_path(grown.tree, path, rows, ends, answers, prices);
      });
    }
    PathErrors::Means plain = errors.plain(judged_);
    prices_.errors = std::move(plain.errors);
    prices_.standard_errors = std::move(plain.standard_errors);
    prices_.folds = static_cast<std::int32_t>(parts_.size());
    prices_.risk = job_.params.pruning_risk;
    prices_.rule = job_.params.pruning_rule;
    prices_.measure = loss_name(error_);
    std::vector<SizeRow> out = errors.rows(judged_, prices.size());
    PathErrors training(job_.prepared, error_, prices.size());
    const JudgeRows rows = judge_rows(job_.prepared, reader_, all_);
    training.add_path(grown_.tree, path_, rows, row_ends(grown_.tree, rows), stored_values(grown_.tree),
                      prices_.alphas);
    const std::vector<double> on_training = training.means(positive(all_)).errors;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].leaves = prices_.n_leaves[i];
      out[i].training_error = on_training[i];
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  std::vector<SizedTrees> search_trees() {
    std::vector<const Prepared*> rows{&job_.prepared};
    for (const FoldRows& part : parts_) rows.push_back(&part.grown);
    return search_sizes(job_.table, rows, job_.params, monitor_);
  }

  std::vector<SizeRow> searched_rows(const std::vector<SizedTrees>& searched) {
    const std::size_t n_trees = searched.front().trees.size();
    FamilyErrors errors(job_.prepared, error_, strengths_, n_trees);
    for (std::size_t fold = 0; fold < parts_.size(); ++fold) {
      const JudgeRows rows = judge_rows(job_.prepared, reader_, parts_[fold].weights);
      for (std::size_t i = 0; i < n_trees; ++i) {
        const std::vector<Tree>& trees = searched[fold + 1].trees;
        const Tree& tree = trees[std::min(i, trees.size() - 1)];
        const std::vector<RowEnd> ends = row_ends(tree, rows);
        errors.add(tree, [&](PathErrors& sums, const NodeValues& answers) {
          sums.add_tree(i, tree, rows, ends, answers);
        });
      }
    }
    std::vector<SizeRow> out = errors.rows(judged_, n_trees);
    const double weight = searched.front().trees.front().weight(0);
    for (std::size_t i = 0; i < n_trees; ++i) {
      out[i].searched = true;
      out[i].leaves = searched.front().trees[i].n_leaves();
      out[i].training_error = searched.front().proofs[i].errors / weight;
    }
    return out;
  }

  PrunedTree pruned(std::size_t row) {
    prices_.chosen = prices_.alphas.size() - 1 - row;
    grown_.tree = prune(grown_.tree, path_, above_zero(prices_.alphas[prices_.chosen]));
    return {std::move(grown_), std::move(prices_)};
  }

  static PrunedTree found(SizedTrees& searched, std::size_t i) {
    Grown grown{std::move(searched.trees[i]), false, searched.proofs[i], std::move(searched.notes)};
    return {std::move(grown), {}};
  }

  // Of large trees every tenth size in proportion is kept, beside the chosen one and the ends; of searched ones those
  // that differ.
  static SizeTable thinned(SizeTable table) {
    constexpr NodeId kAll = 64;
    std::vector<SizeRow> kept;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const SizeRow& row = table.rows[i];
      const bool last = i + 1 == table.rows.size() || table.rows[i + 1].searched != row.searched;
      const bool same = !kept.empty() && kept.back().searched == row.searched &&
                        (row.leaves <= kAll ? row.leaves == kept.back().leaves
                                            : row.leaves < kept.back().leaves + kept.back().leaves / 10);
      if (i == table.chosen) chosen = kept.size();
      if (!same || last || i == table.chosen) kept.push_back(row);
    }
    table.rows = std::move(kept);
    table.chosen = chosen;
    return table;
  }

  static std::vector<double> positive(const std::vector<double>& weights) {
    std::vector<double> out;
    for (const double weight : weights)
      if (weight > 0.0) out.push_back(weight);
    return out;
  }

  const PruningJob& job_;
  const Train& train_;
  Monitor& monitor_;
  Loss error_;
  RowReader reader_;
  std::vector<double> strengths_;
  std::vector<double> all_, judged_;  // weights of rows: per row; of those that judged, in any order
  std::vector<FoldRows> parts_;
  Grown grown_;
  PruningPath path_;
  PruningTable prices_;
};

}  // namespace

PrunedTree choose_by_folds(const PruningJob& job, const Train& train, Monitor& monitor) {
  if (job.prepared.n_rows < kLeastRowsToChoose) return {train(job.prepared), {}};
  return Choice(job, train, monitor).run();
}

Model choose_tree(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution) {
  Params chosen = params;
  chosen.search = "auto";
  return fit(table, spec, chosen, execution);
}

}  // namespace bough
