// SPDX-License-Identifier: Apache-2.0
// A tree as rules: one for every leaf, and one for every inner node at which missing cells stop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bough/causal.hpp"
#include "bough/rules.hpp"
#include "bough/seen_rows.hpp"
#include "explain/outcome.hpp"
#include "predict/answer.hpp"
#include "predict/route.hpp"
#include "rules/region.hpp"

namespace bough {
namespace {

// Tests of one column become one condition, however deep the tree is; sums and sets of many levels do not:
// the rules of a chain of them would be quadratic in its length.
constexpr std::size_t kMostRegions = std::size_t{1} << 26, kMostWords = std::size_t{1} << 25;

class Collector {
 public:
  Collector(const Model& model, const Tree& tree) : model_(model), tree_(tree) {}

  std::vector<Rule> run() {
    struct Open {
      NodeId node;
      Regions regions;
    };
    std::vector<Open> open;
    open.push_back({0, {}});
    while (!open.empty()) {
      const Open at = std::move(open.back());
      open.pop_back();
      if (tree_.is_leaf(at.node)) {
        add(at.node, at.regions);
        continue;
      }
      if (route_missing(tree_, at.node) == missing_stops) add_stop(at.node, at.regions);
      const auto children = tree_.children(at.node);
      for (std::size_t i = children.size(); i-- > 0;) {
        Regions narrowed = at.regions;
        region_of(narrowed, tree_, at.node, model_.features())
            .narrow(tree_, at.node, static_cast<std::int32_t>(i));
        n_regions_ += narrowed.size();
        check_size();
        open.push_back({children[i], std::move(narrowed)});
      }
    }
    return std::move(rules_);
  }

 private:
  void add(NodeId node, const Regions& regions) {
    std::optional<std::vector<RuleCondition>> conditions = conditions_of(regions);
    if (!conditions) return;
    for (const RuleCondition& condition : *conditions) n_words_ += 1 + condition.levels.size();
    check_size();
    Rule& rule = rules_.emplace_back();
    rule.conditions = std::move(*conditions);
    rule.node = node;
    rule.values.resize(tree_.value_width());
    tree_.values(node, rule.values);
    rule.n_rows = tree_.n_rows(node);
    rule.weight = tree_.weight(node);
    const bool squares = model_.parts().criterion == "squared_error";
    if (tree_.task() == Task::regression && squares && counts_ && tree_.output_widths().size() == 1)
      rule.spread = std::sqrt(std::max(tree_.impurity(node), 0.0));
    count_right(rule);
    if (tree_.task() == Task::classification && model_.params().leaf_probability == "laplace")
      for (double& value : rule.values) value += 1.0;
  }

  void check_size() const {
    if (n_regions_ <= kMostRegions && n_words_ <= kMostWords) return;
    throw Error(ErrorCode::not_supported,
                fmt::format("the rules of this tree, {} levels deep, would have more than {} conditions and "
                            "categories together",
                            tree_.depth(), kMostWords),
                "prune the tree or limit max_depth; the text of the tree (--to text) has no such limit");
  }

  // The rows that stay at an inner node are those that none of its children has.
  void add_stop(NodeId node, Regions regions) {
    region_of(regions, tree_, node, model_.features()).stop_at(tree_, node);
    const std::size_t before = rules_.size();
    add(node, regions);
    if (rules_.size() == before) return;
    Rule& rule = rules_.back();
    for (const NodeId child : tree_.children(node)) {
      rule.n_rows -= tree_.n_rows(child);
      rule.weight -= tree_.weight(child);
    }
    rule.n_rows = std::max<std::int64_t>(rule.n_rows, 0);
    rule.weight = rule.n_rows == 0 ? 0.0 : std::max(rule.weight, 0.0);
    rule.spread.reset();
    for (double& right : rule.right) right = std::min(right, rule.weight);
  }

  void count_right(Rule& rule) const {
    if (tree_.task() != Task::classification || !counts_) return;
    std::size_t at = 0;
    for (const std::uint32_t width : tree_.output_widths()) {
      const auto part = std::span(rule.values).subspan(at, width);
      rule.right.push_back(part[largest(part)]);
      at += width;
    }
  }

  const Model& model_;
  const Tree& tree_;
  // Values of leaves are what was counted there: not after shrinkage, nor where other rows, or effects, gave them.
  const bool counts_ =
      !is_shrunken(model_) && !model_.params().honest && model_.parts().treatment.fields.empty();
  std::vector<Rule> rules_;
  std::size_t n_regions_ = 0, n_words_ = 0;
};

// Conditions look at one cell each, and a rule answers with its largest class.
void refuse_what_rules_cannot_say(const Model& model, const Tree& tree) {
  if (!model.params().loss_matrix.empty())
    throw Error(ErrorCode::not_supported, "rules cannot weigh a loss matrix",
                "use class_weight or priors instead of losses");
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    for (const Alternative& test : tree.alternatives(node))
      if (test.role == AlternativeRole::surrogate)
        throw Error(ErrorCode::not_supported,
                    fmt::format("rules cannot follow surrogate tests (node {})", node),
                    "fit with missing_policy learn or stop (--missing-policy learn)");
}

}  // namespace

RuleSet tree_rules(const Model& model, std::size_t tree) {
  if (tree >= model.trees().size()) {
    throw Error(ErrorCode::bad_params,
                fmt::format("tree {} was asked for, the model has {}", tree, model.trees().size()),
                "Trees are counted from 0.");
  }
  const Tree& one = model.trees()[tree];
  refuse_what_rules_cannot_say(model, one);
  RuleSet::Parts parts;
  parts.task = model.task();
  parts.match = RuleMatch::shares;
  parts.features = model.features();
  parts.targets = model.targets();
  parts.effect = effect_words(model);
  if (notes_dates(model)) parts.dates = date_columns(model);
  parts.days = day_columns(model);
  parts.rules = Collector(model, one).run();
  parts.n_rows = one.n_rows(0);
  parts.weight = one.weight(0);
  parts.fallback.resize(one.value_width());
  one.values(0, parts.fallback);
  if (parts.task == Task::classification) parts.base = parts.fallback;
  return RuleSet(std::move(parts));
}

}  // namespace bough
