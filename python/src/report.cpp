// SPDX-License-Identifier: Apache-2.0
// The report in Python: a model and tables become one HTML text.
#include "bough/report.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

std::string page_of(const Model& model, const Table* held_out, const Table* training,
                    const std::string& title, const std::string& weight, std::int64_t max_rows, int repeats,
                    int threads) {
  ReportOptions options;
  options.title = title;
  options.weight = weight;
  options.training = training;
  options.max_rows = max_rows;
  options.repeats = repeats;
  std::string page;
  run_free(threads, true, nb::none(), [&](const Execution& execution) {
    options.execution = execution;
    page = report_page(model, held_out, options);
  });
  return page;
}

}  // namespace

void add_report(nb::module_& module) {
  module.def("report_page", &page_of, "model"_a, "held_out"_a.none(), "training"_a.none(), "title"_a,
             "weight"_a, "max_rows"_a, "repeats"_a, "threads"_a, "One HTML file about a model, as text.");
}

}  // namespace bough::python
