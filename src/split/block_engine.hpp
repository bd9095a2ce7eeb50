// SPDX-License-Identifier: Apache-2.0
// Counters and deciders of blocks for one layout and one family.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/order_key.hpp"
#include "base/random.hpp"
#include "base/vector_sort.hpp"
#include "split/block_search.hpp"
#include "split/refine.hpp"

namespace bough {

/// Where the levels of wide columns are in a histogram, in buckets.
class WideBuckets {
 public:
  explicit WideBuckets(const CodedTable& table) : begins_(table.columns.size(), 0), end_(table.n_buckets()) {
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      if (!table.columns[j].wide) continue;
      begins_[j] = end_;
      end_ += table.columns[j].n_levels + std::size_t{1};  // the last one for missing cells
    }
  }
  [[nodiscard]] std::size_t begin(ColId id) const noexcept { return begins_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::size_t n_buckets() const noexcept { return end_; }

 private:
  std::vector<std::size_t> begins_;
  std::size_t end_;
};

template <class Layout>
Layout make_layout(const CodedTable& table, const Targets& targets, const LayoutFrame& frame) {
  if constexpr (std::is_constructible_v<Layout, const CodedTable&, const Targets&, const LayoutFrame&>) {
    return Layout(table, targets, frame);
  } else {
    return Layout(table, targets);
  }
}

template <class Layout>
constexpr Lanes lanes_of() noexcept {
  return sizeof(typename Layout::Word) == 4 ? Lanes::u32 : alignof(typename Layout::Word) == 16 ? Lanes::wide : Lanes::u64;
}

template <class Layout>
class LayoutCounter final : public BlockCounter {
 public:
  using Word = typename Layout::Word;
  LayoutCounter(const CodedTable& table, const Targets& targets, const LayoutFrame& frame)
      : table_(&table), layout_(make_layout<Layout>(table, targets, frame)), wide_(table) {
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].wide) wide_columns_.push_back(static_cast<ColId>(j));
  }
  [[nodiscard]] std::size_t bytes() const override { return wide_.n_buckets() * layout_.words() * sizeof(Word); }
  [[nodiscard]] Lanes lanes() const override { return lanes_of<Layout>(); }
  void count(Rows rows, std::span<std::byte> histogram) const override {
    const std::span<Word> words(reinterpret_cast<Word*>(histogram.data()), histogram.size() / sizeof(Word));
    layout_.add_rows(rows, words.first(table_->n_buckets() * layout_.words()));
    for (const ColId id : wide_columns_) {
      const CodedColumn& column = table_->columns[static_cast<std::size_t>(id)];
      const std::span<Word> own = words.subspan(wide_.begin(id) * layout_.words());
      for (const RowId row : rows) {
        const std::uint32_t code = column.wide_codes[row];
        layout_.add_row(row, own.subspan((code == kMissingCode ? column.n_levels : code) * layout_.words(), layout_.words()));
      }
    }
  }

 private:
  const CodedTable* table_;
  Layout layout_;
  WideBuckets wide_;
  std::vector<ColId> wide_columns_;
};

struct NodeSight::Memory {
  Cut known;                      // the best cut so far
  std::vector<ColId> looked_at;   // their cells have come
};

template <class Layout, class FamilyT>
class LayoutDecider final : public BlockDecider {
 public:
  using Word = typename Layout::Word;
  using Sums = typename FamilyT::Node;
  using View = HistogramView<Layout>;

  LayoutDecider(const CodedTable& columns, const Targets& shape, const LayoutFrame& frame, const EngineOptions& options)
      : shape_(&shape), frame_(&frame), options_(&options), wide_(columns), shape_family_(shape) {
    table_.slot_begins = columns.slot_begins;
    table_.row_stride = 1;
    for (const CodedColumn& from : columns.columns) table_.columns.push_back(without_rows(from));
    take(nullptr);
  }

  void take(const CollectedCells* cells) override {
    const Targets& targets = cells != nullptr ? cells->targets : *shape_;
    table_.n_rows = cells != nullptr ? static_cast<std::int64_t>(cells->size()) : 0;
    if (cells != nullptr) {
      const auto source = [&](Dtype dtype, const void* data, std::ptrdiff_t stride) {
        ColumnView view;
        view.dtype = dtype;
        view.chunks.push_back({.data = data, .stride = stride, .length = table_.n_rows});
        return NumberSource(view, table_.n_rows);
      };
      const NumberSource floats = source(Dtype::f32, cells->floats.data(), sizeof(float));
      const NumberSource doubles = source(Dtype::f64, cells->doubles.data(), sizeof(double));
      for (CodedColumn& column : table_.columns)
        if (column.kind == Kind::numeric) column.numbers = column.numbers.is_float() ? floats : doubles;
      table_.by_row = Buffer<std::uint8_t>(cells->size() + 1);
      if (!targets.classes.empty())
        for (std::size_t i = 0; i < cells->size(); ++i)
          table_.by_row[i] = static_cast<std::uint8_t>(targets.classes.front().codes[i]);
    }
    family_.emplace(targets);
    layout_.emplace(make_layout<Layout>(table_, targets, *frame_));
  }

  void step(const NodeTask& task, std::span<const std::byte> histogram, bool constant, std::span<const CollectedColumn> columns,
            NodeSight& sight) const override {
    const std::span<const Word> words(reinterpret_cast<const Word*>(histogram.data()), histogram.size() / sizeof(Word));
    const View view(table_, *layout_, words.first(table_.n_buckets() * layout_->words()));
    if (!sight.memory) sight.memory = std::make_shared<NodeSight::Memory>();
    sight.wanted.clear();
    sight.wanted_extents.clear();
    const Sums node = totals(words);
    sight.proposal.pure = constant || is_pure(node);
    if (sight.proposal.pure) {
      sight.finished = true;
      return;
    }
    const std::optional<std::vector<ColId>> drawn = drawn_columns(task, view, words, sight);
    if (!drawn) return;
    std::vector<ColId> ordered;
    for (const ColId column : *drawn)
      if (is_ordered(column)) ordered.push_back(column);
    if (!look_at_ordered(task, view, node, ordered, columns, sight)) return;
    decide(task, view, words, node, *drawn, sight);
  }

 private:
  struct Found {
    Candidate candidate;
    bool missing_known = false;
    bool heuristic = false;
    std::int64_t n_left = 0;
  };

  static CodedColumn without_rows(const CodedColumn& from) {
    CodedColumn column;
    column.kind = from.kind;
    column.n_levels = from.n_levels;
    column.has_missing = from.has_missing;
    column.slot = from.slot;
    column.n_buckets = from.n_buckets;
    column.mark = from.mark;
    column.wide = from.wide;
    column.numbers = from.numbers;
    column.cuts = from.cuts;
    column.single = from.single;
    return column;
  }

  // False when more must be known.
  bool look_at_ordered(const NodeTask& task, const View& view, const Sums& node, std::span<const ColId> ordered,
                       std::span<const CollectedColumn> columns, NodeSight& sight) const {
    NodeSight::Memory& memory = *sight.memory;
    if (ordered.empty()) return true;
    Refine<Layout, FamilyT> refine(table_, *layout_, *family_, options_->criterion);
    const typename Refine<Layout, FamilyT>::Input input{{}, &node, &view, ordered, options_->monotone, &task.limits};
    refine.begin(input, memory.known);
    for (const CollectedColumn& column : columns) {
      refine.look(column.column.column, column.column.alive.data(), sorted_keys(column));
      memory.looked_at.push_back(column.column.column);
    }
    memory.known = refine.cut();
    for (const auto& wanted : refine.wanted()) {
      if (std::find(memory.looked_at.begin(), memory.looked_at.end(), wanted.column) != memory.looked_at.end()) continue;
      sight.wanted.push_back({wanted.column, wanted.n_rows, wanted.alive});
    }
    want_neighbours(view, sight);
    return sight.wanted.empty() && sight.wanted_extents.empty();
  }

  std::vector<std::uint64_t> sorted_keys(const CollectedColumn& column) const {
    const NumberSource& numbers = column_of(column.column.column).numbers;
    std::vector<std::uint64_t> keys(column.end - column.begin);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = static_cast<RowId>(column.begin + i);
      keys[i] = static_cast<std::uint64_t>(ordered_key(static_cast<float>(numbers.at(row)) + 0.0F)) << 32 | layout_->payload(row);
    }
    vector_sort(std::span(keys));
    if (!numbers.is_float())
      settle_equal_floats(std::span(keys), [&](std::uint64_t key) { return numbers.at(row_of_payload(key)); });
    return keys;
  }

  [[nodiscard]] static std::size_t next_bucket(const View& view, const CodedColumn& column, const Cut& cut) {
    std::size_t next = cut.bucket + std::size_t{1};
    while (next < column.missing_bucket() && view.n_rows(cut.column, next) == 0) ++next;
    return next;
  }

  // The values on both sides of a cut between buckets.
  void want_neighbours(const View& view, NodeSight& sight) const {
    const Cut& cut = sight.memory->known;
    if (!cut.found || cut.inside || column_of(cut.column).kind != Kind::numeric) return;
    const CodedColumn& column = column_of(cut.column);
    for (const std::size_t bucket : {static_cast<std::size_t>(cut.bucket), next_bucket(view, column, cut)})
      if (bucket != column.missing_bucket() && !extent_of(cut.column, bucket, sight))
        sight.wanted_extents.push_back({cut.column, static_cast<std::uint8_t>(bucket)});
  }

  // A bucket of one value has it for its cut.
  [[nodiscard]] std::optional<BucketExtent> extent_of(ColId id, std::size_t bucket, const NodeSight& sight) const {
    const CodedColumn& column = column_of(id);
    if (column.single[bucket])
      return BucketExtent{id, static_cast<std::uint8_t>(bucket), column.cuts[bucket], column.cuts[bucket]};
    for (const BucketExtent& extent : sight.extents)
      if (extent.column == id && extent.bucket == bucket) return extent;
    return std::nullopt;
  }

  void decide(const NodeTask& task, const View& view, std::span<const Word> words, const Sums& node, std::span<const ColId> drawn,
              NodeSight& sight) const {
    Found found;
    if (const Cut& cut = sight.memory->known; cut.found) {
      found.candidate = to_candidate(view, cut, sight);
      found.missing_known = view.n_missing(cut.column) > 0;
      found.n_left = cut.rows_left + (cut.missing_left ? view.n_missing(cut.column) : 0);
    }
    for (const ColId id : drawn) {
      if (is_ordered(id)) continue;
      Found other = search_levels(task, levels_of(view, words, id), node, id);
      const bool heuristic = found.heuristic || other.heuristic;
      if (other.candidate.found && better(other.candidate, found.candidate)) found = std::move(other);
      found.heuristic = heuristic;
    }
    sight.finished = true;
    Proposal& proposal = sight.proposal;
    proposal.heuristic = found.heuristic;
    proposal.found = found.candidate.found;
    if (!proposal.found) return;
    sight.n_left = found.n_left;
    proposal.candidate = found.candidate;
    proposal.left_value = found.candidate.left_value;
    proposal.right_value = found.candidate.right_value;
    proposal.split = to_split(found.candidate, column_of(found.candidate.column).n_levels, found.missing_known,
                              found.candidate.left_heavier);
  }

  Candidate to_candidate(const View& view, const Cut& cut, const NodeSight& sight) const {
    const CodedColumn& column = column_of(cut.column);
    Candidate c = plain_candidate(cut, column.kind);
    if (cut.inside) return c;
    const std::size_t next = next_bucket(view, column, cut);
    if (c.kind == NodeKind::ordinal) {
      c.low = cut.bucket;
      c.high = static_cast<double>(next);
      return c;
    }
    c.low = extent_of(cut.column, cut.bucket, sight)->high;
    c.high = next == column.missing_bucket() ? std::numeric_limits<double>::infinity()
                                             : extent_of(cut.column, next, sight)->low;
    return c;
  }

  // The buckets of a category, or of a column of many levels; the missing one is the last.
  struct LevelWords {
    const Word* words = nullptr;
    std::size_t n_levels = 0;
  };
  LevelWords levels_of(const View& view, std::span<const Word> words, ColId id) const {
    const CodedColumn& column = column_of(id);
    return {column.wide ? words.data() + wide_.begin(id) * layout_->words() : view.column(id), column.n_levels};
  }
  [[nodiscard]] std::int64_t rows_at(const LevelWords& levels, std::size_t level) const {
    return layout_->n_rows(levels.words + level * layout_->words());
  }

  Found search_levels(const NodeTask& task, const LevelWords& levels, const Sums& node, ColId id) const {
    NodeColumn column;
    column.id = id;
    column.kind = column_of(id).kind;
    std::vector<Sums> sums;
    for (std::size_t level = 0; level < levels.n_levels; ++level) {
      const std::int64_t count = rows_at(levels, level);
      if (count == 0) continue;
      column.groups.push_back({static_cast<double>(level), static_cast<std::size_t>(count), {}});
      sums.push_back(zero_like(node));
      layout_->add_bucket(levels.words, level, sums.back());
    }
    column.n_missing = static_cast<std::size_t>(rows_at(levels, levels.n_levels));
    Sums missing = zero_like(node);
    layout_->add_bucket(levels.words, levels.n_levels, missing);
    Scan<FamilyT> scan(*family_, node, task.limits, options_->scan);
    const int sign = options_->monotone.empty() ? 0 : options_->monotone[static_cast<std::size_t>(id)];
    Found found;
    found.candidate = scan.best(column, std::move(sums), std::move(missing), sign, mix(task.key, static_cast<std::uint64_t>(id)));
    found.heuristic = scan.used_heuristic();
    found.missing_known = column.n_missing > 0;
    if (!found.candidate.found) return found;
    found.n_left = found.candidate.missing_left ? static_cast<std::int64_t>(column.n_missing) : 0;
    for (const Group& group : column.groups)
      if (goes_left(found.candidate, group.cell)) found.n_left += static_cast<std::int64_t>(group.count);
    return found;
  }

  // The columns to search: the first n_draw, and more until one is not constant. Nothing: extents must be known first.
  std::optional<std::vector<ColId>> drawn_columns(const NodeTask& task, const View& view, std::span<const Word> words,
                                                  NodeSight& sight) const {
    std::vector<ColId> columns;
    bool seen = task.n_draw >= task.columns.size();
    for (std::size_t i = 0; i < task.columns.size() && (i < task.n_draw || !seen); ++i) {
      if (i >= task.n_draw && !sight.wanted_extents.empty()) return std::nullopt;  // one of the drawn may not be constant
      columns.push_back(task.columns[i]);
      if (!seen) seen = !is_constant(view, words, task.columns[i], sight).value_or(true);
    }
    sight.wanted_extents.clear();
    return columns;
  }

  // Nothing, and the extents that are wanted, when all cells are in one bucket of several values.
  std::optional<bool> is_constant(const View& view, std::span<const Word> words, ColId id, NodeSight& sight) const {
    const CodedColumn& column = column_of(id);
    const LevelWords levels = levels_of(view, words, id);
    const std::size_t n = column.wide || column.kind == Kind::category ? column.n_levels + std::size_t{1} : column.n_buckets;
    std::size_t occupied = 0, last = 0;
    for (std::size_t b = 0; b < n; ++b)
      if (rows_at(levels, b) > 0) {
        ++occupied;
        last = b;
      }
    if (occupied > 1) return false;
    if (occupied == 0 || column.kind != Kind::numeric || last == column.missing_bucket()) return true;
    if (const auto extent = extent_of(id, last, sight)) return extent->low == extent->high;
    sight.wanted_extents.push_back({id, static_cast<std::uint8_t>(last)});
    return std::nullopt;
  }

  [[nodiscard]] bool is_ordered(ColId id) const { return column_of(id).kind != Kind::category && !column_of(id).wide; }
  [[nodiscard]] const CodedColumn& column_of(ColId id) const { return table_.columns[static_cast<std::size_t>(id)]; }

  Sums totals(std::span<const Word> words) const {
    Sums sums = shape_family_.node({});
    for (std::size_t b = 0; b < table_.slot_begins[1]; ++b) layout_->add_bucket(words.data(), b, sums);
    if constexpr (requires { sums.totals; })
      for (auto& total : sums.totals) total = make_parent(total);
    return sums;
  }
  [[nodiscard]] bool is_pure(const Sums& sums) const {
    if constexpr (requires { sums.counts; }) {
      const auto pure = std::count(sums.counts.begin(), sums.counts.end(), sums.weight);
      return static_cast<std::size_t>(pure) == shape_->n_outputs();
    } else {
      return false;
    }
  }

  const Targets* shape_;
  const LayoutFrame* frame_;
  const EngineOptions* options_;
  WideBuckets wide_;
  FamilyT shape_family_;
  CodedTable table_;                // the columns, with the collected cells for numbers
  std::optional<FamilyT> family_;   // over the collected rows
  std::optional<Layout> layout_;
};

/// What a decider is made from.
struct BlockMaking {
  const CodedTable& columns;
  const Targets& shape;
  const BlockLayout& layout;
  const EngineOptions& options;
};

template <class Layout, class FamilyT>
std::unique_ptr<BlockDecider> make_decider(const BlockMaking& making) {
  return std::make_unique<LayoutDecider<Layout, FamilyT>>(making.columns, making.shape, making.layout.frame, making.options);
}

// In the source files of the fast engines, which compile the same search.
std::unique_ptr<BlockDecider> make_two_class_decider(const BlockMaking& making);
std::unique_ptr<BlockDecider> make_class_decider(const BlockMaking& making);
std::unique_ptr<BlockDecider> make_outputs_decider(const BlockMaking& making);
std::unique_ptr<BlockDecider> make_number_decider(const BlockMaking& making);

}  // namespace bough
