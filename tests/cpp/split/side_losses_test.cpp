// SPDX-License-Identifier: Apache-2.0
// Losses by rows that leave a list against losses by rows that are added to a tree: the same bits.
#include "split/stats/side_losses.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace bough {
namespace {

struct Sample {
  std::vector<std::int64_t> y, weights;
  std::vector<std::uint32_t> first, order, rest;
};

// `spread` of the weights: 0 for weight 1, else from 1 to 2^spread.
Sample draw(std::mt19937_64& random, std::size_t n, int spread, int y_bits) {
  Sample sample;
  for (std::size_t i = 0; i < n; ++i) {
    const auto size = static_cast<std::int64_t>(random() >> (64 - y_bits));
    sample.y.push_back(random() % 2 == 0 ? size : -size);
    if (spread > 0)
      sample.weights.push_back(std::int64_t{1} << (random() % static_cast<std::uint64_t>(spread + 1)));
  }
  std::sort(sample.y.begin(), sample.y.end());
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  std::shuffle(all.begin(), all.end(), random);
  const std::size_t n_aside = random() % 2 == 0 ? 0 : random() % (n + 1);
  auto& aside = random() % 2 == 0 ? sample.first : sample.rest;
  aside.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_aside));
  sample.order.assign(all.begin() + static_cast<std::ptrdiff_t>(n_aside), all.end());
  return sample;
}

RankedTargets ranked(const Sample& sample, const QuantileLoss& rule, bool narrow) {
  RankedTargets targets{sample.y, sample.weights, narrow, {}};
  RankedStart& start = targets.start;
  for (std::size_t i = 0; i < sample.y.size(); ++i) start.weight += targets.weight(i);
  for (std::size_t i = 0; i < sample.y.size(); ++i)
    start.sum += static_cast<int128>(sample.y[i]) * targets.weight(i);
  while (!rule.reached(start.below_weight + targets.weight(start.at), start.weight)) {
    start.below_weight += targets.weight(start.at);
    start.below_sum += static_cast<int128>(sample.y[start.at]) * targets.weight(start.at);
    ++start.at;
  }
  return targets;
}

// Every side from nothing.
std::vector<double> by_adding(const Sample& sample, const QuantileLoss& rule) {
  std::vector<double> losses;
  LossTree tree;
  const auto weight = [&](std::uint32_t rank) { return sample.weights.empty() ? 1 : sample.weights[rank]; };
  for (std::size_t cut = 0; cut <= sample.order.size(); ++cut) {
    double sum = 0.0;
    for (const bool left : {true, false}) {
      tree.reset(sample.y.size());
      for (const std::uint32_t rank : left ? sample.first : sample.rest)
        tree.add(rank, sample.y[rank], weight(rank));
      for (std::size_t i = left ? 0 : cut; i < (left ? cut : sample.order.size()); ++i)
        tree.add(sample.order[i], sample.y[sample.order[i]], weight(sample.order[i]));
      sum += tree.loss(rule, sample.y);
    }
    losses.push_back(sum);
  }
  return losses;
}

TEST(SideLosses, are_those_of_every_side_built_from_nothing) {
  std::mt19937_64 random(3);
  SideLosses sides;
  std::vector<double> losses;
  for (int round = 0; round < 2000; ++round) {
    const double level = std::vector<double>{0.5, 0.5, 0.4, 0.1, 0.9, 1.0, 1e-9, 1.0 / 3.0}[random() % 8];
    const QuantileLoss rule{level, random() % 2 == 0 ? 2.0 : 1.0};
    const std::size_t n = 1 + random() % 40;
    const int spread = std::vector<int>{0, 0, 2, 40}[random() % 4];
    const bool small_targets = random() % 2 == 0;
    const int y_bits = small_targets ? 3 : 55 - spread;
    const Sample sample = draw(random, n, spread, y_bits);
    sides.run(rule, UnitRanks(rule, n), ranked(sample, rule, spread <= 2), sample.first, sample.order,
              sample.rest, losses);
    EXPECT_EQ(losses, by_adding(sample, rule))
        << "round " << round << ", level " << level << ", spread " << spread;
  }
}

TEST(SideLosses, long_lists_and_a_quantile_that_travels_far) {
  std::mt19937_64 random(4);
  SideLosses sides;
  std::vector<double> losses;
  const QuantileLoss rule{0.5, 2.0};
  for (const int spread : {0, 1, 30}) {
    Sample sample = draw(random, 1500, spread, 20);
    // Heavy rows at both ends that leave in turns: each takes the quantile to the other end.
    if (spread == 30) {
      for (std::size_t i = 0; i < 1500; ++i) sample.weights[i] = i < 300 || i >= 1200 ? 1 << 30 : 1;
      sample.first.clear();
      sample.rest.clear();
      sample.order.clear();
      for (std::uint32_t i = 0; i < 750; ++i) sample.order.insert(sample.order.end(), {i, 1499 - i});
    }
    sides.run(rule, UnitRanks(rule, 1500), ranked(sample, rule, spread < 30), sample.first, sample.order,
              sample.rest, losses);
    EXPECT_EQ(losses, by_adding(sample, rule)) << "spread " << spread;
  }
}

}  // namespace
}  // namespace bough
