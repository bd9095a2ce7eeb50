// SPDX-License-Identifier: Apache-2.0
// From what a user calls data to files: folders and patterns.
#include "data/data_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "bough/error.hpp"

namespace bough {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool hidden = name.starts_with('.') || name.starts_with('_');
    if (at->is_directory(failed)) {
      if (hidden) at.disable_recursion_pending();
      if (!hidden && name.find('=') != std::string::npos)
        throw Error(
            ErrorCode::not_supported,
            fmt::format("the folder {} holds a column in its name, which is not read", at->path().string()),
            "write that column into the files, or name the folders whose rows are wanted");
    } else if (!hidden) {
      files.push_back(at->path().string());
    }
  }
  if (failed)
    throw Error(ErrorCode::io, fmt::format("cannot read the folder {}: {}", folder, failed.message()));
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw Error(ErrorCode::io, fmt::format("the folder {} holds no files", folder), "check the path");
  return files;
}

std::vector<std::string> files_like(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  if (files.empty())
    throw Error(ErrorCode::io, fmt::format("no file is called like {}", pattern), "check the path");
  return files;
}

}  // namespace

std::vector<std::string> data_files(std::span<const std::string> paths) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& path) {
    std::error_code failed;
    const std::vector<std::string> inside =
        fs::is_directory(path, failed) ? files_in(path) : std::vector<std::string>{path};
    files.insert(files.end(), inside.begin(), inside.end());
  };
  for (const std::string& path : paths) {
    std::error_code failed;
    if (path == "-" || path.find_first_of("*?[") == std::string::npos || fs::exists(path, failed)) {
      add(path);
    } else {
      for (const std::string& file : files_like(path)) add(file);
    }
  }
  return files;
}

}  // namespace bough
