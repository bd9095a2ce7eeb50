// SPDX-License-Identifier: Apache-2.0
// Parameters out of Python's values, row by row of the one table.
#include "bough/params.hpp"

#include <type_traits>

#include "bindings.hpp"

namespace bough::python {
namespace {

// read(): whether a Python value is of the member's type; then it is there.

bool read(nb::handle value, bool& out) {
  return nb::isinstance<nb::bool_>(value) && nb::try_cast(value, out, false);
}

template <class T>
requires std::is_integral_v<T>
bool read(nb::handle value, T& out) {
  return nb::try_cast(value, out, false);
}

bool read(nb::handle value, double& out) {
  const bool number = nb::isinstance<nb::float_>(value) ||
                      (nb::isinstance<nb::int_>(value) && !nb::isinstance<nb::bool_>(value));
  return number && nb::try_cast(value, out, true);
}

bool read(nb::handle value, std::string& out) {
  return nb::try_cast(value, out, false);
}

bool read(nb::handle value, Amount& out) {
  double number = 0.0;
  if (read(value, number)) {
    out = nb::isinstance<nb::float_>(value) ? Amount::fraction(number) : Amount::count(number);
    return true;
  }
  std::string name;
  if (!read(value, name)) return false;
  const std::optional<Amount> named = named_amount(name);
  out = named.value_or(out);
  return named.has_value();
}

template <class T>
bool read(nb::handle value, std::optional<T>& out) {
  out.reset();
  return value.is_none() || read(value, out.emplace());
}

template <class T>
bool read_container(nb::handle value, T& out) {
  out.clear();
  return value.is_none() || nb::try_cast(value, out, true);
}
bool read(nb::handle value, NameNumbers& out) {
  return read_container(value, out);
}
bool read(nb::handle value, NameGroups& out) {
  return read_container(value, out);
}
bool read(nb::handle value, NumberGrid& out) {
  return read_container(value, out);
}

bool read(nb::handle value, ClassWeight& out) {
  out = {};
  std::string name;
  if (!read(value, name)) return read(value, out.by_name);
  out.subsample = name == "balanced_subsample";
  out.balanced = out.subsample || name == "balanced";
  return out.balanced;
}

bool read(nb::handle value, Shrinkage& out) {
  out = {};
  std::string name;
  if (!read(value, name)) return value.is_none() || read(value, out.strength);
  out.cross_validated = name == "cv";
  return out.cross_validated;
}

bool read_row(nb::handle value, const ParamRow& row, Params& params) {
  return std::visit([&](auto member) { return read(value, params.*member); }, row.member);
}

/// Parameters by name; those that are not named keep their default. What is wrong is told by the reader of
/// JSON, in its words.
Params params_of(const nb::dict& values) {
  Params params;
  bool good = true;
  for (const auto& [name, value] : values) {
    const ParamRow* row = find_param(nb::cast<std::string>(name));
    good = good && row != nullptr && read_row(value, *row, params);
  }
  if (good) {
    try {
      validate(params);
      return params;
    } catch (const Error&) {
    }
  }
  return params_from_json(nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(values)));
}

}  // namespace

void add_params(nb::module_& module) {
  module.def(
      "params_table", [] { return params_table_json(); },
      "The one table of training parameters as JSON: names, types, defaults, ranges, choices, words.");
  nb::class_<Params>(module, "Params", "Training parameters, validated.")
      .def(
          "__init__", [](Params* self, const nb::dict& values) { new (self) Params(params_of(values)); },
          "values"_a)
      .def(
          "__init__",
          [](Params* self, const std::string& json) { new (self) Params(params_from_json(json)); }, "json"_a)
      .def("to_json", [](const Params& params) { return params_to_json(params); });
}

}  // namespace bough::python
