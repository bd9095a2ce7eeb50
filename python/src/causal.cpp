// SPDX-License-Identifier: Apache-2.0
// Effects of a treatment, for Python.
#include "bough/causal.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

nb::tuple effects_of(const Model& model, const Table& rows, int threads) {
  Effects out;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { out = effects(model, rows, execution); });
  return nb::make_tuple(to_numpy(std::move(out.effect)), to_numpy(std::move(out.control_mean)),
                        to_numpy(std::move(out.treated_mean)));
}

nb::tuple intervals_of(const Model& model, const Table& rows, double coverage, int threads) {
  EffectIntervals out;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { out = effect_intervals(model, rows, coverage, execution); });
  return nb::make_tuple(to_numpy(std::move(out.low)), to_numpy(std::move(out.high)),
                        to_numpy(std::move(out.standard_error)));
}

}  // namespace

void add_causal(nb::module_& module) {
  module.def("effects", &effects_of, "model"_a, "rows"_a, "threads"_a,
             "Effects of rows, and the means of untreated and treated rows in their leaves.");
  module.def("effect_intervals", &intervals_of, "model"_a, "rows"_a, "coverage"_a, "threads"_a,
             "Ends of intervals of effects, and their standard errors.");
}

}  // namespace bough::python
