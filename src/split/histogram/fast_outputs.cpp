// SPDX-License-Identifier: Apache-2.0
// The fast engine for several class targets, or one with many classes.
#include "split/histogram/block_engine.hpp"
#include "split/histogram/fast_engine.hpp"
#include "split/histogram/output_classes.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_outputs(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  return make_fast<OutputClasses<std::int64_t>>(table, targets, options,
                                                ClassFamily(targets, options.criterion));
}

std::unique_ptr<BlockDecider> make_outputs_decider(const BlockMaking& making) {
  return make_decider<OutputClasses<std::int64_t>, ClassFamily>(making);
}

}  // namespace bough
