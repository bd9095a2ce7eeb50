// SPDX-License-Identifier: Apache-2.0
// C4.5rules, second part: which rules of a class are worth their length.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "rules/bits.hpp"

namespace bough {

/// log2 of n over k for real n >= k >= 0, the same bits everywhere.
double log2_binomial(double n, double k) noexcept;
/// log2(n!) for real n >= 0.
double log2_factorial(double n) noexcept;

/// Bits that name `errors` wrong rows among `n`.
double exception_bits(double n, double errors) noexcept;

/// The candidates of one class.
struct SubsetTask {
  std::vector<const Bits*> covered;  ///< rows of every rule
  std::vector<double> bits;          ///< length of every rule
  const Bits* of_class = nullptr;
  std::size_t n_rows = 0;
  double theory_weight = 0.5;
  std::function<void()> tick{};  ///< called now and then, when there is one; may throw to end the search
};

/// theory_weight * (bits of the chosen rules, less what their order is worth) + bits of the exceptions.
double description_length(const SubsetTask& task, const RowWeights& weights,
                          std::span<const std::size_t> chosen);

/// Up to so many rules every subset is tried.
inline constexpr std::size_t kExhaustiveRules = 10;

/// The subset of least description length: by trying all up to kExhaustiveRules rules, above that by adding
/// or removing one rule at a time, the best first, from none and from all, until nothing helps. Increasing
/// indices.
std::vector<std::size_t> choose_rules(const SubsetTask& task, const RowWeights& weights);
/// The two ways on their own.
std::vector<std::size_t> choose_exhaustively(const SubsetTask& task, const RowWeights& weights);
std::vector<std::size_t> choose_by_steps(const SubsetTask& task, const RowWeights& weights);

}  // namespace bough
