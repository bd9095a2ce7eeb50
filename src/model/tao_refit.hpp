// SPDX-License-Identifier: Apache-2.0
// Growing, pruning and then refining a tree (tao), with rows held out to see whether that helps.
#pragma once

#include <functional>

#include "base/monitor.hpp"
#include "model/pruning.hpp"

namespace bough {

struct TaoRefitJob {
  const Table& table;
  const Params& params;
  Prepared& prepared;  ///< gets a note about what was done
  std::string_view criterion;
  Monitor& monitor;
};

/// Grows and prunes a tree on the rows of positive weight.
using MakeTree = std::function<PrunedTree(const Prepared&)>;

/// The tree of all rows after the passes that helped. With tao_fraction the number of passes is the one after
/// which a tree of the other rows has the lowest loss on the rows held out (the first of equals, 0 included);
/// `make` is called for both. Without, passes are made until no test changes, at most params.tao.
PrunedTree refit_by_tao(const TaoRefitJob& job, const MakeTree& make);

}  // namespace bough
