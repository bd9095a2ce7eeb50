// SPDX-License-Identifier: Apache-2.0
// Files that appear only when they are complete: the one way in which the library and its doors replace
// files.
#include "bough/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace bough {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 16;

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", target, getpid(), counter.fetch_add(1));
}

std::string folder_of(const std::string& target) {
  const std::string folder = fs::path(target).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The file that a link points to is replaced, not the link; it need not be there yet.
std::string target_of(const std::string& path) {
  constexpr int most = 40;  // as many as the kernel follows
  fs::path target = path;
  std::error_code failed;
  for (int i = 0; i < most && fs::is_symlink(fs::symlink_status(target, failed)); ++i) {
    const fs::path to = fs::read_symlink(target, failed);
    if (failed) return path;
    target = to.is_absolute() ? to : target.parent_path() / to;
  }
  return target.string();
}

void write_all(int file, std::string_view bytes, int& error) {
  error = 0;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = errno;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    direct_ = true;
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  // A rename asks for the permissions of the folder only.
  if (exists && faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  target_ = target_of(path_);
  open_beside(exists ? status.st_mode & 07777U : 0);
}

std::string OutputFile::folder(const std::string& path) {
  return folder_of(target_of(path));
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(int error) const {
  throw Error(ErrorCode::io,
              fmt::format("cannot write '{}': {}", path_, std::generic_category().message(error)),
              "Check that the folder exists, may be written to and has room.");
}

// Whether it can get its name later is known now: only through /proc.
bool OutputFile::open_unnamed() {
#ifdef O_TMPFILE
  if (access("/proc/self/fd", X_OK) != 0) return false;
  file_ = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
  return file_ >= 0;
}

void OutputFile::open_beside(unsigned mode) {
  if (!open_unnamed()) {
    std::string name;
    // A name may be left from a process of the same number that was killed.
    do {
      name = temporary_name(target_);
      file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) fail(errno);
    temporary_ = name;
  }
  if (mode == 0 || fchmod(file_, mode) == 0) return;
  const int error = errno;
  close(std::exchange(file_, -1));
  if (!temporary_.empty()) unlink(temporary_.c_str());
  fail(error);
}

void OutputFile::flush() {
  int error = 0;
  write_all(file_, buffer_, error);
  buffer_.clear();
  if (error != 0) fail(error);
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() < kBuffer) {
    buffer_ += bytes;
    return;
  }
  int error = 0;
  write_all(file_, bytes, error);
  if (error != 0) fail(error);
}

void OutputFile::name_it() {
  const std::string open_file = fmt::format("/proc/self/fd/{}", file_);
  std::string name;
  int done = 0;
  do {
    name = temporary_name(target_);
    done = linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  } while (done != 0 && errno == EEXIST);
  if (done != 0) fail(errno);
  temporary_ = name;
}

// Renaming is durable only when the folder is on disk; file systems that cannot sync one say EINVAL.
void OutputFile::sync_folder() const {
  const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // may be written to but not read: the rename stands
  const int error = fsync(folder) == 0 ? 0 : errno;
  close(folder);
  if (error != 0 && error != EINVAL && error != ENOTSUP) fail(error);
}

void OutputFile::commit() {
  flush();
  if (!direct_) {
    if (fsync(file_) != 0) fail(errno);
    if (temporary_.empty()) name_it();
  }
  if (close(std::exchange(file_, -1)) != 0) fail(errno);
  if (direct_) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  sync_folder();
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace bough
