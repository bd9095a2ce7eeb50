// SPDX-License-Identifier: Apache-2.0
// The JSON twin of the model file (docs/format-v1.md): the same content, the arrays in place.
#include <fmt/format.h>

#include "base/hash.hpp"
#include "model/document.hpp"

namespace bough {
namespace {

struct ArrayWriter {
  template <class T>
  Json operator()(const std::vector<T>& array) const {
    Json json = Json::array();
    for (const T value : array) {
      if constexpr (std::is_same_v<T, double>) {
        json.push_back(number_json(value));
      } else if constexpr (std::is_enum_v<T>) {
        json.push_back(static_cast<std::underlying_type_t<T>>(value));
      } else {
        json.push_back(value);
      }
    }
    return json;
  }
};

struct ArrayReader {
  template <class T>
  void operator()(const JsonCursor& place, std::vector<T>& array) const {
    if constexpr (std::is_enum_v<T>) {
      const auto numbers = place.numbers<std::underlying_type_t<T>>();
      array.reserve(numbers.size());
      for (const auto value : numbers) array.push_back(static_cast<T>(value));
    } else {
      array = place.numbers<T>();
    }
  }
};

// Over the text without white space, keys sorted: how the file is laid out does not matter, what it says
// does.
std::string checksum_text(std::uint64_t hash) {
  return fmt::format("xxh3:{:016x}", hash);
}

constexpr std::array<std::string_view, 3> kEnvelope{"bough", "checksum", "format"};

void check_envelope(const JsonCursor& place) {
  const auto [major, minor] = place.format_of("model", "model");
  check_version(major, minor);
  if (checksum_text(json_text::canonical_hash(place.raw(), "checksum")) != place["checksum"].text()) {
    throw Error(
        ErrorCode::bad_model, "the model is altered: its checksum does not match",
        "The file was changed after it was written. A model is not meant to be edited: train it again.");
  }
}

}  // namespace

std::string Model::to_json() const {
  Json document = describe(*parts_);
  document["bough"] = "model";
  document["format"] = {kFormatMajor, kFormatMinor};
  document["trees"] = Json::array();
  for (const Tree& tree : parts_->trees) document["trees"].push_back(write_tree(tree, ArrayWriter()));
  document = Json::sorted(std::move(document));
  document["checksum"] = checksum_text(hash_text(document.dump()));
  return lay_out(std::move(document), "trees");
}

Model Model::from_json(std::string_view text) {
  LoadBudget budget(text.size());
  const JsonCursor document = JsonCursor::root(text, budget);
  check_envelope(document);
  Parts parts = read_description(document, kEnvelope);
  parts.trees = read_trees(
      document, [&](const JsonCursor& tree) { return read_tree(tree, parts.task, ArrayReader()); });
  return Model(std::move(parts));
}

}  // namespace bough
