// SPDX-License-Identifier: Apache-2.0
// bough rules: a tree as rules, and what C4.5rules makes of them.
#include "bough/rules.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "answerer.hpp"
#include "bough/export.hpp"
#include "bough/inference.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

struct RulesFlags {
  std::string model;
  std::string data;
  std::string weight;
  std::string format;
  std::string dialect = "duckdb";
  std::string output;
  std::string order;
  std::int64_t tree = 1;
  double confidence = kNotGiven;
  double theory_weight = kNotGiven;
  int threads = 0;
  bool c45 = false;
  ReadFlags read;
};

// Without --to the name of the output decides; --format used to be the form of the result.
std::string format_of(const RulesFlags& flags) {
  if (!flags.format.empty()) return flags.format;
  for (const RuleFormat& format : rule_formats())
    if (flags.read.format == format.name) return std::string(format.name);
  for (const RuleFormat& format : rule_formats())
    if (flags.output.ends_with(format.extension)) return std::string(format.name);
  return "text";
}

void check_flags(const RulesFlags& flags) {
  if (flags.c45 && flags.data.empty())
    throw Error(ErrorCode::bad_params,
                "--c45 needs --data: it drops conditions and chooses rules on training rows",
                "add --data with the table that the tree was grown on");
}

C45RulesOptions c45_options(const RulesFlags& flags, std::size_t tree) {
  C45RulesOptions options;
  if (!std::isnan(flags.confidence)) options.confidence = flags.confidence;
  if (!std::isnan(flags.theory_weight)) options.theory_weight = flags.theory_weight;
  if (flags.order == "class") options.order = RuleOrder::classes;
  options.tree = tree;
  options.weight = flags.weight;
  return options;
}

RuleSet make_rules(const RulesFlags& flags, const Answering& source, const std::optional<Table>& data) {
  const Execution execution = execution_for("rules", flags.threads);
  if (const auto* rules = std::get_if<RuleSet>(&source)) {
    if (flags.c45)
      throw Error(ErrorCode::bad_params,
                  fmt::format("--c45 starts from a tree, and '{}' holds rules", flags.model),
                  "give the model file");
    if (flags.tree != 1)
      throw Error(ErrorCode::bad_params,
                  fmt::format("--tree does nothing, because '{}' holds rules, not trees", flags.model),
                  "leave --tree out, or give the model file");
    return data ? measure(*rules, *data, flags.weight, execution) : *rules;
  }
  const Model& model = std::get<Model>(source);
  const std::size_t tree = tree_index(model, flags.tree);
  if (flags.c45) return c45_rules(model, *data, c45_options(flags, tree), execution);
  const RuleSet rules = tree_rules(model, tree);
  return data ? measure(rules, *data, flags.weight, execution) : rules;
}

// How often the rules are right on the rows, beside the tree they come from.
std::string score_text(const RulesFlags& flags, const Answering& source, const RuleSet& rules,
                       const Table& data) {
  if (rules.parts().task != Task::classification) return "";
  const Execution execution = execution_for("rules", flags.threads);
  const std::vector<double> shares = accuracy(rules, data, flags.weight, execution);
  std::vector<Evaluation> model;
  if (flags.c45) model = evaluate(std::get<Model>(source), data, flags.weight, execution);
  std::string text = "\n";
  for (std::size_t output = 0; output < shares.size(); ++output) {
    const std::string of =
        shares.size() == 1 ? "" : fmt::format(" of {}", rules.parts().targets.fields[output].name);
    text += fmt::format("Accuracy{} on {}: {:.4f}", of, source_name(flags.data), shares[output]);
    if (!model.empty()) text += fmt::format(" (of the tree: {:.4f})", model[output].scores.at("accuracy"));
    text += '\n';
  }
  return text;
}

// --format used to be the form of the result.
RulesFlags with_old_form(RulesFlags flags) {
  const auto named = [&](const RuleFormat& format) { return format.name == flags.read.format; };
  if (std::ranges::none_of(rule_formats(), named)) return flags;
  tell(fmt::format("--format is the kind of the file of --data; the form of the result is --to {} now",
                   flags.read.format));
  flags.format = std::exchange(flags.read.format, "");
  return flags;
}

void run_rules(const RulesFlags& given) {
  const RulesFlags flags = with_old_form(given);
  check_flags(flags);
  if (!flags.read.format.empty() && flags.data.empty())
    throw Error(ErrorCode::bad_params, "--format does nothing, because --data is not given",
                "add --data, or leave --format out");
  check_writable(flags.output, {flags.model, flags.data});
  const Answering source = load_answering(flags.model);
  std::optional<Table> data;
  if (!flags.data.empty()) {
    data = std::visit(
        [&]<class Known>(const Known& known) {
          const ReadOptions reading = read_options(flags.read);
          if constexpr (std::is_same_v<Known, Model>)
            return labelled_rows(flags.data, reading, known);
          else
            return labelled_rows(flags.data, reading, plain_features(known), known.parts().targets);
        },
        source);
    if (!flags.weight.empty()) require_column(*data, flags.weight, "--weight", flags.data);
  }
  const RuleSet rules = make_rules(flags, source, data);
  const std::string format = format_of(flags);
  std::string text = format == "sql" ? rules_as_sql(rules, flags.dialect) : write_rules(rules, format);
  if (const auto* model = std::get_if<Model>(&source); model != nullptr && model->trees().size() > 1) {
    const std::string which = fmt::format("tree {} of {}", flags.tree, model->trees().size());
    if (format == "text")
      text = fmt::format("{}:\n{}", which, text);
    else
      tell(fmt::format("the rules are those of {}, not of all trees together", which));
  }
  if (format == "text" && data) text += score_text(flags, source, rules, *data);
  write_file(flags.output, text);
}

}  // namespace

void add_rules(Command& command) {
  const auto flags = command.runs(run_rules);
  std::vector<std::string> names;
  std::string docs;
  for (const RuleFormat& format : rule_formats()) {
    names.emplace_back(format.name);
    docs += fmt::format("{}{}: {}", docs.empty() ? "" : "; ", format.name, format.doc);
  }
  command.argument(flags->model, {"model", "model file, or a rule set as JSON", "MODEL"});
  command.group("Options");
  command.option(flags->data,
                 {"--data", "Table to count the rules on; default: the counts from training", "FILE"});
  command.option(flags->weight, {"-w,--weight", "Column of row weights in it", "NAME"});
  command.option(flags->format, {"--to", "Form of the result; default: by the name of the output, else text",
                                 "FORM", names});
  command.option(flags->dialect,
                 {"--dialect", "sql: engine (default: duckdb)", "WORD", {"duckdb", "postgresql", "sqlite"}});
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.threads_option(flags->threads);
  command.group("C4.5rules");
  command.toggle(flags->c45,
                 {"--c45", "Drop conditions, choose rules and order them; --data holds the training rows"});
  command.option(
      flags->confidence,
      {"--cf", "Confidence factor of the pessimistic error, above 0 and at most 0.5 (default: 0.25)", "X"});
  command.option(flags->order,
                 {"--order",
                  "Order of the rules: most accurate first, or class by class (default: accuracy)",
                  "ORDER",
                  {"accuracy", "class"}});
  command.option(
      flags->theory_weight,
      {"--theory-weight", "Weight of rule bits relative to exception bits (default: 0.5)", "X", {}, true});
  add_read_flags(command, flags->read, {"--data"}, "--data-format,--format", names);
  command.effects({{"--data,--to,--output,--tree,--threads,--c45"},
                   {"--weight", {"--data"}},
                   {"--dialect", {"--to=sql"}},
                   {"--cf,--order,--theory-weight", {"--c45"}}});
  command.implied("--to", [flags] { return format_of(*flags); });
  command.note("Formats: " + docs + ". A set written as JSON can predict: bough predict rules.json new.csv.");
  command.examples({"bough rules model.bough", "bough rules model.bough --c45 --data train.csv -o rules.json",
                    "bough predict rules.json new.csv > predictions.csv"});
}

}  // namespace bough::cli
