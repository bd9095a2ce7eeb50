// SPDX-License-Identifier: Apache-2.0
// The path of minimal cost-complexity pruning.
#include "door.hpp"

#include "bough/prune.hpp"

namespace bough::python {

void add_prune(nb::module_& module) {
  module.def(
      "pruning_path",
      [](const Model& model) {
        PruningPath path = cost_complexity_path(model.tree());
        return nb::make_tuple(to_numpy(std::move(path.alphas)), to_numpy(std::move(path.risks)));
      },
      "model"_a, "Effective alphas and the impurities of the trees after each step.");
}

}  // namespace bough::python
