// SPDX-License-Identifier: Apache-2.0
// What blocks are asked, as bytes. A request carries all that a block needs to answer it from its rows alone: the splits of
// every tree from the root on are part of it, so that a block that was made again catches up by itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/pack.hpp"
#include "bough/scale.hpp"
#include "criterion/registry.hpp"
#include "data/codes.hpp"
#include "grow/totals.hpp"
#include "split/histogram/block_search.hpp"

namespace bough {

enum class Phase : std::uint8_t {
  describe,  ///< facts about the rows
  measure,   ///< what fixed points are chosen by
  count,     ///< histograms
  collect,   ///< cells of alive buckets
  sums,      ///< what leaves know
  regroup    ///< rows of small nodes
};
inline constexpr unsigned kPhases = 6;

/// What the sums of a tree agree on; measured stage by stage.
struct TreeFrame {
  bool weighted = false;
  double largest_weight = 0.0;    ///< known after stage 0 of measuring
  int weight_exponent = 0;        ///< 1
  std::int64_t n_rows = 0;        ///< 2: of positive weight
  std::int64_t total_weight = 0;  ///< 2: fixed point
  struct Output {
    double largest = 0.0;  ///< 0: |target|
    int exponent = 0;      ///< 2
    int fine = 0;          ///< 0
    PoissonFrame poisson;  ///< 3: the centre; 4: the exponent
  };
  std::vector<Output> outputs;  ///< number targets
  BlockLayout layout;           ///< 3: centres; 4: the rest

  [[nodiscard]] std::vector<PoissonFrame> poisson() const;
  void pack(Packer& to) const;
  static TreeFrame unpack(Unpacker& from);
};

/// How rows are drawn for the trees of a forest.
struct BagRule {
  bool bootstrap = false;
  std::int64_t seed = 0;
  std::int64_t n_draws = 0;
  std::int64_t n_all = 0;  ///< rows of the whole table
};

/// A node that was divided; the k-th of a tree has the children 2 k + 1 and 2 k + 2.
struct SplitStep {
  EngineNode node = 0;
  Candidate candidate;
  bool single = false;  ///< the bucket of the cut holds one value
};

/// A node to be grown to its end elsewhere.
struct GatheredNode {
  EngineNode node = 0;
  std::uint32_t group = 0;
  std::int32_t depth = 0;
  std::uint64_t key = 0;
};

/// Cells of a column of a node.
struct CellsWanted {
  EngineNode node = 0;
  ColId column = 0;
  std::array<std::uint8_t, kBuckets> alive{};
};

/// Parts of a column of a node: to be counted, or cells of those that are alive.
struct PartsWanted {
  EngineNode node = 0;
  PartedColumn column;
};

struct ExtentWanted {
  EngineNode node = 0;
  ColId column = 0;
  std::uint8_t bucket = 0;
};

/// One tree's part of a request.
struct TreeRequest {
  std::uint32_t tree = 0;
  TreeFrame frame;
  std::vector<SplitStep> splits;
  std::vector<EngineNode> nodes;     ///< count: to be counted; sums: leaves
  std::vector<EngineNode> extremes;  ///< count: lowest and highest fixed-point target wanted
  std::vector<CellsWanted> cells;
  std::vector<ExtentWanted> extents;
  std::vector<GatheredNode> gathered;
  std::vector<PartsWanted> counts;  ///< collect: parts to be counted
  std::vector<PartsWanted> parts;   ///< collect: cells of alive parts
  void pack(Packer& to) const;
  static TreeRequest unpack(Unpacker& from);
};

struct Request {
  Phase phase = Phase::describe;
  std::int32_t level = 0;
  std::uint64_t job = 0;  ///< notes of another job are void
  CriterionId criterion = CriterionId::gini;
  std::int32_t stage = 0;        ///< measure
  std::uint32_t n_groups = 0;    ///< regroup
  std::uint32_t first_tree = 0;  ///< trees before this one are done: no notes are needed
  BagRule bag;
  std::vector<TreeRequest> trees;
  [[nodiscard]] std::string bytes() const;
  /// Throws bad_data.
  static Request from_bytes(std::string_view bytes);
};

}  // namespace bough
