// SPDX-License-Identifier: Apache-2.0
// Requests to bytes and back.
#include "scale/request.hpp"

#include <algorithm>

namespace bough {
namespace {

constexpr std::uint32_t kRequestMagic = 0x31715342;  // "BSq1"

std::array<std::uint64_t, 4> to_bits(const std::array<std::uint8_t, kBuckets>& alive) noexcept {
  std::array<std::uint64_t, 4> bits{};
  for (std::size_t b = 0; b < kBuckets; ++b)
    bits[b / 64] |= static_cast<std::uint64_t>(alive[b] != 0) << b % 64;
  return bits;
}

std::array<std::uint8_t, kBuckets> from_bits(const std::array<std::uint64_t, 4>& bits) noexcept {
  std::array<std::uint8_t, kBuckets> alive{};
  for (std::size_t b = 0; b < kBuckets; ++b)
    alive[b] = static_cast<std::uint8_t>(bits[b / 64] >> b % 64 & 1U);
  return alive;
}

void pack_step(const SplitStep& step, Packer& to) {
  const Candidate& c = step.candidate;
  to.put(step.node).put(c.column).put(c.kind).put(c.low).put(static_cast<std::uint8_t>(c.missing_left));
  to.put(static_cast<std::uint8_t>(step.single)).put(c.left_levels);
}

SplitStep unpack_step(Unpacker& from) {
  SplitStep step;
  step.node = from.get<EngineNode>();
  step.candidate.column = from.get<ColId>();
  step.candidate.kind = from.get<NodeKind>();
  step.candidate.low = from.get<double>();
  step.candidate.missing_left = from.yes();
  step.single = from.yes();
  step.candidate.left_levels = from.all<std::uint32_t>();
  step.candidate.found = true;
  return step;
}

void pack_parts(const std::vector<PartsWanted>& all, Packer& to) {
  to.put(static_cast<std::uint64_t>(all.size()));
  for (const PartsWanted& one : all) to.put(one.node).put(one.column.column).put(one.column.buckets);
}

std::vector<PartsWanted> unpack_parts(Unpacker& from) {
  std::vector<PartsWanted> all(from.size(sizeof(EngineNode) + sizeof(ColId) + 8));
  for (PartsWanted& one : all) {
    one.node = from.get<EngineNode>();
    one.column.column = from.get<ColId>();
    one.column.buckets = from.all<PartedBucket>();
  }
  return all;
}

}  // namespace

std::vector<PoissonFrame> TreeFrame::poisson() const {
  std::vector<PoissonFrame> frames;
  for (const Output& output : outputs) frames.push_back(output.poisson);
  return frames;
}

void TreeFrame::pack(Packer& to) const {
  to.put(static_cast<std::uint8_t>(weighted))
      .put(largest_weight)
      .put(weight_exponent)
      .put(n_rows)
      .put(total_weight)
      .put(outputs);
  to.put(static_cast<std::uint8_t>(layout.weighted)).put(static_cast<std::uint8_t>(layout.narrow));
  to.put(layout.frame.n_rows).put(layout.frame.centres).put(layout.frame.spreads);
}

TreeFrame TreeFrame::unpack(Unpacker& from) {
  TreeFrame frame;
  frame.weighted = from.yes();
  frame.largest_weight = from.get<double>();
  frame.weight_exponent = from.get<int>();
  frame.n_rows = from.get<std::int64_t>();
  frame.total_weight = from.get<std::int64_t>();
  frame.outputs = from.all<Output>();
  frame.layout.weighted = from.yes();
  frame.layout.narrow = from.yes();
  frame.layout.frame.n_rows = from.get<std::int64_t>();
  frame.layout.frame.centres = from.all<std::int64_t>();
  frame.layout.frame.spreads = from.all<double>();
  return frame;
}

void TreeRequest::pack(Packer& to) const {
  to.put(tree);
  frame.pack(to);
  to.put(static_cast<std::uint64_t>(splits.size()));
  for (const SplitStep& step : splits) pack_step(step, to);
  to.put(nodes).put(extremes).put(extents).put(gathered).put(static_cast<std::uint64_t>(cells.size()));
  for (const CellsWanted& wanted : cells) to.put(wanted.node).put(wanted.column).put(to_bits(wanted.alive));
  pack_parts(counts, to);
  pack_parts(parts, to);
}

TreeRequest TreeRequest::unpack(Unpacker& from) {
  TreeRequest request;
  request.tree = from.get<std::uint32_t>();
  request.frame = TreeFrame::unpack(from);
  request.splits.resize(from.size(16));
  for (SplitStep& step : request.splits) step = unpack_step(from);
  request.nodes = from.all<EngineNode>();
  request.extremes = from.all<EngineNode>();
  request.extents = from.all<ExtentWanted>();
  request.gathered = from.all<GatheredNode>();
  request.cells.resize(from.size(sizeof(EngineNode) + sizeof(ColId) + 32));
  for (CellsWanted& wanted : request.cells) {
    wanted.node = from.get<EngineNode>();
    wanted.column = from.get<ColId>();
    wanted.alive = from_bits(from.get<std::array<std::uint64_t, 4>>());
  }
  request.counts = unpack_parts(from);
  request.parts = unpack_parts(from);
  return request;
}

std::string Request::bytes() const {
  Packer to;
  to.put(kRequestMagic)
      .put(phase)
      .put(level)
      .put(job)
      .put(criterion)
      .put(stage)
      .put(n_groups)
      .put(first_tree);
  to.put(static_cast<std::uint8_t>(bag.bootstrap)).put(bag.seed).put(bag.n_draws).put(bag.n_all);
  to.put(static_cast<std::uint64_t>(trees.size()));
  for (const TreeRequest& tree : trees) tree.pack(to);
  return to.take();
}

Request Request::from_bytes(std::string_view bytes) {
  Unpacker from(bytes, "a request to blocks", kRequestMagic);
  Request request;
  request.phase = from.choice<Phase>(kPhases);
  request.level = from.get<std::int32_t>();
  request.job = from.get<std::uint64_t>();
  request.criterion = from.choice<CriterionId>(static_cast<unsigned>(kCriteria.size()));
  request.stage = from.get<std::int32_t>();
  request.n_groups = from.get<std::uint32_t>();
  request.first_tree = from.get<std::uint32_t>();
  request.bag.bootstrap = from.yes();
  request.bag.seed = from.get<std::int64_t>();
  request.bag.n_draws = from.get<std::int64_t>();
  request.bag.n_all = from.get<std::int64_t>();
  request.trees.resize(from.size(64));
  for (TreeRequest& tree : request.trees) tree = TreeRequest::unpack(from);
  from.end();
  return request;
}

RequestInfo request_info(std::string_view request) {
  static constexpr std::array<const char*, kPhases> names{"describe", "measure", "count",
                                                          "collect",  "sums",    "regroup"};
  const Request parsed = Request::from_bytes(request);
  RequestInfo info;
  info.phase = names[static_cast<std::size_t>(parsed.phase)];
  info.level = parsed.level;
  info.n_groups = parsed.n_groups;
  for (const TreeRequest& tree : parsed.trees)
    info.nodes += static_cast<std::int64_t>(tree.nodes.size() + tree.gathered.size());
  return info;
}

}  // namespace bough
