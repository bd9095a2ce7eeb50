// SPDX-License-Identifier: Apache-2.0
// A tree as rpart prints it, one line per node, and its cp table.
//
//   1) root 81 17 absent (0.79012346 0.20987654)
//     2) Start> 8.5 62 6 absent (0.90322581 0.09677419)
//     3) Start<=8.5 19 8 present (0.42105263 0.57894737) *
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "explain/words.hpp"
#include "export/rpart_view.hpp"

namespace bough {
namespace {

std::string shares_text(std::span<const double> shares) {
  std::string text;
  for (const double share : shares) text += fmt::format("{}{:.8f}", text.empty() ? "(" : " ", share);
  return text + ")";
}

// Nodes in the order of a walk that takes the left child first.
std::vector<NodeId> walk(const RpartView& view) {
  std::vector<NodeId> order, open{0};
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    order.push_back(node);
    if (view.tree().is_leaf(node)) continue;
    const auto children = view.tree().children(node);
    open.push_back(children[1 - view.left(node)]);
    open.push_back(children[view.left(node)]);
  }
  return order;
}

}  // namespace

std::string rpart_text(const Model& model, int digits) {
  const RpartView view(model, digits);
  view.require_numbers();
  const Tree& tree = model.tree();
  const bool classes = model.task() == Task::classification;
  const bool one = model.n_outputs() == 1;
  std::string text =
      fmt::format("n= {}\n\nnode), split, n, {}, yval{}\n      * denotes terminal node\n\n", tree.n_rows(0),
                  classes ? "loss" : "deviance", classes && one ? ", (yprob)" : "");
  if (view.shrinkage() > 0.0)
    text += fmt::format("{} training rows; yval{} after shrinkage {:g}\n\n",
                        classes ? "loss is the least that one answer has for the" : "deviance is that of the",
                        classes && one ? " and (yprob) are" : " is", view.shrinkage());
  std::size_t width = 1;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    width = std::max(width, fmt::format("{}", view.number(node)).size());
  for (const NodeId node : walk(view)) {
    text +=
        fmt::format("{:>{}}) {} {} {} {}", view.number(node), 2 * view.depth(node) + width, view.label(node),
                    tree.n_rows(node), view.number_text(view.risk(node)), view.answer(node));
    if (classes && one) text += fmt::format(" {}", shares_text(view.shares(node)));
    text += tree.is_leaf(node) ? " *\n" : "\n";
  }
  return text;
}

std::string cp_text(const Model& model, int digits) {
  const RpartView view(model, digits);
  const Tree& tree = model.tree();
  std::vector<std::string> used;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node) && tree.column(node) >= 0)
      used.push_back(shown_name(model.features().fields[static_cast<std::size_t>(tree.column(node))].name));
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::string text = fmt::format("Columns used: {}\n\nRoot node error: {}/{} = {:.5g}\n\nn= {}\n\n",
                                 used.empty() ? "none" : fmt::format("{}", fmt::join(used, ", ")),
                                 view.number_text(view.risk(0)), view.number_text(tree.weight(0)),
                                 tree.weight(0) > 0.0 ? view.risk(0) / tree.weight(0) : 0.0, tree.n_rows(0));
  const std::vector<CpRow> rows = cp_table(model);
  const bool crossed = !std::isnan(rows.front().xerror);
  text += fmt::format("{:>4} {:>12} {:>7} {:>12}{}\n", "", "CP", "nsplit", "rel error",
                      crossed ? fmt::format(" {:>12} {:>12}", "xerror", "xstd") : "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("{:>4} {:>12.{}g} {:>7} {:>12.{}g}", i + 1, rows[i].cp, digits, rows[i].n_splits,
                        rows[i].rel_error, digits);
    if (crossed) text += fmt::format(" {:>12.{}g} {:>12.{}g}", rows[i].xerror, digits, rows[i].xstd, digits);
    text += '\n';
  }
  return text;
}

}  // namespace bough
