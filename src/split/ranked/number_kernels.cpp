// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the ranked engine for targets that are numbers, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/number_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "split/ranked/ranked_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

NumberSum side_sums(const std::uint16_t* ranks, const NumberSum* rows, std::size_t n_rows,
                    std::uint32_t cut) {
  const hn::ScalableTag<std::int64_t> d;
  const hn::Rebind<std::int32_t, decltype(d)> half;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto last = hn::Set(d, std::int64_t{cut});
  auto sum = hn::Zero(d), weight = hn::Zero(d);
  for (std::size_t i = 0; i < n_rows; i += lanes) {
    const auto rank = hn::PromoteTo(d, hn::PromoteTo(half, hn::LoadU(narrow, ranks + i)));
    const auto left = hn::AndNot(hn::Gt(rank, last), hn::FirstN(d, n_rows - i));
    hn::Vec<decltype(d)> own, weights;
    hn::LoadInterleaved2(d, &rows[i].sum, own, weights);
    sum = hn::Add(sum, hn::IfThenElseZero(left, own));
    weight = hn::Add(weight, hn::IfThenElseZero(left, weights));
  }
  return {hn::GetLane(hn::SumOfLanes(d, sum)), hn::GetLane(hn::SumOfLanes(d, weight))};
}

void add_targets(const NumberColumn& in) {
  // Where positions are few, rows in turns have sums of their own, so that none waits for the one before.
  constexpr std::size_t n_turns = 4;
  const std::size_t n = in.n_positions;
  const auto add = [&](std::size_t i, NumberSum* sums) {
    NumberSum& to = sums[in.ranks[i] - in.low];
    to.sum += in.rows[i].sum;
    to.weight += in.rows[i].weight;
  };
  std::memset(in.sums, 0, n * sizeof(NumberSum));
  std::size_t i = 0;
  if (n_turns * n <= in.n_rows) {
    std::memset(in.spare, 0, (n_turns - 1) * n * sizeof(NumberSum));
    NumberSum *second = in.spare, *third = second + n, *fourth = third + n;
    for (; i + n_turns <= in.n_rows; i += n_turns) {
      add(i, in.sums);
      add(i + 1, second);
      add(i + 2, third);
      add(i + 3, fourth);
    }
    for (std::size_t p = 0; p < n; ++p) {
      in.sums[p].sum += second[p].sum + third[p].sum + fourth[p].sum;
      in.sums[p].weight += second[p].weight + third[p].weight + fourth[p].weight;
    }
  }
  for (; i < in.n_rows; ++i) add(i, in.sums);
}

void running_sums(const NumberSum* from, std::size_t n, NumberSum* to) {
  NumberSum sum{0, 0};
  for (std::size_t p = 0; p < n; ++p) {
    sum.sum += from[p].sum;
    sum.weight += from[p].weight;
    to[p] = sum;
  }
}

template <class V, class M>
HWY_INLINE V number_score(const NumberNode& node, V sum, V weight, M inside) {
  const hn::ScalableTag<double> d;
  const auto all = hn::Set(d, node.all);
  const auto difference = hn::Sub(hn::Mul(all, sum), hn::Mul(hn::Set(d, node.sum), weight));
  const auto product = hn::Mul(weight, hn::Sub(all, weight));
  const auto score = hn::Div(hn::Mul(difference, difference), product);
  return hn::IfThenElse(hn::And(hn::Gt(product, hn::Zero(d)), inside), score, hn::Set(d, -1.0));
}

// Weights below 2^32, in two halves: not every processor multiplies 64 bits.
template <class V>
HWY_INLINE V times_centre(V weight, std::int64_t centre) {
  const hn::ScalableTag<std::int64_t> d;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, hn::GetLane(weight) * centre);
#else
  const hn::Repartition<std::uint32_t, decltype(d)> halves;
  const auto low =
      hn::BitCast(halves, hn::Set(d, static_cast<std::int64_t>(static_cast<std::uint32_t>(centre))));
  const auto high = hn::BitCast(halves, hn::Set(d, centre >> 32));
  const auto w = hn::BitCast(halves, weight);
  return hn::Add(hn::BitCast(d, hn::MulEven(w, low)),
                 hn::ShiftLeft<32>(hn::BitCast(d, hn::MulEven(w, high))));
#endif
}

double number_scores(const NumberSum* sums, const NumberNode& node, std::size_t begin, std::size_t end,
                     double* scores) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  auto best = hn::Set(d, -1.0);
  for (std::size_t p = begin; p < end; p += lanes) {
    hn::Vec<decltype(di)> sum, weight;
    hn::LoadInterleaved2(di, &sums[p].sum, sum, weight);
    const auto centred = hn::Sub(sum, times_centre(weight, node.centre));
    const auto score =
        number_score(node, hn::ConvertTo(d, centred), hn::ConvertTo(d, weight), hn::FirstN(d, end - p));
    hn::StoreU(score, d, scores + p);
    best = hn::Max(best, score);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(side_sums);
HWY_EXPORT(add_targets);
HWY_EXPORT(running_sums);
HWY_EXPORT(number_scores);

NumberSum sum_side(const std::uint16_t* ranks, const NumberSum* rows, std::size_t n_rows, std::uint32_t cut) {
  return HWY_DYNAMIC_DISPATCH(side_sums)(ranks, rows, n_rows, cut);
}

void add_numbers(const NumberColumn& column) {
  HWY_DYNAMIC_DISPATCH(add_targets)(column);
}

void sum_numbers(const NumberSum* from, std::size_t n_positions, NumberSum* to) {
  HWY_DYNAMIC_DISPATCH(running_sums)(from, n_positions, to);
}

double score_numbers(const NumberSum* sums, const NumberNode& totals, std::size_t begin, std::size_t end,
                     double* scores) {
  return HWY_DYNAMIC_DISPATCH(number_scores)(sums, totals, begin, end, scores);
}

}  // namespace bough
#endif
