// SPDX-License-Identifier: Apache-2.0
// bough forest: what a forest knows about the rows it was grown on and about its trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/explain.hpp"
#include "bough/json.hpp"
#include "bough/out_of_bag.hpp"
#include "bough/proximity.hpp"
#include "bough/seen_rows.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ForestFlags {
  std::string model;
  std::string data;
  std::string weight;
  std::string proximity;
  std::int64_t seed = 0;
  int threads = 0;
  int most = 15;
  bool out_of_bag = false;
  bool json = false;
  ReadFlags read;
};

struct Known {
  std::vector<Evaluation> scores;
  OobCurve curve;
  OobImportances importances;
  TreeProximity proximity;
};

bool has_bags(const Model& model) {
  return leaves_rows_out(model.params());
}

// The library has found the cells that trees look at in their order; here are all cells, and the targets.
void require_training_rows(const ForestFlags& flags, const Model& model, const Table& table) {
  for (std::size_t i = 0; i < table.n_columns(); ++i)
    if (std::holds_alternative<SparseView>(table.column(i))) return;  // these are not recognised
  if (model.parts().provenance.data_hash.empty() || was_grown_on(model, table, flags.weight)) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("{} does not hold the rows that the forest was grown on: some cells differ",
                          source_name(flags.data)),
              "out-of-bag figures need the table that the forest was grown on");
}

Known find_out(const ForestFlags& flags, const Model& model, const Table& table) {
  Known known;
  const OobSpec spec{flags.weight, true, flags.seed};
  if (has_bags(model)) {
    known.scores = evaluate_out_of_bag(model, table, spec, execution_for("out-of-bag scores", flags.threads));
    require_training_rows(flags, model, table);
    known.curve = oob_curve(model, table, spec, execution_for("out-of-bag errors", flags.threads));
    known.importances = oob_importance(model, table, spec, execution_for("shuffling", flags.threads));
  }
  known.proximity = tree_proximity(model, table, execution_for("comparing trees", flags.threads));
  return known;
}

std::string_view measure_words(const std::string& measure) {
  return measure == "class_error" ? "error rate" : "mean squared error";
}

// 1, 2, 5, 10, 20, 50, ... and the last.
std::vector<std::size_t> round_counts(std::size_t n) {
  std::vector<std::size_t> counts;
  for (std::size_t ten = 1; ten <= n; ten *= 10)
    for (const std::size_t step : {1U, 2U, 5U})
      if (ten * step < n) counts.push_back(ten * step);
  counts.push_back(n);
  return counts;
}

std::string curve_text(const OobCurve& curve) {
  std::string text = fmt::format("Out-of-bag error by number of trees ({}):\n", measure_words(curve.measure));
  for (const std::size_t n : round_counts(curve.errors.size()))
    text += fmt::format("  {:>6}  {:.6g}\n", n, curve.errors[n - 1]);
  return text;
}

std::string importance_text(const OobImportances& found, std::size_t most) {
  std::vector<std::size_t> order(found.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return found.columns[i].mean; });
  const std::size_t left_out = order.size() > most ? order.size() - most : 0;
  order.resize(order.size() - left_out);
  std::size_t width = 6;
  for (const std::size_t i : order) width = std::max(width, display_width(one_line(found.columns[i].column)));
  std::string text = fmt::format(
      "Importances: how much the {} of a tree rises when a column is shuffled\n"
      "  {}  {:>10}  {:>10}\n",
      measure_words(found.measure), pad_right("column", width), "rise", "std. error");
  for (const std::size_t i : order)
    text += fmt::format("  {}  {:>10.4g}  {:>10.2g}\n", pad_right(one_line(found.columns[i].column), width),
                        found.columns[i].mean, found.columns[i].standard_error);
  return left_out > 0 ? text + fmt::format("  and {} more\n", left_out) : text;
}

std::string spread_text(const Model& model, const TreeProximity& proximity) {
  std::vector<std::int64_t> leaves, depths;
  for (const Tree& tree : model.trees()) {
    leaves.push_back(tree.n_leaves());
    depths.push_back(tree.depth());
  }
  const auto words = [](std::vector<std::int64_t> values) {
    std::ranges::sort(values);
    return fmt::format("{} to {}, median {}", grouped(values.front()), grouped(values.back()),
                       grouped(values[values.size() / 2]));
  };
  return fmt::format(
      "Trees: {}; leaves {}; depth {}\n"
      "Representative tree: {} (its predictions are closest to the forest's; bough show --tree {})\n",
      grouped(std::ssize(model.trees())), words(leaves), words(depths), proximity.representative + 1,
      proximity.representative + 1);
}

Json as_json(const Model& model, const Known& known) {
  Json out;
  out["trees"] = model.trees().size();
  if (has_bags(model)) {
    out["out_of_bag"] = Json::parse(to_json(known.scores));
    out["curve"] = Json::parse(to_json(known.curve));
    out["importances"] = Json::parse(to_json(known.importances));
  }
  out["representative_tree"] = known.proximity.representative + 1;
  out["distances"] = known.proximity.distances;
  return out;
}

void write_proximity(const ForestFlags& flags, const Model& model, const Table& table) {
  const Execution execution = execution_for("proximity", flags.threads);
  const std::vector<double> shares =
      proximity(model, table, ProximitySpec{flags.out_of_bag, flags.weight}, execution);
  const auto n = static_cast<std::size_t>(table.n_rows());
  std::string text;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double share = shares[i * n + j];
      if (!std::isnan(share)) text += fmt::format("{}", share);
      text += j + 1 < n ? ',' : '\n';
    }
  write_file(flags.proximity, text);
}

// Trees that were grown on all rows leave nothing out that could be scored or shuffled.
void refuse_without_bags(const ForestFlags& flags) {
  const ForestFlags usual;
  const auto refuse = [](std::string_view option) {
    throw Error(
        ErrorCode::bad_params,
        fmt::format("{} does nothing, because every tree was grown on all rows (--bootstrap false)", option),
        fmt::format("leave {} out", option));
  };
  if (flags.seed != usual.seed) refuse("--seed");
  if (flags.most != usual.most) refuse("--most");
  if (flags.out_of_bag) refuse("--out-of-bag");
  if (!flags.weight.empty()) refuse("--weight");
}

void run_forest(const ForestFlags& flags) {
  require_at_least(1, flags.most, "--most", "it is the number of columns to list");
  check_writable(flags.proximity, {flags.model, flags.data});
  const Model model = load_model(flags.model);
  if (model.trees().size() == 1)
    throw Error(ErrorCode::bad_model, fmt::format("'{}' holds a single tree", flags.model),
                "grow a forest: bough train --forest 100");
  if (!has_bags(model)) refuse_without_bags(flags);
  const Table table = labelled_rows(flags.data, read_options(flags.read), model);
  const Known known = find_out(flags, model, table);
  if (!flags.proximity.empty()) write_proximity(flags, model, table);
  if (flags.json) return print_data(as_json(model, known).dump(2) + '\n');
  print(size_text(model) + "\n\n");
  if (has_bags(model)) {
    print("Out of bag (each row is predicted by the trees whose sample left it out):\n" +
          score_table({{"", known.scores}}) + interval_note(known.scores) + '\n');
    print(curve_text(known.curve) + '\n' +
          importance_text(known.importances, static_cast<std::size_t>(flags.most)) + '\n');
  }
  print(spread_text(model, known.proximity));
}

}  // namespace

void add_forest(Command& command) {
  const auto flags = command.runs(run_forest);
  command.argument(flags->model, {"model", "model file of a forest", "MODEL"});
  command.argument(flags->data, {"data", "rows that it was grown on, in their order", "DATA"});
  command.group("Options");
  command.option(flags->weight, {"-w,--weight", "Column of row weights, as in training", "NAME"});
  command.option(flags->seed, {"--seed", "Seed of the shuffles (default: 0)", "N"});
  command.option(flags->most, {"--most", "How many columns to list (default: 15)", "N"});
  command.option(
      flags->proximity,
      {"--proximity", "Write the share of trees in which two rows share a leaf, as a CSV matrix", "FILE"});
  command.toggle(flags->out_of_bag, {"--out-of-bag", "For --proximity: only trees that drew neither row"});
  command.threads_option(flags->threads);
  command.toggle(flags->json, {"--json", "Print as JSON"});
  add_read_flags(command, flags->read);
  command.effects({{"--weight,--seed,--proximity,--threads,--json"},
                   {"--most", {"!--json"}, "--json lists all columns"},
                   {"--out-of-bag", {"--proximity"}}});
  command.note(
      "The rows that each tree drew are computed again from the seed, so the table must be the one used in "
      "training.");
  command.examples({"bough forest forest.bough train.csv",
                    "bough forest forest.bough train.csv --proximity near.csv --out-of-bag"});
}

}  // namespace bough::cli
