// SPDX-License-Identifier: Apache-2.0
// bough explain: why a row gets its prediction, and why a tree is as it is.
#include "explain.hpp"

#include <fmt/format.h>

#include "bough/explain.hpp"
#include "bough/reasons.hpp"
#include "output.hpp"
#include "report.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

void explain_one_row(const ExplainFlags& flags, const Model& model) {
  const std::size_t tree = tree_index(model, flags.tree);
  const auto [table, row] = asked_row(flags, model, Reading::up_to_row);
  if (flags.reasons) {
    const Reasons reasons = top_reasons(model, table, row, {.target = flags.target, .label = flags.label});
    if (flags.json) return print(to_json(reasons) + '\n');
    for (const std::string& sentence : reasons.sentences) print(sentence + '\n');
    return;
  }
  const PathExplanation explanation = explain_row(model, table, row, tree);
  if (flags.json) return print(to_json(explanation) + '\n');
  if (!flags.data.empty()) print(fmt::format("Row {} of {}:\n", row + 1, source_name(flags.data)));
  for (const std::string& sentence : explanation.sentences) print(sentence + '\n');
}

void run_explain(const ExplainFlags& flags) {
  const int modes = static_cast<int>(flags.reasons) + static_cast<int>(flags.node.has_value()) +
                    static_cast<int>(flags.shap) + static_cast<int>(flags.leaves) +
                    static_cast<int>(flags.importance) + static_cast<int>(flags.counterfactual);
  if (modes > 1)
    throw Error(ErrorCode::bad_params, "bough explain does one thing at a time",
                "choose one of --reasons, --node, --shap, --leaves, --importance and --counterfactual");
  const Model model = load_model(flags.model);
  if (!flags.label.empty() && model.task() == Task::regression)
    throw Error(
        ErrorCode::bad_params, "--class does nothing, because the model predicts numbers",
        flags.counterfactual ? "say what to reach with --at-least or --at-most" : "leave --class out");
  if (flags.node) return explain_node(flags, model);
  if (flags.shap) return explain_shap(flags, model);
  if (flags.leaves) return explain_leaves(flags, model);
  if (flags.importance) return explain_importance(flags, model);
  if (flags.counterfactual) return explain_counterfactual(flags, model);
  explain_one_row(flags, model);
}

void add_questions(Command& command, ExplainFlags& flags) {
  command.group("What to explain (default: the path of a row)");
  command.toggle(flags.reasons, {"--reasons", "Which tests changed the prediction of the row most"});
  command.option(flags.node,
                 {"--node", "Why the tree splits this node as it does; --data holds the training rows", "N"});
  command.toggle(flags.shap, {"--shap", "Exact Shapley values of the row, or of every row of --data"});
  command.toggle(flags.leaves,
                 {"--leaves", "How the prediction changes on the way to every leaf, column by column"});
  command.toggle(flags.importance, {"--importance", "How much the score falls when a column is shuffled"});
  command.toggle(flags.counterfactual,
                 {"--counterfactual", "The smallest change of the row that changes its prediction"});
}

void add_details(Command& command, ExplainFlags& flags) {
  command.group("Details");
  command.option(flags.target,
                 {"--target", "Which target, when there are several (default: the first)", "NAME"});
  command.option(
      flags.label,
      {"--class", "--reasons, --shap: the class to follow; --counterfactual: the class to reach", "NAME"});
  command.option(flags.weight, {"-w,--weight", "--node, --importance: column of row weights", "NAME"});
  command.option(flags.points,
                 {"--points", "--node: longest curve in --json; 0: all cuts (default: 200)", "N"});
  command.option(
      flags.background,
      {"--background",
       "Table of other rows. --shap: background of interventional values; --counterfactual: how far "
       "columns spread (default: as in --data)",
       "FILE"});
  command.option(flags.score,
                 {"--score", "--importance: a score of bough evaluate (default: accuracy or r2)", "NAME"});
  command.option(flags.repeats, {"--repeats", "--importance: shuffles per column (default: 10)", "N"});
  command.option(flags.seed, {"--seed", "--importance: seed of the shuffles (default: 0)", "N"});
  command.option(flags.level, {"--level", "--importance: level of the intervals (default: 0.95)", "X"});
  command.option(flags.fixed, {"--fixed", "--counterfactual: columns that cannot change", "NAMES"});
  command.option(flags.increase, {"--increase", "--counterfactual: columns that can only rise", "NAMES"});
  command.option(flags.decrease, {"--decrease", "--counterfactual: columns that can only fall", "NAMES"});
  command.option(flags.at_least, {"--at-least", "--counterfactual: number to reach", "X"});
  command.option(flags.at_most, {"--at-most", "--counterfactual: number to get below", "X"});
}

void add_effects(Command& command) {
  command.effects({
      {"--threads,--json"},
      {"--reasons,--node,--shap,--leaves,--importance,--counterfactual"},
      {"--data,--values", {"!--leaves"}},
      {"--values", {"!--node"}},
      {"--values", {"!--importance"}},
      {"--row", {"!--values"}},
      {"--row", {"!--node"}},
      {"--row", {"!--leaves"}},
      {"--row", {"!--importance"}},
      {"--row", {"--data"}},
      {"--tree", {"!--reasons"}, "--reasons are those of all trees together"},
      {"--tree", {"!--shap"}, "--shap values are those of all trees together"},
      {"--tree", {"!--importance"}, "--importance is that of all trees together"},
      {"--tree", {"!--counterfactual"}, "--counterfactual is about all trees together"},
      {"--target,--class", {"--reasons", "--shap", "--counterfactual"}},
      {"--target,--class", {"!--shap", "--row", "--values"}, "--shap of a whole table holds all of them"},
      {"--target,--class", {"!--shap", "!--json"}, "--shap --json holds all of them"},
      {"--weight", {"--node", "--importance"}},
      {"--points", {"--node"}},
      {"--points", {"--json"}},
      {"--background", {"--shap", "--counterfactual"}},
      {"--score,--repeats,--seed,--level", {"--importance"}},
      {"--fixed,--increase,--decrease,--at-least,--at-most", {"--counterfactual"}},
  });
}

}  // namespace

void add_explain(Command& command) {
  const auto flags = command.runs_on_model(run_explain);
  command.option(flags->data, {"-d,--data", "Table that holds the row or rows; - is standard input", "FILE"});
  command.option(flags->row, {"-r,--row", "Which row: 1 is the first after the header (default: 1)", "N"});
  command.option(flags->values,
                 {"--values", "The row itself: name=value pairs; what is left out is missing", "PAIRS"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.threads_option(flags->threads);
  command.json_toggle(flags->json);
  add_questions(command, *flags);
  add_details(command, *flags);
  add_read_flags(command, flags->read, {"--data", "--background"});
  add_effects(command);
  command.examples({"bough explain model.bough --data data.csv --row 17",
                    "bough explain model.bough --values 'age=41,job=cook'",
                    "bough explain model.bough --node 0 --data train.csv",
                    "bough explain model.bough --shap --data data.csv --row 17",
                    "bough explain model.bough --importance --data test.csv --repeats 20",
                    "bough explain model.bough --counterfactual --data data.csv --row 17 --fixed age"});
}

}  // namespace bough::cli
