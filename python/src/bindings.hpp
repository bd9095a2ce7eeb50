// SPDX-License-Identifier: Apache-2.0
// What the files of the binding share: the parts of the module, numpy arrays out of vectors, watched work.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bough/model.hpp"

namespace bough::python {

namespace nb = nanobind;
using namespace nb::literals;

/// Any array that lies in this process's memory, read-only ones too.
using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

void add_causal(nb::module_& module);
void add_draw(nb::module_& module);
void add_errors(nb::module_& module);
void add_tables(nb::module_& module);
void add_models(nb::module_& module);
void add_trees(nb::module_& module);
void add_fit(nb::module_& module);
void add_forests(nb::module_& module);
void add_import(nb::module_& module);
void add_intervals(nb::module_& module);
void add_out_of_core(nb::module_& module);
void add_params(nb::module_& module);
void add_prune(nb::module_& module);
void add_report(nb::module_& module);
void add_rules(nb::module_& module);
void add_rpart(nb::module_& module);
void add_scale(nb::module_& module);
void add_study(nb::module_& module);
void add_explanations(nb::module_& module);

/// Columns as (name, kind or "", order of levels).
std::vector<ColumnSpec> column_specs(const nb::list& columns);

/// The physical type of an array's elements. Throws bad_data for those that no column can have.
Dtype dtype_of(const AnyArray& array);
/// An array of two dimensions where it lies. Throws bad_data for others.
MatrixView matrix_of(const AnyArray& array);
/// How far the numbers of a matrix of f32 or f64 are finite.
enum class Finiteness : std::uint8_t { finite, some_nan, some_infinite };
Finiteness finiteness(const MatrixView& matrix);

/// A numpy array that owns the vector; `shape` must multiply to its size.
template <class T>
nb::object to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}
template <class T>
nb::object to_numpy(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

/// The same for numbers that nobody has set before.
template <class T>
nb::object to_numpy(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
  nb::capsule owner(values.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(values.release(), shape, owner));
}

/// Runs `job` without the interpreter lock. `threads` as in Execution; with `watch` Ctrl-C and `progress` (a
/// callable (stage, fraction, nodes) -> bool, or none) can end the job, which then throws what they raised.
void run_free(int threads, bool watch, const nb::object& progress,
              const std::function<void(const Execution&)>& job);

}  // namespace bough::python
