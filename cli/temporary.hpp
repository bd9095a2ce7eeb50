// SPDX-License-Identifier: Apache-2.0
// A folder for files that other programs read or write, gone with the object.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "bough/error.hpp"

namespace bough::cli {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "bough-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr)
      throw Error(ErrorCode::io, fmt::format("no folder for temporary files: {}", std::strerror(errno)),
                  "set TMPDIR to a folder that can be written");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(std::string_view name) const {
    return (std::filesystem::path(path_) / name).string();
  }

 private:
  std::string path_;
};

}  // namespace bough::cli
