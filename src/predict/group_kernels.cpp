// SPDX-License-Identifier: Apache-2.0
// Rows through groups of three levels by vectors, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "predict/group_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/compress-inl.hpp"
#include "predict/groups.hpp"

#ifndef BOUGH_PREDICT_GROUP_KERNELS
#define BOUGH_PREDICT_GROUP_KERNELS
namespace bough {

// By the bits of seven tests (and one that means nothing): the exit.
struct ExitTable {
  std::array<std::uint8_t, 256> exits{};

  constexpr ExitTable() {
    for (std::size_t bits = 0; bits < exits.size(); ++bits) {
      std::size_t at = 0;
      for (int level = 0; level < GroupedTree::kLevels; ++level) at = 2 * at + 1 + (bits >> at & 1);
      exits[bits] = static_cast<std::uint8_t>(at - TreeGroup::kTests);
    }
  }
};
inline constexpr ExitTable kExitTable{};

}  // namespace bough
#endif

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3

constexpr std::size_t kBlock = 256;  // rows on their way together

// A row's first kTables * Lanes(D) cells in registers.
template <class D, std::size_t kTables>
struct RowTables {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  std::array<M, kTables> loaded;  // which lanes there are

  explicit RowTables(std::size_t n_columns) {
    const D d;
    for (std::size_t t = 0; t < kTables; ++t) {
      const std::size_t before = t * hn::Lanes(d);
      loaded[t] = hn::FirstN(d, n_columns > before ? n_columns - before : 0);
    }
  }

  struct Cells {
    std::array<V, kTables> tables;

    // The cells of the columns in 32-bit lanes.
    template <class Columns>
    HWY_INLINE V pick(Columns columns) const {
      const D d;
      const hn::RebindToSigned<D> di;
      constexpr auto kLanes = static_cast<std::int32_t>(hn::MaxLanes(D()));
#if HWY_TARGET <= HWY_AVX3
      if constexpr (kTables > 1) {  // two tables by one instruction, which this Highway has no name for
        V out = pick_two(0, columns);
        if constexpr (kTables > 2) {
          const auto later = hn::Gt(columns, hn::Set(di, 2 * kLanes - 1));
          out = hn::IfThenElse(hn::RebindMask(d, later), pick_two(2, columns), out);
        }
        return out;
      }
#endif
      const auto within = hn::And(columns, hn::Set(di, kLanes - 1));
      const auto indices = hn::IndicesFromVec(d, within);
      V out = hn::TableLookupLanes(tables[0], indices);
      for (std::size_t t = 1; t < kTables; ++t) {
        const auto later = hn::Gt(columns, hn::Set(di, static_cast<std::int32_t>(t) * kLanes - 1));
        out = hn::IfThenElse(hn::RebindMask(d, later), hn::TableLookupLanes(tables[t], indices), out);
      }
      return out;
    }

#if HWY_TARGET <= HWY_AVX3
    template <class Columns>
    HWY_INLINE V pick_two(std::size_t first, Columns columns) const {
      return V{_mm512_permutex2var_ps(tables[first].raw, columns.raw, tables[first + 1].raw)};
    }
#endif
  };

  HWY_INLINE Cells load(const float* row) const {
    const D d;
    Cells cells;
    for (std::size_t t = 0; t < kTables; ++t)
      cells.tables[t] = hn::MaskedLoad(loaded[t], d, row + t * hn::Lanes(d));
    return cells;
  }
};

// The tests of a group in registers. Lanes behind the seventh hold what follows in the group.
template <class D, bool kMissing>
struct Tests {
  hn::Vec<D> thresholds;
  hn::Vec<hn::RebindToSigned<D>> columns;
  std::uint8_t missing;

  HWY_INLINE explicit Tests(const TreeGroup& group) {
    const D d;
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::uint8_t, D> bytes;
    thresholds = hn::LoadU(d, group.thresholds.data());
    columns = hn::PromoteTo(di, hn::LoadU(bytes, group.columns.data()));
    missing = group.missing;
  }

  template <class Cells>
  HWY_INLINE std::uint8_t exit(const Cells& cells) const {
    const auto x = cells.pick(columns);
    std::uint8_t bits = first_bits(hn::Gt(x, thresholds));
    if constexpr (kMissing) bits |= first_bits(hn::IsNaN(x)) & missing;
    return kExitTable.exits[bits];
  }

  static HWY_INLINE std::uint8_t first_bits(hn::Mask<D> mask) {
    std::uint8_t bits[8];
    hn::StoreMaskBits(D(), mask, bits);
    return bits[0];
  }
};

template <class D, std::size_t kTables, bool kMissing>
void find_complete(const GroupedTree& tree, const GroupRows& rows, std::size_t count, std::uint32_t* out) {
  const RowTables<D, kTables> tables(tree.n_columns());
  const TreeGroup* groups = tree.groups();
  const Tests<D, kMissing> first(groups[0]);
  const std::int32_t steps = tree.steps();
  constexpr std::array<std::size_t, 4> n_groups{0, 1, 9, 73};
  const std::uint32_t* ends = tree.ends() - n_groups[static_cast<std::size_t>(steps)];
  const float* row = rows.cells;
  for (std::size_t i = 0; i < count; ++i, row += rows.stride) {
    const auto cells = tables.load(row);
    std::size_t at = std::size_t{1} + first.exit(cells);
    for (std::int32_t step = 1; step < steps; ++step)
      at = TreeGroup::kExits * at + 1 + Tests<D, kMissing>(groups[at]).exit(cells);
    out[i] = ends[at];
  }
}

// Rows between two steps: those that go on, and those that have ended.
struct Travellers {
  static constexpr std::size_t kRoom = kBlock + 16;  // vectors are stored whole
  HWY_ALIGN std::uint32_t exits[kRoom];  // what the last step gave: the number is in the upper 24 bits
  HWY_ALIGN std::uint32_t rows[kRoom], groups[kRoom];
  HWY_ALIGN std::uint32_t ended_rows[kRoom], ends[kRoom];
  std::size_t n_ended = 0;

  // After a step of `count` rows: how many go on.
  HWY_INLINE std::size_t settle(std::size_t count) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto is_end = hn::Set(d, 0x80000000U);
    std::size_t going = 0;
    for (std::size_t i = 0; i < count; i += lanes) {
      const auto exit = hn::Load(d, exits + i), row = hn::Load(d, rows + i);
      const auto there = hn::FirstN(d, count - i);
      const auto ended = hn::And(there, hn::TestBit(exit, is_end));
      const auto on = hn::AndNot(ended, there);
      hn::StoreU(compress(d, hn::ShiftRight<8>(exit), on), d, groups + going);
      hn::StoreU(compress(d, row, on), d, rows + going);
      going += hn::CountTrue(d, on);
      hn::StoreU(compress(d, hn::ShiftRight<9>(hn::ShiftLeft<1>(exit)), ended), d, ends + n_ended);
      hn::StoreU(compress(d, row, ended), d, ended_rows + n_ended);
      n_ended += hn::CountTrue(d, ended);
    }
    return going;
  }
};

HWY_INLINE std::uint32_t exit_word(const TreeGroup& group, std::uint8_t exit) {
  std::uint32_t word;  // from one byte before, so that the number comes out in the upper bits
  const char* bytes = reinterpret_cast<const char*>(&group) + offsetof(TreeGroup, exits) - 1;
  std::memcpy(&word, bytes + TreeGroup::kExitBytes * exit, sizeof(word));
  return word;
}

template <class D, std::size_t kTables, bool kMissing>
void find_linked(const GroupedTree& tree, const GroupRows& rows, std::size_t count, std::uint32_t* out) {
  const RowTables<D, kTables> tables(tree.n_columns());
  const TreeGroup* groups = tree.groups();
  Travellers all;
  const Tests<D, kMissing> first(groups[0]);
  for (std::size_t i = 0; i < count; ++i) {
    const auto cells = tables.load(rows.cells + static_cast<std::ptrdiff_t>(i) * rows.stride);
    all.exits[i] = exit_word(groups[0], first.exit(cells));
    all.rows[i] = static_cast<std::uint32_t>(i);
  }
  while ((count = all.settle(count)) > 0) {
    for (std::size_t i = 0; i < count; ++i) {
      const TreeGroup& group = groups[all.groups[i]];
      const auto cells = tables.load(rows.cells + static_cast<std::ptrdiff_t>(all.rows[i]) * rows.stride);
      all.exits[i] = exit_word(group, Tests<D, kMissing>(group).exit(cells));
    }
  }
  for (std::size_t i = 0; i < all.n_ended; ++i) out[all.ended_rows[i]] = all.ends[i];
}

template <class D, std::size_t kTables>
void find_by(const GroupedTree& tree, const GroupRows& rows, std::span<std::uint32_t> ends) {
  if (tree.steps() > 0) {
    (rows.missing ? find_complete<D, kTables, true>
                  : find_complete<D, kTables, false>)(tree, rows, ends.size(), ends.data());
    return;
  }
  for (std::size_t begin = 0; begin < ends.size(); begin += kBlock) {
    const GroupRows some{rows.cells + static_cast<std::ptrdiff_t>(begin) * rows.stride, rows.stride,
                         rows.missing};
    (rows.missing ? find_linked<D, kTables, true>
                  : find_linked<D, kTables, false>)(tree, some, std::min(kBlock, ends.size() - begin),
                                                    ends.data() + begin);
  }
}

// Columns up to which groups are faster than a walk: of linked and of complete trees.
constexpr std::size_t kLinkedColumns = 48;
constexpr std::size_t kCompleteColumns = HWY_TARGET <= HWY_AVX3 ? 64 : 32;

void find_groups(const GroupedTree& tree, const GroupRows& rows, std::span<std::uint32_t> ends) {
  using Eight = hn::FixedTag<float, 8>;
  const std::size_t columns = tree.n_columns();
  if (columns <= 8) return find_by<Eight, 1>(tree, rows, ends);
#if HWY_TARGET <= HWY_AVX3
  using Sixteen = hn::FixedTag<float, 16>;
  if (columns <= 16) return find_by<Sixteen, 1>(tree, rows, ends);
  if (columns <= 32) return find_by<Sixteen, 2>(tree, rows, ends);
  find_by<Sixteen, 4>(tree, rows, ends);
#else
  if (columns <= 16) return find_by<Eight, 2>(tree, rows, ends);
  if (columns <= 32) return find_by<Eight, 4>(tree, rows, ends);
  find_by<Eight, 6>(tree, rows, ends);
#endif
}

#else  // vectors that hold no seven tests

constexpr std::size_t kLinkedColumns = 0, kCompleteColumns = 0;
void find_groups(const GroupedTree&, const GroupRows&, std::span<std::uint32_t>) {}

#endif

std::size_t most_columns(bool complete) {
  return complete ? kCompleteColumns : kLinkedColumns;
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
namespace {

HWY_EXPORT(find_groups);
HWY_EXPORT(most_columns);

}  // namespace

bool GroupedTree::is_ready() const noexcept {
  return !groups_.empty() && n_columns_ <= HWY_DYNAMIC_DISPATCH(most_columns)(steps_ > 0);
}

void GroupedTree::find(const GroupRows& rows, std::span<std::uint32_t> ends) const {
  HWY_DYNAMIC_DISPATCH(find_groups)(*this, rows, ends);
}

}  // namespace bough
#endif
