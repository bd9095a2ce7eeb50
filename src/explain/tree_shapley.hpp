// SPDX-License-Identifier: Apache-2.0
// Shapley values of one tree's answer for one row.
//
// A coalition S of columns is known, the others are not. What reaches a leaf is a product over the columns on
// its way,
//   prod_{j in S} a_j  prod_{j not in S} b_j,
// with a_j the share of the row that the tests on j let through when j is known (1 or 0; parts where a
// missing cell is shared) and b_j when it is not (shares of the training weight, or where a background row
// goes). The Shapley value of column i for such a product is (a_i - b_i) times the sum over coalitions of the
// others, and since
//   |S|! (m - 1 - |S|)! / m! = integral over [0, 1] of t^|S| (1 - t)^(m - 1 - |S|) dt,
// that sum is the integral of prod_{j != i} (a_j t + b_j (1 - t)): a polynomial of degree m - 1, which ceil(m
// / 2) points of Gauss integrate exactly, with positive terms only. On the way down the product P(t) is kept
// at the points, on the way up the sum G(t) of leaf value * P(t). A column's factor at a leaf is that of its
// lowest test on the way, so a test adds
//   sum over points of weight * (r - r above) * G,  r = (a - b) / (a t + b (1 - t)),
// where "above" is the column's previous test on the way. Cost: nodes * points * outputs (Yu et al. 2022 do
// the same with polynomials). No recursion.
#pragma once

#include <span>
#include <vector>

#include "bough/model.hpp"
#include "bough/shap.hpp"
#include "explain/quadrature.hpp"

namespace bough {

/// The numbers of a model's answer that can be explained.
std::vector<ShapOutput> explained_outputs(const Model& model);

/// The deepest tree that is explained: points and products grow with the square of the depth.
inline constexpr std::int32_t kDeepestGame = 2000;

/// What a tree answers at the nodes where rows end: class shares or values.
class EndingValues {
 public:
  EndingValues(const Model::Parts& parts, const Tree& tree) : parts_(&parts), tree_(&tree) {}
  void write(NodeId node, std::span<double> out) const;

 private:
  const Model::Parts* parts_;
  const Tree* tree_;
};

/// One tree made ready; read-only. Throws not_supported for what it cannot play.
class TreeShapley {
 public:
  TreeShapley(const Model::Parts& parts, std::size_t tree);

  /// Room of one thread.
  struct Room;

  /// Adds scale * Shapley values of a row to out[column * width + value]. `background` empty: path-dependent.
  void add(std::span<const double> row, std::span<const double> background, double scale, Room& room,
           std::span<double> out) const;
  /// Adds scale * the answer when no column is known, path-dependent.
  void add_expected(double scale, std::span<double> out) const;
  /// A node where the row's cell makes the answer no product over columns (surrogates decide, or the vote of
  /// a tree is taken after a row was shared between leaves), or -1.
  [[nodiscard]] NodeId tangled_node(std::span<const double> row) const;

  [[nodiscard]] const Tree& tree() const noexcept { return *tree_; }

 private:
  friend class GameWalk;
  /// Of the rows at a node whose way is not known, the share that a child gets. Losses weigh the rows otherwise while
  /// splits are chosen, and so do the shares that the tree keeps; the values are those of the rows as they are.
  [[nodiscard]] double child_share(NodeId node, std::size_t child) const;
  const Tree* tree_;
  EndingValues values_;
  Quadrature rule_;
  std::int32_t depth_ = 0;
  bool votes_ = false;
  bool by_weight_ = false;
};

struct TreeShapley::Room {
  struct Frame {
    NodeId node = 0;
    std::int32_t next = 0;       // branch to take; the number of children: the row stops here
    std::int32_t known_way = 0;  // as route() says
    std::int32_t other_way = 0;
    ColId column = -1;        // of the test that led here; -1: it changed nothing
    double a = 1.0, b = 1.0;  // of that column from here on
    double above_a = 1.0, above_b = 1.0;
    bool above = false;  // the column was tested before
  };
  struct Factor {
    double a = 1.0, b = 1.0;
    bool tested = false;
  };
  std::vector<Frame> frames;
  std::vector<Factor> factors;   // per column
  std::vector<double> products;  // points per frame
  std::vector<double> sums;      // points * width per frame
  std::vector<double> values;    // width
};

}  // namespace bough
