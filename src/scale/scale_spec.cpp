// SPDX-License-Identifier: Apache-2.0
// Shapes of targets and columns.
#include "scale/scale_spec.hpp"

#include "base/internal_limits.hpp"
#include "data/bundles.hpp"
#include "model/grow_spec.hpp"
#include "model/prepare.hpp"

namespace bough {

Targets target_shape(const ScalePlan::Parts& plan, const TreeFrame& frame) {
  Targets shape;
  for (std::size_t o = 0; o < plan.targets.fields.size(); ++o) {
    if (plan.task == Task::classification) {
      shape.classes.push_back({static_cast<std::uint32_t>(plan.targets.fields[o].levels.size()), {}});
    } else {
      NumberTarget target;
      if (o < frame.outputs.size()) {
        target.fixed.exponent = frame.outputs[o].exponent;
        target.fine = frame.outputs[o].fine;
      }
      shape.numbers.push_back(std::move(target));
    }
  }
  shape.weight_exponent = frame.weight_exponent;
  shape.total_weight = frame.total_weight;
  return shape;
}

GrowSpec block_grow_spec(const ScalePlan::Parts& plan, const TreeFrame& frame, std::uint64_t seed) {
  Prepared prepared;
  prepared.task = plan.task;
  prepared.features = plan.features;
  prepared.targets = plan.targets;
  prepared.values = target_shape(plan, frame);
  prepared.n_rows = plan.n_rows;
  // Rows that a tree draws are of weight 1; those that it did not draw count, too.
  prepared.n_weighted = plan.params.forest > 0 && plan.params.bootstrap ? plan.n_rows : frame.n_rows;
  GrowSpec spec = grow_spec(prepared, plan.params, plan.criterion);
  spec.seed = seed;
  return spec;
}

CodedTable column_shape(const ScalePlan::Parts& plan, const BlockFacts& facts) {
  CodedTable table;
  for (std::size_t j = 0; j < plan.features.fields.size(); ++j) {
    const Field& field = plan.features.fields[j];
    CodedColumn& column = table.columns.emplace_back();
    column.kind = field.kind;
    column.has_missing = facts.has_missing[j] != 0;
    if (field.kind == Kind::numeric) {
      column.cuts = plan.columns[j].cuts;
      column.n_buckets = static_cast<std::uint32_t>(column.cuts.size() + 2);
      column.single = facts.single[j];
      ColumnView none;
      none.dtype = plan.columns[j].is_float ? Dtype::f32 : Dtype::f64;
      none.chunks.push_back({.stride = plan.columns[j].is_float ? 4 : 8});
      column.numbers = NumberSource(none, 0);
      continue;
    }
    column.n_levels = static_cast<std::uint32_t>(field.levels.size());
    column.single.fill(true);
    column.wide = field.levels.size() > internal_limits().byte_levels;
    column.n_buckets = column.wide ? 2 : column.n_levels + 1;
  }
  assign_slots(table, std::vector<std::vector<double>>(table.columns.size()), false);
  return table;
}

}  // namespace bough
