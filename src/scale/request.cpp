// SPDX-License-Identifier: Apache-2.0
// Requests and answers.
#include "scale/request.hpp"

namespace bough {}  // namespace bough
