// SPDX-License-Identifier: Apache-2.0
// Reads what a page holds: the document, and columns out of base64 and deflate.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bough::testing {

inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    word = word << 6 | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits >= 8) out += static_cast<char>(word >> (bits -= 8) & 255U);
  }
  return out;
}

inline std::string inflated(const std::string& bytes) {
  std::string out;
  for (uLongf room = 1024; room < (1U << 28U); room *= 4) {
    out.resize(room);
    uLongf size = room;
    const int status =
        uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                   static_cast<uLong>(bytes.size()));
    if (status == Z_OK) return out.substr(0, size);
    if (status != Z_BUF_ERROR) break;
  }
  ADD_FAILURE() << "no zlib stream";
  return "";
}

template <class T>
std::vector<double> numbers_at(const std::string& bytes, std::size_t at, std::size_t length) {
  std::vector<double> out;
  for (std::size_t i = 0; i < length; ++i) {
    T value;
    std::memcpy(&value, bytes.data() + at + i * sizeof(T), sizeof(T));
    out.push_back(static_cast<double>(value));
  }
  return out;
}

/// Columns by name, as page/unpack.js reads them.
template <class Columns>
std::map<std::string, std::vector<double>> unpacked(const Columns& columns, const std::string& text) {
  const std::string bytes = inflated(from_base64(text));
  const std::map<std::string, std::size_t> sizes{{"i8", 1}, {"i16", 2}, {"i32", 4}, {"f32", 4}, {"f64", 8}};
  std::map<std::string, std::vector<double>> out;
  std::size_t at = 0;
  for (const auto& column : columns) {
    const auto type = column[1].template get<std::string>();
    const auto length = column[2].template get<std::size_t>();
    at = (at + 7) / 8 * 8;
    out[column[0].template get<std::string>()] = type == "i8"    ? numbers_at<std::int8_t>(bytes, at, length)
                                                 : type == "i16" ? numbers_at<std::int16_t>(bytes, at, length)
                                                 : type == "i32" ? numbers_at<std::int32_t>(bytes, at, length)
                                                 : type == "f32" ? numbers_at<float>(bytes, at, length)
                                                                 : numbers_at<double>(bytes, at, length);
    at += length * sizes.at(type);
  }
  return out;
}

/// The text of the element with this id.
inline std::string element(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("id=\"" + id + "\">");
  if (begin == std::string::npos) return "";
  const std::size_t start = page.find('>', begin) + 1;
  return page.substr(start, page.find("</script>", start) - start);
}

}  // namespace bough::testing
