// SPDX-License-Identifier: Apache-2.0
// C4.5rules (Quinlan 1993, chapter 5): from the ways of a tree to a short list of rules.
//
//   1. every leaf's way is a rule; tests are dropped from it while its pessimistic error does not rise
//   (drop.cpp)
//   2. rules that keep no test, repeat another one or are not of the commonest class among their rows go
//   3. of every class the subset of least description length stays (description.cpp)
//   4. the rules are ordered, those that do more harm than good go, the rows left over give the default
//   (ranking.cpp)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <unordered_map>

#include "base/math.hpp"
#include "base/monitor.hpp"
#include "base/parallel.hpp"
#include "bough/rules.hpp"
#include "model/progress.hpp"
#include "predict/answer.hpp"
#include "predict/predict.hpp"
#include "rules/description.hpp"
#include "rules/drop.hpp"
#include "rules/labelled_rows.hpp"
#include "rules/match.hpp"
#include "rules/ranking.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

void check_options(const Model& model, const C45RulesOptions& options) {
  if (model.task() != Task::classification)
    throw Error(ErrorCode::not_supported,
                "C4.5rules chooses rules for classes, and this model predicts numbers",
                "Take the rules of the tree as they are.");
  if (model.n_outputs() != 1)
    throw Error(
        ErrorCode::not_supported,
        fmt::format("C4.5rules chooses rules for one target, and this model has {}", model.n_outputs()),
        "Take the rules of the tree as they are, or train a model per target.");
  if (!(options.confidence > 0.0 && options.confidence <= 0.5))
    throw Error(ErrorCode::bad_params, fmt::format("the confidence factor is {}", options.confidence),
                "It must be above 0 and at most 0.5; smaller drops more conditions.");
  if (!(options.theory_weight >= 0.0 && std::isfinite(options.theory_weight)))
    throw Error(ErrorCode::bad_params, fmt::format("the weight of the theory is {}", options.theory_weight),
                "It must be 0 or more; larger keeps fewer rules.");
}

// One bound, one set or one test for missing cells: what can be dropped on its own.
std::vector<RuleCondition> tests_of(const RuleCondition& condition) {
  RuleCondition test = condition;
  test.missing = condition.missing == 1.0 ? 1.0 : 0.0;  // a divided row is not covered whole
  if (!test.above || !test.at_most) return {test};
  RuleCondition low = test;
  low.at_most.reset();
  test.above.reset();
  return {low, test};
}

template <class T>
void add_bytes(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string key_of(const RuleCondition& test) {
  std::string key;
  add_bytes(key, test.form);
  add_bytes(key, test.column);
  add_bytes(key, test.missing);
  key += test.above ? 'a' : test.at_most ? 'm' : '-';
  add_bytes(key, test.above.value_or(test.at_most.value_or(0.0)));
  for (const ObliqueTerm& term : test.terms) {
    add_bytes(key, term.column);
    add_bytes(key, term.weight);
  }
  for (const std::uint32_t level : test.levels) add_bytes(key, level);
  return key;
}

constexpr double kMostBytes = 8e9;  // of sets of rows

// Every different test of the tree's rules, with the rows that pass it.
class TestStore {
 public:
  explicit TestStore(const CellBlock& rows) : rows_(rows) {}

  std::size_t add(const RuleCondition& test) {
    const auto [found, is_new] = numbers_.emplace(key_of(test), tests_.size());
    if (is_new) tests_.push_back(test);
    return found->second;
  }

  void fill(std::size_t n_rules) {
    const double bytes =
        static_cast<double>(tests_.size() + n_rules) * static_cast<double>(rows_.count) / 8.0;
    if (bytes > kMostBytes)
      throw Error(
          ErrorCode::not_supported,
          fmt::format("{} rules with {} different conditions on {} rows are more than C4.5rules can hold",
                      n_rules, tests_.size(), rows_.count),
          "Prune the tree first, or give a sample of the rows.");
    bits_.resize(tests_.size());
    parallel_for(tests_.size(), [&](std::size_t i) {
      Bits bits(n_words(rows_.count), 0);
      for (std::size_t row = 0; row < rows_.count; ++row) {
        const double value = subject_of(tests_[i], rows_.row(row));
        if (std::isnan(value) ? tests_[i].missing == 1.0 : passes_known(tests_[i], value)) set_bit(bits, row);
      }
      bits_[i] = std::move(bits);
    });
  }

  [[nodiscard]] const RuleCondition& test(std::size_t i) const { return tests_[i]; }
  [[nodiscard]] const Bits& bits(std::size_t i) const { return bits_[i]; }

 private:
  const CellBlock& rows_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<RuleCondition> tests_;
  std::vector<Bits> bits_;
};

// The bits that name a test: which column, which kind of test, and which of the bounds or sets that the
// column offers.
class TestPrices {
 public:
  TestPrices(const Schema& features, const CellBlock& rows, const RowWeights& weights) : features_(features) {
    for (std::size_t column = 0; column < features.fields.size(); ++column) {
      std::vector<double> values;
      for (std::size_t row = 0; row < rows.count; ++row) {
        const double cell = rows.row(row)(static_cast<ColId>(column));
        if (!std::isnan(cell) && weights.of(row) > 0.0) values.push_back(cell);
      }
      std::ranges::sort(values);
      const auto distinct = std::unique(values.begin(), values.end()) - values.begin();
      cuts_.push_back(static_cast<double>(distinct) - 1.0);
    }
    for (std::size_t row = 0; row < rows.count; ++row) total_ += weights.of(row);
  }

  [[nodiscard]] double of(const RuleCondition& test) const {
    double bits = log2_exact(static_cast<double>(features_.fields.size())) + 1.0;
    if (!test.terms.empty())
      return bits * static_cast<double>(test.terms.size()) + 1.0 + log2_exact(std::max(total_, 1.0));
    const auto column = static_cast<std::size_t>(test.column);
    if (test.form == Form::range) return bits + 1.0 + log2_exact(std::max(cuts_[column], 1.0));
    if (test.form == Form::one_of || test.form == Form::none_of) {
      const auto n = static_cast<double>(features_.fields[column].levels.size());
      bits += 1.0 + log2_exact(std::max(n, 1.0)) + log2_binomial(n, static_cast<double>(test.levels.size()));
    }
    return bits;
  }

 private:
  const Schema& features_;
  std::vector<double> cuts_;  // per column: bounds between different values
  double total_ = 0.0;
};

class Chooser {
 public:
  Chooser(const RuleSet& tree, const C45RulesOptions& options, const Table& table, Monitor& monitor)
      : tree_(tree),
        options_(options),
        monitor_(monitor),
        truth_(read_truth(table, Task::classification, tree.parts().targets, options.weight)),
        n_classes_(tree.parts().targets.fields.front().levels.size()),
        cells_(load(table)),
        rows_{0, truth_.classes.front().size(), cells_},
        weights_(truth_.weights),
        ranked_{truth_.classes.front(), n_classes_, weights_},
        store_(rows_) {
    of_class_.assign(n_classes_, Bits(n_words(rows_.count), 0));
    for (std::size_t row = 0; row < rows_.count; ++row)
      set_bit(of_class_[static_cast<std::size_t>(ranked_.classes[row])], row);
    everything_ = full_bits(rows_.count);
  }

  RuleSet run() {
    std::vector<RuleCandidate> rules = choose(generalise());
    rank_rules(rules, options_.order, ranked_);
    polish_rules(rules, ranked_);
    return assemble(rules);
  }

 private:
  std::vector<double> load(const Table& table) const {
    const RowReader reader(table, tree_.parts().features);
    std::vector<double> cells(static_cast<std::size_t>(reader.n_rows()) * reader.n_columns());
    reader.load(0, reader.n_rows(), cells);
    return cells;
  }

  std::vector<RuleCandidate> generalise() {
    std::vector<std::vector<std::size_t>> tests;
    for (const Rule& rule : tree_.rules()) {
      auto& own = tests.emplace_back();
      for (const RuleCondition& condition : rule.conditions)
        for (const RuleCondition& test : tests_of(condition)) own.push_back(store_.add(test));
    }
    store_.fill(tests.size());
    monitor_.stage("drop conditions");
    monitor_.total(std::ssize(tests));
    std::vector<RuleCandidate> all(tests.size());
    parallel_for(tests.size(), [&](std::size_t i) { all[i] = generalise_one(tree_.rules()[i], tests[i]); });
    std::set<std::vector<std::size_t>> known;
    std::erase_if(all, [&](const RuleCandidate& rule) {
      return rule.tests.empty() || rule.weight <= 0.0 || !is_commonest(rule) ||
             !known.insert(rule.tests).second;
    });
    return all;
  }

  [[nodiscard]] RuleCandidate generalise_one(const Rule& rule, std::span<const std::size_t> tests) const {
    monitor_.tick();
    DropTask task;
    for (const std::size_t test : tests) task.tests.push_back(&store_.bits(test));
    const auto of_class = static_cast<std::size_t>(tree_.answer(rule));
    task.of_class = &of_class_[of_class];
    task.everything = &everything_;
    task.confidence = options_.confidence;
    Dropped dropped = drop_conditions(task, weights_);
    RuleCandidate out;
    out.of_class = of_class;
    for (const std::size_t i : dropped.kept) out.tests.push_back(tests[i]);
    std::ranges::sort(out.tests);
    out.covered = std::move(dropped.covered);
    out.weight = dropped.weight;
    out.estimated_error = dropped.estimated_error;
    out.node = rule.node;
    monitor_.advance(1);
    return out;
  }

  [[nodiscard]] std::vector<double> class_weights(const Bits& covered) const {
    std::vector<double> sums;
    for (const Bits& of_class : of_class_)
      sums.push_back(weights_.sum(covered.size(), [&](std::size_t i) { return covered[i] & of_class[i]; }));
    return sums;
  }

  [[nodiscard]] bool is_commonest(const RuleCandidate& rule) const {
    return largest(class_weights(rule.covered)) == rule.of_class;
  }

  [[nodiscard]] std::vector<RuleCandidate> choose(std::vector<RuleCandidate> all) const {
    const TestPrices prices(tree_.parts().features, rows_, weights_);
    std::vector<RuleCandidate> out;
    monitor_.stage("choose rules");
    monitor_.total(static_cast<std::int64_t>(n_classes_));
    for (std::size_t k = 0; k < n_classes_; ++k) {
      std::vector<RuleCandidate*> own;
      for (RuleCandidate& rule : all)
        if (rule.of_class == k) own.push_back(&rule);
      SubsetTask task;
      for (const RuleCandidate* rule : own) {
        task.covered.push_back(&rule->covered);
        double bits = -log2_factorial(static_cast<double>(rule->tests.size()));
        for (const std::size_t test : rule->tests) bits += prices.of(store_.test(test));
        task.bits.push_back(std::max(bits, 0.0));
      }
      task.of_class = &of_class_[k];
      task.n_rows = rows_.count;
      task.theory_weight = options_.theory_weight;
      task.tick = [&] { monitor_.tick(); };
      for (const std::size_t i : choose_rules(task, weights_)) out.push_back(std::move(*own[i]));
      monitor_.advance(1);
    }
    return out;
  }

  // Both bounds of a column become one condition again; conditions stand in the order in which the tree names
  // them.
  [[nodiscard]] std::vector<RuleCondition> conditions_of(const RuleCandidate& rule) const {
    std::vector<RuleCondition> out;
    for (const std::size_t number : rule.tests) {
      const RuleCondition& test = store_.test(number);
      const auto same = std::ranges::find_if(out, [&](const RuleCondition& other) {
        return other.column == test.column && other.terms == test.terms && other.form == Form::range &&
               test.form == Form::range;
      });
      if (same == out.end()) {
        out.push_back(test);
        continue;
      }
      if (test.above) same->above = test.above;
      if (test.at_most) same->at_most = test.at_most;
    }
    return out;
  }

  [[nodiscard]] RuleSet assemble(std::span<const RuleCandidate> rules) const {
    RuleSet::Parts parts = tree_.parts();
    parts.match = RuleMatch::first;
    parts.rules.clear();
    parts.base = class_weights(everything_);
    parts.n_rows = 0;
    for (std::size_t row = 0; row < rows_.count; ++row) parts.n_rows += weights_.of(row) > 0.0 ? 1 : 0;
    parts.weight = weights_.sum(everything_.size(), [&](std::size_t i) { return everything_[i]; });
    parts.fallback = rest_of(rules, ranked_);
    for (const RuleCandidate& candidate : rules) {
      Rule& rule = parts.rules.emplace_back();
      rule.conditions = conditions_of(candidate);
      rule.values = class_weights(candidate.covered);
      for_bits(
          candidate.covered.size(), [&](std::size_t i) { return candidate.covered[i]; },
          [&](std::size_t row) { rule.n_rows += weights_.of(row) > 0.0 ? 1 : 0; });
      rule.weight = candidate.weight;
      rule.right = {rule.values[candidate.of_class]};
      rule.estimated_error = candidate.estimated_error;
      rule.node = candidate.node;
    }
    return RuleSet(std::move(parts));
  }

  const RuleSet& tree_;
  const C45RulesOptions& options_;
  Monitor& monitor_;
  Truth truth_;
  std::size_t n_classes_;
  std::vector<double> cells_;
  CellBlock rows_;
  RowWeights weights_;
  RankedRows ranked_;
  TestStore store_;
  std::vector<Bits> of_class_;
  Bits everything_;
};

}  // namespace

RuleSet c45_rules(const Model& model, const Table& table, const C45RulesOptions& options,
                  const Execution& execution) {
  check_options(model, options);
  const RuleSet tree = tree_rules(model, options.tree);
  Monitor monitor(report_to(execution));
  std::optional<RuleSet> out;
  with_threads(execution.threads, [&] { out = Chooser(tree, options, table, monitor).run(); });
  return *out;
}

}  // namespace bough
