// SPDX-License-Identifier: Apache-2.0
// Single trees out of forests, and the rows they were grown on.
#include <fmt/format.h>

#include "bough/forest.hpp"
#include "model/bag.hpp"
#include "model/bag_marks.hpp"

namespace bough {

Model one_tree(const Model& model, std::size_t tree) {
  if (tree >= model.trees().size())
    throw Error(ErrorCode::bad_params,
                fmt::format("tree {} was asked for, the model has {}", tree, model.trees().size()),
                "Trees are counted from 0.");
  Model::Parts parts = model.parts();
  parts.trees = {model.trees()[tree]};
  parts.combine = Combine::single;
  parts.pruning_table.reset();
  parts.cp_table.clear();
  forget_bags(parts);
  if (parts.params.forest > 0) {
    parts.params.seed = tree_seed(model.params(), tree);
    parts.params.forest = 0;
    parts.params.bootstrap = Params().bootstrap;
    parts.params.max_samples.reset();
    parts.params.little_bags = 0;
    parts.params.calibration_fraction = 0.0;
  }
  return Model(std::move(parts));
}

std::vector<std::uint32_t> bag_of(const Model& forest, std::size_t tree, std::int64_t n_rows,
                                  std::span<const double> weights) {
  if (forest.params().forest == 0)
    throw Error(ErrorCode::bad_model, "only forests that were grown here know the rows of their trees",
                "grow a forest");
  const auto n = static_cast<std::size_t>(n_rows);
  const std::vector<double> drawing = drawing_weights(forest, n, weights);
  std::vector<std::uint32_t> times = rows_of_bag(forest, tree, n, drawing);
  if (!times.empty()) return times;
  times.assign(n, 1);
  for (std::size_t row = 0; row < drawing.size(); ++row)
    if (drawing[row] == 0.0) times[row] = 0;
  return times;
}

}  // namespace bough
