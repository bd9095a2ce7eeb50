// SPDX-License-Identifier: Apache-2.0
// A tree of the right size without being told which.
#include "bough/choose_tree.hpp"

namespace bough {

Model choose_tree(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution) {
  Params chosen = params;
  if (table.n_rows() >= kLeastRowsToChoose) {
    chosen.pruning = "cost_complexity";
    chosen.pruning_rule = "one_se";
  }
  return fit(table, spec, chosen, execution);
}

std::optional<SizeChoice> size_choice(const Model& model) {
  const std::optional<PruningTable>& table = model.parts().pruning_table;
  if (!table || table->errors.empty()) return std::nullopt;
  return SizeChoice{table->n_leaves[table->chosen],
                    table->n_leaves.front(),
                    table->errors[table->chosen],
                    table->standard_errors[table->chosen],
                    table->errors.front(),
                    table->errors.back(),
                    table->folds,
                    table->measure};
}

}  // namespace bough
