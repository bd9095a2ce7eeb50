// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a split, line by line. Every number comes from the search; only the signs between them
// are ours.
#include "explain/why_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bough/json.hpp"
#include "criterion/registry.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostTerms = 8;

std::string number(double value) {
  return shown_number(value);
}

// "50 rows", or "50 rows of weight 61.2".
std::string rows_of(const WhySide& side) {
  const std::string rows = shown_count(side.n_rows, "row");
  const bool weighted = std::fabs(side.weight - static_cast<double>(side.n_rows)) > 1e-9 * side.weight;
  return weighted ? fmt::format("{} of weight {}", rows, number(side.weight)) : rows;
}

// The parts of a list that are shown, joined.
std::string some(const std::vector<std::string>& parts, std::string_view separator) {
  if (parts.size() <= kMostTerms) return join(parts, separator);
  const std::vector<std::string> first(parts.begin(), parts.begin() + kMostTerms);
  return fmt::format("{}{}... ({} more)", join(first, separator), separator, parts.size() - kMostTerms);
}

class SplitExplainer {
 public:
  SplitExplainer(const Model& model, WhySplit& why, const WhyColumn& column)
      : model_(model),
        why_(why),
        column_(column),
        criterion_(criterion_info(resolve_criterion(model.parts().criterion, model.task()))) {}

  void tell() {
    line(fmt::format("{}.", definition()));
    line(fmt::format("Node {}: {}", why_.node, side_words(column_.here)));
    if (column_.here.n_rows != why_.here.n_rows)
      line(fmt::format("  ({} of {} are left out, because their cell is missing)",
                       why_.here.n_rows - column_.here.n_rows, shown_count(why_.here.n_rows, "row")));
    line(fmt::format("{}:", column_.test));
    line("  left:  " + side_words(column_.left));
    line("  right: " + side_words(column_.right));
    if (column_.n_missing > 0 && column_.here.n_rows == why_.here.n_rows)
      line(fmt::format("  ({} with a missing cell on the {})", shown_count(column_.n_missing, "row"),
                       column_.best->missing_left ? "left" : "right"));
    result();
    if (column_.cost != 1.0)
      line(fmt::format("Divided by the column's cost: {} / {} = {}", number(column_.best->merit),
                       number(column_.cost), number(column_.best->merit / column_.cost)));
  }

 private:
  void line(std::string text) { why_.arithmetic.push_back(std::move(text)); }
  [[nodiscard]] bool several() const { return model_.n_outputs() > 1; }

  [[nodiscard]] std::string definition() const {
    std::string words(criterion_.definition);
    if (criterion_.id == CriterionId::quantile)
      words += fmt::format(", with q = {}", number(model_.params().quantile));
    return words + (several() ? ", averaged over the targets" : "");
  }

  [[nodiscard]] std::string side_words(const WhySide& side) const {
    std::string words = rows_of(side) + ": ";
    std::size_t at = 0;
    std::vector<std::string> targets;
    for (const Field& field : model_.targets().fields) {
      std::string of = several() ? shown_name(field.name) + " " : "";
      if (model_.task() == Task::regression) {
        targets.push_back(fmt::format("{}{} {}", of, value_word(), number(side.values[at++])));
        continue;
      }
      std::vector<std::string> classes;
      for (const std::string& name : field.levels.names)
        if (const double weight = side.values[at++]; weight > 0.0)
          classes.push_back(fmt::format("{} {}", shown_name(name), number(weight)));
      targets.push_back(of + some(classes, ", "));
    }
    words += join(targets, "; ");
    if (criterion_.score == SplitScore::own) return words;  // no term of the score is an impurity
    return fmt::format("{}; {} = {}{}", words, criterion_.impurity, terms(side), number(side.impurity));
  }

  [[nodiscard]] std::string value_word() const {
    if (criterion_.id == CriterionId::absolute_error) return "median";
    return criterion_.id == CriterionId::quantile ? "quantile" : "mean";
  }

  // "1 - (0.5^2 + 0.5^2) = " where the classes of one target say it all.
  [[nodiscard]] std::string terms(const WhySide& side) const {
    const bool squares = criterion_.impurity == "gini", logs = criterion_.impurity == "entropy";
    const bool most = criterion_.impurity == "misclassification";
    if (several() || !(squares || logs || most)) return "";
    std::vector<std::string> parts;
    double largest = 0.0;
    for (const double weight : side.values) {
      if (!(weight > 0.0)) continue;
      const double share = weight / side.weight;
      largest = std::max(largest, share);
      const std::string p = number(share);
      parts.push_back(squares ? p + "^2" : fmt::format("{} log2 {}", p, p));
    }
    if (most) return fmt::format("1 - {} = ", number(largest));
    return fmt::format("{}({}) = ", squares ? "1 - " : "-", some(parts, " + "));
  }

  [[nodiscard]] std::string weighted(const WhySide& side) const {
    return fmt::format("{}/{} * {}", number(side.weight), number(column_.here.weight), number(side.impurity));
  }

  void result() {
    const WhyCut& best = *column_.best;
    if (criterion_.id == CriterionId::hellinger) return line(hellinger(best.merit));
    if (criterion_.score == SplitScore::own)
      return line(fmt::format("Score: {} = {}", criterion_.measure, number(best.merit)));
    const double decrease = best.gain / column_.here.weight;
    line(fmt::format(
        "{} = {} - {} - {} = {}", criterion_.impurity == "entropy" ? "Information gain" : "Decrease",
        number(column_.here.impurity), weighted(column_.left), weighted(column_.right), number(decrease)));
    if (criterion_.score != SplitScore::ratio) return;
    const auto part = [&](const WhySide& side) {
      const std::string share = fmt::format("{}/{}", number(side.weight), number(column_.here.weight));
      return fmt::format("{} log2({})", share, share);
    };
    const double information = best.merit > 0.0 ? decrease / best.merit : 0.0;
    line(fmt::format("Split information = -({} + {}) = {}", part(column_.left), part(column_.right),
                     number(information)));
    line(fmt::format("Gain ratio = {} / {} = {}", number(decrease), number(information), number(best.merit)));
  }

  [[nodiscard]] std::string hellinger(double merit) const {
    if (several() || column_.here.values.size() != 2) return fmt::format("Distance = {}", number(merit));
    const auto part = [&](const WhySide& side) {
      return fmt::format("sqrt({}/{} * {}/{})", number(side.values[1]), number(column_.here.values[1]),
                         number(side.values[0]), number(column_.here.values[0]));
    };
    return fmt::format("Distance = 1 - ({} + {}) = {}", part(column_.left), part(column_.right),
                       number(merit));
  }

  const Model& model_;
  WhySplit& why_;
  const WhyColumn& column_;
  const CriterionInfo& criterion_;
};

// "54 | 46", the rows of the sides or branches.
std::string sizes(const WhyColumn& column) {
  std::vector<std::string> parts{std::to_string(column.best->left_rows),
                                 std::to_string(column.best->right_rows)};
  for (std::size_t b = 2; b < column.branches.size(); ++b)
    parts.push_back(std::to_string(column.branches[b].n_rows));
  return some(parts, " | ");
}

Json side_json(const WhySide& side) {
  return {
      {"n_rows", side.n_rows}, {"weight", side.weight}, {"impurity", side.impurity}, {"values", side.values}};
}

Json cut_json(const WhyCut& cut, Kind kind) {
  Json json;
  if (kind == Kind::category)
    json["levels"] = cut.levels;
  else if (std::isfinite(cut.threshold))
    json["threshold"] = cut.threshold;
  else
    json["threshold"] = number_text(cut.threshold);
  json["missing_left"] = cut.missing_left;
  json["allowed"] = cut.allowed;
  json["left_rows"] = cut.left_rows;
  json["right_rows"] = cut.right_rows;
  json["left_weight"] = cut.left_weight;
  json["right_weight"] = cut.right_weight;
  json["gain"] = cut.gain;
  json["merit"] = cut.merit;
  return json;
}

Json column_json(const WhyColumn& column) {
  Json json{{"column", column.name}, {"n_missing", column.n_missing}};
  if (!column.idle.empty()) json["idle"] = column.idle;
  if (column.heuristic) json["heuristic"] = true;
  if (column.cost != 1.0) json["cost"] = column.cost;
  if (column.best) {
    json["test"] = column.test;
    json["best"] = cut_json(*column.best, column.kind);
    json["here"] = side_json(column.here);
    json["left"] = side_json(column.left);
    json["right"] = side_json(column.right);
    if (column.price != 0.0) json["price"] = column.price;
    if (!column.branches.empty()) {
      json["branches"] = Json::array();
      for (const WhySide& side : column.branches) json["branches"].push_back(side_json(side));
    }
  }
  if (column.kind == Kind::category) {
    json["levels"] = Json::array();
    for (const WhyLevel& level : column.levels) {
      Json one{{"level", level.name}, {"left", level.left}};
      const Json side = side_json(level.side);
      for (const auto& [name, value] : side.items()) one[name] = value;
      json["levels"].push_back(std::move(one));
    }
  } else {
    json["curve"] = Json::array();
    for (const WhyCut& cut : column.curve) json["curve"].push_back(cut_json(cut, column.kind));
  }
  return json;
}

}  // namespace

void tell_arithmetic(const Model& model, WhySplit& why) {
  why.arithmetic.clear();
  if (why.columns.empty() || !why.columns.front().best) {
    why.arithmetic.push_back(fmt::format("Node {}: {}. No column has a test.", why.node, rows_of(why.here)));
    return;
  }
  SplitExplainer(model, why, why.columns.front()).tell();
}

std::string to_text(const WhySplit& why, std::size_t most_columns) {
  std::string out;
  for (const std::string& line : why.arithmetic) out += line + '\n';
  if (why.is_leaf) out += "The tree makes no split here; this is what the best one would do.\n";
  // Rows other than those of training may have the tree's split with another cut.
  const bool same_words = !why.columns.empty() && why.columns.front().test == why.own_test;
  if (!why.is_leaf && why.agrees)
    out += same_words ? "This is the split the tree uses.\n"
                      : fmt::format("The tree divides these rows in the same way, by {}.\n", why.own_test);
  if (!why.is_leaf && !why.agrees) out += fmt::format("The tree uses another split: {}.\n", why.own_test);
  for (const std::string& note : why.notes) out += fmt::format("Note: {}.\n", note);
  out += fmt::format("\nBest test of every column, by {}:\n", why.measure);
  std::size_t width = 0, shown = 0;
  for (const WhyColumn& column : why.columns)
    width = std::max(width, number(column.best ? column.best->merit : 0).size());
  for (const WhyColumn& column : why.columns) {
    if (shown++ == most_columns) {
      out += fmt::format("  and {} more\n", why.columns.size() - most_columns);
      break;
    }
    if (!column.best) {
      out += fmt::format("  {:>{}}  {}: {}\n", "-", width, shown_name(column.name), column.idle);
      continue;
    }
    out += fmt::format("  {:>{}}  {} ({} rows{}{})\n", number(column.best->merit / column.cost), width,
                       column.test, sizes(column),
                       column.n_missing > 0 ? fmt::format(", {} missing", column.n_missing) : "",
                       column.heuristic ? ", heuristic" : "");
  }
  return out;
}

std::string to_json(const WhySplit& why) {
  Json json{{"node", why.node},
            {"tree", why.tree},
            {"criterion", why.criterion},
            {"measure", why.measure},
            {"here", side_json(why.here)},
            {"is_leaf", why.is_leaf}};
  if (!why.is_leaf) json["test"] = why.own_test;
  if (!why.is_leaf) json["agrees"] = why.agrees;
  json["arithmetic"] = why.arithmetic;
  json["notes"] = why.notes;
  json["columns"] = Json::array();
  for (const WhyColumn& column : why.columns) json["columns"].push_back(column_json(column));
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
