// SPDX-License-Identifier: Apache-2.0
// What blocks are asked, and what they answer, as bytes.
#pragma once

#include "bough/scale.hpp"
