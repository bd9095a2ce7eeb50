// SPDX-License-Identifier: Apache-2.0
// From what a user calls data to files: folders and patterns.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bough {

/// The files behind paths: a folder stands for the files in it (by name; those that begin with . or _ are
/// passed over), a pattern (* ? [) that is no file's name for the files it fits. Other paths stay as they
/// are. Throws io where a folder or a pattern holds no file, not_supported for folders whose names hold
/// columns (year=2024).
std::vector<std::string> data_files(std::span<const std::string> paths);

}  // namespace bough
