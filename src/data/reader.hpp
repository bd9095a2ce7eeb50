// SPDX-License-Identifier: Apache-2.0
// Formats of text files and what reads each of them.
#pragma once

#include <string>
#include <string_view>

#include "bough/table.hpp"

namespace bough {

/// The format of a path: the option when given, else by the file name (.tsv, .svm, .arff, ...; csv
/// otherwise). Throws bad_params for an unknown one.
std::string format_of(const std::string& path, const ReadOptions& options);
/// Reads text of a format; `text` must be followed by a NUL. `source` names it in errors and may be empty.
Table read_text(std::string_view text, const ReadOptions& options, const std::string& source);

/// label index:value ... rows. `text` must be followed by a NUL.
Table read_svmlight(std::string_view text, const ReadOptions& options, const std::string& source);
/// Attribute-relation files. `text` must be followed by a NUL.
Table read_arff(std::string_view text, const ReadOptions& options, const std::string& source);

/// Runs `body`; an error from decompression gets `source` in front.
template <class F>
decltype(auto) naming_source(const std::string& source, F&& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (source.empty() || message.find(source) != std::string::npos) throw;
    throw Error(error.code(), source + ": " + message, error.hint());
  }
}

}  // namespace bough
