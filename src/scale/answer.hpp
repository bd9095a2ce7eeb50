// SPDX-License-Identifier: Apache-2.0
// What blocks answer: sums and lists that add up in any order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/fixed.hpp"
#include "scale/request.hpp"
#include "scale/row_block.hpp"

namespace bough {

/// What one tree's rows of a block say about fixed points.
struct TreeMeasure {
  double largest_weight = 0.0;
  int fraction_bits = 0;
  uint128 weight_units = 0;
  std::int64_t total_weight = 0;
  std::int64_t n_rows = 0;
  std::int64_t lost =
      INT64_MAX;  ///< first row, counted from the first of all, whose weight is lost beside the others
  struct Output {
    double largest = 0.0;
    double squares = 0.0;
    double excess = 0.0;
    uint128 units = 0;
    int128 sum = 0;
    uint128 around = 0;
    uint128 plain = 0;
  };
  std::vector<Output> outputs;
  void merge(const TreeMeasure& other);
};

/// Cells that were asked for, with the targets of their rows: [cell * outputs + output].
struct CellList {
  std::vector<float> floats;    ///< float columns
  std::vector<double> doubles;  ///< others
  std::vector<std::uint32_t> classes;
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> weights;
  [[nodiscard]] std::size_t size() const noexcept { return floats.size() + doubles.size(); }
  void merge(CellList&& other);
};

struct Range64 {
  std::int64_t low = INT64_MAX;
  std::int64_t high = INT64_MIN;
};
struct RangeDouble {
  double low = 0.0;  ///< above `high`: no cell
  double high = -1.0;
};

struct Answer {
  Phase phase = Phase::describe;
  BlockFacts facts;                   ///< describe
  std::vector<TreeMeasure> measures;  ///< measure, by tree
  Lanes lanes = Lanes::u64;           ///< count
  std::size_t histogram_bytes = 0;    ///< of one node; tree by tree they are the same
  std::size_t n_histograms = 0;       ///< trees and their nodes, in the order of the request
  Buffer<unsigned char> histograms;
  std::vector<Range64> extremes;             ///< by tree, node, output
  std::vector<CellList> cells;               ///< collect: as asked for, those of parts behind the others
  std::vector<Buffer<unsigned char>> parts;  ///< collect: counted, in `lanes`
  std::vector<RangeDouble> extents;
  std::vector<LeafTotals> totals;  ///< sums

  [[nodiscard]] std::span<std::byte> histogram(std::size_t i) noexcept {
    return {reinterpret_cast<std::byte*>(histograms.data()) + i * histogram_bytes, histogram_bytes};
  }
  [[nodiscard]] std::span<std::byte> counted(std::size_t i) noexcept {
    return {reinterpret_cast<std::byte*>(parts[i].data()), parts[i].size()};
  }
  void resize_histograms(std::size_t bytes, std::size_t count);
  void merge(Answer&& other);
  [[nodiscard]] std::string bytes() const;
  static Answer from_bytes(std::string_view bytes);
};

}  // namespace bough
