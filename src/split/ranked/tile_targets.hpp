// SPDX-License-Identifier: Apache-2.0
// What a tile (ranked_tile.hpp) knows about the targets of its rows. Sets of rows are words, one bit for each row; weights are
// planes: the set of the rows whose weight has bit k.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "base/bits.hpp"
#include "split/ranked/byte_tile.hpp"
#include "split/ranked/ranked_kernels.hpp"
#include "split/ranked/sorted_tile.hpp"
#include "split/ranked/tile_kernels.hpp"
#include "split/ranked/tile_random.hpp"
#include "split/stats/families.hpp"

namespace bough {

/// The most total weight of a tile with classes, for exact values (TileClasses).
inline constexpr std::int64_t kTileWeight = 4096;

inline std::int64_t weight_of_set(std::uint64_t rows, const std::uint64_t* planes,
                                  std::size_t n_planes) noexcept {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < n_planes; ++k)
    sum += static_cast<std::int64_t>(count_bits(rows & planes[k]) << k);
  return sum;
}

/// Classes under gini.
class ClassTile {
 public:
  static constexpr bool kSorted = false;
  /// Takes rows and puts them in the order of their classes; tags as in ClassColumn, kTileWeight in all.
  bool load(std::span<RowId> rows, const std::uint32_t* tags, std::size_t n_classes) {
    constexpr std::uint32_t class_mask = (1U << kClassBits) - 1;
    std::array<std::uint32_t, 256> at;
    std::fill_n(at.begin(), n_classes, 0U);
    std::uint32_t bits = 0;
    total_ = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ++at[tags[i] & class_mask];
      bits |= tags[i] >> kClassBits;
      total_ += tags[i] >> kClassBits;
    }
    n_planes_ = static_cast<std::size_t>(std::bit_width(bits));
    std::uint32_t begin = 0;
    for (std::size_t c = 0; c < n_classes; ++c) begin += std::exchange(at[c], begin);
    std::fill_n(sets_.begin(), n_classes, std::uint64_t{0});
    std::fill_n(planes_.begin(), n_classes * n_planes_, std::uint64_t{0});
    std::fill_n(heavy_.begin(), n_planes_, std::uint64_t{0});
    std::array<RowId, kTileRows> ordered;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t c = tags[i] & class_mask, weight = tags[i] >> kClassBits, to = at[c]++;
      ordered[to] = rows[i];
      classes_[to] = static_cast<std::uint8_t>(c);
      weights_[to] = weight;
      bytes_[to] = static_cast<std::uint8_t>(weight);
      const std::uint64_t bit = std::uint64_t{1} << to;
      sets_[c] |= bit;
      for (std::size_t k = 0; k < n_planes_; ++k) {
        const std::uint64_t own = (weight >> k & 1U) != 0 ? bit : 0;
        planes_[c * n_planes_ + k] |= own;
        heavy_[k] |= own;
      }
    }
    std::copy_n(ordered.begin(), rows.size(), rows.begin());
    return true;
  }

  /// Whether the tile may be a ByteTile, and what that wants to know.
  [[nodiscard]] bool fits_bytes() const noexcept { return total_ <= kByteTileWeight; }
  [[nodiscard]] ByteTileTargets bytes() const noexcept {
    return {classes_.data(), bytes_.data(), sets_.data(), heavy_.data(), n_planes_};
  }

  /// Takes a node of the tile; false when it is pure.
  bool enter(std::uint64_t rows) {
    std::size_t n_planes = n_planes_;
    while (n_planes > 1 && (heavy_[n_planes - 1] & rows) == 0) --n_planes;
    std::size_t n = 0;
    double all = 0.0, squares = 0.0;
    for (std::uint64_t rest = rows; rest != 0;) {
      const std::size_t c = classes_[static_cast<std::size_t>(std::countr_zero(rest))];
      const std::uint64_t own = rows & sets_[c];
      if (own == rows) return false;
      rest &= ~own;
      std::copy_n(planes_.begin() + static_cast<std::ptrdiff_t>(c * n_planes_), n_planes,
                  here_planes_.begin() + static_cast<std::ptrdiff_t>(n * n_planes));
      const auto total =
          static_cast<double>(weight_of_set(rows, here_planes_.data() + n * n_planes, n_planes));
      class_rows_[n] = static_cast<std::uint32_t>(count_bits(own));
      totals_[n++] = total;
      all += total;
      squares += total * total;
    }
    here_ = {rows, here_planes_.data(), n_planes, n, totals_.data(), all, squares};
    return true;
  }

  double top(const TileCuts* columns, std::size_t n_columns, const TileValues& found) const {
    return score_tile(here_, columns, n_columns, found);
  }
  /// By what part of itself the best value may be ahead of the cut that is best.
  [[nodiscard]] static double slack() noexcept { return 0x1p-50; }
  /// The criterion's score, of a value that is exact but for a division by the weight.
  [[nodiscard]] double score(double value, std::uint64_t /*left*/) const noexcept {
    return value / here_.all;
  }
  /// The same without a value.
  [[nodiscard]] double score(std::uint64_t left) const noexcept {
    double weight = 0.0, squares = 0.0, products = 0.0;
    for (std::size_t c = 0; c < here_.n_classes; ++c) {
      const auto own =
          static_cast<double>(weight_of_set(left, here_.planes + c * here_.n_planes, here_.n_planes));
      weight += own;
      squares += own * own;
      products += own * totals_[c];
    }
    const double sum =
        here_.all * (here_.all * squares - 2.0 * weight * products) + weight * weight * here_.squares;
    return sum / ((here_.all - weight) * weight) / here_.all;
  }
  [[nodiscard]] static double gain(double score) noexcept { return score; }
  [[nodiscard]] std::int64_t weight(std::uint64_t rows) const noexcept {
    return weight_of_set(rows, heavy_.data(), n_planes_);
  }
  /// Whether a value is that of two pure sides.
  [[nodiscard]] bool perfect(double value) const noexcept {
    return here_.n_classes == 2 && value == 2.0 * totals_[0] * totals_[1];
  }

  /// One cut of each column, drawn: fills the cuts and their scores.
  void draw(const RandomColumns& columns, RandomCuts& out) const {
    draw_cuts(columns,
              RandomClasses{weights_.data(), class_rows_.data(), totals_.data(), here_.n_classes, here_.all,
                            here_.squares},
              out);
  }

 private:
  static constexpr std::size_t kMostPlanes = std::bit_width(static_cast<std::uint64_t>(kTileWeight));
  // The rows by number.
  std::array<std::uint8_t, kTileRows> classes_{};
  std::array<double, kTileRows> weights_{};
  std::array<std::uint8_t, kTileRows> bytes_{};  // the same, of light tiles
  std::int64_t total_ = 0;
  std::size_t n_planes_ = 1;
  std::array<std::uint64_t, kTileRows> sets_{};                  // by class
  std::array<std::uint64_t, kTileRows * kMostPlanes> planes_{};  // [class * n_planes_ + k]
  std::array<std::uint64_t, kMostPlanes> heavy_{};               // all classes
  // The node: its classes only.
  std::array<std::uint64_t, kTileRows * kMostPlanes> here_planes_{};
  std::array<std::uint32_t, kTileRows> class_rows_{};
  std::array<double, kTileRows> totals_{};
  TileClasses here_{};
};

/// Numbers under squared error.
class NumberTile {
 public:
  /// Tiles may be SortedTile.
  static constexpr bool kSorted = true;
  [[nodiscard]] SortedTileTargets sorted() const noexcept {
    return {targets_.data(), weights_.data(), exact_, n_planes_ == 1, unit_, gain_unit_};
  }
  /// Targets lose a common centre and the zeros that they all end with: then most are short enough for exact values.
  bool load(std::span<const std::int64_t> targets, const std::int64_t* weights, std::int64_t near,
            PowerOfTwo gain_unit) {
    gain_unit_ = gain_unit;
    const std::int64_t first = targets[0];
    std::uint64_t differ = 0, bits = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      differ |= static_cast<std::uint64_t>(targets[i] - first);
      bits |= static_cast<std::uint64_t>(weights[i]);
    }
    const int zeros = std::countr_zero(differ);
    unit_ = PowerOfTwo(2 * zeros);
    const std::int64_t half = zeros > 0 ? std::int64_t{1} << (zeros - 1) : 0;
    const std::int64_t centre = first + ((((near - first) + half) >> zeros) << zeros);
    n_planes_ = static_cast<std::size_t>(std::bit_width(bits));
    std::fill_n(planes_.begin(), n_planes_, std::uint64_t{0});
    std::int64_t most = 0, all = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets_[i] = (targets[i] - centre) >> zeros;
      weights_[i] = weights[i];
      most = std::max(most, std::abs(targets_[i]));
      all += weights[i];
      for (std::size_t k = 0; k < n_planes_; ++k)
        planes_[k] |= static_cast<std::uint64_t>(weights[i] >> k & 1) << i;
    }
    const auto weight = static_cast<double>(all);
    exact_ = 2.0 * weight * weight * static_cast<double>(most) < 0x1p53;
    return true;
  }

  bool enter(std::uint64_t rows) {
    const std::int64_t first = targets_[static_cast<std::size_t>(std::countr_zero(rows))];
    std::int64_t sum = 0, all = 0, differs = 0;
    std::size_t n = 0;
    for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1, ++n) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      differs |= targets_[i] ^ first;
      bits_[n] = std::uint64_t{1} << i;
      here_targets_[n] = targets_[i] * weights_[i];
      here_weights_[n] = weights_[i];
      sum += here_targets_[n];
      all += weights_[i];
    }
    if (differs == 0) return false;
    if (!exact_) {
      const std::int64_t centre = sum / all;
      for (std::size_t i = 0; i < n; ++i) here_targets_[i] -= centre * here_weights_[i];
      sum -= centre * all;
    }
    sums_ = {{sum, all}, 0};
    here_ = {rows,           bits_.data(), here_targets_.data(),     n,
             planes_.data(), n_planes_,    static_cast<double>(all), static_cast<double>(sum)};
    return true;
  }

  double top(const TileCuts* columns, std::size_t n_columns, const TileValues& found) const {
    return score_tile(here_, columns, n_columns, found);
  }
  [[nodiscard]] double slack() const noexcept { return exact_ ? 0x1p-50 : 1e-13; }
  [[nodiscard]] double score(double value, std::uint64_t left) const noexcept {
    return exact_ ? unit_.times(value / here_.all) : score(left);
  }
  [[nodiscard]] double score(std::uint64_t left) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < here_.n_rows; ++i) sum += (left & bits_[i]) != 0 ? here_targets_[i] : 0;
    return score_of(sum, weight(left));
  }
  [[nodiscard]] double gain(double score) const noexcept { return gain_unit_.times(score); }
  [[nodiscard]] std::int64_t weight(std::uint64_t rows) const noexcept {
    return weight_of_set(rows, planes_.data(), n_planes_);
  }
  [[nodiscard]] static bool perfect(double /*value*/) noexcept { return false; }

  void draw(const RandomColumns& columns, RandomCuts& out) const {
    draw_cuts(columns, RandomNumbers{here_targets_.data(), here_weights_.data(), here_.all, here_.sum}, out);
    for (std::size_t k = 0; k < kRandomColumns; ++k)
      if (out.scores[k] >= 0.0)
        out.scores[k] = exact_ ? unit_.times(out.scores[k]) : score_of(out.sums[k], out.weights[k]);
  }

 private:
  // Of a left side.
  [[nodiscard]] double score_of(std::int64_t sum, std::int64_t weight) const noexcept {
    if (exact_) {
      const double left = static_cast<double>(weight), all = here_.all,
                   d = all * static_cast<double>(sum) - here_.sum * left;
      return unit_.times(d / (left * (all - left)) * d / all);
    }
    const Moments left{sum, weight}, right{sums_.sum - sum, sums_.weight - weight};
    return unit_.times(SquaredError::score(sums_, left, right));
  }

  std::array<std::int64_t, kTileRows> targets_{}, weights_{};
  std::size_t n_planes_ = 1;
  std::array<std::uint64_t, 64> planes_{};
  PowerOfTwo gain_unit_{0};  // from scores to gains
  PowerOfTwo unit_{0};       // of scores, for the zeros that targets have lost
  bool exact_ = false;       // values are exact but for divisions
  // The node.
  std::array<std::uint64_t, kTileRows> bits_{};
  std::array<std::int64_t, kTileRows> here_targets_{}, here_weights_{};
  ParentMoments sums_;
  TileNumbers here_{};
};

}  // namespace bough
