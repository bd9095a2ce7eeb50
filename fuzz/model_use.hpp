// SPDX-License-Identifier: Apache-2.0
// What a model that was loaded must be good for: answers, words, exports, and the same bytes again.
#pragma once

#include <string_view>

#include "bough/model.hpp"

namespace bough::fuzz {

/// Uses `model` as a program would; `input` chooses what cannot be tried every time.
void use_model(const Model& model, std::string_view input);

}  // namespace bough::fuzz
