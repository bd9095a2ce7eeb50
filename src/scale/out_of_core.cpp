// SPDX-License-Identifier: Apache-2.0
// fit_out_of_core: read once to learn what the columns are, once to code them into the scratch file, then
// grow from there.
#include "bough/out_of_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/scale.hpp"
#include "scale/disk_executor.hpp"
#include "scale/memory_plan.hpp"
#include "scale/read_ahead.hpp"
#include "scale/row_pace.hpp"
#include "scale/scratch.hpp"

namespace bough {
namespace {

constexpr std::int64_t kProbeRows = 1024;
constexpr std::size_t kSummariesAtOnce = 16;

/// The text with its last "row 12" counted from the first row of all.
std::string with_row_of_all(std::string text, std::int64_t first_row) {
  constexpr std::string_view kWord = "row ";
  const std::size_t at = text.rfind(kWord);
  if (at == std::string::npos) return text;
  const std::size_t from = at + kWord.size();
  const std::size_t end = std::min(text.find_first_not_of("0123456789", from), text.size());
  const std::optional<std::int64_t> row = parse_integer(std::string_view(text).substr(from, end - from));
  return row ? text.replace(from, end - from, std::to_string(*row + first_row)) : text;
}

/// Errors of a block count rows from its own first one.
template <class F>
decltype(auto) naming_rows(std::int64_t first_row, std::int64_t n_rows, F&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data || first_row == 0) throw;
    throw Error(error.code(),
                fmt::format("rows {} to {}: {}", first_row + 1, first_row + n_rows,
                            with_row_of_all(error.what(), first_row)),
                error.hint());
  }
}

class OutOfCoreFit {
 public:
  OutOfCoreFit(TableBlocks& rows, const FitSpec& spec, const Params& params, const OutOfCore& limits,
               const Execution& execution)
      : rows_(rows),
        spec_(spec),
        params_(params),
        limits_(limits),
        pace_(execution),
        threads_(execution.threads) {}

  Model run() {
    check_scale_params(spec_, params_);
    check_least_memory(limits_.memory);
    std::optional<ScalePlan> plan;
    std::optional<DiskExecutor> executor;
    std::optional<ScratchFile> scratch;
    with_threads(threads_, [&] {
      plan.emplace(read());
      memory_ = plan_memory(limits_.memory, *plan, params_, block_rows_, table_row_bytes_);
      executor.emplace(*plan, memory_.keep_notes, [this](std::int64_t n) { pace_.rows(n); });
      code(*plan, scratch, *executor);
    });
    pace_.stage("grow");
    return fit_blocks(*plan, *executor, pace_.within(), memory_.blocks);
  }

 private:
  /// Pass 1.
  ScalePlan read() {
    pace_.stage("read");
    std::vector<std::string> summaries;
    ReadAhead blocks(rows_, [this] { pace_.rows(0); });
    while (const std::optional<ReadAhead::Block> block = blocks.next(probe_rows(), block_rows_)) {
      const Table& table = block->table;
      if (block->started_over) {
        summaries.clear();
        n_rows_ = 0;
      }
      if (block_rows_ == 0) choose_blocks(table);
      summaries.push_back(
          naming_rows(n_rows_, table.n_rows(), [&] { return summarise(table, spec_, params_); }));
      n_rows_ += table.n_rows();
      if (summaries.size() == kSummariesAtOnce) summaries = {merge_summaries(summaries)};
      pace_.rows(table.n_rows(), block->fraction);
    }
    if (summaries.empty()) throw Error(ErrorCode::bad_data, "the table has no rows", "give at least one row");
    return make_plan(merge_summaries(summaries), spec_, params_);
  }

  /// Pass 2.
  void code(const ScalePlan& plan, std::optional<ScratchFile>& scratch, DiskExecutor& executor) {
    pace_.stage("code");
    rows_.rewind();
    const std::int64_t n_blocks = (n_rows_ + block_rows_ - 1) / block_rows_;
    scratch.emplace(scratch_folder(limits_.scratch),
                    plan.bytes_per_row() * n_rows_ + n_blocks * ScratchFile::stored_bytes(0));
    std::int64_t first_row = 0;
    ReadAhead blocks(rows_, [this] { pace_.rows(0); });
    while (const std::optional<ReadAhead::Block> block = blocks.next(block_rows_, block_rows_)) {
      const Table& table = block->table;
      if (first_row + table.n_rows() > n_rows_) throw changed(first_row + table.n_rows());
      executor.add(naming_rows(first_row, table.n_rows(), [&] {
        const RowBlock coded(table, plan, first_row);
        return scratch->append(coded.image());
      }));
      first_row += table.n_rows();
      pace_.rows(table.n_rows(), static_cast<double>(first_row) / static_cast<double>(n_rows_));
    }
    if (first_row != n_rows_) throw changed(first_row);
  }

  [[nodiscard]] std::int64_t probe_rows() const {
    return limits_.block_rows > 0 ? std::min(limits_.block_rows, kProbeRows) : kProbeRows;
  }
  void choose_blocks(const Table& table) {
    table_row_bytes_ = bytes_per_row(table);
    block_rows_ =
        limits_.block_rows > 0 ? limits_.block_rows : rows_per_block(limits_.memory, table_row_bytes_);
  }
  [[nodiscard]] Error changed(std::int64_t now) const {
    return Error(
        ErrorCode::io,
        fmt::format("the files have changed while they were read: {} rows at first, then {}", n_rows_, now),
        "train again when nothing writes to them");
  }

  TableBlocks& rows_;
  const FitSpec& spec_;
  const Params& params_;
  const OutOfCore& limits_;
  RowPace pace_;
  int threads_;
  std::int64_t block_rows_ = 0;
  std::int64_t table_row_bytes_ = 0;
  std::int64_t n_rows_ = 0;
  MemoryPlan memory_;
};

}  // namespace

Model fit_out_of_core(TableBlocks& rows, const FitSpec& spec, const Params& params, const OutOfCore& limits,
                      const Execution& execution) {
  return OutOfCoreFit(rows, spec, params, limits, execution).run();
}

}  // namespace bough
