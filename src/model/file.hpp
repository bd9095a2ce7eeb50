// SPDX-License-Identifier: Apache-2.0
// Whole files, read at once; bough/output_file.hpp writes them.
#pragma once

#include <string>

#include "bough/output_file.hpp"

namespace bough {

/// The bytes of a file. Throws io naming it.
std::string read_file(const std::string& path);
}  // namespace bough
