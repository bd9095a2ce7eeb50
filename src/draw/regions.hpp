// SPDX-License-Identifier: Apache-2.0
// Regions of a slice: from one tree, or from the grid of all cuts.
#pragma once

#include "draw/slice.hpp"

namespace bough {

/// Thrown by walk_regions(): a row of the slice is shared out, or a surrogate on a shown column decides.
struct Shared {};

/// Adds the regions and cuts of the one tree of the model. Throws Shared when the answer is none of a node.
void walk_regions(const Model& model, const Slice& slice, const SliceOptions& options, Regions& out);
/// Adds the regions of any model without sums over the shown columns.
void add_grid(const Model& model, const Slice& slice, Regions& out);

Regions regions_of(const Model& model, const Slice& slice, const SliceOptions& options);
std::vector<FitStep> steps_of(const Model& model, const Slice& slice);
/// The model with its tree cut to the depth asked for.
Model depth_limited(const Model& model, const SliceOptions& options);

}  // namespace bough
