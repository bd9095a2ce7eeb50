// SPDX-License-Identifier: Apache-2.0
// A JSON value, read by nlohmann's parser and written with its digits and escapes.
#include "bough/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace bough {
namespace {

using Handler = nlohmann::json::error_handler_t;

std::string quoted(std::string_view text, Json::BadText bad_text) {
  const bool plain =
      std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  if (plain) return std::string("\"").append(text).append("\"");
  try {
    return nlohmann::json(text).dump(
        -1, ' ', false, bad_text == Json::BadText::replaced ? Handler::replace : Handler::strict);
  } catch (const nlohmann::json::exception& failure) {
    throw JsonError(failure.what());
  }
}

[[noreturn]] void wrong_type() {
  throw JsonError("a JSON value is of another type than expected");
}

}  // namespace

class JsonWriter {
 public:
  JsonWriter(int indent, Json::BadText bad_text) : indent_(indent), bad_text_(bad_text) {}

  void write(const Json& json) {
    switch (json.type_) {
      case Json::Type::null:
        text_ += "null";
        break;
      case Json::Type::boolean:
        text_ += json.boolean_ ? "true" : "false";
        break;
      case Json::Type::integer:
        whole(json.integer_);
        break;
      case Json::Type::unsigned_integer:
        whole(json.unsigned_);
        break;
      case Json::Type::real:
        real(json.real_);
        break;
      case Json::Type::text:
        text_ += quoted(*json.text_, bad_text_);
        break;
      case Json::Type::array:
        list(*json.array_, "[]", [&](const Json& one) { write(one); });
        break;
      case Json::Type::object:
        list(*json.object_, "{}", [&](const Json::Member& one) {
          text_ += quoted(one.name, bad_text_);
          text_ += indent_ < 0 ? ":" : ": ";
          write(one.value);
        });
    }
  }
  std::string take() { return std::move(text_); }

 private:
  template <class T>
  void whole(T value) {
    std::array<char, 24> digits{};
    text_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  void real(double value) {
    if (!std::isfinite(value)) {
      text_ += "null";
      return;
    }
    std::array<char, 64> digits{};
    text_.append(digits.data(),
                 nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
  }
  template <class Values, class Write>
  void list(const Values& values, const char* brackets, Write write_one) {
    text_ += brackets[0];
    ++depth_;
    const char* before = "";
    for (const auto& one : values) {
      text_ += before;
      before = ",";
      new_line();
      write_one(one);
    }
    --depth_;
    if (!values.empty()) new_line();
    text_ += brackets[1];
  }
  void new_line() {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(static_cast<std::size_t>(indent_ * depth_), ' ');
  }

  int indent_;
  Json::BadText bad_text_;
  int depth_ = 0;
  std::string text_;
};

/// Builds a value from what nlohmann's parser meets.
class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return put(Json()); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(value); }
  bool number_unsigned(std::uint64_t value) override { return put(value); }
  bool number_float(double value, const std::string&) override { return put(value); }
  bool string(std::string& value) override { return put(value); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool key(std::string& name) override {
    names_.push_back(std::move(name));
    return true;
  }
  bool end_object() override {
    keep_last(*open_.back().object_);
    return close();
  }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& failure) override {
    const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&failure);
    throw JsonError(failure.what(), syntax == nullptr ? 0 : syntax->byte);
  }
  Json take() { return std::move(root_); }

 private:
  bool put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().array_->push_back(std::move(value));
    } else {
      open_.back().object_->push_back({std::move(names_.back()), std::move(value)});
      names_.pop_back();
    }
    return true;
  }
  bool open(Json container) {
    open_.push_back(std::move(container));
    return true;
  }
  bool close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    return put(std::move(done));
  }
  // Where a name comes twice: its last value, in its first place.
  static void keep_last(std::vector<Json::Member>& members) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < members.size(); ++i) first.try_emplace(members[i].name, i);
    if (first.size() == members.size()) return;
    std::vector<Json::Member> kept;
    std::vector<std::size_t> place(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t at = first.at(members[i].name);
      place[i] = at == i ? kept.size() : place[at];
      if (at == i) {
        kept.push_back({members[i].name, std::move(members[i].value)});
      } else {
        kept[place[i]].value = std::move(members[i].value);
      }
    }
    members = std::move(kept);
  }

  Json root_;
  std::vector<Json> open_;
  std::vector<std::string> names_;
};

Json::Json(std::string_view text) : type_(Type::text), text_(new std::string(text)) {}

Json::Json(Items items) : Json() {
  const bool pairs = std::ranges::all_of(items, [](const Item& item) {
    return item.value_.is_array() && item.value_.size() == 2 && item.value_[0].is_string();
  });
  become(pairs ? Type::object : Type::array);
  for (const Item& item : items) {
    if (pairs) {
      (*this)[item.value_[0].to_text()] = std::move(item.value_[1]);
    } else {
      array_->push_back(item.take());
    }
  }
}

Json::Json(const Json& other) : type_(other.type_), unsigned_(other.unsigned_) {
  if (type_ == Type::text) text_ = new std::string(*other.text_);
  if (type_ == Type::array) array_ = new Array(*other.array_);
  if (type_ == Type::object) object_ = new Object(*other.object_);
}

Json& Json::operator=(Json other) noexcept {
  std::swap(type_, other.type_);
  std::swap(unsigned_, other.unsigned_);
  return *this;
}

Json::~Json() {
  if (type_ == Type::text) delete text_;
  if (type_ == Type::array) delete array_;
  if (type_ == Type::object) delete object_;
}

void Json::become(Type type) {
  if (type_ == Type::null && type == Type::array) array_ = new Array;
  if (type_ == Type::null && type == Type::object) object_ = new Object;
  if (type_ == Type::null) type_ = type;
  if (type_ != type) wrong_type();
}

Json Json::array() {
  Json out;
  out.become(Type::array);
  return out;
}

Json Json::array(Items items) {
  Json out = array();
  for (const Item& item : items) out.array_->push_back(item.take());
  return out;
}

Json Json::object() {
  Json out;
  out.become(Type::object);
  return out;
}

Json Json::parse(std::string_view text) {
  JsonReader reader;
  nlohmann::json::sax_parse(text, &reader);
  return reader.take();
}

std::string Json::dump(int indent, BadText bad_text) const {
  JsonWriter writer(indent, bad_text);
  writer.write(*this);
  return writer.take();
}

bool Json::to_bool() const {
  if (type_ != Type::boolean) wrong_type();
  return boolean_;
}

std::int64_t Json::to_int64() const {
  if (type_ == Type::real) return static_cast<std::int64_t>(real_);
  if (!is_number_integer()) wrong_type();
  return integer_;
}

double Json::to_double() const {
  if (type_ == Type::integer) return static_cast<double>(integer_);
  if (type_ == Type::unsigned_integer) return static_cast<double>(unsigned_);
  if (type_ != Type::real) wrong_type();
  return real_;
}

const std::string& Json::to_text() const {
  if (type_ != Type::text) wrong_type();
  return *text_;
}

std::size_t Json::size() const noexcept {
  if (type_ == Type::null) return 0;
  if (type_ == Type::array) return array_->size();
  return type_ == Type::object ? object_->size() : 1;
}

Json& Json::emplace_back(Json value) {
  become(Type::array);
  return array_->emplace_back(std::move(value));
}

const Json* Json::begin() const {
  if (type_ == Type::null) return this;
  if (type_ != Type::array) wrong_type();
  return array_->data();
}

const Json& Json::at(std::size_t i) const {
  if (type_ != Type::array) wrong_type();
  if (i >= array_->size()) throw JsonError("a JSON array has too few elements");
  return (*array_)[i];
}

const Json* Json::find(std::string_view name) const {
  if (type_ != Type::object) return nullptr;
  const auto found = std::ranges::find(*object_, name, &Member::name);
  return found == object_->end() ? nullptr : &found->value;
}

Json& Json::operator[](std::string_view name) {
  become(Type::object);
  if (const Json* found = find(name)) return const_cast<Json&>(*found);
  object_->push_back({std::string(name), Json()});
  return object_->back().value;
}

const Json& Json::at(std::string_view name) const {
  const Json* found = find(name);
  if (found == nullptr) throw JsonError(std::string("a JSON object has no member ").append(name));
  return *found;
}

std::string Json::value(std::string_view name, std::string_view otherwise) const {
  const Json* found = find(name);
  return found == nullptr ? std::string(otherwise) : found->to_text();
}

const std::vector<Json::Member>& Json::items() const& {
  if (type_ != Type::object) wrong_type();
  return *object_;
}

Json Json::sorted(Json value) {
  if (value.is_array())
    for (Json& one : *value.array_) one = sorted(std::move(one));
  if (value.is_object()) {
    std::ranges::sort(*value.object_, {}, &Member::name);
    for (Member& one : *value.object_) one.value = sorted(std::move(one.value));
  }
  return value;
}

std::string ascii_json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, Handler::replace);
}

}  // namespace bough
