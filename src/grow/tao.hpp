// SPDX-License-Identifier: Apache-2.0
// Tree alternating optimisation (Carreira-Perpinan and Tavallali 2018): every test of a grown tree is chosen
// again for the rest of the tree as it is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/monitor.hpp"
#include "bough/tree.hpp"
#include "criterion/registry.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"

namespace bough {

struct TaoSpec {
  CriterionId criterion = CriterionId::gini;  ///< of the statistics that finish() writes
  std::int64_t min_samples_leaf = 1;
  double min_weight_leaf = 0.0;  ///< fixed-point units
  bool equality = false;         ///< categories by equality instead of subset
  bool oblique = false;          ///< weighted sums of numeric columns are tried at every node
};

/// A tree under refinement. The loss is the weight of wrong classes, or the weighted squared error, added
/// over outputs; no pass raises it. The result does not depend on the number of threads. `table` and
/// `targets` must outlive the refiner.
class TreeRefiner {
 public:
  /// Throws not_supported, naming the node, for tests of more than two branches and rows that stop or are
  /// shared.
  TreeRefiner(const Tree& tree, const EncodedTable& table, const Targets& targets, const TaoSpec& spec);
  ~TreeRefiner();
  TreeRefiner(TreeRefiner&&) noexcept;
  TreeRefiner& operator=(TreeRefiner&&) noexcept;

  /// Visits all nodes once, the deepest first, gives leaves the values of their rows and drops branches
  /// without rows. False: no test changed, and no later pass will change one.
  bool pass(Monitor& monitor);
  /// Loss on the rows that `targets` (whose classes and numbers are laid out as those of training) may use.
  [[nodiscard]] double loss(const Targets& targets) const;
  /// The tree with the statistics of the training rows. No pass at all: the tree that was given, statistics
  /// made anew.
  [[nodiscard]] Tree finish() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace bough
