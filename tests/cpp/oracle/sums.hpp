// SPDX-License-Identifier: Apache-2.0
// The sums of columns that a node of an oblique tree drew, as columns of a table.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "oracle/case.hpp"

namespace bough::oracle {

struct NodeSums {
  Case sample;                                  ///< the case with a column per sum behind its own
  std::vector<std::vector<ObliqueTerm>> terms;  ///< of the sums
  std::vector<char> tried;                      ///< per own column: tried by itself
};

/// Draws as the library does for a node of this key; the values are computed here.
NodeSums node_sums(const Case& sample, std::uint64_t key);

}  // namespace bough::oracle
