// SPDX-License-Identifier: Apache-2.0
// Pictures as PDF and PNG, by programs that are installed.
#pragma once

#include <string>
#include <string_view>

namespace bough::cli {

/// "svg", "pdf" or "png" by the name of the output; empty and "-" are SVG. Throws bad_params for another
/// ending.
std::string picture_format(std::string_view output);

/// An SVG document as "pdf" or "png": by rsvg-convert, else inkscape, else Graphviz from `dot` unless that is
/// empty. Throws io when no such program is on the PATH, saying how to get one, or when it fails.
std::string convert_picture(const std::string& svg, const std::string& dot, const std::string& format);

}  // namespace bough::cli
