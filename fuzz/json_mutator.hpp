// SPDX-License-Identifier: Apache-2.0
// JSON changed as JSON: numbers, words, members and elements, so that what comes out still parses.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>

namespace bough::fuzz {

using Random = std::minstd_rand;

/// One change somewhere in a document.
void mutate_json(nlohmann::json& document, Random& random);

}  // namespace bough::fuzz
