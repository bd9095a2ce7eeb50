// SPDX-License-Identifier: Apache-2.0
// A tree as columns of numbers: everything that routing, drawing and pruning in the page need.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bough/prune.hpp"
#include "explain/outcome.hpp"
#include "model/effect_interval.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

constexpr std::size_t kDenseValues = 32;  // wider ones travel without their zeros

// Adds a column only where it says something.
void add_unless(Pack& pack, std::string_view name, const std::vector<double>& values, double boring) {
  if (!std::ranges::all_of(values, [&](double value) { return value == boring; })) pack.add(name, values);
}

template <class Read>
std::vector<double> per_node(const Tree& tree, const Read& read) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(tree.n_nodes()));
  for (NodeId node = 0; node < tree.n_nodes(); ++node) out.push_back(static_cast<double>(read(node)));
  return out;
}

void add_tests(Pack& pack, const Tree& tree) {
  pack.add("kind", per_node(tree, [&](NodeId node) { return static_cast<int>(tree.kind(node)); }));
  pack.add("column", per_node(tree, [&](NodeId node) { return tree.column(node); }));
  pack.add("threshold", per_node(tree, [&](NodeId node) { return tree.threshold(node); }));
  pack.add("children", per_node(tree, [&](NodeId node) { return tree.children(node).size(); }));
  pack.add("missing_to", per_node(tree, [&](NodeId node) { return tree.missing_to(node); }));
  pack.add("unseen_to", per_node(tree, [&](NodeId node) { return tree.unseen_to(node); }));
  std::vector<double> shares, map_size, map_level, map_child, cut_size, cut, term_size, term_column,
      term_weight;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const auto share = tree.child_shares(node);
    shares.insert(shares.end(), share.begin(), share.end());
    const auto levels = tree.map_levels(node);
    const auto to = tree.map_children(node);
    map_size.push_back(static_cast<double>(levels.size()));
    map_level.insert(map_level.end(), levels.begin(), levels.end());
    map_child.insert(map_child.end(), to.begin(), to.end());
    const auto cuts = tree.cuts(node);
    cut_size.push_back(static_cast<double>(cuts.size()));
    cut.insert(cut.end(), cuts.begin(), cuts.end());
    term_size.push_back(static_cast<double>(tree.terms(node).size()));
    for (const ObliqueTerm& term : tree.terms(node)) {
      term_column.push_back(term.column);
      term_weight.push_back(term.weight);
    }
  }
  pack.add("share", shares);
  add_unless(pack, "map_size", map_size, 0.0);
  pack.add("map_level", map_level);
  pack.add("map_child", map_child);
  add_unless(pack, "cut_size", cut_size, 0.0);
  pack.add("cut", cut);
  add_unless(pack, "term_size", term_size, 0.0);
  pack.add("term_column", term_column);
  pack.add("term_weight", term_weight);
}

void add_alternatives(Pack& pack, const Tree& tree) {
  std::vector<double> size, role, kind, turned, column, threshold, score, map_size, map_level, map_child;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    size.push_back(static_cast<double>(tree.alternatives(node).size()));
    for (const Alternative& test : tree.alternatives(node)) {
      role.push_back(static_cast<double>(test.role));
      kind.push_back(static_cast<double>(test.kind));
      turned.push_back(test.turned ? 1.0 : 0.0);
      column.push_back(test.column);
      threshold.push_back(test.threshold);
      score.push_back(test.score);
      map_size.push_back(static_cast<double>(test.map_levels.size()));
      map_level.insert(map_level.end(), test.map_levels.begin(), test.map_levels.end());
      map_child.insert(map_child.end(), test.map_children.begin(), test.map_children.end());
    }
  }
  if (role.empty()) return;
  pack.add("alt_size", size);
  pack.add("alt_role", role);
  pack.add("alt_kind", kind);
  pack.add("alt_turned", turned);
  pack.add("alt_column", column);
  pack.add("alt_threshold", threshold);
  pack.add("alt_score", score);
  pack.add("alt_map_size", map_size);
  pack.add("alt_map_level", map_level);
  pack.add("alt_map_child", map_child);
}

void add_values(Pack& pack, const Tree& tree) {
  const std::size_t width = tree.value_width();
  std::vector<double> all, at, index, values(width);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    if (width <= kDenseValues) {
      all.insert(all.end(), values.begin(), values.end());
      continue;
    }
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < width; ++i) {
      if (values[i] == 0.0) continue;
      index.push_back(static_cast<double>(i));
      all.push_back(values[i]);
    }
    at.push_back(static_cast<double>(all.size() - before));
  }
  pack.add("value", all);
  if (width <= kDenseValues) return;
  pack.add("value_size", at);
  pack.add("value_index", index);
}

// Where nodes have values from that their rows are too few for: a node above them, -1 equal shares, -2 nowhere.
void add_sources(Pack& pack, const Model& model, const Tree& tree) {
  const std::vector<ValueSource> all = value_sources(model, tree);
  const std::vector<double> sources = per_node(tree, [&](NodeId node) {
    const ValueSource& from = all[static_cast<std::size_t>(node)];
    return from.kind == ValueSource::Kind::uniform   ? -1
           : from.kind == ValueSource::Kind::nothing ? -2
                                                     : from.node;
  });
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (sources[static_cast<std::size_t>(node)] != node) return pack.add("source", sources);
}

void add_statistics(Pack& pack, const Tree& tree) {
  const std::vector<double> n_rows = per_node(tree, [&](NodeId node) { return tree.n_rows(node); });
  const std::vector<double> weight = per_node(tree, [&](NodeId node) { return tree.weight(node); });
  pack.add("n_rows", n_rows);
  if (weight != n_rows) pack.add("weight", weight);
  // What is shown needs no 53 bits, and single precision packs twice as well.
  const auto shown = [](double value) { return static_cast<double>(static_cast<float>(value)); };
  add_unless(pack, "impurity", per_node(tree, [&](NodeId node) { return shown(tree.impurity(node)); }), 0.0);
  add_unless(pack, "gain", per_node(tree, [&](NodeId node) { return shown(tree.gain(node)); }), 0.0);
}

// The arms of every node and, where the tree is honest, half the length of the interval of its effect (-1: not
// known).
void add_effects(Pack& pack, const Model& model, const Tree& tree) {
  if (model.parts().treatment.fields.empty() || !node_effect(tree, 0, kEffectCoverage)) return;
  const auto effect = [&](NodeId node) { return *node_effect(tree, node, kEffectCoverage); };
  pack.add("treated_rows", per_node(tree, [&](NodeId node) { return effect(node).treated_rows; }));
  pack.add("control_rows", per_node(tree, [&](NodeId node) { return effect(node).control_rows; }));
  if (!has_honest_effects(model.params()) || model.trees().size() > 1) return;
  pack.add("effect_half", per_node(tree, [&](NodeId node) {
             const double half = effect(node).half;
             return std::isfinite(half) ? half : -1.0;
           }));
}

// The step of the path at which every node becomes a leaf (leaves: 0; never: -1), and the price of every
// step.
void add_path(Pack& pack, const Model& model, std::size_t index) {
  const Tree& tree = model.trees()[index];
  const bool by_error = model.parts().pruning_table && model.parts().pruning_table->risk == "error";
  const PruningPath path = cost_complexity_path(tree, by_error || !model.parts().cp_table.empty()
                                                          ? error_risk(counted_tree(model, index))
                                                          : impurity_risk(tree));
  std::vector<double> step = per_node(tree, [&](NodeId node) { return tree.is_leaf(node) ? 0 : -1; });
  for (std::size_t i = 1; i < path.nodes.size(); ++i)
    step[static_cast<std::size_t>(path.nodes[i])] = static_cast<double>(i);
  pack.add("step", step);
  pack.add("alpha", path.alphas);
}

// One column per output.
void add_losses(Pack& pack, std::string_view name, const NodeLosses& losses) {
  for (std::size_t output = 0; output < losses.leaf.size(); ++output) {
    pack.add(fmt::format("{}_loss{}", name, output), losses.leaf[output]);
    add_unless(pack, fmt::format("{}_stopped{}", name, output), losses.stopped[output], 0.0);
  }
}

}  // namespace

Json tree_data(const Model& model, std::size_t index, const NodeLosses* held_out, Blob& blob) {
  const Tree& tree = model.trees()[index];
  Pack pack;
  add_tests(pack, tree);
  add_alternatives(pack, tree);
  add_values(pack, tree);
  add_statistics(pack, tree);
  add_sources(pack, model, tree);
  add_effects(pack, model, tree);
  Json data{{"nodes", tree.n_nodes()},
            {"leaves", tree.n_leaves()},
            {"depth", tree.depth()},
            {"blob", blob.id},
            {"weight", json_number(tree.weight(0))}};
  if (tree.weight(0) > 0.0) {
    add_path(pack, model, index);
    add_losses(pack, "train", training_losses(model, index));
  }
  if (held_out != nullptr && held_out->total > 0.0) {
    data["held_weight"] = json_number(held_out->total);
    add_losses(pack, "held", *held_out);
    pack.add("held_rows", held_out->weights);
  }
  data["columns"] = pack.columns();
  blob.text = pack.text();
  return data;
}

}  // namespace bough
