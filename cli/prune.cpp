// SPDX-License-Identifier: Apache-2.0
// bough prune: a model with a smaller tree, without growing again.
#include "bough/prune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "bough/inference.hpp"
#include "bough/json.hpp"
#include "bough/pessimistic.hpp"
#include "bough/rpart.hpp"
#include "bough/seen_rows.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct PruneFlags {
  std::string model;
  std::string output;
  std::string method;
  std::string with;
  std::optional<std::string> alpha;
  std::optional<std::string> critical;
  std::optional<std::string> cp;
  std::optional<std::string> confidence;
  std::vector<std::string> nodes;
  std::optional<int> leaves;
  std::string style = "tree";
  std::string risk = "impurity";
  std::string leaf_values = "train";
  std::string measure = "natural";
  std::string weight;
  int threads = 0;
  bool json = false;
  ReadFlags read;
};

double number_of(const std::string& text, std::string_view option) {
  if (!is_number(text))
    throw Error(ErrorCode::bad_params, fmt::format("{} must be a number, but is '{}'", option, text));
  return std::strtod(text.c_str(), nullptr);
}

// The method that was named, or the one that the other options are for.
std::string method_of(const PruneFlags& flags) {
  if (!flags.method.empty()) return flags.method;
  if (flags.leaves) return "leaves";
  if (!flags.with.empty() && !flags.confidence) return "reduced_error";
  if (flags.alpha) return "cost_complexity";
  if (flags.critical) return "critical_value";
  if (flags.cp) return "cp";
  if (flags.confidence) return "pessimistic";
  if (!flags.nodes.empty()) return "nodes";
  throw Error(
      ErrorCode::bad_params, "bough prune needs to be told how to prune",
      "give a size with --leaves, rows with --with, a price with --alpha, nodes with --nodes, or a --method");
}

Model prune_with_rows(const PruneFlags& flags, const Model& model) {
  if (flags.with.empty())
    throw Error(ErrorCode::bad_params, "reduced-error pruning needs rows that the tree was not grown on",
                "give them with --with FILE");
  const Table table = labelled_rows(flags.with, read_options(flags.read), model);
  if (holds_training_rows(model, table))
    warn(fmt::format("{} holds the rows that the tree was grown on: on those, pruning never helps",
                     source_name(flags.with)));
  ReducedErrorOptions options;
  options.leaf_values = flags.leaf_values == "train"   ? LeafValues::train
                        : flags.leaf_values == "prune" ? LeafValues::prune
                                                       : LeafValues::both;
  options.measure = flags.measure == "squared" ? ErrorMeasure::squared : ErrorMeasure::natural;
  options.weight = flags.weight;
  return reduced_error(model, table, options, execution_for("pruning", flags.threads));
}

std::vector<std::uint64_t> node_numbers(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& text : split_lists(texts)) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size())
      throw Error(ErrorCode::bad_params, fmt::format("--nodes: '{}' is not the number of a node", text),
                  "write numbers with commas: --nodes 4,7");
    numbers.push_back(number);
  }
  return numbers;
}

// Nodes as they are numbered by 'bough show' with the same --style.
Model cut_nodes(const Model& model, const PruneFlags& flags) {
  const std::vector<std::uint64_t> numbers = node_numbers(flags.nodes);
  if (flags.style == "rpart") return cut(model, nodes_of_rpart(model, numbers));
  std::vector<NodeId> nodes;
  for (const std::uint64_t number : numbers) {
    if (number >= static_cast<std::uint64_t>(model.tree().n_nodes()))
      throw Error(ErrorCode::bad_params, fmt::format("--nodes: there is no node {}", number),
                  fmt::format("nodes are numbered from 0 to {}; with --style rpart as rpart does",
                              model.tree().n_nodes() - 1));
    nodes.push_back(static_cast<NodeId>(number));
  }
  return cut(model, nodes);
}

// With the training rows branches may be raised too.
Model prune_by_limits(const PruneFlags& flags, const Model& model) {
  PessimisticSpec spec;
  if (flags.confidence) spec.confidence_factor = number_of(*flags.confidence, "--confidence-factor");
  spec.j48 = model.params().j48;
  spec.criterion = model.parts().criterion;
  if (flags.with.empty()) return prune_pessimistic(model, spec);
  return prune_pessimistic(model, spec, labelled_rows(flags.with, read_options(flags.read), model),
                           flags.weight);
}

Model prune_by_size(const PruneFlags& flags, const Model& model) {
  if (model.trees().size() != 1)
    throw Error(ErrorCode::not_supported, "--leaves is for one tree, and this model has several",
                "use --alpha");
  require_at_least(1, *flags.leaves, "--leaves");
  const NodeId leaves = model.tree().n_leaves();
  if (leaves <= *flags.leaves)
    tell(fmt::format("the tree has {} already, so nothing is pruned",
                     leaves == 1 ? "1 leaf" : fmt::format("{} leaves", grouped(leaves))));
  return prune_to_leaves(model, *flags.leaves, flags.risk);
}

Model pruned(const PruneFlags& flags, const Model& model, const std::string& method) {
  if (method == "leaves" && !flags.leaves)
    throw Error(ErrorCode::bad_params, "pruning to a size needs the size", "give it with --leaves 8");
  if (method == "leaves") return prune_by_size(flags, model);
  if (method == "pessimistic") return prune_by_limits(flags, model);
  if (method == "nodes") {
    if (flags.nodes.empty())
      throw Error(ErrorCode::bad_params, "cutting off nodes needs their numbers",
                  "give them with --nodes 4,7");
    return cut_nodes(model, flags);
  }
  if (method == "cp") {
    if (!flags.cp)
      throw Error(ErrorCode::bad_params, "pruning by cp needs its value", "give it with --cp 0.02");
    return prune_cp(model, number_of(*flags.cp, "--cp"));
  }
  if (method == "reduced_error") return prune_with_rows(flags, model);
  if (method == "mdl") return minimum_description(model);
  if (method == "simplify") return simplify(model);
  if (method == "cost_complexity") {
    if (!flags.alpha)
      throw Error(ErrorCode::bad_params, "cost-complexity pruning needs the price per leaf",
                  "give it with --alpha, or let 'bough train --pruning cost_complexity' choose it");
    return prune(model, number_of(*flags.alpha, "--alpha"), flags.risk);
  }
  if (!flags.critical)
    throw Error(ErrorCode::bad_params, "critical value pruning needs a value",
                "give it with --critical-value");
  return critical_value(model, number_of(*flags.critical, "--critical-value"));
}

Json size_json(const Model& model) {
  Json trees = Json::array();
  for (const Tree& tree : model.trees())
    trees.push_back({{"nodes", tree.n_nodes()}, {"leaves", tree.n_leaves()}, {"depth", tree.depth()}});
  return trees;
}

Model with_command_added(const Model& model) {
  Model::Parts parts = model.parts();
  std::string& command = parts.provenance.command;
  command += (command.empty() ? "" : "; ") + command_line();
  return Model(std::move(parts));
}

// Scores of the rows of --with, where they have not chosen the tree.
std::string before_and_after(const PruneFlags& flags, const Model& before, const Model& after,
                             const std::string& method) {
  if (flags.with.empty() || method != "leaves") return {};
  const Table rows = labelled_rows(flags.with, read_options(flags.read), before);
  warn_of_training_rows(before, rows, flags.with);
  const auto score = [&](const Model& model) {
    return without_intervals(evaluate(model, rows, flags.weight, execution_for("scores", flags.threads)));
  };
  return score_table({{"before", score(before)}, {"after", score(after)}}) + '\n';
}

void run_prune(const PruneFlags& flags) {
  if (flags.output == "-") report_to_standard_error();
  check_writable(flags.output, {flags.with});
  const std::string method = method_of(flags);
  const Model before = load_model(flags.model);
  const Model after = with_command_added(pruned(flags, before, method));
  if (!flags.output.empty()) {
    const CleanStop clean;
    throw_if_interrupted();
    save_model(after, flags.output);
  }
  if (flags.json) {
    Json out{{"model", flags.output.empty() ? Json() : Json(flags.output)}, {"method", method}};
    out["before"] = size_json(before);
    out["after"] = size_json(after);
    print_data(out.dump(2) + '\n');
    return;
  }
  print(fmt::format("before  {}\nafter   {}\n\n{}{}", size_text(before), size_text(after),
                    before_and_after(flags, before, after, method), tree_or_summary(after)));
  print(flags.output.empty() ? "\nnot saved: give a file with -o pruned.bough\n"
                             : fmt::format("\nsaved {}\n", flags.output));
}

}  // namespace

void add_prune(Command& command) {
  const auto flags = command.runs_on_model(run_prune);
  command.option(flags->output, {"-o,--output", "Model file to write; without it nothing is saved", "FILE"});
  command.option(flags->method,
                 {"--method",
                  "How: reduced_error (needs --with), cost_complexity (needs --alpha), pessimistic (C4.5; "
                  "with --with branches are "
                  "raised too), critical_value, mdl, cp (as rpart), nodes (those of --nodes), leaves (as "
                  "--leaves), or simplify, "
                  "which merges sibling leaves that predict the same. Default: what the other "
                  "options are for",
                  "WORD",
                  {"cost_complexity", "reduced_error", "pessimistic", "critical_value", "mdl", "simplify",
                   "cp", "nodes", "leaves"}});
  command.option(flags->with, {"--with",
                               "Rows for reduced-error pruning, unseen in training, or the training rows for "
                               "pessimistic pruning; - is standard input",
                               "FILE"});
  command.option(flags->leaf_values, {"--leaf-values",
                                      "Rows that give a new leaf its value (default: train)",
                                      "WORD",
                                      {"train", "prune", "both"}});
  command.option(
      flags->measure,
      {"--measure",
       "Error of reduced-error pruning. natural: wrong classes, or what the criterion minimises. squared: "
       "squared differences, of class shares too (default: natural)",
       "WORD",
       {"natural", "squared"}});
  command.option(flags->weight, {"-w,--weight", "Column of row weights in the rows of --with", "NAME"});
  command.option(flags->leaves,
                 {"--leaves",
                  "Most leaves: the best tree of the cost-complexity path that has no more; with --with, "
                  "scores before and after",
                  "N"});
  command.option(flags->alpha, {"--alpha", "Price per leaf", "X"});
  command.option(flags->risk,
                 {"--risk",
                  "What the price of leaves is weighed against; error: wrong classes (default: impurity)",
                  "WORD",
                  {"impurity", "error"}});
  command.option(flags->critical, {"--critical-value", "Decrease of impurity that a split must reach", "X"});
  command.option(
      flags->confidence,
      {"--confidence-factor",
       "Of pessimistic pruning, above 0, at most 0.5; smaller values prune more (default: 0.25)", "X"});
  command.option(flags->cp, {"--cp", "Cut branches not worth this complexity parameter, as rpart does", "X"});
  command.option(flags->nodes, {"--nodes", "Numbers of nodes that become leaves: 4,7", "NUMBERS"});
  command.option(flags->style,
                 {"--style",
                  "How nodes are numbered: tree (in preorder from 0, as everywhere) or rpart (as 'bough show "
                  "--style rpart' prints them) (default: tree)",
                  "STYLE",
                  {"tree", "rpart"}});
  command.threads_option(flags->threads);
  command.json_toggle(flags->json);
  add_read_flags(command, flags->read, {"--with"});
  command.implied("--method", [flags] { return method_of(*flags); });
  command.effects({{"--output,--method,--threads,--json"},
                   {"--with", {"--method=reduced_error|pessimistic|leaves"}},
                   {"--weight", {"--with"}},
                   {"--leaf-values,--measure", {"--method=reduced_error"}},
                   {"--risk", {"--method=cost_complexity|leaves"}},
                   {"--alpha", {"--method=cost_complexity"}},
                   {"--leaves", {"--method=leaves"}},
                   {"--critical-value", {"--method=critical_value"}},
                   {"--confidence-factor", {"--method=pessimistic"}},
                   {"--cp", {"--method=cp"}},
                   {"--nodes,--style", {"--method=nodes"}}});
  command.examples({"bough prune model.bough --with unseen.csv -o pruned.bough",
                    "bough prune model.bough --leaves 8 -o small.bough",
                    "bough prune model.bough --alpha 0.01 -o pruned.bough",
                    "bough prune model.bough --nodes 4,7 --style rpart -o smaller.bough"});
}

}  // namespace bough::cli
