// SPDX-License-Identifier: Apache-2.0
// Whole files, and models in them.
#include "model/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "bough/model.hpp"
#include "model/format.hpp"

namespace bough {
namespace {

[[noreturn]] void fail_read(const std::string& path, int error) {
  throw Error(ErrorCode::io,
              fmt::format("cannot read '{}': {}", path, std::generic_category().message(error)),
              "Check the path and its permissions.");
}

// Closed when it goes out of scope.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string read_file(const std::string& path) {
  const OpenFile file(path);
  if (!file.is_open()) fail_read(path, errno);
  struct stat status {};
  if (fstat(file.fd(), &status) != 0) fail_read(path, errno);
  if (S_ISDIR(status.st_mode)) fail_read(path, EISDIR);
  std::string bytes;
  std::size_t used = 0;
  // One byte more than the size, so that the end of the file is seen without growing.
  bytes.resize(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 65536);
  while (true) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t got = ::read(file.fd(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_read(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

void Model::save(const std::string& path) const {
  write_file(path, path.ends_with(".json") ? to_json() : to_bytes());
}

Model Model::load(const std::string& path) {
  return load_file(path, [](const std::string& bytes) { return model_from(bytes); });
}

}  // namespace bough
