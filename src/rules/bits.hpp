// SPDX-License-Identifier: Apache-2.0
// Sets of rows as bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

using Bits = std::vector<std::uint64_t>;

inline std::size_t n_words(std::size_t n_rows) noexcept {
  return (n_rows + 63) / 64;
}
inline void set_bit(Bits& bits, std::size_t row) noexcept {
  bits[row / 64] |= std::uint64_t{1} << (row % 64);
}
/// All rows; the bits behind the last one are 0.
inline Bits full_bits(std::size_t n_rows) {
  Bits bits(n_words(n_rows), ~std::uint64_t{0});
  if (n_rows % 64 != 0) bits.back() = (std::uint64_t{1} << (n_rows % 64)) - 1;
  return bits;
}

/// Bits set in a word. Plain arithmetic: the baseline of x86 has no instruction for it, and this vectorises.
constexpr std::uint64_t count_bits(std::uint64_t x) noexcept {
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  x += x >> 8;
  x += x >> 16;
  x += x >> 32;
  return x & 0x7F;
}

/// Calls visit(row) for every row of word(i), i in [0, words).
template <class Word, class Visit>
void for_bits(std::size_t words, const Word& word, const Visit& visit) {
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = word(i); rest != 0; rest &= rest - 1)
      visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

/// The weights of rows: their number where all weigh 1.
class RowWeights {
 public:
  explicit RowWeights(std::span<const double> weights) : weights_(weights) {}

  /// Weight of the rows of word(i), i in [0, words), summed in row order.
  template <class Word>
  [[nodiscard]] double sum(std::size_t words, const Word& word) const {
    if (weights_.empty()) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < words; ++i) count += count_bits(word(i));
      return static_cast<double>(count);
    }
    double total = 0.0;
    for_bits(words, word, [&](std::size_t row) { total += weights_[row]; });
    return total;
  }
  /// Weight of the rows of one word, the i-th.
  [[nodiscard]] double of_word(std::size_t i, std::uint64_t bits) const {
    if (weights_.empty()) return static_cast<double>(count_bits(bits));
    double total = 0.0;
    for (; bits != 0; bits &= bits - 1)
      total += weights_[i * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
    return total;
  }
  [[nodiscard]] double of(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

 private:
  std::span<const double> weights_;  // empty: all 1
};

}  // namespace bough
