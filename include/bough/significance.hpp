// SPDX-License-Identifier: Apache-2.0
// Statistical tests of trees: permutation tests, McNemar's test, the corrected resampled t-test, comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bough/inference.hpp"
#include "bough/study.hpp"

namespace bough {

/// Whether the mean of the differences is 0. `ratio`: 0 for independent differences (the paired t-test); for
/// scores of resampled splits the rows tested over the rows trained on (Nadeau and Bengio 2003): the variance
/// of the mean is (1 / J + ratio) s^2. Needs two differences, else p is 1 and the interval is everything.
PairedTest paired_test(std::span<const double> differences, double ratio = 0.0, double confidence = 0.95);

/// McNemar's test: of the rows that only one of two models answers rightly, is the share of each a half?
/// Exact, two-sided.
double mcnemar_p(std::int64_t only_first, std::int64_t only_second) noexcept;

/// Holm's adjustment of p-values for their number, in the order given.
std::vector<double> holm(std::span<const double> p_values);

struct PermutationOptions {
  /// None: 199 for the tree; per split as many as let adjusted p-values fall well below 0.05, 199 to 999.
  std::optional<std::int64_t> repeats{};
  std::uint64_t seed = 0;
  std::string score = "held_out";  ///< held_out: cross-validated; training: of the rows the tree was grown on
  std::int32_t folds = 5;
  std::int32_t max_depth = 3;  ///< per split: nodes of at most this depth; -1: all
  RefitOptions refit{};
};

/// How the tree scores against trees of shuffled targets.
struct TreePermutation {
  std::string measure;   ///< accuracy, or mean squared error (lower is better)
  std::string score_of;  ///< as PermutationOptions::score
  std::int64_t repeats = 0;
  std::int64_t failed = 0;  ///< shuffles that could not be fitted count as as good as the tree
  std::uint64_t seed = 0;
  bool reproduced = false;  ///< fitting the rows again gives the model's own tree
  double score = 0.0;
  std::vector<double> shuffled;  ///< scores with shuffled targets
  std::int64_t as_good = 0;      ///< shuffles that score as well or better
  double p = 1.0;                ///< (1 + as_good) / (1 + repeats)
};

/// Shuffles the targets (with their weights) against the columns and refits. The score is found in the same
/// way each time.
TreePermutation permutation_test(const Model& model, const Table& table,
                                 const PermutationOptions& options = {}, const Execution& execution = {});
std::string to_json(const TreePermutation& result);
std::string to_text(const TreePermutation& result);

/// How a node's best split compares with the best splits of its rows when their targets are shuffled.
struct SplitPermutation {
  NodeId node = 0;
  std::int32_t depth = 0;
  std::string test;
  std::int64_t n_rows = 0;
  double gain = 0.0;         ///< decrease of weighted impurity of the best split of these rows
  std::int64_t as_good = 0;  ///< shuffles with a split of at least that gain
  double p = 1.0;            ///< (1 + as_good) / (1 + repeats), given the rows of the node
  double adjusted = 1.0;     ///< Holm, over the nodes reported
};

struct SplitPermutations {
  std::int64_t repeats = 0;
  std::uint64_t seed = 0;
  bool reproduced = false;
  std::vector<SplitPermutation> nodes;  ///< in preorder
  std::vector<std::string> notes;
};

/// A test per inner node of the tree of all rows: its rows, one split, all columns. Throws not_supported for
/// trees whose nodes share rows (C4.5 with missing cells) or hold many branches (ID3, C4.5).
SplitPermutations permutation_test_splits(const Model& model, const Table& table,
                                          const PermutationOptions& options = {},
                                          const Execution& execution = {});
std::string to_json(const SplitPermutations& result);
std::string to_text(const SplitPermutations& result);

struct CompareOptions {
  std::string
      weight{};  ///< column of row weights in `data` (for scores; tests count rows of weight > 0 once)
  double confidence = 0.95;
  std::int32_t splits = 30;  ///< of the training rows, for the corrected resampled t-test
  double fraction = 0.2;     ///< of the rows that a split holds out
  std::uint64_t seed = 0;
  std::size_t most = 20;  ///< differing nodes listed
  RefitOptions refit{};
};

/// Two models on the same rows, one target.
struct OutputComparison {
  std::string target;
  Task task = Task::classification;
  Evaluation first;
  Evaluation second;
  std::int64_t both_right = 0;  ///< classification
  std::int64_t only_first = 0;  ///< classification: only the first is right; regression: the first is closer
  std::int64_t only_second = 0;
  std::int64_t both_wrong = 0;
  double p = 1.0;                    ///< McNemar's exact test; regression: the sign test of which is closer
  std::optional<PairedTest> losses;  ///< regression: squared errors, first minus second
  std::int64_t agree = 0;            ///< rows that both answer the same
  double distance = 0.0;             ///< regression: root of the mean squared difference of the answers
};

/// Both parameter sets refitted on the same splits of the training rows.
struct ResampledComparison {
  bool first_reproduced = true;  ///< a fit of all training rows gives the model's own tree
  bool second_reproduced = true;
  std::string measure;  ///< accuracy or mean squared error
  std::int64_t n_train = 0;
  std::int64_t n_test = 0;
  std::vector<double> first;  ///< scores, split after split
  std::vector<double> second;
  PairedTest test;  ///< of first minus second, corrected
};

struct ParamDifference {
  std::string name;
  std::string first;
  std::string second;
};

struct TreeSize {
  std::int64_t trees = 1;
  std::int64_t nodes = 0;
  std::int64_t leaves = 0;
  std::int64_t depth = 0;
};

struct Comparison {
  std::int64_t n_rows = 0;
  std::vector<OutputComparison> outputs;
  std::optional<ResampledComparison> resampled;
  TreeSize first;
  TreeSize second;
  std::vector<std::string> columns_both;  ///< tested by both, by the first only, by the second only
  std::vector<std::string> columns_first;
  std::vector<std::string> columns_second;
  bool same_tests = false;                  ///< single trees without a differing test
  std::vector<NodeDifference> differences;  ///< single trees: from the root down
  std::vector<ParamDifference> params;
};

/// Compares two models on labelled rows; with `training` also their parameters on resampled splits of it.
/// Throws bad_data or bad_params when the models answer different questions.
Comparison compare(const Model& first, const Model& second, const Table& data,
                   const CompareOptions& options = {}, const Table* training = nullptr,
                   const Execution& execution = {});
std::string to_json(const Comparison& result);
std::string to_text(const Comparison& result);

}  // namespace bough
