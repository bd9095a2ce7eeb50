// SPDX-License-Identifier: Apache-2.0
// Parameters that exclude each other, and parameters that do nothing without another one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bough/params.hpp"

namespace bough {

/// Ways of training that do not support every parameter.
enum class Mode : std::uint8_t {
  blocks,
  search,
  choice,
  tao,
  treatment,
  forest,
  quinlan,
  honest,
  oblique,
  hist
};

/// One row of the table: in this mode a parameter must keep its default, or must not have some values.
struct Exclusion {
  Mode mode;
  std::string_view param;
  /// Those that are not supported, joined by "|"; after "!" those that are; empty: all but the default.
  std::string_view values;
  std::string_view given;  ///< name=value of another parameter without which the row does not count, or empty
  std::string_view hint;   ///< what to do
};

/// All of them, mode by mode.
std::span<const Exclusion> exclusions() noexcept;
/// The mode in words: "forests".
std::string_view mode_name(Mode mode) noexcept;

/// What training is given beside the parameters.
struct TrainingKind {
  bool treatment = false;
  bool blocks = false;
};

/// Throws not_supported (bad_params where the algorithm is another one) naming all parameters that a mode of this
/// training does not support.
void check_exclusions(const Params& params, TrainingKind kind);
/// Whether the mode, were it on, would support all parameters.
bool is_supported(Mode mode, const Params& params);
/// Throws bad_params naming a parameter that was changed although what it belongs to is off.
void check_dependent_params(const Params& params, bool treatment);
/// Sets those to their defaults that do nothing beside the others: for parameters of a model that are changed to grow another.
void reset_idle_params(Params& params);

}  // namespace bough
