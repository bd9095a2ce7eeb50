// SPDX-License-Identifier: Apache-2.0
// Dividing nodes whose rows are elsewhere.
#include "scale/remote_nodes.hpp"

namespace bough {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::internal, "an engine without rows was asked for what only rows can tell");
}

}  // namespace

RemoteNodes::RemoteNodes(std::int64_t n_rows, const CodedTable& columns, Finishes finishes)
    : columns_(&columns), finishes_(std::move(finishes)) {
  nodes_.emplace_back().n_rows = n_rows;
}

std::vector<Proposal> RemoteNodes::best(std::span<const NodeTask> /*tasks*/, Monitor& /*monitor*/) {
  refuse();
}

Rows RemoteNodes::rows(EngineNode /*node*/) const {
  refuse();
}

std::vector<EngineNode> RemoteNodes::split(EngineNode node, const Proposal& proposal) {
  const CodedColumn& column = columns_->columns[static_cast<std::size_t>(proposal.candidate.column)];
  SplitStep step;
  step.node = node;
  step.candidate = proposal.candidate;
  step.single = column.kind == Kind::numeric && column.single[column.bucket_of(proposal.candidate.low)];
  steps_.push_back(std::move(step));
  const auto left = static_cast<EngineNode>(nodes_.size()), right = left + 1;
  const std::int64_t n_left = at(node).n_left, n_right = at(node).n_rows - n_left;
  const std::shared_ptr<NodeHistogram> parent = std::move(at(node).histogram);
  nodes_.push_back({n_left, 0, right, nullptr, parent, false});
  nodes_.push_back({n_right, 0, left, nullptr, parent, false});
  return {left, right};
}

bool RemoteNodes::finishes(EngineNode node, std::int32_t levels) const {
  return finishes_(at(node).n_rows, levels);
}

bool RemoteNodes::is_smaller(EngineNode node) const {
  const EngineNode sibling = at(node).sibling;
  if (sibling < 0) return true;
  const std::int64_t mine = at(node).n_rows, other = at(sibling).n_rows;
  return mine < other || (mine == other && node < sibling);
}

}  // namespace bough
