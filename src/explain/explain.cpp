// SPDX-License-Identifier: Apache-2.0
// The decision of one row, step by step.
#include "bough/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "bough/causal.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "explain/condition.hpp"
#include "explain/decided.hpp"
#include "explain/outcome.hpp"
#include "model/combine.hpp"
#include "predict/answer.hpp"

namespace bough {
namespace {

using Form = Condition::Form;

// One row of a table as the trees of a model see it.
struct Row {
  const Model& model;
  const Table& table;
  std::int64_t number;
  std::vector<double> cells;

  [[nodiscard]] auto reader() const {
    return [this](ColId column) { return cells[static_cast<std::size_t>(column)]; };
  }
};

Row read_row(const Model& model, const Table& table, std::int64_t number) {
  const RowReader reader(table, model.features());
  if (number < 0 || number >= reader.n_rows())
    throw Error(
        ErrorCode::bad_params,
        fmt::format("there is no row {} in a table of {}", number, shown_count(reader.n_rows(), "row")),
        "rows are counted from 0");
  Row row{model, table, number, std::vector<double>(reader.n_columns())};
  reader.load(number, 1, row.cells);
  return row;
}

// The digits at which the printed cell stands on the same side of the printed thresholds as the real ones do,
// and equals them only when they are equal: of the thresholds no fewer than elsewhere, of the cell no fewer than of
// these. Of sums, which are as exact as the weights that are shown, both have the same.
int honest_digits(double cell, std::span<const double> thresholds, NodeKind kind) {
  const auto printed = [](double value, int digits) { return *parse_number(plain_number(value, digits)); };
  int digits = kShownDigits;
  if (kind != NodeKind::oblique)
    for (const double threshold : thresholds) digits = std::max(digits, cut_digits(threshold));
  for (; digits < kAllDigits; ++digits) {
    const bool honest = std::ranges::all_of(thresholds, [&](double threshold) {
      const double left = printed(cell, digits), right = printed(threshold, digits);
      return (cell <= threshold) == (left <= right) && (cell == threshold) == (left == right);
    });
    if (honest) break;
  }
  return digits;
}

std::vector<double> thresholds_of(const Tree& tree, NodeId node) {
  const auto cuts = tree.cuts(node);
  if (!cuts.empty()) return {cuts.begin(), cuts.end()};
  return {tree.threshold(node)};
}

// Writes one step of the way: what the row holds, where that leads, and the sentence.
class StepWriter {
 public:
  StepWriter(const Row& row, const Tree& tree, NodeId node) : row_(row), tree_(tree), node_(node) {
    const NodeKind kind = tree.kind(node);
    oblique_ = kind == NodeKind::oblique;
    numeric_ = oblique_ || kind == NodeKind::numeric || kind == NodeKind::interval;
    const auto cells = row.reader();
    cell_ = oblique_ ? oblique_sum(tree, node, cells) : cells(tree.column(node));
    style_.digits = numeric_ && std::isfinite(cell_) ? honest_digits(cell_, thresholds_of(tree, node), kind)
                                                     : kShownDigits;
    name_ = oblique_ ? formula_words(row.model, tree, node, style_)
                     : row.model.features().fields[static_cast<std::size_t>(tree.column(node))].name;
    read_cell();
    if (!oblique_ && how_decided(tree, node, cell_) == Decided::by_surrogate) find_surrogate();
  }

  [[nodiscard]] PathStep step(std::int32_t child) const {
    const Condition condition = describe(row_.model, tree_, node_, child, style_);
    return {.node = node_,
            .next = tree_.children(node_)[static_cast<std::size_t>(child)],
            .column = name_,
            .cell = missing_ ? "missing" : text_,
            .test = condition_words(condition),
            .missing = missing_,
            .unseen = unseen_,
            .surrogate = surrogate_};
  }

  [[nodiscard]] std::string sentence(std::int32_t child, std::int32_t routed) const {
    const Condition condition = describe(row_.model, tree_, node_, child, style_);
    if (missing_) return missing_sentence(condition, child, routed);
    const std::string start = fmt::format("{} is {}", condition.subject, shown_cell());
    if (unseen_ && !surrogate_.empty())
      return fmt::format("{}, which did not occur in training; because {}, the row follows the branch {}.",
                         start, surrogate_, condition_words(condition));
    if (unseen_)
      return fmt::format("{}, which did not occur in training; such rows follow the branch {}.", start,
                         condition_words(condition));
    switch (condition.form) {
      case Form::is:
      case Form::any:
        return start + ".";
      case Form::is_not:
        return fmt::format("{}, not {}.", start, condition.first);
      case Form::known:
        return start + ", so it is known.";
      default:
        return fmt::format("{}, which is {}.", start, predicate_words(condition));
    }
  }

  [[nodiscard]] std::string stop_sentence() const {
    if (missing_) return missing_start() + ", so the row goes no further.";
    return fmt::format("{} is {}, which did not occur {}in training, so the row goes no further.",
                       shown_name(name_), shown_cell(), unseen_ ? "" : "at this node ");
  }

 private:
  // The surrogate that decides, in words.
  void find_surrogate() {
    const auto cells = row_.reader();
    for (const Alternative& test : tree_.alternatives(node_)) {
      if (test.role != AlternativeRole::surrogate) continue;
      const std::int32_t child = route_surrogate(test, cells(test.column));
      if (child < 0) continue;
      Split split;
      split.kind = test.kind;
      split.column = test.column;
      split.threshold = test.threshold;
      split.map_levels = test.map_levels;
      split.map_children = test.map_children;
      surrogate_ = split_words(row_.model, split, test.turned ? 1 - child : child);
      return;
    }
  }

  void read_cell() {
    missing_ = std::isnan(cell_);
    if (oblique_) {
      text_ = number_text(cell_);
      return;
    }
    const Table::Column& column = row_.table.column(*row_.table.find(name_));
    text_ = cell_text(column, row_.number);
    as_ = shown_as(row_.model, tree_.column(node_));
    if (as_ == Shown::days && !std::isnan(cell_)) text_ = shown_number(cell_, 0, as_);
    // An ordinal value that training did not know is read as missing.
    unseen_ = cell_ == kUnseenCell && !numeric_;
    if (missing_ && !is_missing(column, row_.number)) {
      missing_ = false;
      unseen_ = true;
    }
  }

  [[nodiscard]] std::string shown_cell() const {
    return numeric_ ? shown_number(cell_, style_.digits, as_) : shown_name(text_);
  }

  [[nodiscard]] std::string missing_start() const {
    return oblique_ ? fmt::format("A cell of {} is missing", name_) : shown_name(name_) + " is missing";
  }

  [[nodiscard]] std::string missing_sentence(const Condition& condition, std::int32_t child,
                                             std::int32_t routed) const {
    if (condition.form == Form::missing) return missing_start() + ".";
    const std::string words = condition_words(condition);
    if (!surrogate_.empty())
      return fmt::format("{}; because {}, the row follows the branch {}.", missing_start(), surrogate_,
                         words);
    if (routed != missing_by_share)
      return fmt::format("{}; such rows follow the branch {}.", missing_start(), words);
    const double share = tree_.child_shares(node_)[static_cast<std::size_t>(child)];
    return fmt::format("{}, so the row is split across all branches; {} of it follows the branch {}.",
                       missing_start(), shown_share(share), words);
  }

  const Row& row_;
  const Tree& tree_;
  NodeId node_;
  ConditionStyle style_;
  std::string name_;
  std::string text_;
  double cell_ = 0.0;
  Shown as_ = Shown::numbers;
  bool oblique_ = false;
  bool numeric_ = false;
  bool missing_ = false;
  bool unseen_ = false;
  std::string surrogate_;
};

// Number of the child whose subtree holds `leaf`: ids are preorder, so it is the last child not above it.
std::int32_t child_towards(const Tree& tree, NodeId node, NodeId leaf) {
  const auto children = tree.children(node);
  return static_cast<std::int32_t>(std::ranges::upper_bound(children, leaf) - children.begin()) - 1;
}

// Whether a missing cell has sent parts of the row to several leaves.
enum class Arrival : std::uint8_t { whole, in_parts };

std::string value_word(const Model& model) {
  const std::string& criterion = model.parts().criterion;
  if (is_causal(model)) return "effect";
  if (!model.params().monotonic_cst.empty()) return "value";
  if (criterion == "absolute_error") return "median";
  if (criterion == "quantile") return fmt::format("{} quantile", number_text(model.params().quantile));
  return "mean";
}

std::string leaf_sentence(const Model& model, const Tree& tree, NodeId node, Arrival arrival) {
  const std::vector<Outcome> all = outcomes(model, tree, node);
  std::string words =
      fmt::format("{} holds {}",
                  arrival == Arrival::in_parts ? "The largest part of the row ends in a leaf that"
                  : tree.is_leaf(node)         ? "This leaf"
                                               : "This node",
                  rows_before_shares(model, tree, node, all, "training row"));
  const ValueSource source = value_sources(model, tree)[static_cast<std::size_t>(node)];
  words += source_words(tree, node, source);
  if (source.kind == ValueSource::Kind::nothing) return words + ".";
  std::string separator = is_shrunken(model) ? "; after shrinkage: " : ": ";
  for (const Outcome& outcome : all) {
    const bool named = all.size() > 1 && !carries_column(*outcome.target);
    const std::string of = named ? shown_name(outcome.target->name) + " " : "";
    words += separator + of;
    words += outcome.shares.empty()
                 ? fmt::format("{} {}", value_word(model), outcome.shown(answer_digits(model)))
                 : shares_words(outcome);
    separator = "; ";
  }
  return words + ".";
}

std::string prediction_sentence(const Model& model, std::span<const Outcome> all, Arrival arrival) {
  std::vector<std::string> words;
  for (const Outcome& outcome : all) {
    const std::string one = outcome.shown(answer_digits(model));
    words.push_back(all.size() == 1 || carries_column(*outcome.target)
                        ? one
                        : fmt::format("{} for {}", one, shown_name(outcome.target->name)));
  }
  const std::string last = words.back();
  words.pop_back();
  const std::string list = words.empty() ? last : fmt::format("{} and {}", join(words, ", "), last);
  return fmt::format(
      "{} the {}{} is {}{}.", arrival == Arrival::in_parts ? "Combining all leaves the row reaches," : "So",
      is_causal(model) ? "estimated effect" : "prediction", model.trees().size() > 1 ? " of this tree" : "",
      list, model.params().loss_matrix.empty() ? "" : ", where the expected loss is least");
}

// What the trees of a model say together.
void tell_together(const Model& model, const Row& row, std::size_t tree, PathExplanation& why) {
  std::vector<double> answer(model.n_outputs());
  model.predict_row(std::span<const double>(row.cells), answer);
  std::vector<std::string> labels;
  for (std::size_t o = 0; o < answer.size(); ++o)
    labels.push_back(model.task() == Task::classification
                         ? model.targets().fields[o].levels.names[static_cast<std::size_t>(answer[o])]
                         : number_text(answer[o]));
  why.together = join(labels, ", ");
  std::vector<std::string> shown;
  for (std::size_t o = 0; o < answer.size(); ++o) {
    const Field& target = model.targets().fields[o];
    const std::string one = model.task() == Task::regression
                                ? shown_number(answer[o], answer_digits(model))
                                : class_words(target, static_cast<std::size_t>(answer[o]));
    shown.push_back(answer.size() == 1 || carries_column(target)
                        ? one
                        : fmt::format("{} for {}", one, shown_name(target.name)));
  }
  why.sentences.push_back(fmt::format("This is tree {} of {}, whose {} is {}.", tree + 1,
                                      model.trees().size(),
                                      model.parts().combine == Combine::vote ? "combined vote"
                                      : is_causal(model) ? "combined estimate of the effect"
                                                         : "combined prediction",
                                      join(shown, ", ")));
}

}  // namespace

PathExplanation explain_row(const Model& model, const Table& table, std::int64_t number,
                            std::size_t tree_index) {
  const Tree& tree = tree_at(model, tree_index);
  const Row row = read_row(model, table, number);
  PathExplanation why;
  why.leaf = find_leaf(tree, row.reader());
  if (tree.is_leaf(0))
    why.sentences.push_back(fmt::format("The tree is a single leaf: every row gets the same {}.",
                                        is_causal(model) ? "effect" : "prediction"));

  Arrival arrival = Arrival::whole;
  for (NodeId node = 0; !tree.is_leaf(node);) {
    const StepWriter writer(row, tree, node);
    const std::int32_t routed = route(tree, node, row.reader());
    if (routed == missing_stops) {
      why.sentences.push_back(writer.stop_sentence());
      break;
    }
    if (routed == missing_by_share) arrival = Arrival::in_parts;
    const std::int32_t child = routed >= 0 ? routed : child_towards(tree, node, why.leaf);
    why.steps.push_back(writer.step(child));
    why.sentences.push_back(writer.sentence(child, routed));
    node = why.steps.back().next;
  }

  AnswerScratch scratch;
  why.values.resize(tree.value_width());
  answer_weights(tree, row.reader(), scratch, why.values, extra_weight(model.parts()));
  const std::vector<Outcome> all = outcomes(model, tree, why.values);
  normalise_outputs(tree, why.values);
  std::vector<std::string> predictions;
  for (const Outcome& outcome : all) predictions.push_back(outcome.plain());
  why.prediction = join(predictions, ", ");
  why.leaf_rows = tree.n_rows(why.leaf);
  why.sentences.push_back(leaf_sentence(model, tree, why.leaf, arrival));
  why.sentences.push_back(prediction_sentence(model, all, arrival));
  if (model.trees().size() > 1) tell_together(model, row, tree_index, why);
  return why;
}

std::string to_json(const PathExplanation& explanation) {
  Json steps = Json::array();
  for (const PathStep& step : explanation.steps) {
    Json& one = steps.emplace_back({{"node", step.node},
                                    {"next", step.next},
                                    {"column", step.column},
                                    {"cell", step.cell},
                                    {"test", step.test},
                                    {"missing", step.missing},
                                    {"unseen", step.unseen}});
    if (!step.surrogate.empty()) one["surrogate"] = step.surrogate;
  }
  Json json{{"steps", std::move(steps)},          {"leaf", explanation.leaf},
            {"leaf_rows", explanation.leaf_rows}, {"prediction", explanation.prediction},
            {"values", explanation.values},       {"sentences", explanation.sentences}};
  if (!explanation.together.empty()) json["together"] = explanation.together;
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
