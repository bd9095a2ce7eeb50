// SPDX-License-Identifier: Apache-2.0
// Both model formats: round trips, and bytes that must be refused.
#include "model/format.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "model/checked_json.hpp"
#include "model/random_model.hpp"
#include "model/small_model.hpp"

namespace bough {
namespace {

using Json = nlohmann::json;

using samples::RandomModel;
using samples::small_model;

constexpr std::size_t kMetadataSizeAt = 24;
constexpr std::size_t kMetadataAt = 64;

// The message with which bytes are refused; "" when they are accepted.
template <class Read>
std::string refusal(Read read) {
  try {
    read();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model) << error.what();
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
}

std::string refusal_of_bytes(const std::string& bytes) {
  return refusal([&] { return Model::from_bytes(bytes); });
}

std::string refusal_of_json(const std::string& text) {
  return refusal([&] { return Model::from_json(text); });
}

// Recomputes size and checksum, as somebody who forges a file would.
std::string sealed(std::string bytes) {
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data() + 16, &size, 8);
  const std::uint64_t checksum = hash_text(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &checksum, 8);
  return bytes;
}

Json metadata_of(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + kMetadataSizeAt, 8);
  return Json::parse(bytes.substr(kMetadataAt, size));
}

// The same file with other metadata, sealed.
std::string with_metadata(const std::string& bytes, const std::string& text) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + kMetadataSizeAt, 8);
  const auto align = [](std::size_t at) { return (at + 63) / 64 * 64; };
  std::string made = bytes.substr(0, kMetadataAt) + text;
  made.resize(align(made.size()));
  made += bytes.substr(align(kMetadataAt + size));
  const std::uint64_t new_size = text.size();
  std::memcpy(made.data() + kMetadataSizeAt, &new_size, 8);
  return sealed(made);
}

std::string resealed_json(Json document) {
  document.erase("checksum");
  char text[32];
  std::snprintf(text, sizeof text, "xxh3:%016llx",
                static_cast<unsigned long long>(hash_text(document.dump())));
  document["checksum"] = text;
  return document.dump();
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.parts().trees, b.parts().trees);
  EXPECT_EQ(a.parts().combine, b.parts().combine);
  EXPECT_EQ(a.features(), b.features());
  EXPECT_EQ(a.targets(), b.targets());
  EXPECT_EQ(a.params(), b.params());
  EXPECT_EQ(a.parts().criterion, b.parts().criterion);
  EXPECT_EQ(a.task(), b.task());
  Provenance origin = a.parts().provenance;
  origin.engine = b.parts().provenance.engine;
  EXPECT_EQ(origin, b.parts().provenance);
}

TEST(Format, random_models_survive_both_formats_bit_for_bit) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Model model = RandomModel(seed).make();
    const std::string bytes = model.to_bytes();
    const std::string json = model.to_json();
    const Model from_bytes = Model::from_bytes(bytes);
    const Model from_json = Model::from_json(json);
    expect_same(model, from_bytes);
    expect_same(model, from_json);
    // Bytes see what == does not (the sign of zero).
    EXPECT_EQ(from_bytes.to_bytes(), bytes);
    EXPECT_EQ(from_json.to_bytes(), bytes);
    EXPECT_EQ(from_bytes.to_json(), json);
    EXPECT_EQ(from_json.to_json(), json);
    if (HasFailure()) break;
  }
}

TEST(Format, the_random_models_hold_every_kind_of_node) {
  std::vector<int> seen(8);
  int sparse = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Model model = RandomModel(seed).make();
    const Tree& tree = model.tree();
    sparse += tree.value_width() > 64;
    for (NodeId node = 0; node < tree.n_nodes(); ++node) ++seen[static_cast<std::size_t>(tree.kind(node))];
  }
  for (const int count : seen) EXPECT_GT(count, 10);
  EXPECT_GT(sparse, 5);
}

TEST(Format, the_engine_does_not_show_in_the_bytes) {
  Model::Parts parts = samples::small_parts();
  const std::string before = Model(parts).to_bytes();
  const std::string json = Model(parts).to_json();
  parts.provenance.engine = "refine";
  EXPECT_EQ(Model(parts).to_bytes(), before);
  EXPECT_EQ(Model(parts).to_json(), json);
}

TEST(Format, arrays_are_aligned_and_metadata_can_be_read_by_anybody) {
  const std::string bytes = small_model().to_bytes();
  EXPECT_EQ(bytes.substr(0, 8),
            "\x89"
            "BOUGH\r\n");
  EXPECT_EQ(bytes.size() % 64, 8U);  // everything is padded to 64 bytes, then the checksum
  const Json metadata = metadata_of(bytes);
  EXPECT_EQ(metadata["criterion"], "gini");
  EXPECT_EQ(metadata["features"][2]["levels"]["names"], (std::vector<std::string>{"blue", "green", "red"}));
  const Json arrays = metadata["trees"][0]["arrays"];
  const std::size_t start = (kMetadataAt + metadata.dump().size() + 63) / 64 * 64;
  for (const auto& [name, entry] : arrays.items()) EXPECT_EQ(entry[1].get<std::size_t>() % 64, 0U) << name;
  // The root tests age <= 30: its threshold is the first number of "threshold".
  double threshold = 0.0;
  std::memcpy(&threshold, bytes.data() + start + arrays["threshold"][1].get<std::size_t>(), 8);
  EXPECT_EQ(threshold, 30.0);
}

TEST(Format, every_truncation_is_refused) {
  const std::string bytes = small_model().to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string said = refusal_of_bytes(bytes.substr(0, size));
    ASSERT_NE(said.find("truncated"), std::string::npos) << size << ": " << said;
  }
}

TEST(Format, every_changed_byte_is_refused) {
  const std::string bytes = small_model().to_bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ mask);
      ASSERT_NE(refusal_of_bytes(changed), "") << at;
    }
  }
}

TEST(Format, each_damage_has_its_own_message) {
  const std::string bytes = small_model().to_bytes();
  std::string changed = bytes;
  changed[200] ^= 1;
  EXPECT_EQ(refusal_of_bytes(changed), "the model is altered: its checksum does not match");
  EXPECT_EQ(refusal_of_bytes(bytes + "x"), "the model is altered: 1 bytes behind its end");
  EXPECT_EQ(refusal_of_bytes("a,b,c\n1,2,3\n"), "not a bough model");
  EXPECT_EQ(refusal_of_bytes(bytes.substr(0, 100)).find("the model is truncated: 100 of "), 0U);
  EXPECT_EQ(refusal_of_bytes("").find("the model is truncated"), 0U);
}

TEST(Format, newer_versions_are_refused_even_when_sealed) {
  const std::string bytes = small_model().to_bytes();
  for (const std::size_t at : {8U, 10U}) {  // major, minor
    std::string newer = bytes;
    newer[at] = static_cast<char>(newer[at] + 1);
    EXPECT_NE(refusal_of_bytes(sealed(newer)).find("newer than 1.2"), std::string::npos);
  }
  std::string none = bytes;
  none[8] = 0;
  EXPECT_NE(refusal_of_bytes(sealed(none)).find("does not exist"), std::string::npos);
}

TEST(Format, forged_directories_are_refused) {
  const std::string bytes = small_model().to_bytes();
  const Json good = metadata_of(bytes);
  ASSERT_EQ(with_metadata(bytes, good.dump()), bytes);
  const auto forged = [&](auto change) {
    Json metadata = good;
    change(metadata);
    return refusal_of_bytes(with_metadata(bytes, metadata.dump()));
  };
  auto arrays = [](Json& m) -> Json& { return m["trees"][0]["arrays"]; };
  EXPECT_NE(forged([&](Json& m) { arrays(m)["value"][2] = std::uint64_t{1} << 61; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["value"][2] = std::uint64_t{1} << 63; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["kind"][1] = 64; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["kind"][1] = -64; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["kind"][0] = "f64"; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["kind"][2] = 6; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["kind"] = 5; }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m).erase("gain"); }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m).erase("children"); }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m).erase("children_at"); }), "");
  EXPECT_NE(forged([&](Json& m) { arrays(m)["surprise"] = arrays(m)["value"]; }), "");
  // Many names for the same bytes must not multiply memory.
  EXPECT_NE(forged([&](Json& m) {
              for (int i = 0; i < 100; ++i)
                m["trees"][0]["extras"][std::to_string(i) + "e"] = arrays(m)["value"];
            }),
            "");
  EXPECT_NE(forged([](Json& m) { m["trees"][0]["outputs"] = {4'000'000'000U}; }), "");
  EXPECT_NE(forged([](Json& m) { m["trees"] = Json::array(); }), "");
  EXPECT_NE(forged([](Json& m) { m["trees"].push_back(m["trees"][0]); }), "");
  EXPECT_NE(forged([](Json& m) { m["task"] = "guessing"; }), "");
  EXPECT_NE(forged([](Json& m) { m["features"][0]["kind"] = "category"; }), "");
  EXPECT_NE(forged([](Json& m) { m["features"][2]["levels"]["names"] = {"blue"}; }), "");
  EXPECT_NE(forged([](Json& m) { m["params"]["max_depth"] = -4; }), "");
  EXPECT_NE(forged([](Json& m) { m["params"]["nonsense"] = 1; }), "");
  EXPECT_NE(forged([](Json& m) { m.erase("provenance"); }), "");
  EXPECT_NE(forged([](Json& m) { m["extra"] = 1; }), "");
  EXPECT_EQ(forged([](Json& m) { m["criterion"] = "entropy"; }),
            "");  // harmless, so the seal is all that counts
}

TEST(Format, forged_metadata_sizes_are_refused) {
  const std::string bytes = small_model().to_bytes();
  for (const std::uint64_t size :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 40, bytes.size()}) {
    std::string forged = bytes;
    std::memcpy(forged.data() + kMetadataSizeAt, &size, 8);
    EXPECT_NE(refusal_of_bytes(sealed(forged)), "") << size;
  }
}

TEST(Format, sealed_files_with_random_bytes_never_crash) {
  const std::string bytes = small_model().to_bytes();
  std::mt19937_64 random(7);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (int j = 0; j < 3; ++j)
      changed[kMetadataAt + random() % (bytes.size() - kMetadataAt)] = static_cast<char>(random());
    try {
      const Model model = Model::from_bytes(sealed(changed));
      EXPECT_NO_THROW((void)model.importances());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_model);
      ++refused;
    }
  }
  EXPECT_GT(refused, 10'000);
}

TEST(Format, deep_nesting_is_refused_before_it_is_parsed) {
  const std::string bytes = small_model().to_bytes();
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_NE(refusal_of_bytes(with_metadata(bytes, deep)).find("nested"), std::string::npos);
  EXPECT_NE(refusal_of_json(deep).find("nested"), std::string::npos);
  // Brackets inside strings do not count.
  EXPECT_NO_THROW(check_json("[\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"]"));
}

TEST(JsonTwin, is_json_with_sorted_keys_and_no_bare_infinities) {
  Model::Parts parts = samples::small_parts();
  parts.trees = {samples::stump(samples::numeric(0, std::numeric_limits<double>::infinity()))};
  const std::string text = Model(parts).to_json();
  const Json document = Json::parse(text);
  EXPECT_EQ(document["bough"], "model");
  EXPECT_EQ(document["format"], (std::vector<int>{1, 2}));
  EXPECT_EQ(document["trees"][0]["arrays"]["threshold"][0], "inf");
  EXPECT_LT(text.find("\"bough\""), text.find("\"checksum\""));
  EXPECT_LT(text.find("\"task\""), text.find("\"trees\""));
  EXPECT_EQ(Model::from_json(text).tree().threshold(0), std::numeric_limits<double>::infinity());
}

TEST(JsonTwin, layout_does_not_matter_but_every_value_does) {
  const Model model = small_model();
  const Json good = Json::parse(model.to_json());
  EXPECT_EQ(Model::from_json(good.dump(4)).to_bytes(), model.to_bytes());
  const auto changed = [&](auto change) {
    Json document = good;
    change(document);
    return refusal_of_json(document.dump());
  };
  const std::string altered = "the model is altered: its checksum does not match";
  EXPECT_EQ(changed([](Json& d) { d["trees"][0]["arrays"]["threshold"][0] = 30.000000000000004; }), altered);
  EXPECT_EQ(changed([](Json& d) { d["targets"][0]["levels"]["names"][0] = "No"; }), altered);
  EXPECT_EQ(changed([](Json& d) { d["params"]["seed"] = 1; }), altered);
  EXPECT_EQ(changed([](Json& d) { d["provenance"].erase("command"); }), altered);
  EXPECT_EQ(changed([](Json& d) { d["comment"] = "hello"; }), altered);
  EXPECT_EQ(changed([](Json& d) { d["checksum"] = "xxh3:0000000000000000"; }), altered);
  EXPECT_EQ(changed([](Json& d) { d.erase("checksum"); }), "the model's 'checksum' is absent");
  EXPECT_EQ(changed([](Json& d) { d["bough"] = "tree"; }), "JSON, but not a bough model");
  EXPECT_EQ(refusal_of_json("[1, 2]"), "JSON, but not a bough model");
}

TEST(JsonTwin, every_changed_byte_is_refused_or_means_the_same) {
  const Model model = small_model();
  const std::string text = model.to_json();
  const std::string bytes = model.to_bytes();
  int refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 0x01);
    try {
      EXPECT_EQ(Model::from_json(changed).to_bytes(), bytes) << at;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::bad_model);
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(text.size()) - 50);
}

TEST(JsonTwin, every_truncation_is_refused) {
  std::string text = small_model().to_json();
  text.resize(text.find_last_of('}') + 1);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string said = refusal_of_json(text.substr(0, size));
    ASSERT_NE(said.find("truncated"), std::string::npos) << size << ": " << said;
  }
}

TEST(JsonTwin, newer_versions_and_forged_content_are_refused_even_when_sealed) {
  const Json good = Json::parse(small_model().to_json());
  ASSERT_EQ(refusal_of_json(resealed_json(good)), "");
  const auto forged = [&](auto change) {
    Json document = good;
    change(document);
    return refusal_of_json(resealed_json(document));
  };
  EXPECT_NE(forged([](Json& d) { d["format"] = {2, 0}; }).find("newer"), std::string::npos);
  EXPECT_NE(forged([](Json& d) { d["format"] = {1, 3}; }).find("newer"), std::string::npos);
  EXPECT_NE(forged([](Json& d) { d["format"] = {1}; }), "");
  EXPECT_NE(forged([](Json& d) { d["format"] = "1.0"; }), "");
  EXPECT_NE(forged([](Json& d) { d["trees"][0]["arrays"]["kind"][0] = 300; }), "");
  EXPECT_NE(forged([](Json& d) { d["trees"][0]["arrays"]["kind"][0] = 1.5; }), "");
  EXPECT_NE(forged([](Json& d) { d["trees"][0]["arrays"]["weight"][0] = "nan"; }), "");
  EXPECT_NE(forged([](Json& d) { d["trees"][0]["arrays"]["weight"][0] = nullptr; }), "");
  EXPECT_NE(forged([](Json& d) { d["trees"][0]["arrays"]["children"][0] = 1e300; }), "");
  EXPECT_NE(forged([](Json& d) { d["features"][0]["name"] = {{"hex", "zz"}}; }), "");
  EXPECT_NE(forged([](Json& d) { d["features"][0]["name"] = 4; }), "");
}

// The small model with a competitor and two surrogates at its root, and a cp table.
Model kept_model() {
  Model::Parts parts = samples::small_parts();
  TreeBuilder builder = TreeBuilder::from(parts.trees.front());
  Alternative competitor, size, colour;
  competitor.kind = NodeKind::ordinal;
  competitor.column = 1;
  competitor.threshold = 2.0;
  size = competitor;
  size.role = colour.role = AlternativeRole::surrogate;
  colour.kind = NodeKind::subset;
  colour.column = 2;
  colour.map_levels = {0, 2};
  colour.map_children = {1, 0};
  builder.set_alternatives(0, {competitor, size, colour});
  parts.trees.front() = std::move(builder).finish();
  parts.cp_table = {{0.5, 0, 1.0, 1.1, 0.1}, {0.01, 3, 0.4, 0.7, 0.1}};
  return Model(std::move(parts));
}

TEST(Format, alternatives_and_the_cp_table_survive) {
  const Model model = kept_model();
  expect_same(model, Model::from_bytes(model.to_bytes()));
  expect_same(model, Model::from_json(model.to_json()));
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).tree().alternatives(0).size(), 3U);
}

TEST(JsonTwin, forged_alternatives_and_cp_tables_are_refused) {
  const Json good = Json::parse(kept_model().to_json());
  ASSERT_EQ(refusal_of_json(resealed_json(good)), "");
  const auto forged = [&](const std::string& array, auto change) {
    Json document = good;
    change(array == "cp_table" ? document[array] : document["trees"][0]["arrays"][array]);
    return refusal_of_json(resealed_json(document));
  };
  EXPECT_NE(forged("alternative_role", [](Json& a) { a[0] = 2; }), "");
  EXPECT_NE(forged("alternative_role", [](Json& a) { a.push_back(1); }), "");
  EXPECT_NE(forged("alternative_kind", [](Json& a) { a[0] = 7; }), "");
  EXPECT_NE(forged("alternative_kind", [](Json& a) { a[2] = 1; }), "");
  EXPECT_NE(forged("alternative_turned", [](Json& a) { a[0] = 9; }), "");
  EXPECT_NE(forged("alternative_column", [](Json& a) { a[0] = 3; }), "");
  EXPECT_NE(forged("alternative_column", [](Json& a) { a[0] = -1; }), "");
  EXPECT_NE(forged("alternative_threshold", [](Json& a) { a[0] = 4.0; }), "");
  EXPECT_NE(forged("alternative_score", [](Json& a) { a[0] = "inf"; }), "");
  EXPECT_NE(forged("alternatives_at", [](Json& a) { a[1] = 4; }), "");
  EXPECT_NE(forged("alternatives_at", [](Json& a) { a.erase(0); }), "");
  EXPECT_NE(forged("alternative_map_at", [](Json& a) { a[1] = 1000000; }), "");
  EXPECT_NE(forged("alternative_map_owner", [](Json& a) { a[0] = 3; }), "");
  EXPECT_NE(forged("alternative_map_owner", [](Json& a) { a[1] = 0; }), "");
  EXPECT_NE(forged("alternative_map_level", [](Json& a) { a[1] = 3; }), "");
  EXPECT_NE(forged("alternative_map_child", [](Json& a) { a[1] = 2; }), "");
  EXPECT_NE(forged("cp_table", [](Json& a) { a[0].push_back(1); }), "");
  EXPECT_NE(forged("cp_table", [](Json& a) { a[0][1] = 1.5; }), "");
  EXPECT_NE(forged("cp_table", [](Json& a) { a[0][1] = 4; }), "");
  EXPECT_NE(forged("cp_table", [](Json& a) { a[0][0] = "nan"; }), "");
  EXPECT_NE(forged("cp_table", [](Json& a) { a[0][3] = "nan"; }), "");
}

TEST(Format, content_tells_the_two_formats_apart) {
  const Model model = small_model();
  expect_same(model, model_from(model.to_bytes()));
  expect_same(model, model_from(model.to_json()));
  expect_same(model, model_from("\n  " + model.to_json()));
}

}  // namespace
}  // namespace bough
