// SPDX-License-Identifier: Apache-2.0
// A JSON value: what the library writes for programs, and what it reads back.
//
// The parser and the digits of numbers are nlohmann's, compiled once, in src/base/json.cpp: its header costs every file that
// includes it seconds of compile time. Members keep the order in which they came.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bough {

/// No JSON, a value of another type than was asked for, or text that is not UTF-8.
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& what, std::size_t position = 0)
      : std::runtime_error(what), position_(position) {}
  /// Which byte of the text is wrong, from 1; 0 where it is not the syntax that is wrong.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  std::size_t position_;
};

class Json {
 public:
  struct Member;
  class Item;
  using Items = std::initializer_list<Item>;
  /// What dump() does about text that is not UTF-8: JsonError, or U+FFFD in its place.
  enum class BadText : std::uint8_t { refused, replaced };

  Json() noexcept : unsigned_(0) {}
  Json(std::nullptr_t) noexcept : Json() {}
  template <std::same_as<bool> T>
  Json(T value) noexcept : type_(Type::boolean), boolean_(value) {}
  template <std::signed_integral T>
  Json(T value) noexcept : type_(Type::integer), integer_(value) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value)
  noexcept : type_(Type::unsigned_integer), unsigned_(value) {}
  Json(double value) noexcept : type_(Type::real), real_(value) {}
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <class T>
  Json(std::span<T> values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <class T>
  Json(const std::map<std::string, T>& values) : Json(object()) {
    for (const auto& [name, value] : values) (*this)[name] = value;
  }
  /// An object when every item is a pair that begins with text, else an array.
  Json(Items items);
  Json(const Json& other);
  Json(Json&& other) noexcept : type_(other.type_), unsigned_(other.unsigned_) { other.type_ = Type::null; }
  Json& operator=(Json other) noexcept;
  ~Json();

  static Json array();
  static Json array(Items items);
  static Json object();
  /// Throws JsonError. Where a name comes twice in an object, its last value counts.
  static Json parse(std::string_view text);
  /// indent < 0: in one line. Numbers have the fewest digits that give them back; not finite ones are null.
  [[nodiscard]] std::string dump(int indent = -1, BadText bad_text = BadText::refused) const;

  [[nodiscard]] bool is_null() const noexcept { return type_ == Type::null; }
  [[nodiscard]] bool is_boolean() const noexcept { return type_ == Type::boolean; }
  [[nodiscard]] bool is_number_unsigned() const noexcept { return type_ == Type::unsigned_integer; }
  [[nodiscard]] bool is_number_integer() const noexcept {
    return type_ == Type::integer || is_number_unsigned();
  }
  [[nodiscard]] bool is_number_float() const noexcept { return type_ == Type::real; }
  [[nodiscard]] bool is_number() const noexcept { return is_number_integer() || is_number_float(); }
  [[nodiscard]] bool is_string() const noexcept { return type_ == Type::text; }
  [[nodiscard]] bool is_array() const noexcept { return type_ == Type::array; }
  [[nodiscard]] bool is_object() const noexcept { return type_ == Type::object; }

  /// The value as bool, std::string or a number type. Throws JsonError when it is of another type.
  template <class T>
  [[nodiscard]] T get() const {
    if constexpr (std::is_same_v<T, bool>) {
      return to_bool();
    } else if constexpr (std::is_same_v<T, std::string>) {
      return to_text();
    } else if constexpr (std::is_floating_point_v<T>) {
      return to_double();
    } else {
      return static_cast<T>(to_int64());
    }
  }

  [[nodiscard]] bool operator==(std::string_view text) const { return is_string() && to_text() == text; }

  /// Elements or members; 0 for null, 1 for what is no container.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// An array; null becomes one. Throws JsonError for other types.
  void push_back(Json value) { emplace_back(std::move(value)); }
  Json& emplace_back(Json value);
  [[nodiscard]] const Json* begin() const;
  [[nodiscard]] const Json* end() const { return begin() + size(); }
  [[nodiscard]] const Json& operator[](std::size_t i) const { return at(i); }
  [[nodiscard]] Json& operator[](std::size_t i) { return const_cast<Json&>(at(i)); }
  [[nodiscard]] const Json& at(std::size_t i) const;

  /// An object; null becomes one. Absent members are added, or JsonError where the object is const.
  Json& operator[](std::string_view name);
  [[nodiscard]] const Json& operator[](std::string_view name) const { return at(name); }
  [[nodiscard]] const Json& at(std::string_view name) const;
  [[nodiscard]] const Json* find(std::string_view name) const;  ///< nothing where it is absent
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::string value(std::string_view name, std::string_view otherwise) const;
  /// Of a value that outlives the loop over them.
  [[nodiscard]] const std::vector<Member>& items() const&;
  const std::vector<Member>& items() && = delete;

  /// The same with the members of all objects sorted by name.
  static Json sorted(Json value);

 private:
  enum class Type : std::uint8_t { null, boolean, integer, unsigned_integer, real, text, array, object };
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  friend class JsonReader;
  friend class JsonWriter;

  [[nodiscard]] bool to_bool() const;
  [[nodiscard]] std::int64_t to_int64() const;
  [[nodiscard]] double to_double() const;
  [[nodiscard]] const std::string& to_text() const;
  void become(Type type);  // an empty container, where this is null

  Type type_ = Type::null;
  union {
    bool boolean_;
    std::int64_t integer_;
    std::uint64_t unsigned_;
    double real_;
    std::string* text_;
    Array* array_;
    Object* object_;
  };
};

struct Json::Member {
  std::string name;
  Json value;
};

/// One of the values in braces, which is moved out of there.
class Json::Item {
 public:
  Item(Items items) : value_(items) {}
  template <class T>
  requires(std::is_constructible_v<Json, T&&>) Item(T&& value) : value_(std::forward<T>(value)) {}
  [[nodiscard]] Json take() const { return std::move(value_); }

 private:
  friend class Json;
  mutable Json value_;
};

/// Text in quotes, all but ASCII escaped; bytes that are not UTF-8 become U+FFFD.
std::string ascii_json(std::string_view text);

}  // namespace bough
