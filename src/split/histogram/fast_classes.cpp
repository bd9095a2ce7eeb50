// SPDX-License-Identifier: Apache-2.0
// The fast engine for class targets.
#include "split/histogram/block_engine.hpp"
#include "split/histogram/fast_engine.hpp"

namespace bough {

std::unique_ptr<Engine> make_fast_classes(const CodedTable& table, const Targets& targets,
                                          const EngineOptions& options) {
  ClassFamily family(targets, options.criterion);
  if (targets.weights.empty() && targets.classes.size() == 1 && targets.classes.front().n_classes <= 255)
    return make_fast<Classes<std::uint32_t>>(table, targets, options, std::move(family));
  return make_fast<Classes<std::int64_t>>(table, targets, options, std::move(family));
}

std::unique_ptr<BlockDecider> make_class_decider(const BlockMaking& making) {
  const auto& classes = making.shape.classes;
  return making.layout.weighted || classes.size() > 1 || classes.front().n_classes > 255
             ? make_decider<Classes<std::int64_t>, ClassFamily>(making)
             : make_decider<Classes<std::uint32_t>, ClassFamily>(making);
}

}  // namespace bough
