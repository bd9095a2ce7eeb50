// SPDX-License-Identifier: Apache-2.0
// Binary models taken apart and put together again.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hash.hpp"

namespace bough::fuzz {

inline constexpr std::size_t kHeader = 64;
inline constexpr std::size_t kSizeAt = 16;
inline constexpr std::size_t kMetadataSizeAt = 24;
inline constexpr std::size_t kChecksum = 8;

constexpr std::size_t aligned(std::size_t size) {
  return (size + 63) / 64 * 64;
}

/// The parts of a binary model (docs/format-v1.md).
struct ModelParts {
  std::string header;
  std::string metadata;
  std::string arrays;
};

inline std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, 8);
  return number;
}

inline void put_number(std::string& bytes, std::size_t at, std::uint64_t number) {
  std::memcpy(bytes.data() + at, &number, 8);
}

/// False where the sizes make no sense.
inline bool take_apart(std::string_view file, ModelParts& parts) {
  if (file.size() < kHeader + kChecksum) return false;
  const std::string_view body = file.substr(kHeader, file.size() - kHeader - kChecksum);
  const std::uint64_t metadata = number_at(file, kMetadataSizeAt);
  if (metadata > body.size() || aligned(metadata) > body.size()) return false;
  parts.header = file.substr(0, kHeader);
  parts.metadata = body.substr(0, metadata);
  parts.arrays = body.substr(aligned(metadata));
  return true;
}

/// With the right sizes and the right checksum.
inline std::string put_together(const ModelParts& parts) {
  std::string file = parts.header + parts.metadata;
  file.resize(kHeader + aligned(parts.metadata.size()), '\0');
  file += parts.arrays;
  put_number(file, kMetadataSizeAt, parts.metadata.size());
  put_number(file, kSizeAt, file.size() + kChecksum);
  const std::uint64_t checksum = hash_text(file);
  file.append(reinterpret_cast<const char*>(&checksum), kChecksum);
  return file;
}

}  // namespace bough::fuzz
