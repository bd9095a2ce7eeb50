// SPDX-License-Identifier: Apache-2.0
// JSON from strangers: read where it lies, with every type checked and all memory counted; errors are
// bad_model and name the place.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bough/error.hpp"
#include "bough/json.hpp"
#include "model/json_text.hpp"

namespace bough {

/// A finite number, or "inf", "-inf", "nan".
Json number_json(double value);
/// A text, or {"hex": "..."} when its bytes are not UTF-8 (which JSON cannot hold).
Json text_json(const std::string& text);

/// The memory that reading a file may take, its own bytes included: four times its size and 16 MiB. What is
/// read takes its part before it is allocated.
class LoadBudget {
 public:
  static constexpr std::size_t kSlack = std::size_t{16} << 20;
  explicit LoadBudget(std::size_t file_size) noexcept : left_(3 * file_size + kSlack) {}
  /// Throws bad_model when it is used up.
  void take(std::size_t count, std::size_t bytes_each);

 private:
  std::size_t left_;
};

/// A JSON value and its place ("features[3].name"). Text, already checked by check_json(), and budget must
/// outlive it.
class JsonCursor {
 public:
  JsonCursor(std::string_view value, std::string path, LoadBudget& budget)
      : value_(value), path_(std::move(path)), budget_(&budget) {}
  /// The whole of a text that is not checked yet.
  static JsonCursor root(std::string_view text, LoadBudget& budget);

  /// A part of this value, called by the same name.
  [[nodiscard]] JsonCursor part(std::string_view value) const { return {value, path_, *budget_}; }
  /// The value as it stands there.
  [[nodiscard]] std::string_view raw() const noexcept { return value_; }
  [[nodiscard]] bool is_object() const noexcept { return value_.front() == '{'; }
  [[nodiscard]] bool is_array() const noexcept { return value_.front() == '['; }
  [[nodiscard]] bool is_text(std::string_view text) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] JsonCursor operator[](std::string_view key) const;
  /// Number of elements of an array.
  [[nodiscard]] std::size_t size() const;
  /// Calls visit(place) for every element of an array.
  template <class Visit>
  void each(Visit visit) const {
    std::size_t i = 0;
    json_text::each_element(array(), [&](std::string_view value) {
      visit(JsonCursor(value, path_ + "[" + std::to_string(i++) + "]", *budget_));
    });
  }
  /// Calls visit(name, place) for every member of an object of any names.
  template <class Visit>
  void each_member(Visit visit) const {
    json_text::each_member(object(), [&](std::string_view name, std::string_view value) {
      const std::string key = json_text::unquoted(name);
      visit(key, JsonCursor(value, path_ + "." + key, *budget_));
    });
  }
  [[nodiscard]] std::string text() const { return to_text(value_); }
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] double number() const { return to_number(value_); }
  template <class T>
  [[nodiscard]] T integer() const {
    return to_integer<T>(value_);
  }
  /// The numbers of an array; integers must fit into T.
  template <class T>
  [[nodiscard]] std::vector<T> numbers() const {
    const std::size_t count = size();
    budget_->take(count, sizeof(T));
    std::vector<T> out;
    out.reserve(count);
    json_text::each_element(array(), [&](std::string_view item) {
      if constexpr (std::is_floating_point_v<T>) {
        out.push_back(to_number(item));
      } else {
        out.push_back(to_integer<T>(item));
      }
    });
    return out;
  }
  /// Position of the text among `names`.
  [[nodiscard]] std::size_t choice(std::span<const std::string_view> names) const;
  /// The format version [major, minor] of a document that says {"bough": `kind`}; errors call it `name`.
  [[nodiscard]] std::array<std::uint64_t, 2> format_of(std::string_view kind, std::string_view name) const;
  /// Throws unless every key of the object is one of `known`.
  void only(std::span<const std::string_view> known) const;
  [[noreturn]] void refuse(const std::string& what) const;
  /// Takes memory for what this place becomes out of the budget.
  void take(std::size_t count, std::size_t bytes_each) const { budget_->take(count, bytes_each); }

 private:
  struct Member {
    std::string_view name;  // in its quotes
    std::string_view value;
  };

  [[nodiscard]] std::string_view object() const;
  [[nodiscard]] std::string_view array() const;
  [[nodiscard]] const std::vector<Member>& members() const;
  [[nodiscard]] const Member* find(std::string_view key) const;
  [[nodiscard]] std::string to_text(std::string_view value) const;
  [[nodiscard]] std::string from_hex(std::string_view object) const;
  [[nodiscard]] double to_number(std::string_view value) const;
  template <class T>
  [[nodiscard]] T to_integer(std::string_view value) const {
    T out{};
    if (!json_text::is_whole(value)) refuse("holds something that is no whole number");
    if (value == "-0") return out;
    const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), out);
    if (status != std::errc() || end != value.data() + value.size())
      refuse(std::string("holds ").append(value.substr(0, 40)).append(", a whole number of the wrong size"));
    return out;
  }

  std::string_view value_;
  std::string path_;
  LoadBudget* budget_;
  mutable std::vector<Member> members_;  // of an object, once one was asked for
};

}  // namespace bough
