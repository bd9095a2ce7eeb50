// SPDX-License-Identifier: Apache-2.0
// What pictures of slices share: scales, captions and legends.
#pragma once

#include "draw/chart.hpp"
#include "draw/slice.hpp"

namespace bough {

/// The scale of a shown column.
Scale axis_scale(const Model& model, const SliceAxis& axis);
/// A little way from the middle of a band, the same for the same row, so that rows of one level do not hide
/// each other.
double spread(const SliceAxis& axis, std::size_t row);
/// What is held and how many rows are drawn.
std::vector<std::string> slice_captions(const Slice& slice, const SliceOptions& options);
/// The classes of the output with their colours, about ten of them.
std::vector<LegendEntry> class_legend(const Model& model, std::size_t output, LegendEntry::Mark mark);
/// Title of the wish, or `plain`.
void set_title(ChartSpec& spec, const PictureOptions& picture, std::string plain);

}  // namespace bough
