// SPDX-License-Identifier: Apache-2.0
// Effects of rows, and how sure they are.
#include <fmt/format.h>

#include "base/distributions.hpp"
#include "bough/causal.hpp"
#include "bough/intervals.hpp"
#include "model/effect_interval.hpp"

namespace bough {
namespace {

const std::vector<double>& extra(const Tree& tree, const char* name) {
  const auto found = tree.extras().find(name);
  if (found != tree.extras().end()) return found->second;
  throw Error(ErrorCode::bad_model, fmt::format("the tree does not know its {}", name),
              "the model was changed after it was fitted; fit it again");
}

void require_causal(const Model& model, const char* what) {
  if (is_causal(model)) return;
  throw Error(ErrorCode::bad_params, fmt::format("{} need a model that was fitted with a treatment", what),
              "name the column of the treatment when fitting");
}

// Per node; the standard error, and half the length of the interval.
struct NodeIntervals {
  std::vector<double> error;
  std::vector<double> half;
};

NodeIntervals node_intervals(const Tree& tree, double coverage) {
  NodeIntervals out;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const std::optional<NodeEffect> effect = node_effect(tree, node, coverage);
    if (!effect)
      throw Error(ErrorCode::bad_model, "the tree does not know the errors of its effects",
                  "the model was changed after it was fitted; fit it again");
    out.error.push_back(effect->error);
    out.half.push_back(effect->half);
  }
  return out;
}

// Normal, around the forest's effect, with the standard errors of little bags.
EffectIntervals forest_intervals(const Model& model, const Table& rows, double coverage,
                                 const Execution& execution) {
  if (model.params().forest == 0)
    throw Error(ErrorCode::not_supported, "the effects of two cross-fitted trees depend on each other",
                "fit without cross_fit, or a forest with little_bags");
  const std::vector<double> effect = model.predict(rows, execution);
  EffectIntervals out;
  out.standard_error = predict_std_error(model, rows, 0, execution);
  const double z = normal_quantile(0.5 + coverage / 2.0);
  for (std::size_t i = 0; i < effect.size(); ++i) {
    out.low.push_back(effect[i] - z * out.standard_error[i]);
    out.high.push_back(effect[i] + z * out.standard_error[i]);
  }
  return out;
}

void check_honesty(const Model& model) {
  if (has_honest_effects(model.params())) return;
  throw Error(
      ErrorCode::not_supported,
      "the same rows chose the splits and estimated the effects, so intervals around them would be too short",
      "fit an honest tree (set honest), or a propensity tree (causal_split=propensity)");
}

}  // namespace

Effects effects(const Model& model, const Table& rows, const Execution& execution) {
  require_causal(model, "effects");
  Effects out;
  out.effect = model.predict(rows, execution);
  out.treated_mean.assign(out.effect.size(), 0.0);
  out.control_mean.assign(out.effect.size(), 0.0);
  const double share = 1.0 / static_cast<double>(model.trees().size());
  for (std::size_t t = 0; t < model.trees().size(); ++t) {
    const auto& treated = extra(model.trees()[t], "treated_mean");
    const auto& control = extra(model.trees()[t], "control_mean");
    const std::vector<NodeId> leaves = model.apply(rows, t, execution);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      out.treated_mean[i] += share * treated[static_cast<std::size_t>(leaves[i])];
      out.control_mean[i] += share * control[static_cast<std::size_t>(leaves[i])];
    }
  }
  return out;
}

EffectIntervals effect_intervals(const Model& model, const Table& rows, double coverage,
                                 const Execution& execution) {
  require_causal(model, "intervals of effects");
  if (!(coverage > 0.0 && coverage < 1.0))
    throw Error(ErrorCode::bad_params,
                fmt::format("the coverage of an interval must lie between 0 and 1, but is {}", coverage),
                "0.9 covers nine in ten");
  check_honesty(model);
  if (model.trees().size() > 1) return forest_intervals(model, rows, coverage, execution);
  const NodeIntervals nodes = node_intervals(model.tree(), coverage);
  const std::vector<double> effect = model.predict(rows, execution);
  const std::vector<NodeId> leaves = model.apply(rows, 0, execution);
  EffectIntervals out;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto leaf = static_cast<std::size_t>(leaves[i]);
    out.low.push_back(effect[i] - nodes.half[leaf]);
    out.high.push_back(effect[i] + nodes.half[leaf]);
    out.standard_error.push_back(nodes.error[leaf]);
  }
  return out;
}

}  // namespace bough
