// SPDX-License-Identifier: Apache-2.0
// Tools of those who forge model files: seals that fit, arrays changed in place, and what reading them costs.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "bough/model.hpp"
#include "model/checked_json.hpp"

namespace bough::hostile {

using Json = nlohmann::json;

/// Bytes that operator new has handed out and not got back, and the most of them since reset()
/// (hostile_test.cpp).
struct Heap {
  static void reset() noexcept;
  static std::size_t peak() noexcept;
};

inline constexpr std::size_t kMetadataSizeAt = 24;
inline constexpr std::size_t kMetadataAt = 64;

inline std::size_t align(std::size_t at) {
  return (at + 63) / 64 * 64;
}

/// Size and checksum as they should be.
inline std::string sealed(std::string bytes) {
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data() + 16, &size, 8);
  const std::uint64_t checksum = hash_text(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &checksum, 8);
  return bytes;
}

inline std::size_t metadata_size(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + kMetadataSizeAt, 8);
  return size;
}

inline Json metadata_of(const std::string& bytes) {
  return Json::parse(bytes.substr(kMetadataAt, metadata_size(bytes)));
}

/// The same file with other metadata, sealed.
inline std::string with_metadata(const std::string& bytes, const std::string& text) {
  std::string made = bytes.substr(0, kMetadataAt) + text;
  made.resize(align(made.size()));
  made += bytes.substr(align(kMetadataAt + metadata_size(bytes)));
  const std::uint64_t size = text.size();
  std::memcpy(made.data() + kMetadataSizeAt, &size, 8);
  return sealed(made);
}

/// The same file with one number of an array of its first tree changed, sealed.
template <class T>
std::string with_number(std::string bytes, const char* array, std::size_t index, T value) {
  const Json entry = metadata_of(bytes)["trees"][0]["arrays"].at(array);
  const std::size_t at =
      align(kMetadataAt + metadata_size(bytes)) + entry[1].get<std::size_t>() + index * sizeof(T);
  std::memcpy(bytes.data() + at, &value, sizeof(T));
  return sealed(bytes);
}

inline std::string checksum_of(Json document) {
  document.erase("checksum");
  char text[32];
  std::snprintf(text, sizeof text, "xxh3:%016llx",
                static_cast<unsigned long long>(hash_text(document.dump())));
  return text;
}

/// A document as text with the checksum that it should have, made by another parser than bough's.
inline std::string sealed_json(Json document) {
  document["checksum"] = checksum_of(document);
  return document.dump();
}

/// A changed text with its checksum mended where it stands; as it is when it is no JSON any more.
inline std::string sealed_text(std::string text, std::size_t checksum_at) {
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return text;
  const std::string checksum = checksum_of(document);
  if (text.compare(checksum_at, 5, "xxh3:") == 0) text.replace(checksum_at, checksum.size(), checksum);
  return text;
}

/// Answers of a model that was accepted: whatever they are, asking must be safe.
inline void use(const Model& model) {
  constexpr double gone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> out(model.n_outputs());
  std::vector<double> cells(model.features().fields.size());
  for (const double cell : {0.0, 1.0, -1.0, 2.5, 1e308, gone}) {
    std::fill(cells.begin(), cells.end(), cell);
    model.predict_row(cells, out);
  }
  static_cast<void>(model.importances());
}

/// What became of bytes from strangers.
struct Outcome {
  std::string said;        ///< the message of the refusal; empty: accepted
  std::size_t memory = 0;  ///< the most that reading took at a time, the bytes themselves not counted
};

/// Reads bytes by read(bytes), uses what comes out by use(), and checks that nothing but a bad_model with a
/// hint is thrown.
template <class Read, class Use>
Outcome outcome_of(std::string_view bytes, Read read, Use use) {
  Outcome outcome;
  Heap::reset();
  try {
    const auto made = read(bytes);
    outcome.memory = Heap::peak();
    use(made);
  } catch (const Error& error) {
    outcome.memory = Heap::peak();
    outcome.said = error.what();
    EXPECT_EQ(error.code(), ErrorCode::bad_model) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    EXPECT_FALSE(outcome.said.empty());
    EXPECT_LT(outcome.said.size(), 2000U);
  }
  return outcome;
}

inline Outcome read_model(std::string_view bytes) {
  const bool json = !bytes.empty() && bytes.front() == '{';
  return outcome_of(
      bytes, [&](std::string_view b) { return json ? Model::from_json(b) : Model::from_bytes(b); },
      [](const Model& model) { use(model); });
}

}  // namespace bough::hostile
