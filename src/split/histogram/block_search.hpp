// SPDX-License-Identifier: Apache-2.0
// Search over rows that are elsewhere: histograms that add up, and decisions from their sums.
//
// A counter adds the rows of one block to histograms. A decider sees merged histograms only. Where bounds leave buckets alive it
// says which cells it wants, and is asked again when they have come; the deciding code is that of a table in one piece
// (refine.hpp, scan.hpp). Histograms are bytes to everybody else. Columns of more levels than a byte holds have a bucket per
// level behind those of all slots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "split/engine.hpp"
#include "split/histogram/cut.hpp"
#include "split/histogram/layouts.hpp"

namespace bough {

/// What histograms are made of, enough to add them up.
enum class Lanes : std::uint8_t {
  u32,
  u64,
  wide
};  ///< wide: a 128-bit and two 64-bit integers, again and again
void add_lanes(Lanes lanes, std::span<std::byte> to, std::span<const std::byte> from) noexcept;
void subtract_lanes(Lanes lanes, std::span<std::byte> from, std::span<const std::byte> what) noexcept;

/// Parts of equal width that a bucket of many rows is divided into.
inline constexpr std::size_t kParts = 128;

/// A bucket that is divided into parts, in the order of values, and which of them are alive.
struct PartedBucket {
  std::uint8_t bucket = 0;
  double low = 0.0;
  double scale = 0.0;
  std::array<std::uint64_t, kParts / 64> alive{};
  /// The part of a cell of the bucket; any monotone rule would do.
  [[nodiscard]] std::size_t part(double x) const noexcept {
    const double at = (x - low) * scale;
    return at > 0.0 ? static_cast<std::size_t>(
                          at < static_cast<double>(kParts - 1) ? at : static_cast<double>(kParts - 1))
                    : 0;
  }
  [[nodiscard]] bool is_alive(std::size_t i) const noexcept { return (alive[i / 64] >> i % 64 & 1U) != 0; }
};

/// Buckets of a column, by their numbers.
struct PartedColumn {
  ColId column = 0;
  std::vector<PartedBucket> buckets;
  std::uint64_t n_rows = 0;  ///< cells of alive parts
};

class BlockCounter {
 public:
  virtual ~BlockCounter() = default;
  [[nodiscard]] virtual std::size_t bytes() const = 0;  ///< of the histogram of a node
  [[nodiscard]] virtual Lanes lanes() const = 0;
  /// Adds rows to a histogram.
  virtual void count(Rows rows, std::span<std::byte> histogram) const = 0;
  /// Bytes of the parts of so many buckets; adds the rows in these to their parts.
  [[nodiscard]] virtual std::size_t parts_bytes(std::size_t n_buckets) const = 0;
  virtual void count_parts(Rows rows, const PartedColumn& column, std::span<std::byte> parts) const = 0;
};

/// A bucket of which the lowest and the highest cell are wanted, or known.
struct BucketExtent {
  ColId column = 0;
  std::uint8_t bucket = 0;
  double low = 0.0;
  double high = 0.0;
};

/// Cells that came from all blocks, with the targets of their rows; a piece of each list is one column's of one node.
struct CollectedCells {
  std::vector<float> floats;    ///< of float columns, else 0
  std::vector<double> doubles;  ///< of other columns, else 0
  Targets targets;
  [[nodiscard]] std::size_t size() const noexcept { return floats.size(); }
};

/// A column that was looked for, and where its cells are.
struct CollectedColumn {
  AliveColumn column;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The same for cells of parts.
struct CollectedParts {
  PartedColumn column;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Parts that were counted.
struct CountedParts {
  PartedColumn column;
  std::span<const std::byte> words;
};

/// What has come for a node since it was looked at last.
struct BlockReplies {
  std::vector<CollectedColumn> columns;
  std::vector<CollectedParts> parts;
  std::vector<CountedParts> counted;
};

/// What is known about a node beside its histogram, from round to round.
struct NodeSight {
  Proposal proposal;
  std::int64_t n_left = 0;  ///< rows that go left, when the proposal is found
  bool finished = false;
  std::vector<BucketExtent> extents;  ///< that have come
  // Else, what is wanted.
  std::vector<AliveColumn> wanted;  ///< the most promising first
  std::vector<BucketExtent> wanted_extents;
  std::vector<PartedColumn> wanted_counts;  ///< of parts
  std::vector<PartedColumn> wanted_parts;   ///< cells of alive parts
  struct Memory;                            ///< the decider's own
  std::shared_ptr<Memory> memory;
};

class BlockDecider {
 public:
  virtual ~BlockDecider() = default;
  /// Cells that the next steps may look at; they must outlive them.
  virtual void take(const CollectedCells* cells) = 0;
  /// Looks at a node with what has come since the last time. `constant`: all number targets of the node are the same. May be
  /// called for different nodes at once.
  virtual void step(const NodeTask& task, std::span<const std::byte> histogram, bool constant,
                    const BlockReplies& news, NodeSight& sight) const = 0;
};

/// Which layout histograms have; all that take part must agree.
struct BlockLayout {
  bool weighted = false;
  LayoutFrame frame;    ///< number targets
  bool narrow = false;  ///< number targets: sums of 64 bits are enough (NumberSums::reach)
};

/// `table`: of the block, without bundles. All must outlive the counter.
std::unique_ptr<BlockCounter> make_block_counter(const CodedTable& table, const Targets& targets,
                                                 const BlockLayout& layout);
/// `columns`: a table without rows whose columns have merged flags; `shape`: targets without rows. Alive buckets of a column that
/// have more than `most_cells` together are counted by parts before cells are asked for. All must outlive the decider.
std::unique_ptr<BlockDecider> make_block_decider(const CodedTable& columns, const Targets& shape,
                                                 const BlockLayout& layout, const EngineOptions& options,
                                                 std::uint64_t most_cells);

}  // namespace bough
