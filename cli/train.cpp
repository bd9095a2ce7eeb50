// SPDX-License-Identifier: Apache-2.0
// bough train: from a table to a scored and saved tree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bough/bough.hpp"
#include "cluster.hpp"
#include "errors.hpp"
#include "holdout.hpp"
#include "interrupt.hpp"
#include "out_of_core.hpp"
#include "output.hpp"
#include "param_flags.hpp"
#include "pruning.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

using Json = nlohmann::ordered_json;

struct TrainFlags {
  std::string data;
  std::string output;
  std::string test;
  double holdout = std::numeric_limits<double>::quiet_NaN();  // not given
  std::optional<int> cp_folds;
  std::string cp_groups;
  int threads = 0;
  bool json = false;
  ReadFlags read;
  ColumnFlags columns;
  ParamFlags params;
  std::string preset;
  FoldFlags folds;
  std::optional<std::string> dask;
  MemoryFlags memory;
};

// No row shows its effect, so models of a treatment have no scores; this is said instead.
struct EffectSummary {
  double mean = 0.0, low = 0.0, high = 0.0;
};

EffectSummary summarise(const std::vector<double>& effects) {
  const auto [low, high] = std::minmax_element(effects.begin(), effects.end());
  const double sum = std::accumulate(effects.begin(), effects.end(), 0.0);
  return {sum / static_cast<double>(effects.size()), *low, *high};
}

struct Trained {
  Model model;
  ScorePair scores;
  std::vector<Evaluation> out_of_bag;  // of forests whose trees draw rows
  std::int64_t n_rows = 0;
  EffectSummary effects;
};

constexpr double kHoldout = 0.2;

// Trees that draw rows leave others out: a forest needs no second one for a score of rows it has not seen.
double holdout_of(const TrainFlags& flags, const Params& params) {
  if (!std::isnan(flags.holdout)) return flags.holdout;
  return leaves_rows_out(params) ? 0.0 : kHoldout;
}

// What needs all rows at once.
void check_without_table(const TrainFlags& flags) {
  if (flags.holdout > 0.0)
    throw Error(ErrorCode::not_supported,
                "--holdout needs all rows in memory, so it does not go with --memory",
                "score on another table with --test FILE");
  if (flags.cp_folds || !flags.cp_groups.empty())
    throw Error(ErrorCode::not_supported,
                fmt::format("{} needs all rows in memory, so it does not go with --memory",
                            flags.cp_folds ? "--cp-folds" : "--cp-groups"),
                "leave it out");
}

void check_flags(const TrainFlags& flags) {
  if (flags.holdout < 0.0 || flags.holdout >= 1.0) {
    throw Error(ErrorCode::bad_params,
                fmt::format("--holdout must be at least 0 and below 1, but is {}", flags.holdout),
                "0.2 holds a fifth of the rows out, 0 none");
  }
  if (flags.threads < 0) {
    throw Error(ErrorCode::bad_params,
                fmt::format("--threads must not be negative, but is {}", flags.threads), "0 means all cores");
  }
  check_memory_flags(flags.memory);
  if (flags.memory.memory) check_without_table(flags);
  check_writable(flags.output, {flags.data, flags.test, flags.columns.schema_path});
}

Model with_command(const Model& model) {
  Model::Parts parts = model.parts();
  parts.provenance.command = command_line();
  return Model(std::move(parts));
}

ScorePair score_test(const TrainFlags& flags, const Trained& trained, const Table& table,
                     const FitSpec& spec) {
  const Execution execution{flags.threads, {}};
  const Table test = read_rows(flags.test, read_options(flags.read), trained.model);
  ScorePair scores;
  scores.training = without_intervals(evaluate(trained.model, table, spec.weight, execution));
  scores.held_out = evaluate(trained.model, test, spec.weight, execution);
  return scores;
}

Model with_cp_table(const TrainFlags& flags, const Table& table, const FitSpec& spec, Model model) {
  const Execution execution = execution_for("cross-validating", flags.threads);
  if (!flags.cp_groups.empty()) return cross_validate_cp(model, table, spec, flags.cp_groups, execution);
  if (!flags.cp_folds) return model;
  const auto seed = static_cast<std::uint64_t>(model.params().seed);
  return cross_validate_cp(model, table, spec, draw_groups(table.n_rows(), *flags.cp_folds, seed), execution);
}

// What is refused by name because it needs the rows here.
void refuse_beside_dask(const TrainFlags& flags) {
  const auto refuse = [](const std::string& what, const std::string& hint) {
    throw Error(ErrorCode::not_supported, what + " cannot be combined with --dask", hint);
  };
  if (flags.data == "-") refuse("standard input", "workers read the rows: give a file that they can see");
  if (!std::isnan(flags.holdout) && flags.holdout > 0.0)
    refuse("--holdout", "score on other rows with --test");
  if (flags.cp_folds || !flags.cp_groups.empty())
    refuse("cross-validating the cp table", "leave --cp-folds and --cp-groups out");
  if (!flags.columns.treatment.empty()) refuse("--treatment", "train on one machine");
  if (flags.memory.memory) refuse("--memory", "workers have their own limits of memory");
}

// The rows stay with the workers, so there are scores of a test table at most.
Trained train_with_dask(const TrainFlags& flags) {
  check_cluster_address(*flags.dask);
  check_flags(flags);
  refuse_beside_dask(flags);
  ColumnPlan plan = plan_columns(flags.columns);
  plan.spec.folds = read_folds(flags.folds);
  if (plan.spec.targets.empty())
    throw Error(ErrorCode::bad_params, "bough train needs --target, the column to predict");
  ReadOptions reading = read_options(flags.read);
  plan.shape(reading);
  Model model = train_on_cluster(
      {*flags.dask, flags.data, reading, plan.spec, read_params(flags.params, flags.preset)});
  Trained trained{with_command(model), {}, {}, model.parts().provenance.n_rows, {}};
  if (flags.test.empty())
    trained.scores.why_not = "the rows are with the workers; give other rows with --test";
  else
    trained.scores.held_out = evaluate(trained.model, read_rows(flags.test, read_options(flags.read)),
                                       plan.spec.weight, {flags.threads, {}});
  clear_progress();
  return trained;
}

// The table is never in memory: only other rows give scores.
Trained train_from_disk(const TrainFlags& flags, const ColumnPlan& plan, const Params& params,
                        const ReadOptions& reading) {
  const auto fit_all = [&] {
    const CleanStop clean;
    Model model = train_out_of_core(flags.data, reading, plan, params, flags.memory,
                                    execution_for("training", flags.threads));
    throw_if_interrupted();
    return model;
  };
  Trained trained{with_command(fit_all()), {}, {}, 0, {}};
  trained.n_rows = trained.model.parts().provenance.n_rows;
  if (flags.test.empty()) {
    trained.scores.why_not = "with --memory no rows are held out; score other rows with --test FILE";
  } else {
    const Table test = read_rows(flags.test, read_options(flags.read), trained.model);
    trained.scores.held_out = evaluate(trained.model, test, plan.spec.weight, {flags.threads, {}});
  }
  clear_progress();
  return trained;
}

Trained train(const TrainFlags& flags) {
  if (flags.dask) return train_with_dask(flags);
  check_flags(flags);
  const Params params = read_params(flags.params, flags.preset);
  ColumnPlan plan = plan_columns(flags.columns);
  plan.spec.folds = read_folds(flags.folds);
  if (!flags.cp_groups.empty()) plan.spec.ignored.push_back(flags.cp_groups);
  ReadOptions reading = read_options(flags.read);
  plan.shape(reading);
  if (flags.memory.memory) return train_from_disk(flags, plan, params, reading);
  hint_at_memory(flags.data);
  const Table table = read_rows(flags.data, reading, plan.spec.ignored);
  require_target(plan, table);
  plan.check(table, flags.data);
  if (reading.format != "arff") refuse_mixed_columns(table, plan, flags.data);

  const auto fit_all = [&] {
    const CleanStop clean;
    Model model = fit(table, plan.spec, params, execution_for("training", flags.threads));
    throw_if_interrupted();
    return with_cp_table(flags, table, plan.spec, std::move(model));
  };
  Trained trained{with_command(fit_all()), {}, {}, table.n_rows(), {}};
  if (leaves_rows_out(params) && plan.spec.treatment.empty())
    trained.out_of_bag = evaluate_out_of_bag(trained.model, table, {.weight = plan.spec.weight},
                                             execution_for("out-of-bag score", flags.threads));
  const double holdout = holdout_of(flags, params);
  if (is_causal(trained.model))
    trained.effects = summarise(effects(trained.model, table, {flags.threads, {}}).effect);
  else if (!flags.test.empty())
    trained.scores = score_test(flags, trained, table, plan.spec);
  else if (holdout > 0.0)
    trained.scores = score_holdout({table, plan.spec, trained.model, holdout, flags.threads});
  else
    trained.scores.training =
        without_intervals(evaluate(trained.model, table, plan.spec.weight, {flags.threads, {}}));
  clear_progress();
  return trained;
}

void save(const Trained& trained, const std::string& path) {
  if (path.empty()) return;
  const CleanStop clean;
  throw_if_interrupted();
  trained.model.save(path);
}

std::string percent(double fraction) {
  return fmt::format("{:.4g}%", 100.0 * fraction);
}

// Which rows have made the saved model: not all where some were held back, or chose splits only.
std::string grown_on(const Trained& trained) {
  const Params& params = trained.model.params();
  const bool calibrates = params.calibration_fraction > 0.0, prunes = params.pruning == "reduced_error";
  std::string text = (calibrates || prunes ? "" : "all ") + rows_text(trained.n_rows);
  if (calibrates)
    text += fmt::format(" less {} held out to calibrate intervals", percent(params.calibration_fraction));
  if (prunes)
    text += fmt::format(" less {} {}held out to prune", percent(params.pruning_fraction),
                        calibrates ? "of the rest " : "");
  if (params.honest)
    text += fmt::format(": in {} {} choose splits, {} estimate values",
                        trained.model.trees().size() > 1 ? "every tree" : "the tree",
                        percent(1.0 - params.honest_fraction), percent(params.honest_fraction));
  return text;
}

std::string scores_text(const TrainFlags& flags, const Trained& trained) {
  const ScorePair& scores = trained.scores;
  const std::vector<Evaluation>& bag = trained.out_of_bag;
  if (is_causal(trained.model))
    return fmt::format(
        "  average effect  {}\n  from            {} to {}\n  (no scores: what would have happened is in no "
        "row)\n",
        score_text(trained.effects.mean), score_text(trained.effects.low), score_text(trained.effects.high));
  if (!scores.why_not.empty()) return fmt::format("no held-out score: {}\n", scores.why_not);
  const bool forest = trained.model.trees().size() > 1 || trained.model.params().forest > 0;
  const std::string out_of_bag =
      bag.empty() ? "" : "  (out of bag: every row by the trees that have not drawn it)\n";
  if (scores.held_out.empty() && bag.empty()) return score_table({{"training", scores.training}});
  if (scores.training.empty())
    return score_table({{"test", scores.held_out}}) + interval_note(scores.held_out) +
           fmt::format("  (test: {})\n", source_name(flags.test));
  if (scores.held_out.empty())
    return score_table({{"training", scores.training}, {"out of bag", bag}}) + interval_note(bag) +
           out_of_bag;
  ScoreColumns columns{{flags.test.empty() ? "held out" : "test", scores.held_out}};
  if (!scores.training.empty()) columns.insert(columns.begin(), {"training", scores.training});
  if (!bag.empty()) columns.emplace_back("out of bag", bag);
  const std::string table = score_table(columns) + interval_note(scores.held_out) + out_of_bag;
  if (!flags.test.empty()) return table + fmt::format("  (test: {})\n", source_name(flags.test));
  const std::string_view noun = forest ? "forest" : "tree";
  return table +
         fmt::format("  ({} from a {} grown without the {} held out; the {}{} below is grown on {})\n",
                     bag.empty() ? "both" : "training and held out", noun,
                     percent(holdout_of(flags, trained.model.params())), flags.output.empty() ? "" : "saved ",
                     noun, grown_on(trained));
}

void print_report(const TrainFlags& flags, const Trained& trained) {
  const Paint paint(stdout);
  const Model& model = trained.model;
  print(fmt::format("{}\n{}, {} {}, criterion {}\n\n", paint.strong(task_text(model)),
                    rows_text(trained.n_rows), model.features().fields.size(),
                    model.features().fields.size() == 1 ? "column" : "columns", model.parts().criterion));
  print(scores_text(flags, trained) + '\n');
  if (model.parts().pruning_table) print(pruning_table_text(*model.parts().pruning_table) + '\n');
  print(tree_or_summary(model));
  print(flags.output.empty() ? "\nnot saved: give a file with -o model.bough\n"
                             : fmt::format("\nsaved {}, grown on {}\n", flags.output, grown_on(trained)));
}

void print_json(const TrainFlags& flags, const Trained& trained) {
  const Model& model = trained.model;
  Json out;
  out["model"] = flags.output.empty() ? Json() : Json(flags.output);
  out["task"] = model.task() == Task::classification ? "classification" : "regression";
  out["criterion"] = model.parts().criterion;
  out["rows"] = trained.n_rows;
  const bool divided = model.params().honest || model.params().calibration_fraction > 0.0;
  out["grown_on"] = divided ? grown_on(trained) : "all rows";
  Json trees = Json::array();
  for (const Tree& tree : model.trees())
    trees.push_back({{"nodes", tree.n_nodes()}, {"leaves", tree.n_leaves()}, {"depth", tree.depth()}});
  out["trees"] = std::move(trees);
  const ScorePair& scores = trained.scores;
  const bool split = flags.test.empty() && !scores.held_out.empty();
  out["holdout"] = split ? Json(holdout_of(flags, model.params())) : Json();
  if (is_causal(model))
    out["effects"] = {
        {"mean", trained.effects.mean}, {"low", trained.effects.low}, {"high", trained.effects.high}};
  if (!scores.training.empty()) out["training"] = Json::parse(to_json(scores.training));
  if (!scores.held_out.empty()) out[split ? "held_out" : "test"] = Json::parse(to_json(scores.held_out));
  if (!trained.out_of_bag.empty()) out["out_of_bag"] = Json::parse(to_json(trained.out_of_bag));
  if (!scores.why_not.empty()) out["no_held_out_score"] = scores.why_not;
  if (model.parts().pruning_table) out["pruning_table"] = pruning_table_json(*model.parts().pruning_table);
  Json importances = Json::object();
  const std::vector<double> values = model.importances();
  for (std::size_t i = 0; i < values.size(); ++i) importances[model.features().fields[i].name] = values[i];
  out["importances"] = std::move(importances);
  out["notes"] = model.parts().provenance.notes;
  print_data(out.dump(2) + '\n');
}

void run_train(const TrainFlags& flags) {
  const Trained trained = train(flags);
  for (const std::string& note : trained.model.parts().provenance.notes) warn(note);
  save(trained, flags.output);
  if (flags.json)
    print_json(flags, trained);
  else
    print_report(flags, trained);
}

}  // namespace

void add_train(Command& command) {
  const auto flags = command.runs(run_train);
  command.argument(flags->data,
                   {"data",
                    "table of training rows: csv, tsv, svmlight or arff, plain or compressed, Parquet "
                    "or Arrow; - is standard input",
                    "DATA"});
  command.group("Options");
  command.option(flags->output, {"-o,--output",
                                 "Model file to write, replaced only on success; a name ending in "
                                 ".json gives the JSON form. Without it nothing is saved",
                                 "FILE"});
  command.option(flags->holdout, {"--holdout",
                                  "Share of the rows held out for the score, drawn by --seed; 0: none "
                                  "(default: 0.2; 0 for forests, whose trees "
                                  "leave rows out)",
                                  "SHARE"});
  command.option(flags->test, {"--test", "Score on this table instead of on held-out rows", "FILE"});
  command.threads_option(flags->threads);
  add_memory_flags(command, flags->memory);
  command.option(flags->cp_folds,
                 {"--cp-folds",
                  "Cross-validate the cp table in so many groups of rows, drawn by --seed; see 'bough "
                  "show --style cp'",
                  "N"});
  command.option(
      flags->cp_groups,
      {"--cp-groups", "The same, with the groups in this column, which is not learned from", "NAME"});
  command.option(
      flags->dask,
      {"--dask",
       "Train on the workers of the Dask cluster with this scheduler, which read the data: Parquet, Arrow "
       "or text files, a pattern or a folder. Needs Python with bough[dask]",
       "ADDRESS"});
  command.json_toggle(flags->json);
  command.config_option();
  add_column_flags(command, flags->columns);
  std::vector<std::string> presets;
  for (const Preset& preset : bough::presets()) presets.emplace_back(preset.name);
  command.group("Problem");
  command.option(
      flags->preset,
      {"--preset", "Parameters of another program's trees; options given beside it win", "WORD", presets});
  add_param_flags(command, flags->params);
  add_fold_flags(command, flags->folds);
  add_read_flags(command, flags->read);
  command.note("Column names that hold a comma go in double quotes: --ignore '\"a,b\",c'.");
  command.examples({"bough train data.csv --target y -o model.bough",
                    "bough train data.csv --target y --max-depth 4 --min-samples-leaf 0.01",
                    "bough train data.csv --target y --forest 100 --max-features sqrt -o forest.bough",
                    "bough train trial.csv --target y --treatment drug --honest --min-samples-arm 20",
                    "bough train cars.csv --target price --ordinal 'size:small<medium<large' --ignore id",
                    "bough train 'big/*.parquet' --target y --dask tcp://scheduler:8786 -o model.bough",
                    "bough train huge.csv --target y --memory 2GB --max-depth 8 -o model.bough",
                    "zcat big.csv.gz | bough train - --target y --config train.toml --json"});
}

}  // namespace bough::cli
