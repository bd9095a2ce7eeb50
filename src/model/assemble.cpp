// SPDX-License-Identifier: Apache-2.0
// From trees and facts to the parts of a model.
#include "model/assemble.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "data/levels.hpp"
#include "split/exact/scan.hpp"

namespace bough {

ModelFacts facts_of(const Prepared& prepared, const Params& params, std::string criterion) {
  return {.params = params,
          .task = prepared.task,
          .features = prepared.features,
          .targets = prepared.targets,
          .treatment = prepared.treatment,
          .criterion = std::move(criterion),
          .engine = {},
          .n_rows = prepared.n_rows,
          .notes = prepared.notes};
}

Model::Parts assemble_model(std::span<const Tree> so_far, std::vector<Grown> grown, ModelFacts facts) {
  Model::Parts parts;
  parts.trees.assign(so_far.begin(), so_far.end());
  bool heuristic = false;
  for (Grown& one : grown) {
    heuristic |= one.heuristic;
    parts.trees.push_back(std::move(one.tree));
  }
  if (facts.params.forest > 0 || parts.trees.size() > 1) parts.combine = Combine::mean;
  parts.provenance.library_version = version();
  parts.provenance.data_hash = data_hash_text(facts.cells, facts.targets);
  parts.provenance.n_rows = facts.n_rows;
  parts.provenance.engine = std::move(facts.engine);
  parts.provenance.notes = std::move(facts.notes);
  if (heuristic)
    parts.provenance.notes.push_back(fmt::format(
        "subsets of categories with more than {} values were searched by the heuristic 'principal_direction'",
        kExhaustiveLevels));
  parts.params = std::move(facts.params);
  parts.task = facts.task;
  parts.features = std::move(facts.features);
  parts.targets = std::move(facts.targets);
  parts.treatment = std::move(facts.treatment);
  parts.criterion = std::move(facts.criterion);
  return parts;
}

std::string data_hash_text(std::uint64_t cells, const Schema& targets) {
  std::uint64_t hash = cells;
  for (const Field& field : targets.fields) {
    const Levels& levels = field.levels;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      // Truth values are the same in every spelling.
      const bool truth = levels.type == Levels::Type::boolean;
      hash = hash_text(truth ? level_name(levels.type, levels.numbers[i]) : levels.names[i], hash);
    }
  }
  return fmt::format("xxh3:{:016x}", hash);
}

}  // namespace bough
