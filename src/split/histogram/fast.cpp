// SPDX-License-Identifier: Apache-2.0
// Which fast engine fits which targets.
#include "base/internal_limits.hpp"
#include "split/engine.hpp"
#include "split/engine_checks.hpp"
#include "split/histogram/fast_engine.hpp"
#include "split/histogram/number_sums.hpp"

namespace bough {
namespace {

// Whether bounds (curve_kernels.cpp) and quick scores (quick_score.hpp, side_kernels.cpp) are written and proven.
constexpr bool has_bounds(CriterionId id) noexcept {
  return criterion_info(id).has_bounds;
}

// One class target whose codes fit the free byte of a row.
bool one_byte_classes(const Targets& targets) {
  return targets.classes.size() == 1 && targets.classes.front().n_classes <= 255;
}

// The most a bucket of one column takes.
std::size_t bucket_bytes(const Targets& targets) {
  const bool weighted = !targets.weights.empty();
  if (!targets.is_classification())
    return !weighted && targets.n_outputs() == 1 ? sizeof(Sums::Word)
                                                 : targets.n_outputs() * sizeof(NumberSums<int128>::Word);
  std::size_t words = 1;
  for (const ClassTarget& target : targets.classes) words += target.n_classes;
  const bool narrow = !weighted && one_byte_classes(targets);
  return words * (narrow ? sizeof(std::uint32_t) : sizeof(std::int64_t));
}

}  // namespace

void put_classes(CodedTable& table, const Targets& targets) {
  if (!one_byte_classes(targets) || table.by_row.size() == 0) return;
  const ClassTarget& target = targets.classes.front();
  table.has_classes = true;
  parallel_ranges(
      target.codes.size(), internal_limits().parallel_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          table.by_row[(i + 1) * table.row_stride - 1] = static_cast<std::uint8_t>(target.codes[i]);
      });
}

std::unique_ptr<Engine> make_fast_engine(const CodedTable& table, const Targets& targets,
                                         const EngineOptions& options) {
  check_rows(table.n_rows, targets);
  if (table.use != CodeUse::cells && one_byte_classes(targets) && !table.has_classes)
    internal_error("the codes of the table have no classes");
  if (!targets.is_classification()) return make_fast_numbers(table, targets, options);
  const bool packed =
      targets.classes.size() == 1 && targets.classes.front().n_classes == 2 && targets.weights.empty();
  return packed ? make_fast_two_classes(table, targets, options) : make_fast_classes(table, targets, options);
}

bool fast_engine_needs_cells_only(const Targets& targets, const EngineOptions& options, std::size_t most_rows,
                                  std::int32_t levels) {
  if (options.scan.random || most_rows > options.small_rows) return false;
  const bool fast = has_strip_scores(targets, options.criterion);
  return most_rows <= finish_rows(options, fast) && finish_pays(most_rows, levels);
}

bool fast_engine_fits(const Targets& targets, const EngineOptions& options, std::size_t n_columns,
                      std::size_t most_rows) {
  if (options.arms.wanted) return false;  // two arms are for lists
  if (!has_bounds(options.criterion)) return false;
  const ObliqueOptions& oblique = options.oblique;
  if (oblique.wanted && (!oblique.axis || oblique.n_candidates > internal_limits().combinations))
    return false;
  if (targets.classes.size() == 1 && targets.classes.front().n_classes < 2)
    return false;  // nothing to search
  const bool counts = most_rows > options.small_rows || options.small_rows < options.min_histogram;
  return !counts || options.scan.random ||
         n_columns * kBuckets * bucket_bytes(targets) <= internal_limits().largest_histogram;
}

}  // namespace bough
