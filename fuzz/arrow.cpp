// SPDX-License-Identifier: Apache-2.0
// Arrow streams: types, lengths, offsets, null counts, dictionaries and views as an input asks for them.
//
// The C data interface does not say how long buffers are, so nobody can check that. Here buffers are as long
// as the array's own length and offset say, or these are nonsense that the importer can see: negative, beyond
// what a sum holds, not those of the batch; offsets of texts point into the characters or run backwards;
// codes and views are anything. All of that is either read or refused, and every struct is released once.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "bough/arrow_abi.h"
#include "fuzz/support.hpp"

namespace bough::fuzz {
namespace {

using Input = FuzzedDataProvider;

int live = 0;  // structs handed out and not released

/// Most inputs, and all that have come to their end, say no.
bool rare(Input& input) {
  return input.ConsumeIntegral<std::uint8_t>() > 250;
}

/// Memory of exactly the wanted size, so that a step beyond its end is seen.
using Bytes = std::unique_ptr<char[]>;

constexpr const char* kFormats[] = {"c", "C", "s", "S",  "i", "I", "l",  "L",  "f",    "g", "b",
                                    "u", "U", "n", "vu", "z", "e", "+l", "+s", "tsu:", ""};

struct Node {  // what an ArrowArray or ArrowSchema owns
  std::string format;
  std::string name;
  std::vector<Bytes> memory;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<Node>> below;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> array_children;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> schema_children;
  ArrowArray dictionary{};
  ArrowSchema dictionary_schema{};
};

template <class T>
void release(T* value) {
  delete static_cast<Node*>(value->private_data);
  value->release = nullptr;
  --live;
}

std::size_t cell_size(const std::string& format) {
  if (format.empty()) return 8;
  switch (format.front()) {
    case 'c':
    case 'C':
      return 1;
    case 's':
    case 'S':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    default:
      return 8;
  }
}

const void* cells(Node& node, std::size_t size, Input& input) {
  Bytes bytes = std::make_unique<char[]>(std::max<std::size_t>(size, 1));
  input.ConsumeData(bytes.get(), size);
  node.memory.push_back(std::move(bytes));
  return node.memory.back().get();
}

template <class T>
void text_buffers(Node& node, std::int64_t n, Input& input) {
  const std::size_t n_chars = input.ConsumeIntegralInRange<std::size_t>(0, 40);
  Bytes offsets = std::make_unique<char[]>((static_cast<std::size_t>(n) + 1) * sizeof(T));
  T last = 0;
  for (std::int64_t i = 0; i <= n; ++i) {
    last = static_cast<T>(
        std::min<T>(last + static_cast<T>(input.ConsumeIntegralInRange(0, 6)), static_cast<T>(n_chars)));
    const bool odd = rare(input);
    const T given = odd ? std::min<T>(input.ConsumeIntegral<T>(), static_cast<T>(n_chars)) : last;
    std::memcpy(offsets.get() + static_cast<std::size_t>(i) * sizeof(T), &given, sizeof(T));
  }
  node.buffers.push_back(offsets.get());
  node.memory.push_back(std::move(offsets));
  node.buffers.push_back(cells(node, n_chars, input));
}

/// Views, up to two buffers of characters, and their lengths.
void view_buffers(Node& node, std::int64_t n, Input& input) {
  Bytes views = std::make_unique<char[]>(static_cast<std::size_t>(n) * 16 + 1);
  for (std::int64_t i = 0; i < n; ++i) {
    char* view = views.get() + i * 16;
    input.ConsumeData(view, 16);
    const bool odd = rare(input);
    const auto length =
        odd ? input.ConsumeIntegral<std::int32_t>() : input.ConsumeIntegralInRange<std::int32_t>(0, 20);
    const std::int32_t place[2] = {
        odd ? input.ConsumeIntegral<std::int32_t>() : input.ConsumeIntegralInRange(0, 2),
        odd ? input.ConsumeIntegral<std::int32_t>() : input.ConsumeIntegralInRange(0, 20)};
    std::memcpy(view, &length, 4);
    if (length > 12) std::memcpy(view + 8, place, 8);
  }
  node.buffers.push_back(views.get());
  node.memory.push_back(std::move(views));
  if (rare(input)) return;  // no lengths: long texts must be refused
  std::vector<std::int64_t> lengths;
  for (int k = input.ConsumeIntegralInRange(0, 2); k > 0; --k) {
    lengths.push_back(input.ConsumeIntegralInRange<std::int64_t>(0, 40));
    node.buffers.push_back(cells(node, static_cast<std::size_t>(lengths.back()), input));
  }
  Bytes copy = std::make_unique<char[]>(lengths.size() * 8 + 1);
  std::copy_n(reinterpret_cast<const char*>(lengths.data()), lengths.size() * 8, copy.get());
  node.buffers.push_back(copy.get());
  node.memory.push_back(std::move(copy));
}

void cell_buffers(Node& node, const std::string& format, std::int64_t n, Input& input) {
  if (format == "u") return text_buffers<std::int32_t>(node, n, input);
  if (format == "U") return text_buffers<std::int64_t>(node, n, input);
  if (format == "vu") return view_buffers(node, n, input);
  const auto count = static_cast<std::size_t>(n);
  node.buffers.push_back(cells(node, format == "b" ? (count + 7) / 8 : count * cell_size(format), input));
}

std::int64_t nonsense(Input& input) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return input.PickValueInArray<std::int64_t>(
      {-1, std::numeric_limits<std::int64_t>::min(), -7, kMost, kMost - 1});
}

struct Type {
  std::string format;
  std::string values;  // of a dictionary, where `coded`
  bool coded = false;
};

/// An array of `length` cells behind `offset` others.
void fill(ArrowArray& out, const Type& type, std::int64_t length, Input& input) {
  auto node = std::make_unique<Node>();
  const std::int64_t offset = input.ConsumeIntegralInRange<std::int64_t>(0, 9);
  const std::int64_t n = offset + length;
  const bool nulls = input.ConsumeBool();
  node->buffers.push_back(nulls ? cells(*node, static_cast<std::size_t>(n + 7) / 8, input) : nullptr);
  cell_buffers(*node, type.format, n, input);
  out = {};
  out.length = length;
  out.offset = offset;
  out.null_count = nulls ? input.PickValueInArray<std::int64_t>({-1, 0, 1, 3})
                         : input.PickValueInArray<std::int64_t>({0, -1});
  if (type.coded && !rare(input)) {
    fill(node->dictionary, {type.values, "", false}, input.ConsumeIntegralInRange<std::int64_t>(0, 7), input);
    out.dictionary = &node->dictionary;
    if (rare(input))
      (input.ConsumeBool() ? node->dictionary.length : node->dictionary.offset) = nonsense(input);
  }
  out.n_buffers = std::ssize(node->buffers);
  const int odd = input.ConsumeIntegral<std::uint8_t>();
  // Of texts by views the last buffer holds the lengths of the others, and nobody can see that it is another
  // one: there so few are left that none is asked for.
  const std::int64_t most = type.format == "vu" ? std::min<std::int64_t>(3, out.n_buffers) : out.n_buffers;
  if (odd == 255) out.n_buffers = input.ConsumeIntegralInRange<std::int64_t>(-1, most);
  if (odd == 254)
    node->buffers[input.ConsumeIntegralInRange<std::size_t>(1, node->buffers.size() - 1)] = nullptr;
  out.buffers = odd == 253 ? nullptr : node->buffers.data();
  out.release = [](ArrowArray* array) {
    auto* own = static_cast<Node*>(array->private_data);
    if (own->dictionary.release != nullptr) own->dictionary.release(&own->dictionary);
    release(array);
  };
  out.private_data = node.release();
  ++live;
}

void fill(ArrowSchema& out, const Type& type, std::string name, Input& input) {
  auto node = std::make_unique<Node>();
  node->format = type.format;
  node->name = std::move(name);
  out = {};
  out.format = rare(input) ? nullptr : node->format.c_str();
  out.name = rare(input) ? nullptr : node->name.c_str();
  if (type.coded) {
    fill(node->dictionary_schema, {type.values, "", false}, "", input);
    out.dictionary = &node->dictionary_schema;
  }
  out.release = [](ArrowSchema* schema) {
    auto* own = static_cast<Node*>(schema->private_data);
    if (own->dictionary_schema.release != nullptr) own->dictionary_schema.release(&own->dictionary_schema);
    for (ArrowSchema& child : own->schemas)
      if (child.release != nullptr) child.release(&child);
    release(schema);
  };
  out.private_data = node.release();
  ++live;
}

struct Stream {
  Input& input;
  std::vector<Type> types;
  int batches = 0;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  auto& [input, types, batches] = *static_cast<Stream*>(stream->private_data);
  if (rare(input)) return 5;
  fill(*out, {rare(input) ? "i" : "+s", "", false}, "", input);
  auto* node = static_cast<Node*>(out->private_data);
  node->schemas.resize(types.size());
  for (std::size_t c = 0; c < types.size(); ++c) {
    fill(node->schemas[c], types[c], input.ConsumeRandomLengthString(4), input);
    node->schema_children.push_back(rare(input) ? nullptr : &node->schemas[c]);
  }
  out->n_children = std::ssize(types);
  out->children = node->schema_children.data();
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& [input, types, batches] = *static_cast<Stream*>(stream->private_data);
  *out = {};
  if (batches-- <= 0) return rare(input) ? 12 : 0;
  const auto length = input.ConsumeIntegralInRange<std::int64_t>(0, 20);
  const auto offset = input.ConsumeBool() ? input.ConsumeIntegralInRange<std::int64_t>(0, 5) : 0;
  auto node = std::make_unique<Node>();
  node->arrays.resize(types.size());
  for (std::size_t c = 0; c < types.size(); ++c) {
    const int odd = input.ConsumeIntegral<std::uint8_t>();
    fill(node->arrays[c], types[c],
         odd > 252 ? input.ConsumeIntegralInRange<std::int64_t>(0, 20) : length + offset, input);
    if (odd == 252) node->arrays[c].length = nonsense(input);
    if (odd == 251 && offset > 0) node->arrays[c].offset = std::numeric_limits<std::int64_t>::max();
    node->array_children.push_back(odd == 250 ? nullptr : &node->arrays[c]);
  }
  out->length = length;
  out->offset = offset;
  const int odd = input.ConsumeIntegral<std::uint8_t>();
  if (odd > 252) (input.ConsumeBool() ? out->length : out->offset) = nonsense(input);
  out->null_count = odd == 252 ? 1 : 0;
  out->n_children = odd == 251 ? input.ConsumeIntegral<std::int8_t>() : std::ssize(types);
  out->children = odd == 250 ? nullptr : node->array_children.data();
  out->release = [](ArrowArray* array) {
    for (ArrowArray& child : static_cast<Node*>(array->private_data)->arrays)
      if (child.release != nullptr) child.release(&child);
    release(array);
  };
  out->private_data = node.release();
  ++live;
  return 0;
}

std::vector<Type> types_of(Input& input) {
  std::vector<Type> types(input.ConsumeIntegralInRange<std::size_t>(0, 4));
  for (Type& type : types) {
    type.format = input.PickValueInArray(kFormats);
    type.coded = input.ConsumeBool();
    if (type.coded) type.values = input.PickValueInArray(kFormats);
  }
  return types;
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  Input input(data, size);
  Stream own{input, types_of(input), input.ConsumeIntegralInRange(0, 3)};
  live = 1;
  ArrowArrayStream stream{get_schema, get_next, nullptr, nullptr, &own};
  if (input.ConsumeBool()) stream.get_last_error = [](ArrowArrayStream*) { return "it hurts"; };
  stream.release = [](ArrowArrayStream* self) {
    self->release = nullptr;
    --live;
  };
  accepted([&] { use_table(Table::from_arrow(&stream)); });
  promise(live == 0 && stream.release == nullptr, "everything is released, once");
  return 0;
}
