// SPDX-License-Identifier: Apache-2.0
// Priors and losses as weights of classes (CART, section 4.4).
//
// With the prior p_c of class c, its share f_c of the weight and the loss L(c, d) of taking c for d, a row of
// class c counts p_c / f_c in the values of nodes, and a_c / f_c in the search, where a_c = p_c L_c / sum of
// p_d L_d and L_c = sum over d of L(c, d): losses enter the criterion as altered priors.
#include "model/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/fixed.hpp"
#include "base/text.hpp"

namespace bough {
namespace {

constexpr double kSumError = 1e-6;

std::vector<double> given_priors(const Params& params, const Levels& classes) {
  std::vector<double> priors;
  double sum = 0.0;
  for (const std::string& name : classes.names) {
    const auto found = params.priors.find(name);
    if (found == params.priors.end())
      throw Error(ErrorCode::bad_params, fmt::format("priors leave out the class '{}'", name),
                  fmt::format("name every class: {}", list_some(classes.names, 12)));
    priors.push_back(found->second);
    sum += found->second;
  }
  for (const auto& [name, prior] : params.priors)
    if (std::find(classes.names.begin(), classes.names.end(), name) == classes.names.end())
      throw Error(ErrorCode::bad_params, fmt::format("priors name '{}', which is not a class", name),
                  fmt::format("the classes are {}", list_some(classes.names, 12)));
  if (std::fabs(sum - 1.0) > kSumError)
    throw Error(ErrorCode::bad_params, fmt::format("the priors sum to {}, not to 1", number_text(sum)),
                "divide them by their sum");
  return priors;
}

// The sum of the losses of every class; 1 for all where none are given.
std::vector<double> class_losses(const Params& params, const Levels& classes) {
  const NumberGrid& loss = params.loss_matrix;
  if (loss.empty()) return std::vector<double>(classes.size(), 1.0);
  if (loss.size() != classes.size())
    throw Error(ErrorCode::bad_params,
                fmt::format("loss_matrix has {} rows, but there are {} classes", loss.size(), classes.size()),
                fmt::format("give a row and a column for each of {}", list_some(classes.names, 12)));
  std::vector<double> sums;
  for (std::size_t c = 0; c < loss.size(); ++c) {
    double sum = 0.0;
    for (const double cost : loss[c]) sum += cost;
    if (sum <= 0.0)
      throw Error(ErrorCode::bad_params,
                  fmt::format("loss_matrix has only zeros for the class '{}'", classes.names[c]),
                  "an error on every class must cost something, or it cannot be learned");
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

std::vector<double> class_shares(const ClassTarget& target, std::span<const double> weights) {
  // Integers: shares must not depend on the order of rows.
  const FixedWeights fixed = fix_weights(weights);
  std::vector<std::int64_t> sums(target.n_classes, 0);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < target.codes.size(); ++i) {
    const std::int64_t weight = weights.empty() ? 1 : fixed.values[i];
    sums[target.codes[i]] += weight;
    total += weight;
  }
  std::vector<double> shares;
  for (const std::int64_t sum : sums) shares.push_back(static_cast<double>(sum) / static_cast<double>(total));
  return shares;
}

void apply_priors(Prepared& prepared, const Params& params, std::vector<double>& weights) {
  prepared.value_scale.clear();
  if (params.priors.empty() && params.loss_matrix.empty()) return;
  if (prepared.task != Task::classification || prepared.values.classes.size() != 1)
    throw Error(ErrorCode::bad_params,
                fmt::format("{} is for classification with one target",
                            params.priors.empty() ? "loss_matrix" : "priors"),
                "drop it, or fit one model per target");
  const ClassTarget& target = prepared.values.classes.front();
  const Levels& classes = prepared.targets.fields.front().levels;
  const std::vector<double> shares = class_shares(target, weights);
  const std::vector<double> priors = params.priors.empty() ? shares : given_priors(params, classes);
  const std::vector<double> losses = class_losses(params, classes);
  double sum = 0.0;
  for (std::size_t c = 0; c < priors.size(); ++c) sum += priors[c] * losses[c];
  std::vector<double> search(priors.size(), 0.0), scale(priors.size(), 1.0);
  for (std::size_t c = 0; c < priors.size(); ++c) {
    if (shares[c] > 0.0) search[c] = priors[c] * losses[c] / sum / shares[c];
    scale[c] = sum / losses[c];
  }
  if (weights.empty()) weights.assign(target.codes.size(), 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= search[target.codes[i]];
  if (!params.loss_matrix.empty()) prepared.value_scale = std::move(scale);
}

Tree scale_values(const Tree& tree, std::span<const double> scale) {
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    NodeStats stats = builder.stats(node);
    stats.weight = 0.0;
    for (std::size_t c = 0; c < scale.size(); ++c) {
      stats.values[c] *= scale[c];
      stats.weight += stats.values[c];
    }
    builder.set_stats(node, stats);
  }
  return std::move(builder).finish();
}

}  // namespace bough
