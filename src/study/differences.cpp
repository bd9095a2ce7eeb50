// SPDX-License-Identifier: Apache-2.0
// What differs between two trees: a walk through both at once, from the root down.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>

#include "base/hash.hpp"
#include "bough/explain.hpp"
#include "explain/condition.hpp"
#include "explain/outcome.hpp"
#include "study/places.hpp"

namespace bough {
namespace {

const Field& field_of(const Model& model, ColId column) {
  return model.features().fields[static_cast<std::size_t>(column)];
}

struct NodePair {
  NodeId before = 0;
  NodeId after = 0;
  std::int32_t depth = 0;
};

// Where every level goes that a test of sets names, and all others.
struct LevelWays {
  std::map<std::string_view, std::int32_t> named;
  std::int32_t other = 0;

  LevelWays(const Model& model, NodeId node) : other(model.tree().unseen_to(node)) {
    const Tree& tree = model.tree();
    const Levels& levels = field_of(model, tree.column(node)).levels;
    for (std::size_t i = 0; i < tree.map_levels(node).size(); ++i)
      named.emplace(levels.names[tree.map_levels(node)[i]], tree.map_children(node)[i]);
  }
  [[nodiscard]] std::int32_t of(std::string_view level) const {
    const auto found = named.find(level);
    return found == named.end() ? other : found->second;
  }
  [[nodiscard]] bool agrees(const LevelWays& with) const {
    return std::ranges::all_of(named,
                               [&](const auto& level) { return with.of(level.first) == level.second; });
  }
};

bool tests_sets(const Model& model, NodeId node) {
  const NodeKind kind = model.tree().kind(node);
  return kind == NodeKind::subset || kind == NodeKind::multiway;
}

// Tests of sets that send every level the same way are the same, though one may not name a level that no row has
// any more.
bool same_test(const Model& before, NodeId node, const Model& after, NodeId other) {
  if (test_key(before, node) == test_key(after, other)) return true;
  if (!tests_sets(before, node)) return false;
  const LevelWays from(before, node), to(after, other);
  return from.other == to.other && from.agrees(to) && to.agrees(from);
}

// Words that tell the two tests apart where six digits or a shortened list do not.
void add_difference(std::vector<NodeDifference>& found, const Model& before, const Model& after,
                    const NodePair& place, TestChange change) {
  NodeDifference difference{place.before,
                            place.after,
                            place.depth,
                            change,
                            test_words(before, place.before),
                            test_words(after, place.after)};
  if (difference.from == difference.to) {
    difference.from = test_words(before, place.before, 0);
    difference.to = test_words(after, place.after, 0);
  }
  if (difference.from == difference.to && change == TestChange::cut && tests_sets(before, place.before)) {
    // A level that the test no longer names goes where all others go.
    const LevelWays from(before, place.before), to(after, place.after);
    for (const auto& [level, child] : from.named)
      if (to.of(level) != child)
        difference.to += fmt::format(" ({}{})", to.of(level) == 0 ? "also " : "without ", shown_name(level));
  }
  found.push_back(std::move(difference));
}

}  // namespace

std::string_view change_name(TestChange change) noexcept {
  // In the order of the enumerators.
  static constexpr std::array<std::string_view, 4> names{"cut", "column", "cut_off", "grown"};
  return names[static_cast<std::size_t>(change)];
}

std::string tested_column(const Model& model, NodeId node) {
  const Tree& tree = model.tree();
  if (tree.is_leaf(node)) return {};
  if (tree.kind(node) == NodeKind::oblique) return formula_words(model, tree, node);
  return field_of(model, tree.column(node)).name;
}

std::string subject_key(const Model& model, NodeId node) {
  const Tree& tree = model.tree();
  if (tree.is_leaf(node)) return {};
  std::string key = std::to_string(static_cast<int>(tree.kind(node)));
  // With its length before it, no name can pass for two.
  const auto add = [&](ColId column) {
    const std::string& name = field_of(model, column).name;
    key += fmt::format(" {}:{}", name.size(), name);
  };
  if (tree.kind(node) != NodeKind::oblique) add(tree.column(node));
  for (const ObliqueTerm& term : tree.terms(node)) add(term.column);
  return key;
}

std::string test_key(const Model& model, NodeId node) {
  const Tree& tree = model.tree();
  if (tree.is_leaf(node)) return {};
  std::string key = subject_key(model, node);
  const NodeKind kind = tree.kind(node);
  const auto level = [&](double index) {
    const Levels& levels = field_of(model, tree.column(node)).levels;
    if (!(index < static_cast<double>(levels.size()))) return std::string();
    const std::string& name = levels.names[static_cast<std::size_t>(index)];
    return fmt::format("{}:{}", name.size(), name);
  };
  if (kind == NodeKind::numeric || kind == NodeKind::oblique)
    key += fmt::format("<={}", tree.threshold(node));
  if (kind == NodeKind::ordinal || kind == NodeKind::equality) key += ' ' + level(tree.threshold(node));
  for (const double cut : tree.cuts(node)) key += fmt::format(" {}", cut);
  for (const ObliqueTerm& term : tree.terms(node)) key += fmt::format(" {}", term.weight);
  const auto levels = tree.map_levels(node);
  for (std::size_t i = 0; i < levels.size(); ++i)
    key += fmt::format(" {}>{}", level(static_cast<double>(levels[i])), tree.map_children(node)[i]);
  return key;
}

std::string test_words(const Model& model, NodeId node, int digits) {
  const Tree& tree = model.tree();
  if (tree.is_leaf(node)) return "leaf: " + outcomes_words(outcomes(model, tree, node));
  return condition_text(model, tree, node, 0, digits);
}

std::uint64_t tests_hash(const Model& model) {
  std::uint64_t hash = 0;
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node) {
    const std::string key = test_key(model, node);
    hash = hash_bytes(key.data(), key.size(), hash);
  }
  return hash;
}

std::vector<NodeDifference> tree_differences(const Model& before, const Model& after, std::size_t most) {
  if (before.trees().size() != 1 || after.trees().size() != 1)
    throw Error(ErrorCode::not_supported, "only single trees can be compared node by node",
                "compare the answers of models of several trees");
  std::vector<NodeDifference> found;
  std::deque<NodePair> open{{}};
  while (!open.empty() && found.size() < most) {
    const NodePair place = open.front();
    open.pop_front();
    const bool leaf_before = before.tree().is_leaf(place.before),
               leaf_after = after.tree().is_leaf(place.after);
    if (leaf_before && leaf_after) continue;
    if (leaf_before || leaf_after) {
      add_difference(found, before, after, place, leaf_before ? TestChange::grown : TestChange::cut_off);
      continue;
    }
    const auto children = before.tree().children(place.before), others = after.tree().children(place.after);
    if (subject_key(before, place.before) != subject_key(after, place.after) ||
        children.size() != others.size()) {
      add_difference(found, before, after, place, TestChange::column);
      continue;
    }
    if (!same_test(before, place.before, after, place.after))
      add_difference(found, before, after, place, TestChange::cut);
    for (std::size_t i = 0; i < children.size(); ++i)
      open.push_back({children[i], others[i], place.depth + 1});
  }
  return found;
}

}  // namespace bough
