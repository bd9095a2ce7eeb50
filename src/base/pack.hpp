// SPDX-License-Identifier: Apache-2.0
// Values as bytes, one after the other, and back: bytes that are not what was written are an error, never a crash.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bough/error.hpp"

namespace bough {

class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> Packer& put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  /// Elements of one type, and how many they are.
  template <class T>
  requires std::is_trivially_copyable_v<T> Packer& put_all(const T* data, std::size_t size) {
    put(static_cast<std::uint64_t>(size));
    bytes_.append(reinterpret_cast<const char*>(data), size * sizeof(T));
    return *this;
  }
  template <class T>
  Packer& put(const std::vector<T>& values) {
    return put_all(values.data(), values.size());
  }
  Packer& put(std::string_view text) { return put_all(text.data(), text.size()); }
  Packer& put(const std::string& text) { return put(std::string_view(text)); }
  [[nodiscard]] std::string& bytes() noexcept { return bytes_; }
  [[nodiscard]] std::string take() noexcept { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a Packer wrote. `what` names the bytes in errors and must outlive the reader.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {}
  /// Bytes that begin with `magic`.
  Unpacker(std::string_view bytes, std::string_view what, std::uint32_t magic) : Unpacker(bytes, what) {
    if (get<std::uint32_t>() != magic) fail("do not begin as they should");
  }

  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// One of `count` numbers from 0 on: an enumerator, a yes or no.
  template <class T>
  T choice(unsigned count) {
    const auto value = get<std::uint8_t>();
    if (value >= count) fail("hold a value that means nothing");
    return static_cast<T>(value);
  }
  bool yes() { return choice<bool>(2); }
  /// How many elements follow, each of at least `each` bytes.
  std::size_t size(std::size_t each) {
    const auto size = get<std::uint64_t>();
    if (size > bytes_.size() / each) fail("end early");
    return static_cast<std::size_t>(size);
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> all() {
    std::vector<T> values(size(sizeof(T)));
    const std::string_view from = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }
  std::string_view text() { return take(size(1)); }
  std::string_view take(std::size_t n) {
    if (n > bytes_.size()) fail("end early");
    const std::string_view out = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return out;
  }
  /// What is left; others may take from its front.
  [[nodiscard]] std::string_view& rest() noexcept { return bytes_; }
  void end() const {
    if (!bytes_.empty()) fail("go on beyond their end");
  }
  [[noreturn]] void fail(std::string_view how) const {
    throw Error(ErrorCode::bad_data,
                std::string("the bytes of ") + std::string(what_) + " " + std::string(how));
  }

 private:
  std::string_view bytes_;
  std::string_view what_;
};

}  // namespace bough
