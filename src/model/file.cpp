// SPDX-License-Identifier: Apache-2.0
// Whole files, and models in them.
#include "model/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "bough/model.hpp"
#include "model/format.hpp"

namespace bough {
namespace {

[[noreturn]] void fail(const char* verb, const std::string& path, int error, const char* hint) {
  throw Error(ErrorCode::io,
              fmt::format("cannot {} '{}': {}", verb, path, std::generic_category().message(error)), hint);
}

[[noreturn]] void fail_read(const std::string& path, int error) {
  fail("read", path, error, "Check the path and its permissions.");
}

[[noreturn]] void fail_write(const std::string& path, int error) {
  fail("write", path, error, "Check that the directory exists, can be written and has room.");
}

// An open file; closed and, unless kept, removed when it goes out of scope.
class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int fd() const noexcept { return fd_; }
  void remove_at_end(const std::string& path) { temporary_ = path; }
  void keep() { temporary_.clear(); }
  /// Closes now; the error number, 0 when all is well.
  int close_now() {
    const int failed = close(fd_) != 0 ? errno : 0;
    fd_ = -1;
    return failed;
  }

 private:
  int fd_;
  std::string temporary_;
};

void write_all(const File& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.fd(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Renaming is durable only when the directory is on disk; file systems that cannot sync one say EINVAL.
void sync_directory(const std::filesystem::path& directory, const std::string& path) {
  const File file(directory.empty() ? "." : directory.string(), O_RDONLY | O_DIRECTORY);
  if (!file.is_open()) return;  // written but not readable: the rename stands
  if (fsync(file.fd()) != 0 && errno != EINVAL && errno != ENOTSUP) fail_write(path, errno);
}

void write_directly(const std::string& path, std::string_view bytes) {
  File file(path, O_WRONLY);
  if (!file.is_open()) fail_write(path, errno);
  write_all(file, bytes, path);
  if (const int error = file.close_now()) fail_write(path, error);
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", target, getpid(), counter.fetch_add(1));
}

void replace_file(const std::string& path, const std::string& target, std::string_view bytes, mode_t mode) {
  const std::string temporary = temporary_name(target);
  File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.is_open()) fail_write(path, errno);
  file.remove_at_end(temporary);
  if (mode != 0 && fchmod(file.fd(), mode) != 0) fail_write(path, errno);
  write_all(file, bytes, path);
  if (fsync(file.fd()) != 0) fail_write(path, errno);
  if (const int error = file.close_now()) fail_write(path, error);
  if (std::rename(temporary.c_str(), target.c_str()) != 0) fail_write(path, errno);
  file.keep();
  sync_directory(std::filesystem::path(target).parent_path(), path);
}

}  // namespace

std::string read_file(const std::string& path) {
  const File file(path, O_RDONLY);
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

void write_file(const std::string& path, std::string_view bytes) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail_write(path, errno);
  if (exists && S_ISDIR(status.st_mode)) fail_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, bytes);
  std::error_code ignored;
  const std::filesystem::path real =
      exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path();
  replace_file(path, real.empty() ? path : real.string(), bytes, exists ? status.st_mode & 07777 : 0);
}

void Model::save(const std::string& path) const {
  write_file(path, path.ends_with(".json") ? to_json() : to_bytes());
}

Model Model::load(const std::string& path) {
  const std::string bytes = read_file(path);
  try {
    return model_from(bytes);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("'{}': {}", path, error.what()), error.hint());
  }
}

}  // namespace bough
