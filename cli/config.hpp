// SPDX-License-Identifier: Apache-2.0
// The files of --config: is it TOML at all?
#pragma once

#include <string>
#include <string_view>

namespace bough::cli {

/// The same without comments, every list on one line. Throws bad_params, naming `path` and the line, unless
/// `text` is TOML of the kind that options need: comments, [sections], and keys with texts in quotes,
/// numbers, true, false and lists of them.
std::string plain_toml(std::string_view text, const std::string& path);

}  // namespace bough::cli
