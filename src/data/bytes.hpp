// SPDX-License-Identifier: Apache-2.0
// Bytes of a file, of standard input or of memory, decompressed by content.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/interface.hpp"

namespace bough {

/// A sequence of bytes read once from front to back.
class ByteSource : public Interface {
 public:
  /// Reads at most `room` bytes as soon as some are there; 0 only at the end. Throws io.
  virtual std::size_t read(char* out, std::size_t room) = 0;
  /// Bytes to come, when known, else 0.
  [[nodiscard]] virtual std::size_t size_hint() const noexcept { return 0; }
  /// Bytes read so far of the file behind it all, as it is stored.
  [[nodiscard]] virtual std::size_t consumed() const noexcept = 0;
};

/// Opens a path ("-": standard input). gzip and zstd are told by their first bytes. Throws io, or
/// not_supported for binary formats that are known by their first bytes.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);
/// The same over memory, which must outlive the source.
std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes);
/// Both again; Parquet and Arrow data are not refused, and `head` becomes the first bytes, at most 8, behind
/// all packing.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::string& head);
std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes, std::string& head);
/// The first bytes of a file as it is stored, at most 8. Throws io.
std::string first_bytes(const std::string& path);
/// Whether data that begin so are packed by gzip or zstd.
bool is_packed(std::string_view head) noexcept;

/// Text in memory of its own, followed by a NUL.
struct TextBuffer {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;
};
/// All that is left of a source.
TextBuffer read_all(ByteSource& source);

}  // namespace bough
