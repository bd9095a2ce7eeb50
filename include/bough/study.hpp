// SPDX-License-Identifier: Apache-2.0
// How much of a tree is chance: refits on resampled, shortened and rotated data, and what differs between two
// trees.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// What a refit needs that a model does not remember.
struct RefitOptions {
  std::string weight{};  ///< column of row weights, or empty
  FoldSpec folds{};      ///< how pruning by cross-validation divides the rows
};

/// The model's parameters fitted again to a table that holds its features and targets: the same columns in
/// the same order, whatever else the table has. Throws not_supported for a model of several trees, bad_data
/// when columns lack.
Model refit(const Model& model, const Table& table, const RefitOptions& options = {},
            const Execution& execution = {});

/// How the tests of two nodes at the same place differ.
enum class TestChange : std::uint8_t {
  cut,      ///< the same column at another threshold, or by other categories
  column,   ///< another column, or another kind of test
  cut_off,  ///< a test before, a leaf after
  grown     ///< a leaf before, a test after
};
std::string_view change_name(TestChange change) noexcept;

/// Two nodes at the same place of two trees: the same children taken from the root on.
struct NodeDifference {
  NodeId before = 0;
  NodeId after = 0;
  std::int32_t depth = 0;
  TestChange change = TestChange::cut;
  std::string from;  ///< test of the first child, or "leaf: ..." with what it predicts
  std::string to;
};

/// Where the tests of two single trees differ, from the root down, at most `most`; below a place of another
/// column or a leaf nothing is compared. Columns and categories are matched by name; where missing cells go
/// is not compared.
std::vector<NodeDifference> tree_differences(const Model& before, const Model& after,
                                             std::size_t most = 1000);

/// A name and how often it occurred.
struct Counted {
  std::string name;
  std::int64_t count = 0;
};

struct StabilityOptions {
  std::int64_t repeats = 200;
  std::uint64_t seed = 0;
  std::int32_t max_depth = 4;  ///< nodes of more depth are not reported; -1: all
  RefitOptions refit{};
};

/// What became of one inner node.
struct NodeStability {
  NodeId node = 0;
  std::int32_t depth = 0;
  std::string column;  ///< tested in the tree of all rows (oblique: the formula)
  std::string test;
  std::int64_t met = 0;          ///< repeats whose tree tests the same columns on the whole way to this place
  std::int64_t same_column = 0;  ///< of these: the place tests the same column by the same kind of test
  std::int64_t same_test = 0;    ///< of these: at the same threshold or with the same categories
  std::int64_t leaves = 0;       ///< of the met: the place is a leaf
  std::vector<Counted> columns;  ///< columns tested here in the met repeats, the most frequent first
  std::vector<Counted> tests;    ///< the most frequent tests of the same column, five at most
  std::vector<double> thresholds;  ///< numeric tests of the same column: their thresholds, rising
};

/// The best tree found with another column at the root.
struct RootChoice {
  std::string column;
  std::string test;     ///< of the root
  double errors = 0.0;  ///< weight of training rows in other classes than the answer
  std::int64_t leaves = 1;
};

/// Trees of no more leaves than a given one, the best for each column at the root, the fewest errors first, at most ten:
/// those within one standard error of the fewest are a matter of taste. Only for what search=anytime can do, trees of 2
/// to 16 leaves and tables of at most 300,000 cells; else the list is empty.
struct RootChoices {
  std::vector<RootChoice> list;
  double slack = 0.0;  ///< one standard error of the number of errors of the first
};
/// `table`: the rows that the model was grown on; of others the list is empty. Throws as refit() does.
RootChoices root_choices(const Model& model, const Table& table, const RefitOptions& options = {},
                         const Execution& execution = {});

struct Stability {
  std::int64_t n_rows = 0;
  std::int64_t repeats = 0;  ///< that gave a tree
  std::int64_t failed = 0;   ///< repeats whose rows could not be fitted
  std::string failure;       ///< why the first of them failed
  std::uint64_t seed = 0;
  bool reproduced = false;  ///< the refit to all rows is the model's tree
  Task task = Task::classification;
  std::int64_t same_columns = 0;     ///< repeats whose tree tests the same columns at all places
  std::int64_t same_tree = 0;        ///< repeats whose tree has the same tests
  std::vector<NodeStability> nodes;  ///< inner nodes of the tree of all rows, in preorder
  std::vector<Counted> used;  ///< repeats whose tree tests the column anywhere, in the order of the features
  std::vector<std::int64_t> leaves;  ///< of every repeat's tree
  std::vector<std::int64_t> depths;
  /// Of every repeat, on all rows: classes, the share of answers that stay the same; numbers, the root of the
  /// mean squared difference.
  std::vector<double> answers;
  std::int64_t tree_leaves = 0;  ///< of the tree of all rows
  std::int64_t tree_depth = 0;
  /// Trees with other columns at the root (root_choices), and one standard error of the errors of the first.
  std::vector<RootChoice> roots;
  double root_slack = 0.0;
};

/// The rows of one repeat, drawn with replacement: a function of the three numbers only.
std::vector<RowId> bootstrap_rows(std::int64_t n_rows, std::uint64_t seed, std::int64_t repeat);

/// Refits on bootstrapped rows and compares the trees with the one of all rows. The result does not depend on
/// threads.
Stability stability(const Model& model, const Table& table, const StabilityOptions& options = {},
                    const Execution& execution = {});
std::string to_json(const Stability& result);
std::string to_text(const Stability& result);

struct LeaveOneOutOptions {
  std::size_t most_models = 20;  ///< changed trees that are kept, for pictures
  RefitOptions refit{};
};

/// A tree that comes of leaving a row out, and the rows that lead to it.
struct ChangedTree {
  std::vector<std::int64_t> rows;  ///< from 0, rising
  bool structure = false;          ///< a column changed, a leaf grew or a test fell; else only cuts moved
  std::int64_t answers = 0;        ///< rows of the table that are answered differently (first of `rows`)
  std::vector<NodeDifference> differences;  ///< from the root down, twenty at most
  std::optional<Model> model;               ///< for the first most_models of the list
};

struct LeaveOneOut {
  std::int64_t first_row = 1;  ///< what texts and pictures call the first row; numbers here are from 0
  std::int64_t n_rows = 0;
  std::int64_t refits = 0;                         ///< rows that are equal in every cell need only one
  bool reproduced = false;                         ///< the refit to all rows is the model's tree
  std::vector<std::int64_t> failed;                ///< rows without which nothing can be fitted
  std::string failure;                             ///< why, for the first of them
  std::optional<Model> before;                     ///< the tree of all rows
  std::vector<ChangedTree> changed;                ///< structure first, then what changes nearest to the root
  [[nodiscard]] std::int64_t n_structure() const;  ///< rows whose removal changes the structure
  [[nodiscard]] std::int64_t n_cuts() const;       ///< rows whose removal moves only cuts
};

/// One refit per row, without it.
LeaveOneOut leave_one_out(const Model& model, const Table& table, const LeaveOneOutOptions& options = {},
                          const Execution& execution = {});
std::string to_json(const LeaveOneOut& result);
/// `most`: changed trees that are listed.
std::string to_text(const LeaveOneOut& result, std::size_t most = 20);

/// Mean of paired differences with Student's test of whether it is 0.
struct PairedTest {
  double mean = 0.0;
  double standard_error = 0.0;
  double t = 0.0;  ///< 0 when all differences are 0; infinite when they are all equal and not 0
  double freedom = 0.0;
  double p = 1.0;
  double low = 0.0;  ///< interval of the mean
  double high = 0.0;
  double confidence = 0.95;
};

struct RotationOptions {
  std::vector<double> angles{15.0, 30.0, 45.0};  ///< degrees
  std::string planes =
      "pairs";  ///< pairs: of columns, drawn anew in every repeat; random: planes of any direction
  std::int32_t folds = 5;
  std::int32_t repeats = 3;
  std::uint64_t seed = 0;
  RefitOptions refit{};
};

struct RotationScore {
  double angle = 0.0;
  double mean = 0.0;
  double leaves = 0.0;         ///< mean number of leaves
  std::vector<double> scores;  ///< repeat after repeat, fold after fold
  PairedTest difference;       ///< from the columns as they are (corrected resampled t-test)
};

struct RotationStudy {
  std::string measure;  ///< accuracy or rmse, mean over the targets
  std::string planes;
  std::int32_t folds = 0;
  std::int32_t repeats = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> turned;  ///< numeric columns without missing cells, standardised
  std::vector<std::string> left;    ///< columns that stay as they are
  RotationScore before;             ///< angle 0
  std::vector<RotationScore> after;
};

/// Cross-validated scores of the model's parameters with the numeric columns turned against each other. A
/// tree cuts along columns, so its score depends on how they lie; a method that does not care about rotation
/// would keep its score.
RotationStudy rotation(const Model& model, const Table& table, const RotationOptions& options = {},
                       const Execution& execution = {});
std::string to_json(const RotationStudy& result);
std::string to_text(const RotationStudy& result);

}  // namespace bough
