// SPDX-License-Identifier: Apache-2.0
// A node of an ID3 or C4.5 tree searched again: parts of rows, many branches, gain and gain ratio
// (quinlan/watch.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "bough/explain.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "explain/condition.hpp"
#include "explain/why_rows.hpp"
#include "explain/words.hpp"
#include "model/classics.hpp"
#include "predict/predict.hpp"
#include "predict/route.hpp"
#include "quinlan/bags.hpp"
#include "quinlan/watch.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostBranches = 12;  // told in the arithmetic

WhySide side_of(std::int64_t n_rows, double weight, std::vector<double> classes) {
  const double impurity = weight > 0.0 ? scatter(classes, weight) / weight : 0.0;
  return {n_rows, weight, impurity, std::move(classes)};
}

class Classic {
 public:
  Classic(const Model& model, const Table& table, NodeId node, const WhySpec& spec)
      : model_(model),
        spec_(spec),
        tree_(model.trees()[spec.tree]),
        node_(node),
        prepared_(prepare_why(model, table, spec)),
        search_(quinlan_spec(model.params(), prepared_.n_rows)),
        steps_(steps_to(tree_, node)) {
    Fingerprint fingerprint;
    Monitor monitor;
    encoded_ = encode(table, model.features(), fingerprint, monitor);
    find_parts(RowReader(table, model.features()));
    if (parts_.empty()) refuse_no_rows(table, node);
  }

  WhySplit run() {
    WhySplit out =
        start_why(model_, node_, spec_, by_gain() ? "information gain in bits" : "gain ratio", node_side());
    const std::vector<char> used = used_columns();
    const QuinlanView view = watch_quinlan(encoded_, prepared_.values, search_, parts_, used);
    std::vector<std::size_t> order(view.columns.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if ((view.chosen == a) != (view.chosen == b)) return view.chosen == a;
      if (view.columns[a].found != view.columns[b].found) return view.columns[a].found;
      return view.columns[a].split.score > view.columns[b].split.score;
    });
    for (const std::size_t j : order) out.columns.push_back(describe(view.columns[j], j, used[j] != 0));
    if (!out.is_leaf) compare(view, out);
    tell(view, out);
    return out;
  }

 private:
  [[nodiscard]] bool by_gain() const { return search_.choice == QuinlanSpec::Choice::gain; }

  // Rows of the node with their weight there, as while growing.
  void find_parts(const RowReader& reader) {
    const Targets& values = prepared_.values;
    const ExactGrid grid = part_grid(values);
    std::vector<double> weights(static_cast<std::size_t>(reader.n_rows()), 0.0);
    for (const RowId row : values.rows) weights[row] = whole_weight(values, grid, row);
    const double least = search_.j48 ? 1e-6 : 0.0;
    for_blocks(reader, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        double& weight = weights[static_cast<std::size_t>(block.begin) + i];
        for (const WhyStep& step : steps_) {
          const std::int32_t way = route(tree_, step.node, block.row(i));
          const double part = tree_.child_shares(step.node)[static_cast<std::size_t>(step.child)];
          if (way == step.child) continue;
          weight = way == missing_by_share && part > least ? grid.nearest(weight * part) : 0.0;
          if (weight == 0.0) break;
        }
      }
    });
    for (const RowId row : values.rows)
      if (weights[row] > 0.0) parts_.push_back({row, weights[row]});
  }

  [[nodiscard]] WhySide node_side() const {
    std::vector<double> classes(prepared_.values.classes.front().n_classes);
    double weight = 0.0;
    for (const QuinlanPart& part : parts_) {
      classes[prepared_.values.classes.front().codes[part.row]] += part.weight;
      weight += part.weight;
    }
    return side_of(std::ssize(parts_), weight, std::move(classes));
  }

  // Columns that have nothing more to tell below the tests above.
  [[nodiscard]] std::vector<char> used_columns() const {
    std::vector<char> used(model_.features().fields.size(), 0);
    for (const WhyStep& step : steps_) {
      const NodeKind kind = tree_.kind(step.node);
      if ((kind == NodeKind::multiway && !search_.grouped) ||
          (kind == NodeKind::interval && search_.intervals == QuinlanSpec::Intervals::all_rows))
        used[static_cast<std::size_t>(tree_.column(step.node))] = 1;
    }
    return used;
  }

  [[nodiscard]] WhyColumn describe(const QuinlanColumnView& view, std::size_t j, bool used) const {
    const Field& field = model_.features().fields[j];
    WhyColumn out;
    out.column = static_cast<ColId>(j);
    out.name = field.name;
    out.kind = field.kind;
    out.n_missing = view.n_missing;
    out.here = node_side();
    for (const QuinlanCut& cut : view.curve)
      out.curve.push_back({cut.threshold,
                           {},
                           false,
                           cut.allowed,
                           0,
                           0,
                           cut.left,
                           cut.right,
                           cut.gain * out.here.weight,
                           cut.gain});
    if (!view.found) {
      out.idle = used            ? "already decided by a test above"
                 : view.constant ? "one value only"
                                 : "no test respects the limits";
      return out;
    }
    out.price = view.price;
    std::vector<double> known(out.here.values.size());
    double weight = 0.0;
    std::int64_t n_rows = 0;
    for (const QuinlanBranch& branch : view.branches) {
      for (std::size_t c = 0; c < known.size(); ++c) known[c] += branch.classes[c];
      weight += branch.weight;
      n_rows += branch.n_rows;
      out.branches.push_back(side_of(branch.n_rows, branch.weight, branch.classes));
    }
    out.here = side_of(n_rows, weight, std::move(known));
    out.left = out.branches[0];
    out.right = out.branches[1];
    out.best = WhyCut{view.split.threshold,
                      {},
                      false,
                      true,
                      out.left.n_rows,
                      out.right.n_rows,
                      out.left.weight,
                      out.right.weight,
                      view.split.gain,
                      view.split.score};
    out.test = test_words(view.split, view.branches.size());
    add_levels(view.split, out);
    return out;
  }

  [[nodiscard]] std::string test_words(const Split& split, std::size_t n_branches) const {
    if (split.kind == NodeKind::multiway || split.kind == NodeKind::interval)
      return fmt::format("{} in {} {}",
                         shown_name(model_.features().fields[static_cast<std::size_t>(split.column)].name),
                         n_branches, split.kind == NodeKind::interval ? "intervals" : "branches");
    return split_words(model_, split, 0);
  }

  void add_levels(const Split& split, WhyColumn& out) const {
    if (split.kind != NodeKind::multiway) return;
    const Field& field = model_.features().fields[static_cast<std::size_t>(split.column)];
    for (std::size_t i = 0; i < split.map_levels.size(); ++i)
      out.levels.push_back({split.map_levels[i], field.levels.names[split.map_levels[i]],
                            split.map_children[i] == 0, out.branches[split.map_children[i]]});
  }

  void compare(const QuinlanView& view, WhySplit& out) const {
    const Split own = tree_.split(node_);
    out.own_column = own.column;
    out.own_test = test_words(own, tree_.children(node_).size());
    if (view.chosen) {
      const Split& best = view.columns[*view.chosen].split;
      out.agrees = own.kind == best.kind && own.column == best.column && own.threshold == best.threshold &&
                   own.map_levels == best.map_levels && own.map_children == best.map_children &&
                   own.cuts == best.cuts;
    }
    if (!out.agrees)
      out.notes.emplace_back(
          "the tree's own test is another: pruning may have raised a branch, or these may not be the "
          "rows or weights it was fitted with");
  }

  [[nodiscard]] std::string side_words(const WhySide& side) const {
    std::vector<std::string> classes, terms;
    const std::vector<std::string>& names = model_.targets().fields.front().levels.names;
    for (std::size_t c = 0; c < side.values.size(); ++c) {
      if (!(side.values[c] > 0.0)) continue;
      const std::string share = shown_number(side.values[c] / side.weight);
      classes.push_back(fmt::format("{} {}", shown_name(names[c]), shown_number(side.values[c])));
      terms.push_back(fmt::format("{} log2 {}", share, share));
    }
    if (classes.empty()) return "no row";
    return fmt::format("weight {}: {}; entropy = -({}) = {}", shown_number(side.weight),
                       list_some(classes, 8), terms.size() <= 8 ? join(terms, " + ") : "...",
                       shown_number(side.impurity));
  }

  void tell(const QuinlanView& view, WhySplit& out) const {
    const auto line = [&](std::string text) { out.arithmetic.push_back(std::move(text)); };
    if (!view.chosen) {
      line(fmt::format("Node {}: {}. No column has a test.", node_, side_words(out.here)));
      return;
    }
    const WhyColumn& best = out.columns.front();
    const Split& split = view.columns[*view.chosen].split;
    line(by_gain() ? "information gain = entropy - weighted entropies of the branches, in bits."
                   : "gain ratio = information gain / split information, among columns with at least "
                     "average gain.");
    line(fmt::format("Node {}: {}", node_, side_words(best.here)));
    if (best.here.weight != out.here.weight)
      line(fmt::format("  (known cells only: {} of the weight {})", shown_number(best.here.weight),
                       shown_number(out.here.weight)));
    line(best.test + ":");
    std::string sum;
    const auto n = static_cast<std::int32_t>(best.branches.size());
    for (std::int32_t b = 0; b < n; ++b) {
      const WhySide& side = best.branches[static_cast<std::size_t>(b)];
      if (static_cast<std::size_t>(b) == kMostBranches) {
        line(fmt::format("  and {} more", n - b));
        sum += " - ...";
      }
      if (static_cast<std::size_t>(b) >= kMostBranches) continue;
      line(fmt::format("  {}: {}", split_words(model_, split, b, n), side_words(side)));
      sum += fmt::format(" - {}/{} * {}", shown_number(side.weight), shown_number(best.here.weight),
                         shown_number(side.impurity));
    }
    tell_result(view.columns[*view.chosen], best, sum, out);
  }

  void tell_result(const QuinlanColumnView& view, const WhyColumn& best, const std::string& sum,
                   WhySplit& out) const {
    const double all = out.here.weight;
    const std::string inner = shown_number(best.here.impurity) + sum;
    const std::string known =
        best.here.weight == all
            ? inner
            : fmt::format("{}/{} * ({})", shown_number(best.here.weight), shown_number(all), inner);
    const std::string price =
        view.price > 0.0 ? fmt::format(" - {} (price of the threshold)", shown_number(view.price)) : "";
    out.arithmetic.push_back(
        fmt::format("Information gain = {}{} = {}", known, price, shown_number(view.gain)));
    if (by_gain()) return;
    const double information = view.ratio != 0.0 ? view.gain / view.ratio : 0.0;
    out.arithmetic.push_back(fmt::format("Gain ratio = {} / {} = {}", shown_number(view.gain),
                                         shown_number(information), shown_number(view.ratio)));
  }

  const Model& model_;
  const WhySpec& spec_;
  const Tree& tree_;
  NodeId node_;
  Prepared prepared_;
  QuinlanSpec search_;
  std::vector<WhyStep> steps_;
  EncodedTable encoded_;
  std::vector<QuinlanPart> parts_;
};

}  // namespace

WhySplit why_classic(const Model& model, const Table& table, NodeId node, const WhySpec& spec) {
  return Classic(model, table, node, spec).run();
}

}  // namespace bough
