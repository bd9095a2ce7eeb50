// SPDX-License-Identifier: Apache-2.0
// Every truncation and every changed byte of small models of every kind, as accidents and with the checksum
// mended.
//
// BOUGH_EVERY_BYTE=1 tries up to 14 values of every byte, without the checksum all 255 (the long test);
// otherwise one value of every fifth, under the sanitizers of every 79th.
#include "model/hostile.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>

#include "bough/intervals.hpp"
#include "bough/rules.hpp"
#include "model/random_model.hpp"
#include "model/small_model.hpp"

namespace {
std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> most{0};
std::size_t at_reset = 0;
}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* made = std::malloc(size == 0 ? 1 : size);
  if (made == nullptr) return nullptr;
  const std::size_t now = in_use += malloc_usable_size(made);
  if (now > most) most = now;
  return made;
}
void* operator new(std::size_t size) {
  void* made = operator new(size, std::nothrow);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void operator delete(void* old) noexcept {
  if (old != nullptr) in_use -= malloc_usable_size(old);
  std::free(old);
}
void operator delete(void* old, std::size_t) noexcept {
  operator delete(old);
}

namespace bough::hostile {

void Heap::reset() noexcept {
  at_reset = in_use;
  most = at_reset;
}
std::size_t Heap::peak() noexcept {
  return most - at_reset;
}

namespace {

// Errors, parameters and the checksum's buffer: what reading takes whatever the size of the file.
constexpr std::size_t kSmall = std::size_t{64} << 10;

bool every_byte() {
  return std::getenv("BOUGH_EVERY_BYTE") != nullptr;
}

Table rows_of_every_kind() {
  std::mt19937_64 random(20261115);
  std::vector<double> a, b, number;
  std::vector<std::string> town, label, other;
  for (int i = 0; i < 120; ++i) {
    a.push_back(static_cast<double>(random() % 30));
    b.push_back(random() % 6 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : a.back() + static_cast<double>(random() % 9));
    town.push_back(std::string(1, static_cast<char>('k' + random() % 4)));
    number.push_back(a.back() / 3 + static_cast<double>(random() % 4));
    label.push_back(a.back() + static_cast<double>(random() % 9) > 20 ? "yes"
                    : town.back() == "k"                              ? "perhaps"
                                                                      : "no");
    other.push_back(b.back() > 15 ? "in" : "out");
  }
  Table table;
  table.add("a", a);
  table.add("b", b);
  table.add("town", town);
  table.add("number", number);
  table.add("label", label);
  table.add("other", other);
  return table;
}

Model fitted(std::vector<std::string> targets, std::vector<std::string> ignored, Params params) {
  FitSpec spec;
  spec.targets = std::move(targets);
  spec.ignored = std::move(ignored);
  params.max_depth = 2;
  return fit(rows_of_every_kind(), spec, params);
}

// Small models of every kind that there is a file of.
std::map<std::string, Model> models() {
  Params surrogates, oblique, forest, honest, c45;
  surrogates.missing_policy = "surrogate";
  surrogates.surrogates = 2;
  oblique.oblique = true;
  forest.forest = 2;
  honest.forest = 2;
  honest.honest = true;
  honest.calibration_fraction = 0.1;
  std::map<std::string, Model> made;
  made.emplace("by hand", samples::small_model());
  made.emplace("categories", fitted({"label"}, {"number", "other"}, {}));
  made.emplace("surrogates", fitted({"label"}, {"number", "other"}, surrogates));
  made.emplace("oblique", fitted({"number"}, {"label", "other"}, oblique));
  made.emplace("outputs", fitted({"label", "other"}, {"number"}, {}));
  made.emplace("forest", fitted({"label"}, {"number", "other"}, forest));
  made.emplace("honest", fitted({"number"}, {"label", "other"}, honest));
  // Trees of other programs come as parts: every kind of node, several outputs, more than 64 classes.
  for (std::uint64_t seed = 1, left = 2; left > 0; ++seed) {
    const Model one = samples::RandomModel(seed).make();
    const bool wide = one.tree().value_width() > 64;
    const std::string name = wide ? "many classes" : "parts";
    if (one.tree().n_nodes() < 5 || one.to_bytes().size() > 12000 || made.contains(name)) continue;
    made.emplace(name, one);
    --left;
  }
  return made;
}

const std::map<std::string, Model>& all_models() {
  static const std::map<std::string, Model> made = models();
  return made;
}

// The short test looks at some places of every model only, at others in each. Odd steps come by every place
// of a number of eight bytes.
std::size_t step() {
  if (every_byte()) return 1;
#if defined(BOUGH_CHECKED)
  return 79;  // sanitizers
#else
  return 5;
#endif
}

// Where a byte is cheap to try: every place without sanitizers.
std::size_t small_step() {
  return std::max<std::size_t>(1, step() / 5);
}

// What is tried at one byte: in the long test every flipped bit and values that mean something to JSON.
std::vector<char> values_for(char now, std::size_t at) {
  std::vector<char> out;
  if (every_byte()) {
    for (int bit = 0; bit < 8; ++bit) out.push_back(static_cast<char>(now ^ 1 << bit));
    for (const char value : {'\x00', '\xff', '"', '9', '-', '}'})
      if (value != now && std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
    return out;
  }
  constexpr std::string_view letters("\x00\xff\x7f\x01\"{}[],:-.9e0\\ \x80t", 20);
  std::size_t pick = (at * 2654435761U) % 4294967291U % letters.size();
  if (letters[pick] == now) pick = (pick + 1) % letters.size();
  return {letters[pick]};
}

std::vector<char> other_values(char now) {
  std::vector<char> out;
  for (int value = 0; value < 256; ++value)
    if (static_cast<char>(value) != now) out.push_back(static_cast<char>(value));
  return out;
}

struct Tally {
  std::size_t tried = 0, refused = 0;
  std::size_t most = 0;  // bytes taken at a time
  void add(const Outcome& outcome, std::size_t size) {
    ++tried;
    refused += !outcome.said.empty();
    most = std::max(most, outcome.memory);
    ASSERT_LE(outcome.memory, 3 * size + kSmall) << outcome.said;
  }
  void print(const std::string& what) const {
    std::printf("%-28s tried %9zu, refused %9zu, at most %6zu bytes taken\n", what.c_str(), tried, refused,
                most);
  }
};

TEST(HostileFiles, every_truncation_is_refused_by_name) {
  Tally cut, mended, text;
  for (const auto& [name, model] : all_models()) {
    SCOPED_TRACE(name);
    const std::string bytes = model.to_bytes();
    for (std::size_t size = name.size() % step(); size < bytes.size(); size += step()) {
      const std::string shorter = bytes.substr(0, size);
      const Outcome outcome = read_model(shorter);
      cut.add(outcome, bytes.size());
      ASSERT_NE(outcome.said.find("truncated"), std::string::npos) << size << ": " << outcome.said;
      if (size < 72) continue;
      const Outcome forged = read_model(sealed(shorter));
      mended.add(forged, bytes.size());
      ASSERT_NE(forged.said, "") << size;
    }
    std::string json = model.to_json();
    json.resize(json.find_last_of('}') + 1);
    for (std::size_t size = name.size() % step(); size < json.size(); size += step()) {
      const Outcome outcome = outcome_of(
          json.substr(0, size), [](std::string_view b) { return Model::from_json(b); }, [](const Model&) {});
      text.add(outcome, json.size());
      ASSERT_NE(outcome.said.find("truncated"), std::string::npos) << size << ": " << outcome.said;
    }
  }
  cut.print("truncated, binary");
  mended.print("truncated, binary, mended");
  text.print("truncated, JSON");
}

TEST(HostileFiles, every_changed_byte_is_refused_by_name) {
  Tally tally;
  for (const auto& [name, model] : all_models()) {
    SCOPED_TRACE(name);
    std::string bytes = model.to_bytes();
    for (std::size_t at = 0; at < bytes.size(); at += small_step()) {
      const char before = bytes[at];
      for (const char value : every_byte() ? other_values(before) : values_for(before, at)) {
        bytes[at] = value;
        const Outcome outcome = outcome_of(
            bytes, [](std::string_view b) { return Model::from_bytes(b); }, [](const Model&) {});
        tally.add(outcome, bytes.size());
        const bool named = outcome.said.find("altered") != std::string::npos ||
                           (at < 8 && outcome.said == "not a bough model") ||
                           (at >= 8 && at < 12 && outcome.said.find("version") != std::string::npos) ||
                           (at >= 16 && at < 24 && outcome.said.find("truncated") != std::string::npos);
        ASSERT_TRUE(named) << at << ": " << outcome.said;
      }
      bytes[at] = before;
    }
  }
  tally.print("a byte, binary");
}

TEST(HostileFiles, every_changed_byte_under_a_right_checksum_is_refused_or_safe) {
  Tally tally;
  for (const auto& [name, model] : all_models()) {
    SCOPED_TRACE(name);
    std::string bytes = model.to_bytes();
    for (std::size_t at = name.size() % step(); at + 8 < bytes.size(); at += step()) {
      if (at >= 16 && at < 24) continue;  // the size, which mending sets
      const char before = bytes[at];
      for (const char value : values_for(before, at)) {
        bytes[at] = value;
        const std::string forged = sealed(bytes);
        if (at < 8) {
          ASSERT_EQ(outcome_of(
                        forged, [](std::string_view b) { return Model::from_bytes(b); }, use)
                        .said,
                    "not a bough model");
        } else {
          tally.add(read_model(forged), forged.size());
        }
        if (HasFatalFailure()) return;
      }
      bytes[at] = before;
    }
  }
  tally.print("a byte, binary, mended");
  EXPECT_GT(tally.refused, tally.tried / 3);
}

TEST(HostileFiles, every_changed_byte_of_json_is_refused_or_says_the_same_or_is_safe_when_mended) {
  Tally altered, mended;
  for (const auto& [name, model] : all_models()) {
    SCOPED_TRACE(name);
    std::string text = model.to_json();
    const std::string canonical = model.to_json();
    const std::size_t checksum_at = text.find("xxh3:");
    for (std::size_t at = name.size() % step(); at < text.size(); at += step()) {
      const char before = text[at];
      for (const char value : values_for(before, at)) {
        text[at] = value;
        const auto same = [&](const Model& loaded) { ASSERT_EQ(loaded.to_json(), canonical) << at; };
        altered.add(outcome_of(
                        text, [](std::string_view b) { return Model::from_json(b); }, same),
                    text.size());
        const std::string forged = sealed_text(text, checksum_at);
        if (forged != text && forged != canonical)
          mended.add(outcome_of(
                         forged, [](std::string_view b) { return Model::from_json(b); }, use),
                     text.size());
        if (HasFatalFailure()) return;
      }
      text[at] = before;
    }
  }
  altered.print("a byte, JSON");
  mended.print("a byte, JSON, mended");
  EXPECT_GT(altered.refused, altered.tried * 9 / 10);
}

TEST(HostileFiles, every_changed_byte_and_truncation_of_a_rule_set_is_refused_or_safe) {
  Tally tally, cut;
  const RuleSet rules = tree_rules(all_models().at("categories"));
  std::string text = rules.to_json();
  const auto read = [](std::string_view b) { return RuleSet::from_json(b); };
  const auto answer = [](const RuleSet& made) { static_cast<void>(made.to_json()); };
  for (std::size_t at = 0; at < text.size(); at += small_step()) {
    const char before = text[at];
    for (const char value : values_for(before, at)) {
      text[at] = value;
      tally.add(outcome_of(text, read, answer), text.size());
    }
    text[at] = before;
    const Outcome shorter = outcome_of(std::string_view(text).substr(0, at), read, answer);
    cut.add(shorter, text.size());
    if (at + 3 < text.size()) {
      ASSERT_NE(shorter.said.find("truncated"), std::string::npos) << at << ": " << shorter.said;
    }
  }
  tally.print("a byte, rules");
  cut.print("truncated, rules");
}

}  // namespace
}  // namespace bough::hostile
