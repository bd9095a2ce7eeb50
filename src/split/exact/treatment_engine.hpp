// SPDX-License-Identifier: Apache-2.0
// The engine of two arms: lists that look for splits where effects, or chances of treatment, differ.
#pragma once

#include "split/engine.hpp"

namespace bough {

/// Lists for Targets::treated and options.arms. `variance_price`: what the variance of estimated effects
/// costs (criterion/arms.hpp); 0: nothing.
std::unique_ptr<Engine> make_treatment_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options, double variance_price);

}  // namespace bough
