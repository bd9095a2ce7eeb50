// SPDX-License-Identifier: Apache-2.0
// Benchmark data as a folder of raw files.
#pragma once

#include "driver/dataset.hpp"

namespace bench {

/// Throws std::runtime_error naming the file that is missing or has another size than meta.json says.
Dataset read_folder(const std::string& folder);

}  // namespace bench
