// SPDX-License-Identifier: Apache-2.0
// Models: fit, predict, save, load.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/cp.hpp"
#include "bough/params.hpp"
#include "bough/search_proof.hpp"
#include "bough/table.hpp"
#include "bough/tree.hpp"

namespace bough {

/// Version of the library ("0.1.0").
std::string_view version() noexcept;

/// How far a long job is.
struct Progress {
  std::string_view stage;  ///< "encode", "grow", ...
  double fraction = 0.0;   ///< of the stage, 0 to 1
  std::int64_t nodes = 0;  ///< nodes made so far
};

/// How a job runs; nothing here changes a result.
struct Execution {
  int threads = 0;  ///< 0: all cores
  /// Called from the calling thread or a worker, one call at a time, some ten times a second. Returning false cancels
  /// the job: it throws Error{cancelled} and leaves nothing behind.
  std::function<bool(const Progress&)> progress{};
  /// Which search engine runs: "auto", "lists", "refine", "frugal" (refine with hardly any room for histograms),
  /// "presorted", "ranked", "sparse". For tests and measurements.
  std::string engine = "auto";
};

/// How cross-validation divides the rows. A column that is named here is no feature.
struct FoldSpec {
  enum class Kind : std::uint8_t {
    stratified,  ///< drawn by the seed, class by class
    grouped,     ///< rows of equal `column` stay together
    ordered,  ///< in time: by `column` (empty: as the rows come); a fold is judged by trees grown on earlier rows
    given  ///< every value of `column` is a fold
  };
  Kind kind = Kind::stratified;
  std::string column{};
};

/// Which columns play which part.
struct FitSpec {
  std::vector<std::string> targets{};
  std::string weight{};  ///< column of row weights, or empty
  std::vector<std::string> ignored{};
  std::vector<ColumnSpec> columns{};  ///< kinds and orders the user wants
  FoldSpec folds{};                   ///< how pruning by cross-validation divides the rows
  std::string treatment{};            ///< column that says which rows were treated, or empty
};

/// Where a model came from.
struct Provenance {
  std::string library_version;
  std::string command;    ///< command line or call that made it, may be empty
  std::string data_hash;  ///< xxhash of the training cells
  std::int64_t n_rows = 0;
  std::string engine = "lists";    ///< never part of equality of models
  std::vector<std::string> notes;  ///< warnings given while fitting, heuristics used
  bool operator==(const Provenance&) const = default;
};

/// What cross-validation found about the trees of a cost-complexity path: one row per price, prices rising.
struct PruningTable {
  std::vector<double> alphas;           ///< cost per leaf from which the tree of the row is the best
  std::vector<NodeId> n_leaves;         ///< of the tree grown on all rows and pruned at that price
  std::vector<double> errors;           ///< mean error of the rows that the fold's tree has not seen
  std::vector<double> standard_errors;  ///< of that mean
  std::size_t chosen = 0;               ///< the row whose tree is in the model
  std::int32_t folds = 0;
  std::string risk;     ///< impurity or error, as pruning_risk
  std::string rule;     ///< min or one_se, as pruning_rule
  std::string measure;  ///< what an error is: class_error, squared_error, absolute_error, pinball
  bool operator==(const PruningTable&) const = default;
};

/// How the trees of a model answer together.
enum class Combine : std::uint8_t { single, mean, vote };

/// Ids of the nodes every row passes: row i owns nodes[starts[i] .. starts[i + 1]).
struct DecisionPaths {
  std::vector<std::int64_t> starts;
  std::vector<NodeId> nodes;
};

class Predictor;
class PredictorCache;

/// A fitted model: trees, the schema they were grown on, the parameters, and where it all came from.
/// Immutable and safe to share between threads.
class Model {
 public:
  struct Parts {
    std::vector<Tree> trees;
    Combine combine = Combine::single;
    Schema features;  ///< feature fields, in the order of the trees' column indices
    Schema targets;   ///< target fields; class labels are their levels
    Params params;
    std::string criterion;  ///< the criterion that was used (auto resolved)
    Task task = Task::classification;
    Provenance provenance;
    std::optional<PruningTable> pruning_table{};  ///< when cross-validation chose the cost per leaf
    std::optional<SearchProof> search{};          ///< when the tree was searched beyond greedy growing
    std::vector<CpRow> cp_table;  ///< cross-validated (cross_validate_cp); empty: not asked for
    /// Empty, or the field of the treatment: two levels, the second one treated. Values of nodes are effects then.
    Schema treatment{};
    /// Further arrays of numbers by name, where answers need more than the trees know.
    std::map<std::string, std::vector<double>> extras{};
  };
  explicit Model(Parts parts);  ///< checks every tree against the schema; throws bad_model

  [[nodiscard]] Task task() const noexcept { return parts_->task; }
  [[nodiscard]] std::span<const Tree> trees() const noexcept { return parts_->trees; }
  [[nodiscard]] const Tree& tree() const { return parts_->trees.front(); }
  [[nodiscard]] const Schema& features() const noexcept { return parts_->features; }
  [[nodiscard]] const Schema& targets() const noexcept { return parts_->targets; }
  [[nodiscard]] const Params& params() const noexcept { return parts_->params; }
  [[nodiscard]] const Parts& parts() const noexcept { return *parts_; }
  [[nodiscard]] std::size_t n_outputs() const noexcept { return parts_->targets.fields.size(); }
  /// Number of levels of every feature (0 for numeric), as Tree::check and Tree::box want it.
  [[nodiscard]] std::vector<std::uint32_t> n_levels() const;

  /// Values, row after row: regression gives n_outputs numbers per row, classification the class index per output.
  [[nodiscard]] std::vector<double> predict(const Table& rows, const Execution& execution = {}) const;
  /// Class labels as text, row after row (classification), or numbers printed shortest (regression).
  [[nodiscard]] std::vector<std::string> predict_labels(const Table& rows,
                                                        const Execution& execution = {}) const;
  /// Class probabilities of one output, row after row.
  [[nodiscard]] std::vector<double> predict_proba(const Table& rows, std::size_t output = 0,
                                                  const Execution& execution = {}) const;
  /// Natural logarithms of them (-inf for 0).
  [[nodiscard]] std::vector<double> predict_log_proba(const Table& rows, std::size_t output = 0,
                                                      const Execution& execution = {}) const;
  /// Leaf of every row in one tree.
  [[nodiscard]] std::vector<NodeId> apply(const Table& rows, std::size_t tree = 0,
                                          const Execution& execution = {}) const;
  /// The same for a matrix whose columns are the features in the model's order, read where it lies. Cells of ordinal
  /// and category features are level indices (-1: unseen); NaN is missing. `out` holds what the others return. Throws
  /// bad_data when sizes do not fit.
  void predict(const MatrixView& rows, std::span<double> out, const Execution& execution = {}) const;
  void predict_proba(const MatrixView& rows, std::size_t output, std::span<double> out,
                     const Execution& execution = {}) const;
  void apply(const MatrixView& rows, std::size_t tree, std::span<NodeId> out,
             const Execution& execution = {}) const;
  /// One row of such cells, on the calling thread: n_outputs numbers into `out`.
  void predict_row(std::span<const double> cells, std::span<double> out) const;
  void predict_row(std::span<const float> cells, std::span<double> out) const;
  [[nodiscard]] DecisionPaths decision_path(const Table& rows, std::size_t tree = 0) const;
  /// Impurity-based importance per feature, summing to 1 (all 0 for a single leaf).
  [[nodiscard]] std::vector<double> importances() const;

  /// Writes atomically: a temporary file beside `path`, synced, then renamed. `.json` writes the JSON twin.
  void save(const std::string& path) const;
  static Model load(const std::string& path);
  [[nodiscard]] std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);
  [[nodiscard]] std::string to_json() const;
  static Model from_json(std::string_view text);

  /// The model ready to answer, made when first asked for (src/model/predictor.hpp).
  [[nodiscard]] const Predictor& predictor() const;

 private:
  std::shared_ptr<const Parts> parts_;
  std::shared_ptr<PredictorCache> predictor_;
};

/// Grows a model on a table. Throws bad_data or bad_params with every problem found.
Model fit(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution = {});
/// With the default parameters. (Not a default argument: g++ 12 warns of it in the code of callers.)
Model fit(const Table& table, const FitSpec& spec);

/// The tree as indented text, at most `max_depth` levels (-1: all).
std::string to_text(const Model& model, int max_depth = -1);

}  // namespace bough
