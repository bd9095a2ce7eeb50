// SPDX-License-Identifier: Apache-2.0
// Progress of a fit that grows several trees, with the one that it is at.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/monitor.hpp"
#include "bough/model.hpp"

namespace bough {

/// Tells the caller "fold 3 of 10, grow" or "tree 17 of 100" where others say "grow" and "forest".
class FitMonitor : public Monitor {
 public:
  /// `folds`: trees of cross-validation that follow the tree of all rows; `trees`: those of a forest; 0: none.
  /// `execution` must live as long.
  FitMonitor(const Execution& execution, std::int32_t folds, std::int32_t trees)
      : Monitor(execution.progress
                    ? Report([this](std::string_view stage, double fraction, std::int64_t nodes) {
                        return tell(stage, fraction, nodes);
                      })
                    : Report()),
        execution_(execution),
        folds_(folds),
        trees_(trees) {}

  /// A tree is about to grow: the first is that of all rows.
  void next_tree() { ++fold_; }

 private:
  bool tell(std::string_view stage, double fraction, std::int64_t nodes) {
    if (stage == "forest")
      text_ = fmt::format("tree {} of {}", std::lround(fraction * trees_), trees_);
    else if (fold_ > 0 && fold_ <= folds_)
      text_ = fmt::format("fold {} of {}, {}", fold_, folds_, stage);
    else
      text_ = stage;
    return execution_.progress({text_, fraction, nodes});
  }

  const Execution& execution_;
  std::int32_t folds_, trees_;
  std::int32_t fold_ = -1;  // 0: the tree of all rows
  std::string text_;
};

}  // namespace bough
