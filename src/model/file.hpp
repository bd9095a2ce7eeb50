// SPDX-License-Identifier: Apache-2.0
// Whole files, read at once and written atomically.
#pragma once

#include <string>
#include <string_view>

namespace bough {

/// The bytes of a file. Throws io naming it.
std::string read_file(const std::string& path);
/// Writes a temporary file beside `path`, syncs it and renames it over `path`: afterwards there is either the
/// old file or the whole new one, also after a crash. A symbolic link is followed; a device or pipe is
/// written to directly. Throws io naming the path; the temporary file is removed.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace bough
