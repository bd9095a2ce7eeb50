// SPDX-License-Identifier: Apache-2.0
// Calibration and leaf samples: measured while fitting, kept as arrays of the model, checked when read.
#include "model/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "model/bag.hpp"
#include "model/divide_rows.hpp"
#include "model/honest.hpp"
#include "model/prune_rows.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kCalibrationSalt = 0xca11b;
constexpr const char* kCalibrationOf = "calibration_of";  // nodes of all trees, rows
constexpr const char* kScores = "calibration_scores";
constexpr const char* kNodes = "calibration_nodes";
constexpr const char* kTargets = "sample_targets";
constexpr const char* kStarts = "sample_starts";
constexpr const char* kRows = "sample_rows";
constexpr const char* kWeights = "sample_weights";

double count_nodes(const Model::Parts& parts) {
  double n = 0.0;
  for (const Tree& tree : parts.trees) n += static_cast<double>(tree.n_nodes());
  return n;
}

[[noreturn]] void refuse_changed(std::string_view what, const char* hint) {
  throw Error(ErrorCode::bad_model, fmt::format("the {} of the model does not fit its trees", what), hint);
}
constexpr const char* kCalibrateAgain =
    "the trees were changed since, or the file was altered: calibrate again";
constexpr const char* kFitAgain =
    "the trees were changed since, or the file was altered: fit again with leaf_samples";

const std::vector<double>* find(const Model::Parts& parts, const char* name) {
  const auto found = parts.extras.find(name);
  return found == parts.extras.end() ? nullptr : &found->second;
}

bool is_index(double value, double below) {
  return value >= 0.0 && value < below && value == std::floor(value);
}

// The rows that give the nodes of a tree their values, and all rows with a weight for plain trees.
std::vector<RowId> rows_of_tree(const Params& params, std::size_t tree, const Prepared& prepared,
                                std::size_t n_rows) {
  if (!params.honest) return prepared.values.rows;
  const auto classes =
      std::span(prepared.values.classes).first(params.honest_stratify ? prepared.values.classes.size() : 0);
  std::vector<double> weights = params.forest > 0
                                    ? bag_weights(params, tree, prepared.values, prepared.weights, n_rows)
                                    : prepared.weights;
  std::vector<RowId> rows;
  for (std::size_t row = 0; row < n_rows; ++row)
    if (weights.empty() || weights[row] > 0.0) rows.push_back(static_cast<RowId>(row));
  const std::uint64_t key =
      params.forest > 0 ? tree_key(params, tree) : static_cast<std::uint64_t>(params.seed);
  const std::vector<char> estimates = divide_rows(rows, n_rows, classes, params.honest_fraction, key);
  const bool exchanged = params.forest == 0 && tree == 1;
  std::erase_if(rows, [&](RowId row) { return (estimates[row] != 0) == exchanged; });
  return rows;
}

}  // namespace

std::optional<Calibration> read_calibration(const Model::Parts& parts) {
  const auto* of = find(parts, kCalibrationOf);
  if (of == nullptr) return std::nullopt;
  const auto *scores = find(parts, kScores), *nodes = find(parts, kNodes);
  const auto refuse = [] { refuse_changed("calibration", kCalibrateAgain); };
  if (of->size() != 2 || scores == nullptr || (*of)[0] != count_nodes(parts)) refuse();
  const double width = static_cast<double>(parts.targets.fields.size());
  if (!is_index((*of)[1], 0x1p32) || static_cast<double>(scores->size()) != (*of)[1] * width) refuse();
  Calibration out{static_cast<std::size_t>((*of)[1]), *scores, {}};
  if (out.n_rows == 0 ||
      std::any_of(scores->begin(), scores->end(), [](double s) { return !(s >= 0.0) || std::isinf(s); }))
    refuse();
  if ((nodes != nullptr) != (parts.trees.size() == 1)) refuse();
  if (nodes == nullptr) return out;
  if (nodes->size() != out.n_rows) refuse();
  for (const double node : *nodes) {
    if (!is_index(node, (*of)[0])) refuse();
    out.nodes.push_back(static_cast<NodeId>(node));
  }
  return out;
}

void write_calibration(Model::Parts& parts, const Calibration& calibration) {
  parts.extras[kCalibrationOf] = {count_nodes(parts), static_cast<double>(calibration.n_rows)};
  parts.extras[kScores] = calibration.scores;
  parts.extras.erase(kNodes);
  if (parts.trees.size() == 1)
    parts.extras[kNodes] = std::vector<double>(calibration.nodes.begin(), calibration.nodes.end());
}

std::optional<LeafSamples> read_leaf_samples(const Model::Parts& parts) {
  const auto* targets = find(parts, kTargets);
  if (targets == nullptr) return std::nullopt;
  const auto *starts = find(parts, kStarts), *rows = find(parts, kRows), *weights = find(parts, kWeights);
  const auto refuse = [] { refuse_changed("leaf sample", kFitAgain); };
  if (starts == nullptr || rows == nullptr || parts.targets.fields.size() != 1 ||
      parts.task != Task::regression)
    refuse();
  if (static_cast<double>(starts->size()) != count_nodes(parts) + 1.0 || targets->empty()) refuse();
  const auto n = static_cast<double>(targets->size()), n_kept = static_cast<double>(rows->size());
  if (!std::is_sorted(targets->begin(), targets->end()) || !std::is_sorted(starts->begin(), starts->end()))
    refuse();
  if (std::any_of(targets->begin(), targets->end(), [](double y) { return !std::isfinite(y); })) refuse();
  if (starts->front() != 0.0 || starts->back() != n_kept) refuse();
  LeafSamples out;
  out.targets = *targets;
  for (const double start : *starts) {
    if (!is_index(start, n_kept + 1.0)) refuse();
    out.starts.push_back(static_cast<std::size_t>(start));
  }
  for (const double row : *rows) {
    if (!is_index(row, n)) refuse();
    out.rows.push_back(static_cast<std::uint32_t>(row));
  }
  if (weights != nullptr) {
    const bool fit =
        weights->size() == targets->size() &&
        std::all_of(weights->begin(), weights->end(), [](double w) { return w > 0.0 && std::isfinite(w); });
    if (!fit) refuse();
    out.weights = *weights;
  }
  std::size_t first = 0;
  for (const Tree& tree : parts.trees) {
    out.first_of_tree.push_back(first);
    first += static_cast<std::size_t>(tree.n_nodes());
  }
  return out;
}

void keep_leaf_samples(Model::Parts& parts, const Table& table, const Prepared& prepared) {
  if (!parts.params.leaf_samples) return;
  if (parts.task == Task::classification || !parts.treatment.fields.empty() ||
      prepared.values.numbers.size() != 1)
    throw Error(ErrorCode::not_supported, "leaf_samples keeps the values of one number target",
                "leave it out, or fit one model for each target");
  const std::vector<double>& raw = prepared.values.numbers.front().raw;
  const bool weighted = !prepared.weights.empty();
  const auto sample = [&](RowId row) { return std::pair(raw[row], weighted ? prepared.weights[row] : 1.0); };
  std::vector<RowId> order = prepared.values.rows;
  std::sort(order.begin(), order.end(), [&](RowId a, RowId b) { return sample(a) < sample(b); });
  std::vector<double> place(raw.size(), 0.0), targets, weights, starts, rows;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Rows that are alike share a place, so that the order of rows changes nothing.
    if (i == 0 || sample(order[i - 1]) != sample(order[i])) {
      targets.push_back(raw[order[i]]);
      if (weighted) weights.push_back(prepared.weights[order[i]]);
    }
    place[order[i]] = static_cast<double>(targets.size() - 1);
  }
  const EndFinder finder(table, prepared.features, parts.trees.size());
  for (std::size_t t = 0; t < parts.trees.size(); ++t) {
    const Tree& tree = parts.trees[t];
    const std::vector<RowId> own = rows_of_tree(parts.params, t, prepared, raw.size());
    const NodeRows by_node(tree, own, finder.ends(tree, own));
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      starts.push_back(static_cast<double>(rows.size()));
      const std::size_t first = rows.size();
      for (const RowId row : by_node.ending(node)) rows.push_back(place[row]);
      std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end());
    }
  }
  starts.push_back(static_cast<double>(rows.size()));
  parts.extras[kTargets] = std::move(targets);
  parts.extras[kStarts] = std::move(starts);
  parts.extras[kRows] = std::move(rows);
  if (!weights.empty()) parts.extras[kWeights] = std::move(weights);
}

std::vector<RowId> hold_for_calibration(Prepared& prepared, const Params& params, std::size_t n_rows) {
  if (!(params.calibration_fraction > 0.0)) return {};
  const std::vector<char> held =
      divide_rows(prepared.values.rows, n_rows, prepared.values.classes, params.calibration_fraction,
                  mix(static_cast<std::uint64_t>(params.seed), kCalibrationSalt));
  std::vector<RowId> rows;
  for (const RowId row : prepared.values.rows)
    if (held[row]) rows.push_back(row);
  if (rows.empty() || rows.size() == prepared.values.rows.size())
    throw Error(
        ErrorCode::bad_data,
        fmt::format("calibration_fraction={} of {} rows leaves none to {}", params.calibration_fraction,
                    prepared.values.rows.size(), rows.empty() ? "calibrate with" : "train on"),
        "change calibration_fraction, or give more rows");
  if (prepared.weights.empty()) prepared.weights.assign(n_rows, 1.0);
  for (const RowId row : rows) prepared.weights[row] = 0.0;
  if (!prepared.case_weights.empty())
    for (const RowId row : rows) prepared.case_weights[row] = 0.0;
  Targets values;
  values.classes = std::move(prepared.values.classes);
  values.treated = std::move(prepared.values.treated);
  for (NumberTarget& target : prepared.values.numbers)
    values.numbers.push_back({std::move(target.raw), {}, 0});
  to_fixed_point(values, prepared.weights, static_cast<std::int64_t>(n_rows));
  prepared.values = std::move(values);
  return rows;
}

Model finish_model(Model::Parts parts, const Table& table, const Prepared& prepared,
                   std::span<const RowId> held, const Execution& execution) {
  keep_leaf_samples(parts, table, prepared);
  Model model(std::move(parts));
  return held.empty() ? model : measure_errors(model, table.take(held), {}, execution);
}

Model measure_errors(const Model& model, const Table& table, const std::string& weight,
                     const Execution& execution) {
  if (!model.parts().treatment.fields.empty())
    throw Error(ErrorCode::not_supported,
                "no single row shows the effect of a treatment, so it cannot be calibrated",
                "use the intervals of effects");
  const PruneRows truth = read_prune_rows(model, table, weight, "calibrate");
  const std::size_t width = model.n_outputs(), n = static_cast<std::size_t>(table.n_rows());
  std::vector<double> errors(n * width);
  if (model.task() == Task::regression) {
    errors = model.predict(table, execution);
    for (std::size_t i = 0; i < errors.size(); ++i)
      errors[i] = std::fabs(truth.numbers[i % width][i / width] - errors[i]);
  } else {
    for (std::size_t o = 0; o < width; ++o) {
      const std::vector<double> shares = model.predict_proba(table, o, execution);
      const std::size_t classes = model.targets().fields[o].levels.size();
      for (std::size_t row = 0; row < n; ++row)
        errors[row * width + o] = 1.0 - shares[row * classes + truth.classes[o][row]];
    }
  }
  const std::vector<NodeId> leaves =
      model.trees().size() == 1 ? model.apply(table, 0, execution) : std::vector<NodeId>();
  Calibration calibration;
  for (std::size_t row = 0; row < n; ++row) {
    if (!truth.weights.empty() && truth.weights[row] <= 0.0) continue;
    for (std::size_t o = 0; o < width; ++o) {
      const double error = errors[row * width + o];
      if (!std::isfinite(error))
        throw Error(ErrorCode::bad_data, fmt::format("the model has no answer for row {}", row + 1),
                    "leave the row out, or fit with another honest_prior than ignore");
      calibration.scores.push_back(std::max(0.0, error));
    }
    if (!leaves.empty()) calibration.nodes.push_back(leaves[row]);
    ++calibration.n_rows;
  }
  Model::Parts parts = model.parts();
  write_calibration(parts, calibration);
  return Model(std::move(parts));
}

}  // namespace bough
