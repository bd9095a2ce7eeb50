// SPDX-License-Identifier: Apache-2.0
// Training on files that are larger than memory, from Python.
#include "bough/out_of_core.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

Model fit_files(const std::vector<std::string>& paths, const std::vector<std::string>& targets,
                const std::string& weight, const std::vector<std::string>& ignored, const nb::list& columns,
                const Params& params, const std::string& memory, const std::string& scratch, int threads,
                const nb::object& progress) {
  FitSpec spec;
  spec.targets = targets;
  spec.weight = weight;
  spec.ignored = ignored;
  spec.columns = column_specs(columns);
  ReadOptions reading;
  for (const ColumnSpec& column : spec.columns)
    if (column.kind == Kind::numeric) reading.numeric_columns.push_back(column.name);
  const OutOfCore limits{parse_bytes(memory), scratch};
  std::optional<Model> model;
  run_free(threads, true, progress, [&](const Execution& execution) {
    const std::unique_ptr<TableBlocks> rows = open_table_blocks(paths, reading, ignored);
    model = fit_out_of_core(*rows, spec, params, limits, execution);
  });
  return std::move(*model);
}

}  // namespace

void add_out_of_core(nb::module_& module) {
  module.def("fit_files", &fit_files, "paths"_a, "targets"_a, "weight"_a, "ignored"_a, "columns"_a,
             "params"_a, "memory"_a, "scratch"_a, "threads"_a, "progress"_a.none() = nb::none(),
             "Grows a model on the rows of files, never holding more than `memory` (\"2GB\") of them.");
}

}  // namespace bough::python
