// SPDX-License-Identifier: Apache-2.0
// bough study: how much of a tree is chance.
#include "bough/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "bough/changes.hpp"
#include "bough/json.hpp"
#include "bough/significance.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct StudyFlags {
  std::string what;
  std::string model;
  std::string data;
  std::string output;
  std::string weight;
  std::string target;
  std::optional<int> repeats;
  std::optional<int> folds;
  std::optional<int> depth;
  bool all_nodes = false;
  std::int64_t seed = 0;
  std::vector<std::string> angles;
  std::string planes;
  std::string score;
  int most = 10;
  int threads = 0;
  bool json = false;
  ReadFlags read;
};

void check_flags(const StudyFlags& flags) {
  require_at_least(0, flags.most, "--most");
  require_at_least(0, flags.seed, "--seed");
}

template <class Result>
void show(const StudyFlags& flags, const Result& result) {
  print(flags.json ? to_json(result) + '\n' : to_text(result));
}

std::int32_t depth_of(const StudyFlags& flags, std::int32_t usual) {
  return flags.all_nodes ? -1 : flags.depth.value_or(usual);
}

std::vector<double> angles_of(const StudyFlags& flags, const std::vector<double>& usual) {
  if (flags.angles.empty()) return usual;
  std::vector<double> angles;
  for (const std::string& word : split_lists(flags.angles)) {
    if (!is_number(word))
      throw Error(ErrorCode::bad_params, fmt::format("--angles: '{}' is not a number", word),
                  "write degrees with commas: --angles 15,30,45");
    angles.push_back(std::strtod(word.c_str(), nullptr));
  }
  return angles;
}

// Rows as they are numbered in the file, of which the table may lack some.
LeaveOneOut by_number(LeaveOneOut result, std::span<const RowId> numbers) {
  const auto rename = [&](std::vector<std::int64_t>& rows) {
    for (std::int64_t& row : rows) row = static_cast<std::int64_t>(numbers[static_cast<std::size_t>(row)]);
  };
  if (numbers.empty()) return result;
  rename(result.failed);
  for (ChangedTree& tree : result.changed) rename(tree.rows);
  return result;
}

void show_left_out(const StudyFlags& flags, const LeaveOneOut& result) {
  const auto most = static_cast<std::size_t>(flags.most);
  if (!flags.output.empty()) write_file(flags.output, draw_changes(result, most));
  if (flags.json) {
    Json json = Json::parse(to_json(result));
    json["before"] = to_text(*result.before);
    for (std::size_t i = 0; i < result.changed.size(); ++i)
      json["changed"][i]["after"] =
          result.changed[i].model ? Json(to_text(*result.changed[i].model)) : Json();
    print_data(json.dump(2, Json::BadText::replaced) + '\n');
    return;
  }
  print(to_text(result, most));
  print(fmt::format("\nThe tree of all rows:\n{}", to_text(*result.before, 6)));
  if (!result.changed.empty() && result.changed.front().model)
    print(fmt::format("\nThe tree without row {}:\n{}", result.changed.front().rows.front() + 1,
                      to_text(*result.changed.front().model, 6)));
  if (!flags.output.empty()) print(fmt::format("\nwrote {}\n", flags.output));
}

RotationOptions rotation_options(const StudyFlags& flags, const RefitOptions& refit) {
  RotationOptions options;
  options.angles = angles_of(flags, options.angles);
  if (!flags.planes.empty()) options.planes = flags.planes;
  options.folds = flags.folds.value_or(options.folds);
  options.repeats = flags.repeats.value_or(options.repeats);
  options.seed = static_cast<std::uint64_t>(flags.seed);
  options.refit = refit;
  return options;
}

PermutationOptions permutation_options(const StudyFlags& flags, const RefitOptions& refit) {
  PermutationOptions options;
  if (flags.repeats) options.repeats = *flags.repeats;
  options.folds = flags.folds.value_or(options.folds);
  if (!flags.score.empty()) options.score = flags.score == "held-out" ? "held_out" : flags.score;
  options.max_depth = depth_of(flags, options.max_depth);
  options.seed = static_cast<std::uint64_t>(flags.seed);
  options.refit = refit;
  return options;
}

StabilityOptions stability_options(const StudyFlags& flags, const RefitOptions& refit) {
  StabilityOptions options;
  options.repeats = flags.repeats.value_or(static_cast<int>(options.repeats));
  options.max_depth = depth_of(flags, options.max_depth);
  options.seed = static_cast<std::uint64_t>(flags.seed);
  options.refit = refit;
  return options;
}

void run_study(const StudyFlags& flags) {
  check_flags(flags);
  check_writable(flags.output, {flags.model, flags.data});
  const Model model = with_target(load_model(flags.model), flags.target);
  std::vector<RowId> numbers;
  const Table table = labelled_rows(flags.data, read_options(flags.read), model, &numbers);
  if (!flags.weight.empty()) require_column(table, flags.weight, "--weight", flags.data);
  const RefitOptions refit{flags.weight, {}};
  const CleanStop clean;
  const Execution execution = execution_for(flags.what, flags.threads);
  if (flags.what == "stability")
    show(flags, stability(model, table, stability_options(flags, refit), execution));
  else if (flags.what == "leave-one-out")
    show_left_out(flags, by_number(leave_one_out(model, table, {static_cast<std::size_t>(flags.most), refit},
                                                 execution),
                                   numbers));
  else if (flags.what == "rotation")
    show(flags, rotation(model, table, rotation_options(flags, refit), execution));
  else if (flags.what == "splits")
    show(flags, permutation_test_splits(model, table, permutation_options(flags, refit), execution));
  else
    show(flags, permutation_test(model, table, permutation_options(flags, refit), execution));
}

}  // namespace

void add_study(Command& command) {
  const auto flags = command.runs(run_study);
  command.argument(
      flags->what,
      {"what",
       "stability, leave-one-out, rotation, permutation or splits: on bootstrapped rows, without each row "
       "in turn, with rotated columns, the whole tree or every split against shuffled targets",
       "WHAT",
       {"stability", "leave-one-out", "rotation", "permutation", "splits"}});
  command.argument(flags->model, {"model", "model file; its parameters are fitted again", "MODEL"});
  command.argument(flags->data, {"data", "table of the training rows; - is standard input", "DATA"});
  command.group("Options");
  command.option(flags->repeats, {"--repeats",
                                  "Repeats: by default 200 bootstraps, 199 shuffles (splits: up to 999, by "
                                  "the number of tests) or 3 rounds of folds",
                                  "N"});
  command.option(flags->seed, {"--seed", "Seed of the random draws (default: 0)", "N"});
  command.option(flags->depth,
                 {"--depth", "stability, splits: report nodes down to this depth (default: 4 and 3)", "N"});
  command.toggle(flags->all_nodes, {"--all", "stability, splits: report every node"});
  command.option(flags->folds,
                 {"--folds", "rotation, permutation: folds of the cross-validation (default: 5)", "N"});
  command.option(flags->score,
                 {"--score",
                  "permutation: score of held-out rows by cross-validation, or of the training rows "
                  "(default: held-out)",
                  "WORD",
                  {"held-out", "training"}});
  command.option(flags->angles, {"--angles", "rotation: degrees (default: 15,30,45)", "NUMBERS"});
  command.option(flags->planes, {"--planes",
                                 "rotation: rotate pairs of columns, or random planes (default: pairs)",
                                 "WORD",
                                 {"pairs", "random"}});
  command.option(flags->output,
                 {"-o,--output", "leave-one-out: draw the tree before and after into this SVG file", "FILE"});
  command.option(flags->most, {"--most", "leave-one-out: changed trees to show (default: 10)", "N"});
  command.truth_option(flags->target);
  command.weight_option(flags->weight);
  command.threads_option(flags->threads);
  command.json_toggle(flags->json);
  add_read_flags(command, flags->read);
  command.effects({{"--target,--weight,--threads,--json"},
                   {"--output,--most", {"what=leave-one-out"}},
                   {"--repeats,--seed", {"what=stability|rotation|permutation|splits"}},
                   {"--folds", {"what=rotation|permutation"}},
                   {"--folds", {"!--score", "--score=held-out"}, "--score training needs no folds"},
                   {"--depth,--all", {"what=stability|splits"}},
                   {"--depth", {"!--all"}},
                   {"--angles,--planes", {"what=rotation"}},
                   {"--score", {"what=permutation"}}});
  command.examples({"bough study stability model.bough train.csv --repeats 500",
                    "bough study leave-one-out model.bough train.csv -o changes.svg",
                    "bough study splits model.bough train.csv --repeats 999"});
}

}  // namespace bough::cli
