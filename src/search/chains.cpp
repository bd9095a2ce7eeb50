// SPDX-License-Identifier: Apache-2.0
// Chains out of columns.
//
// The search knows one kind of test, "code <= c" along a chain, whose sides grow and shrink as c moves. A column of
// numbers without missing cells is one chain; with missing cells it is two, which have them at either end. An equality is a
// chain of two codes per level, and so is a subset of few levels. Sets of many levels are no chain, and too many: levels
// are put in the order of their share of a class, one chain per class, and the model notes it.
#include "search/chains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/fixed.hpp"
#include "split/candidate.hpp"

namespace bough::search {
namespace {

constexpr std::int64_t kMostWeight = kMostCost / 4;
constexpr int kPriceBits = 16;

// Costs are weights divided by their common power of two, times one that makes the price whole.
void set_weights(const Targets& targets, double leaf_price, ChainTable& out) {
  std::uint64_t bits = 0;
  std::int64_t total = 0;
  for (const RowId row : out.rows) {
    bits |= static_cast<std::uint64_t>(targets.weight(row));
    total += targets.weight(row);
  }
  const int shift = std::countr_zero(bits);
  int lift = 0;
  while (lift <= kPriceBits && std::ldexp(leaf_price, targets.weight_exponent - shift + lift) !=
                                   std::floor(std::ldexp(leaf_price, targets.weight_exponent - shift + lift)))
    ++lift;
  if (lift > kPriceBits)
    throw Error(
        ErrorCode::not_supported,
        fmt::format("leaf_price={} is no multiple of 1/{} of the weights' unit", leaf_price, 1 << kPriceBits),
        "use a price such as 0.5, 1 or 2.25");
  if ((total >> shift) > (kMostWeight >> lift))
    throw Error(ErrorCode::not_supported,
                fmt::format("the search counts errors exactly up to {} units of weight, these rows have {}",
                            kMostWeight >> lift, total >> shift),
                "use whole weights of at most some thousands, a simpler leaf_price, or search=greedy");
  out.exponent = targets.weight_exponent - shift + lift;
  for (const RowId row : out.rows)
    out.cases.weights.push_back(static_cast<std::int32_t>((targets.weight(row) >> shift) << lift));
}

// Numbers less their mean, so that squares lose no digits to it, in units of which no sum is too large.
void set_values(const NumberTarget& target, ChainTable& out) {
  int128 sum = 0;
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    sum += static_cast<int128>(out.cases.weights[i]) * target.fixed.values[out.rows[i]];
    weight += out.cases.weights[i];
  }
  const auto mean = static_cast<std::int64_t>(sum / std::max<std::int64_t>(1, weight));
  uint128 sizes = 0;
  for (const RowId row : out.rows) sizes |= magnitude(static_cast<int128>(target.fixed.values[row]) - mean);
  const int most = std::min(48, 61 - bit_length(static_cast<uint128>(weight)));
  const int shift = std::max(0, bit_length(sizes) - most);
  const int128 half = shift == 0 ? 0 : int128{1} << (shift - 1);
  for (const RowId row : out.rows)
    out.cases.values.push_back(
        static_cast<std::int64_t>((static_cast<int128>(target.fixed.values[row]) - mean + half) >> shift));
  out.value_exponent = target.fixed.exponent - shift;
}

void add_chain(ChainTable& out, Chain chain, ChainSource source) {
  if (chain.n_codes < 2) return;
  out.cases.chains.push_back(std::move(chain));
  out.sources.push_back(source);
}

void add_ordered(ChainTable& out, const EncodedColumn& column, ColId id) {
  std::vector<std::int32_t> rank(column.n_codes, -1);
  bool missing = false;
  for (const RowId row : out.rows) {
    const std::uint32_t code = column.code(row);
    if (code == kMissingCode)
      missing = true;
    else
      rank[code] = 0;
  }
  std::int32_t n_known = 0;
  for (std::int32_t& one : rank)
    if (one == 0) one = n_known++;
  for (const bool missing_first : {false, true}) {
    if (missing_first && !missing) continue;
    Chain chain;
    chain.n_codes = n_known + (missing ? 1 : 0);
    for (const RowId row : out.rows) {
      const std::uint32_t code = column.code(row);
      const std::int32_t known = code == kMissingCode ? -1 : rank[code];
      chain.codes.push_back(missing_first ? known + 1 : known < 0 ? n_known : known);
    }
    add_chain(out, std::move(chain), {id, ChainSource::Kind::ordered});
  }
}

// Levels that occur, by index; the number of levels stands for missing cells.
std::vector<std::size_t> levels_met(const ChainTable& out, const EncodedColumn& column) {
  std::vector<char> met(column.n_codes + std::size_t{1}, 0);
  for (const RowId row : out.rows) met[std::min(column.code(row), column.n_codes)] = 1;
  std::vector<std::size_t> levels;
  for (std::size_t level = 0; level < met.size(); ++level)
    if (met[level]) levels.push_back(level);
  return levels;
}

// The code of every level along a chain of sets, the last of missing cells; -1: the level does not occur.
using LevelCodes = std::vector<std::int32_t>;

void add_sets(ChainTable& out, const EncodedColumn& column, const LevelCodes& codes, ChainSource source) {
  Chain chain;
  chain.n_codes = 1 + *std::max_element(codes.begin(), codes.end());
  for (const RowId row : out.rows) chain.codes.push_back(codes[std::min(column.code(row), column.n_codes)]);
  add_chain(out, std::move(chain), source);
}

void add_equalities(ChainTable& out, const EncodedColumn& column, ColId id,
                    const std::vector<std::size_t>& levels) {
  const bool missing = levels.back() == column.n_codes;
  for (const std::size_t level : levels) {
    const bool is_level = level != column.n_codes;
    LevelCodes codes(column.n_codes + std::size_t{1}, -1);
    for (const std::size_t other : levels) codes[other] = 1;
    codes[level] = 0;
    add_sets(out, column, codes, {id, is_level ? ChainSource::Kind::equality : ChainSource::Kind::set});
    if (!is_level || !missing || levels.size() == 2) continue;
    codes.back() = 0;  // missing cells go with the level
    add_sets(out, column, codes, {id, ChainSource::Kind::equality});
  }
}

void add_subsets(ChainTable& out, const EncodedColumn& column, ColId id,
                 const std::vector<std::size_t>& levels) {
  for (std::uint32_t set = 1; set < 1U << (levels.size() - 1); ++set) {  // the last level is never in the set
    LevelCodes codes(column.n_codes + std::size_t{1}, -1);
    for (std::size_t i = 0; i < levels.size(); ++i) codes[levels[i]] = ((set >> i) & 1U) != 0 ? 0 : 1;
    add_sets(out, column, codes, {id, ChainSource::Kind::set});
  }
}

// Levels of numbers by their means, as whole numbers of a fine unit.
void add_means(ChainTable& out, const EncodedColumn& column, ColId id,
               const std::vector<std::size_t>& levels) {
  struct Sums {
    std::int64_t weight = 0, sum = 0;
  };
  std::vector<Sums> sums(column.n_codes + std::size_t{1});
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    Sums& level = sums[std::min(column.code(out.rows[i]), column.n_codes)];
    level.weight += out.cases.weights[i];
    level.sum += out.cases.weights[i] * out.cases.values[i];
  }
  std::vector<std::size_t> order = levels;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return static_cast<int128>(sums[a].sum) * sums[b].weight <
           static_cast<int128>(sums[b].sum) * sums[a].weight;
  });
  LevelCodes codes(column.n_codes + std::size_t{1}, -1);
  for (std::size_t i = 0; i < order.size(); ++i) codes[order[i]] = static_cast<std::int32_t>(i);
  add_sets(out, column, codes, {id, ChainSource::Kind::set});
}

void add_shares(ChainTable& out, const EncodedColumn& column, ColId id,
                const std::vector<std::size_t>& levels) {
  if (!out.cases.values.empty()) return add_means(out, column, id, levels);
  const auto n_classes = static_cast<std::size_t>(out.cases.n_classes);
  std::vector<std::vector<std::int64_t>> weights(column.n_codes + std::size_t{1},
                                                 std::vector<std::int64_t>(n_classes + 1, 0));
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    std::vector<std::int64_t>& level = weights[std::min(column.code(out.rows[i]), column.n_codes)];
    level[at(out.cases.classes[i])] += out.cases.weights[i];
    level.back() += out.cases.weights[i];
  }
  for (std::size_t c = n_classes == 2 ? 1 : 0; c < n_classes; ++c) {
    std::vector<std::size_t> order = levels;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return weights[a][c] * weights[b].back() < weights[b][c] * weights[a].back();
    });
    LevelCodes codes(column.n_codes + std::size_t{1}, -1);
    for (std::size_t i = 0; i < order.size(); ++i) codes[order[i]] = static_cast<std::int32_t>(i);
    add_sets(out, column, codes, {id, ChainSource::Kind::set});
  }
}

// Turns nodes into splits, with the cases that reach them.
class Writer {
 public:
  Writer(const SmallTree& tree, const ChainTable& chains, const EncodedTable& table, const Targets& targets)
      : tree_(tree),
        chains_(chains),
        table_(table),
        builder_(targets.is_classification()
                     ? TreeBuilder(Task::classification, {targets.classes.front().n_classes})
                     : TreeBuilder(Task::regression, {1})) {}

  Tree write() {
    std::vector<std::int32_t> all(at(chains_.cases.n));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    write(0, builder_.root(), all);
    return std::move(builder_).finish();
  }

 private:
  void write(std::int32_t node, TreeBuilder::Handle handle, const std::vector<std::int32_t>& cases) {
    const TreeNode& here = tree_.nodes[at(node)];
    if (here.chain < 0) return;
    const Chain& chain = chains_.cases.chains[at(here.chain)];
    std::vector<std::int32_t> sides[2];
    for (const std::int32_t i : cases) sides[chain.codes[at(i)] <= here.code ? 0 : 1].push_back(i);
    bool swapped = false;
    const Split split = split_of(chains_.sources[at(here.chain)], sides, swapped);
    const TreeBuilder::Handle first = builder_.split(handle, split, 2);
    write(here.left, swapped ? first + 1 : first, sides[0]);
    write(here.right, swapped ? first : first + 1, sides[1]);
  }

  Split split_of(const ChainSource& source, const std::vector<std::int32_t> (&sides)[2],
                 bool& swapped) const {
    const EncodedColumn& column = table_.columns[at(source.column)];
    Candidate candidate;
    candidate.found = true;
    candidate.column = source.column;
    bool missing[2] = {false, false};
    std::vector<std::uint32_t> codes[2];  // known ones, increasing
    std::int64_t weight[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
      for (const std::int32_t i : sides[side]) {
        const std::uint32_t code = column.code(chains_.rows[at(i)]);
        weight[side] += chains_.cases.weights[at(i)];
        if (code == kMissingCode)
          missing[side] = true;
        else
          codes[side].push_back(code);
      }
      std::sort(codes[side].begin(), codes[side].end());
      codes[side].erase(std::unique(codes[side].begin(), codes[side].end()), codes[side].end());
    }
    // Known cells against missing ones are on the left; so is the lowest level of a subset.
    const bool ordered = source.kind == ChainSource::Kind::ordered;
    const bool equality =
        source.kind == ChainSource::Kind::equality && codes[0].size() == 1 && !codes[1].empty();
    swapped = codes[0].empty();
    if (!ordered && !equality && !swapped) swapped = !codes[1].empty() && codes[1].front() < codes[0].front();
    const int left = swapped ? 1 : 0;
    candidate.missing_left = missing[left];
    if (ordered) {
      candidate.kind = column.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
      candidate.low = column.cell(codes[left].back());
      candidate.all_known_left = codes[1 - left].empty();
      if (!candidate.all_known_left) candidate.high = column.cell(codes[1 - left].front());
    } else if (equality) {
      candidate.kind = NodeKind::equality;
      candidate.low = codes[left].front();
    } else {
      candidate.kind = NodeKind::subset;
      candidate.left_levels = std::move(codes[left]);
      candidate.right_levels = std::move(codes[1 - left]);
    }
    return to_split(candidate, column.n_codes, missing[0] || missing[1], weight[left] > weight[1 - left]);
  }

  const SmallTree& tree_;
  const ChainTable& chains_;
  const EncodedTable& table_;
  TreeBuilder builder_;
};

}  // namespace

ChainTable make_chains(const EncodedTable& table, const Targets& targets, const ChainOptions& options) {
  ChainTable out;
  out.rows = targets.rows;
  out.cases.n = static_cast<std::int32_t>(out.rows.size());
  if (targets.is_classification()) {
    const ClassTarget& target = targets.classes.front();
    out.cases.n_classes = static_cast<std::int32_t>(target.n_classes);
    for (const RowId row : out.rows)
      out.cases.classes.push_back(static_cast<std::int32_t>(target.codes[row]));
    set_weights(targets, options.leaf_price, out);
  } else {
    out.cases.n_classes = 1;
    out.cases.classes.assign(out.rows.size(), 0);
    set_weights(targets, 0.0, out);
    set_values(targets.numbers.front(), out);
  }
  std::vector<std::string> by_shares;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const EncodedColumn& column = table.columns[j];
    const auto id = static_cast<ColId>(j);
    if (column.kind != Kind::category) {
      add_ordered(out, column, id);
      continue;
    }
    const std::vector<std::size_t> levels = levels_met(out, column);
    if (levels.size() < 2) continue;
    if (options.equality) {
      add_equalities(out, column, id, levels);
    } else if (levels.size() <= kAllSubsets) {
      add_subsets(out, column, id, levels);
    } else {
      add_shares(out, column, id, levels);
      by_shares.push_back(fmt::format("'{}' ({})", options.names[j], levels.size()));
    }
  }
  if (!by_shares.empty())
    out.notes.push_back(fmt::format(
        "categories of many values were searched in the order of their {}, not in all subsets: {}",
        targets.is_classification() ? "class shares" : "means", fmt::join(by_shares, ", ")));
  out.cases.finish();
  return out;
}

Cost price_of(const ChainTable& table, double leaf_price) {
  const double price = std::ldexp(leaf_price, table.exponent);
  if (price >= static_cast<double>(kMostWeight))
    throw Error(ErrorCode::bad_params, fmt::format("leaf_price={} is more than all errors", leaf_price),
                "use a price below the weight of the rows");
  return static_cast<Cost>(price);
}

Tree to_tree(const SmallTree& tree, const ChainTable& chains, const EncodedTable& table,
             const Targets& targets) {
  return Writer(tree, chains, table, targets).write();
}

}  // namespace bough::search
