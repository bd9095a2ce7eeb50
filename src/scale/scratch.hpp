// SPDX-License-Identifier: Apache-2.0
// The scratch file: images of blocks on disk, mapped one by one. It has no name, so nothing of it is left
// behind however the program ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace bough {

/// The folder that scratch goes to: as given, else $TMPDIR, else /tmp.
std::string scratch_folder(const std::string& given);

/// An image in the scratch file: address space that stays the same, memory that comes and goes. 256 bytes
/// behind the image are readable.
class StoredImage {
 public:
  StoredImage(int file, std::int64_t offset, std::size_t image_bytes, std::size_t mapped_bytes);
  ~StoredImage();
  StoredImage(const StoredImage&) = delete;
  StoredImage& operator=(const StoredImage&) = delete;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(base_), size_};
  }
  /// Asks the system to read the first `bytes` of it soon.
  void prefetch(std::size_t bytes) const noexcept;
  /// Gives the memory back; what is read next comes from the file.
  void drop() const noexcept;

 private:
  void* base_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
};

class ScratchFile {
 public:
  /// `bytes`: how much will be written, about; asked for at once, so that a full disk is noticed before the
  /// work. Throws io naming the folder, what is needed and what is free.
  ScratchFile(std::string folder, std::int64_t bytes);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Writes an image behind the others. Throws io where the disk is full.
  std::shared_ptr<const StoredImage> append(std::span<const std::byte> image);
  /// How much an image of so many bytes takes in the file.
  static std::int64_t stored_bytes(std::int64_t image_bytes) noexcept;

 private:
  void open();
  void reserve();
  void write_all(const std::byte* data, std::size_t bytes);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string folder_;
  std::int64_t wanted_ = 0;
  int file_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace bough
