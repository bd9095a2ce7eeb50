// SPDX-License-Identifier: Apache-2.0
// JSON from strangers: parsed with bounds, read with every type checked; errors are bad_model and name the
// place.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bough/error.hpp"

namespace bough {

using Json = nlohmann::json;

/// Containers inside containers that parse_json accepts.
inline constexpr int kMaxJsonDepth = 32;
/// Parses a whole text. Throws bad_model when it is no JSON or nested deeper than kMaxJsonDepth.
Json parse_json(std::string_view text);

/// A finite number, or "inf", "-inf", "nan".
Json number_json(double value);
/// A text, or {"hex": "..."} when its bytes are not UTF-8 (which JSON cannot hold).
Json text_json(const std::string& text);

/// A JSON value and its place ("features[3].name"). The value must outlive it.
class Place {
 public:
  Place(const Json& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[nodiscard]] const Json& json() const noexcept { return value_; }
  [[nodiscard]] bool has(const std::string& key) const { return object().contains(key); }
  [[nodiscard]] Place operator[](const std::string& key) const;
  /// Calls visit(place) for every element of an array.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < array().size(); ++i)
      visit(Place(value_[i], path_ + "[" + std::to_string(i) + "]"));
  }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] double number() const { return to_number(value_); }
  template <class T>
  [[nodiscard]] T integer() const {
    return to_integer<T>(value_);
  }
  /// The numbers of an array; integers must fit into T.
  template <class T>
  [[nodiscard]] std::vector<T> numbers() const {
    std::vector<T> out;
    out.reserve(array().size());
    for (const Json& item : array()) {
      if constexpr (std::is_floating_point_v<T>) {
        out.push_back(to_number(item));
      } else {
        out.push_back(to_integer<T>(item));
      }
    }
    return out;
  }
  /// Position of the text among `names`.
  [[nodiscard]] std::size_t choice(std::span<const std::string_view> names) const;
  /// Throws unless every key of the object is one of `known`.
  void only(std::span<const std::string_view> known) const;
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  [[nodiscard]] const Json& object() const;
  [[nodiscard]] const Json& array() const;
  [[nodiscard]] std::string to_text(const Json& value) const;
  [[nodiscard]] double to_number(const Json& value) const;
  template <class T>
  [[nodiscard]] T to_integer(const Json& value) const {
    if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>())) {
      return static_cast<T>(value.get<std::uint64_t>());
    }
    if (value.is_number_integer() && !value.is_number_unsigned() &&
        std::in_range<T>(value.get<std::int64_t>())) {
      return static_cast<T>(value.get<std::int64_t>());
    }
    refuse("is no whole number of the right size");
  }

  const Json& value_;
  std::string path_;
};

}  // namespace bough
