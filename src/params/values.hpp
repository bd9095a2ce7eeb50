// SPDX-License-Identifier: Apache-2.0
// Values of parameters one by one: which are allowed, how they read as text, and how as JSON.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "bough/json.hpp"
#include "bough/params.hpp"

namespace bough {

/// Calls visitor(value) with the row's member of `params` (const or not).
template <class P, class Visitor>
decltype(auto) visit_param(P& params, const ParamRow& row, Visitor&& visitor) {
  return std::visit([&](auto member) -> decltype(auto) { return visitor(params.*member); }, row.member);
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// The defaults of all parameters.
inline const Params& defaults() {
  static const Params params;
  return params;
}

/// True when the row also takes the names sqrt, log2, square and auto.
inline bool takes_names(const ParamRow& row) noexcept {
  return row.name == "max_features";
}

/// The name of an amount that is a function of the total (sqrt, log2, square, auto); null for counts and fractions.
const char* amount_name(Amount::Unit unit) noexcept;

/// The largest fraction that an amount may be: rows that are drawn with replacement may be more than there
/// are.
inline double most_fraction(const ParamRow& row) noexcept {
  return row.name == "max_samples" || row.name == "max_features" ? std::numeric_limits<double>::max() : 1.0;
}

/// True when the numbers of names are signs or counts.
inline bool takes_whole(const ParamRow& row) noexcept {
  return row.name == "monotonic_cst";
}

/// True when a number lies in a range.
inline bool contains(const ParamRange& range, double value) noexcept {
  return (range.open_low ? value > range.low : value >= range.low) && value <= range.high;
}

/// What to do about a value that is not allowed (may be empty); nothing when it is allowed.
std::optional<std::string> fault(const ParamRow& row, const Params& params);

/// The error about one parameter: its name, what is allowed, what was given.
Error param_error(const ParamRow& row, std::string_view given, std::string hint);
/// One error of several, all listed.
Error combined_error(const std::vector<Error>& errors);

/// A parameter as JSON: null for none, a count as an integer, a fraction as a float.
Json param_json(const ParamRow& row, const Params& params);
/// Sets a parameter from JSON. Throws bad_params when the type or the value is wrong.
void set_param_json(Params& params, const ParamRow& row, const Json& value);
/// The error about a name that no parameter has.
Error unknown_param(std::string_view name);

}  // namespace bough
