// SPDX-License-Identifier: Apache-2.0
// Columns of numbers on their way into a page.
#include "report/pack.hpp"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/markup.hpp"
#include "bough/error.hpp"

namespace bough {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

template <class T>
bool holds(std::span<const double> values) {
  for (const double value : values) {
    if constexpr (std::is_integral_v<T>) {
      const bool whole = value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max() &&
                         value == std::floor(value) && !(value == 0.0 && std::signbit(value));
      if (!whole) return false;
    } else {
      // A double beyond the range of float must not be cast to it.
      if (std::isnan(value) || std::isinf(value)) continue;
      if (std::fabs(value) > static_cast<double>(std::numeric_limits<T>::max())) return false;
      if (static_cast<double>(static_cast<T>(value)) != value) return false;
    }
  }
  return true;
}

template <class T>
void append(std::string& bytes, std::span<const double> values) {
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  const std::size_t begin = bytes.size();
  bytes.resize(begin + values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + begin + i * sizeof(T), &value, sizeof(T));
  }
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 6);
  if (status != Z_OK) throw Error(ErrorCode::internal, "zlib cannot deflate the data of the report");
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += j <= left ? kDigits[word >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

}  // namespace

void Pack::add(std::string_view name, std::span<const double> values) {
  const auto put = [&]<class T>(const char* type, T) {
    append<T>(bytes_, values);
    columns_.push_back({name, type, values.size()});
  };
  if (holds<std::int8_t>(values)) return put("i8", std::int8_t{});
  if (holds<std::int16_t>(values)) return put("i16", std::int16_t{});
  if (holds<std::int32_t>(values)) return put("i32", std::int32_t{});
  if (holds<float>(values)) return put("f32", float{});
  put("f64", double{});
}

std::string Pack::text() const {
  return base64(deflated(bytes_));
}

std::string script_json(const Json& json) {
  const std::string plain = json.dump(-1, Json::BadText::replaced);
  std::string out;
  out.reserve(plain.size());
  // Only strings hold such signs, and inside strings \u escapes mean the same.
  for (const char c : plain) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string html_text(std::string_view text) {
  // dump() replaces broken UTF-8, which would otherwise reach the browser.
  const std::string quoted = Json(text).dump(-1, Json::BadText::replaced);
  std::string out;
  for (const char c : Json::parse(quoted).get<std::string>()) {
    const std::string_view entity = markup_entity(c);
    if (!entity.empty())
      out += entity;
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

}  // namespace bough
