// SPDX-License-Identifier: Apache-2.0
// C4.5rules, first part: conditions that do not earn their place are dropped from a rule.
//
// The rows without test i are those of the tests before it and of the tests after it: with the intersections
// of all ends kept, every candidate costs one pass over n / 64 words, and a rule of k tests k passes per test
// dropped.
#include "rules/drop.hpp"

#include "bough/pessimistic.hpp"

namespace bough {
namespace {

Bits meet(const Bits& a, const Bits& b) {
  Bits out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] & b[i];
  return out;
}

struct Count {
  double weight = 0.0;
  double errors = 0.0;
  double rate = 1.0;
};

class Dropper {
 public:
  Dropper(const DropTask& task, const RowWeights& weights) : task_(task), weights_(weights) {
    for (std::size_t i = 0; i < task.tests.size(); ++i) kept_.push_back(i);
  }

  Dropped run() {
    Count now = count(*task_.everything, ends().front());
    while (!kept_.empty()) {
      const auto [at, best] = best_without_one();
      if (best.rate > now.rate) break;
      now = best;
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return {kept_, ends().front(), now.weight, now.errors, now.rate};
  }

 private:
  // Entry i: the rows that pass the kept tests from number i on.
  [[nodiscard]] std::vector<Bits> ends() const {
    std::vector<Bits> all(kept_.size() + 1);
    all.back() = *task_.everything;
    for (std::size_t i = kept_.size(); i-- > 0;) all[i] = meet(*task_.tests[kept_[i]], all[i + 1]);
    return all;
  }

  [[nodiscard]] Count count(const Bits& before, const Bits& after) const {
    const Bits& of_class = *task_.of_class;
    Count out;
    out.weight = weights_.sum(before.size(), [&](std::size_t i) { return before[i] & after[i]; });
    out.errors =
        weights_.sum(before.size(), [&](std::size_t i) { return before[i] & after[i] & ~of_class[i]; });
    out.rate = pessimistic_rate(out.weight, out.errors, task_.confidence);
    return out;
  }

  [[nodiscard]] std::pair<std::size_t, Count> best_without_one() const {
    const std::vector<Bits> after = ends();
    Bits before = *task_.everything;
    std::size_t at = 0;
    Count best;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const Count here = count(before, after[i + 1]);
      if (i == 0 || here.rate < best.rate) {
        at = i;
        best = here;
      }
      before = meet(before, *task_.tests[kept_[i]]);
    }
    return {at, best};
  }

  const DropTask& task_;
  const RowWeights& weights_;
  std::vector<std::size_t> kept_;
};

}  // namespace

double pessimistic_rate(double weight, double errors, double cf) {
  return weight > 0.0 ? pessimistic_errors(errors, weight, cf) / weight : 1.0;
}

Dropped drop_conditions(const DropTask& task, const RowWeights& weights) {
  return Dropper(task, weights).run();
}

}  // namespace bough
