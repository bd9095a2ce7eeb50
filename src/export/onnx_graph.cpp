// SPDX-License-Identifier: Apache-2.0
// The few messages of onnx.proto that models need.
#include "export/onnx_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "bough/model.hpp"

namespace bough::onnx {
namespace {

enum : int { kVarint = 0, kLengthDelimited = 2, kFixed32 = 5 };

template <class T>
void append_little(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
  out.append(raw, sizeof(T));
}

template <class To, class From>
std::string raw_of(std::span<const From> values) {
  std::string out;
  out.reserve(values.size() * sizeof(To));
  for (const From value : values) append_little(out, static_cast<To>(value));
  return out;
}

Message value_info(const std::string& name, Type type, std::int64_t width) {
  Message rows, shape;
  rows.bytes(2, "rows");
  shape.message(1, rows);
  if (width > 0) {
    Message columns;
    columns.number(1, width);
    shape.message(1, columns);
  }
  Message tensor, kind, info;
  tensor.number(1, static_cast<std::int64_t>(type));
  tensor.message(2, shape);
  kind.message(1, tensor);
  info.bytes(1, name);
  info.message(2, kind);
  return info;
}

Message opset(std::string_view domain, std::int64_t version) {
  Message out;
  out.bytes(1, domain);
  out.number(2, version);
  return out;
}

// Kinds of attributes, as onnx.proto numbers them.
enum : std::int64_t { kInt = 2, kString = 3, kTensor = 4, kFloats = 6, kInts = 7, kStrings = 8 };

Message attribute(std::string_view name, std::int64_t kind) {
  Message out;
  out.bytes(1, name);
  out.number(20, kind);
  return out;
}

}  // namespace

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
  text_ += static_cast<char>(value);
}

void Message::key(int field, int wire) {
  varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire));
}

void Message::number(int field, std::int64_t value) {
  key(field, kVarint);
  varint(static_cast<std::uint64_t>(value));
}

void Message::real(int field, float value) {
  key(field, kFixed32);
  append_little(text_, value);
}

void Message::bytes(int field, std::string_view value) {
  key(field, kLengthDelimited);
  varint(value.size());
  text_ += value;
}

void Message::numbers(int field, std::span<const std::int64_t> values) {
  Message packed;
  for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
  bytes(field, packed.text_);
}

void Message::reals(int field, std::span<const float> values) {
  bytes(field, raw_of<float>(values));
}

Tensor Tensor::of(std::span<const double> values, Shape shape) {
  return {Type::float64, std::move(shape), raw_of<double>(values), {}};
}

Tensor Tensor::of(std::span<const std::int64_t> values, Shape shape) {
  return {Type::int64, std::move(shape), raw_of<std::int64_t>(values), {}};
}

Tensor Tensor::of_floats(std::span<const double> values, Shape shape) {
  return {Type::float32, std::move(shape), raw_of<float>(values), {}};
}

Tensor Tensor::of_bytes(std::span<const std::uint8_t> values, Type type, Shape shape) {
  return {type, std::move(shape), std::string(values.begin(), values.end()), {}};
}

Tensor Tensor::of_texts(std::vector<std::string> values, Shape shape) {
  return {Type::text, std::move(shape), {}, std::move(values)};
}

Message Tensor::message(std::string_view name) const {
  Message out;
  for (const std::int64_t size : shape) out.number(1, size);
  out.number(2, static_cast<std::int64_t>(type));
  for (const std::string& value : texts) out.bytes(6, value);
  if (!name.empty()) out.bytes(8, name);
  if (type != Type::text) out.bytes(9, raw);
  return out;
}

Attributes& Attributes::number(std::string_view name, std::int64_t value) {
  Message& out = all_.emplace_back(attribute(name, kInt));
  out.number(3, value);
  return *this;
}

Attributes& Attributes::text(std::string_view name, std::string_view value) {
  all_.emplace_back(attribute(name, kString)).bytes(4, value);
  return *this;
}

Attributes& Attributes::tensor(std::string_view name, const Tensor& value) {
  all_.emplace_back(attribute(name, kTensor)).message(5, value.message(""));
  return *this;
}

Attributes& Attributes::numbers(std::string_view name, std::span<const std::int64_t> values) {
  all_.emplace_back(attribute(name, kInts)).numbers(8, values);
  return *this;
}

Attributes& Attributes::reals(std::string_view name, std::span<const float> values) {
  all_.emplace_back(attribute(name, kFloats)).reals(7, values);
  return *this;
}

Attributes& Attributes::texts(std::string_view name, std::span<const std::string> values) {
  Message& out = all_.emplace_back(attribute(name, kStrings));
  for (const std::string& value : values) out.bytes(9, value);
  return *this;
}

std::string Graph::fresh() {
  return fmt::format("bough/{}", n_values_++);
}

std::string Graph::add(std::string_view op, std::span<const std::string> inputs, const Attributes& attributes,
                       std::string_view domain) {
  Message node;
  for (const std::string& input : inputs) node.bytes(1, input);
  std::string out = fresh();
  node.bytes(2, out);
  node.bytes(4, op);
  for (const Message& one : attributes.all()) node.message(5, one);
  if (!domain.empty()) node.bytes(7, domain);
  graph_.message(1, node);
  return out;
}

std::string Graph::constant(const Tensor& tensor) {
  std::string name = fresh();
  graph_.message(5, tensor.message(name));
  return name;
}

std::string Graph::constant(double value) {
  return constant(Tensor::of(std::span<const double>(&value, 1), {}));
}

std::string Graph::constant(std::int64_t value) {
  return constant(Tensor::of(std::span<const std::int64_t>(&value, 1), {}));
}

void Graph::input(const std::string& name, Type type, std::int64_t width) {
  graph_.message(11, value_info(name, type, width));
}

void Graph::output(const std::string& name, const std::string& value, Type type, std::int64_t width) {
  Message node;
  node.bytes(1, value);
  node.bytes(2, name);
  node.bytes(4, "Identity");
  graph_.message(1, node);
  graph_.message(12, value_info(name, type, width));
}

std::string Graph::model(const Versions& versions, std::string_view metadata) const {
  Message graph = graph_;
  graph.bytes(2, "bough");
  Message out;
  out.number(1, versions.ir);
  out.bytes(2, "bough");
  out.bytes(3, version());
  out.message(7, graph);
  out.message(8, opset("", versions.onnx));
  out.message(8, opset(kMl, versions.ml));
  Message property;
  property.bytes(1, "bough");
  property.bytes(2, metadata);
  out.message(14, property);
  return out.text();
}

}  // namespace bough::onnx
