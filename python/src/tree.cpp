// SPDX-License-Identifier: Apache-2.0
// The nodes of a model's tree as numpy arrays, in scikit-learn's words where it has them.
#include <limits>

#include "bindings.hpp"

namespace bough::python {
namespace {

constexpr std::int64_t kNoChild = -1, kNoTest = -2;

template <class T, class Get>
nb::object column(const Tree& tree, Get get) {
  std::vector<T> out;
  out.reserve(static_cast<std::size_t>(tree.n_nodes()));
  for (NodeId node = 0; node < tree.n_nodes(); ++node) out.push_back(static_cast<T>(get(node)));
  return to_numpy(std::move(out));
}

nb::object child(const Tree& tree, std::size_t which) {
  return column<std::int64_t>(tree, [&](NodeId node) {
    const auto children = tree.children(node);
    return which < children.size() ? std::int64_t{children[which]} : kNoChild;
  });
}

// The number an inner node compares with; sets of levels and several cuts have none.
double threshold(const Tree& tree, NodeId node) {
  switch (tree.kind(node)) {
    case NodeKind::leaf:
      return static_cast<double>(kNoTest);
    case NodeKind::subset:
    case NodeKind::multiway:
    case NodeKind::interval:
      return std::numeric_limits<double>::quiet_NaN();
    default:
      return tree.threshold(node);
  }
}

// Values as the model holds them: class weights or numbers of every output, one node after the other.
nb::object values(const Tree& tree) {
  const auto n = static_cast<std::size_t>(tree.n_nodes());
  std::vector<double> out(n * tree.value_width());
  for (std::size_t i = 0; i < n; ++i)
    tree.values(static_cast<NodeId>(i), std::span(out).subspan(i * tree.value_width(), tree.value_width()));
  return to_numpy(std::move(out), {n, tree.value_width()});
}

nb::dict tree_arrays(const Model& model) {
  const Tree& tree = model.tree();
  nb::dict out;
  out["children_left"] = child(tree, 0);
  out["children_right"] = child(tree, 1);
  out["n_children"] = column<std::int32_t>(tree, [&](NodeId node) { return tree.children(node).size(); });
  out["kind"] = column<std::uint8_t>(tree, [&](NodeId node) { return tree.kind(node); });
  out["feature"] = column<std::int64_t>(
      tree, [&](NodeId node) { return tree.is_leaf(node) ? kNoTest : std::int64_t{tree.column(node)}; });
  out["threshold"] = column<double>(tree, [&](NodeId node) { return threshold(tree, node); });
  out["missing_to"] =
      column<std::int32_t>(tree, [&](NodeId node) { return tree.is_leaf(node) ? 1 : tree.missing_to(node); });
  out["impurity"] = column<double>(tree, [&](NodeId node) { return tree.impurity(node); });
  out["gain"] = column<double>(tree, [&](NodeId node) { return tree.gain(node); });
  out["n_node_samples"] = column<std::int64_t>(tree, [&](NodeId node) { return tree.n_rows(node); });
  out["weighted_n_node_samples"] = column<double>(tree, [&](NodeId node) { return tree.weight(node); });
  out["values"] = values(tree);
  out["widths"] = std::vector<std::int64_t>(tree.output_widths().begin(), tree.output_widths().end());
  out["max_depth"] = tree.depth();
  nb::dict extras;
  for (const auto& [name, numbers] : tree.extras())
    extras[name.c_str()] = to_numpy(std::vector<double>(numbers));
  out["extras"] = std::move(extras);
  return out;
}

const Tree& inner(const Model& model, NodeId node) {
  const Tree& tree = model.tree();
  if (node < 0 || node >= tree.n_nodes() || tree.is_leaf(node))
    throw Error(ErrorCode::bad_params, "there is no inner node " + std::to_string(node));
  return tree;
}

}  // namespace

void add_trees(nb::module_& module) {
  module.def("tree_arrays", &tree_arrays, "model"_a, "Arrays with one entry per node, in preorder.");
  module.def(
      "node_children",
      [](const Model& model, NodeId node) {
        const auto span = inner(model, node).children(node);
        return std::vector<NodeId>(span.begin(), span.end());
      },
      "model"_a, "node"_a);
  module.def(
      "node_levels",
      [](const Model& model, NodeId node) {
        const Tree& tree = inner(model, node);
        const auto levels = tree.map_levels(node);
        const auto children = tree.map_children(node);
        return nb::make_tuple(std::vector<std::uint32_t>(levels.begin(), levels.end()),
                              std::vector<std::uint16_t>(children.begin(), children.end()));
      },
      "model"_a, "node"_a, "Level indices a node knows, and the child of each.");
  module.def(
      "node_terms",
      [](const Model& model, NodeId node) {
        std::vector<std::pair<ColId, double>> terms;
        for (const ObliqueTerm& term : inner(model, node).terms(node))
          terms.emplace_back(term.column, term.weight);
        nb::list out;
        for (const auto& [at, weight] : terms) out.append(nb::make_tuple(at, weight));
        return out;
      },
      "model"_a, "node"_a);
}

}  // namespace bough::python
