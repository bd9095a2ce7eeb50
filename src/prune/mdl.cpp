// SPDX-License-Identifier: Apache-2.0
// Pruning by minimum description length: the tree that tells the targets of the training rows in the fewest
// bits.
//
// After Quinlan and Rivest, "Inferring decision trees using the minimum description length principle" (1989):
// the receiver knows the columns and wants the targets. The message walks the tree in preorder: one bit per
// node says whether it is a leaf; an inner node tells its test, a leaf the targets of its rows.
//
//   tests   log2 of the number of tests of that kind: with p columns and n rows in the node
//             numeric, threshold  log2 p + log2 max(n - 1, 1)      interval   log2 p + log2 n + log2 C(n - 1,
//             cuts) ordinal             log2 p + log2 max(levels - 1, 1) equality   log2 p + log2 levels
//             subset              log2 p + max(levels of its map - 1, 0)      multiway  log2 p
//             oblique             per term log2 p + log2 n / 2 (a weight to the precision that n rows give),
//             log2 n
//   classes k classes with counts c of n rows, the code for several classes of Kononenko, "On biases in
//   estimating
//           multi-valued attributes" (1995): log2 of the number of counts, C(n + k - 1, k - 1), and log2 of
//           the number of their orders, n! / (c1! c2! ...). It is the code of a uniform prior over class
//           shares, so a leaf of one row costs log2 k and nothing is free.
//   numbers the mixture code of a normal distribution of unknown mean and variance under a prior worth one
//   row of the
//           root (normal, inverse gamma): with n rows of mean m and variance v, root mean m0 and variance v0,
//           q outputs
//             a = 1/2 + n q / 2,  b = (v0 + n q v + n / (1 + n) * sum of (m - m0)^2) / 2
//             bits = (n q / 2) log2(2 pi) + (q / 2) log2(1 + n) + a log2 b - log2 Gamma(a) - the same at n =
//             0
//           up to n q log2 of the precision of the targets, which no pruning changes.
//
// n is the node's weight times rows / weight of the root. A node becomes a leaf when that takes no more bits.
// Gamma is computed here: the C library's differs from machine to machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.hpp"
#include "bough/prune.hpp"

namespace bough {
namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kLog2Of2Pi = 2.6514961294723187;

// log2 Gamma(x) for x > 0: Stirling's series above 10, reached by Gamma(x) = Gamma(x + 1) / x.
double log2_gamma(double x) {
  double product = 1.0;
  while (x < 10.0) product *= x++;
  const double y = 1.0 / (x * x);
  const double series =
      (1.0 / 12 -
       y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * 691.0 / 360360))))) /
      x;
  return (x - 0.5) * log2_exact(x) + kLog2Of2Pi / 2 + (series - x) * kLog2E - log2_exact(product);
}

double log2_choose(double n, double k) {
  return log2_gamma(n + 1) - log2_gamma(k + 1) - log2_gamma(n - k + 1);
}

double log2_at_least_1(double x) {
  return x > 1.0 ? log2_exact(x) : 0.0;
}

class Describer {
 public:
  Describer(const Tree& tree, std::span<const std::uint32_t> n_levels)
      : tree_(tree), n_levels_(n_levels), values_(tree.value_width()), root_(tree.value_width()) {
    tree.values(0, root_);
    scale_ = tree.weight(0) > 0.0 ? static_cast<double>(tree.n_rows(0)) / tree.weight(0) : 0.0;
  }

  /// Bits of a node as a leaf.
  double leaf(NodeId node) {
    tree_.values(node, values_);
    return 1.0 + (tree_.task() == Task::classification ? classes() : numbers(node));
  }

  /// Bits of a node's test.
  [[nodiscard]] double test(NodeId node) const {
    const double n = rows(node);
    const double column = log2_at_least_1(static_cast<double>(n_levels_.size()));
    switch (tree_.kind(node)) {
      case NodeKind::leaf:
        return 0.0;
      case NodeKind::numeric:
        return 1.0 + column + log2_at_least_1(n - 1);
      case NodeKind::ordinal:
        return 1.0 + column + log2_at_least_1(levels(node) - 1);
      case NodeKind::equality:
        return 1.0 + column + log2_at_least_1(levels(node));
      case NodeKind::subset:
        return 1.0 + column + static_cast<double>(tree_.map_levels(node).size() - 1);
      case NodeKind::multiway:
        return 1.0 + column;
      case NodeKind::interval: {
        const auto cuts = static_cast<double>(tree_.cuts(node).size());
        return 1.0 + column + log2_at_least_1(n) + (n - 1 > cuts ? log2_choose(n - 1, cuts) : 0.0);
      }
      case NodeKind::oblique:
        break;
    }
    const auto terms = static_cast<double>(tree_.terms(node).size());
    return 1.0 + terms * (column + log2_at_least_1(n) / 2) + log2_at_least_1(n);
  }

 private:
  [[nodiscard]] double rows(NodeId node) const { return tree_.weight(node) * scale_; }
  [[nodiscard]] double levels(NodeId node) const {
    return n_levels_[static_cast<std::size_t>(tree_.column(node))];
  }

  [[nodiscard]] double classes() const {
    double bits = 0.0;
    std::size_t start = 0;
    for (const std::uint32_t width : tree_.output_widths()) {
      double n = 0.0;
      for (std::size_t c = 0; c < width; ++c) {
        const double count = values_[start + c] * scale_;
        bits -= log2_gamma(count + 1);
        n += count;
      }
      bits += log2_gamma(n + 1) + log2_choose(n + width - 1, width - 1);
      start += width;
    }
    return bits;
  }

  [[nodiscard]] double numbers(NodeId node) const {
    const double n = rows(node);
    const auto q = static_cast<double>(values_.size());
    double apart = 0.0;
    for (std::size_t o = 0; o < values_.size(); ++o) {
      const double gap = values_[o] - root_[o];
      apart += gap * gap;
    }
    const double prior = std::max(tree_.impurity(0), std::numeric_limits<double>::min());
    const double variance = std::max(tree_.impurity(node), 0.0);
    const double a = 0.5 + n * q / 2;
    const double b = (prior + n * q * variance + n / (1 + n) * apart) / 2;
    return n * q / 2 * kLog2Of2Pi + q / 2 * log2_exact(1 + n) + a * log2_exact(b) - log2_gamma(a) -
           (0.5 * log2_exact(prior / 2) - log2_gamma(0.5));
  }

  const Tree& tree_;
  std::span<const std::uint32_t> n_levels_;
  std::vector<double> values_, root_;
  double scale_ = 0.0;
};

// Bits of every branch, leaves where they take no more; `cut` says where.
std::vector<double> describe(const Tree& tree, std::span<const std::uint32_t> n_levels,
                             std::vector<bool>* cut) {
  tree.check(n_levels.size(), n_levels);
  Describer describer(tree, n_levels);
  std::vector<double> bits(static_cast<std::size_t>(tree.n_nodes()));
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    double& own = bits[static_cast<std::size_t>(node)];
    own = describer.leaf(node);
    if (tree.is_leaf(node)) continue;
    double branch = describer.test(node);
    for (const NodeId child : tree.children(node)) branch += bits[static_cast<std::size_t>(child)];
    if (cut == nullptr)
      own = branch;
    else if (own <= branch)
      (*cut)[static_cast<std::size_t>(node)] = true;
    else
      own = branch;
  }
  return bits;
}

}  // namespace

double description_length(const Tree& tree, std::span<const std::uint32_t> n_levels) {
  return describe(tree, n_levels, nullptr).front();
}

Tree minimum_description(const Tree& tree, std::span<const std::uint32_t> n_levels) {
  std::vector<bool> cut(static_cast<std::size_t>(tree.n_nodes()), false);
  describe(tree, n_levels, &cut);
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (cut[static_cast<std::size_t>(node)]) builder.collapse(node);
  return std::move(builder).finish();
}

}  // namespace bough
