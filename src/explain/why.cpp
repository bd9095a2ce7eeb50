// SPDX-License-Identifier: Apache-2.0
// A node searched again: its rows found, its limits rebuilt, every column watched (split/exact/search_trace.hpp).
#include "bough/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bough/explain.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "explain/condition.hpp"
#include "explain/why_rows.hpp"
#include "explain/why_words.hpp"
#include "grow/fill.hpp"
#include "model/classics.hpp"
#include "model/grow_spec.hpp"
#include "model/priors.hpp"
#include "model/treatment.hpp"
#include "predict/predict.hpp"
#include "predict/route.hpp"
#include "split/exact/search_trace.hpp"

namespace bough {
namespace {

using RowIds = std::vector<RowId>;

void check(const Model& model, NodeId node, const WhySpec& spec) {
  if (model.params().honest)
    throw Error(
        ErrorCode::not_supported,
        "an honest tree chooses its splits on one half of the rows and counts the other half in its nodes",
        "fit the same tree without honest to see why it splits");
  const NodeId n_nodes = tree_at(model, spec.tree).n_nodes();
  if (node < 0 || node >= n_nodes)
    throw Error(ErrorCode::bad_params,
                fmt::format("there is no node {} in a tree of {}", node, shown_count(n_nodes, "node")),
                "nodes are counted from 0, the root, in preorder");
}

// How many of the steps every row takes.
std::vector<std::uint32_t> steps_taken(const Tree& tree, const RowReader& reader,
                                       std::span<const WhyStep> steps) {
  std::vector<std::uint32_t> taken(static_cast<std::size_t>(reader.n_rows()));
  for_blocks(reader, [&](const CellBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      std::uint32_t& count = taken[static_cast<std::size_t>(block.begin) + i];
      while (count < steps.size() && route(tree, steps[count].node, block.row(i)) == steps[count].child)
        ++count;
    }
  });
  return taken;
}

class Why {
 public:
  Why(const Model& model, const Table& table, NodeId node, const WhySpec& spec)
      : model_(model),
        spec_(spec),
        tree_(model.trees()[spec.tree]),
        node_(node),
        prepared_(prepare_why(model, table, spec)),
        criterion_(resolve_criterion(model.parts().criterion, model.task())),
        grow_(grow_spec(prepared_, model.params(), criterion_)),
        reader_(table, model.features()) {
    Fingerprint fingerprint;
    Monitor monitor;
    encoded_ = encode(table, model.features(), fingerprint, monitor);
    // Column costs and missing policies belong to the search; what else the surrogate engine keeps does not
    // matter.
    steps_ = steps_to(tree_, node);
    taken_ = steps_taken(tree_, reader_, steps_);
    rows_ = rows_after(steps_.size());
    if (rows_.empty()) refuse_no_rows(table, node);
  }

  WhySplit run() {
    WhySplit out =
        start_why(model_, node_, spec_, criterion_info(criterion_).measure, sides({rows_}).front());
    const std::vector<ColId> columns = allowed_columns();
    const std::vector<TracedColumn> watched =
        trace_columns({&encoded_, &prepared_.values, &grow_.engine, limits(), rows_, columns});
    std::vector<TracedColumn> ranked = watched;
    std::ranges::stable_sort(ranked, [](const TracedColumn& a, const TracedColumn& b) {
      return a.found != b.found ? a.found : a.found && a.key > b.key;
    });
    if (grow_.draw_ties) prefer_own(ranked);
    for (const TracedColumn& column : ranked) out.columns.push_back(describe_column(column));
    for (const Field& field : model_.features().fields) {
      const auto id = static_cast<ColId>(&field - model_.features().fields.data());
      if (std::ranges::find(columns, id) != columns.end()) continue;
      WhyColumn& column = out.columns.emplace_back();
      column.column = id;
      column.name = field.name;
      column.kind = field.kind;
      column.idle = "interaction_cst does not allow it below these columns";
    }
    compare(ranked, out);
    tell_arithmetic(model_, out);
    add_notes(out);
    return out;
  }

 private:
  // Of equal columns the one that the key of the node drew comes first: the tree's own, where it is among them.
  void prefer_own(std::vector<TracedColumn>& ranked) const {
    const auto own = std::ranges::find(ranked, tree_.column(node_), &TracedColumn::id);
    if (own != ranked.end() && own->found && own->key == ranked.front().key)
      std::rotate(ranked.begin(), own, own + 1);
  }

  [[nodiscard]] RowIds rows_after(std::size_t n_steps) const {
    RowIds rows;
    for (const RowId row : prepared_.values.rows)
      if (taken_[row] >= n_steps) rows.push_back(row);
    return rows;
  }

  // Statistics of sets of rows, by the code that fills the nodes of trees.
  [[nodiscard]] std::vector<WhySide> sides(const std::vector<std::span<const RowId>>& sets) const {
    TreeBuilder builder(model_.task(), {tree_.output_widths().begin(), tree_.output_widths().end()});
    const auto root = builder.root();
    Split split;
    split.kind = NodeKind::multiway;
    split.column = 0;
    const auto n = std::max<std::size_t>(sets.size(), 2);
    const auto first = builder.split(root, split, static_cast<std::int32_t>(n));
    std::vector<std::span<const RowId>> rows(n + 1, sets.front());
    std::ranges::copy(sets, rows.begin() + first);
    fill(builder, rows, prepared_.values, {criterion_, model_.params().quantile, {}, true});
    std::vector<WhySide> out;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      NodeStats stats = builder.stats(first + static_cast<TreeBuilder::Handle>(i));
      out.push_back({stats.n_rows, stats.weight, stats.impurity, std::move(stats.values)});
    }
    return out;
  }

  // The limits of the node: rows, weight, and what monotone columns above leave of the values.
  [[nodiscard]] Limits limits() const {
    Limits out;
    out.min_rows = grow_.min_samples_leaf;
    out.min_weight = grow_.min_weight_fraction_leaf * static_cast<double>(prepared_.values.total_weight);
    const std::vector<int>& signs = grow_.engine.monotone;
    out.monotone = !signs.empty();
    for (std::size_t i = 0; out.monotone && i < steps_.size(); ++i) {
      const int sign = signs[static_cast<std::size_t>(tree_.column(steps_[i].node))];
      if (sign == 0) continue;
      const RowIds here = rows_after(i), child = rows_after(i + 1);
      RowIds other;
      std::ranges::set_difference(here, child, std::back_inserter(other));
      const SideValues values =
          side_values(prepared_.values, grow_.engine, here, steps_[i].child == 0 ? child : other);
      const double middle = values.left / 2 + values.right / 2;
      ((sign > 0) == (steps_[i].child == 0) ? out.high : out.low) = middle;
    }
    return out;
  }

  // Columns that interaction_cst allows below those already tested.
  [[nodiscard]] std::vector<ColId> allowed_columns() const {
    std::vector<ColId> out;
    for (ColId id = 0; id < static_cast<ColId>(model_.features().fields.size()); ++id) {
      const bool fits =
          grow_.interactions.empty() || std::ranges::any_of(grow_.interactions, [&](const auto& group) {
            const auto holds = [&](ColId column) { return std::ranges::binary_search(group, column); };
            return holds(id) && std::ranges::all_of(steps_, [&](const WhyStep& step) {
                     return holds(tree_.column(step.node));
                   });
          });
      if (fits) out.push_back(id);
    }
    return out;
  }

  [[nodiscard]] double merit(const TracedCut& cut, double weight) const {
    return criterion_info(criterion_).score == SplitScore::decrease ? cut.gain / weight : cut.score;
  }

  [[nodiscard]] WhyCut public_cut(const TracedCut& cut, double weight) const {
    return {
        cut.threshold,
        cut.kind == NodeKind::equality ? std::vector{static_cast<std::uint32_t>(cut.threshold)} : cut.left,
        cut.missing_left,
        cut.allowed,
        static_cast<std::int64_t>(cut.left_rows),
        static_cast<std::int64_t>(cut.right_rows),
        cut.left_weight,
        cut.right_weight,
        cut.gain,
        merit(cut, weight)};
  }

  [[nodiscard]] WhyColumn describe_column(const TracedColumn& watched) const {
    const Field& field = model_.features().fields[static_cast<std::size_t>(watched.id)];
    WhyColumn out;
    out.column = watched.id;
    out.name = field.name;
    out.kind = field.kind;
    out.n_missing = static_cast<std::int64_t>(watched.n_missing);
    out.heuristic = watched.heuristic;
    if (!grow_.engine.full.costs.empty())
      out.cost = grow_.engine.full.costs[static_cast<std::size_t>(watched.id)];
    if (!watched.found) {
      out.idle = watched.constant ? "one value only" : "no test respects the limits";
    } else {
      RowIds right;
      std::ranges::set_difference(watched.rows, watched.left, std::back_inserter(right));
      std::vector<WhySide> all = sides({watched.rows, watched.left, right});
      out.here = std::move(all[0]);
      out.left = std::move(all[1]);
      out.right = std::move(all[2]);
      out.best = public_cut(watched.best, out.here.weight);
      out.test = split_words(model_, watched.split, 0);
    }
    if (field.kind == Kind::category)
      add_levels(watched, field, out);
    else if (!watched.cuts.empty())
      add_curve(watched, out);
    return out;
  }

  void add_levels(const TracedColumn& watched, const Field& field, WhyColumn& out) const {
    if (watched.levels.empty()) return;
    std::vector<std::span<const RowId>> sets;
    for (const TracedLevel& level : watched.levels) sets.emplace_back(level.rows);
    std::vector<WhySide> all = sides(sets);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::uint32_t level = watched.levels[i].level;
      const bool left = out.best && std::ranges::find(out.best->levels, level) != out.best->levels.end();
      out.levels.push_back({level, field.levels.names[level], left, std::move(all[i])});
    }
  }

  // Of the two cuts at a threshold, missing cells right or left, the better one.
  void add_curve(const TracedColumn& watched, WhyColumn& out) const {
    const double weight = out.best ? out.here.weight : sides({watched.rows}).front().weight;
    for (const TracedCut& cut : watched.cuts) out.curve.push_back(public_cut(cut, weight));
    std::ranges::stable_sort(out.curve, {}, &WhyCut::threshold);
    const auto better = [](const WhyCut& a, const WhyCut& b) {
      return a.allowed != b.allowed ? a.allowed : a.merit > b.merit;
    };
    const auto keep_best = [&](const auto& same_place) {
      std::vector<WhyCut> kept;
      for (WhyCut& cut : out.curve) {
        if (kept.empty() || !same_place(kept.back(), cut, kept.size()))
          kept.push_back(std::move(cut));
        else if (better(cut, kept.back()))
          kept.back() = std::move(cut);
      }
      out.curve = std::move(kept);
    };
    keep_best([](const WhyCut& a, const WhyCut& b, std::size_t) { return a.threshold == b.threshold; });
    const std::size_t n = out.curve.size(), most = spec_.most_points;
    if (most == 0 || n <= most) return;
    std::size_t at = 0;
    keep_best([&](const WhyCut&, const WhyCut&, std::size_t n_kept) { return ++at * most / n < n_kept; });
  }

  void compare(std::span<const TracedColumn> ranked, WhySplit& out) const {
    if (out.is_leaf) return;
    out.own_test = condition_text(model_, tree_, node_, 0);
    out.own_column = tree_.column(node_);
    if (ranked.empty() || !ranked.front().found) return;
    out.agrees = own_rows(ranked.front()) == ranked.front().left && ranked.front().id == out.own_column;
  }

  // Of the rows that took part in a column's search those that the tree sends to its first child.
  [[nodiscard]] RowIds own_rows(const TracedColumn& column) const {
    const WhyStep first{node_, 0};
    const std::vector<std::uint32_t> taken = steps_taken(tree_, reader_, std::span(&first, 1));
    RowIds rows;
    std::ranges::copy_if(column.rows, std::back_inserter(rows), [&](RowId row) { return taken[row] > 0; });
    return rows;
  }

  void add_notes(WhySplit& out) const {
    const Params& params = model_.params();
    if (!prepared_.value_scale.empty() || !params.priors.empty())
      out.notes.emplace_back("class weights are those of the search, with priors and losses");
    if (model_.parts().provenance.n_rows > 0 && model_.parts().provenance.n_rows != prepared_.n_rows)
      out.notes.push_back(fmt::format("the model was fitted on {} and these are {}",
                                      shown_count(model_.parts().provenance.n_rows, "row"),
                                      prepared_.n_rows));
    if (params.forest > 0 && params.bootstrap)
      out.notes.emplace_back("every tree drew a sample of the rows, and here each row counts once");
    if (params.pruning == "reduced_error")
      out.notes.emplace_back("pruning=reduced_error held some rows out of growing");
    if (params.oblique)
      out.notes.emplace_back("oblique trees also try sums of columns, which are not searched again here");
    if (out.is_leaf || out.agrees) return;
    if (params.splitter == "random") out.notes.emplace_back("splitter=random drew one cut per column");
    if (params.splitter == "hist")
      out.notes.emplace_back("splitter=hist looked at cuts between buckets only");
    if (params.search != "greedy")
      out.notes.emplace_back("the tree was searched as a whole: a test need not be the best by itself");
    if (params.tao > 0) out.notes.emplace_back("tao may have chosen the test again for the rest of the tree");
    if (params.max_features) out.notes.emplace_back("max_features let the search look at some columns only");
    if (out.notes.empty())
      out.notes.emplace_back(
          "the tree's own test is another: these may not be the rows or weights it was fitted with");
  }

  const Model& model_;
  const WhySpec& spec_;
  const Tree& tree_;
  NodeId node_;
  Prepared prepared_;
  CriterionId criterion_;
  GrowSpec grow_;
  RowReader reader_;
  EncodedTable encoded_;
  std::vector<WhyStep> steps_;
  std::vector<std::uint32_t> taken_;
  RowIds rows_;
};

}  // namespace

// The targets as fit() saw them, in the model's classes.
Prepared prepare_why(const Model& model, const Table& table, const WhySpec& spec) {
  refuse_treatment(model, "searching a node again");
  FitSpec fit;
  fit.weight = spec.weight;
  for (const Field& field : model.targets().fields) fit.targets.push_back(field.name);
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const std::string& name = table.name(i);
    if (!model.features().find(name) && !model.targets().find(name) && name != spec.weight)
      fit.ignored.push_back(name);
  }
  for (const ColumnSpec& column : schema_specs(model.features())) fit.columns.push_back(column);
  Params params = model.params();
  params.task = model.task() == Task::classification ? "classification" : "regression";
  Prepared prepared = prepare(table, fit, params);
  for (std::size_t o = 0; o < prepared.values.classes.size(); ++o) {
    const Levels& seen = prepared.targets.fields[o].levels;
    const Field& known = model.targets().fields[o];
    if (seen.names == known.levels.names) continue;
    std::vector<std::uint32_t> codes;
    // Truth values may be spelled in several ways.
    const bool truth = seen.type == Levels::Type::boolean && known.levels.type == seen.type;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const auto at =
          truth ? std::ranges::find(known.levels.numbers, seen.numbers[i]) - known.levels.numbers.begin()
                : std::ranges::find(known.levels.names, seen.names[i]) - known.levels.names.begin();
      if (at == std::ssize(known.levels.names))
        throw Error(ErrorCode::bad_data,
                    fmt::format("'{}' is not a class of the model's target '{}'", seen.names[i], known.name),
                    "give the rows the model was fitted on");
      codes.push_back(static_cast<std::uint32_t>(at));
    }
    ClassTarget& target = prepared.values.classes[o];
    target.n_classes = static_cast<std::uint32_t>(known.levels.size());
    for (std::uint32_t& code : target.codes) code = codes[code];
  }
  prepared.features = model.features();
  return prepared;
}

void refuse_no_rows(const Table& table, NodeId node) {
  throw Error(ErrorCode::bad_data,
              fmt::format("none of the {} reaches node {}", shown_count(table.n_rows(), "row"), node),
              "give the rows the model was fitted on");
}

WhySplit start_why(const Model& model, NodeId node, const WhySpec& spec, std::string_view measure,
                   WhySide here) {
  WhySplit out;
  out.node = node;
  out.tree = spec.tree;
  out.criterion = model.parts().criterion;
  out.measure = measure;
  out.is_leaf = model.trees()[spec.tree].is_leaf(node);
  out.here = std::move(here);
  return out;
}

std::vector<WhyStep> steps_to(const Tree& tree, NodeId node) {
  std::vector<WhyStep> steps;
  const std::vector<NodeId> parents = tree.parents();
  for (NodeId child = node; parents[static_cast<std::size_t>(child)] >= 0;) {
    const NodeId parent = parents[static_cast<std::size_t>(child)];
    const auto children = tree.children(parent);
    steps.push_back(
        {parent, static_cast<std::int32_t>(std::ranges::find(children, child) - children.begin())});
    child = parent;
  }
  std::ranges::reverse(steps);
  return steps;
}

WhySplit why_split(const Model& model, const Table& table, NodeId node, const WhySpec& spec) {
  check(model, node, spec);
  if (is_classic(model.params())) return why_classic(model, table, node, spec);
  return Why(model, table, node, spec).run();
}

}  // namespace bough
