// SPDX-License-Identifier: Apache-2.0
// The cheapest test on a column, and along a weighted sum.
#include "grow/tao_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "grow/row_test.hpp"

namespace bough {
namespace {

// Care rows whose codes follow one another: of one code, or of several between which no cut can be the best.
struct CodeGroup {
  std::uint32_t code = 0;  // the lowest
  std::int64_t sum = 0;
  std::uint32_t last = 0;  // the highest
};

struct CodeGroups {
  std::vector<CodeGroup> known;  // by increasing code
  std::int64_t missing = 0;
  bool has_missing = false;
};

// Sorts by code and adds up equal codes.
void join_codes(std::vector<CodeGroup>& groups) {
  std::sort(groups.begin(), groups.end(),
            [](const CodeGroup& a, const CodeGroup& b) { return a.code < b.code; });
  std::size_t n = 0;
  for (const CodeGroup& one : groups) {
    if (n > 0 && groups[n - 1].code == one.code) {
      groups[n - 1].sum += one.sum;
    } else {
      groups[n++] = one;
    }
  }
  groups.resize(n);
}

// Sums of delta per code: by a bucket for every code when these are few, else by sorting.
CodeGroups group(const CareRows& care, const EncodedColumn& column) {
  CodeGroups out;
  const auto each_known = [&](const auto& add) {
    for (const CareRow& care_row : care.rows) {
      const std::uint32_t code = column.code(care_row.row);
      if (code != kMissingCode) {
        add(code, care_row.delta);
      } else {
        out.missing += care_row.delta;
        out.has_missing = true;
      }
    }
  };
  if (column.n_codes > 4 * care.rows.size()) {
    each_known([&](std::uint32_t code, std::int64_t delta) { out.known.push_back({code, delta, code}); });
    join_codes(out.known);
    return out;
  }
  std::vector<std::int64_t> sums(column.n_codes, 0);
  std::vector<char> seen(column.n_codes, 0);
  each_known([&](std::uint32_t code, std::int64_t delta) {
    sums[code] += delta;
    seen[code] = 1;
  });
  for (std::uint32_t code = 0; code < column.n_codes; ++code)
    if (seen[code]) out.known.push_back({code, sums[code], code});
  return out;
}

// Which of the tests that send a set of known cells left is cheapest, and whether it beats the best so far.
class Judging {
 public:
  Judging(const CareRows& care, const CodeGroups& groups) : total_(care.total), groups_(groups) {}

  /// `known`: sum over the known cells that pass the test; both sides must hold rows. True: the best so far.
  bool offer(std::int64_t known, bool missing_may_pass) {
    bool won = take(known, false, false);
    won |= take(total_ - known, true, false);
    if (!groups_.has_missing || !missing_may_pass) return won;
    won |= take(known + groups_.missing, false, true);
    won |= take(total_ - known - groups_.missing, true, true);
    return won;
  }
  [[nodiscard]] bool found() const noexcept { return found_; }
  void write(TaoTest& test) const {
    test.loss = loss_;
    test.swapped = swapped_;
    test.missing_known = groups_.has_missing;
    test.candidate.missing_left = missing_left_;
    test.candidate.found = true;
  }

 private:
  bool take(std::int64_t loss, bool swapped, bool missing_left) {
    if (found_ && loss >= loss_) return false;
    found_ = true;
    loss_ = loss;
    swapped_ = swapped;
    missing_left_ = missing_left;
    return true;
  }

  std::int64_t total_;
  const CodeGroups& groups_;
  bool found_ = false;
  std::int64_t loss_ = 0;
  bool swapped_ = false;
  bool missing_left_ = false;
};

struct CodeBin {
  std::int64_t sum = 0;
  std::int64_t fall = 0;  // sum of the negative deltas
  std::int64_t rise = 0;  // sum of the positive ones
  std::uint32_t first = UINT32_MAX;
  std::uint32_t last = 0;
};

// The groups of a column of many codes without sorting all of them. Codes are put into bins; inside a bin the
// sum of delta on the left moves no further than by all falls or all rises, so only bins where that could
// reach the best cut between bins are taken apart.
CodeGroups binned_groups(const CareRows& care, const EncodedColumn& column) {
  CodeGroups out;
  int shift = 0;
  while (column.n_codes >> shift > internal_limits().bins) ++shift;
  std::vector<CodeBin> bins((column.n_codes >> shift) + std::size_t{1});
  for (const CareRow& one : care.rows) {
    const std::uint32_t code = column.code(one.row);
    if (code == kMissingCode) {
      out.missing += one.delta;
      out.has_missing = true;
      continue;
    }
    CodeBin& bin = bins[code >> shift];
    bin.sum += one.delta;
    (one.delta < 0 ? bin.fall : bin.rise) += one.delta;
    bin.first = std::min(bin.first, code);
    bin.last = std::max(bin.last, code);
  }
  const auto least = [&](std::int64_t low, std::int64_t high) {  // loss of cuts with such sums on the left
    const std::int64_t plain = std::min(low, care.total - high);
    return out.has_missing ? std::min({plain, low + out.missing, care.total - high - out.missing}) : plain;
  };
  // All rows on one side count too: a cut that loses more than no test at all is not wanted (tao.cpp).
  std::int64_t known = 0, best = INT64_MAX;
  for (const CodeBin& bin : bins) {
    known += bin.sum;
    best = std::min(best, least(known, known));
  }
  std::vector<char> open(bins.size(), 0);
  known = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    open[b] =
        bins[b].first < bins[b].last && least(known + bins[b].fall, known + bins[b].rise) <= best ? 1 : 0;
    known += bins[b].sum;
    if (!open[b] && bins[b].first != UINT32_MAX)
      out.known.push_back({bins[b].first, bins[b].sum, bins[b].last});
  }
  for (const CareRow& one : care.rows) {
    const std::uint32_t code = column.code(one.row);
    if (code != kMissingCode && open[code >> shift]) out.known.push_back({code, one.delta, code});
  }
  join_codes(out.known);
  return out;
}

std::optional<TaoTest> best_cut(const CareRows& care, const CodeGroups& groups, const EncodedColumn& column) {
  Judging judging(care, groups);
  std::int64_t known = 0;
  std::size_t best = 0;
  for (std::size_t g = 0; g < groups.known.size(); ++g) {
    const bool last = g + 1 == groups.known.size();
    known += groups.known[g].sum;
    if (last && !groups.has_missing) break;
    if (judging.offer(known, !last)) best = g;
  }
  if (!judging.found()) return std::nullopt;
  TaoTest test;
  judging.write(test);
  Candidate& c = test.candidate;
  c.kind = column.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
  c.low = column.cell(groups.known[best].last);
  c.all_known_left = best + 1 == groups.known.size();
  if (!c.all_known_left) c.high = column.cell(groups.known[best + 1].code);
  return test;
}

// One level against the rest, or all known levels against missing cells.
std::optional<TaoTest> best_equality(const CareRows& care, const CodeGroups& groups) {
  Judging judging(care, groups);
  std::size_t best = 0;
  std::int64_t known = 0;
  for (std::size_t g = 0; g < groups.known.size(); ++g) {
    known += groups.known[g].sum;
    if (groups.known.size() > 1 && judging.offer(groups.known[g].sum, true)) best = g;
  }
  const bool against_missing = groups.has_missing && !groups.known.empty() && judging.offer(known, false);
  if (!judging.found()) return std::nullopt;
  TaoTest test;
  judging.write(test);
  if (against_missing) {
    test.candidate.kind = NodeKind::subset;
    for (const CodeGroup& one : groups.known) test.candidate.left_levels.push_back(one.code);
  } else {
    test.candidate.kind = NodeKind::equality;
    test.candidate.low = groups.known[best].code;
  }
  return test;
}

// Every level goes where it loses less. Levels that lose the same on both sides join the side of more levels
// (a tie: right); the side of the lowest level is called left.
std::optional<TaoTest> best_subset(const CodeGroups& groups) {
  std::size_t n_left = 0, n_right = 0;
  for (const CodeGroup& one : groups.known) {
    n_left += one.sum < 0 ? 1 : 0;
    n_right += one.sum > 0 ? 1 : 0;
  }
  const bool even_left = n_left > n_right;
  const auto left = [&](std::int64_t sum) { return sum < 0 || (sum == 0 && even_left); };
  TaoTest test;
  std::vector<std::uint32_t> sides[2];
  for (const CodeGroup& one : groups.known) {
    sides[left(one.sum) ? 0 : 1].push_back(one.code);
    if (left(one.sum)) test.loss += one.sum;
  }
  test.missing_known = groups.has_missing;
  const bool missing_left = groups.has_missing && left(groups.missing);
  if (missing_left) test.loss += groups.missing;
  const bool any_left = !sides[0].empty() || missing_left;
  const bool any_right = !sides[1].empty() || (groups.has_missing && !missing_left);
  if (!any_left || !any_right || groups.known.empty()) return std::nullopt;
  test.swapped = sides[0].empty() || (!sides[1].empty() && sides[1].front() < sides[0].front());
  test.candidate.found = true;
  test.candidate.kind = NodeKind::subset;
  test.candidate.left_levels = std::move(sides[test.swapped ? 1 : 0]);
  test.candidate.right_levels = std::move(sides[test.swapped ? 0 : 1]);
  test.candidate.missing_left = missing_left != test.swapped;
  return test;
}

}  // namespace

std::optional<TaoTest> best_column_test(const CareRows& care, ColId id, bool equality) {
  const EncodedColumn& column = care.table->columns[static_cast<std::size_t>(id)];
  const bool binned = column.kind != Kind::category && column.n_codes > 2 * internal_limits().bins &&
                      care.rows.size() >= internal_limits().binned_rows;
  const CodeGroups groups = binned ? binned_groups(care, column) : group(care, column);
  std::optional<TaoTest> test = column.kind != Kind::category ? best_cut(care, groups, column)
                                : equality                    ? best_equality(care, groups)
                                                              : best_subset(groups);
  if (test) test->candidate.column = id;
  return test;
}

std::optional<TaoTest> best_axis_test(const CareRows& care, bool equality) {
  const std::size_t n = care.table->columns.size();
  std::vector<std::optional<TaoTest>> tests(n);
  const auto one = [&](std::size_t j) { tests[j] = best_column_test(care, static_cast<ColId>(j), equality); };
  if (n * care.rows.size() >= internal_limits().parallel_cells) {
    parallel_for(n, one);
  } else {
    for (std::size_t j = 0; j < n; ++j) one(j);
  }
  std::optional<TaoTest> best;
  for (std::optional<TaoTest>& test : tests)
    if (test && (!best || test->loss < best->loss)) best = std::move(test);
  return best;
}

std::optional<TaoTest> best_projection_test(const CareRows& care, std::vector<ObliqueTerm> terms) {
  std::vector<std::pair<double, std::int64_t>> cells;
  cells.reserve(care.rows.size());
  for (const CareRow& care_row : care.rows) {
    const double x = projection(*care.table, terms, care_row.row);
    if (!std::isfinite(x)) return std::nullopt;
    cells.emplace_back(x, care_row.delta);
  }
  std::sort(cells.begin(), cells.end());
  const CodeGroups none;
  Judging judging(care, none);
  std::int64_t known = 0;
  std::size_t best = 0;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    known += cells[i].second;
    if (cells[i].first < cells[i + 1].first && judging.offer(known, false)) best = i;
  }
  if (!judging.found()) return std::nullopt;
  TaoTest test;
  judging.write(test);
  test.terms = std::move(terms);
  test.threshold = midpoint(cells[best].first, cells[best + 1].first);
  return test;
}

}  // namespace bough
