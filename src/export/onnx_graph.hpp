// SPDX-License-Identifier: Apache-2.0
// ONNX graphs, written in protobuf's wire format (field numbers of onnx.proto; lengths before parts, numbers
// as varints).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bough::onnx {

/// A protobuf message under construction.
class Message {
 public:
  void number(int field, std::int64_t value);
  void real(int field, float value);
  void bytes(int field, std::string_view value);
  void message(int field, const Message& value) { bytes(field, value.text_); }
  void numbers(int field, std::span<const std::int64_t> values);  ///< packed
  void reals(int field, std::span<const float> values);           ///< packed
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value);
  void key(int field, int wire);
  std::string text_;
};

/// Element types of tensors, as onnx.proto numbers them.
enum class Type : std::uint8_t { float32 = 1, uint8 = 2, int64 = 7, text = 8, boolean = 9, float64 = 11 };

using Shape = std::vector<std::int64_t>;

/// Constant tensors.
struct Tensor {
  Type type = Type::float64;
  Shape shape;
  std::string raw;                 ///< elements, little-endian
  std::vector<std::string> texts;  ///< Type::text
  static Tensor of(std::span<const double> values, Shape shape);
  static Tensor of(std::span<const std::int64_t> values, Shape shape);
  static Tensor of_floats(std::span<const double> values, Shape shape);
  static Tensor of_bytes(std::span<const std::uint8_t> values, Type type, Shape shape);
  static Tensor of_texts(std::vector<std::string> values, Shape shape);
  [[nodiscard]] Message message(std::string_view name) const;
};

/// Attributes of a node, collected before it is added.
class Attributes {
 public:
  Attributes& number(std::string_view name, std::int64_t value);
  Attributes& text(std::string_view name, std::string_view value);
  Attributes& tensor(std::string_view name, const Tensor& value);
  Attributes& numbers(std::string_view name, std::span<const std::int64_t> values);
  Attributes& reals(std::string_view name, std::span<const float> values);
  Attributes& texts(std::string_view name, std::span<const std::string> values);
  [[nodiscard]] std::span<const Message> all() const { return all_; }

 private:
  std::vector<Message> all_;
};

/// Nodes in the order of their use. Values are strings, as ONNX names them.
class Graph {
 public:
  /// Adds a node with one output and returns its name.
  std::string add(std::string_view op, std::span<const std::string> inputs, const Attributes& attributes = {},
                  std::string_view domain = "");
  std::string add(std::string_view op, std::initializer_list<std::string> inputs,
                  const Attributes& attributes = {}, std::string_view domain = "") {
    return add(op, std::span(inputs.begin(), inputs.size()), attributes, domain);
  }
  std::string constant(const Tensor& tensor);
  std::string constant(double value);
  std::string constant(std::int64_t value);
  /// `width` columns, or a vector of one number per row when it is 0.
  void input(const std::string& name, Type type, std::int64_t width);
  void output(const std::string& name, const std::string& value, Type type, std::int64_t width);

  struct Versions {
    std::int64_t ir = 10, onnx = 21, ml = 5;
  };
  [[nodiscard]] std::string model(const Versions& versions, std::string_view metadata) const;

 private:
  std::string fresh();
  Message graph_;
  std::size_t n_values_ = 0;
};

inline constexpr std::string_view kMl = "ai.onnx.ml";

}  // namespace bough::onnx
