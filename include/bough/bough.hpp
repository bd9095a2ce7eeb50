// SPDX-License-Identifier: Apache-2.0
// Everything a C++ program needs from bough.
#pragma once

#include "bough/causal.hpp"          // IWYU pragma: export
#include "bough/changes.hpp"         // IWYU pragma: export
#include "bough/choose_tree.hpp"     // IWYU pragma: export
#include "bough/counterfactual.hpp"  // IWYU pragma: export
#include "bough/cp.hpp"              // IWYU pragma: export
#include "bough/criteria.hpp"        // IWYU pragma: export
#include "bough/draw.hpp"            // IWYU pragma: export
#include "bough/end_searches.hpp"    // IWYU pragma: export
#include "bough/error.hpp"           // IWYU pragma: export
#include "bough/explain.hpp"         // IWYU pragma: export
#include "bough/export.hpp"          // IWYU pragma: export
#include "bough/forest.hpp"          // IWYU pragma: export
#include "bough/given_params.hpp"    // IWYU pragma: export
#include "bough/importance.hpp"      // IWYU pragma: export
#include "bough/inference.hpp"       // IWYU pragma: export
#include "bough/intervals.hpp"       // IWYU pragma: export
#include "bough/json.hpp"            // IWYU pragma: export
#include "bough/model.hpp"           // IWYU pragma: export
#include "bough/out_of_bag.hpp"      // IWYU pragma: export
#include "bough/output_file.hpp"     // IWYU pragma: export
#include "bough/params.hpp"          // IWYU pragma: export
#include "bough/pessimistic.hpp"     // IWYU pragma: export
#include "bough/presets.hpp"         // IWYU pragma: export
#include "bough/proximity.hpp"       // IWYU pragma: export
#include "bough/prune.hpp"           // IWYU pragma: export
#include "bough/reasons.hpp"         // IWYU pragma: export
#include "bough/report.hpp"          // IWYU pragma: export
#include "bough/rpart.hpp"           // IWYU pragma: export
#include "bough/rules.hpp"           // IWYU pragma: export
#include "bough/seen_rows.hpp"       // IWYU pragma: export
#include "bough/shap.hpp"            // IWYU pragma: export
#include "bough/significance.hpp"    // IWYU pragma: export
#include "bough/study.hpp"           // IWYU pragma: export
#include "bough/table.hpp"           // IWYU pragma: export
#include "bough/tree.hpp"            // IWYU pragma: export
#include "bough/why.hpp"             // IWYU pragma: export
