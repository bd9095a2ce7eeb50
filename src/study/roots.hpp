// SPDX-License-Identifier: Apache-2.0
// Trees with another column at the root.
#pragma once

#include "study/refits.hpp"

namespace bough {

/// As the public root_choices(), for a tree that the job was made of or fits.
RootChoices root_choices(const RefitJob& job, const Model& tree, const Execution& execution);

}  // namespace bough
