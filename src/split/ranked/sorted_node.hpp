// SPDX-License-Identifier: Apache-2.0
// The targets of a node of a sorted tile. For sorted_tile.cpp, which includes it once per instruction set.
#if defined(BOUGH_SPLIT_SORTED_NODE) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_SORTED_NODE
#undef BOUGH_SPLIT_SORTED_NODE
#else
#define BOUGH_SPLIT_SORTED_NODE
#endif

#include "criterion/squared_error.hpp"
#include "split/ranked/sorted_lanes.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {

constexpr std::size_t kFew = 16;  // rows of nodes whose targets are brought together: two vectors

class TileNode {
 protected:
  explicit TileNode(const SortedTileTargets& targets) : targets_(targets) {}

  // Takes the rows of a node; false when their targets are all the same.
  bool enter(std::uint32_t n) {
    n_here_ = n;
    centre_ = 0;
    if (!(n == 2 ? enter_pair() : n <= kFew ? enter_few() : enter_many())) return false;
    sum_ = static_cast<double>(whole_sum_);
    all_ = static_cast<double>(whole_all_);
    return true;
  }
  void find_centre() {
    centre_ = whole_sum_ / whole_all_;
    whole_sum_ -= centre_ * whole_all_;
  }
  bool enter_pair() {
    const std::size_t a = first_of(here_), b = last_of(here_);
    const std::int64_t y[] = {targets_.targets[a], targets_.targets[b]};
    if (y[0] == y[1]) return false;
    pair_weights_[0] = targets_.weights[a];
    pair_weights_[1] = targets_.weights[b];
    whole_all_ = pair_weights_[0] + pair_weights_[1];
    whole_sum_ = y[0] * pair_weights_[0] + y[1] * pair_weights_[1];
    if (!targets_.exact) find_centre();
    for (std::size_t i = 0; i < 2; ++i) pair_targets_[i] = (y[i] - centre_) * pair_weights_[i];
    return true;
  }
  bool enter_few() {
    const __m128i rows = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(here_, hn::Iota(Bytes(), 0).raw));
    const std::uint32_t inside = (1U << n_here_) - 1;
    const auto first = _mm512_set1_epi64(targets_.targets[first_of(here_)]);
    const std::size_t n_vectors = n_here_ > 8 ? 2 : 1;
    const __m512i at[] = {_mm512_cvtepu8_epi64(rows), _mm512_cvtepu8_epi64(_mm_bsrli_si128(rows, 8))};
    std::uint32_t differs = 0;
    VWhole sum = hn::Zero(Whole()), all = sum;
    for (std::size_t k = 0; k < n_vectors; ++k) {
      const auto own = static_cast<__mmask8>(inside >> (8 * k));
      __m512i y = _mm512_mask_i64gather_epi64(sum.raw, own, at[k], targets_.targets, 8);
      differs |= _mm512_mask_cmpneq_epi64_mask(own, y, first);
      if (!targets_.unit_weights) {
        const __m512i w = _mm512_mask_i64gather_epi64(hn::Zero(Whole()).raw, own, at[k], targets_.weights, 8);
        few_weights_[k] = VWhole{w};
        all = hn::Add(all, few_weights_[k]);
        y = _mm512_mullo_epi64(y, w);
      }
      few_targets_[k] = VWhole{_mm512_maskz_mov_epi64(own, y)};
      sum = hn::Add(sum, few_targets_[k]);
    }
    if (differs == 0) return false;
    whole_sum_ = _mm512_reduce_add_epi64(sum.raw);
    whole_all_ =
        targets_.unit_weights ? static_cast<std::int64_t>(n_here_) : _mm512_reduce_add_epi64(all.raw);
    if (targets_.exact) return true;
    find_centre();
    const __m512i centre = _mm512_set1_epi64(centre_);
    for (std::size_t k = 0; k < n_vectors; ++k)
      few_targets_[k] = VWhole{
          _mm512_sub_epi64(few_targets_[k].raw,
                           targets_.unit_weights ? centre : _mm512_mullo_epi64(centre, few_weights_[k].raw))};
    return true;
  }
  bool enter_many() {
    const std::int64_t first = targets_.targets[first_of(here_)];
    std::int64_t differs = 0;
    whole_sum_ = whole_all_ = 0;
    for (std::uint64_t rest = here_; rest != 0; rest &= rest - 1) {
      const std::size_t i = first_of(rest);
      differs |= targets_.targets[i] ^ first;
      whole_sum_ += targets_.targets[i] * targets_.weights[i];
      whole_all_ += targets_.weights[i];
    }
    if (differs == 0) return false;
    if (!targets_.exact) find_centre();
    return true;
  }

  // As the criterion has it, of a left side.
  [[nodiscard]] double score_of(std::int64_t sum, std::int64_t weight) const {
    if (targets_.exact) {
      const double left = static_cast<double>(weight), d = all_ * static_cast<double>(sum) - sum_ * left;
      return targets_.unit.times(d / (left * (all_ - left)) * d / all_);
    }
    ParentMoments parent;
    parent.sum = whole_sum_;
    parent.weight = whole_all_;
    return targets_.unit.times(
        SquaredError::score(parent, Moments{sum, weight}, Moments{whole_sum_ - sum, whole_all_ - weight}));
  }

  const SortedTileTargets& targets_;
  std::uint64_t here_ = 0;  // rows
  std::size_t n_here_ = 0;
  std::int64_t centre_ = 0, whole_sum_ = 0, whole_all_ = 0;  // sums are less the centre
  double sum_ = 0.0, all_ = 0.0;
  // Targets times weights, less the centre, and weights: of a pair, and of at most kFew rows (weights that are all 1 are left out).
  std::int64_t pair_targets_[2], pair_weights_[2];
  VWhole few_targets_[2], few_weights_[2];
};

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
