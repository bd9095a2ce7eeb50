// SPDX-License-Identifier: Apache-2.0
// The seam between growing and search: engines own rows and node state, propose the best split of a node, and divide it.
//
// Which engine runs never changes an answer. An engine proposes as it likes; scores come from the criteria and ties are
// settled by better() (candidate.hpp), once for all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/monitor.hpp"
#include "bough/tree.hpp"
#include "criterion/registry.hpp"
#include "data/codes.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"
#include "split/buckets.hpp"
#include "split/exact/scan.hpp"
#include "split/options.hpp"
#include "split/subtree.hpp"

namespace bough {

/// An engine's own number of a node; 0 is the root.
using EngineNode = std::int32_t;

/// A node to be searched.
struct NodeTask {
  EngineNode node = 0;
  std::span<const ColId> columns;  ///< columns that may be tested, in the order of drawing
  std::size_t n_draw = 0;          ///< the first n_draw are searched, and more until one is not constant
  std::uint64_t key = 0;           ///< random key of the node
  Limits limits;
  // Surrogate engine, for surrogates: groups of columns that may meet on a path, and which of them hold all columns
  // used so far.
  std::span<const std::vector<ColId>> interactions;
  std::span<const std::uint32_t> groups;
};

/// The answer: the best split, when there is one.
struct Proposal {
  bool pure = false;  ///< nothing to gain: every target is constant
  bool found = false;
  bool heuristic = false;  ///< a category ordering heuristic took part
  Split split;
  double left_value = 0.0;  ///< values of the children, for monotone bounds only
  double right_value = 0.0;
  Candidate candidate;
  std::vector<Alternative> alternatives;  ///< surrogate engine: competitors and surrogates
  std::vector<double> shares;  ///< surrogate engine: known weight of the children; empty: from their rows
};

/// What stays the same for a whole tree.
struct EngineOptions {
  CriterionId criterion = CriterionId::gini;
  double quantile = 0.5;
  ScanOptions scan;
  std::vector<int> monotone;  ///< sign per column; empty: none
  std::vector<BucketEnds>
      buckets;  ///< splitter=hist: the table's numeric columns are buckets (buckets.hpp); else empty
  SurrogateOptions full;   ///< the surrogate engine only
  ObliqueOptions oblique;  ///< the oblique engine only
  TreatmentOptions arms;   ///< the engine of two arms only
  // The fast engine: which answers it gives does not depend on these (internal_limits.hpp).
  std::uint32_t small_rows = internal_limits().small_rows;
  std::uint32_t min_histogram = internal_limits().min_histogram;
  std::size_t histogram_budget = internal_limits().histogram_budget;
};

/// A small node whose whole subtree the engine is to grow.
struct FinishTask {
  EngineNode node = 0;
  std::int32_t depth = 0;
  std::uint64_t key = 0;
};

/// A node of a finished subtree, in preorder; the first is the task's own node.
struct FinishedNode {
  EngineNode node = 0;
  std::int32_t right = -1;  ///< index of the right child, the left one is next; -1: a leaf
  Split split;
  bool heuristic = false;
};

/// A node of a tree that an engine has grown as a whole, in preorder: a leaf, or a test of a number or of ordered levels.
struct WholeNode {
  std::uint32_t begin = 0;  ///< its rows are a stretch of rows(0)
  std::uint32_t end = 0;
  std::int32_t right = -1;  ///< index of the right child, the left one is next; -1: a leaf
  ColId column = -1;
  NodeKind kind = NodeKind::leaf;
  std::uint8_t missing_to = 0;  ///< the child of missing cells and unseen levels
  double threshold = 0.0;
  double gain = 0.0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Best split of every task.
  virtual std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) = 0;
  /// Says which nodes are going to be divided one after the other, so that the work can be shared. Need not be called.
  struct Division {
    EngineNode node = 0;
    const Proposal* proposal = nullptr;
  };
  virtual void expect(std::span<const Division> /*divisions*/) {}
  /// Divides a node by its proposal; returns its children in the order of the split.
  virtual std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) = 0;
  /// Whether the engine would rather finish the node's subtree by itself, `levels` being left to grow.
  [[nodiscard]] virtual bool finishes(EngineNode /*node*/, std::int32_t /*levels*/) const { return false; }
  /// Grows whole subtrees (no monotone or interaction constraints, no limit on leaves).
  virtual std::vector<std::vector<FinishedNode>> finish(std::span<const FinishTask> /*tasks*/,
                                                        const SubtreeRules& /*rules*/, Monitor& /*monitor*/) {
    return {};
  }
  /// Whether the engine grows whole trees and does nothing else: then only grow_whole() and rows(0) may be called.
  [[nodiscard]] virtual bool grows_whole() const { return false; }
  /// The tree of all rows (under the same conditions as finish()), after which rows(0) has them in the order of its leaves.
  virtual std::vector<WholeNode> grow_whole(const FinishTask& /*root*/, const SubtreeRules& /*rules*/,
                                            Monitor& /*monitor*/) {
    return {};
  }
  /// Training rows of a node. Those of a node that was divided are its children's, one after the other.
  [[nodiscard]] virtual Rows rows(EngineNode node) const = 0;
  /// How many there are; engines whose rows are elsewhere know this only.
  [[nodiscard]] virtual std::size_t n_rows(EngineNode node) const { return rows(node).size(); }
};

/// Makers of engines throw an internal error where table and targets are not made for each other, in release builds too.

/// Histograms with bounds and refinement; call put_classes once before.
std::unique_ptr<Engine> make_fast_engine(const CodedTable& table, const Targets& targets,
                                         const EngineOptions& options);
/// Writes the class of each row into the free byte of the table's rows, where there is one target of few classes.
void put_classes(CodedTable& table, const Targets& targets);
/// Whether the fast engine knows such targets and options, and its histograms stay within reason for all trees of at most
/// `most_rows` rows on a table of so many columns.
bool fast_engine_fits(const Targets& targets, const EngineOptions& options, std::size_t n_columns,
                      std::size_t most_rows);

/// Whether the fast engine grows every tree of at most `most_rows` rows and `levels` levels from sorted lists alone, so that
/// codes of numbers are not needed (CodeUse::cells). `targets` stand for those of all trees: whether there are weights, which
/// classes. Only where engines may finish subtrees (engines_may_finish in grow/grow.hpp).
bool fast_engine_needs_cells_only(const Targets& targets, const EngineOptions& options, std::size_t most_rows,
                                  std::int32_t levels);

/// Lists of stored cells, for tables with sparse columns; additive criteria, best splits.
std::unique_ptr<Engine> make_sparse_engine(const EncodedTable& table, const Targets& targets,
                                           const EngineOptions& options);
bool sparse_engine_fits(const Targets& targets, const EngineOptions& options);

/// Presorted lists: simple, right for everything, and the oracle of the other engines.
std::unique_ptr<Engine> make_lists_engine(const EncodedTable& table, const Targets& targets,
                                          const EngineOptions& options);

/// Lists for Targets::treated and options.arms, which look for splits where effects, or chances of treatment, differ.
/// `variance_price`: what the variance of estimated effects costs (criterion/arms.hpp); 0: nothing.
std::unique_ptr<Engine> make_treatment_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options, double variance_price);

/// Keeps what search finds beside the best split, and sends rows of missing cells by surrogates (surrogate_engine.cpp).
std::unique_ptr<Engine> make_surrogate_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options);

/// Tries combinations of columns beside the columns (oblique.hpp): simple, right for everything, and the oracle of the
/// fast engine's.
std::unique_ptr<Engine> make_oblique_engine(const EncodedTable& table, const Targets& targets,
                                            const EngineOptions& options);

}  // namespace bough
