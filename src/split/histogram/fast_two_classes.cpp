// SPDX-License-Identifier: Apache-2.0
// The fast engine for two classes without weights.
#include "split/histogram/block_engine.hpp"
#include "split/histogram/fast_engine.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_two_classes(const CodedTable& table, const Targets& targets,
                                              const EngineOptions& options) {
  return make_fast<PackedTwoClass>(table, targets, options, ClassFamily(targets, options.criterion));
}

std::unique_ptr<BlockDecider> make_two_class_decider(const BlockMaking& making) {
  return make_decider<PackedTwoClass, ClassFamily>(making);
}

}  // namespace bough
