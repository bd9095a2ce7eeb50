// SPDX-License-Identifier: Apache-2.0
// Models as other formats.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bough/model.hpp"

namespace bough {

struct ExportOptions {
  std::size_t tree = 0;  ///< which tree, for formats that hold one
  int max_depth = -1;    ///< -1: all
  int precision = 6;     ///< significant digits of numbers in text and pictures (0: all)
  bool colour = true;    ///< pictures: fill by class or value
  bool missing = false;  ///< say where missing cells go
};

struct Format {
  std::string_view name;       ///< "dot"
  std::string_view extension;  ///< ".dot"
  std::string_view doc;
  std::string (*write)(const Model&, const ExportOptions&);
};

/// Every format, in the order of their names.
std::span<const Format> export_formats() noexcept;
/// Writes a model as `format`. Throws bad_params listing the formats when the name is unknown.
std::string export_model(const Model& model, std::string_view format, const ExportOptions& options = {});

}  // namespace bough
