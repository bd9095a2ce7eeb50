// SPDX-License-Identifier: Apache-2.0
// Rows of a table to leaves, paths and values.
#include "predict/predict.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/parallel.hpp"
#include "bough/error.hpp"
#include "predict/answer.hpp"
#include "predict/walk.hpp"

namespace bough {

std::int64_t block_rows(std::size_t n_columns) noexcept {
  constexpr std::size_t cells = std::size_t{1} << 16;
  return static_cast<std::int64_t>(
      std::clamp<std::size_t>(cells / std::max<std::size_t>(n_columns, 1), 16, 2048));
}

void for_blocks(const RowReader& reader, const std::function<void(const CellBlock&)>& body) {
  const std::int64_t rows = reader.n_rows();
  const std::int64_t size = block_rows(reader.n_columns());
  parallel_for(static_cast<std::size_t>((rows + size - 1) / size), [&](std::size_t i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * size;
    const std::int64_t count = std::min(size, rows - begin);
    std::vector<double> cells(static_cast<std::size_t>(count) * reader.n_columns());
    reader.load(begin, count, cells);
    body({begin, static_cast<std::size_t>(count), cells});
  });
}

std::vector<NodeId> find_leaves(const Tree& tree, const RowReader& reader) {
  std::vector<NodeId> leaves(static_cast<std::size_t>(reader.n_rows()));
  for_blocks(reader, [&](const CellBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      leaves[static_cast<std::size_t>(block.begin) + i] = find_leaf(tree, block.row(i));
    }
  });
  return leaves;
}

namespace {

// Rows times levels: of deep trees that is more than anybody has room for.
constexpr std::size_t kMostPathNodes = std::size_t{1} << 29;

void check_paths(std::size_t n_nodes, std::size_t n_rows) {
  if (n_nodes <= kMostPathNodes) return;
  throw Error(ErrorCode::not_supported,
              "the paths of these " + std::to_string(n_rows) + " rows are more than " +
                  std::to_string(kMostPathNodes) + " nodes together",
              "ask for fewer rows at a time, or for their leaves only (apply)");
}

}  // namespace

NodePaths find_paths(const Tree& tree, const RowReader& reader) {
  const auto n_rows = static_cast<std::size_t>(reader.n_rows());
  std::vector<std::vector<NodeId>> blocks((n_rows + 15) /
                                          16);  // by the block's first row / 16: blocks are no smaller
  NodePaths paths;
  paths.starts.assign(n_rows + 1, 0);
  std::atomic<std::size_t> total = 0;
  for_blocks(reader, [&](const CellBlock& block) {
    std::vector<NodeId>& nodes = blocks[static_cast<std::size_t>(block.begin) / 16];
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t before = nodes.size();
      walk_parts(tree, block.row(i), [&](NodeId node, double, bool) { nodes.push_back(node); });
      paths.starts[static_cast<std::size_t>(block.begin) + i + 1] =
          static_cast<std::int64_t>(nodes.size() - before);
      check_paths(total += nodes.size() - before, n_rows);
    }
  });
  for (std::size_t i = 0; i < n_rows; ++i) paths.starts[i + 1] += paths.starts[i];
  paths.nodes.reserve(static_cast<std::size_t>(paths.starts.back()));
  for (const std::vector<NodeId>& nodes : blocks)
    paths.nodes.insert(paths.nodes.end(), nodes.begin(), nodes.end());
  return paths;
}

std::vector<double> tree_values(const Tree& tree, const RowReader& reader) {
  const std::size_t width = tree.value_width();
  std::vector<double> values(static_cast<std::size_t>(reader.n_rows()) * width);
  for_blocks(reader, [&](const CellBlock& block) {
    AnswerScratch scratch;
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t row = static_cast<std::size_t>(block.begin) + i;
      const std::span<double> out = std::span(values).subspan(row * width, width);
      answer_weights(tree, block.row(i), scratch, out);
      normalise_outputs(tree, out);
    }
  });
  return values;
}

}  // namespace bough
