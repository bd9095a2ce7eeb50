// SPDX-License-Identifier: Apache-2.0
// The ranked engine: whole trees from exact ranks, one thread each; no interaction constraints, no limit on leaves.
#pragma once

#include <memory>

#include "split/engine.hpp"
#include "split/ranked/ranked_table.hpp"

namespace bough {

/// Whether the ranked engine knows such targets and options: one class target under gini or one number target under squared
/// error, whole weights. Whether it knows the columns is rank_table()'s answer.
bool ranked_engine_fits(const Targets& targets, const EngineOptions& options);

/// The engine of one tree; everything that is given must outlive it.
std::unique_ptr<Engine> make_ranked_engine(const RankedTable& table, const Targets& targets,
                                           const EngineOptions& options);

}  // namespace bough
