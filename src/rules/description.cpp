// SPDX-License-Identifier: Apache-2.0
// C4.5rules, second part: which rules of a class are worth their length.
//
// A set of rules for a class is sent together with its mistakes. Of n rows it covers C, of which FP are of
// another class, and leaves U = n - C, of which FN are of the class. Either kind is named as a number of
// mistakes and then as one of the sets of so many: log2(n + 1) + log2 binomial(n, k). Sets of more than half
// the rows would be cheap again, as if a rule that is always wrong were a good one; they cost a bit per row
// instead. Rules cost the bits of their tests; their order says nothing, so log2(r!) is taken off, and the
// whole is weighed (Quinlan: by one half, because columns overlap and many lists of rules say the same).
#include "rules/description.hpp"

#include <algorithm>
#include <cmath>

#include "base/math.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

constexpr double kLn2 = 0.693147180559945309417;

// ln Gamma(x), x >= 1: Stirling's series after a shift to x >= 16, where its rest is below 1e-16.
double log_gamma(double x) noexcept {
  double product = 1.0;
  for (; x < 16.0; x += 1.0) product *= x;
  const double inverse = 1.0 / x;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0))));
  constexpr double kHalfLog2Pi = 0.918938533204672741780;
  return (x - 0.5) * log_exact(x) - x + kHalfLog2Pi + series - log_exact(product);
}

struct Tally {
  double rules = 0.0;
  double theory = 0.0;
  double covered = 0.0;
  double wrong = 0.0;  // covered, not of the class
};

class Pricer {
 public:
  Pricer(const SubsetTask& task, const RowWeights& weights) : task_(task) {
    const Bits all = full_bits(task.n_rows);
    total_ = weights.sum(all.size(), [&](std::size_t i) { return all[i]; });
    of_class_ = weights.sum(all.size(), [&](std::size_t i) { return (*task.of_class)[i]; });
  }

  [[nodiscard]] double price(const Tally& tally) const {
    const double missed = of_class_ - (tally.covered - tally.wrong);
    const double theory = std::max(tally.theory - log2_factorial(tally.rules), 0.0);
    return task_.theory_weight * theory + exception_bits(tally.covered, tally.wrong) +
           exception_bits(total_ - tally.covered, missed);
  }

 private:
  const SubsetTask& task_;
  double total_ = 0.0;
  double of_class_ = 0.0;
};

// A subset, and what adding or removing any one rule would make of it. A row is won by a new rule when no
// chosen rule covers it, and lost with a chosen one when it is the only one: each rule keeps the weight of
// the rows that it would win or lose. A step changes these only in the words where rows went from one count
// of rules to another, so every rule looks at those words alone.
class Steps {
 public:
  enum class Start : std::uint8_t { none, all };

  Steps(const SubsetTask& task, const RowWeights& weights, Start start)
      : task_(task),
        weights_(weights),
        pricer_(task, weights),
        chosen_(task.covered.size(), start == Start::all ? 1 : 0),
        moved_(task.covered.size()),
        times_(task.n_rows, 0),
        free_(full_bits(task.n_rows)),
        once_(n_words(task.n_rows), 0) {
    if (start == Start::all)
      for (const Bits* covered : task.covered) count_rows(*covered, 1);
    parallel_ranges(moved_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t rule = begin; rule < end; ++rule) moved_[rule] = weigh(rule);
    });
    if (start == Start::none) return;
    const Bits all = full_bits(task.n_rows);
    tally_.rules = static_cast<double>(task.covered.size());
    for (const double bits : task.bits) tally_.theory += bits;
    tally_.covered = weights.sum(all.size(), [&](std::size_t i) { return all[i] & ~free_[i]; });
    tally_.wrong =
        weights.sum(all.size(), [&](std::size_t i) { return all[i] & ~free_[i] & ~(*task.of_class)[i]; });
  }

  [[nodiscard]] double price() const { return pricer_.price(tally_); }

  // Toggles the best rule as long as that makes the description shorter.
  void descend() {
    std::vector<double> prices(task_.covered.size());
    // Rounding of weights cannot make it go round in circles for ever.
    for (std::size_t left = 4 * prices.size() + 100; left > 0; --left) {
      if (task_.tick) task_.tick();
      parallel_ranges(prices.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t rule = begin; rule < end; ++rule) prices[rule] = pricer_.price(after(rule));
      });
      const auto best = std::ranges::min_element(prices);
      if (best == prices.end() || !(*best < price() - kLeastGain)) return;
      toggle(static_cast<std::size_t>(best - prices.begin()));
    }
  }

  [[nodiscard]] std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] != 0) out.push_back(i);
    return out;
  }

 private:
  // Differences below it are rounding.
  static constexpr double kLeastGain = 1e-9;

  // Rows that a toggle of the rule wins or loses.
  struct Moved {
    double all = 0.0;
    double wrong = 0.0;
  };
  // A word of rows before and after a step.
  struct Change {
    std::size_t word;
    std::uint64_t free_before;
    std::uint64_t once_before;
  };

  void count_rows(const Bits& covered, std::int32_t step) {
    for_bits(
        covered.size(), [&](std::size_t i) { return covered[i]; },
        [&](std::size_t row) {
          times_[row] += step;
          const std::uint64_t bit = std::uint64_t{1} << (row % 64);
          free_[row / 64] = times_[row] == 0 ? free_[row / 64] | bit : free_[row / 64] & ~bit;
          once_[row / 64] = times_[row] == 1 ? once_[row / 64] | bit : once_[row / 64] & ~bit;
        });
  }

  void toggle(std::size_t rule) {
    tally_ = after(rule);
    const Bits free_before = free_;
    const Bits once_before = once_;
    count_rows(*task_.covered[rule], chosen_[rule] != 0 ? -1 : 1);
    std::vector<Change> changes;
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (free_[i] != free_before[i] || once_[i] != once_before[i])
        changes.push_back({i, free_before[i], once_before[i]});
    chosen_[rule] = chosen_[rule] != 0 ? 0 : 1;
    moved_[rule] = weigh(rule);
    parallel_ranges(moved_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t other = begin; other < end; ++other)
        if (other != rule) update(other, changes);
    });
  }

  [[nodiscard]] Moved weigh(std::size_t rule) const {
    const Bits& covered = *task_.covered[rule];
    const Bits& of_class = *task_.of_class;
    const Bits& touched = chosen_[rule] != 0 ? once_ : free_;
    return {
        weights_.sum(covered.size(), [&](std::size_t i) { return covered[i] & touched[i]; }),
        weights_.sum(covered.size(), [&](std::size_t i) { return covered[i] & touched[i] & ~of_class[i]; })};
  }

  void update(std::size_t rule, std::span<const Change> changes) {
    const Bits& covered = *task_.covered[rule];
    const Bits& touched = chosen_[rule] != 0 ? once_ : free_;
    Moved& moved = moved_[rule];
    for (const Change& change : changes) {
      const std::uint64_t before =
          covered[change.word] & (chosen_[rule] != 0 ? change.once_before : change.free_before);
      const std::uint64_t now = covered[change.word] & touched[change.word];
      if (before == now) continue;
      const std::uint64_t wrong = ~(*task_.of_class)[change.word];
      moved.all +=
          weights_.of_word(change.word, now & ~before) - weights_.of_word(change.word, before & ~now);
      moved.wrong += weights_.of_word(change.word, now & ~before & wrong) -
                     weights_.of_word(change.word, before & ~now & wrong);
    }
  }

  [[nodiscard]] Tally after(std::size_t rule) const {
    const double sign = chosen_[rule] != 0 ? -1.0 : 1.0;
    return {tally_.rules + sign, tally_.theory + sign * task_.bits[rule],
            tally_.covered + sign * moved_[rule].all, tally_.wrong + sign * moved_[rule].wrong};
  }

  const SubsetTask& task_;
  const RowWeights& weights_;
  Pricer pricer_;
  Tally tally_;
  std::vector<char> chosen_;
  std::vector<Moved> moved_;
  std::vector<std::int32_t> times_;  // chosen rules that cover each row
  Bits free_;                        // rows of no chosen rule
  Bits once_;                        // rows of one
};

}  // namespace

double log2_factorial(double n) noexcept {
  return log_gamma(n + 1.0) / kLn2;
}

double log2_binomial(double n, double k) noexcept {
  if (!(k > 0.0) || !(k < n)) return 0.0;
  return (log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0)) / kLn2;
}

double exception_bits(double n, double errors) noexcept {
  if (!(n > 0.0)) return 0.0;
  return log2_exact(n + 1.0) + (errors <= 0.5 * n ? log2_binomial(n, errors) : n);
}

double description_length(const SubsetTask& task, const RowWeights& weights,
                          std::span<const std::size_t> chosen) {
  Bits covered(n_words(task.n_rows), 0);
  Tally tally;
  for (const std::size_t rule : chosen) {
    tally.rules += 1.0;
    tally.theory += task.bits[rule];
    for (std::size_t i = 0; i < covered.size(); ++i) covered[i] |= (*task.covered[rule])[i];
  }
  tally.covered = weights.sum(covered.size(), [&](std::size_t i) { return covered[i]; });
  tally.wrong = weights.sum(covered.size(), [&](std::size_t i) { return covered[i] & ~(*task.of_class)[i]; });
  return Pricer(task, weights).price(tally);
}

std::vector<std::size_t> choose_exhaustively(const SubsetTask& task, const RowWeights& weights) {
  std::vector<std::size_t> best;
  double least = description_length(task, weights, best);
  for (std::uint64_t set = 1; set >> task.covered.size() == 0; ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < task.covered.size(); ++i)
      if ((set >> i & 1U) != 0) chosen.push_back(i);
    const double length = description_length(task, weights, chosen);
    if (length < least) {
      least = length;
      best = std::move(chosen);
    }
  }
  return best;
}

std::vector<std::size_t> choose_by_steps(const SubsetTask& task, const RowWeights& weights) {
  Steps from_none(task, weights, Steps::Start::none);
  from_none.descend();
  Steps from_all(task, weights, Steps::Start::all);
  from_all.descend();
  return from_all.price() < from_none.price() ? from_all.chosen() : from_none.chosen();
}

std::vector<std::size_t> choose_rules(const SubsetTask& task, const RowWeights& weights) {
  return task.covered.size() <= kExhaustiveRules ? choose_exhaustively(task, weights)
                                                 : choose_by_steps(task, weights);
}

}  // namespace bough
