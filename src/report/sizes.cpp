// SPDX-License-Identifier: Apache-2.0
// The path of sizes, and trees with other columns at the root: what else could have been chosen.
#include "bough/choose_tree.hpp"
#include "bough/study.hpp"
#include "report/report_data.hpp"

namespace bough {

Json sizes_data(const Model& model) {
  const std::optional<SizeTable> table = size_table(model);
  if (!table) return nullptr;
  Json rows = Json::array();
  for (const SizeRow& row : table->rows)
    rows.push_back({{"searched", row.searched},
                    {"leaves", row.leaves},
                    {"shrinkage", json_number(row.shrinkage)},
                    {"training", json_number(row.training_error)},
                    {"error", json_number(row.error)},
                    {"spread", json_number(row.standard_error)},
                    {"loss", json_number(row.loss)}});
  return {{"rows", std::move(rows)},
          {"chosen", table->chosen},
          {"folds", table->folds},
          {"words", choice_text(model)}};
}

Json roots_data(const Model& model, const Table& training, const ReportOptions& options) {
  if (model.trees().size() != 1 || model.task() != Task::classification) return nullptr;
  const RootChoices roots = root_choices(model, training, {options.weight, {}}, options.execution);
  if (roots.list.size() < 2) return nullptr;
  Json list = Json::array();
  for (const RootChoice& root : roots.list)
    list.push_back({{"column", root.column},
                    {"test", root.test},
                    {"errors", json_number(root.errors)},
                    {"leaves", root.leaves},
                    {"near", root.errors <= roots.list.front().errors + roots.slack}});
  return {{"list", std::move(list)}, {"slack", json_number(roots.slack)}};
}

}  // namespace bough
