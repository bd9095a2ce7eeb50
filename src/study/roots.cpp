// SPDX-License-Identifier: Apache-2.0
// Which other column could be at the root of a tree of that size, and what it would cost.
#include "study/roots.hpp"

#include <cmath>

#include "bough/explain.hpp"
#include "bough/seen_rows.hpp"
#include "model/progress.hpp"
#include "model/searched.hpp"
#include "params/values.hpp"

namespace bough {

RootChoices root_choices(const RefitJob& job, const Model& tree, const Execution& execution) {
  constexpr std::size_t kMostRoots = 10;
  RootChoices out;
  if (tree.tree().n_leaves() < 2) return out;
  Params params = job.params;
  params.search = "anytime";
  for (const char* size : {"pruning", "ccp_alpha", "cp", "shrinkage", "work_limit"})
    set_param(params, size, param_default(*find_param(size)));
  Monitor monitor(report_to(execution));
  const Prepared prepared = prepare(job.table, job.spec, params);
  for (search::RootTree& found :
       searched_roots(job.table, prepared, params, tree.tree().n_leaves(), monitor)) {
    if (out.list.size() == kMostRoots) break;
    const double weight = found.tree.weight(0), share = found.errors / weight;
    if (out.list.empty()) out.slack = std::sqrt(weight * share * (1.0 - share));
    Model::Parts parts = tree.parts();
    parts.trees = {std::move(found.tree)};
    parts.pruning_table.reset();
    const Model model(std::move(parts));
    out.list.push_back({model.features().fields[found.column].name, condition_text(model, model.tree(), 0, 0),
                        found.errors, model.tree().n_leaves()});
  }
  return out;
}

RootChoices root_choices(const Model& model, const Table& table, const RefitOptions& options,
                         const Execution& execution) {
  // Other rows may lack classes and categories, and the numbers of theirs would be read as those of the model.
  if (!was_grown_on(model, table, options.weight)) return {};
  return root_choices(RefitJob(model, table, options), model, execution);
}

}  // namespace bough
