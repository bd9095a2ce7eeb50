// SPDX-License-Identifier: Apache-2.0
// Schemas with sentences for the people who edit them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "bough/table.hpp"

namespace bough {

/// Sentences about columns, by their names.
using SchemaNotes = std::map<std::string, std::string, std::less<>>;
/// schema_to_json() with a "note" for some columns, which schema_from_json() drops.
std::string schema_to_json(const Schema& schema, const SchemaNotes& notes);

}  // namespace bough
