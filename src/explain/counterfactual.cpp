// SPDX-License-Identifier: Apache-2.0
// From a row and the user's wishes to the nearest row of another answer, in words.
#include "bough/counterfactual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/causal.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "explain/decided.hpp"
#include "explain/nearest.hpp"
#include "explain/outcome.hpp"
#include "explain/words.hpp"
#include "model/combine.hpp"
#include "predict/walk.hpp"

namespace bough {
namespace {

std::size_t feature_index(const Model& model, const std::string& name) {
  if (const auto index = model.features().find(name)) return *index;
  std::vector<std::string> names;
  for (const Field& field : model.features().fields) names.push_back(field.name);
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::bad_params, fmt::format("the model has no column '{}'", name),
              near.empty() ? fmt::format("its columns are {}", list_some(names, 12))
                           : fmt::format("did you mean '{}'?", near));
}

// Standard deviation of the known cells, and whether all of them are whole.
void measure(const RowReader& reader, std::vector<ColumnRule>& rules) {
  const auto n = static_cast<std::size_t>(reader.n_rows());
  std::vector<double> cells(n * rules.size());
  reader.load(0, reader.n_rows(), cells);
  parallel_for(rules.size(), [&](std::size_t j) {
    if (rules[j].kind == Kind::category) return;
    const std::span<const double> column = std::span(cells).subspan(j * n, n);
    const ColumnSpread spread = spread_of(column);
    if (spread.deviation > 0.0) rules[j].spread = spread.deviation;
    if (spread.whole) rules[j].grid = Grid::whole;
  });
}

bool holds_floats(const Table::Column& column) {
  return std::visit([](const auto& view) { return view.dtype == Dtype::f32; }, column);
}

std::vector<ColumnRule> make_rules(const Model& model, const Table& table, const CounterfactualSpec& spec) {
  std::vector<ColumnRule> rules;
  for (const Field& field : model.features().fields) {
    ColumnRule& rule = rules.emplace_back();
    rule.kind = field.kind;
    rule.n_levels = static_cast<std::uint32_t>(field.levels.size());
    if (const auto at = table.find(field.name); at && holds_floats(table.column(*at)))
      rule.grid = Grid::floats;
  }
  measure(RowReader(spec.reference == nullptr ? table : *spec.reference, model.features()), rules);
  for (const std::string& name : spec.fixed) {
    ColumnRule& rule = rules[feature_index(model, name)];
    rule.may_rise = rule.may_fall = false;
  }
  const auto one_way = [&](const std::vector<std::string>& names, bool ColumnRule::*forbidden) {
    for (const std::string& name : names) {
      ColumnRule& rule = rules[feature_index(model, name)];
      if (rule.kind == Kind::category)
        throw Error(ErrorCode::bad_params, fmt::format("'{}' is a category, which cannot rise or fall", name),
                    "name it among the fixed columns, or declare it ordinal when the model is fitted");
      if (!rule.may_rise || !rule.may_fall)
        throw Error(ErrorCode::bad_params,
                    fmt::format("'{}' is named twice among the columns that are fixed, rise or fall", name),
                    "a column that may neither rise nor fall is fixed: name it there alone");
      rule.*forbidden = false;
    }
  };
  one_way(spec.increase, &ColumnRule::may_fall);
  one_way(spec.decrease, &ColumnRule::may_rise);
  return rules;
}

void refuse_model(const Model& model) {
  if (model.trees().size() > 1)
    throw Error(
        ErrorCode::not_supported,
        fmt::format("the nearest counterfactual of {} trees together is not searched for",
                    model.trees().size()),
        "the leaf boxes of one tree make the search exact: fit a single tree, or ask one tree of the model");
  const Tree& tree = model.tree();
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (tree.kind(node) == NodeKind::oblique)
      throw Error(
          ErrorCode::not_supported,
          fmt::format("node {} tests a sum of columns, for which counterfactuals are not searched", node),
          "fit a tree whose tests look at one column each");
}

// Which answers are wanted, of one output.
class Wish {
 public:
  Wish(const Model& model, const CounterfactualSpec& spec) : model_(model), spec_(spec) {
    const Schema& targets = model.targets();
    if (!spec.target.empty()) {
      const auto found = targets.find(spec.target);
      if (!found)
        throw Error(ErrorCode::bad_params, fmt::format("the model has no target '{}'", spec.target),
                    fmt::format("the first is '{}'", targets.fields.front().name));
      output_ = *found;
    }
    if (model.task() == Task::regression) {
      if (!spec.at_least && !spec.at_most)
        throw Error(ErrorCode::bad_params, "a counterfactual of a number needs a target value",
                    "give at_least or at_most");
      return;
    }
    if (spec.at_least || spec.at_most)
      throw Error(ErrorCode::bad_params, "at_least and at_most are for models of numbers",
                  "name the class that is wanted instead");
    if (spec.wanted.empty()) return;
    const std::vector<std::string>& names = targets.fields[output_].levels.names;
    const auto at = std::ranges::find(names, spec.wanted);
    if (at == names.end())
      throw Error(ErrorCode::bad_params,
                  fmt::format("'{}' is not a class of '{}'", spec.wanted, target().name),
                  fmt::format("the classes are {}", list_some(names, 12)));
    class_ = static_cast<double>(at - names.begin());
  }

  [[nodiscard]] std::size_t output() const noexcept { return output_; }
  [[nodiscard]] const Field& target() const { return model_.targets().fields[output_]; }

  /// Whether an answer will do for a row that gets `before`.
  [[nodiscard]] bool accepts(double answer, double before) const {
    if (model_.task() == Task::classification) return class_ < 0.0 ? answer != before : answer == class_;
    return (!spec_.at_least || answer >= *spec_.at_least) && (!spec_.at_most || answer <= *spec_.at_most);
  }
  /// The answer of a node: class index or number.
  [[nodiscard]] double answer(const Tree& tree, NodeId node) const {
    return outcomes(model_, tree, node)[output_].value;
  }
  [[nodiscard]] std::string text(double answer) const {
    return model_.task() == Task::classification ? target().levels.names[static_cast<std::size_t>(answer)]
                                                 : number_text(answer);
  }
  [[nodiscard]] std::string shown(double answer) const {
    return model_.task() == Task::classification ? class_words(target(), static_cast<std::size_t>(answer))
                                                 : shown_number(answer, answer_digits(model_));
  }
  [[nodiscard]] std::string words() const {
    if (model_.task() == Task::classification) return class_ < 0.0 ? "another class" : shown(class_);
    if (!spec_.at_most) return "at least " + shown_number(*spec_.at_least);
    if (!spec_.at_least) return "at most " + shown_number(*spec_.at_most);
    return fmt::format("between {} and {}", shown_number(*spec_.at_least), shown_number(*spec_.at_most));
  }

 private:
  const Model& model_;
  const CounterfactualSpec& spec_;
  std::size_t output_ = 0;
  double class_ = -1.0;
};

class Searcher {
 public:
  Searcher(const Model& model, const Table& table, const CounterfactualSpec& spec)
      : model_(model),
        table_(table),
        wish_(model, spec),
        rules_((refuse_model(model), make_rules(model, table, spec))),
        reader_(table, model.features()),
        has_spreads_((spec.reference == nullptr ? table : *spec.reference).n_rows() > 1) {
    const Tree& tree = model.tree();
    answers_.resize(static_cast<std::size_t>(tree.n_nodes()));
    parallel_for(answers_.size(),
                 [&](std::size_t node) { answers_[node] = wish_.answer(tree, static_cast<NodeId>(node)); });
    find_loose_levels();
  }

  [[nodiscard]] Counterfactual find(std::int64_t row) const {
    if (row < 0 || row >= reader_.n_rows())
      throw Error(
          ErrorCode::bad_params,
          fmt::format("there is no row {} in a table of {}", row, shown_count(reader_.n_rows(), "row")),
          "rows are counted from 0");
    Counterfactual out;
    out.cells.resize(rules_.size());
    reader_.load(row, 1, out.cells);
    const std::vector<double> own = out.cells;
    const double before = predicted(own);
    out.before = wish_.text(before);
    const NodeId tangled = entangled(own);
    const Nearest nearest =
        tangled >= 0 ? nearest_single(own, row, before, tangled) : nearest_of_all(own, row, before);
    out.found = nearest.node >= 0;
    if (out.found) write(nearest, row, own, out);
    const double after = out.found ? predicted(out.cells) : before;
    if (out.found) out.after = wish_.text(after);
    tell(after, before, out);
    return out;
  }

 private:
  [[nodiscard]] double predicted(std::span<const double> cells) const {
    std::vector<double> answer(model_.n_outputs());
    model_.predict_row(cells, answer);
    return answer[wish_.output()];
  }

  // Whether a row of such a cell goes where more than the cell decides, by share or by surrogates.
  [[nodiscard]] static bool is_loose(const Tree& tree, NodeId node, double cell) {
    const Decided how = how_decided(tree, node, cell);
    return how == Decided::by_share || how == Decided::by_surrogate;
  }

  // The first node that does with the row what depends on more than the node, or -1: then a change elsewhere
  // may move more than its own test, and leaf boxes do not tell where the row ends. The cell may be a level that
  // the node does not know.
  [[nodiscard]] NodeId entangled(std::span<const double> cells) const {
    const Tree& tree = model_.tree();
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (!tree.is_leaf(node) && is_loose(tree, node, cells[static_cast<std::size_t>(tree.column(node))]))
        return node;
    return -1;
  }

  // A level that a row may get and that would entangle it at a node.
  struct LooseLevel {
    ColId column = 0;
    std::uint32_t level = 0;
    NodeId node = 0;
  };

  void find_loose_levels() {
    const Tree& tree = model_.tree();
    std::set<std::pair<ColId, std::uint32_t>> seen;
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.kind(node) != NodeKind::subset && tree.kind(node) != NodeKind::multiway) continue;
      const ColId column = tree.column(node);
      const ColumnRule& rule = rules_[static_cast<std::size_t>(column)];
      if (!rule.may_rise && !rule.may_fall) continue;
      for (std::uint32_t level = 0; level < rule.n_levels; ++level)
        if (is_loose(tree, node, level) && seen.emplace(column, level).second)
          loose_.push_back({column, level, node});
    }
  }

  [[nodiscard]] NodeId leaf_of(std::span<const double> at) const {
    return find_leaf(model_.tree(), [&](ColId j) { return at[static_cast<std::size_t>(j)]; });
  }

  // The walk over leaf boxes knows all changes but those to loose levels. These are tried one by one, alone and
  // with one more change, so that nothing of up to two changes is missed; what needs more is not searched.
  [[nodiscard]] Nearest nearest_of_all(std::span<const double> cells, std::int64_t row, double before) const {
    const Tree& tree = model_.tree();
    const auto wanted = [&](std::span<const double> at) { return wish_.accepts(predicted(at), before); };
    Nearest best = find_nearest(tree, cells, rules_, [&](NodeId node) {
      return wish_.accepts(answers_[static_cast<std::size_t>(node)], before);
    });
    const auto offer = [&](std::span<const double> at, std::vector<Move> moves) {
      double distance = 0.0;
      for (const Move& move : moves) distance += move.size;
      if (best.node < 0 || std::pair(moves.size(), distance) < std::pair(best.moves.size(), best.distance))
        best = {leaf_of(at), std::move(moves), distance};
    };
    std::vector<double> moved(cells.begin(), cells.end());
    const auto each_loose = [&](const auto& look) {
      for (const LooseLevel& to : loose_) {
        const auto j = static_cast<std::size_t>(to.column);
        if (cells[j] == to.level) continue;
        moved[j] = to.level;
        look(Move{to.column, moved[j], 1.0, 0.0, 0.0, {to.level}});
        moved[j] = cells[j];
      }
    };
    if (best.node >= 0 && best.moves.empty()) return best;
    each_loose([&](Move move) {
      if (wanted(moved)) offer(moved, {std::move(move)});
    });
    if (loose_.empty() || (best.node >= 0 && best.moves.size() <= 1)) return best;
    each_loose([&](Move move) {
      std::vector<ColumnRule> others = rules_;
      ColumnRule& rule = others[static_cast<std::size_t>(move.column)];
      rule.may_rise = rule.may_fall = false;
      std::optional<Move> second = find_single(tree, moved, others, wanted);
      if (!second) return;
      std::vector<double> both = moved;
      both[static_cast<std::size_t>(second->column)] = second->cell;
      std::vector<Move> moves{std::move(move), std::move(*second)};
      std::ranges::sort(moves, std::less<>(), &Move::column);
      offer(both, std::move(moves));
    });
    if (best.node >= 0 && best.moves.size() <= 2) return best;
    const LooseLevel& first = loose_.front();
    const Field& field = model_.features().fields[static_cast<std::size_t>(first.column)];
    throw Error(ErrorCode::not_supported,
                fmt::format("row {}: no change of one column or two leads to {}, and larger ones are not "
                            "searched: node {} does not know the value {} of '{}' and {}",
                            row + 1, wish_.words(), first.node, shown_name(field.levels.names[first.level]),
                            field.name, what_it_does(first.node, first.level)),
                fmt::format("name '{}' among the fixed columns", field.name));
  }

  [[nodiscard]] const char* what_it_does(NodeId node, double cell) const {
    return how_decided(model_.tree(), node, cell) == Decided::by_share
               ? "sends such rows to every child in parts"
               : "asks surrogates instead";
  }

  // One column is the fewest there can be, so what is found is the smallest change of all.
  [[nodiscard]] Nearest nearest_single(std::span<const double> cells, std::int64_t row, double before,
                                       NodeId node) const {
    const Tree& tree = model_.tree();
    if (wish_.accepts(before, before)) return {leaf_of(cells), {}, 0.0};
    const auto wanted = [&](std::span<const double> at) { return wish_.accepts(predicted(at), before); };
    if (std::optional<Move> move = find_single(tree, cells, rules_, wanted)) {
      std::vector<double> moved(cells.begin(), cells.end());
      moved[static_cast<std::size_t>(move->column)] = move->cell;
      const double size = move->size;
      return {leaf_of(moved), {std::move(*move)}, size};
    }
    const auto column = static_cast<std::size_t>(tree.column(node));
    const bool missing = std::isnan(cells[column]);
    throw Error(
        ErrorCode::not_supported,
        fmt::format("row {}: no change of one column leads to {}, and larger ones are not searched: the "
                    "cell of '{}' is {}, and node {} {}",
                    row + 1, wish_.words(), model_.features().fields[column].name,
                    missing ? "missing" : "a value that is not known there", node,
                    what_it_does(node, cells[column])),
        missing ? "fill in the cell" : "ask about a row with another value there");
  }

  void write(const Nearest& nearest, std::int64_t row, std::span<const double> own,
             Counterfactual& out) const {
    out.leaf = nearest.node;
    out.distance = nearest.distance;
    for (const Move& move : nearest.moves) {
      const auto j = static_cast<std::size_t>(move.column);
      const Field& field = model_.features().fields[j];
      CellChange& change = out.changes.emplace_back();
      change.column = field.name;
      change.index = move.column;
      change.cell = move.cell;
      change.size = move.size;
      const Table::Column& column = table_.column(*table_.find(field.name));
      const Shown as = shown_as(model_, move.column);
      change.from = is_missing(column, row)                    ? "missing"
                    : as == Shown::days && !std::isnan(own[j]) ? shown_number(own[j], 0, as)
                                                               : cell_text(column, row);
      change.to = field.kind == Kind::numeric ? shown_number(move.cell, 0, as)
                                              : field.levels.names[static_cast<std::size_t>(move.cell)];
      change.condition = enough(field, move, own[j], as);
      out.cells[j] = move.cell;
    }
  }

  [[nodiscard]] static std::string enough(const Field& field, const Move& move, double own, Shown as) {
    if (field.kind == Kind::category) {
      const std::string list = shown_list(field.levels.names, move.levels, 5);
      return move.levels.size() == 1 ? list : "one of " + list;
    }
    const bool rises = std::isnan(own) ? std::isfinite(move.low) : own <= move.low;
    if (field.kind == Kind::ordinal) {
      const std::string level = shown_name(field.levels.names[static_cast<std::size_t>(move.cell)]);
      return (rises ? "at least " : "at most ") + level;
    }
    if (rises) return "more than " + cut_beside(own, move.low, as);
    return std::isfinite(move.high) ? "at most " + cut_beside(own, move.high, as) : "known";
  }

  // A threshold beside the cell of the row, which is printed whole: on the other side of it in print, too.
  [[nodiscard]] static std::string cut_beside(double own, double cut, Shown as) {
    const int digits = cut_digits(cut);
    const double printed = *parse_number(plain_number(cut, digits));
    return shown_number(cut, (own <= cut) == (own <= printed) ? digits : kAllDigits, as);
  }

  void tell(double after, double before, Counterfactual& out) const {
    const std::string of = model_.n_outputs() == 1 ? "" : " for " + shown_name(wish_.target().name);
    out.sentences.push_back(fmt::format(
        "The {}{} is {}.", is_causal(model_) ? "estimated effect" : "prediction", of, wish_.shown(before)));
    if (!out.found) {
      out.sentences.push_back(
          fmt::format("No change of the columns that may change leads to {}.", wish_.words()));
      return;
    }
    if (out.changes.empty()) {
      out.sentences.push_back("This is already the wanted answer; nothing has to change.");
      return;
    }
    std::vector<std::string> parts;
    for (const CellChange& change : out.changes)
      parts.push_back(fmt::format("{} were {} (it is {})", shown_name(change.column), change.condition,
                                  shown_name(change.from)));
    out.sentences.push_back(fmt::format("It would be {} if {}.", wish_.shown(after), join(parts, ", and ")));
    const auto moves = [](const ColumnRule& rule) { return rule.may_rise || rule.may_fall; };
    const bool compared =
        std::ranges::count_if(rules_, moves) > 1 && std::ranges::any_of(rules_, [&](const ColumnRule& rule) {
          return moves(rule) && rule.kind != Kind::category;
        });
    if (compared && !has_spreads_)
      out.sentences.push_back(
          "How far columns spread is not known from one row: a change of 1 counts the same in every column "
          "of numbers. "
          "Other rows, such as those of training, would tell.");
  }

  const Model& model_;
  const Table& table_;
  Wish wish_;
  std::vector<ColumnRule> rules_;
  RowReader reader_;
  bool has_spreads_;             // else the unit of every column is 1
  std::vector<double> answers_;  // per node
  std::vector<LooseLevel> loose_;
};

}  // namespace

std::vector<Counterfactual> counterfactuals(const Model& model, const Table& table,
                                            std::span<const std::int64_t> rows,
                                            const CounterfactualSpec& spec, const Execution& execution) {
  std::vector<Counterfactual> out(rows.size());
  with_threads(execution.threads, [&] {
    const Searcher searcher(model, table, spec);
    parallel_for(rows.size(), [&](std::size_t i) { out[i] = searcher.find(rows[i]); });
  });
  return out;
}

Counterfactual counterfactual(const Model& model, const Table& table, std::int64_t row,
                              const CounterfactualSpec& spec) {
  return counterfactuals(model, table, std::span(&row, 1), spec, {1, {}}).front();
}

std::string to_json(const Counterfactual& counterfactual) {
  Json changes = Json::array();
  for (const CellChange& change : counterfactual.changes)
    changes.push_back({{"column", change.column},
                       {"from", change.from},
                       {"to", change.to},
                       {"condition", change.condition},
                       {"size", change.size}});
  const Json json{{"found", counterfactual.found},        {"before", counterfactual.before},
                  {"after", counterfactual.after},        {"leaf", counterfactual.leaf},
                  {"distance", counterfactual.distance},  {"changes", std::move(changes)},
                  {"sentences", counterfactual.sentences}};
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
