// SPDX-License-Identifier: Apache-2.0
// Deciders of blocks for one layout and one family.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/order_key.hpp"
#include "base/random.hpp"
#include "base/vector_sort.hpp"
#include "split/histogram/block_counter.hpp"
#include "split/histogram/block_search.hpp"
#include "split/histogram/level_search.hpp"
#include "split/histogram/refine.hpp"

namespace bough {

struct NodeSight::Memory {
  Cut known;                     // the best cut so far
  std::vector<ColId> looked_at;  // their cells have come
  struct Counted {
    PartedColumn column;
    Buffer<unsigned char> words;
  };
  std::vector<Counted> counted;  // columns that were counted by parts, until the cells of these have come
};

template <class Layout, class FamilyT>
class LayoutDecider final : public BlockDecider {
 public:
  using Word = typename Layout::Word;
  using Sums = typename FamilyT::Node;
  using View = HistogramView<Layout>;
  using Search = Refine<Layout, FamilyT>;

  LayoutDecider(const CodedTable& columns, const Targets& shape, const LayoutFrame& frame,
                const EngineOptions& options, std::uint64_t most_cells)
      : shape_(&shape),
        frame_(&frame),
        options_(&options),
        most_cells_(most_cells),
        wide_(columns),
        shape_family_(family_of(shape)) {
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
    family_.emplace(family_of(targets));
    layout_.emplace(make_layout<Layout>(table_, targets, *frame_));
  }

  void step(const NodeTask& task, std::span<const std::byte> histogram, bool constant,
            const BlockReplies& news, NodeSight& sight) const override {
    const std::span<const Word> words(reinterpret_cast<const Word*>(histogram.data()),
                                      histogram.size() / sizeof(Word));
    const View view(table_, *layout_, words.first(table_.n_buckets() * layout_->words()));
    if (!sight.memory) sight.memory = std::make_shared<NodeSight::Memory>();
    sight.wanted.clear();
    sight.wanted_extents.clear();
    sight.wanted_counts.clear();
    sight.wanted_parts.clear();
    const Sums node = histogram_totals(table_, *layout_, shape_family_, words.data());
    sight.proposal.pure = constant;
    if constexpr (requires { node.counts; }) sight.proposal.pure |= all_pure(node, shape_->n_outputs());
    if (sight.proposal.pure) {
      sight.finished = true;
      return;
    }
    const std::optional<std::vector<ColId>> drawn = drawn_columns(task, view, words, sight);
    if (!drawn) return;
    std::vector<ColId> ordered;
    for (const ColId column : *drawn)
      if (has_ordered_buckets(column_of(column))) ordered.push_back(column);
    if (!look_at_ordered(task, view, node, ordered, news, sight)) return;
    decide(task, view, words, node, *drawn, sight);
  }

 private:
  [[nodiscard]] FamilyT family_of(const Targets& targets) const {
    return FamilyT(targets, options_->criterion);
  }

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
  bool look_at_ordered(const NodeTask& task, const View& view, const Sums& node,
                       std::span<const ColId> ordered, const BlockReplies& news, NodeSight& sight) const {
    NodeSight::Memory& memory = *sight.memory;
    if (ordered.empty()) return true;
    Search refine(table_, *layout_, *family_, options_->criterion);
    const typename Search::Input input{{}, &node, &view, ordered, options_->monotone, &task.limits};
    refine.begin(input, memory.known);
    for (const CollectedColumn& column : news.columns) {
      refine.look(column.column.column, column.column.alive.data(),
                  sorted_keys(column.column.column, column.begin, column.end));
      memory.looked_at.push_back(column.column.column);
    }
    for (const CollectedParts& column : news.parts) look_at_parts(refine, column, memory);
    for (const CountedParts& counted : news.counted) {
      Buffer<unsigned char> words(counted.words.size());
      std::memcpy(words.data(), counted.words.data(), counted.words.size());
      memory.counted.push_back({counted.column, std::move(words)});
    }
    memory.known = refine.cut();
    want_parts(refine, memory, sight);
    const auto known = [](const auto& list, ColId column, const auto& of) {
      return std::any_of(list.begin(), list.end(), [&](const auto& item) { return of(item) == column; });
    };
    for (const AliveColumn& wanted : refine.wanted()) {
      if (known(memory.looked_at, wanted.column, [](ColId id) { return id; })) continue;
      if (known(memory.counted, wanted.column, [](const auto& counted) { return counted.column.column; }))
        continue;
      if (wanted.n_rows > most_cells_) {
        sight.wanted_counts.push_back(parted(wanted.column, wanted.alive));
      } else {
        sight.wanted.push_back(wanted);
      }
    }
    want_neighbours(view, sight);
    return sight.wanted.empty() && sight.wanted_extents.empty() && sight.wanted_counts.empty() &&
           sight.wanted_parts.empty();
  }

  // Parts of equal width; the end buckets are as wide as their neighbours, and whatever is outside is in the last part.
  PartedColumn parted(ColId id, const std::array<std::uint8_t, kBuckets>& alive) const {
    const std::vector<double>& cuts = column_of(id).cuts;
    PartedColumn out;
    out.column = id;
    for (std::size_t b = 0; b < alive.size(); ++b) {
      if (alive[b] == 0) continue;
      PartedBucket bucket;
      bucket.bucket = static_cast<std::uint8_t>(b);
      const std::size_t high = std::clamp<std::size_t>(b, 1, std::max<std::size_t>(cuts.size(), 2) - 1);
      if (cuts.size() > 1) {
        const double width = cuts[high] - cuts[high - 1];
        bucket.low = b == 0 ? cuts[0] - width : cuts[b - 1];
        bucket.scale = static_cast<double>(kParts) / width;
        if (!std::isfinite(bucket.low) || !std::isfinite(bucket.scale)) bucket.low = bucket.scale = 0.0;
      }
      out.buckets.push_back(bucket);
    }
    return out;
  }

  // The counted parts of bucket i of a column.
  static typename Search::Parts parts_of_bucket(const NodeSight::Memory::Counted& counted, std::size_t i,
                                                std::size_t each) {
    const std::span<const Word> words(reinterpret_cast<const Word*>(counted.words.data()),
                                      counted.words.size() / sizeof(Word));
    return {counted.column.column, counted.column.buckets[i].bucket,
            words.subspan(i * kParts * each, kParts * each)};
  }

  void look_at_parts(Search& refine, const CollectedParts& column, NodeSight::Memory& memory) const {
    const auto counted = std::find_if(memory.counted.begin(), memory.counted.end(), [&](const auto& one) {
      return one.column.column == column.column.column;
    });
    const std::vector<std::uint64_t> keys = sorted_keys(column.column.column, column.begin, column.end);
    std::size_t at = 0;
    for (std::size_t i = 0; i < counted->column.buckets.size(); ++i) {
      const auto parts = parts_of_bucket(*counted, i, layout_->words());
      // The parts that were asked for, which may be more than are alive by now.
      const auto asked = std::find_if(
          column.column.buckets.begin(), column.column.buckets.end(),
          [&](const PartedBucket& bucket) { return bucket.bucket == counted->column.buckets[i].bucket; });
      if (asked == column.column.buckets.end()) continue;
      std::size_t count = 0;
      for (std::size_t p = 0; p < kParts; ++p) count += asked->is_alive(p) ? refine.part_rows(parts, p) : 0;
      refine.look_parts(
          parts, [&](std::size_t p) { return asked->is_alive(p); }, std::span(keys).subspan(at, count));
      at += count;
    }
    memory.looked_at.push_back(column.column.column);
    memory.counted.erase(counted);
  }

  // Cells of the parts that are still alive; columns without any are done.
  void want_parts(Search& refine, NodeSight::Memory& memory, NodeSight& sight) const {
    const std::size_t each = layout_->words();
    for (const auto& counted : memory.counted)
      for (std::size_t i = 0; i < counted.column.buckets.size(); ++i)
        refine.learn(parts_of_bucket(counted, i, each));
    std::erase_if(memory.counted, [&](const auto& counted) {
      PartedColumn wanted;
      wanted.column = counted.column.column;
      for (std::size_t i = 0; i < counted.column.buckets.size(); ++i) {
        PartedBucket bucket = counted.column.buckets[i];
        bucket.alive = {};
        const auto parts = parts_of_bucket(counted, i, each);
        refine.narrow(parts, [&](std::size_t p) { bucket.alive[p / 64] |= std::uint64_t{1} << p % 64; });
        std::uint64_t rows = 0;
        for (std::size_t p = 0; p < kParts; ++p) rows += bucket.is_alive(p) ? refine.part_rows(parts, p) : 0;
        if (rows == 0) continue;
        wanted.n_rows += rows;
        wanted.buckets.push_back(bucket);
      }
      const bool done = wanted.n_rows == 0;
      if (done) memory.looked_at.push_back(wanted.column);
      if (!done) sight.wanted_parts.push_back(std::move(wanted));
      return done;
    });
  }

  std::vector<std::uint64_t> sorted_keys(ColId column, std::uint32_t begin, std::uint32_t end) const {
    const NumberSource& numbers = column_of(column).numbers;
    std::vector<std::uint64_t> keys(end - begin);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = static_cast<RowId>(begin + i);
      keys[i] = static_cast<std::uint64_t>(ordered_key(static_cast<float>(numbers.at(row)) + 0.0F)) << 32 |
                layout_->payload(row);
    }
    vector_sort(std::span(keys));
    if (!numbers.is_float())
      settle_equal_floats(std::span(keys),
                          [&](std::uint64_t key) { return numbers.at(row_of_payload(key)); });
    return keys;
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
  [[nodiscard]] std::optional<BucketExtent> extent_of(ColId id, std::size_t bucket,
                                                      const NodeSight& sight) const {
    const CodedColumn& column = column_of(id);
    if (column.single[bucket])
      return BucketExtent{id, static_cast<std::uint8_t>(bucket), column.cuts[bucket], column.cuts[bucket]};
    for (const BucketExtent& extent : sight.extents)
      if (extent.column == id && extent.bucket == bucket) return extent;
    return std::nullopt;
  }

  void decide(const NodeTask& task, const View& view, std::span<const Word> words, const Sums& node,
              std::span<const ColId> drawn, NodeSight& sight) const {
    ColumnFound found;
    std::int64_t n_left = 0;
    if (const Cut& cut = sight.memory->known; cut.found) {
      found.candidate = to_candidate(view, cut, sight);
      found.missing_known = view.n_missing(cut.column) > 0;
      n_left = cut.rows_left + (cut.missing_left ? view.n_missing(cut.column) : 0);
    }
    for (const ColId id : drawn)
      if (!has_ordered_buckets(column_of(id)))
        keep_better(search_levels(*family_, node, task, *options_, *layout_, column_levels(view, words, id)),
                    found);
    sight.finished = true;
    Proposal& proposal = sight.proposal;
    proposal.heuristic = found.heuristic;
    const Candidate& best = found.candidate;
    if (!best.found) return;
    const CodedColumn& column = column_of(best.column);
    propose(found, column.n_levels, *options_, proposal);
    sight.n_left =
        has_ordered_buckets(column) ? n_left : rows_left(column_levels(view, words, best.column), best);
  }

  // Rows on the left of a test of levels.
  [[nodiscard]] std::int64_t rows_left(const LevelWords<Word>& levels, const Candidate& best) const {
    std::int64_t n = best.missing_left ? rows_at(levels, levels.missing) : 0;
    for (std::size_t level = 0; level < levels.n; ++level)
      if (goes_left(best, static_cast<double>(level))) n += rows_at(levels, level);
    return n;
  }

  Candidate to_candidate(const View& view, const Cut& cut, const NodeSight& sight) const {
    const CodedColumn& column = column_of(cut.column);
    const std::size_t next = next_bucket(view, column, cut);
    Candidate c = plain_candidate(cut, column.kind, next);
    if (cut.inside || c.kind == NodeKind::ordinal) return c;
    c.low = extent_of(cut.column, cut.bucket, sight)->high;
    c.high = next == column.missing_bucket() ? std::numeric_limits<double>::infinity()
                                             : extent_of(cut.column, next, sight)->low;
    return c;
  }

  // The buckets of a column; those of many levels are behind all slots.
  [[nodiscard]] LevelWords<Word> column_levels(const View& view, std::span<const Word> words,
                                               ColId id) const {
    return levels_of(
        column_of(id), id,
        column_of(id).wide ? words.data() + wide_.begin(id) * layout_->words() : view.column(id));
  }
  [[nodiscard]] std::int64_t rows_at(const LevelWords<Word>& levels, std::size_t level) const {
    return layout_->n_rows(levels.words + level * layout_->words());
  }

  // The columns to search: the first n_draw, and more until one is not constant. Nothing: extents must be known first.
  std::optional<std::vector<ColId>> drawn_columns(const NodeTask& task, const View& view,
                                                  std::span<const Word> words, NodeSight& sight) const {
    std::vector<ColId> columns;
    bool seen = task.n_draw >= task.columns.size();
    for (std::size_t i = 0; i < task.columns.size() && (i < task.n_draw || !seen); ++i) {
      if (i >= task.n_draw && !sight.wanted_extents.empty())
        return std::nullopt;  // one of the drawn may not be constant
      columns.push_back(task.columns[i]);
      if (!seen) seen = !is_constant(view, words, task.columns[i], sight).value_or(true);
    }
    sight.wanted_extents.clear();
    return columns;
  }

  // Nothing, and the extents that are wanted, when all cells are in one bucket of several values.
  std::optional<bool> is_constant(const View& view, std::span<const Word> words, ColId id,
                                  NodeSight& sight) const {
    const CodedColumn& column = column_of(id);
    const LevelWords<Word> levels = column_levels(view, words, id);
    std::size_t occupied = 0, last = 0;
    for (std::size_t b = 0; b <= levels.missing; ++b)
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

  [[nodiscard]] const CodedColumn& column_of(ColId id) const {
    return table_.columns[static_cast<std::size_t>(id)];
  }

  const Targets* shape_;
  const LayoutFrame* frame_;
  const EngineOptions* options_;
  std::uint64_t most_cells_;
  WideBuckets wide_;
  FamilyT shape_family_;
  CodedTable table_;               // the columns, with the collected cells for numbers
  std::optional<FamilyT> family_;  // over the collected rows
  std::optional<Layout> layout_;
};

/// What a decider is made from.
struct BlockMaking {
  const CodedTable& columns;
  const Targets& shape;
  const BlockLayout& layout;
  const EngineOptions& options;
  std::uint64_t most_cells;
};

template <class Layout, class FamilyT>
std::unique_ptr<BlockDecider> make_decider(const BlockMaking& making) {
  return std::make_unique<LayoutDecider<Layout, FamilyT>>(making.columns, making.shape, making.layout.frame,
                                                          making.options, making.most_cells);
}

// In the source files of the fast engines, which compile the same search.
std::unique_ptr<BlockDecider> make_two_class_decider(const BlockMaking& making);
std::unique_ptr<BlockDecider> make_class_decider(const BlockMaking& making);
std::unique_ptr<BlockDecider> make_number_decider(const BlockMaking& making);

}  // namespace bough
