// SPDX-License-Identifier: Apache-2.0
// AUC, KS and lift of rankings that can be counted by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "inference/scores.hpp"

namespace bough {
namespace {

std::vector<ScoreGroup> groups(const std::vector<double>& scores, const std::vector<int>& positive,
                               const std::vector<double>& weights = {}) {
  std::vector<RankedRow> rows;
  for (std::size_t i = 0; i < scores.size(); ++i)
    rows.push_back({scores[i], weights.empty() ? 1.0 : weights[i], positive[i] == 1});
  return group_scores(std::move(rows));
}

TEST(Ranking, auc_counts_the_pairs_that_stand_right) {
  // Positives 0.9 0.4, negatives 0.6 0.1: 0.9 beats both, 0.4 beats one of two: 3 of 4 pairs.
  EXPECT_EQ(area_under_curve(groups({0.9, 0.6, 0.4, 0.1}, {1, 0, 1, 0})), 0.75);
  EXPECT_EQ(area_under_curve(groups({0.9, 0.8, 0.2, 0.1}, {1, 1, 0, 0})), 1.0);
  EXPECT_EQ(area_under_curve(groups({0.9, 0.8, 0.2, 0.1}, {0, 0, 1, 1})), 0.0);
}

TEST(Ranking, a_tie_counts_half) {
  EXPECT_EQ(area_under_curve(groups({0.5, 0.5, 0.5}, {1, 0, 0})), 0.5);
  // Positive 0.5 against negatives 0.5 (half) and 0.2 (won): 1.5 of 2 pairs.
  EXPECT_EQ(area_under_curve(groups({0.5, 0.5, 0.2}, {1, 0, 0})), 0.75);
}

TEST(Ranking, a_weight_of_two_is_the_row_twice_and_zero_is_no_row) {
  const std::vector<ScoreGroup> heavy = groups({0.9, 0.6, 0.4, 0.3}, {1, 0, 1, 0}, {1, 2, 1, 0});
  const std::vector<ScoreGroup> twice = groups({0.9, 0.6, 0.6, 0.4}, {1, 0, 0, 1});
  EXPECT_EQ(heavy.size(), 3U);
  EXPECT_EQ(area_under_curve(heavy), area_under_curve(twice));
  EXPECT_EQ(ks_distance(heavy), ks_distance(twice));
}

TEST(Ranking, one_side_alone_has_no_score) {
  EXPECT_EQ(area_under_curve(groups({0.9, 0.6}, {1, 1})), std::nullopt);
  EXPECT_EQ(ks_distance(groups({0.9, 0.6}, {0, 0})), std::nullopt);
  EXPECT_EQ(area_under_curve(groups({0.9, 0.6}, {1, 0}, {1, 0})), std::nullopt);
  EXPECT_TRUE(lift_table(groups({0.9, 0.6}, {0, 0})).empty());
}

TEST(Ranking, ks_is_the_largest_gap_of_the_two_distributions) {
  // From the top: after 0.9 positives 1/2 negatives 0; after 0.6: 1/2, 1/2; after 0.4: 1, 1/2.
  EXPECT_EQ(ks_distance(groups({0.9, 0.6, 0.4, 0.1}, {1, 0, 1, 0})), 0.5);
  EXPECT_EQ(ks_distance(groups({0.9, 0.8, 0.2, 0.1}, {0, 0, 1, 1})), 1.0);
  EXPECT_EQ(ks_distance(groups({0.5, 0.5}, {1, 0})), 0.0);
}

TEST(Ranking, lift_compares_each_tenth_with_the_whole) {
  // 20 rows of falling score, the first 4 positive: tenths 1 and 2 hold only positives; overall share 1/5.
  std::vector<double> scores;
  std::vector<int> positive;
  for (int i = 0; i < 20; ++i) {
    scores.push_back(1.0 - i / 20.0);
    positive.push_back(i < 4 ? 1 : 0);
  }
  const std::vector<LiftDecile> table = lift_table(groups(scores, positive));
  ASSERT_EQ(table.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(table[i].decile, static_cast<int>(i) + 1);
    EXPECT_DOUBLE_EQ(table[i].rows, 2.0);
    EXPECT_DOUBLE_EQ(table[i].response, i < 2 ? 1.0 : 0.0);
    EXPECT_DOUBLE_EQ(table[i].lift, i < 2 ? 5.0 : 0.0);
  }
}

TEST(Ranking, rows_of_equal_score_share_their_tenths_whatever_their_order) {
  // 4 rows score 0.8 (3 positive), 6 score 0.2 (none): tenths 1 to 4 respond 3/4, the others 0.
  const std::vector<double> scores{0.8, 0.8, 0.8, 0.8, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
  std::vector<int> positive{1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<LiftDecile> first = lift_table(groups(scores, positive));
  std::swap(positive[0], positive[3]);
  const std::vector<LiftDecile> second = lift_table(groups(scores, positive));
  double captured = 0.0;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(first[i].response, i < 4 ? 0.75 : 0.0);
    EXPECT_DOUBLE_EQ(first[i].lift, i < 4 ? 2.5 : 0.0);
    EXPECT_EQ(first[i].response, second[i].response);
    captured += first[i].rows * first[i].response;
  }
  EXPECT_DOUBLE_EQ(captured, 3.0);
}

TEST(Ranking, few_rows_still_fill_ten_tenths) {
  // 3 rows: every tenth holds 0.3 rows; the first positive row spans tenths 1 to 3 and a third of tenth 4.
  const std::vector<LiftDecile> table = lift_table(groups({0.9, 0.5, 0.1}, {1, 0, 0}));
  ASSERT_EQ(table.size(), 10U);
  EXPECT_NEAR(table[0].response, 1.0, 1e-12);
  EXPECT_NEAR(table[2].response, 1.0, 1e-12);
  EXPECT_NEAR(table[3].response, 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(table[4].response, 0.0, 1e-12);
}

}  // namespace
}  // namespace bough
