// SPDX-License-Identifier: Apache-2.0
// bough evaluate: how good a model is on labelled rows.
#include <fmt/format.h>

#include "bough/explain.hpp"
#include "bough/inference.hpp"
#include "bough/json.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

using Groups = std::map<std::string, std::vector<Evaluation>>;

struct EvaluateFlags {
  std::string model, data, group, weight, target;
  double confidence = 0.95;
  int threads = 0;
  bool json = false;
  ReadFlags read;
};

void print_details(const Evaluation& evaluation, bool name_target) {
  const std::string of = name_target ? fmt::format(" of {}", one_line(evaluation.target)) : "";
  constexpr std::size_t kWidestConfusion = 40;
  if (evaluation.classes.size() > kWidestConfusion)
    print(fmt::format("\nConfusion{}: {} classes are too many to show; see --json\n", of,
                      evaluation.classes.size()));
  else if (!evaluation.confusion.empty())
    print(fmt::format("\nConfusion{}:\n{}\nBy class{}:\n{}", of, confusion_table(evaluation), of,
                      class_table(evaluation)));
  if (!evaluation.lift.empty())
    print(harmless(fmt::format("\nLift{} for '{}':\n{}", of, evaluation.classes[1], lift_table(evaluation))));
}

void print_report(const std::vector<Evaluation>& all, const Groups& groups) {
  ScoreColumns columns{{groups.empty() ? "" : "all", all}};
  for (const auto& [name, evaluations] : groups) columns.emplace_back(one_line(name), evaluations);
  print(score_table(columns));
  print(interval_note(all));
  for (const Evaluation& evaluation : all) print_details(evaluation, all.size() > 1);
}

void run_evaluate(const EvaluateFlags& flags) {
  const Model model = with_target(load_model(flags.model), flags.target);
  const Table table = labelled_rows(flags.data, read_options(flags.read), model);
  if (!flags.weight.empty()) require_column(table, flags.weight, "--weight", flags.data);
  if (!flags.group.empty()) require_column(table, flags.group, "--group", flags.data);
  for (const Field& target : model.targets().fields)
    require_column(table, target.name, "the target", flags.data);
  const bool seen = warn_of_training_rows(model, table, flags.data);
  const Execution execution = execution_for("scores", flags.threads);
  const EvaluateOptions options{flags.weight, flags.confidence};
  const std::vector<Evaluation> all = evaluate(model, table, options, execution);
  warn_of_new_labels(all);
  Groups groups;
  if (!flags.group.empty()) groups = evaluate_by(model, table, flags.group, options, execution);
  if (!flags.json) return print_report(all, groups);

  Json out;
  out["evaluations"] = Json::parse(to_json(all));
  out["training_rows"] = seen;
  if (!flags.group.empty()) out["group_column"] = flags.group;
  if (!flags.group.empty()) out["groups"] = Json::parse(to_json(groups));
  print_data(out.dump(2) + '\n');
}

}  // namespace

void add_evaluate(Command& command) {
  const auto flags = command.runs(run_evaluate);
  command.model_argument(flags->model);
  command.argument(flags->data, {"data", "table of rows that hold the target; - is standard input", "DATA"});
  command.group("Options");
  command.option(flags->group, {"--group", "Score the rows of every value of this column as well", "NAME"});
  command.truth_option(flags->target);
  command.weight_option(flags->weight);
  command.option(flags->confidence, {"--confidence", "Confidence of the intervals (default: 0.95)", "SHARE"});
  command.threads_option(flags->threads);
  command.json_toggle(flags->json);
  add_read_flags(command, flags->read);
  command.effects({{"--group,--target,--weight,--confidence,--threads,--json"}});
  command.examples(
      {"bough evaluate model.bough test.csv", "bough evaluate model.bough test.csv --group region --json"});
}

}  // namespace bough::cli
