// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the presorted engine: the best approximate score along sorted lists, and dividing lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bough {

/// Room behind the end of every list and table: vectors are read and written whole.
inline constexpr std::size_t kListPad = 64;

/// One column of a node with its missing rows on one side. Position i is the cut after entry i.
struct Strip {
  const std::uint32_t* entries = nullptr;
  std::uint32_t positions = 0;    ///< cuts to look at: the first so many
  std::uint32_t rows_before = 0;  ///< rows left of the first entry: missing ones that go left
  std::int64_t sum_before = 0;    ///< their marks or centred targets
};

/// What all strips of a node share. A cut counts when its neighbours differ in rank and low <= rows left <= high.
struct StripNode {
  std::uint32_t n = 0;
  std::uint32_t low = 1;
  std::uint32_t high = 0;
  double min_weight = 0.0;  ///< of either side; where rows have weights
};

/// Largest (n l - c k)^2 / (k (n - k)) of every strip, -1 without a cut: l marks among the k rows left, c marks in all. The
/// score of two classes under gini, up to a factor. `inverse[k]` is 1 / (k (n - k)). Stops behind the first strip that reaches
/// `enough`; returns the number of strips done. Differences are exact up to 4096 rows.
std::size_t two_class_tops(std::span<const Strip> strips, const StripNode& node, float c,
                           const float* inverse, float enough, float* tops);

/// Largest (s - mean k)^2 / (k (n - k)) of every strip: s the sum of the targets left, less the centre. `targets` by id, and
/// `sums` is scratch for one strip.
struct MomentNode {
  const std::int64_t* targets = nullptr;
  std::int64_t centre = 0;
  double mean = 0.0;
  const double* inverse = nullptr;
  std::int64_t* sums = nullptr;
};
void moment_tops(std::span<const Strip> strips, const StripNode& node, const MomentNode& moments,
                 double* tops);

/// Largest sum over classes of l^2 / k + r^2 / (n - k) of every strip, l and r rows of the class on the left and right: the
/// score of classes under gini, up to a constant. Rows may have small whole weights; then l, r, k and n are weights. Sums are
/// exact while those of a node stay within InternalLimits::counted_weight, whose square is below 2^31.
struct ClassNode {
  const std::uint8_t* classes = nullptr;  ///< by id; null: the class is the entry's tag
  const std::uint8_t* weights = nullptr;  ///< by id; null: all 1
  const std::uint32_t* totals = nullptr;  ///< by class
  std::int32_t total = 0;                 ///< of the totals
  std::size_t n_classes = 0;
  std::int32_t squares = 0;              ///< of the totals
  const float* left_inverse = nullptr;   ///< [k]: 1 / k; without weights
  const float* right_inverse = nullptr;  ///< [k]: 1 / (n - k)
  std::int32_t* sums = nullptr;          ///< scratch, 6 * sums_stride
  std::size_t sums_stride = 0;
  std::uint32_t* counts = nullptr;  ///< scratch, 2 * n_classes
};
void class_tops(std::span<const Strip> strips, const StripNode& node, const ClassNode& classes, float* tops);
/// The positions of a strip whose score reaches `floor`, rising; returns how many. `out` holds positions + kListPad.
std::size_t class_positions(const Strip& strip, const StripNode& node, const ClassNode& classes, float floor,
                            std::uint32_t* out);

/// out[i] = ids[i] with the rank ranks[id * stride] above it for n entries (whole vectors are written); whether they differ in
/// rank. A rank may be read together with the one behind it.
bool gather_ranks(const std::uint16_t* ranks, std::size_t stride, const std::uint32_t* ids, std::size_t n,
                  std::uint32_t* out);
/// out[i] = by_id[id of ids[i]] for n entries (whole vectors are written); whether they differ in rank.
bool gather_entries(const std::uint32_t* by_id, const std::uint32_t* ids, std::size_t n, std::uint32_t* out);
/// Entries of rank 0 first, then those of rank 1; how many there are of the former. `scratch` holds n + kListPad.
std::uint32_t divide_two_values(std::uint32_t* entries, std::size_t n, std::uint32_t* scratch);

/// Stable partition of entries [begin, begin + n) of every list: first those whose id has side 1. `scratch` holds n + kListPad.
void divide_lists(std::span<std::uint32_t* const> lists, std::size_t begin, std::size_t n,
                  const std::uint8_t* side, std::uint32_t* scratch);

}  // namespace bough
