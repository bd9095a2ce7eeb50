// SPDX-License-Identifier: Apache-2.0
// Provenance of models of blocks.
#include "scale/provenance.hpp"

#include <fmt/format.h>

#include "data/fingerprint.hpp"
#include "model/prepare_rules.hpp"

namespace bough {

void check_facts(const ScalePlan& plan, const BlockFacts& facts) {
  if (facts.n_rows != plan.n_rows())
    throw Error(ErrorCode::bad_data,
                fmt::format("the blocks have {} rows, but the plan is for {}", facts.n_rows, plan.n_rows()),
                "give every block of the plan once");
  if (facts.zero_weights == facts.n_rows) check_some_weight(false);
}

std::vector<std::string> plan_notes(const ScalePlan& plan, const BlockFacts& facts) {
  std::vector<std::string> notes = plan.parts().notes;
  if (facts.zero_weights > 0) notes.push_back(zero_weight_note(facts.zero_weights, plan.n_rows()));
  notes.insert(notes.end(), plan.parts().later_notes.begin(), plan.parts().later_notes.end());
  return notes;
}

ModelFacts model_facts(const ScalePlan& plan, const BlockFacts& facts) {
  const ScalePlan::Parts& from = plan.parts();
  ModelFacts out;
  out.params = from.params;
  out.task = from.task;
  out.features = from.features;
  out.targets = from.targets;
  out.criterion = criterion_info(from.criterion).name;
  out.engine = "blocks";
  out.cells = Fingerprint::finish(facts.cells_hash, plan.features());
  out.n_rows = plan.n_rows();
  out.notes = plan_notes(plan, facts);
  return out;
}

}  // namespace bough
