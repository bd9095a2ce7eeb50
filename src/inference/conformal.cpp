// SPDX-License-Identifier: Apache-2.0
// Split conformal prediction: intervals and sets that hold a new target with the coverage asked for.
//
// Of m calibration rows and a new one, all drawn alike, the new row's error is among the k smallest of the m
// + 1 with a chance of at least k / (m + 1). So the k-th smallest error of the calibration rows, k =
// ceil(coverage * (m + 1)), bounds it with the coverage; where k > m nothing does, and the interval is
// everything (Vovk, Gammerman and Shafer 2005).
//
// By leaf the same is done inside a group of rows (Mondrian). Groups are nodes of the tree, found from the
// root down: a node is left for the child on the row's way as long as all its children hold at least least +
// 1 of the m + 1 rows, where `least` rows are the fewest that bound anything. Counting the new row among them
// makes the division into groups a function of all m + 1 rows in which none is special, and it looks at no
// target: inside a group the argument above holds exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bough/intervals.hpp"
#include "model/calibration.hpp"
#include "predict/leaf_rows.hpp"

namespace bough {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Of m + 1 rows: the error of the k-th smallest bounds the new one. Products like 0.9 * 10 may be off by an
// ulp.
std::size_t rank(double coverage, std::size_t m) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(coverage * (static_cast<double>(m) + 1.0) - 1e-9)));
}

double bound(std::vector<double> scores, double coverage) {
  const std::size_t k = rank(coverage, scores.size());
  if (k > scores.size()) return kInf;
  const auto at = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(scores.begin(), at, scores.end());
  return *at;
}

void check_coverage(double coverage) {
  if (coverage > 0.0 && coverage < 1.0) return;
  throw Error(ErrorCode::bad_params, fmt::format("a coverage of {} was asked for", coverage),
              "coverage is between 0 and 1, 0.9 for example");
}

Calibration need_calibration(const Model& model) {
  if (auto calibration = read_calibration(model.parts())) return std::move(*calibration);
  throw Error(ErrorCode::not_supported,
              "the model was not calibrated, so nothing is known about its errors on new rows",
              "fit with calibration_fraction, or calibrate it with rows it has not seen");
}

// The bound of errors per row and output.
class Bounds {
 public:
  Bounds(const Model& model, const Table& table, double coverage, CalibrateBy by, const Execution& execution)
      : model_(model), calibration_(need_calibration(model)), coverage_(coverage), width_(model.n_outputs()) {
    check_coverage(coverage);
    if (by == CalibrateBy::all) {
      all_ = bounds_of(calibration_.scores);
      return;
    }
    if (model.trees().size() != 1)
      throw Error(ErrorCode::not_supported,
                  fmt::format("errors by leaf are for one tree, the model has {}", model.trees().size()),
                  "use the errors of all calibration rows");
    find_groups();
    leaves_ = model.apply(table, 0, execution);
  }

  [[nodiscard]] double at(std::size_t row, std::size_t output) {
    if (leaves_.empty()) return all_[output];
    const NodeId group = groups_[static_cast<std::size_t>(leaves_[row])];
    auto found = of_group_.find(group);
    if (found == of_group_.end()) found = of_group_.emplace(group, group_bounds(group)).first;
    return found->second[output];
  }

 private:
  [[nodiscard]] std::vector<double> bounds_of(std::span<const double> scores) const {
    std::vector<double> out(width_);
    for (std::size_t o = 0; o < width_; ++o) {
      std::vector<double> own;
      own.reserve(scores.size() / width_);
      for (std::size_t i = o; i < scores.size(); i += width_) own.push_back(scores[i]);
      out[o] = bound(std::move(own), coverage_);
    }
    return out;
  }

  void find_groups() {
    const Tree& tree = model_.tree();
    const auto n_nodes = static_cast<std::size_t>(tree.n_nodes());
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (!tree.is_leaf(node) &&
          (tree.missing_to(node) == missing_stops || tree.missing_to(node) == missing_by_share ||
           tree.missing_to(node) == missing_surrogate_or_stops))
        throw Error(ErrorCode::not_supported,
                    "errors by leaf are for trees whose rows all end whole in leaves",
                    "use the errors of all calibration rows");
    std::size_t least = 1;
    while (rank(coverage_, least) > least) ++least;
    past_ = subtree_ends(tree);
    before_.assign(n_nodes + 1, 0);
    for (const NodeId node : calibration_.nodes) ++before_[static_cast<std::size_t>(node) + 1];
    for (std::size_t i = 1; i <= n_nodes; ++i) before_[i] += before_[i - 1];
    // In preorder: groups_[node] is the group of rows whose way leads to the node; it is the node itself
    // where the way may go on.
    groups_.assign(n_nodes, 0);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      const bool open = groups_[static_cast<std::size_t>(node)] == node;
      const auto children = tree.children(node);
      const auto small =
          std::count_if(children.begin(), children.end(), [&](NodeId c) { return count(c) < least + 1; });
      for (const NodeId child : children) {
        const bool own_small = count(child) < least + 1;
        const bool goes_on = open && small == (own_small ? 1 : 0) && count(child) + 1 >= least + 1;
        groups_[static_cast<std::size_t>(child)] = goes_on ? child : groups_[static_cast<std::size_t>(node)];
      }
    }
    order_.resize(calibration_.nodes.size());
    std::vector<std::size_t> next(before_.begin(), before_.end() - 1);
    for (std::size_t i = 0; i < order_.size(); ++i)
      order_[next[static_cast<std::size_t>(calibration_.nodes[i])]++] = i;
  }

  [[nodiscard]] std::size_t count(NodeId node) const {
    const auto i = static_cast<std::size_t>(node);
    return before_[static_cast<std::size_t>(past_[i])] - before_[i];
  }

  [[nodiscard]] std::vector<double> group_bounds(NodeId group) const {
    std::vector<double> scores;
    const auto i = static_cast<std::size_t>(group);
    for (std::size_t k = before_[i]; k < before_[static_cast<std::size_t>(past_[i])]; ++k)
      for (std::size_t o = 0; o < width_; ++o) scores.push_back(calibration_.scores[order_[k] * width_ + o]);
    return bounds_of(scores);
  }

  const Model& model_;
  Calibration calibration_;
  double coverage_;
  std::size_t width_;
  std::vector<double> all_;  // per output
  std::vector<NodeId> leaves_, groups_, past_;
  std::vector<std::size_t> before_, order_;  // calibration rows that end in nodes before; rows by node
  std::map<NodeId, std::vector<double>> of_group_;
};

}  // namespace

Model calibrate(const Model& model, const Table& table, const std::string& weight,
                const Execution& execution) {
  return measure_errors(model, table, weight, execution);
}

std::int64_t calibration_rows(const Model& model) {
  const auto calibration = read_calibration(model.parts());
  return calibration ? static_cast<std::int64_t>(calibration->n_rows) : 0;
}

Intervals predict_interval(const Model& model, const Table& table, double coverage, CalibrateBy by,
                           const Execution& execution) {
  if (model.task() != Task::regression)
    throw Error(ErrorCode::not_supported, "classes have no prediction intervals", "use prediction sets");
  Bounds bounds(model, table, coverage, by, execution);
  const std::vector<double> centres = model.predict(table, execution);
  const std::size_t width = model.n_outputs();
  Intervals out{std::vector<double>(centres.size()), std::vector<double>(centres.size())};
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const double half = bounds.at(i / width, i % width);
    out.lower[i] = centres[i] - half;
    out.upper[i] = centres[i] + half;
  }
  return out;
}

std::vector<char> predict_set(const Model& model, const Table& table, double coverage, CalibrateBy by,
                              std::size_t output, const Execution& execution) {
  if (model.task() != Task::classification)
    throw Error(ErrorCode::not_supported, "prediction sets are of classes", "use prediction intervals");
  Bounds bounds(model, table, coverage, by, execution);
  const std::vector<double> shares = model.predict_proba(table, output, execution);
  const std::size_t width = model.targets().fields[output].levels.size();
  std::vector<char> out(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i)
    out[i] = 1.0 - shares[i] <= bounds.at(i / width, output) ? 1 : 0;
  return out;
}

}  // namespace bough
