// SPDX-License-Identifier: Apache-2.0
// Rows that meet in leaves, and trees that answer like their forest.
#include "bough/proximity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

#include "base/parallel.hpp"
#include "bough/json.hpp"
#include "inference/out_of_bag.hpp"

namespace bough {
namespace {

constexpr std::int64_t kMostPairs = std::int64_t{1} << 28;

// Leaves of every row in every tree, row after row; `drawn` (or null) marks what does not count by `hidden`.
std::vector<NodeId> leaves_of(const Model& model, const Table& table, const DrawnRows* drawn, NodeId hidden) {
  const RowReader reader(table, model.features());
  const std::size_t n_trees = model.trees().size();
  std::vector<NodeId> leaves(static_cast<std::size_t>(table.n_rows()) * n_trees);
  for_tree_blocks(model, reader, [&](TreeBlock& block) {
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
      block.enter(tree);
      for (std::size_t i = 0; i < block.count(); ++i) {
        const std::size_t row = block.begin() + i;
        leaves[row * n_trees + tree] = drawn && drawn->has(tree, row) ? hidden : block.leaf(i);
      }
    }
  });
  return leaves;
}

void check_pairs(std::int64_t n, std::int64_t m) {
  if (n > 0 && m > kMostPairs / n)
    throw Error(ErrorCode::not_supported, fmt::format("{} x {} pairs of rows are more than 2^28", n, m),
                "take a sample of the rows");
}

// meets(i, j): trees in which both rows end in one leaf; counts(i, j): trees that count.
template <class Meets>
std::vector<double> fill_pairs(std::size_t n, std::size_t m, const Meets& share) {
  std::vector<double> out(n * m);
  parallel_for(n, [&](std::size_t i) {
    for (std::size_t j = 0; j < m; ++j) out[i * m + j] = share(i, j);
  });
  return out;
}

std::int64_t meeting(const NodeId* a, const NodeId* b, std::size_t n) {
  std::int32_t same = 0;
  for (std::size_t t = 0; t < n; ++t) same += a[t] == b[t] ? 1 : 0;
  return same;
}

std::int64_t both_out(const NodeId* a, const NodeId* b, std::size_t n) {
  std::int32_t out = 0;
  for (std::size_t t = 0; t < n; ++t) out += a[t] >= 0 && b[t] >= 0 ? 1 : 0;
  return out;
}

}  // namespace

std::vector<double> proximity(const Model& model, const Table& rows, const Table& others,
                              const Execution& execution) {
  check_pairs(rows.n_rows(), others.n_rows());
  const std::size_t n_trees = model.trees().size();
  std::vector<double> out;
  with_threads(execution.threads, [&] {
    const std::vector<NodeId> a = leaves_of(model, rows, nullptr, 0),
                              b = leaves_of(model, others, nullptr, 0);
    out = fill_pairs(a.size() / n_trees, b.size() / n_trees, [&](std::size_t i, std::size_t j) {
      return static_cast<double>(meeting(&a[i * n_trees], &b[j * n_trees], n_trees)) /
             static_cast<double>(n_trees);
    });
  });
  return out;
}

std::vector<double> proximity(const Model& model, const Table& rows, const ProximitySpec& spec,
                              const Execution& execution) {
  if (!spec.out_of_bag) return proximity(model, rows, rows, execution);
  check_bagged(model, rows.n_rows());
  check_pairs(rows.n_rows(), rows.n_rows());
  const std::size_t n_trees = model.trees().size();
  std::vector<double> out;
  with_threads(execution.threads, [&] {
    const DrawnRows drawn(model, static_cast<std::size_t>(rows.n_rows()),
                          fit_weights(model, rows, spec.weight));
    check_drawn_rows(model, RowReader(rows, model.features()), drawn);
    // Two marks, so that rows that do not count never meet.
    const std::vector<NodeId> a = leaves_of(model, rows, &drawn, -1), b = leaves_of(model, rows, &drawn, -2);
    const std::size_t n = a.size() / n_trees;
    out = fill_pairs(n, n, [&](std::size_t i, std::size_t j) {
      const std::int64_t count = both_out(&a[i * n_trees], &b[j * n_trees], n_trees);
      return count == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : static_cast<double>(meeting(&a[i * n_trees], &b[j * n_trees], n_trees)) /
                              static_cast<double>(count);
    });
  });
  return out;
}

namespace {

// Of the rows of a block: per tree and output the squared distance to the mean of the trees; per output the
// sum and the sum of squares of that mean (numbers only).
struct BlockDistances {
  std::vector<double> distances, sums, squares;
};

BlockDistances block_distances(const Model& model, TreeBlock& block) {
  const std::size_t n_trees = model.trees().size(), n_outputs = model.n_outputs();
  const std::size_t width = value_width(model.parts());
  std::vector<double> mean(block.count() * width);
  std::vector<std::int32_t> answered(block.count());
  const auto each = [&](const auto& visit) {
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
      block.enter(tree);
      for (std::size_t i = 0; i < block.count(); ++i)
        if (const std::span<const double> answer = block.answer(i); !answer.empty()) visit(tree, i, answer);
    }
  };
  each([&](std::size_t, std::size_t i, std::span<const double> answer) {
    ++answered[i];
    for (std::size_t j = 0; j < width; ++j) mean[i * width + j] += answer[j];
  });
  BlockDistances out{std::vector<double>(n_trees * n_outputs), std::vector<double>(n_outputs),
                     std::vector<double>(n_outputs)};
  for (std::size_t i = 0; i < block.count(); ++i) {
    for (std::size_t j = 0; j < width; ++j) mean[i * width + j] /= std::max(1, answered[i]);
    if (model.task() == Task::classification) continue;
    for (std::size_t o = 0; o < n_outputs; ++o) {
      out.sums[o] += mean[i * width + o];
      out.squares[o] += mean[i * width + o] * mean[i * width + o];
    }
  }
  each([&](std::size_t tree, std::size_t i, std::span<const double> answer) {
    std::size_t at = 0;
    for (std::size_t o = 0; o < n_outputs; ++o)
      for (const std::size_t end = at + model.tree().output_widths()[o]; at < end; ++at) {
        const double apart = answer[at] - mean[i * width + at];
        out.distances[tree * n_outputs + o] += apart * apart;
      }
  });
  return out;
}

}  // namespace

TreeProximity tree_proximity(const Model& model, const Table& rows, const Execution& execution) {
  if (rows.n_rows() == 0)
    throw Error(ErrorCode::bad_data, "there are no rows to compare the trees by", "give at least one row");
  const RowReader reader(rows, model.features());
  std::map<std::size_t, BlockDistances> blocks;  // by first row, so that sums run in the order of the rows
  std::mutex mutex;
  with_threads(execution.threads, [&] {
    for_tree_blocks(model, reader, [&](TreeBlock& block) {
      BlockDistances found = block_distances(model, block);
      const std::lock_guard lock(mutex);
      blocks.emplace(block.begin(), std::move(found));
    });
  });
  const std::size_t n_outputs = model.n_outputs();
  const auto n = static_cast<double>(rows.n_rows());
  TreeProximity out;
  out.distances.assign(model.trees().size(), 0.0);
  for (std::size_t o = 0; o < n_outputs; ++o) {
    double sum = 0.0, squares = 0.0;
    for (const auto& [begin, block] : blocks) {
      sum += block.sums[o];
      squares += block.squares[o];
    }
    const double variance = squares / n - (sum / n) * (sum / n);
    const double scale = model.task() == Task::regression && variance > 0.0 ? variance : 1.0;
    for (std::size_t tree = 0; tree < out.distances.size(); ++tree)
      for (const auto& [begin, block] : blocks)
        out.distances[tree] +=
            block.distances[tree * n_outputs + o] / scale / n / static_cast<double>(n_outputs);
  }
  out.representative =
      static_cast<std::size_t>(std::ranges::min_element(out.distances) - out.distances.begin());
  return out;
}

std::string to_json(const TreeProximity& proximity) {
  const Json json{{"representative", proximity.representative}, {"distances", proximity.distances}};
  return json.dump(2);
}

}  // namespace bough
