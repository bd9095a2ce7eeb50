// SPDX-License-Identifier: Apache-2.0
// The fast engine for several class targets, or one with many classes.
#include "split/block_engine.hpp"
#include "split/fast_engine.hpp"
#include "split/output_classes.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_outputs(const CodedTable& table, const Targets& targets, const EngineOptions& options) {
  return with_class_criterion(options.criterion, [&](auto tag) {
    return make_fast<OutputClasses<std::int64_t>>(table, targets, options, ClassFamily<typename decltype(tag)::type>(targets));
  });
}

std::unique_ptr<BlockDecider> make_outputs_decider(const BlockMaking& making) {
  return with_class_criterion(making.options.criterion, [&](auto tag) {
    return make_decider<OutputClasses<std::int64_t>, ClassFamily<typename decltype(tag)::type>>(making);
  });
}

}  // namespace bough
