// SPDX-License-Identifier: Apache-2.0
// bough compare: two models on the same rows.
#include <fmt/format.h>

#include "bough/json.hpp"
#include "bough/seen_rows.hpp"
#include "bough/significance.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct CompareFlags {
  std::string first;
  std::string second;
  std::string data;
  std::string training;
  std::string target;
  CompareOptions options;
  std::int64_t seed = 0;
  int most = 20;
  int threads = 0;
  bool json = false;
  ReadFlags read;
};

void run_compare(const CompareFlags& flags) {
  const Model first = with_target(load_model(flags.first), flags.target);
  const Model second = with_target(load_model(flags.second), flags.target);
  if (flags.data.empty())
    throw Error(ErrorCode::bad_params,
                "bough compare needs --data, labelled rows that neither model was grown on",
                "write --data test.csv");
  require_at_least(0, flags.most, "--most");
  require_at_least(0, flags.seed, "--seed");
  const auto read = [&](const std::string& path) {
    Schema features = plain_features(first);
    for (const Field& field : plain_features(second).fields)
      if (!features.find(field.name)) features.fields.push_back(field);
    return labelled_rows(path, read_options(flags.read), features, first.targets());
  };
  const Table data = read(flags.data);
  CompareOptions options = flags.options;
  options.seed = static_cast<std::uint64_t>(flags.seed);
  options.most = static_cast<std::size_t>(flags.most);
  options.refit.weight = options.weight;
  for (const Field& target : first.targets().fields)
    require_column(data, target.name, "the target", flags.data);
  if (!options.weight.empty()) require_column(data, options.weight, "--weight", flags.data);
  for (const auto& [model, name] : {std::pair(&first, &flags.first), std::pair(&second, &flags.second)})
    if (holds_training_rows(*model, data))
      warn(fmt::format("{} was grown on the rows of {}: tests on them say nothing about new rows", *name,
                       source_name(flags.data)));
  std::optional<Table> training;
  if (!flags.training.empty()) training = read(flags.training);
  const CleanStop clean;
  const Comparison result = compare(first, second, data, options, training ? &*training : nullptr,
                                    execution_for("compare", flags.threads));
  if (flags.json) return print(to_json(result) + '\n');
  print(fmt::format("first:  {}\nsecond: {}\n\n{}", flags.first, flags.second, to_text(result)));
  if (!training)
    print(
        "\nWith --train FILE, the training rows, both parameter sets are refitted on splits of them and "
        "tested.\n");
}

}  // namespace

void add_compare(Command& command) {
  const auto flags = command.runs(run_compare);
  command.argument(flags->first, {"first", "model file", "MODEL"});
  command.argument(flags->second, {"second", "model file of the same targets", "MODEL"});
  command.group("Options");
  command.option(flags->data,
                 {"-d,--data", "Labelled rows that neither was grown on; - is standard input", "FILE"});
  command.option(flags->training,
                 {"--train",
                  "Training rows: refit both parameter sets on splits of them, for the corrected resampled "
                  "t-test",
                  "FILE"});
  command.option(flags->options.splits, {"--splits", "Splits of the training rows (default: 30)", "N"});
  command.option(flags->options.fraction,
                 {"--fraction", "Share of the rows a split holds out (default: 0.2)", "SHARE"});
  command.option(flags->seed, {"--seed", "Seed of the splits (default: 0)", "N"});
  command.option(flags->options.confidence,
                 {"--confidence", "Confidence of the intervals (default: 0.95)", "SHARE"});
  command.truth_option(flags->target);
  command.weight_option(flags->options.weight);
  command.option(flags->most, {"--most", "Differing nodes to list (default: 20)", "N"});
  command.threads_option(flags->threads);
  command.json_toggle(flags->json);
  add_read_flags(command, flags->read, {"--data", "--train"});
  command.effects({{"--data,--train,--confidence,--target,--weight,--most,--threads,--json"},
                   {"--splits,--fraction,--seed", {"--train"}}});
  command.examples({"bough compare a.bough b.bough --data test.csv",
                    "bough compare a.bough b.bough --data test.csv --train train.csv --splits 100"});
}

}  // namespace bough::cli
