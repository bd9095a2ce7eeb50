// SPDX-License-Identifier: Apache-2.0
// Sums of doubles that do not depend on the order of their terms, nor on how these are divided into parts.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace bough {

/// A sum without rounding: doubles whose bits do not overlap, from the smallest up (Shewchuk 1997, "Adaptive Precision
/// Floating-Point Arithmetic"). The terms must be finite, and their sum within the range of doubles.
class ExactSum {
 public:
  ExactSum() = default;
  explicit ExactSum(std::span<const double> parts) : parts_(parts.begin(), parts.end()) {}

  void add(double term) {
    std::size_t kept = 0;
    for (double part : parts_) {
      if (std::fabs(part) < std::fabs(term)) std::swap(part, term);
      const double sum = part + term;
      const double lost = term - (sum - part);
      if (lost != 0.0) parts_[kept++] = lost;
      term = sum;
    }
    parts_.resize(kept);
    if (term != 0.0) parts_.push_back(term);
  }
  void add(const ExactSum& other) {
    for (const double part : other.parts_) add(part);
  }

  /// The double that is nearest to the sum.
  [[nodiscard]] double rounded() const noexcept {
    if (parts_.empty()) return 0.0;
    std::size_t i = parts_.size() - 1;
    double sum = parts_[i], lost = 0.0;
    while (i > 0 && lost == 0.0) {
      const double before = sum, part = parts_[--i];
      sum = before + part;
      lost = part - (sum - before);
    }
    // Half way between two doubles, what is still smaller decides.
    if (i > 0 && lost != 0.0 && (lost > 0.0) == (parts_[i - 1] > 0.0)) {
      const double next = sum + 2.0 * lost;
      if (next - sum == 2.0 * lost) sum = next;
    }
    return sum;
  }
  [[nodiscard]] std::span<const double> parts() const noexcept { return parts_; }

 private:
  std::vector<double> parts_;
};

}  // namespace bough
