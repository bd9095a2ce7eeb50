// SPDX-License-Identifier: Apache-2.0
// A Model put together from trees and what training knows about them, whether in memory or on blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "grow/grow.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Everything that a model says besides its trees.
struct ModelFacts {
  Params params;
  Task task = Task::classification;
  Schema features, targets, treatment;
  std::string criterion;
  std::string engine;
  std::uint64_t cells = 0;  ///< fingerprint of the rows
  std::int64_t n_rows = 0;
  std::vector<std::string> notes;
};

/// Those of a training in memory; the caller adds engine and cells.
ModelFacts facts_of(const Prepared& prepared, const Params& params, std::string criterion);

/// The parts of a model of the trees `so_far` and those just grown. A search that was not exhaustive
/// (Grown::heuristic) is noted.
Model::Parts assemble_model(std::span<const Tree> so_far, std::vector<Grown> grown, ModelFacts facts);

/// What provenance says about the data: the fingerprint of its rows, and the names of classes.
std::string data_hash_text(std::uint64_t cells, const Schema& targets);

}  // namespace bough
