// SPDX-License-Identifier: Apache-2.0
// The scratch file.
#include "scale/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bough/error.hpp"
#include "scale/sizes.hpp"

namespace bough {
namespace {

constexpr std::int64_t kBehind = 256;  // readable bytes behind an image

std::int64_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// What an ordinary user may still write, or -1 where the file system does not say.
std::int64_t free_bytes(const std::string& folder) noexcept {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0) return -1;
  return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

}  // namespace

std::string scratch_folder(const std::string& given) {
  if (!given.empty()) return given;
  const char* wish = std::getenv("TMPDIR");
  return wish != nullptr && *wish != '\0' ? wish : "/tmp";
}

StoredImage::StoredImage(int file, std::int64_t offset, std::size_t image_bytes, std::size_t mapped_bytes)
    : size_(image_bytes), mapped_(mapped_bytes) {
  void* base = ::mmap(nullptr, mapped_bytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(offset));
  if (base == MAP_FAILED)
    throw Error(errno == ENOMEM ? ErrorCode::out_of_memory : ErrorCode::io,
                fmt::format("cannot map {} of the scratch file: {}",
                            bytes_text(static_cast<std::int64_t>(mapped_bytes)), std::strerror(errno)),
                "check the limit of address space (ulimit -v)");
  base_ = base;
}

StoredImage::~StoredImage() {
  ::munmap(base_, mapped_);
}

void StoredImage::prefetch(std::size_t bytes) const noexcept {
  ::madvise(base_, std::min(bytes, mapped_), MADV_WILLNEED);
}

void StoredImage::drop() const noexcept {
  ::madvise(base_, mapped_, MADV_DONTNEED);
}

ScratchFile::ScratchFile(std::string folder, std::int64_t bytes)
    : folder_(std::move(folder)), wanted_(bytes) {
  open();
  try {
    reserve();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

ScratchFile::~ScratchFile() {
  ::close(file_);
}

void ScratchFile::open() {
#ifdef O_TMPFILE
  file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail("cannot write scratch", errno);
#endif
  const std::string pattern = folder_ + "/bough-scratch-XXXXXX";
  std::vector<char> path(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
  file_ = ::mkstemp(path.data());
  if (file_ < 0) fail("cannot write scratch", errno);
  ::unlink(path.data());
  ::fcntl(file_, F_SETFD, FD_CLOEXEC);
}

void ScratchFile::reserve() {
  if (wanted_ <= 0) return;
  const std::int64_t room = free_bytes(folder_);
  if (room >= 0 && room < wanted_) fail("too little room for scratch", ENOSPC);
#ifdef __linux__
  // Where the file system cannot promise room, writing tells.
  if (::fallocate(file_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(wanted_)) != 0 &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    fail("too little room for scratch", errno);
#endif
}

void ScratchFile::fail(const std::string& what, int error) const {
  if (error != ENOSPC && error != EDQUOT && error != EFBIG)
    throw Error(ErrorCode::io, fmt::format("{} in the folder {}: {}", what, folder_, std::strerror(error)),
                "name a folder that can be written with --scratch");
  const std::int64_t room = free_bytes(folder_);
  throw Error(ErrorCode::io,
              fmt::format("{} in the folder {}: {} needed, {} written so far, {} free ({})", what, folder_,
                          bytes_text(std::max(wanted_, size_)), bytes_text(size_),
                          room < 0 ? "unknown" : bytes_text(room), std::strerror(error)),
              "name a folder on a larger disk with --scratch");
}

void ScratchFile::write_all(const std::byte* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::pwrite(file_, data, std::min(bytes, std::size_t{1} << 30), static_cast<off_t>(size_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("cannot write scratch", n == 0 ? ENOSPC : errno);
    data += n;
    bytes -= static_cast<std::size_t>(n);
    size_ += n;
  }
}

std::int64_t ScratchFile::stored_bytes(std::int64_t image_bytes) noexcept {
  const std::int64_t page = page_bytes();
  return (image_bytes + kBehind + page - 1) / page * page;
}

std::shared_ptr<const StoredImage> ScratchFile::append(std::span<const std::byte> image) {
  const std::int64_t offset = size_;
  const std::int64_t stored = stored_bytes(static_cast<std::int64_t>(image.size()));
  write_all(image.data(), image.size());
  const std::vector<std::byte> padding(static_cast<std::size_t>(stored) - image.size());
  write_all(padding.data(), padding.size());
  return std::make_shared<const StoredImage>(file_, offset, image.size(), static_cast<std::size_t>(stored));
}

}  // namespace bough
