// SPDX-License-Identifier: Apache-2.0
// bough prune: a model with nodes cut off by hand or by cp.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "bough/rpart.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct PruneFlags {
  std::string model;
  std::string output;
  std::vector<std::string> nodes;
  std::string style = "tree";
  std::optional<std::string> cp;
};

std::vector<std::uint64_t> node_numbers(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& text : split_lists(texts)) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size())
      throw Error(ErrorCode::bad_params, fmt::format("--nodes: '{}' is no number of a node", text),
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

double cp_number(const std::string& text) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size()) return value;
  throw Error(ErrorCode::bad_params, fmt::format("--cp: '{}' is not a number", text), "write --cp 0.02");
}

void run_prune(const PruneFlags& flags) {
  if (flags.nodes.empty() && !flags.cp)
    throw Error(ErrorCode::bad_params, "bough prune needs to know what to cut",
                "give --nodes 4,7 or --cp 0.02");
  check_writable(flags.output, {});
  Model model = load_model(flags.model);
  const NodeId before = model.tree().n_leaves();
  if (!flags.nodes.empty()) model = cut_nodes(model, flags);
  if (flags.cp) model = prune_cp(model, cp_number(*flags.cp));
  Model::Parts parts = model.parts();
  parts.provenance.command = command_line();
  model = Model(std::move(parts));
  if (!flags.output.empty()) model.save(flags.output);
  print(fmt::format(
      "{} of {} leaves are left\n{}", model.tree().n_leaves(), before,
      flags.output.empty() ? "not saved: give a file with -o\n" : fmt::format("saved {}\n", flags.output)));
}

}  // namespace

void add_prune(Command& command) {
  const auto flags = std::make_shared<PruneFlags>();
  command.argument(flags->model, {"model", "model file", "MODEL"});
  command.group("Options");
  command.option(flags->output, {"-o,--output", "Model file to write", "FILE"});
  command.option(flags->nodes, {"--nodes", "Numbers of nodes that become leaves: 4,7", "NUMBERS"});
  command.option(flags->style,
                 {"--style",
                  "How nodes are numbered: tree (in preorder from 0, as everywhere) or rpart (as 'bough show "
                  "--style rpart' prints them) (default: tree)",
                  "STYLE",
                  {"tree", "rpart"}});
  command.option(flags->cp, {"--cp", "Cut what is not worth this complexity parameter", "X"});
  command.example("bough prune model.bough --nodes 4,7 --style rpart -o smaller.bough");
  command.example("bough prune model.bough --cp 0.02 -o smaller.bough");
  command.action([flags] { run_prune(*flags); });
}

}  // namespace bough::cli
