// SPDX-License-Identifier: Apache-2.0
// Changes of node values along ways, and the largest of them in words.
#include "bough/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/causal.hpp"
#include "bough/explain.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "explain/outcome.hpp"
#include "explain/tree_shapley.hpp"
#include "model/combine.hpp"
#include "predict/predict.hpp"
#include "predict/walk.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostNumbers = 200'000'000;
constexpr std::size_t kMostTests = 4;  // told per column

void refuse_oblique(const Model& model) {
  for (std::size_t i = 0; i < model.trees().size(); ++i) {
    const Tree& tree = model.trees()[i];
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (tree.kind(node) == NodeKind::oblique)
        throw Error(
            ErrorCode::not_supported,
            fmt::format("node {} of tree {} tests a sum of columns, so its gain belongs to no single one",
                        node, i),
            "fit a tree whose tests look at one column each");
  }
}

// Values of the nodes of one tree, and the changes between them.
class Changes {
 public:
  Changes(const Model& model, std::size_t tree)
      : tree_(model.trees()[tree]),
        values_(model.parts(), tree_),
        votes_(model.parts().combine == Combine::vote) {}

  /// Adds scale * the changes on the way of a row to out[column * width + value].
  template <class Cells>
  void add(const Cells& cells, double scale, std::span<double> out) const {
    const std::size_t width = tree_.value_width();
    std::vector<double> here(width), next(width);
    bool split = false;
    walk(cells, [&](NodeId node, double share, NodeId child, double child_share) {
      split |= child_share != share;
      values_.write(node, here);
      values_.write(child, next);
      const std::span<double> credit =
          out.subspan(static_cast<std::size_t>(tree_.column(node)) * width, width);
      for (std::size_t i = 0; i < width; ++i) credit[i] += scale * child_share * (next[i] - here[i]);
    });
    if (split && votes_)
      throw Error(ErrorCode::not_supported,
                  "a missing cell sends a row to several leaves before its tree votes",
                  "fill in the missing cells");
  }
  void root(std::span<double> out) const { values_.write(0, out); }
  void write(NodeId node, std::span<double> out) const { values_.write(node, out); }

  /// Calls visit(node, share of the row there, child, share of the row that goes on) for every step.
  template <class Cells, class Visit>
  void walk(const Cells& cells, const Visit& visit) const {
    std::vector<std::pair<NodeId, double>> open{{0, 1.0}};
    while (!open.empty()) {
      const auto [node, share] = open.back();
      open.pop_back();
      if (tree_.is_leaf(node)) continue;
      const std::int32_t way = route(tree_, node, cells);
      if (way == missing_stops) continue;
      const auto children = tree_.children(node);
      for (std::size_t c = children.size(); c-- > 0;) {
        const double part = way == missing_by_share               ? share * tree_.child_shares(node)[c]
                            : way == static_cast<std::int32_t>(c) ? share
                                                                  : 0.0;
        if (part == 0.0) continue;
        visit(node, share, children[c], part);
        open.emplace_back(children[c], part);
      }
    }
  }

 private:
  const Tree& tree_;
  EndingValues values_;
  bool votes_;
};

// The number that is followed.
std::size_t followed_output(const Model& model, const ReasonsSpec& spec, std::span<const double> answer) {
  std::size_t target = 0;
  if (!spec.target.empty()) {
    const auto found = model.targets().find(spec.target);
    if (!found)
      throw Error(ErrorCode::bad_params, fmt::format("the model has no target '{}'", spec.target),
                  fmt::format("the first is '{}'", model.targets().fields.front().name));
    target = *found;
  }
  const std::size_t start = output_start(model.parts(), target);
  if (model.task() == Task::regression) return start;
  const std::vector<std::string>& names = model.targets().fields[target].levels.names;
  if (spec.label.empty()) return start + static_cast<std::size_t>(answer[target]);
  const auto at = std::ranges::find(names, spec.label);
  if (at == names.end())
    throw Error(ErrorCode::bad_params,
                fmt::format("'{}' is not a class of '{}'", spec.label, model.targets().fields[target].name),
                fmt::format("the classes are {}", list_some(names, 12)));
  return start + static_cast<std::size_t>(at - names.begin());
}

std::string change_words(const Model& model, double change) {
  if (model.task() == Task::regression)
    return fmt::format("{} it by {}", change < 0.0 ? "lowers" : "raises", shown_number(std::fabs(change), 4));
  return fmt::format("{} the probability by {} points", change < 0.0 ? "lowers" : "raises",
                     shown_number(100.0 * std::fabs(change), 3));
}

std::string label_words(const Model& model, const Reasons& out) {
  for (const Field& target : model.targets().fields) {
    const auto level = std::ranges::find(target.levels.names, out.label);
    if (target.name == out.target && level != target.levels.names.end())
      return class_words(target, static_cast<std::size_t>(level - target.levels.names.begin()));
  }
  return shown_name(out.label);
}

void tell(const Model& model, const ReasonsSpec& spec, Reasons& out) {
  const bool classes = model.task() == Task::classification;
  const auto shown = [&](double value) {
    return classes ? shown_share(value) : shown_number(value, answer_digits(model));
  };
  const std::string subject = classes            ? "The probability of " + label_words(model, out)
                              : is_causal(model) ? "The " + effect_words(model)
                                                 : shown_name(out.target);
  const std::string base =
      model.trees().size() == 1
          ? fmt::format("over all training rows it is {}", shown(out.base))
          : fmt::format("averaged over the trees, it is {} for their training rows", shown(out.base));
  out.sentences.push_back(fmt::format("{} is {}; {}.", subject, shown(out.value), base));
  std::size_t told = 0;
  for (const Reason& reason : out.reasons) {
    if (told++ == spec.most || reason.change == 0.0) break;
    out.sentences.push_back(fmt::format("{} {}.", reason.tests, change_words(model, reason.change)));
  }
  if (out.reasons.empty())
    out.sentences.push_back(fmt::format("The tree tests no column: every row gets the same {}.",
                                        is_causal(model) ? "effect" : "prediction"));
}

// What held on the way of a row, per column.
template <class Cells>
std::vector<std::vector<std::string>> tests_on_way(const Model& model, const Cells& cells) {
  std::vector<std::vector<std::string>> tests(model.features().fields.size());
  for (std::size_t i = 0; i < model.trees().size(); ++i) {
    const Tree& tree = model.trees()[i];
    Changes(model, i).walk(cells, [&](NodeId node, double, NodeId child, double) {
      std::vector<std::string>& own = tests[static_cast<std::size_t>(tree.column(node))];
      if (own.size() > kMostTests) return;
      const auto children = tree.children(node);
      const auto number = static_cast<std::int32_t>(std::ranges::find(children, child) - children.begin());
      std::string words = condition_text(model, tree, node, number);
      if (std::isnan(cells(tree.column(node))))
        words = fmt::format(
            "{} missing (as if {})",
            shown_name(model.features().fields[static_cast<std::size_t>(tree.column(node))].name), words);
      if (std::ranges::find(own, words) == own.end()) own.push_back(std::move(words));
    });
  }
  return tests;
}

}  // namespace

Reasons top_reasons(const Model& model, const Table& table, std::int64_t row, const ReasonsSpec& spec) {
  refuse_oblique(model);
  const RowReader reader(table, model.features());
  if (row < 0 || row >= reader.n_rows())
    throw Error(ErrorCode::bad_params,
                fmt::format("there is no row {} in a table of {}", row, shown_count(reader.n_rows(), "row")),
                "rows are counted from 0");
  std::vector<double> cells(reader.n_columns()), answer(model.n_outputs());
  reader.load(row, 1, cells);
  model.predict_row(std::span<const double>(cells), answer);
  const std::size_t followed = followed_output(model, spec, answer);
  const auto cell = [&](ColId column) { return cells[static_cast<std::size_t>(column)]; };
  const std::size_t width = value_width(model.parts());
  std::vector<double> changes(cells.size() * width), root(width);
  Reasons out;
  const double scale = 1.0 / static_cast<double>(model.trees().size());
  for (std::size_t i = 0; i < model.trees().size(); ++i) {
    const Changes tree(model, i);
    tree.add(cell, scale, changes);
    tree.root(root);
    out.base += scale * root[followed];
  }
  const ShapOutput output = explained_outputs(model)[followed];
  out.target = output.target;
  out.label = output.label;
  out.value = out.base;
  const std::vector<std::vector<std::string>> tests = tests_on_way(model, cell);
  for (std::size_t j = 0; j < cells.size(); ++j) {
    out.value += changes[j * width + followed];
    if (tests[j].empty()) continue;
    std::vector<std::string> shown(tests[j].begin(), tests[j].begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                            tests[j].size(), kMostTests)));
    if (tests[j].size() > kMostTests) shown.emplace_back("more");
    out.reasons.push_back({static_cast<ColId>(j), model.features().fields[j].name, join(shown, " and "),
                           changes[j * width + followed]});
  }
  std::ranges::stable_sort(out.reasons, std::greater<>(),
                           [](const Reason& one) { return std::fabs(one.change); });
  tell(model, spec, out);
  return out;
}

ShapValues path_changes(const Model& model, const Table& rows, const Execution& execution) {
  refuse_oblique(model);
  const RowReader reader(rows, model.features());
  ShapValues out;
  out.n_rows = reader.n_rows();
  out.n_columns = reader.n_columns();
  out.outputs = explained_outputs(model);
  const std::size_t width = out.outputs.size(), per_row = out.n_columns * width;
  out.values.assign(static_cast<std::size_t>(out.n_rows) * per_row, 0.0);
  out.expected.assign(width, 0.0);
  const double scale = 1.0 / static_cast<double>(model.trees().size());
  std::vector<Changes> trees;
  std::vector<double> root(width);
  for (std::size_t i = 0; i < model.trees().size(); ++i) {
    trees.emplace_back(model, i);
    trees.back().root(root);
    for (std::size_t o = 0; o < width; ++o) out.expected[o] += scale * root[o];
  }
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i)
        for (const Changes& tree : trees)
          tree.add(
              block.row(i), scale,
              std::span(out.values).subspan((static_cast<std::size_t>(block.begin) + i) * per_row, per_row));
    });
  });
  return out;
}

LeafChanges leaf_changes(const Model& model, std::size_t tree_index) {
  refuse_oblique(model);
  const Tree& tree = tree_at(model, tree_index);
  const Changes changes(model, tree_index);
  LeafChanges out;
  out.n_columns = model.features().fields.size();
  out.outputs = explained_outputs(model);
  const std::size_t width = out.outputs.size(), per_leaf = out.n_columns * width;
  if (static_cast<std::size_t>(tree.n_leaves()) > kMostNumbers / std::max<std::size_t>(per_leaf, 1))
    throw Error(ErrorCode::not_supported,
                fmt::format("{} leaves, {} columns and {} outputs are too many numbers", tree.n_leaves(),
                            out.n_columns, width),
                "ask for the changes of some rows instead, or prune the tree");
  // One way is kept; a node's entry is undone when its subtree is left.
  std::vector<double> way(per_leaf), here(width), next(width);
  struct Open {
    NodeId node;
    std::size_t next;
    std::vector<double> before;  // of the parent's column
  };
  std::vector<Open> open;
  open.push_back({0, 0, {}});
  const std::vector<NodeId> parents = tree.parents();
  const auto entry = [&](NodeId node) {
    return std::span(way).subspan(static_cast<std::size_t>(tree.column(node)) * width, width);
  };
  while (!open.empty()) {
    const NodeId node = open.back().node;
    const auto children = tree.children(node);
    if (open.back().next < children.size()) {
      const NodeId child = children[open.back().next++];
      const std::span<double> own = entry(node);
      std::vector<double> before(own.begin(), own.end());
      changes.write(node, here);
      changes.write(child, next);
      for (std::size_t i = 0; i < width; ++i) own[i] += next[i] - here[i];
      open.push_back({child, 0, std::move(before)});
      continue;
    }
    if (tree.is_leaf(node)) {
      out.leaves.push_back(node);
      out.values.insert(out.values.end(), way.begin(), way.end());
    }
    if (const NodeId parent = parents[static_cast<std::size_t>(node)]; parent >= 0)
      std::ranges::copy(open.back().before, entry(parent).begin());
    open.pop_back();
  }
  return out;
}

std::string to_json(const Reasons& reasons) {
  Json list = Json::array();
  for (const Reason& reason : reasons.reasons)
    list.push_back({{"column", reason.name}, {"tests", reason.tests}, {"change", reason.change}});
  Json json{{"target", reasons.target}};
  if (!reasons.label.empty()) json["class"] = reasons.label;
  json["base"] = reasons.base;
  json["value"] = reasons.value;
  json["reasons"] = std::move(list);
  json["sentences"] = reasons.sentences;
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
