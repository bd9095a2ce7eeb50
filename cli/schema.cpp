// SPDX-License-Identifier: Apache-2.0
// bough schema: the inferred types of a table, ready to edit and pass back to bough train --schema.
#include <fmt/format.h>

#include "bough/schema_notes.hpp"
#include "output.hpp"
#include "tables.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct SchemaFlags {
  std::string data;
  std::string output;
  ReadFlags read;
  ColumnFlags columns;
};

void set_role(FitSpec& spec, const std::string& name, Role role) {
  for (ColumnSpec& column : spec.columns) {
    if (column.name != name) continue;
    column.role = role;
    return;
  }
  ColumnSpec column;
  column.name = name;
  column.role = role;
  spec.columns.push_back(std::move(column));
}

void run_schema(const SchemaFlags& flags) {
  check_writable(flags.output, {flags.data});
  ColumnPlan plan = plan_columns(flags.columns);
  ReadOptions reading = read_options(flags.read);
  plan.shape(reading, flags.data);
  const Table table = read_rows(flags.data, reading, plan.spec.ignored);
  plan.check(table, flags.data);
  FitSpec spec = plan.spec;
  for (const std::string& name : plan.spec.targets) set_role(spec, name, Role::target);
  for (const std::string& name : plan.spec.ignored) set_role(spec, name, Role::ignored);
  if (!plan.spec.weight.empty()) set_role(spec, plan.spec.weight, Role::weight);
  if (!plan.spec.treatment.empty()) set_role(spec, plan.spec.treatment, Role::treatment);
  SchemaNotes notes;
  for (const LeftOut& column : look_at_columns(table, plan, flags.data, reading)) {
    set_role(spec, column.name, Role::ignored);
    notes[column.name] = fmt::format("left out: {}", column.why);
  }
  const Schema schema = infer_schema(table, spec.columns);
  plan.check_levels(schema);
  write_file(flags.output, schema_to_json(schema, notes));
}

}  // namespace

void add_schema(Command& command) {
  const auto flags = command.runs(run_schema);
  command.argument(flags->data, {"data", "table; - is standard input", "DATA"});
  command.group("Options");
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  add_column_flags(command, flags->columns);
  add_read_flags(command, flags->read);
  command.effects({{"--output"}});
  command.note(
      "Edit kinds (numeric, ordinal, category), the order of ordinal levels, the levels that a category may "
      "have "
      "(any, without \"levels\") and roles (feature, target, weight, treatment, ignored), then train with "
      "--schema. "
      "Training with the unedited schema gives the same model as training without one.");
  command.examples(
      {"bough schema data.csv > schema.json", "bough train data.csv --target y --schema schema.json"});
}

}  // namespace bough::cli
