// SPDX-License-Identifier: Apache-2.0
// Intervals of means: of the leaves of honest trees, and of honest forests by half-sampling.
//
// Forests (Sexton and Laake 2009; Athey, Tibshirani and Wager 2019): the trees of a group share one half of
// the rows. The variance of the groups' means is that of a forest of that half, plus that of a mean of l
// trees about it, which the trees inside the groups show: V = between - within / l. V may come out negative;
// it is taken as a normal estimate of a variance that is 0 or more with a flat prior there, and the mean of
// the posterior is what is used: V + s phi(V / s) / Phi(V / s), s = max(between, within / l) sqrt(2 /
// groups).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/distributions.hpp"
#include "bough/intervals.hpp"
#include "grow/estimate.hpp"
#include "predict/answer.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

void check_asked(const Model& model, double coverage, std::size_t output) {
  if (!(coverage > 0.0 && coverage < 1.0))
    throw Error(ErrorCode::bad_params, fmt::format("a coverage of {} was asked for", coverage),
                "coverage is between 0 and 1, 0.9 for example");
  if (model.task() == Task::classification && output >= model.n_outputs())
    throw Error(ErrorCode::bad_params,
                fmt::format("output {} was asked for, the model has {}", output, model.n_outputs()),
                "outputs are counted from 0");
}

// The numbers of a row: all outputs of a regression, or the classes of one output.
struct Part {
  std::size_t start = 0;
  std::size_t width = 0;
};

Part part_of_answer(const Model& model, std::size_t output) {
  if (model.task() == Task::regression) return {0, model.n_outputs()};
  Part part{0, model.tree().output_widths()[output]};
  for (std::size_t o = 0; o < output; ++o) part.start += model.tree().output_widths()[o];
  return part;
}

struct Ends {
  double low = kNaN;
  double high = kNaN;
};

Ends wilson(double share, double rows, double z) {
  const double s = z * z / rows, centre = (share + s / 2.0) / (1.0 + s);
  const double half = z * std::sqrt(share * (1.0 - share) / rows + s / (4.0 * rows)) / (1.0 + s);
  return {share <= 0.0 ? 0.0 : std::max(0.0, centre - half),
          share >= 1.0 ? 1.0 : std::min(1.0, centre + half)};
}

// Ends of the intervals of all nodes of an honest tree, by what its extras say about its rows.
class LeafMeans {
 public:
  LeafMeans(const Model& model, double coverage, std::size_t output)
      : model_(model), tree_(model.tree()), part_(part_of_answer(model, output)), coverage_(coverage) {
    const auto extra = [&](const std::string& name) {
      const auto found = tree_.extras().find(name);
      return found == tree_.extras().end() ? nullptr : &found->second;
    };
    rows_ = extra(std::string(kEffectiveRows));
    for (std::size_t o = 0; o < part_.width && model.task() == Task::regression; ++o)
      variances_.push_back(
          extra(o == 0 ? std::string(kMeanVariance) : fmt::format("{}_{}", kMeanVariance, o)));
    if (rows_ == nullptr || std::find(variances_.begin(), variances_.end(), nullptr) != variances_.end())
      throw Error(ErrorCode::not_supported, "the tree does not know how far its means vary",
                  "fit it with honest=true");
    parents_ = tree_.parents();
  }

  void write(NodeId node, std::span<Ends> out) const {
    const NodeId from = source(node);
    if (from < 0) {
      const bool uniform = model_.params().honest_prior == "uniform";
      std::fill(out.begin(), out.end(), uniform ? Ends{0.0, 1.0} : Ends{});
      return;
    }
    std::vector<double> values(tree_.value_width());
    tree_.values(from, values);
    const std::span<double> own = std::span(values).subspan(part_.start, part_.width);
    const double rows = (*rows_)[at(from)];
    if (model_.task() == Task::classification) {
      normalise(own);
      const double z = normal_quantile(0.5 + coverage_ / 2.0);
      for (std::size_t i = 0; i < own.size(); ++i) out[i] = wilson(own[i], rows, z);
      return;
    }
    const bool known = rows > 1.0 + 1e-9;
    const double t = known ? student_quantile(0.5 + coverage_ / 2.0, rows - 1.0) : 0.0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double half = known ? t * std::sqrt(std::max(0.0, (*variances_[i])[at(from)])) : kInf;
      out[i] = {own[i] - half, own[i] + half};
    }
  }

 private:
  // The node whose rows the node's answer comes from; -1: none.
  [[nodiscard]] NodeId source(NodeId node) const {
    const Params& params = model_.params();
    if (params.honest_method == "prune" || enough(node)) return node;
    if (params.honest_prior == "empirical") return 0;
    if (params.honest_prior != "ancestor") return -1;
    while (!enough(node)) node = parents_[at(node)];
    return node;
  }

  [[nodiscard]] bool enough(NodeId node) const {
    return answers_itself(tree_, node, model_.params().min_honest_rows,
                          model_.params().min_weight_fraction_leaf);
  }

  const Model& model_;
  const Tree& tree_;
  Part part_;
  double coverage_;
  const std::vector<double>* rows_ = nullptr;
  std::vector<const std::vector<double>*> variances_;  // per output
  std::vector<NodeId> parents_;
};

void check_leaf_means(const Model& model) {
  const std::string& criterion = model.parts().criterion;
  if (criterion == "absolute_error" || criterion == "quantile")
    throw Error(ErrorCode::not_supported, fmt::format("leaves of criterion {} answer no means", criterion),
                "fit with squared_error, or keep leaf_samples for quantiles");
  if (!model.parts().treatment.fields.empty())
    throw Error(ErrorCode::not_supported, "the leaves of this tree answer effects",
                "use the intervals of effects");
  if (!model.params().honest)
    throw Error(ErrorCode::not_supported,
                "the rows that gave the leaves their means also chose the splits, so no interval of the "
                "means is known",
                "fit with honest=true; intervals for a new target are known for every calibrated model");
  if (model.trees().size() > 1)
    throw Error(ErrorCode::not_supported, "the means of two cross-fitted trees depend on each other",
                "fit without cross_fit, or an honest forest with little_bags");
}

Intervals leaf_intervals(const Model& model, const Table& table, double coverage, std::size_t output,
                         const Execution& execution) {
  check_leaf_means(model);
  const Tree& tree = model.tree();
  const LeafMeans means(model, coverage, output);
  const std::size_t width = part_of_answer(model, output).width;
  const std::vector<NodeId> leaves = model.apply(table, 0, execution);
  std::vector<Ends> ends(at(tree.n_nodes()) * width);
  std::vector<bool> done(at(tree.n_nodes()), false);
  Intervals out{std::vector<double>(leaves.size() * width), std::vector<double>(leaves.size() * width)};
  for (std::size_t row = 0; row < leaves.size(); ++row) {
    const std::size_t leaf = at(leaves[row]);
    if (!done[leaf]) means.write(leaves[row], std::span(ends).subspan(leaf * width, width));
    done[leaf] = true;
    for (std::size_t i = 0; i < width; ++i) {
      out.lower[row * width + i] = ends[leaf * width + i].low;
      out.upper[row * width + i] = ends[leaf * width + i].high;
    }
  }
  return out;
}

// Mean of a normal with this mean and spread, cut off below 0.
double positive_mean(double mean, double spread) {
  if (!(spread > 0.0)) return std::max(0.0, mean);
  const double ratio = mean / spread;
  if (ratio < -30.0) return -spread / ratio;  // what the formula tends to
  constexpr double root_two_pi = 2.5066282746310005024;
  const double density = std::exp(-ratio * ratio / 2.0) / root_two_pi;
  return mean + spread * density / (0.5 * std::erfc(-ratio / std::sqrt(2.0)));
}

// Means of the groups met so far, and how far trees are apart inside them; one per number of a row.
struct GroupSums {
  double groups = 0.0;
  double mean = 0.0;
  double apart = 0.0;   // of group means about their mean
  double within = 0.0;  // variances inside groups, summed

  void add(std::span<const double> trees) {
    const auto l = static_cast<double>(trees.size());
    double sum = 0.0, squares = 0.0;
    for (const double value : trees) sum += value;
    const double centre = sum / l;
    if (std::isnan(centre)) return;  // a tree of the group answers nothing
    for (const double value : trees) squares += (value - centre) * (value - centre);
    groups += 1.0;
    const double gap = centre - mean;
    mean += gap / groups;
    apart += gap * (centre - mean);
    within += squares / (l - 1.0);
  }
  [[nodiscard]] double std_error(double l) const {
    if (groups < 2.0) return kNaN;
    const double between = apart / (groups - 1.0), noise = within / groups / l;
    return std::sqrt(positive_mean(between - noise, std::max(between, noise) * std::sqrt(2.0 / groups)));
  }
};

}  // namespace

std::vector<double> predict_std_error(const Model& model, const Table& table, std::size_t output,
                                      const Execution& execution) {
  check_asked(model, 0.5, output);
  const auto l = static_cast<std::size_t>(std::max(model.params().little_bags, 0));
  if (l < 2 || model.trees().size() % l != 0 || model.trees().size() / l < 2)
    throw Error(ErrorCode::not_supported,
                "standard errors take a forest whose trees share halves of the rows in groups",
                "fit an honest forest with little_bags=2");
  const Part part = part_of_answer(model, output);
  const auto n_rows = static_cast<std::size_t>(table.n_rows());
  const double extra = model.params().leaf_probability == "laplace" ? 1.0 : 0.0;
  std::vector<double> group(n_rows * part.width * l), one(model.tree().value_width());
  std::vector<GroupSums> sums(n_rows * part.width);
  for (std::size_t t = 0; t < model.trees().size(); ++t) {
    const Tree& tree = model.trees()[t];
    const std::vector<NodeId> leaves = model.apply(table, t, execution);
    for (std::size_t row = 0; row < n_rows; ++row) {
      node_weights(tree, leaves[row], extra, one);
      const std::span<double> own = std::span(one).subspan(part.start, part.width);
      if (model.task() == Task::classification) normalise(own);
      for (std::size_t i = 0; i < part.width; ++i) group[(row * part.width + i) * l + t % l] = own[i];
    }
    if (t % l != l - 1) continue;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(std::span(group).subspan(i * l, l));
  }
  std::vector<double> out(sums.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = sums[i].std_error(static_cast<double>(l));
  return out;
}

Intervals predict_mean_interval(const Model& model, const Table& table, double coverage, std::size_t output,
                                const Execution& execution) {
  check_asked(model, coverage, output);
  if (model.params().little_bags == 0 && model.params().forest > 0)
    throw Error(ErrorCode::not_supported,
                "the trees of this forest share no halves of the rows, so its spread is unknown",
                "fit an honest forest with little_bags=2");
  if (model.params().little_bags == 0) return leaf_intervals(model, table, coverage, output, execution);
  const bool classes = model.task() == Task::classification;
  const std::vector<double> centres =
      classes ? model.predict_proba(table, output, execution) : model.predict(table, execution);
  const std::vector<double> errors = predict_std_error(model, table, output, execution);
  const double z = normal_quantile(0.5 + coverage / 2.0);
  Intervals out{std::vector<double>(centres.size()), std::vector<double>(centres.size())};
  for (std::size_t i = 0; i < centres.size(); ++i) {
    out.lower[i] = centres[i] - z * errors[i];
    out.upper[i] = centres[i] + z * errors[i];
    if (!classes || std::isnan(errors[i])) continue;
    out.lower[i] = std::max(0.0, out.lower[i]);
    out.upper[i] = std::min(1.0, out.upper[i]);
  }
  return out;
}

}  // namespace bough
