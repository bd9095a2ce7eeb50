// SPDX-License-Identifier: Apache-2.0
// What the columns of a training table mean: the options, the schema file, and what they agree on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "output.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

ColumnSpec& spec_of(std::vector<ColumnSpec>& columns, const std::string& name) {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnSpec& c) { return c.name == name; });
  if (found != columns.end()) return *found;
  columns.push_back({});
  columns.back().name = name;
  return columns.back();
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "size:small<medium<large" or only the name of a column of numeric codes.
ColumnSpec parse_ordinal(const std::string& text) {
  ColumnSpec spec;
  spec.kind = Kind::ordinal;
  const std::size_t less = text.find('<');
  const std::size_t colon = less == std::string::npos ? std::string::npos : text.rfind(':', less);
  if (less != std::string::npos && colon == std::string::npos) {
    throw Error(ErrorCode::bad_params, fmt::format("--ordinal '{}' names no column", text),
                "write --ordinal 'size:small<medium<large'");
  }
  spec.name = text.substr(0, colon);
  if (colon == std::string::npos) return spec;
  spec.order = split_list(std::string_view(text).substr(colon + 1), '<');
  if (spec.order.size() < 2) {
    throw Error(ErrorCode::bad_params, fmt::format("--ordinal '{}' gives no order", text),
                "write the values from low to high: --ordinal 'size:small<medium<large'");
  }
  return spec;
}

std::vector<ColumnSpec> parse_ordinals(const std::vector<std::string>& texts) {
  std::vector<ColumnSpec> specs;
  for (const std::string& text : texts)
    for (const std::string& part : split_list(text)) specs.push_back(parse_ordinal(part));
  return specs;
}

Schema read_schema(const std::string& path) {
  try {
    return schema_from_json(read_file(path));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;
    throw Error(error.code(), fmt::format("{}: {}", path, error.what()), error.hint());
  }
}

void add_schema_file(ColumnPlan& plan, const std::string& path) {
  FitSpec& fit = plan.spec;
  plan.schema_path = path;
  for (const Field& field : read_schema(path).fields) {
    if (field.role == Role::group)
      throw Error(
          ErrorCode::bad_params,
          fmt::format("{}: the role group of column '{}' does nothing here", path, field.name),
          fmt::format("give it the role ignored, and name it where groups are for something: --fold-groups "
                      "{0}, --cp-groups {0}",
                      field.name));
    if (field.role == Role::target) fit.targets.push_back(field.name);
    if (field.role == Role::weight && !fit.weight.empty())
      throw Error(ErrorCode::bad_params,
                  fmt::format("{}: '{}' and '{}' are both the weight", path, fit.weight, field.name),
                  "one column is the weight of a row: give the other one another role");
    if (field.role == Role::treatment && !fit.treatment.empty())
      throw Error(ErrorCode::bad_params,
                  fmt::format("{}: '{}' and '{}' are both the treatment", path, fit.treatment, field.name),
                  "one column says which rows were treated: give the other one another role");
    if (field.role == Role::weight) fit.weight = field.name;
    if (field.role == Role::treatment) fit.treatment = field.name;
    if (field.role == Role::ignored) fit.ignored.push_back(field.name);
    // Whether a target of numbers is a class is for `task` to say, not for the type of its cells.
    const bool is_plain_target = field.role == Role::target && field.kind == Kind::numeric;
    if (is_plain_target || field.role == Role::weight || field.role == Role::ignored) continue;
    ColumnSpec& spec = spec_of(fit.columns, field.name);
    spec.kind = field.kind;
    if (field.kind == Kind::ordinal) spec.order = field.levels.names;
    if (field.kind == Kind::category && field.levels.type == Levels::Type::text)
      plan.texts.push_back(field.name);
    if (field.kind == Kind::category && field.levels.size() > 0) plan.listed.fields.push_back(field);
  }
}

void set_kind(ColumnPlan& plan, std::map<std::string, Kind>& given, const ColumnSpec& wanted) {
  const auto [place, is_new] = given.emplace(wanted.name, *wanted.kind);
  if (!is_new && place->second != *wanted.kind) {
    throw Error(ErrorCode::bad_params, fmt::format("column '{}' is given two kinds", wanted.name),
                "name it in only one of --category, --ordinal and --numeric");
  }
  ColumnSpec& spec = spec_of(plan.spec.columns, wanted.name);
  spec.kind = wanted.kind;
  spec.order = wanted.order;
}

void set_kinds(ColumnPlan& plan, const ColumnFlags& flags) {
  std::map<std::string, Kind> given;
  std::vector<ColumnSpec> wanted = parse_ordinals(flags.ordinals);
  for (const auto& [names, kind] :
       {std::pair(&flags.categories, Kind::category), {&flags.numerics, Kind::numeric}}) {
    for (const std::string& name : split_lists(*names)) {
      wanted.push_back({});
      wanted.back().name = name;
      wanted.back().kind = kind;
    }
  }
  for (const ColumnSpec& spec : wanted) set_kind(plan, given, spec);
  plan.categories = split_lists(flags.categories);
}

void drop_role(FitSpec& spec, const std::string& name) {
  std::erase(spec.targets, name);
  std::erase(spec.ignored, name);
  if (spec.weight == name) spec.weight.clear();
  if (spec.treatment == name) spec.treatment.clear();
}

void refuse_double_roles(const FitSpec& spec) {
  std::vector<std::string> problems;
  for (const std::string& name : spec.targets) {
    if (std::count(spec.targets.begin(), spec.targets.end(), name) > 1)
      problems.push_back(fmt::format("'{}' is a target twice", name));
    if (holds(spec.ignored, name)) problems.push_back(fmt::format("'{}' is a target and ignored", name));
    if (name == spec.weight) problems.push_back(fmt::format("'{}' is a target and the weight", name));
    if (name == spec.treatment) problems.push_back(fmt::format("'{}' is a target and the treatment", name));
  }
  if (!spec.treatment.empty() && spec.treatment == spec.weight)
    problems.push_back(fmt::format("'{}' is the treatment and the weight", spec.treatment));
  if (!spec.treatment.empty() && holds(spec.ignored, spec.treatment))
    problems.push_back(fmt::format("'{}' is the treatment and ignored", spec.treatment));
  if (!spec.weight.empty() && holds(spec.ignored, spec.weight))
    problems.push_back(fmt::format("'{}' is the weight and ignored", spec.weight));
  if (problems.empty()) return;
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
  throw Error(ErrorCode::bad_params, fmt::format("{}", fmt::join(problems, "\n")),
              "give each column one role");
}

// What a column that is left out, or the weight, is said to be changes nothing.
void refuse_kinds_of_ignored(const FitSpec& spec, const ColumnFlags& flags) {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& name : split_lists(flags.categories)) kinds.emplace_back("--category", name);
  for (const ColumnSpec& column : parse_ordinals(flags.ordinals))
    kinds.emplace_back("--ordinal", column.name);
  for (const std::string& name : split_lists(flags.numerics)) kinds.emplace_back("--numeric", name);
  for (const auto& [option, name] : kinds) {
    const bool weight = name == spec.weight && option != "--numeric";
    if (!weight && !holds(spec.ignored, name)) continue;
    throw Error(ErrorCode::bad_params,
                fmt::format("{} {} does nothing, because the column is {}", option, name,
                            weight ? "the weight" : "ignored"),
                fmt::format("leave {} out of {}, or {}", name, option,
                            weight ? "choose another --weight" : "do not ignore it"));
  }
}

}  // namespace

void add_column_flags(Command& command, ColumnFlags& flags) {
  command.group("Columns");
  command.option(flags.targets, {"-t,--target", "Column to predict; several: a,b or repeated", "NAME"});
  command.weight_option(flags.weight);
  command.option(flags.treatment,
                 {"--treatment",
                  "Column of two values that says which rows were treated (the second): the tree learns "
                  "the effect on the target",
                  "NAME"});
  command.option(flags.ignored, {"--ignore", "Columns to leave out", "NAMES"});
  command.option(flags.categories,
                 {"--category", "Columns whose values have no order, even if they are numbers", "NAMES"});
  command.option(flags.ordinals, {"--ordinal",
                                  "Columns of ordered values: 'size:small<medium<large', or only the "
                                  "name when the values are numbers",
                                  "SPEC"});
  command.option(flags.numerics, {"--numeric", "Columns of numbers; any other cell is an error", "NAMES"});
  command.option(flags.schema_path, {"--schema",
                                     "Column types from a file made by 'bough schema'; the options above "
                                     "override it",
                                     "FILE"});
  command.effects({{"--target,--weight,--treatment,--ignore,--category,--ordinal,--numeric,--schema"}});
}

ColumnPlan plan_columns(const ColumnFlags& flags) {
  ColumnPlan plan;
  if (!flags.schema_path.empty()) add_schema_file(plan, flags.schema_path);
  FitSpec& spec = plan.spec;
  const std::vector<std::string> targets = split_lists(flags.targets);
  const std::vector<std::string> ignored = split_lists(flags.ignored);
  // A column that an option gives a part loses the one that the schema gave it.
  for (const std::string& name : targets) drop_role(spec, name);
  for (const std::string& name : ignored) drop_role(spec, name);
  if (!flags.weight.empty()) drop_role(spec, flags.weight);
  if (!flags.treatment.empty()) drop_role(spec, flags.treatment);
  if (!targets.empty()) spec.targets = targets;
  // As in the file, the type of a target of numbers is no wish.
  std::erase_if(spec.columns, [&](const ColumnSpec& column) {
    return column.kind == Kind::numeric && holds(spec.targets, column.name);
  });
  if (!flags.weight.empty()) spec.weight = flags.weight;
  if (!flags.treatment.empty()) spec.treatment = flags.treatment;
  for (const std::string& name : ignored) {
    if (!holds(spec.ignored, name)) spec.ignored.push_back(name);
  }
  set_kinds(plan, flags);
  refuse_double_roles(spec);
  refuse_kinds_of_ignored(spec, flags);
  return plan;
}

void require_target(const ColumnPlan& plan, const Table& table) {
  if (!plan.spec.targets.empty()) return;
  throw Error(ErrorCode::bad_params, "bough train needs --target, the column to predict",
              "the columns are " + some_of(column_names(table), 1000));
}

namespace {

// The names of columns that options or the schema gave a part; those that were given several come several times.
std::vector<std::string> given_names(const FitSpec& spec) {
  std::vector<std::string> names = spec.targets;
  names.insert(names.end(), spec.ignored.begin(), spec.ignored.end());
  for (const std::string& name : {spec.weight, spec.treatment})
    if (!name.empty()) names.push_back(name);
  for (const ColumnSpec& column : spec.columns) names.push_back(column.name);
  return names;
}

}  // namespace

void ColumnPlan::shape(ReadOptions& options, const std::string& path) const {
  const bool declared = declares_types(path, options);
  options.known_names = given_names(spec);
  for (const ColumnSpec& column : spec.columns) {
    if (column.kind == Kind::numeric) options.numeric_columns.push_back(column.name);
    const bool text =
        column.kind == Kind::category && (holds(categories, column.name) || holds(texts, column.name));
    if (text && !declared) options.text_columns.push_back(column.name);
  }
}

bool ColumnPlan::settles(const std::string& name) const {
  return holds(spec.ignored, name) ||
         std::any_of(spec.columns.begin(), spec.columns.end(), [&](const ColumnSpec& column) {
           return column.name == name && column.kind.has_value();
         });
}

void ColumnPlan::check_levels(const Schema& columns) const {
  for (const Field& wanted : listed.fields) {
    const std::optional<std::size_t> at = columns.find(wanted.name);
    // An option may have said that it is something else.
    if (!at || columns.fields[*at].kind != Kind::category || holds(spec.ignored, wanted.name) ||
        holds(categories, wanted.name))
      continue;
    const Levels& present = columns.fields[*at].levels;
    const std::set<std::string> names(wanted.levels.names.begin(), wanted.levels.names.end());
    const std::set<double> numbers(wanted.levels.numbers.begin(), wanted.levels.numbers.end());
    std::vector<std::string> others;
    for (std::size_t i = 0; i < present.size(); ++i)
      if (!names.contains(present.names[i]) &&
          (present.numbers.empty() || !numbers.contains(present.numbers[i])))
        others.push_back(fmt::format("'{}'", present.names[i]));
    if (!others.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("column '{}' holds {}, which {} does not list among its levels", wanted.name,
                              some_of(others, 8), schema_path),
                  "add them there, or remove \"levels\" from the column: then it may hold any value");
  }
}

void ColumnPlan::check(const Table& table, std::string_view path) const {
  const std::vector<std::string> wanted = given_names(spec);
  const std::vector<std::string> names = column_names(table);
  std::vector<std::string> absent;
  std::vector<std::string> hints;
  for (const std::string& name : wanted) {
    if (table.find(name) || holds(absent, name)) continue;
    absent.push_back(name);
    const std::string near = did_you_mean(name, names);
    if (!near.empty()) hints.push_back(wanted.size() > 1 ? fmt::format("for '{}': {}", name, near) : near);
  }
  if (absent.empty()) return;
  if (hints.empty()) hints.push_back(fmt::format("the columns are {}", some_of(names, 12)));
  throw Error(ErrorCode::bad_data,
              fmt::format("{} has no column '{}'", source_name(path), fmt::join(absent, "', '")),
              fmt::format("{}", fmt::join(hints, "\n")));
}

}  // namespace bough::cli
