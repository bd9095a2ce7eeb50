// SPDX-License-Identifier: Apache-2.0
// Whole files, read at once; bough/output_file.hpp writes them.
#pragma once

#include <string>

#include "bough/error.hpp"
#include "bough/output_file.hpp"

namespace bough {

/// The bytes of a file. Throws io naming it.
std::string read_file(const std::string& path);

/// read(bytes of the file), whose errors then name the file.
template <class Read>
auto load_file(const std::string& path, Read read) {
  const std::string bytes = read_file(path);
  try {
    return read(bytes);
  } catch (const Error& error) {
    throw Error(error.code(), "'" + path + "': " + error.what(), error.hint());
  }
}

}  // namespace bough
