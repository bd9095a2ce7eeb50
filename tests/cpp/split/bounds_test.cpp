// SPDX-License-Identifier: Apache-2.0
// Scores and bounds of every histogram layout against the exact scores of all parts of a bucket.
//
// A cut inside a bucket puts some of its rows left, whatever the order of their values; so the bound must
// reach the exact score of every subset. Buckets are small enough to try them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "split/histogram/number_sums.hpp"
#include "split/row_partition.hpp"
#include "split/stats/quick_score.hpp"

namespace bough {
namespace {

constexpr std::size_t kColumns = 1;

// Rows in few buckets of one column, with targets and weights as the layouts get them.
struct Rig {
  CodedTable table;
  Targets targets;
  std::vector<std::uint8_t> codes;
  std::size_t width = kBuckets;  // the last bucket is for missing cells
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Rig make(CriterionId criterion, std::size_t n_outputs, bool weighted, std::uint32_t n_classes) {
    Rig rig;
    const bool missing = below(2) == 0;
    rig.width = below(2) == 0 ? kBuckets : 2 + static_cast<std::size_t>(below(30));
    const int n_buckets = 1 + below(5), last = static_cast<int>(rig.width) - 2;
    std::vector<std::uint8_t> used;
    for (int b = 0; b < n_buckets; ++b)
      used.push_back(static_cast<std::uint8_t>(below(4) == 0 ? last * below(2) : below(last + 1)));
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    if (missing) used.push_back(static_cast<std::uint8_t>(rig.width - 1));
    for (const std::uint8_t code : used) {
      const int rows = 1 + below(7);
      for (int i = 0; i < rows; ++i) rig.codes.push_back(code);
    }
    fill_table(rig);
    const std::size_t n = rig.codes.size();
    for (std::size_t o = 0; o < n_outputs; ++o) {
      if (criterion_info(criterion).family == Family::classes) {
        ClassTarget target;
        target.n_classes = n_classes;
        const int live = 1 + below(static_cast<int>(n_classes));
        for (std::size_t i = 0; i < n; ++i) target.codes.push_back(static_cast<std::uint32_t>(below(live)));
        rig.targets.classes.push_back(std::move(target));
      } else {
        rig.targets.numbers.push_back(numbers(n, criterion == CriterionId::poisson));
      }
    }
    std::vector<double> weights;
    if (weighted) {
      const int style = below(5);
      for (std::size_t i = 0; i < n; ++i) weights.push_back(weight(style));
    }
    to_fixed_point(rig.targets, weights, static_cast<std::int64_t>(n));
    return rig;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  double weight(int style) {
    switch (style) {
      case 0:
        return 1 + below(4);
      case 1:
        return 0.1 + unit();
      case 2:
        return std::ldexp(1.0 + unit(), below(36) - 18);
      case 3:
        return below(6) == 0 ? 1e8 * unit() + 1 : 1e-3 + unit() * 1e-3;
      default:
        return 1e6 + below(3);
    }
  }

  NumberTarget numbers(std::size_t n, bool counts) {
    NumberTarget target;
    const int style = below(6);
    for (std::size_t i = 0; i < n; ++i) {
      double y = 0.0;
      switch (style) {
        case 0:
          y = unit() - 0.5;
          break;
        case 1:
          y = below(3);
          break;
        case 2:
          y = std::ldexp(unit() - 0.5, below(60));
          break;
        case 3:
          y = 1e6 + below(4) * 1e-9;
          break;
        case 4:
          y = below(8) == 0 ? 1e9 : unit();
          break;
        default:
          y = below(5) == 0 ? 1.0 : 0.0;
          break;
      }
      target.raw.push_back(counts ? std::floor(std::fabs(y) * 4) : y);
    }
    if (counts) target.raw[0] = 1.0;
    return target;
  }

  static void fill_table(Rig& rig) {
    const std::size_t n = rig.codes.size();
    rig.table.n_rows = static_cast<std::int64_t>(n);
    rig.table.columns.resize(kColumns);
    rig.table.columns[0].n_buckets = static_cast<std::uint32_t>(rig.width);
    rig.table.slot_begins = {0, static_cast<std::uint32_t>(rig.width)};
    rig.table.row_stride = 16;
    rig.table.column_stride = 64 * ((n + 63) / 64);
    rig.table.by_row = Buffer<std::uint8_t>(rig.table.row_stride * (n + 16));
    rig.table.by_column = Buffer<std::uint8_t>(rig.table.column_stride);
    for (std::size_t i = 0; i < n; ++i) {
      rig.table.by_row[i * rig.table.row_stride] = rig.codes[i];
      rig.table.by_row[(i + 1) * rig.table.row_stride - 1] = 0;
      rig.table.by_column[i] = rig.codes[i];
    }
  }

  std::mt19937_64 random_;
};

template <class Node>
double scale_of(CriterionId criterion, const Node& node) {
  if constexpr (requires { node.counts; }) {
    return static_cast<double>(node.weight);
  } else {
    if (criterion != CriterionId::poisson) return static_cast<double>(node.totals[0].weight);
    double scale = 0.0;
    for (const auto& total : node.totals) scale += static_cast<double>(total.sum);
    return scale;
  }
}

template <class Layout, class FamilyT>
class Checker {
 public:
  Checker(Rig& rig, CriterionId criterion)
      : rig_(rig),
        criterion_(criterion),
        family_(rig.targets, criterion),
        layout_(prepared(rig), rig.targets) {
    node_ = family_.node(rig.targets.rows);
    histogram_.resize(rig.width * layout_.words());
    layout_.add_rows(rig.targets.rows, histogram_);
  }

  // What is wrong, or nothing.
  std::string run() {
    if (node_.pure) return {};
    typename FamilyT::Node missing = family_.node({});
    layout_.add_bucket(histogram_.data(), missing_bucket(), missing);
    const bool any_missing = layout_.n_rows(histogram_.data() + missing_bucket() * layout_.words()) > 0;
    for (const bool left : {false, true}) {
      if (left && !any_missing) continue;
      ColumnCurves curves;
      curves.curve.n_buckets = rig_.width;
      layout_.curves(histogram_.data(), node_, curves);
      layout_.score(criterion_, histogram_.data(), curves, node_, left ? &missing : nullptr, scores_);
      for (std::size_t b = 0; b < missing_bucket(); ++b) {
        const std::string wrong = check_bucket(b, left);
        if (!wrong.empty()) return wrong + (left ? ", missing left" : "");
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t missing_bucket() const { return rig_.width - 1; }

  static const CodedTable& prepared(Rig& rig) {
    for (std::size_t i = 0; i < rig.codes.size() && rig.targets.is_classification(); ++i)
      rig.table.by_row[(i + 1) * rig.table.row_stride - 1] =
          static_cast<std::uint8_t>(rig.targets.classes[0].codes[i]);
    return rig.table;
  }

  std::string check_bucket(std::size_t bucket, bool missing_left) {
    std::vector<RowId> before, inside;
    for (const RowId row : rig_.targets.rows) {
      if (rig_.codes[row] < bucket || (missing_left && rig_.codes[row] == missing_bucket()))
        before.push_back(row);
      if (rig_.codes[row] == bucket) inside.push_back(row);
    }
    if (inside.empty()) return {};
    typename FamilyT::Sweep sweep(family_, node_);
    for (std::size_t part = 0; part < std::size_t{1} << inside.size(); ++part) {
      sweep.begin(before, {}, {});
      for (std::size_t i = 0; i < inside.size(); ++i)
        if (part >> i & 1) sweep.move(inside[i]);
      if (!sweep.allowed()) continue;
      const double exact = sweep.score(), slack = curve_slack(criterion_, scale_of(criterion_, node_), exact);
      const bool whole = part + 1 == std::size_t{1} << inside.size();
      if (whole && !(std::fabs(scores_.score[bucket] - exact) <= slack / 2))
        return words("score", bucket, scores_.score[bucket], exact, slack);
      if (part > 0 && !whole && !(scores_.bound[bucket] >= exact - slack))
        return words("bound", bucket, scores_.bound[bucket], exact, slack);
    }
    return {};
  }

  static std::string words(const char* what, std::size_t bucket, double value, double exact, double slack) {
    std::ostringstream out;
    out.precision(17);
    out << what << " of bucket " << bucket << " is " << value << ", exact " << exact << ", slack " << slack;
    return out.str();
  }

  Rig& rig_;
  CriterionId criterion_;
  FamilyT family_;
  Layout layout_;
  typename FamilyT::Node node_;
  std::vector<typename Layout::Word> histogram_;
  CurveScores scores_;
};

#if defined(BOUGH_CHECKED)
constexpr std::uint64_t kRounds = 150;
#else
constexpr std::uint64_t kRounds = 1000;
#endif

template <class Layout>
void check_classes(std::size_t n_outputs, bool weighted, std::uint32_t n_classes) {
  for (const CriterionId criterion :
       {CriterionId::gini, CriterionId::entropy, CriterionId::misclassification, CriterionId::hellinger})
    for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
      Rig rig = Maker(seed).make(criterion, n_outputs, weighted, n_classes);
      const std::string wrong = Checker<Layout, ClassFamily>(rig, criterion).run();
      ASSERT_EQ(wrong, "") << criterion_info(criterion).name << ", seed " << seed;
    }
}

template <class Layout>
void check_numbers(std::size_t n_outputs, bool weighted) {
  for (const CriterionId criterion : {CriterionId::squared_error, CriterionId::poisson})
    for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
      Rig rig = Maker(seed).make(criterion, n_outputs, weighted, 0);
      if constexpr (requires { Layout::fits(rig.targets); })
        if (!Layout::fits(rig.targets)) continue;
      const std::string wrong = Checker<Layout, MomentFamily>(rig, criterion).run();
      ASSERT_EQ(wrong, "") << criterion_info(criterion).name << ", seed " << seed;
    }
}

TEST(Bounds, two_classes_in_one_word) {
  check_classes<PackedTwoClass>(1, false, 2);
}
TEST(Bounds, counts_of_classes) {
  check_classes<Classes<std::uint32_t>>(1, false, 3);
  check_classes<Classes<std::uint32_t>>(1, false, 7);
}
TEST(Bounds, weights_of_classes) {
  check_classes<Classes<std::int64_t>>(1, true, 2);
  check_classes<Classes<std::int64_t>>(1, true, 4);
}
TEST(Bounds, several_class_targets) {
  check_classes<Classes<std::int64_t>>(3, false, 2);
  check_classes<Classes<std::int64_t>>(2, false, 4);
  check_classes<Classes<std::int64_t>>(2, true, 2);
  check_classes<Classes<std::int64_t>>(3, true, 3);
}
TEST(Bounds, numbers) {
  check_numbers<Sums>(1, false);
}
TEST(Bounds, weighted_numbers) {
  check_numbers<NumberSums<std::int64_t>>(1, true);
  check_numbers<NumberSums<int128>>(1, true);
}
TEST(Bounds, several_number_targets) {
  check_numbers<NumberSums<std::int64_t>>(3, false);
  check_numbers<NumberSums<int128>>(2, false);
  check_numbers<NumberSums<int128>>(3, true);
}

// y in buckets of their own or shared, as the kernels get them: both sides of every boundary, and each bucket.
CurveScores scores_of(CriterionId criterion, const std::vector<std::vector<double>>& buckets) {
  SideCurves sides{};
  sides.n_buckets = buckets.size();
  SideFrame frame;
  for (std::size_t b = 0; b < padded(buckets.size()); ++b) {
    for (const double y : b < buckets.size() ? buckets[b] : std::vector<double>()) {
      sides.n[b] += 1.0;
      sides.sum[b] += y;
      sides.squares[b] += y * y;
    }
    frame.n = sides.left_n[b + 1] = sides.left_n[b] + sides.n[b];
    frame.sum = sides.left_sum[b + 1] = sides.left_sum[b] + sides.sum[b];
  }
  for (std::size_t b = 0; b <= padded(buckets.size()); ++b) {
    sides.right_n[b] = frame.n - sides.left_n[b];
    sides.right_sum[b] = frame.sum - sides.left_sum[b];
  }
  CurveScores out{};
  add_side_scores(criterion, sides, frame, out);
  return out;
}

// Bounds that hold may still be useless. Rows alone in their bucket: 0, 1, 2, 3 about 1.5. The boundaries
// score 3 (0 | 2), 4 (0.5 | 2.5) and 3. With all rows of the bucket apart, bucket 0 can score 2.25 + 1.5^2/3
// = 3 at most; bucket 1 2.25 + 0.25 + 2^2/2 = 4.5, but its slab has no width and the ends 3 and 4.
TEST(BoundsAreTight, squared_error_takes_the_smaller_bound) {
  const CurveScores single = scores_of(CriterionId::squared_error, {{0}, {1}, {2}, {3}});
  const double scores[] = {3, 4, 3, 0}, bounds[] = {3, 4, 4, 3};
  for (std::size_t b = 0; b < 4; ++b) {
    EXPECT_NEAR(single.score[b], scores[b], 1e-12) << b;
    EXPECT_NEAR(single.bound[b], bounds[b], 1e-7) << b;
  }
  // 0, 2 | 4, 6 about 3: 3^2 + 1^2 inside a bucket and 2 * 2^2 for the other.
  const CurveScores shared = scores_of(CriterionId::squared_error, {{0, 2}, {4, 6}});
  EXPECT_NEAR(shared.bound[0], 18.0, 1e-7);
  EXPECT_NEAR(shared.bound[1], 18.0, 1e-7);
}

// 1, 3, 6, 10 about 5: the first and the last bucket have no finite corner, but their row alone gains y log(y
// / 5), beside the rest of the rows together: 19/3 or 10/3 on average.
TEST(BoundsAreTight, poisson_takes_the_smaller_bound) {
  const CurveScores single = scores_of(CriterionId::poisson, {{1}, {3}, {6}, {10}});
  EXPECT_NEAR(single.bound[0], std::log(1.0 / 5) + 19 * std::log(19.0 / 15), 1e-7);
  EXPECT_NEAR(single.bound[3], 10 * std::log(10.0 / 15) + 10 * std::log(10.0 / 5), 1e-7);
}

// Sums n and s on the left, m and r on the right. The quick score is that of the definition, and what takes
// no logarithm is not below it, nor far above where both means are near the mean of all: for x from 0.8
// to 1.25, (x - 1) / sqrt x and 2 (x - 1) / (x + 1) are within 0.001 of log x.
TEST(QuickScores, poisson_without_a_logarithm_is_an_upper_bound) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double n = 1.0 + static_cast<double>(random() % 50), m = 1.0 + static_cast<double>(random() % 50);
    const double s = 1.0 + static_cast<double>(random() % 300), r = 1.0 + static_cast<double>(random() % 300);
    const double mean = (s + r) / (n + m), centre = i % 2 == 0 ? 0.0 : 3.0;
    const double exact = s * std::log(s / n / mean) + r * std::log(r / m / mean);
    const QuickMoments quick(CriterionId::poisson, n + m, s + r - centre * (n + m), centre);
    const double found = quick(n, s - centre * n, m, r - centre * m);
    const double most = quick.at_most(n, s - centre * n, m, r - centre * m);
    EXPECT_NEAR(found, exact, 1e-10 * (s + r));
    EXPECT_GE(most, exact);
    const double low = std::min(s / n, r / m) / mean, high = std::max(s / n, r / m) / mean;
    if (low > 0.8 && high < 1.25) {
      EXPECT_LE(most, exact + 0.002 * (s + r));
    }
  }
}

// y = 1, 5 with the weights 3, 2 around 2: 3 * 1 + 2 * 3 = 9; plain 3 * 1 + 2 * 5 = 13.
TEST(Bounds, what_weighted_sums_can_reach) {
  Targets targets;
  targets.numbers.emplace_back().raw = {1, 5};
  to_fixed_point(targets, std::vector<double>{3, 2}, 2);
  const int unit = targets.numbers[0].fixed.exponent;
  const auto [around, plain] = NumberSums<std::int64_t>::reach(targets, 0, to_fixed(2.0, unit));
  EXPECT_EQ(std::ldexp(static_cast<double>(around), -unit), 9.0);
  EXPECT_EQ(std::ldexp(static_cast<double>(plain), -unit), 13.0);
}

struct ScaledNode {
  std::vector<Moments> totals;
};

TEST(Bounds, scores_are_measured_by_weight_or_for_poisson_by_sums) {
  const ScaledNode one{{{6, 4}}}, two{{{6, 4}, {9, 4}}};
  EXPECT_EQ(score_scale(one, CriterionId::squared_error), 4.0);
  EXPECT_EQ(score_scale(two, CriterionId::squared_error), 4.0);
  EXPECT_EQ(score_scale(one, CriterionId::poisson), 6.0);
  EXPECT_EQ(score_scale(two, CriterionId::poisson), 15.0);
}

// Left rows in their order, then the others in theirs; a part for each thread when there are many.
TEST(RowPartition, keeps_the_order_of_both_sides) {
  for (const std::size_t n : {0U, 1U, 1000U, 32769U, 100000U})
    for (const std::uint32_t every : {2U, 7U, 200000U}) {
      std::vector<RowId> rows, scratch(n);
      for (std::size_t i = 0; i < n; ++i) rows.push_back(static_cast<RowId>((i * 7919) % 100003));
      const auto left = [&](RowId row) { return row % every == 1; };
      std::vector<RowId> wanted = rows;
      const auto middle = std::stable_partition(wanted.begin(), wanted.end(), left);
      const std::size_t found = partition_rows(std::span(rows), std::span(scratch), left);
      EXPECT_EQ(found, static_cast<std::size_t>(middle - wanted.begin())) << n << ' ' << every;
      EXPECT_TRUE(rows == wanted) << n << ' ' << every;
    }
}

}  // namespace
}  // namespace bough
