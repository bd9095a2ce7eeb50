// SPDX-License-Identifier: Apache-2.0
// Stability: trees of bootstrapped rows beside the tree of all rows, place by place.
//
// A place of the tree of all rows is met in a repeat when the repeat's tree tests the same columns, by the
// same kinds of tests, at every place above it: only then do the two nodes ask about comparable rows. Cuts
// above it may differ.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "bough/explain.hpp"
#include "model/progress.hpp"
#include "study/answers.hpp"
#include "study/places.hpp"
#include "study/refits.hpp"
#include "study/roots.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kBootstrapSalt = 0xb007;
constexpr std::size_t kMostTests = 5;

// A place of the tree of all rows as one repeat has it.
struct Seen {
  NodeId node = 0;
  bool leaf = false;
  bool same_subject = false;
  bool same_test = false;
  double threshold = 0.0;
  std::string column;
  std::string test;  // same subject only
};

struct Repeat {
  std::string failure;
  std::vector<Seen> seen;
  std::vector<char> used;  // per feature
  std::int64_t leaves = 0;
  std::int64_t depth = 0;
  double answers = 0.0;
  bool same_columns = true;
  bool same_tree = true;
};

struct Base {
  const Model& model;
  std::vector<std::int32_t> depths;
  std::vector<std::string> subjects;
  std::vector<std::string> tests;
  Answers answers;
  std::int32_t max_depth = -1;
};

void look(const Base& base, const Model& grown, Repeat& repeat) {
  std::vector<std::pair<NodeId, NodeId>> open{{0, 0}};
  const Tree& tree = base.model.tree();
  while (!open.empty()) {
    const auto [node, other] = open.back();
    open.pop_back();
    const bool leaf = grown.tree().is_leaf(other);
    if (tree.is_leaf(node)) {
      repeat.same_columns = repeat.same_columns && leaf;
      continue;
    }
    const auto at = static_cast<std::size_t>(node);
    const auto children = tree.children(node), others = grown.tree().children(other);
    Seen seen;
    seen.node = node;
    seen.leaf = leaf;
    seen.same_subject =
        !leaf && subject_key(grown, other) == base.subjects[at] && children.size() == others.size();
    seen.same_test = seen.same_subject && test_key(grown, other) == base.tests[at];
    repeat.same_columns = repeat.same_columns && seen.same_subject;
    repeat.same_tree = repeat.same_tree && seen.same_test;
    if (seen.same_subject)
      for (std::size_t i = 0; i < children.size(); ++i) open.emplace_back(children[i], others[i]);
    if (base.max_depth >= 0 && base.depths[at] > base.max_depth) continue;
    seen.column = tested_column(grown, other);
    if (seen.same_subject) {
      seen.test = test_words(grown, other);
      seen.threshold = grown.tree().kind(other) == NodeKind::numeric ? grown.tree().threshold(other) : NAN;
    }
    repeat.seen.push_back(std::move(seen));
  }
  repeat.same_tree = repeat.same_tree && repeat.same_columns;
}

std::vector<char> used_columns(const Model& model) {
  std::vector<char> used(model.features().fields.size(), 0);
  const Tree& tree = model.tree();
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    if (tree.kind(node) != NodeKind::oblique) used[static_cast<std::size_t>(tree.column(node))] = 1;
    for (const ObliqueTerm& term : tree.terms(node)) used[static_cast<std::size_t>(term.column)] = 1;
  }
  return used;
}

Repeat run(const RefitJob& job, const Base& base, std::span<const RowId> rows, const Execution& execution) {
  Repeat repeat;
  repeat.failure = attempt([&] {
    const Model grown = job.fit(job.table.take(rows), execution);
    look(base, grown, repeat);
    repeat.used = used_columns(grown);
    repeat.leaves = grown.tree().n_leaves();
    repeat.depth = grown.tree().depth();
    repeat.answers = compare_answers(base.answers, answers_of(grown, job.table, execution));
  });
  return repeat;
}

std::vector<Counted> by_count(const std::map<std::string, std::int64_t>& counts) {
  std::vector<Counted> list;
  for (const auto& [name, count] : counts) list.push_back({name, count});
  std::ranges::stable_sort(list, std::greater<>(), &Counted::count);
  return list;
}

struct NodeCounts {
  std::map<std::string, std::int64_t> columns;
  std::map<std::string, std::int64_t> tests;
};

void count_nodes(const Base& base, std::span<const Repeat> repeats, Stability& result) {
  const Tree& tree = base.model.tree();
  std::map<NodeId, std::size_t> place;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    if (tree.is_leaf(node) || (base.max_depth >= 0 && base.depths[at] > base.max_depth)) continue;
    place[node] = result.nodes.size();
    NodeStability& out = result.nodes.emplace_back();
    out.node = node;
    out.depth = base.depths[at];
    out.column = tested_column(base.model, node);
    out.test = test_words(base.model, node);
  }
  std::vector<NodeCounts> counts(result.nodes.size());
  for (const Repeat& repeat : repeats) {
    for (const Seen& seen : repeat.seen) {
      const std::size_t at = place.at(seen.node);
      NodeStability& out = result.nodes[at];
      ++out.met;
      out.leaves += seen.leaf ? 1 : 0;
      out.same_column += seen.same_subject ? 1 : 0;
      out.same_test += seen.same_test ? 1 : 0;
      if (!seen.leaf) ++counts[at].columns[seen.column];
      if (seen.same_subject) ++counts[at].tests[seen.test];
      if (seen.same_subject && !std::isnan(seen.threshold)) out.thresholds.push_back(seen.threshold);
    }
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    result.nodes[i].columns = by_count(counts[i].columns);
    result.nodes[i].tests = by_count(counts[i].tests);
    if (result.nodes[i].tests.size() > kMostTests) result.nodes[i].tests.resize(kMostTests);
    std::ranges::sort(result.nodes[i].thresholds);
  }
}

Base base_of(const Model& model, const RefitJob& job, std::int32_t max_depth, const Execution& execution) {
  Base base{model, model.tree().depths(), {}, {}, answers_of(model, job.table, execution), max_depth};
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node) {
    base.subjects.push_back(subject_key(model, node));
    base.tests.push_back(test_key(model, node));
  }
  return base;
}

}  // namespace

std::vector<RowId> bootstrap_rows(std::int64_t n_rows, std::uint64_t seed, std::int64_t repeat) {
  const std::uint64_t key = mix(mix(seed, kBootstrapSalt), static_cast<std::uint64_t>(repeat));
  std::vector<RowId> rows(static_cast<std::size_t>(n_rows));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<RowId>(below(draw(key, i), static_cast<std::uint64_t>(n_rows)));
  return rows;
}

Stability stability(const Model& model, const Table& table, const StabilityOptions& options,
                    const Execution& execution) {
  require_at_least(options.repeats, 1, "repeats");
  const RefitJob job(model, table, options.refit);
  const Model whole = job.fit(execution);
  const Base base = base_of(whole, job, options.max_depth, execution);
  std::vector<Repeat> repeats(static_cast<std::size_t>(options.repeats));
  for_each_run(repeats.size(), execution, "bootstrap", [&](std::size_t i, const Execution& inner) {
    repeats[i] =
        run(job, base, bootstrap_rows(job.table.n_rows(), options.seed, static_cast<std::int64_t>(i)), inner);
  });
  Stability result;
  result.n_rows = job.table.n_rows();
  result.seed = options.seed;
  result.task = model.task();
  result.reproduced = tests_hash(whole) == tests_hash(model);
  result.tree_leaves = whole.tree().n_leaves();
  result.tree_depth = whole.tree().depth();
  for (const Field& field : whole.features().fields) result.used.push_back({field.name, 0});
  for (const Repeat& repeat : repeats)
    if (!repeat.failure.empty() && result.failed++ == 0) result.failure = repeat.failure;
  std::erase_if(repeats, [](const Repeat& repeat) { return !repeat.failure.empty(); });
  result.repeats = std::ssize(repeats);
  for (const Repeat& repeat : repeats) {
    for (std::size_t c = 0; c < repeat.used.size(); ++c) result.used[c].count += repeat.used[c];
    result.leaves.push_back(repeat.leaves);
    result.depths.push_back(repeat.depth);
    result.answers.push_back(repeat.answers);
    result.same_columns += repeat.same_columns ? 1 : 0;
    result.same_tree += repeat.same_tree ? 1 : 0;
  }
  count_nodes(base, repeats, result);
  RootChoices roots = root_choices(job, whole, execution);
  result.roots = std::move(roots.list);
  result.root_slack = roots.slack;
  return result;
}

}  // namespace bough
