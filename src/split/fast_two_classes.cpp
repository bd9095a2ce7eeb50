// SPDX-License-Identifier: Apache-2.0
// The fast engine for two classes without weights.
#include "split/block_engine.hpp"
#include "split/fast_engine.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_two_classes(const CodedTable& table, const Targets& targets, const EngineOptions& options) {
  return with_class_criterion(options.criterion, [&](auto tag) {
    return make_fast<PackedTwoClass>(table, targets, options, ClassFamily<typename decltype(tag)::type>(targets));
  });
}

std::unique_ptr<BlockDecider> make_two_class_decider(const BlockMaking& making) {
  return with_class_criterion(making.options.criterion, [&](auto tag) {
    return make_decider<PackedTwoClass, ClassFamily<typename decltype(tag)::type>>(making);
  });
}

}  // namespace bough
