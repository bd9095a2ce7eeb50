// SPDX-License-Identifier: Apache-2.0
// The fast engine for number targets.
#include "split/histogram/block_engine.hpp"
#include "split/histogram/fast_engine.hpp"
#include "split/histogram/number_sums.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_numbers(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  MomentFamily family(targets, options.criterion);
  if (targets.weights.empty() && targets.n_outputs() == 1)
    return make_fast<Sums>(table, targets, options, std::move(family));
  if (NumberSums<std::int64_t>::fits(targets))
    return make_fast<NumberSums<std::int64_t>>(table, targets, options, std::move(family));
  return make_fast<NumberSums<int128>>(table, targets, options, std::move(family));
}

std::unique_ptr<BlockDecider> make_number_decider(const BlockMaking& making) {
  if (!making.layout.weighted && making.shape.n_outputs() == 1)
    return make_decider<Sums, MomentFamily>(making);
  return making.layout.narrow ? make_decider<NumberSums<std::int64_t>, MomentFamily>(making)
                              : make_decider<NumberSums<int128>, MomentFamily>(making);
}

}  // namespace bough
