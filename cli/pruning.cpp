// SPDX-License-Identifier: Apache-2.0
// The table of cross-validated pruning as text and JSON, and options about folds.
#include "pruning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::size_t kMostRows = 24;
constexpr NodeId kMostShownLeaves = 32;

std::string number(double value) {
  return value == 0.0 ? "0" : fmt::format("{:.6g}", value);
}

// Rows to show: all of a short table; of a long one the small trees, and the chosen row wherever it is.
std::vector<std::size_t> shown_rows(const PruningTable& table) {
  const std::size_t n = table.alphas.size();
  const std::size_t first = n <= kMostRows ? 0 : n - kMostRows;
  std::vector<std::size_t> rows;
  if (table.chosen < first) rows.push_back(table.chosen);
  for (std::size_t i = first; i < n; ++i) rows.push_back(i);
  return rows;
}

}  // namespace

void add_fold_flags(Command& command, FoldFlags& flags) {
  command.group("Folds of pruning=cost_complexity");
  command.option(flags.groups, {"--fold-groups", "Column whose equal values stay in one fold", "NAME"});
  command.option(
      flags.order,
      {"--fold-order", "Time column: each fold is predicted by trees grown on earlier rows only", "NAME"});
  command.toggle(flags.row_order,
                 {"--fold-row-order", "Like --fold-order, with the rows already in order of time"});
  command.option(flags.ids, {"--fold-ids", "Column that names the fold of every row", "NAME"});
  command.effects({{"--fold-groups,--fold-order,--fold-row-order,--fold-ids",
                    {"!--dask"},
                    "workers of --dask draw no folds"}});
}

FoldSpec read_folds(const FoldFlags& flags) {
  const int given = (flags.groups.empty() ? 0 : 1) + (flags.order.empty() ? 0 : 1) +
                    (flags.ids.empty() ? 0 : 1) + (flags.row_order ? 1 : 0);
  if (given > 1)
    throw Error(ErrorCode::bad_params, "folds can be made in one way only",
                "give one of --fold-groups, --fold-order, --fold-row-order and --fold-ids");
  if (!flags.groups.empty()) return {FoldSpec::Kind::grouped, flags.groups};
  if (!flags.order.empty() || flags.row_order) return {FoldSpec::Kind::ordered, flags.order};
  if (!flags.ids.empty()) return {FoldSpec::Kind::given, flags.ids};
  return {};
}

std::string pruning_table_text(const PruningTable& table) {
  std::string text = fmt::format("Cross-validated pruning, {} folds, risk {}, rule {}, error {}:\n",
                                 table.folds, table.risk, table.rule, table.measure);
  text += fmt::format("  {:>12}  {:>8}  {:>12}  {:>12}\n", "alpha", "leaves", "error", "std. error");
  const std::vector<std::size_t> rows = shown_rows(table);
  for (const std::size_t i : rows)
    text += fmt::format("{} {:>12}  {:>8}  {:>12}  {:>12}\n", i == table.chosen ? '*' : ' ',
                        number(table.alphas[i]), grouped(table.n_leaves[i]), number(table.errors[i]),
                        number(table.standard_errors[i]));
  if (rows.size() < table.alphas.size())
    text += fmt::format("  ({} rows of larger trees are left out; --json has them)\n",
                        table.alphas.size() - rows.size());
  return text;
}

Json pruning_table_json(const PruningTable& table) {
  return {{"alpha", table.alphas},   {"leaves", table.n_leaves},
          {"error", table.errors},   {"standard_error", table.standard_errors},
          {"chosen", table.chosen},  {"folds", table.folds},
          {"risk", table.risk},      {"rule", table.rule},
          {"measure", table.measure}};
}

std::string size_table_text(const SizeTable& table) {
  const SizeRow& chosen = table.rows[table.chosen];
  std::map<NodeId, std::array<const SizeRow*, 2>> by_leaves;  // grown, searched
  for (const SizeRow& row : table.rows) by_leaves[row.leaves][row.searched ? 1 : 0] = &row;
  const bool searched = table.rows.back().searched, classes = table.measure == "class_error";
  std::string text = fmt::format("Path of sizes, {} folds, error {}{}:\n  {:>8}", table.folds, table.measure,
                                 classes ? ", chosen by log loss" : "", "leaves");
  const auto heads = [&](std::string_view way) {
    text += fmt::format("  {:>17}  {:>12}", fmt::format("{}: training", way), "unseen rows");
    if (classes) text += fmt::format("  {:>8}", "log loss");
  };
  heads("grown");
  if (searched) heads("searched");
  text += '\n';
  std::size_t left_out = 0;
  for (const auto& [leaves, rows] : by_leaves) {
    const bool is_chosen = rows[chosen.searched ? 1 : 0] == &chosen;
    if (leaves > kMostShownLeaves && !is_chosen && rows[0] != &table.full()) {
      ++left_out;
      continue;
    }
    text += fmt::format("{} {:>8}", is_chosen ? '*' : ' ', grouped(leaves));
    for (std::size_t way = 0; way < (searched ? 2U : 1U); ++way) {
      const SizeRow* row = rows[way];
      text += fmt::format("  {:>17}  {:>12}", row == nullptr ? "" : number(row->training_error),
                          row == nullptr ? "" : number(row->error));
      if (classes) text += fmt::format("  {:>8}", row == nullptr ? "" : fmt::format("{:.4f}", row->loss));
    }
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  if (left_out > 0)
    text += fmt::format("  ({} rows of large trees are left out; --json has them)\n", left_out);
  return text;
}

Json size_table_json(const SizeTable& table) {
  Json rows = Json::array();
  for (const SizeRow& row : table.rows)
    rows.push_back({{"searched", row.searched},
                    {"leaves", row.leaves},
                    {"shrinkage", row.shrinkage},
                    {"training_error", row.training_error},
                    {"error", row.error},
                    {"standard_error", row.standard_error},
                    {"loss", row.loss},
                    {"standard_loss", row.standard_loss}});
  return {{"rows", std::move(rows)},
          {"chosen", table.chosen},
          {"folds", table.folds},
          {"measure", table.measure}};
}

}  // namespace bough::cli
