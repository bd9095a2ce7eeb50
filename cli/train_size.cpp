// SPDX-License-Identifier: Apache-2.0
// Who chooses the size of the tree that bough train grows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bough/bough.hpp"
#include "errors.hpp"
#include "text.hpp"
#include "train.hpp"

namespace bough::cli {

namespace {

// Why the size of the tree cannot be chosen here; empty: it can.
std::string why_no_choice(const TrainFlags& flags, const Params& params, const FitSpec& spec) {
  if (params.forest > 0) return "forests need full trees";
  if (flags.memory.memory)
    return "cross-validation needs all rows in memory, so it does not go with --memory";
  if (!spec.treatment.empty()) return "no row shows its effect, so errors of a --treatment cannot be counted";
  if (params.algorithm != "cart")
    return fmt::format("--algorithm {} prunes in a way of its own", params.algorithm);
  if (params.honest) return "--honest trees are grown otherwise";
  if (params.search != "greedy" && params.search != "auto")
    return fmt::format("--search {} is told the size", params.search);
  if (!params.loss_matrix.empty() || !params.priors.empty())
    return "cross-validation counts errors, not the losses of --loss-matrix and --priors";
  return {};
}

bool chooses(const TrainFlags& flags, const Params& params, const FitSpec& spec) {
  if (flags.size == "full" && params.search == "auto")
    throw Error(ErrorCode::bad_params, "--size full does not go with --search auto, which chooses the size",
                "leave one of them out");
  if (flags.size == "full") return false;
  const bool greedy = params.search == "greedy" && is_given(flags, "search");
  if (flags.size == "auto" && greedy)
    throw Error(ErrorCode::bad_params, "--size auto does not go with --search greedy, which chooses no size",
                "leave one of them out");
  const std::string why_not = why_no_choice(flags, params, spec);
  if (flags.size == "auto" && !why_not.empty())
    throw Error(ErrorCode::bad_params, "--size auto: " + why_not, "leave --size out");
  if (flags.size == "auto" || params.search == "auto") return true;
  if (!why_not.empty() || greedy || !flags.preset.empty() || params.oblique || params.tao > 0 ||
      flags.cp_folds || !flags.cp_groups.empty())
    return false;
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    const ParamRow& row = kParams[i];
    const bool judges =
        row.name == "pruning_folds" || row.name == "pruning_rule" || row.name == "pruning_risk";
    if (flags.params[i] && (row.group == "Growth" || row.group == "Pruning") && !judges) return false;
  }
  return true;
}

// Options of growth and pruning say how large the tree is; those that say their default look as if they did not.
void tell_of_no_choice(const TrainFlags& flags) {
  std::vector<std::string> given;
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    const ParamRow& row = kParams[i];
    if (!flags.params[i] || (row.group != "Growth" && row.group != "Pruning")) continue;
    Params params;
    set_param(params, row.name, *flags.params[i]);
    if (param_text(params, row) != param_default(row)) return;
    given.push_back(fmt::format("{} {}", option_name(row.name), *flags.params[i]));
  }
  if (!given.empty() && flags.size.empty())
    tell(fmt::format("the size of the tree is not chosen, because {} {} given: --size auto chooses it",
                     fmt::join(given, ", "), given.size() == 1 ? "is" : "are"));
}

}  // namespace

bool is_given(const TrainFlags& flags, std::string_view param) {
  for (std::size_t i = 0; i < kParams.size(); ++i)
    if (kParams[i].name == param) return flags.params[i].has_value();
  return false;
}

bool chooses_size(const TrainFlags& flags, const Params& params, const FitSpec& spec) {
  if (chooses(flags, params, spec)) return true;
  if (why_no_choice(flags, params, spec).empty()) tell_of_no_choice(flags);
  return false;
}

void tell_of_no_search(const Model& model, const Params& params) {
  const std::vector<std::string> names = unsearched_params(params);
  if (names.empty() || model.task() != Task::classification || model.n_outputs() > 1) return;
  std::vector<std::string> options;
  for (const std::string& name : names) options.push_back(option_name(name));
  tell(
      fmt::format("better small trees are not searched for, because the search does not know {}: the size is "
                  "chosen among trees that are grown and pruned",
                  fmt::join(options, ", ")));
}

std::int32_t leaves_for_many_classes(const Table& table, const FitSpec& spec) {
  constexpr std::int64_t kManyClasses = 1000, kMostShares = 20'000'000;
  for (const std::string& target : spec.targets) {
    const auto* cells = std::get_if<ColumnView>(&table.column(table.find(target).value()));
    const std::int64_t n = cells != nullptr && cells->dictionary != nullptr ? cells->dictionary->length() : 0;
    if (n <= kManyClasses) continue;
    const auto most = static_cast<std::int32_t>(std::clamp(kMostShares / n, std::int64_t{2}, table.n_rows()));
    tell(fmt::format(
        "{} has {} classes, too many to choose the size of the tree by cross-validation: it is grown to "
        "at most {} leaves, each with the share of every class (--max-leaf-nodes sets another limit, "
        "--size auto chooses all the same)",
        target, grouped(n), grouped(most)));
    return most;
  }
  return 0;
}

}  // namespace bough::cli
