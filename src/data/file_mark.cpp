// SPDX-License-Identifier: Apache-2.0
// Which file a path led to, and in what state.
#include "data/file_mark.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "bough/error.hpp"

namespace bough {

FileMark::FileMark(std::string path) : path_(std::move(path)), state_(look()) {}

FileMark::State FileMark::look() const {
  if (path_ == "-")
    throw Error(ErrorCode::not_supported, "standard input can be read only once, but is needed twice",
                "write it to a file and give that");
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0)
    throw Error(ErrorCode::io, fmt::format("cannot open {}: {}", path_, std::strerror(errno)),
                "check the path and its permissions");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorCode::not_supported,
                fmt::format("{} is {}, which cannot be read twice", path_,
                            S_ISDIR(status.st_mode) ? "a folder" : "no ordinary file"),
                "give ordinary files");
  return {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
          static_cast<std::int64_t>(status.st_size), static_cast<std::int64_t>(status.st_mtim.tv_sec),
          static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
}

void FileMark::check() const {
  if (look() == state_) return;
  throw Error(ErrorCode::io, fmt::format("{} has changed while it was read", path_),
              "train again when nothing writes to it");
}

}  // namespace bough
