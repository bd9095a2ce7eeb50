// SPDX-License-Identifier: Apache-2.0
// What a node predicts, in words.
#include "explain/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "bough/causal.hpp"
#include "bough/prune.hpp"
#include "grow/estimate.hpp"
#include "model/combine.hpp"
#include "model/effect_interval.hpp"
#include "predict/answer.hpp"

namespace bough {

// Classes such as 0 and 1, or true and false, say nothing without their column.
bool carries_column(const Field& target) {
  const auto alone = [](const std::string& name) {
    return parse_number(name).has_value() || name == "true" || name == "false" || name == "True" ||
           name == "False" || name == "TRUE" || name == "FALSE";
  };
  return !target.levels.names.empty() && std::ranges::all_of(target.levels.names, alone);
}

std::string class_words(const Field& target, std::size_t level) {
  const std::string name = shown_name(target.levels.names[level]);
  return carries_column(target) ? fmt::format("{} = {}", shown_name(target.name), name) : name;
}

std::string Outcome::plain() const {
  return shares.empty() ? number_text(value) : target->levels.names[static_cast<std::size_t>(value)];
}

std::string Outcome::shown(int digits) const {
  return shares.empty() ? shown_number(value, digits) : class_words(*target, static_cast<std::size_t>(value));
}

std::string Outcome::told(int digits) const {
  if (shares.empty()) return shown(digits);
  return fmt::format("{}{} {}", shown(digits), carries_column(*target) ? ":" : "",
                     shown_share(shares[static_cast<std::size_t>(value)]));
}

std::vector<Outcome> outcomes(const Model& model, const Tree& tree, std::span<const double> values) {
  std::vector<Outcome> all;
  std::size_t at = 0;
  for (std::size_t i = 0; i < tree.n_outputs(); ++i) {
    const std::span<const double> part = values.subspan(at, tree.output_widths()[i]);
    at += part.size();
    Outcome& outcome = all.emplace_back();
    outcome.target = &model.targets().fields[i];
    if (tree.task() == Task::classification) {
      outcome.shares.assign(part.begin(), part.end());
      normalise(outcome.shares);
      const auto& loss = model.params().loss_matrix;
      outcome.value = static_cast<double>(loss.empty() ? largest(part) : cheapest(part, loss));
    } else {
      outcome.value = part.front();
    }
  }
  return all;
}

std::vector<Outcome> outcomes(const Model& model, const Tree& tree, NodeId node) {
  std::vector<double> values(tree.value_width());
  node_weights(tree, node, extra_weight(model.parts()), values);
  return outcomes(model, tree, values);
}

namespace {

bool weighs_otherwise(const Tree& tree, NodeId node) {
  return std::fabs(tree.weight(node) - static_cast<double>(tree.n_rows(node))) > 1e-9 * tree.weight(node);
}

bool has_parts_of_rows(const Tree& tree) {
  return !tree.is_leaf(0) && tree.missing_to(0) == missing_by_share;
}

}  // namespace

// Weights may sum up to the number of all rows, as those of class_weight=balanced do: the parameters tell.
bool is_shrunken(const Model& model) {
  return shrinkage_strength(model) > 0.0;
}

namespace {

// As grow/estimate.cpp has it for honest trees; other trees have values for all nodes that rows came to.
bool has_own_value(const Model& model, const Tree& tree, NodeId node) {
  const Params& params = model.params();
  if (!params.honest) return node == 0 || tree.n_rows(node) > 0 || tree.weight(node) > 0.0;
  if (!is_causal(model))
    return answers_itself(tree, node, params.min_honest_rows, params.min_weight_fraction_leaf);
  const std::optional<NodeEffect> effect = node_effect(tree, node, kEffectCoverage);
  return !effect || std::min(effect->treated_rows, effect->control_rows) >=
                        static_cast<double>(std::max<std::int64_t>(params.min_honest_rows, 2));
}

}  // namespace

std::vector<ValueSource> value_sources(const Model& model, const Tree& tree) {
  using From = ValueSource::Kind;
  const std::string prior = model.params().honest ? model.params().honest_prior : "ancestor";
  const bool causal = is_causal(model);
  const std::vector<NodeId> parents = tree.parents();
  std::vector<ValueSource> sources;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {  // preorder: parents come first
    if (has_own_value(model, tree, node)) {
      sources.push_back({From::own, node});
      continue;
    }
    const NodeId above = parents[static_cast<std::size_t>(node)];
    if (prior == "empirical")
      sources.push_back({From::node, 0});
    else if (!causal && prior == "uniform")
      sources.push_back({From::uniform, node});
    else if (!causal && prior == "ignore")
      sources.push_back({From::nothing, node});
    else
      sources.push_back({From::node, sources[static_cast<std::size_t>(above)].node});
  }
  return sources;
}

std::string source_words(const Tree& tree, NodeId node, const ValueSource& source) {
  const std::string few = tree.n_rows(node) == 0 ? ", so it has no value of its own and "
                                                 : ", too few for a value of its own, so it ";
  switch (source.kind) {
    case ValueSource::Kind::own:
      return "";
    case ValueSource::Kind::node:
      return fmt::format("{}takes that of node {} above it ({})", few, source.node,
                         shown_count(tree.n_rows(source.node), "row"));
    case ValueSource::Kind::uniform:
      return few + "gives all classes the same probability";
    case ValueSource::Kind::nothing:
      break;
  }
  return few + "predicts nothing";
}

bool weighs_classes(const Params& params) {
  const auto is_one = [](const auto& weight) { return weight.second == 1.0; };
  return params.class_weight.balanced || !std::ranges::all_of(params.class_weight.by_name, is_one) ||
         !params.priors.empty();
}

bool is_by_weight(const Model& model, const Tree& tree, NodeId node) {
  if (weighs_otherwise(tree, 0)) return true;
  // Rows in parts weigh less than one each without being weighted.
  const bool in_parts = has_parts_of_rows(tree);
  const auto differs = [&](NodeId n) {
    return weighs_otherwise(tree, n) && (!in_parts || tree.weight(n) > static_cast<double>(tree.n_rows(n)));
  };
  if (weighs_classes(model.params()) || differs(node)) return true;
  const auto children = tree.children(0);
  return std::ranges::any_of(children, differs);
}

std::string rows_words(const Model& model, const Tree& tree, NodeId node, std::string_view noun) {
  const std::string rows = shown_count(tree.n_rows(node), noun);
  if (!has_parts_of_rows(tree) || !weighs_otherwise(tree, node) || is_by_weight(model, tree, node))
    return rows;
  return fmt::format("{} of {}", shown_number(tree.weight(node), 3), rows);
}

std::string rows_before_shares(const Model& model, const Tree& tree, NodeId node,
                               std::span<const Outcome> following, std::string_view noun) {
  const auto is_pure = [](const Outcome& outcome) { return std::ranges::count(outcome.shares, 1.0) == 1; };
  const bool told = !std::ranges::all_of(following, is_pure) && is_by_weight(model, tree, node);
  return rows_words(model, tree, node, noun) + (told ? ", by weight" : "");
}

std::string shares_words(const Outcome& outcome, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < outcome.shares.size(); ++i)
    if (outcome.shares[i] > 0.0) order.push_back(i);
  const auto answer = static_cast<std::size_t>(outcome.value);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return std::pair(i == answer, outcome.shares[i]); });
  const std::size_t length = order.size() <= most + 1 ? order.size() : most;
  const std::string_view colon = carries_column(*outcome.target) ? ":" : "";
  std::vector<std::string> words;
  for (const std::size_t i : std::span(order).first(length))
    words.push_back(fmt::format(
        "{}{} {}",
        words.empty() ? class_words(*outcome.target, i) : shown_name(outcome.target->levels.names[i]), colon,
        shown_share(outcome.shares[i])));
  const std::string list = join(words, ", ");
  return length == order.size() ? list : fmt::format("{} and {} more", list, order.size() - length);
}

std::string outcomes_words(std::span<const Outcome> all, int digits) {
  if (all.size() == 1) return all.front().shown(digits);
  std::vector<std::string> words;
  for (const Outcome& outcome : all)
    words.push_back(
        fmt::format("{} = {}", shown_name(outcome.target->name),
                    outcome.shares.empty() ? outcome.shown(digits) : shown_name(outcome.plain())));
  return join(words, ", ");
}

int answer_digits(const Model& model) {
  return model.parts().treatment.fields.empty() ? kShownDigits : 4;
}

std::string effect_words(const Model& model) {
  if (model.parts().treatment.fields.empty()) return "";
  return fmt::format("effect of {} on {}", shown_name(model.parts().treatment.fields.front().name),
                     shown_name(model.targets().fields.front().name));
}

std::vector<std::string> effect_lines(const Model& model, const Tree& tree, NodeId node, int digits) {
  if (model.parts().treatment.fields.empty()) return {};
  const double value = outcomes(model, tree, node).front().value;
  std::vector<std::string> lines{fmt::format("effect {}", shown_number(value, digits))};
  const std::optional<NodeEffect> effect = node_effect(tree, node, kEffectCoverage);
  if (!effect) return lines;
  if (has_honest_effects(model.params()) && std::isfinite(effect->half))
    lines.push_back(fmt::format("{:g}%: {} to {}", 100.0 * kEffectCoverage,
                                shown_number(value - effect->half, digits),
                                shown_number(value + effect->half, digits)));
  lines.push_back(fmt::format("{} treated, {} control", grouped(std::llround(effect->treated_rows)),
                              grouped(std::llround(effect->control_rows))));
  return lines;
}

std::string leaf_words(const Model& model, const Tree& tree, NodeId node, std::span<const Outcome> all,
                       int digits) {
  if (const auto effect = effect_lines(model, tree, node, digits); !effect.empty())
    return join(effect, " · ");
  const bool shares = all.size() == 1 && !all.front().shares.empty();
  return fmt::format("{} · {}", shares ? shares_words(all.front()) : outcomes_words(all, digits),
                     shares ? rows_before_shares(model, tree, node, all) : rows_words(model, tree, node));
}

}  // namespace bough
