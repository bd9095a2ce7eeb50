// SPDX-License-Identifier: Apache-2.0
// bough params: the table of training parameters.
#include "bough/params.hpp"

#include <fmt/format.h>

#include "output.hpp"
#include "param_flags.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ParamsFlags {
  std::string name;
  bool json = false;
  bool schema = false;
};

std::string row_text(const ParamRow& row) {
  const Paint paint(stdout);
  return fmt::format("  {}\n      {}\n      {}; default {}; option {}{}\n", paint.strong(row.name),
                     wrap(row.doc, 94, 6), wrap(param_allowed(row), 94, 6), param_default(row),
                     option_name(row.name), row.tier == ParamTier::expert ? "; expert" : "");
}

void print_one(const std::string& name) {
  const ParamRow* row = find_param(name);
  if (row != nullptr) return print(row_text(*row));
  std::vector<std::string> names;
  names.reserve(kParams.size());
  for (const ParamRow& known : kParams) names.emplace_back(known.name);
  refuse_name("parameter", name, names);
}

void print_all() {
  const Paint paint(stdout);
  std::string_view group;
  for (const ParamRow& row : kParams) {
    if (row.group != group) print(fmt::format("{}{}\n", group.empty() ? "" : "\n", paint.strong(row.group)));
    group = row.group;
    print(row_text(row));
  }
}

void run_params(const ParamsFlags& flags) {
  if (flags.json) return print(params_table_json() + '\n');
  if (flags.schema) return print(params_json_schema() + '\n');
  flags.name.empty() ? print_all() : print_one(flags.name);
}

}  // namespace

void add_params(Command& command) {
  const auto flags = command.runs(run_params);
  command.optional_argument(flags->name, {"name", "only this parameter", "NAME"});
  command.group("Options");
  command.toggle(flags->json, {"--json", "Print the table as JSON"});
  command.toggle(flags->schema, {"--schema", "Print a JSON schema of the parameters"});
  command.effects({{"--json", {"!--schema"}},
                   {"--schema"},
                   {"name", {"!--json"}, "--json lists all parameters"},
                   {"name", {"!--schema"}, "--schema is that of all parameters"}});
  command.examples({"bough params", "bough params max_depth"});
}

}  // namespace bough::cli
