// SPDX-License-Identifier: Apache-2.0
// Pictures: the layout of trees, and models drawn as SVG.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

// ------------------------------------------------------------ which nodes are drawn

/// Which part of a tree is drawn.
struct ViewOptions {
  std::optional<int> max_depth{};   ///< unset: chosen from the size, so that the picture can be read; -1: all
  std::vector<NodeId> collapsed{};  ///< nodes whose branches are folded, whatever the depth
  int most_children = 12;           ///< the lighter children of wider nodes are drawn as one box; 0: all
};

/// One box of a picture.
struct ViewBox {
  enum class What : std::uint8_t {
    inner,
    leaf,
    folded,  ///< an inner node whose branch is not drawn
    rest     ///< the children of `node` that are not drawn one by one
  };
  What what = What::leaf;
  NodeId node = 0;
  std::int32_t parent = -1;  ///< position of the parent's box; -1: the root
  std::int32_t child = 0;  ///< number among the children of the parent node; rest: of the first one left out
  std::int32_t depth = 0;
  std::int64_t hidden = 0;    ///< folded: nodes below; rest: nodes in the branches left out
  std::int64_t branches = 0;  ///< rest: how many children are left out
  std::int32_t levels = 0;    ///< folded: levels below
};

/// The boxes of a picture, parents before their children, siblings in order: a preorder.
struct TreeView {
  std::vector<ViewBox> boxes;
  int max_depth = -1;  ///< the depth at which branches are folded, as given or chosen; -1: none
};

/// Throws bad_params for nodes that the tree has not.
[[nodiscard]] TreeView view_tree(const Tree& tree, const ViewOptions& options = {});

// ------------------------------------------------------------ layout

/// Space between boxes on one level.
struct LayoutGaps {
  double siblings = 16.0;
  double cousins = 24.0;  ///< neighbours of different parents
};

/// Where boxes stand. `x` are the middles of the boxes; the leftmost box begins at 0, the rightmost ends at
/// `width`. Vertically a box belongs to level `depth`.
struct Layout {
  std::vector<double> x;
  std::vector<std::int32_t> depth;
  double width = 0.0;
  std::int32_t n_levels = 0;
};

/// Places the boxes of a tree (Reingold and Tilford 1981, in the linear form of Buchheim, Jünger and Leipert
/// 2002), any number of children, boxes of any width. `parents` is a preorder: the position of every box's
/// parent, -1 for the first one only. Boxes of one level keep their order and at least the gap; a parent
/// stands over the middle between its first and its last child; a subtree looks the same wherever it is, up
/// to the widening that wide neighbours force. O(n), without recursion. Throws bad_params for lists that are
/// no preorder. src/draw/layout.cpp tells the algorithm.
[[nodiscard]] Layout lay_out(std::span<const std::int32_t> parents, std::span<const double> widths,
                             const LayoutGaps& gaps = {});

// ------------------------------------------------------------ pictures

enum class Theme : std::uint8_t {
  light,       ///< dark ink on white
  dark,        ///< light ink on nearly black
  transparent  ///< no background; ink that can be read on white and on black
};

/// What all pictures share.
struct PictureOptions {
  Theme theme = Theme::light;
  std::optional<std::string> title{};  ///< unset: one that says what is drawn; empty: none
  std::optional<std::size_t>
      tree{};         ///< which tree; unset: the first, or where answers are drawn those of all
  int precision = 4;  ///< significant digits (0: all)
};

struct TreePictureOptions {
  PictureOptions picture{};
  ViewOptions view{};
  bool colour = true;  ///< boxes by class or value
  bool impurity = true;
  bool bars = true;  ///< the shares of classes as a bar, values as a mark on a scale
  bool node_ids = false;
  std::optional<bool>
      missing{};                ///< where missing cells go; unset: when the tree shows that training met them
  std::size_t most_names = 4;   ///< longer lists of categories are shortened; the tooltip has more
  const Table* rows = nullptr;  ///< rows whose distributions the inner boxes show; null: none
  std::optional<std::int64_t> row{};  ///< the row of `rows` whose path is marked
};

/// A tree as a standalone SVG document. Throws bad_params when there is no such tree, and for more than
/// 20,000 boxes.
[[nodiscard]] std::string draw_tree(const Model& model, const TreePictureOptions& options = {});

// ------------------------------------------------------------ answers over columns

/// A place in a picture of data: numbers are themselves, level i of a category or ordinal column is i.
struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Which columns answers are drawn over, and where the others are held.
struct SliceOptions {
  std::string x{};  ///< column; empty: the most important one (of a row of numbers or levels)
  std::string y{};  ///< regions: the next one
  std::map<std::string, std::string>
      at{};                        ///< values of other columns; the rest: median or most frequent of the data
  std::string target{};            ///< which output; empty: the first
  std::optional<int> max_depth{};  ///< one tree: answers as if it ended there; unset: all of it
  bool points = true;              ///< with the data on it
};

/// A part of the plane in which the answer is the same.
struct AnswerRegion {
  std::vector<Point> corners;  ///< convex, in order; level i reaches from i - 0.5 to i + 0.5
  NodeId node = -1;            ///< the node that answers; -1: several trees, or several nodes
  double value = 0.0;          ///< the number, or the index of the class
  std::vector<double> shares;  ///< of classes
};

/// A piece of a border that a test draws.
struct RegionCut {
  Point from{};
  Point to{};
  std::int32_t depth = 0;  ///< of the test; -1: several trees
  bool next = false;       ///< of the level below max_depth: where the tree would go on
};

/// Where other columns are held.
struct HeldColumn {
  std::string name;
  std::string value;  ///< "missing" when the data know none
  std::string how;    ///< "median", "most frequent", "given", "unknown"
};

struct Regions {
  ColId x = 0;
  ColId y = 0;
  Point low{};  ///< corner of what is shown
  Point high{};
  std::vector<AnswerRegion> regions;
  std::vector<RegionCut> cuts;
  std::vector<HeldColumn> held;  ///< columns that matter and are not shown
  int max_depth = -1;  ///< where the tree was cut, by wish or because more cannot be drawn; -1: nowhere
};

/// The answers of a model over two columns, exactly: rectangles, or polygons where sums of both are tested.
/// One tree gives a region per leaf; several trees, and rows that are shared out, a region per answer. `data`
/// gives what is shown and where other columns are held; without it the tests say what is shown, and other
/// columns need `at`. Throws bad_params for columns that the model has not, and when fewer than two matter;
/// not_supported naming the node or column when more than 60 levels, sums over ordinal columns, or over a
/// million pieces would be drawn.
[[nodiscard]] Regions decision_regions(const Model& model, const Table* data,
                                       const SliceOptions& options = {},
                                       std::optional<std::size_t> tree = {});
/// The same as a picture.
[[nodiscard]] std::string draw_regions(const Model& model, const Table* data,
                                       const SliceOptions& options = {}, const PictureOptions& picture = {});

/// A stretch of one column in which the answer is the same: from < x <= to, or the level i from i - 0.5 to i
/// + 0.5.
struct FitStep {
  double from = 0.0;
  double to = 0.0;
  double value = 0.0;
  std::vector<double> shares;  ///< of classes
};
/// The answers of a model over one column, low to high, as exact as decision_regions().
[[nodiscard]] std::vector<FitStep> decision_steps(const Model& model, const Table* data,
                                                  const SliceOptions& options = {},
                                                  std::optional<std::size_t> tree = {});
/// The same as a picture: the value, or the shares of classes, with the data.
[[nodiscard]] std::string draw_fit(const Model& model, const Table* data, const SliceOptions& options = {},
                                   const PictureOptions& picture = {});

// ------------------------------------------------------------ other pictures

/// Errors along the cost-complexity path of a tree: in training, and by cross-validation with the band of one
/// standard error and the chosen tree where the model has its table.
[[nodiscard]] std::string draw_path(const Model& model, const PictureOptions& picture = {});
/// Importances as bars, the largest first, at most `most`.
[[nodiscard]] std::string draw_importances(const Model& model, const PictureOptions& picture = {},
                                           std::size_t most = 25);

}  // namespace bough
