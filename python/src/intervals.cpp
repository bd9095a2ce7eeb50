// SPDX-License-Identifier: Apache-2.0
// How far answers may be off: calibration, intervals, sets, standard errors, quantiles.
#include "bough/intervals.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

CalibrateBy by_named(const std::string& method) {
  if (method == "conformal") return CalibrateBy::all;
  if (method == "leaf") return CalibrateBy::leaf;
  throw Error(ErrorCode::bad_params, "there is no interval method '" + method + "'", "use conformal or leaf");
}

std::size_t columns_of(std::size_t size, const Table& rows) {
  return rows.n_rows() == 0 ? 0 : size / static_cast<std::size_t>(rows.n_rows());
}

nb::object grid(std::vector<double> values, const Table& rows) {
  const std::size_t columns = columns_of(values.size(), rows);
  return to_numpy(std::move(values), {static_cast<std::size_t>(rows.n_rows()), columns});
}

template <class Job>
nb::tuple ends(const Table& rows, int threads, const Job& job) {
  Intervals out;
  run_free(threads, false, nb::none(), [&](const Execution& execution) { out = job(execution); });
  return nb::make_tuple(grid(std::move(out.lower), rows), grid(std::move(out.upper), rows));
}

Model calibrated(const Model& model, const Table& rows, const std::string& weight, int threads) {
  std::optional<Model> out;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { out = calibrate(model, rows, weight, execution); });
  return std::move(*out);
}

nb::tuple interval(const Model& model, const Table& rows, double coverage, const std::string& method,
                   int threads) {
  const CalibrateBy by = by_named(method);
  return ends(rows, threads, [&](const Execution& execution) {
    return predict_interval(model, rows, coverage, by, execution);
  });
}

nb::object class_set(const Model& model, const Table& rows, double coverage, const std::string& method,
                     std::size_t output, int threads) {
  const CalibrateBy by = by_named(method);
  std::vector<char> marks;
  run_free(threads, false, nb::none(), [&](const Execution& execution) {
    marks = predict_set(model, rows, coverage, by, output, execution);
  });
  const std::size_t columns = columns_of(marks.size(), rows);
  return to_numpy(std::vector<std::uint8_t>(marks.begin(), marks.end()),
                  {static_cast<std::size_t>(rows.n_rows()), columns});
}

nb::tuple mean_interval(const Model& model, const Table& rows, double coverage, std::size_t output,
                        int threads) {
  return ends(rows, threads, [&](const Execution& execution) {
    return predict_mean_interval(model, rows, coverage, output, execution);
  });
}

nb::object std_error(const Model& model, const Table& rows, std::size_t output, int threads) {
  std::vector<double> out;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { out = predict_std_error(model, rows, output, execution); });
  return grid(std::move(out), rows);
}

nb::object quantiles(const Model& model, const Table& rows, const std::vector<double>& levels, int threads) {
  std::vector<double> out;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { out = predict_quantile(model, rows, levels, execution); });
  return to_numpy(std::move(out), {static_cast<std::size_t>(rows.n_rows()), levels.size()});
}

}  // namespace

void add_intervals(nb::module_& module) {
  module.def("calibrate", &calibrated, "model"_a, "rows"_a, "weight"_a, "threads"_a);
  module.def("calibration_rows", &calibration_rows, "model"_a);
  module.def("predict_interval", &interval, "model"_a, "rows"_a, "coverage"_a, "method"_a, "threads"_a);
  module.def("predict_set", &class_set, "model"_a, "rows"_a, "coverage"_a, "method"_a, "output"_a,
             "threads"_a);
  module.def("predict_mean_interval", &mean_interval, "model"_a, "rows"_a, "coverage"_a, "output"_a,
             "threads"_a);
  module.def("predict_std_error", &std_error, "model"_a, "rows"_a, "output"_a, "threads"_a);
  module.def("predict_quantile", &quantiles, "model"_a, "rows"_a, "levels"_a, "threads"_a);
}

}  // namespace bough::python
