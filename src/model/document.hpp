// SPDX-License-Identifier: Apache-2.0
// A model as a JSON document. Both file formats share it; they differ in where the trees' arrays are.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "bough/model.hpp"
#include "model/checked_json.hpp"
#include "tree/access.hpp"

namespace bough {

/// Format version this library writes and the newest it reads (docs/format-v1.md).
inline constexpr std::uint16_t kFormatMajor = 1;
inline constexpr std::uint16_t kFormatMinor = 2;
/// Throws bad_model, saying so, when a file is of a version this library does not know.
void check_version(std::uint64_t major, std::uint64_t minor);

/// Everything but the trees.
Json describe(const Model::Parts& parts);
/// A document as text: a member per line, and the elements of the member `spread` a line each.
std::string lay_out(Json document, std::string_view spread);
/// The inverse of describe(), trees left empty; `envelope`: members that the caller reads. Throws bad_model naming the place.
Model::Parts read_description(const JsonCursor& document, std::span<const std::string_view> envelope = {});
/// The document's "trees", each read by read(place).
template <class Read>
std::vector<Tree> read_trees(const JsonCursor& document, Read read) {
  constexpr std::size_t shortest = 128;  // bytes of text that the smallest tree takes
  const JsonCursor list = document["trees"];
  std::vector<Tree> trees;
  trees.reserve(std::min(list.size(), list.raw().size() / shortest + 1));
  list.each([&](const JsonCursor& tree) {
    tree.take(1, sizeof(Tree) + 256);
    trees.push_back(read(tree));
  });
  return trees;
}
/// Fields as an array of objects, and back.
Json write_fields(const Schema& schema);
Schema read_fields(const JsonCursor& place);
/// Reads one tree's "outputs" into an empty tree.
Tree read_outputs(const JsonCursor& tree, Task task);

/// What an extra array takes beside its name and its numbers.
inline constexpr std::size_t kExtraSize = 128;
/// The name itself. Throws not_supported when JSON cannot hold it.
const std::string& extra_key(const std::string& name);

/// Names of all arrays of a tree (not of its extras).
inline constexpr std::array<std::string_view, 36> kArrayNames{"kind",
                                                              "column",
                                                              "threshold",
                                                              "missing_to",
                                                              "unseen_to",
                                                              "n_rows",
                                                              "weight",
                                                              "impurity",
                                                              "gain",
                                                              "children_at",
                                                              "children",
                                                              "child_share",
                                                              "map_at",
                                                              "map_level",
                                                              "map_child",
                                                              "cuts_at",
                                                              "cut",
                                                              "terms_at",
                                                              "term_column",
                                                              "term_weight",
                                                              "values_at",
                                                              "value_index",
                                                              "value",
                                                              "alternatives_at",
                                                              "alternative_role",
                                                              "alternative_kind",
                                                              "alternative_turned",
                                                              "alternative_column",
                                                              "alternative_threshold",
                                                              "alternative_rows",
                                                              "alternative_score",
                                                              "alternative_adjusted",
                                                              "alternative_map_at",
                                                              "alternative_map_owner",
                                                              "alternative_map_level",
                                                              "alternative_map_child"};

namespace document {

// A slab that is empty is left out, and its ends with it: all of them are 0.
template <class Put>
void put_slab(Json& arrays, Put& put, std::string_view ends_name, const std::vector<std::uint64_t>& ends,
              std::string_view name, const auto& slab) {
  if (slab.empty()) return;
  if (!arrays.contains(ends_name)) arrays[std::string(ends_name)] = put(ends);
  arrays[std::string(name)] = put(slab);
}

template <class Take>
void take_slab(const JsonCursor& arrays, Take& take, std::string_view ends_name,
               std::vector<std::uint64_t>& ends, std::string_view name, auto& slab, std::size_t n_nodes) {
  if (arrays.has(ends_name)) {
    if (ends.size() <= 1) take(arrays[ends_name], ends);
    take(arrays[name], slab);
    if (slab.empty()) arrays.refuse(fmt::format("has an empty array '{}'", name));
    // What the slab is turned into.
    if (name == "term_column") arrays.take(slab.size(), sizeof(ObliqueTerm));
    if (name == "alternative_role") arrays.take(slab.size(), sizeof(Alternative));
    if (name == "alternative_map_level")
      arrays.take(slab.size(), 2 * (sizeof(std::uint32_t) + sizeof(std::uint16_t)));
  } else {
    if (arrays.has(name)) arrays.refuse(fmt::format("has '{}' without '{}'", name, ends_name));
    if (ends.size() == n_nodes + 1) return;
    arrays.take(n_nodes + 1, sizeof(std::uint64_t));
    ends.assign(n_nodes + 1, 0);
  }
}

}  // namespace document

/// One tree. put(vector) stores an array and returns what stands for it in the document.
template <class Put>
Json write_tree(const Tree& tree, Put put) {
  Json arrays = Json::object();
  TreeAccess::visit_node_arrays(tree,
                                [&](const char* name, const auto& array) { arrays[name] = put(array); });
  TreeAccess::visit_slabs(tree,
                          [&](const char* ends_name, const auto& ends, const char* name, const auto& slab) {
                            document::put_slab(arrays, put, ends_name, ends, name, slab);
                          });
  if (TreeAccess::stores_dense(tree)) {
    arrays["value"] = put(TreeAccess::value(tree));
  } else {
    const auto& ends = TreeAccess::values_at(tree);
    document::put_slab(arrays, put, "values_at", ends, "value_index", TreeAccess::value_index(tree));
    document::put_slab(arrays, put, "values_at", ends, "value", TreeAccess::value(tree));
  }
  Json extras = Json::object();
  for (const auto& [name, array] : tree.extras()) extras[extra_key(name)] = put(array);
  const auto widths = tree.output_widths();
  return {{"outputs", std::vector(widths.begin(), widths.end())}, {"arrays", arrays}, {"extras", extras}};
}

/// The inverse. take(place, vector) fills an array from what put() returned. The tree is not checked yet.
template <class Take>
Tree read_tree(const JsonCursor& place, Task task, Take take) {
  constexpr std::array<std::string_view, 3> members{"outputs", "arrays", "extras"};
  place.only(members);
  Tree tree = read_outputs(place, task);
  const JsonCursor arrays = place["arrays"];
  arrays.only(kArrayNames);
  TreeAccess::visit_node_arrays(tree, [&](const char* name, auto& array) {
    take(arrays[name], array);
    if (array.size() != static_cast<std::size_t>(tree.n_nodes()))
      arrays[name].refuse("has not one entry per node");
  });
  const auto n_nodes = static_cast<std::size_t>(tree.n_nodes());
  if (n_nodes > 1 && !arrays.has("children")) arrays.refuse("has several nodes and no children");
  arrays.take(n_nodes, 2 * sizeof(NodeId));  // the walk of Tree::check
  TreeAccess::visit_slabs(tree, [&](const char* ends_name, auto& ends, const char* name, auto& slab) {
    document::take_slab(arrays, take, ends_name, ends, name, slab, n_nodes);
  });
  if (TreeAccess::stores_dense(tree)) {
    take(arrays["value"], TreeAccess::value(tree));
  } else {
    auto& ends = TreeAccess::values_at(tree);
    document::take_slab(arrays, take, "values_at", ends, "value_index", TreeAccess::value_index(tree),
                        n_nodes);
    document::take_slab(arrays, take, "values_at", ends, "value", TreeAccess::value(tree), n_nodes);
  }
  const JsonCursor extras = place["extras"];
  extras.each_member([&](const std::string& name, const JsonCursor& array) {
    auto& known = TreeAccess::extras(tree);
    if (known.contains(name)) array.refuse("is there twice");
    array.take(1, kExtraSize + name.size());
    take(array, known[name]);
  });
  return tree;
}

}  // namespace bough
