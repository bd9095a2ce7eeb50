// SPDX-License-Identifier: Apache-2.0
// The search of small trees inside the pipeline.
#pragma once

#include <string>

#include "base/monitor.hpp"
#include "grow/grow.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Searches the tree of the rows of `prepared` as params.search says. Throws bad_params without a limit on leaves or depth,
/// and not_supported for targets that are not one class target.
Grown grow_searched(const Table& table, const Prepared& prepared, const Params& params,
                    Fingerprint& fingerprint, Monitor& monitor);

/// What the search found, in a sentence.
std::string search_words(const SearchProof& proof, const Params& params);

}  // namespace bough
