// SPDX-License-Identifier: Apache-2.0
// Growing: nodes from the root down, each with its rows and their weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "quinlan/quinlan.hpp"
#include "quinlan/search.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

struct Work {
  Handle handle = 0;
  std::vector<QuinlanPart> parts;
  std::int32_t depth = 0;
  std::shared_ptr<const std::vector<char>> used;  // columns that may not be tested again
};

class Grower {
 public:
  Grower(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec, Monitor& monitor)
      : targets_(targets),
        spec_(spec),
        monitor_(monitor),
        search_(table, targets, spec),
        grid_(part_grid(targets)),
        builder_(Task::classification, {targets.classes.front().n_classes}) {}

  Tree run() {
    Work root{builder_.root(), {}, 0, std::make_shared<const std::vector<char>>(search_.n_columns())};
    for (const RowId row : targets_.rows) add({row, whole_weight(targets_, grid_, row)}, root.parts);
    for (const QuinlanPart& part : root.parts) total_ += part.weight;
    monitor_.stage("grow");
    std::vector<Work> open;
    open.push_back(std::move(root));
    for (std::int64_t done = 0; !open.empty(); ++done) {
      monitor_.nodes(done);
      monitor_.tick();
      const Work work = std::move(open.back());
      open.pop_back();
      grow(work, open);
    }
    return std::move(builder_).finish();
  }

 private:
  static void add(QuinlanPart part, std::vector<QuinlanPart>& parts) {
    if (part.weight > 0.0) parts.push_back(part);
  }

  void grow(const Work& work, std::vector<Work>& open) {
    NodeStats stats;
    stats.n_rows = static_cast<std::int64_t>(work.parts.size());
    stats.values.assign(targets_.classes.front().n_classes, 0.0);
    for (const QuinlanPart& part : work.parts) {
      stats.values[targets_.classes.front().codes[part.row]] += part.weight;
      stats.weight += part.weight;
    }
    stats.impurity = scatter(stats.values, stats.weight) / stats.weight;
    builder_.set_stats(work.handle, stats);
    if (!may_split(work, stats)) return;
    const std::optional<QuinlanSplit> found =
        search_.best({work.parts, stats.values, stats.weight}, *work.used);
    if (!found || found->split.gain < spec_.min_impurity_decrease * total_) return;
    divide(work, stats, *found, open);
  }

  [[nodiscard]] bool may_split(const Work& work, const NodeStats& stats) const {
    const double slack = spec_.j48 ? 1e-6 : 1e-9;
    const double most = *std::max_element(stats.values.begin(), stats.values.end());
    return work.depth < spec_.max_depth && stats.n_rows >= spec_.min_samples_split &&
           stats.weight + slack >= 2 * spec_.min_branch && stats.weight - most >= slack;
  }

  void divide(const Work& work, const NodeStats& stats, const QuinlanSplit& candidate,
              std::vector<Work>& open) {
    const std::size_t n = candidate.shares.size();
    const Handle first =
        builder_.split(work.handle, candidate.split, static_cast<std::int32_t>(n), candidate.shares);
    std::vector<Work> children(n);
    for (const QuinlanPart& part : work.parts) {
      const std::int32_t branch = search_.branch(candidate, part.row);
      if (branch >= 0) {
        children[static_cast<std::size_t>(branch)].parts.push_back(part);
        continue;
      }
      for (std::size_t i = 0; i < n; ++i)
        if (candidate.shares[i] > (spec_.j48 ? 1e-6 : 0.0))
          add({part.row, grid_.nearest(part.weight * candidate.shares[i])}, children[i].parts);
    }
    const auto used = used_below(work, candidate);
    for (std::size_t i = 0; i < n; ++i) {
      const Handle handle = first + static_cast<Handle>(i);
      if (children[i].parts.empty()) {
        builder_.set_stats(handle, {0, 0.0, stats.impurity, stats.values});
        continue;
      }
      children[i].handle = handle;
      children[i].depth = work.depth + 1;
      children[i].used = used;
      open.push_back(std::move(children[i]));
    }
  }

  // A column that was split into all its values, or into fixed intervals, has nothing more to tell.
  [[nodiscard]] std::shared_ptr<const std::vector<char>> used_below(const Work& work,
                                                                    const QuinlanSplit& candidate) const {
    const bool whole =
        (candidate.split.kind == NodeKind::multiway && !spec_.grouped) ||
        (candidate.split.kind == NodeKind::interval && spec_.intervals == QuinlanSpec::Intervals::all_rows);
    if (!whole) return work.used;
    auto used = std::make_shared<std::vector<char>>(*work.used);
    (*used)[static_cast<std::size_t>(candidate.split.column)] = 1;
    return used;
  }

  const Targets& targets_;
  const QuinlanSpec& spec_;
  Monitor& monitor_;
  QuinlanSearch search_;
  ExactGrid grid_;
  TreeBuilder builder_;
  double total_ = 0.0;
};

}  // namespace

Tree grow_quinlan(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec,
                  Monitor& monitor) {
  return Grower(table, targets, spec, monitor).run();
}

}  // namespace bough
