// SPDX-License-Identifier: Apache-2.0
// bough train: from a table to a scored and saved tree.
#include "train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
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
#include "train_report.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

EffectSummary summarise(const std::vector<double>& effects) {
  const auto [low, high] = std::minmax_element(effects.begin(), effects.end());
  const double sum = std::accumulate(effects.begin(), effects.end(), 0.0);
  return {sum / static_cast<double>(effects.size()), *low, *high};
}

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

void save(const Model& model, const std::string& path) {
  if (path.empty()) return;
  const CleanStop clean;
  throw_if_interrupted();
  save_model(model, path);
}

// Forests look at some of the columns in every node unless they are told how many.
Params training_params(const TrainFlags& flags) {
  Params params = read_params(flags.params, flags.preset);
  if (params.forest > 0 && flags.preset.empty() && !params.oblique && !is_given(flags, "max_features"))
    params.max_features = Amount::named(Amount::Unit::automatic);
  return params;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// The library sees values; here it is known which were typed.
void refuse_idle_options(const TrainFlags& flags, Params params, const FitSpec& spec, bool chooses) {
  std::vector<std::string_view> given;
  for (std::size_t i = 0; i < kParams.size(); ++i)
    if (flags.params[i]) given.push_back(kParams[i].name);
  const bool asked = params.search == "auto";
  if (chooses) params.search = "auto";
  try {
    check_given_params(params, given, !spec.treatment.empty());
  } catch (const Error& error) {
    if (!chooses || asked) throw;
    // Nobody has typed --search auto: the choice is that of --size.
    throw Error(error.code(), replaced(error.what(), "search=auto", "--size auto"),
                replaced(error.hint(), "set search=greedy", "give --size full"));
  }
}

void check_folds(const FoldFlags& flags, const Params& params, bool chooses) {
  const bool used = chooses || (params.pruning == "cost_complexity" && params.ccp_alpha == 0.0) ||
                    (params.shrinkage.cross_validated && params.forest == 0);
  const char* given = !flags.groups.empty()  ? "--fold-groups"
                      : !flags.order.empty() ? "--fold-order"
                      : !flags.ids.empty()   ? "--fold-ids"
                      : flags.row_order      ? "--fold-row-order"
                                             : nullptr;
  if (used || given == nullptr) return;
  throw Error(ErrorCode::bad_params,
              fmt::format("{} does nothing, because no cross-validation chooses the size of the tree", given),
              fmt::format("add --pruning cost_complexity, or leave {} out", given));
}

// Which option needs classes is known once the target is.
void refuse_options_of_classes(const Model& model, const TrainFlags& flags) {
  if (model.task() == Task::classification || is_causal(model) || !is_given(flags, "honest_stratify")) return;
  throw Error(
      ErrorCode::bad_params,
      "--honest-stratify does nothing, because the target is a number: there are no classes to divide",
      "leave --honest-stratify out, or set --task classification");
}

Model finished(const Model& model, const TrainFlags& flags, const ReadOptions& reading) {
  refuse_options_of_classes(model, flags);
  Model::Parts parts = model.parts();
  parts.provenance.command = command_line();
  return with_file_notes(Model(std::move(parts)), flags.data, reading);
}

ScorePair score_test(const TrainFlags& flags, const Trained& trained, const Table* table,
                     const FitSpec& spec) {
  const Model& model = trained.model;
  const Table test = labelled_rows(flags.test, read_options(flags.read), model);
  warn_of_training_rows(model, test, flags.test);
  ScorePair scores;
  if (model.trees().size() == 1) scores.leaves = model.tree().n_leaves();
  if (table != nullptr)
    scores.training = without_intervals(score_rows(model, *table, spec.weight, flags.threads));
  scores.held_out = score_rows(model, test, spec.weight, flags.threads);
  warn_of_new_labels(scores.held_out);
  scores.baseline = score_baseline(model, test, spec.weight, flags.threads);
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
    refuse(flags.cp_folds ? "--cp-folds" : "--cp-groups", "leave it out: the workers make no cp table");
  if (!flags.columns.treatment.empty()) refuse("--treatment", "train on one machine");
  if (flags.memory.memory) refuse("--memory", "workers have their own limits of memory");
}

// Saves a model whose rows are not in memory: only other rows give scores.
Trained saved_without_rows(const TrainFlags& flags, const ColumnPlan& plan, const Model& model,
                           const char* no_scores) {
  plan.check_levels(model.features());
  plan.check_levels(model.targets());
  Trained trained{model, {}, {}, model.parts().provenance.n_rows, {}};
  if (model.trees().size() == 1) trained.n_weighted = model.tree().n_rows(0);
  save(trained.model, flags.output);
  if (flags.no_scores) return trained;
  if (flags.test.empty())
    trained.scores.why_not = no_scores;
  else
    trained.scores = score_test(flags, trained, nullptr, plan.spec);
  return trained;
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
  plan.shape(reading, flags.data);
  const Params params = training_params(flags);
  refuse_idle_options(flags, params, plan.spec, false);
  const Model model = train_on_cluster({*flags.dask, flags.data, reading, plan.spec, params});
  return saved_without_rows(flags, plan, finished(model, flags, reading),
                            "the rows are with the workers; give other rows with --test");
}

// The table is never in memory: only other rows give scores.
Trained train_from_disk(const TrainFlags& flags, ColumnPlan& plan, const Params& params,
                        const ReadOptions& reading) {
  const auto fit_all = [&] {
    const CleanStop clean;
    Model model = train_out_of_core(flags.data, reading, plan, params, flags.memory,
                                    execution_for("training", flags.threads));
    throw_if_interrupted();
    return model;
  };
  return saved_without_rows(flags, plan, finished(fit_all(), flags, reading),
                            "with --memory no rows are held out; score other rows with --test FILE");
}

// Reading names only the absent columns that it was asked for as text or numbers; the plan knows all.
Table read_planned(const TrainFlags& flags, const ColumnPlan& plan, const ReadOptions& reading) {
  try {
    return read_rows(flags.data, reading, plan.spec.ignored);
  } catch (const Error& error) {
    std::error_code failed;
    if (error.code() != ErrorCode::bad_params || !std::filesystem::is_regular_file(flags.data, failed)) throw;
    ReadOptions plain = reading;
    plain.text_columns.clear();
    plain.numeric_columns.clear();
    plain.max_rows = 1;
    plan.check(read_rows(flags.data, plain, plan.spec.ignored), flags.data);
    throw;
  }
}

// The table as it is learned from.
Table training_table(const TrainFlags& flags, ColumnPlan& plan, const ReadOptions& reading) {
  hint_at_memory(flags.data);
  Table table = read_planned(flags, plan, reading);
  require_target(plan, table);
  plan.check(table, flags.data);
  for (const LeftOut& column : look_at_columns(table, plan, flags.data, reading))
    plan.spec.ignored.push_back(column.name);
  table = with_targets(std::move(table), plan.spec.targets, flags.data);
  if (!plan.listed.fields.empty()) plan.check_levels(infer_schema(table, plan.spec.columns));
  return table;
}

std::int64_t positive_rows(const Table& table, const std::string& weight) {
  if (weight.empty()) return table.n_rows();
  const Table::Column& weights = table.column(table.find(weight).value());
  std::int64_t n = 0;
  for (std::int64_t row = 0; row < table.n_rows(); ++row) {
    const std::string text = cell_text(weights, row);
    n += std::strtod(text.c_str(), nullptr) > 0.0 ? 1 : 0;
  }
  return n;
}

ScorePair scores_of(const TrainFlags& flags, const Trained& trained, const Table& table,
                    const FitSpec& spec) {
  if (!flags.test.empty()) return score_test(flags, trained, &table, spec);
  const double holdout = holdout_of(flags, trained.model.params());
  if (holdout > 0.0) return score_holdout({table, spec, trained.model, holdout, flags.threads});
  ScorePair scores;
  scores.training = without_intervals(score_rows(trained.model, table, spec.weight, flags.threads));
  return scores;
}

Trained train(const TrainFlags& flags) {
  const bool keeps = flags.on_interrupt == "keep";
  if (flags.dask && !keeps) return train_with_dask(flags);
  check_flags(flags);
  Params params = training_params(flags);
  ColumnPlan plan = plan_columns(flags.columns);
  plan.spec.folds = read_folds(flags.folds);
  bool chooses = chooses_size(flags, params, plan.spec);
  check_folds(flags.folds, params, chooses);
  refuse_idle_options(flags, params, plan.spec, chooses);
  const bool searches = chooses || params.search == "anytime" || params.search == "optimal";
  if (keeps && (!searches || flags.dask || flags.memory.memory))
    throw Error(ErrorCode::bad_params,
                "--on-interrupt keep is for searches, and this training does not search",
                "give --search anytime, --search optimal or --size auto");
  if (!flags.cp_groups.empty()) plan.spec.ignored.push_back(flags.cp_groups);
  ReadOptions reading = read_options(flags.read);
  plan.shape(reading, flags.data);
  if (flags.memory.memory) return train_from_disk(flags, plan, params, reading);
  const Table table = training_table(flags, plan, reading);
  if (chooses && flags.size != "auto" && params.search != "auto")
    if (const std::int32_t most = leaves_for_many_classes(table, plan.spec); most > 0) {
      chooses = false;
      if (most < table.n_rows()) params.max_leaf_nodes = most;
    }

  bool ended_early = false;
  const auto fit_all = [&] {
    const CleanStop clean;
    const Execution execution =
        keeps ? execution_that_keeps("training", flags.threads) : execution_for("training", flags.threads);
    Model model =
        chooses ? choose_tree(table, plan.spec, params, execution) : fit(table, plan.spec, params, execution);
    end_searches(false);
    ended_early = keeps && take_interrupt();
    throw_if_interrupted();
    if (chooses) tell_of_no_search(model, params);
    return with_cp_table(flags, table, plan.spec, std::move(model));
  };
  Trained trained{finished(fit_all(), flags, reading), {}, {}, table.n_rows(), {}};
  trained.chosen = chooses;
  trained.n_weighted = positive_rows(table, plan.spec.weight);
  save(trained.model, flags.output);
  if (ended_early) {
    trained.scores.why_not = "Ctrl-C ended the search early";
    return trained;
  }
  if (flags.no_scores) return trained;
  if (leaves_rows_out(params) && plan.spec.treatment.empty())
    trained.out_of_bag = evaluate_out_of_bag(trained.model, table, {.weight = plan.spec.weight},
                                             execution_for("out-of-bag score", flags.threads));
  if (is_causal(trained.model))
    trained.effects = summarise(effects(trained.model, table, {flags.threads, {}}).effect);
  else
    trained.scores = scores_of(flags, trained, table, plan.spec);
  return trained;
}

void run_train(const TrainFlags& flags) {
  if (flags.output == "-") report_to_standard_error();
  const Trained trained = train(flags);
  for (const std::string& note : trained.model.parts().provenance.notes) warn(as_options(note));
  const TrainReport report{trained, flags.output, flags.test, holdout_of(flags, trained.model.params()),
                           !flags.no_scores};
  if (flags.json)
    print_data(train_json(report));
  else
    print(train_text(report));
}

void add_effects(Command& command) {
  command.effects(
      {{"--output,--no-scores,--json,--config,--preset,--on-interrupt,--memory,--dask,--cp-groups"},
       {"--holdout", {"!--no-scores", "--holdout=0"}},
       {"--holdout", {"!--test", "--holdout=0"}, "--test gives the rows to score"},
       {"--holdout", {"!--treatment", "--holdout=0"}, "no row shows the effect of a --treatment"},
       {"--test", {"!--no-scores"}},
       {"--test", {"!--treatment"}, "no row shows the effect of a --treatment"},
       {"--cp-folds", {"!--cp-groups"}, "--cp-groups says which rows make a group"},
       {"--size", {"!--dask"}, "the workers of --dask grow full trees"},
       {"--decimal", {"!--dask", "--decimal=."}, "the workers of --dask read numbers with a point"},
       {"--threads", {"!--dask", "--test"}, "the workers of --dask have threads of their own"}});
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
  command.toggle(flags->no_scores, {"--no-scores", "Train and save only: no held-out or other scores"});
  command.option(
      flags->size,
      {"--size",
       "auto: as many leaves as cross-validation chooses, as with --search auto; full: no pruning except "
       "what other options ask for. Default: auto, unless you give options for growing or pruning, or "
       "ask for another kind of tree",
       "WORD",
       {"auto", "full"}});
  command.option(flags->on_interrupt,
                 {"--on-interrupt",
                  "keep: Ctrl-C ends a search and saves the best tree found so far; cancel: nothing is saved "
                  "(default)",
                  "WORD",
                  {"cancel", "keep"}});
  command.option(flags->test, {"--test", "Score on this table instead of on held-out rows", "FILE"});
  command.threads_option(flags->threads);
  add_memory_flags(command, flags->memory);
  command.option(flags->cp_folds,
                 {"--cp-folds",
                  "Cross-validate the cp table in this many groups of rows, drawn by --seed; see 'bough "
                  "show --style cp'",
                  "N"});
  command.option(
      flags->cp_groups,
      {"--cp-groups", "The same, with the groups in this column, which is not used as a feature", "NAME"});
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
  command.option(flags->preset,
                 {"--preset", "Parameters of another program's trees; options given with it take precedence",
                  "WORD", presets});
  add_param_flags(command, flags->params);
  add_fold_flags(command, flags->folds);
  add_read_flags(command, flags->read, {"data", "--test"});
  add_effects(command);
  command.essentials({"--output", "--target", "--ignore", "--category", "--ordinal", "--weight", "--test",
                      "--size", "--forest", "--max-depth", "--min-samples-leaf", "--no-scores", "--config"});
  command.note("Column names that hold a comma go in double quotes: --ignore '\"a,b\",c'.");
  command.examples({"bough train data.csv --target y -o model.bough",
                    "bough train data.csv --target y --max-depth 4 --min-samples-leaf 0.01",
                    "bough train data.csv --target y --forest 100 --max-features sqrt -o f.bough",
                    "bough train trial.csv --target y --treatment drug --honest --min-samples-arm 20",
                    "bough train cars.csv --target price --ordinal 'size:small<medium<large' --ignore id",
                    "bough train 'big/*.parquet' --target y --dask tcp://scheduler:8786 -o model.bough",
                    "bough train huge.csv --target y --memory 2GB --max-depth 8 -o model.bough",
                    "zcat big.csv.gz | bough train - --target y --config train.toml --json"});
}

}  // namespace bough::cli
