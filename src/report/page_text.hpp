// SPDX-License-Identifier: Apache-2.0
// The page of the report without data, made at build time out of src/report/page.
#pragma once

#include <string_view>

namespace bough {

/// Holds the marks <!--TITLE--> and <!--DATA--> once each.
std::string_view page_text() noexcept;

}  // namespace bough
