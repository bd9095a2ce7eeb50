// SPDX-License-Identifier: Apache-2.0
// The cp table of a model, and models pruned by it or by hand.
#include <fmt/format.h>

#include <algorithm>

#include "bough/cp.hpp"
#include "bough/prune.hpp"
#include "model/prune_rows.hpp"
#include "model/treatment.hpp"

namespace bough {
namespace {

void require_single(const Model& model) {
  if (model.trees().size() == 1) return;
  throw Error(ErrorCode::not_supported, fmt::format("the model has {} trees, not one", model.trees().size()),
              "cp tables and cutting by hand are for single trees");
}

}  // namespace

std::vector<CpRow> cp_table(const Model& model) {
  require_single(model);
  refuse_treatment(model, "a cp table");
  if (!model.parts().cp_table.empty()) return model.parts().cp_table;
  const Tree counted = counted_tree(model);
  return cp_rows(counted, cp_risk(counted, model.params().loss_matrix), model.params().cp);
}

Model prune_cp(const Model& model, double cp) {
  require_single(model);
  refuse_treatment(model, "pruning by cp", "use ccp_alpha");
  refuse_honest(model.params());
  if (!(cp >= 0.0))
    throw Error(ErrorCode::bad_params, fmt::format("trees cannot be pruned with cp {}", cp),
                "cp is 0 or more");
  Model::Parts parts = model.parts();
  Tree& tree = parts.trees.front();
  tree = prune_cp(tree, cp_risk(counted_tree(model), parts.params.loss_matrix), cp);
  if (tree.n_nodes() < model.tree().n_nodes()) forget_larger_tree(parts);
  parts.params.cp = std::max(cp, parts.params.cp);
  // The rows of the trees that are left; the last one is the choice from cp on.
  std::vector<CpRow>& rows = parts.cp_table;
  if (!rows.empty() && rows.back().cp < cp) {
    const auto last = std::find_if(rows.begin(), rows.end(), [&](const CpRow& row) { return row.cp <= cp; });
    rows.erase(last == rows.end() ? last : last + 1, rows.end());
    rows.back().cp = cp;
  }
  return Model(std::move(parts));
}

Model cut(const Model& model, std::span<const NodeId> nodes) {
  require_single(model);
  Model::Parts parts = model.parts();
  parts.trees.front() = cut(parts.trees.front(), nodes);
  parts.cp_table.clear();
  forget_larger_tree(parts);
  return Model(std::move(parts));
}

}  // namespace bough
