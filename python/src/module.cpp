// SPDX-License-Identifier: Apache-2.0
// The module bough._core.
#include "bindings.hpp"
#include "bough/output_file.hpp"

NB_MODULE(_core, module) {
  using namespace bough::python;
  // Clusters and caches hold objects until the process ends; that is no leak worth words on standard error.
  nanobind::set_leak_warnings(false);
  module.doc() = "The compiled part of bough.";
  module.attr("__version__") = std::string(bough::version());
  module.def(
      "write_file",
      [](const std::string& path, nanobind::bytes data) {
        const std::string_view bytes(data.c_str(), data.size());
        const nanobind::gil_scoped_release free;
        bough::write_file(path, bytes);
      },
      nanobind::arg("path"), nanobind::arg("data"),
      "Puts bytes in the place of a file: afterwards there is the old file or the whole new one, whatever "
      "happens.");
  add_causal(module);
  add_draw(module);
  add_errors(module);
  add_tables(module);
  add_models(module);
  add_trees(module);
  add_params(module);
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
