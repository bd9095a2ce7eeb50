// SPDX-License-Identifier: Apache-2.0
// The module bough._core.
#include "door.hpp"

NB_MODULE(_core, module) {
  using namespace bough::python;
  // Clusters and caches hold objects until the process ends; that is no leak worth words on standard error.
  nanobind::set_leak_warnings(false);
  module.doc() = "The compiled part of bough.";
  module.attr("__version__") = std::string(bough::version());
  module.def(
      "params_table", [] { return bough::params_table_json(); },
      "The one table of training parameters as JSON: names, types, defaults, ranges, choices, words.");
  add_causal(module);
  add_draw(module);
  add_errors(module);
  add_tables(module);
  add_models(module);
  add_trees(module);
  add_fit(module);
  add_forests(module);
  add_import(module);
  add_intervals(module);
  add_out_of_core(module);
  add_prune(module);
  add_report(module);
  add_rules(module);
  add_rpart(module);
  add_scale(module);
  add_study(module);
  add_explanations(module);
}
