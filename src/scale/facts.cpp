// SPDX-License-Identifier: Apache-2.0
// Facts about blocks: sums and sets.
#include "base/pack.hpp"
#include "scale/row_block.hpp"

namespace bough {

void BlockFacts::merge(const BlockFacts& other) {
  if (other.has_missing.empty()) return;
  if (has_missing.empty()) {
    *this = other;
    return;
  }
  if (other.has_missing.size() != has_missing.size() || other.single.size() != single.size())
    throw Error(ErrorCode::bad_data,
                "blocks of " + std::to_string(has_missing.size()) + " and of " +
                    std::to_string(other.has_missing.size()) + " columns do not go together",
                "code all blocks by one plan");
  n_rows += other.n_rows;
  zero_weights += other.zero_weights;
  cells_hash += other.cells_hash;
  weights_mark += other.weights_mark;
  all_weights_one = all_weights_one && other.all_weights_one;
  for (std::size_t j = 0; j < has_missing.size(); ++j) {
    has_missing[j] |= other.has_missing[j];
    for (std::size_t b = 0; b < kBuckets; ++b) single[j][b] = single[j][b] && other.single[j][b];
  }
}

std::string BlockFacts::bytes() const {
  Packer to;
  to.put(n_rows)
      .put(zero_weights)
      .put(cells_hash)
      .put(weights_mark)
      .put(static_cast<std::uint8_t>(all_weights_one));
  to.put(has_missing);
  for (const std::array<bool, kBuckets>& buckets : single) {
    std::array<std::uint8_t, kBuckets / 8> bits{};
    for (std::size_t b = 0; b < kBuckets; ++b)
      bits[b / 8] = static_cast<std::uint8_t>(bits[b / 8] | (buckets[b] ? 1u << b % 8 : 0u));
    to.put(bits);
  }
  return to.take();
}

BlockFacts BlockFacts::from_bytes(std::string_view bytes) {
  Unpacker from(bytes, "facts about a block");
  BlockFacts facts;
  facts.n_rows = from.get<std::int64_t>();
  facts.zero_weights = from.get<std::int64_t>();
  constexpr std::int64_t kMostRows = std::int64_t{1}
                                     << 48;  // sums of these stay far from the end of their type
  if (facts.n_rows < 0 || facts.n_rows > kMostRows || facts.zero_weights < 0 ||
      facts.zero_weights > facts.n_rows)
    throw Error(ErrorCode::bad_data,
                "facts about a block tell of " + std::to_string(facts.n_rows) + " rows, " +
                    std::to_string(facts.zero_weights) + " of them without weight",
                "code the block again by the plan");
  facts.cells_hash = from.get<std::uint64_t>();
  facts.weights_mark = from.get<std::uint64_t>();
  facts.all_weights_one = from.yes();
  facts.has_missing = from.all<std::uint8_t>();
  for (std::size_t j = 0; j < facts.has_missing.size(); ++j) {
    const auto bits = from.get<std::array<std::uint8_t, kBuckets / 8>>();
    std::array<bool, kBuckets>& buckets = facts.single.emplace_back();
    for (std::size_t b = 0; b < kBuckets; ++b) buckets[b] = (bits[b / 8] >> b % 8 & 1) != 0;
  }
  from.end();
  return facts;
}

}  // namespace bough
