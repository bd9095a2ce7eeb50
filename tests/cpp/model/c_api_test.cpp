// SPDX-License-Identifier: Apache-2.0
// The C API, from inside this program.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>

#include "base/hash.hpp"
#include "bough/bough.h"
#include "model/small_model.hpp"

namespace bough {
namespace {

using samples::small_model;
using samples::small_parts;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Freed {
  void operator()(bough_model* model) const { bough_free(model); }
};
using Handle = std::unique_ptr<bough_model, Freed>;

Handle load(const Model& model) {
  const std::string bytes = model.to_bytes();
  return Handle(bough_load_bytes(bytes.data(), bytes.size()));
}

TEST(CApi, describes_the_model) {
  const Handle model = load(small_model());
  ASSERT_NE(model, nullptr) << bough_last_error();
  EXPECT_EQ(bough_n_features(model.get()), 3U);
  EXPECT_EQ(bough_n_outputs(model.get()), 1U);
  EXPECT_EQ(bough_n_classes(model.get(), 0), 2U);
  EXPECT_STREQ(bough_feature_name(model.get(), 0), "age");
  EXPECT_STREQ(bough_output_name(model.get(), 0), "bought");
  EXPECT_STREQ(bough_class_name(model.get(), 0, 1), "yes");
  EXPECT_EQ(bough_feature_kind(model.get(), 0), BOUGH_NUMERIC);
  EXPECT_EQ(bough_feature_kind(model.get(), 1), BOUGH_ORDINAL);
  EXPECT_EQ(bough_feature_kind(model.get(), 2), BOUGH_CATEGORY);
  EXPECT_EQ(bough_n_levels(model.get(), 0), 0U);
  EXPECT_EQ(bough_n_levels(model.get(), 2), 3U);
  EXPECT_STREQ(bough_level_name(model.get(), 1, 2), "large");
  EXPECT_EQ(bough_version(), version());
}

TEST(CApi, finds_levels_by_text_and_by_number) {
  Model::Parts parts = small_parts();
  parts.features.fields[2].levels = {Levels::Type::integer, {"3", "5", "10"}, {3, 5, 10}};
  const Handle model = load(Model(parts));
  EXPECT_EQ(bough_level_index(model.get(), 1, "small"), 0.0);
  EXPECT_EQ(bough_level_index(model.get(), 1, "large"), 2.0);
  EXPECT_EQ(bough_level_index(model.get(), 1, "huge"), BOUGH_UNSEEN);
  EXPECT_EQ(bough_level_index(model.get(), 2, "10"), 2.0);
  EXPECT_EQ(bough_level_index(model.get(), 2, "5.0"), 1.0);
  EXPECT_EQ(bough_level_index(model.get(), 2, "4"), BOUGH_UNSEEN);
  EXPECT_TRUE(std::isnan(bough_level_index(model.get(), 0, "4")));
  EXPECT_TRUE(std::isnan(bough_level_index(model.get(), 9, "4")));
}

TEST(CApi, predicts_as_the_model_does) {
  const Handle model = load(small_model());
  // age, size, colour; the answers are those of the tree in small_model.hpp.
  const std::vector<double> cells{25, 0, 0, 40, 0, 0, 40, 0, 2, kNan, 0, 0, 40, 0, BOUGH_UNSEEN, 40, 0, kNan};
  std::vector<double> classes(6), proba(12);
  ASSERT_EQ(bough_predict(model.get(), cells.data(), 6, 3, classes.data()), BOUGH_OK);
  EXPECT_EQ(classes, (std::vector<double>{0, 1, 0, 0, 0, 1}));
  ASSERT_EQ(bough_predict_proba(model.get(), cells.data(), 6, 3, 0, proba.data()), BOUGH_OK);
  EXPECT_EQ(proba, (std::vector<double>{0.8, 0.2, 0.0, 1.0, 0.75, 0.25, 0.8, 0.2, 0.75, 0.25, 0.375, 0.625}));
}

TEST(CApi, failures_return_a_status_and_a_text) {
  EXPECT_EQ(bough_load("/nowhere/m.bough"), nullptr);
  EXPECT_EQ(bough_last_status(), BOUGH_IO);
  EXPECT_NE(std::string(bough_last_error()).find("/nowhere/m.bough"), std::string::npos);
  EXPECT_EQ(bough_load_bytes("junk", 4), nullptr);
  EXPECT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
  EXPECT_EQ(bough_load_bytes("", 0), nullptr);
  EXPECT_EQ(bough_load(nullptr), nullptr);
  EXPECT_EQ(bough_last_status(), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_load_bytes(nullptr, 3), nullptr);
  const Handle model = load(small_model());
  double out[2];
  const double cells[3] = {1, 0, 0};
  EXPECT_EQ(bough_predict(model.get(), cells, 1, 2, out), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_predict(nullptr, cells, 1, 3, out), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_predict(model.get(), nullptr, 1, 3, out), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_predict(model.get(), cells, 1, 3, nullptr), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_predict(model.get(), nullptr, 0, 3, nullptr), BOUGH_OK);
  EXPECT_EQ(bough_predict_proba(model.get(), cells, 1, 3, 1, out), BOUGH_BAD_ARGUMENT);
  EXPECT_EQ(bough_feature_name(model.get(), 3), nullptr);
  EXPECT_EQ(bough_class_name(model.get(), 0, 2), nullptr);
  EXPECT_EQ(bough_feature_kind(model.get(), 3), -1);
  EXPECT_EQ(bough_n_features(nullptr), 0U);
  bough_free(nullptr);
}

TEST(CApi, the_last_error_belongs_to_its_thread) {
  EXPECT_EQ(bough_load_bytes("junk", 4), nullptr);
  bough_status other = BOUGH_INTERNAL;
  std::thread([&] { other = bough_last_status(); }).join();
  EXPECT_EQ(other, BOUGH_OK);
  EXPECT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
}

// Damaged and forged files: a null and a status that says so, in both forms.
TEST(CApi, bytes_of_strangers_are_refused_or_answer) {
  const std::string good = samples::small_model().to_bytes(), json = samples::small_model().to_json();
  for (std::size_t at = 0; at < good.size(); at += 7) {
    ASSERT_EQ(bough_load_bytes(good.data(), at), nullptr) << at;
    ASSERT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
    ASSERT_NE(std::string(bough_last_error()).find("truncated"), std::string::npos) << bough_last_error();
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    ASSERT_EQ(bough_load_bytes(changed.data(), changed.size()), nullptr) << at;
    ASSERT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
    // The checksum mended: whatever loads must answer.
    const std::uint64_t checksum = hash_text(std::string_view(changed).substr(0, changed.size() - 8));
    std::memcpy(changed.data() + changed.size() - 8, &checksum, 8);
    const Handle model(bough_load_bytes(changed.data(), changed.size()));
    if (model == nullptr) {
      ASSERT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
      continue;
    }
    std::vector<double> cells(bough_n_features(model.get()), 1.0), out(1);
    ASSERT_EQ(bough_predict(model.get(), cells.data(), 1, cells.size(), out.data()), BOUGH_OK) << at;
  }
  for (std::size_t size = 1; size + 2 < json.size(); size += 7) {
    ASSERT_EQ(bough_load_bytes(json.data(), size), nullptr) << size;
    ASSERT_EQ(bough_last_status(), BOUGH_BAD_MODEL);
  }
}

}  // namespace
}  // namespace bough
