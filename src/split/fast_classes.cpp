// SPDX-License-Identifier: Apache-2.0
// The fast engine for one class target.
#include "split/block_engine.hpp"
#include "split/fast_engine.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_classes(const CodedTable& table, const Targets& targets, const EngineOptions& options) {
  return with_class_criterion(options.criterion, [&](auto tag) {
    ClassFamily<typename decltype(tag)::type> family(targets);
    if (targets.weights.empty()) return make_fast<Classes<std::uint32_t>>(table, targets, options, std::move(family));
    return make_fast<Classes<std::int64_t>>(table, targets, options, std::move(family));
  });
}

std::unique_ptr<BlockDecider> make_class_decider(const BlockMaking& making) {
  return with_class_criterion(making.options.criterion, [&](auto tag) {
    using FamilyT = ClassFamily<typename decltype(tag)::type>;
    return making.layout.weighted ? make_decider<Classes<std::int64_t>, FamilyT>(making)
                                  : make_decider<Classes<std::uint32_t>, FamilyT>(making);
  });
}

}  // namespace bough
