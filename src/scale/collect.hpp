// SPDX-License-Identifier: Apache-2.0
// What a block sends beside histograms.
#pragma once

#include "scale/answer.hpp"
#include "scale/tree_notes.hpp"

namespace bough {

/// Adds what a collect request asks of a block to the answer of others.
void collect(const BlockRows& block, JobNotes& notes, const Request& request, Answer& sum);

}  // namespace bough
