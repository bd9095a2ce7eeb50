// SPDX-License-Identifier: Apache-2.0
// Training on blocks of rows that never meet in one memory: on disk, or with workers that each hold some of them.
//
//   1. summarise() every block, merge_summaries(), make_plan(): types, levels and buckets that all blocks share.
//   2. RowBlock: the rows of a block as codes, values and targets, in one piece of memory that can be stored and sent.
//   3. fit_blocks(): asks the blocks what it must know, level by level, and gives the model that fit() gives on all rows
//      together, byte by byte.
//
// What is asked and answered is bytes, so that whoever moves them (threads, files, Dask) need not understand them. Answers
// are sums of integers and sets: neither the number of blocks nor the order of answers changes a model. A block keeps notes
// between requests, but they only save work: an answer is a function of the rows and the request alone, so that a block that
// was lost can be made again elsewhere at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// What one block says about its columns. Throws bad_data naming column and row (of the block) where they make no sense.
std::string summarise(const Table& rows, const FitSpec& spec, const Params& params);
/// Several summaries as one; the order does not matter. Throws bad_data where blocks have different columns or types.
std::string merge_summaries(std::span<const std::string> summaries);

/// What all blocks agree on. Immutable; copies share.
class ScalePlan {
 public:
  struct Parts;
  explicit ScalePlan(Parts parts);
  [[nodiscard]] static ScalePlan from_bytes(std::string_view bytes);  ///< throws bad_data
  [[nodiscard]] std::string bytes() const;
  [[nodiscard]] std::int64_t n_rows() const noexcept;         ///< of all blocks together
  [[nodiscard]] std::int64_t bytes_per_row() const noexcept;  ///< of a RowBlock, about
  [[nodiscard]] const Params& params() const noexcept;
  [[nodiscard]] const Schema& features() const noexcept;
  [[nodiscard]] const Schema& targets() const noexcept;
  [[nodiscard]] const Parts& parts() const noexcept { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Checks parameters and targets as fit() does, and refuses by name what cannot be trained on blocks.
ScalePlan make_plan(std::string_view merged_summary, const FitSpec& spec, const Params& params);
/// Throws not_supported, naming it, where something asked for cannot be trained on blocks; needs no data.
void check_scale_params(const FitSpec& spec, const Params& params);

/// The rows of one block, coded by a plan. May be used by one thread at a time; answers are the same from any number.
class RowBlock {
 public:
  /// `first_row`: how many rows are in the blocks before this one. Throws bad_data where the rows do not fit the plan.
  RowBlock(const Table& rows, const ScalePlan& plan, std::int64_t first_row);
  /// A block that was stored: `image` is what image() gave, 64-byte aligned, readable for 256 bytes beyond its end, and stays
  /// as it is while `owner` lives. Throws bad_data where it is no block.
  static RowBlock view(std::shared_ptr<const void> owner, std::span<const std::byte> image);
  ~RowBlock();
  RowBlock(RowBlock&&) noexcept;
  RowBlock& operator=(RowBlock&&) noexcept;

  [[nodiscard]] std::int64_t n_rows() const noexcept;
  [[nodiscard]] std::span<const std::byte> image() const noexcept;

  struct State;
  [[nodiscard]] State& state() noexcept { return *state_; }

 private:
  explicit RowBlock(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The answer of one block to a request of fit_blocks().
std::string answer(RowBlock& block, std::string_view request);
/// Several answers to one request as one; the order does not matter.
std::string merge_answers(std::span<const std::string> answers);
/// The same without copies, for blocks that come one after the other.
class AnswerSum {
 public:
  explicit AnswerSum(std::string request);
  ~AnswerSum();
  void add(RowBlock& block);
  [[nodiscard]] std::string take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// What a block gives to each of the groups that a regroup request names.
std::vector<std::string> parts_of(RowBlock& block, std::string_view request);
/// Grows the subtrees of one group from the parts of all blocks.
std::string finish_group(const ScalePlan& plan, std::string_view request, std::size_t group,
                         std::span<const std::string> parts);

/// What a request is about, for progress and statistics.
struct RequestInfo {
  std::string phase;         ///< describe, measure, count, collect, sums, regroup
  std::int32_t level = 0;    ///< depth of the nodes
  std::int64_t nodes = 0;    ///< how many
  std::size_t n_groups = 0;  ///< regroup
};
RequestInfo request_info(std::string_view request);

/// Whoever holds the blocks.
class BlockExecutor {
 public:
  virtual ~BlockExecutor() = default;
  /// answer() of every block, merged.
  virtual std::string ask(const std::string& request) = 0;
  /// parts_of() every block, brought together by group, and finish_group() of each; by group.
  virtual std::vector<std::string> regroup(const std::string& request) = 0;
};

/// Blocks in this process's memory.
class LocalExecutor final : public BlockExecutor {
 public:
  LocalExecutor(const ScalePlan& plan, std::span<RowBlock> blocks) : plan_(plan), blocks_(blocks) {}
  std::string ask(const std::string& request) override;
  std::vector<std::string> regroup(const std::string& request) override;

 private:
  ScalePlan plan_;
  std::span<RowBlock> blocks_;
};

/// How much may be brought together; nothing here changes a model.
struct BlockOptions {
  std::int64_t gather_bytes = std::int64_t{1} << 26;     ///< rows of the nodes that one group finishes, about
  std::size_t groups_at_once = 0;                        ///< of one regroup(); 0: as many as there are
  std::int64_t histogram_bytes = std::int64_t{1} << 28;  ///< of the nodes that are open at a time, about
  std::size_t trees_at_once = 0;                         ///< of a forest; 0: chosen by the number of rows
  std::uint64_t most_cells =
      1 << 15;  ///< of a column of a node that are sent before it is looked at more closely
};

/// Trains on the blocks of a plan.
Model fit_blocks(const ScalePlan& plan, BlockExecutor& executor, const Execution& execution = {},
                 const BlockOptions& options = {});

/// Runs `body`: what it calls of the above uses so many threads at most (0: all cores). For workers that share a machine.
void with_threads(int threads, const std::function<void()>& body);

}  // namespace bough
