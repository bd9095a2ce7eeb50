// SPDX-License-Identifier: Apache-2.0
// Reads a tree of numeric tests, prints its cost-complexity path and the trees at some prices, for comparison
// with others:
//   prune_arrays alpha... < nodes
// One node per line, in preorder: left right column threshold rows weight impurity (left = -1: a leaf).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "bough/prune.hpp"

namespace {

struct Line {
  int left = -1, right = -1, column = -1;
  std::string threshold;  // may be "inf"
  std::int64_t rows = 0;
  double weight = 0.0, impurity = 0.0;
};

bough::Tree read_tree() {
  std::vector<Line> lines;
  for (Line l; std::cin >> l.left >> l.right >> l.column >> l.threshold >> l.rows >> l.weight >> l.impurity;)
    lines.push_back(l);
  bough::TreeBuilder builder(bough::Task::regression, {1});
  std::vector<int> handles(lines.size());
  handles.at(0) = builder.root();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    builder.set_stats(handles[i], {line.rows, line.weight, line.impurity, {0.0}});
    if (line.left < 0) continue;
    bough::Split split;
    split.kind = bough::NodeKind::numeric;
    split.column = line.column;
    split.threshold = std::strtod(line.threshold.c_str(), nullptr);
    const int first = builder.split(handles[i], split, 2);
    handles.at(static_cast<std::size_t>(line.left)) = first;
    handles.at(static_cast<std::size_t>(line.right)) = first + 1;
  }
  return std::move(builder).finish();
}

template <class Numbers>
std::string list(const Numbers& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

}  // namespace

int main(int argc, char** argv) {
  const bough::Tree tree = read_tree();
  const bough::PruningPath path = bough::cost_complexity_path(tree);
  fmt::print("{{\"alphas\":{},\"risks\":{},\"n_leaves\":{},\"trees\":[", list(path.alphas), list(path.risks),
             list(path.n_leaves));
  for (int i = 1; i < argc; ++i) {
    const bough::Tree pruned = bough::prune(tree, path, std::strtod(argv[i], nullptr));
    std::vector<bough::ColId> columns;
    std::vector<std::int64_t> rows;
    for (bough::NodeId node = 0; node < pruned.n_nodes(); ++node) {
      columns.push_back(pruned.column(node));
      rows.push_back(pruned.n_rows(node));
    }
    fmt::print("{}{{\"column\":{},\"rows\":{}}}", i > 1 ? "," : "", list(columns), list(rows));
  }
  fmt::print("]}}\n");
  return 0;
}
