// SPDX-License-Identifier: Apache-2.0
// The answers of a model over two columns or one.
#include "draw/regions.hpp"

#include "bough/cp.hpp"

namespace bough {
namespace {

// The nodes at which a tree is cut to a depth.
Model cut_to(const Model& model, int depth) {
  const Tree& tree = model.tree();
  const std::vector<std::int32_t> depths = tree.depths();
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (depths[static_cast<std::size_t>(node)] == depth && !tree.is_leaf(node)) nodes.push_back(node);
  return cut(model, nodes);
}

}  // namespace

Model depth_limited(const Model& model, const SliceOptions& options) {
  if (!options.max_depth || *options.max_depth < 0) return model;
  if (model.trees().size() > 1)
    throw Error(ErrorCode::bad_params, "a depth belongs to one tree, and the model has several",
                "choose one of the trees");
  return cut_to(model, *options.max_depth);
}

Regions regions_of(const Model& model, const Slice& slice, const SliceOptions& options) {
  Regions out;
  out.x = slice.axes[0].column;
  out.y = slice.axes[1].column;
  out.low = {slice.axes[0].low, slice.axes[1].low};
  out.high = {slice.axes[0].high, slice.axes[1].high};
  out.held = slice.held;
  const Regions empty = out;
  const bool cuts_depth = options.max_depth && *options.max_depth >= 0;
  if (model.trees().size() == 1) {
    try {
      walk_regions(model, slice, options, out);
      return out;
    } catch (const Shared&) {
      out = empty;
    }
    const Model shown = cuts_depth ? cut_to(model, *options.max_depth) : model;
    if (cuts_depth) out.max_depth = *options.max_depth;
    add_grid(shown, slice, out);
    return out;
  }
  if (cuts_depth)
    throw Error(ErrorCode::bad_params, "a depth belongs to one tree, and the model has several",
                "choose one of the trees");
  add_grid(model, slice, out);
  return out;
}

Regions decision_regions(const Model& model, const Table* data, const SliceOptions& options,
                         std::optional<std::size_t> tree) {
  const Model chosen = tree ? with_tree(model, *tree) : model;
  return regions_of(chosen, make_slice(chosen, data, options, 2), options);
}

std::vector<FitStep> decision_steps(const Model& model, const Table* data, const SliceOptions& options,
                                    std::optional<std::size_t> tree) {
  const Model chosen = tree ? with_tree(model, *tree) : model;
  const Model shown = depth_limited(chosen, options);
  return steps_of(shown, make_slice(shown, data, options, 1));
}

}  // namespace bough
