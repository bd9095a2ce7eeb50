// SPDX-License-Identifier: Apache-2.0
// The layout of trees.
//
// Bottom-up, left to right: the subtrees of a node are put side by side, each as far left as the contours of
// those before it allow, then the node over the middle of its first and last child. Positions are relative:
// `prelim` of a box counts from its parent's frame, `mod` is what its descendants are moved by in addition,
// so moving a subtree costs nothing. Two tricks make the whole linear (Buchheim, Jünger and Leipert 2002):
//
//   threads   The contour of a forest is followed through `thread` links from the end of a short subtree to
//   the
//             box of the next level, so that comparing a subtree with all before it takes as many steps as
//             the smaller of the two has levels.
//   shifts    When a subtree must move right, the subtrees between it and the one it ran into move by their
//             part of that. `change` and `shift` note the parts at both ends, and one pass over the children
//             adds them up.
//
// Which earlier sibling the subtree ran into is told by `ancestor`, an entry at the boxes of the right
// contour that is valid while it names a sibling; otherwise it is the one that made the contour last
// (`default_ancestor`). Boxes differ in width: neighbours keep half of both widths and a gap between their
// middles.
//
// The recursion of the textbook is two loops: the first over a postorder, the second over the preorder given.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bough/draw.hpp"

namespace bough {
namespace {

constexpr std::int32_t kNone = -1;

class Placer {
 public:
  Placer(std::span<const std::int32_t> parents, std::span<const double> widths, const LayoutGaps& gaps)
      : parent_(parents), width_(widths), gaps_(gaps), boxes_(parents.size()) {
    link();
  }

  Layout place() {
    for (const std::int32_t box : postorder()) {
      set_middle(box);
      if (parent_[at(box)] != kNone) apportion(box);
    }
    return absolute();
  }

 private:
  struct Box {
    std::int32_t first = kNone, last = kNone;  // children
    std::int32_t left = kNone;                 // sibling before
    std::int32_t number = 0;                   // among its siblings
    std::int32_t thread = kNone;
    std::int32_t ancestor = kNone;
    std::int32_t default_ancestor = kNone;  // for the children of this box
    double prelim = 0.0, mod = 0.0, shift = 0.0, change = 0.0;
  };

  // A walk along a contour: the box reached and the sum of `mod` on the way.
  struct Walk {
    std::int32_t box = kNone;
    double sum = 0.0;
  };

  static std::size_t at(std::int32_t box) { return static_cast<std::size_t>(box); }
  Box& of(std::int32_t box) { return boxes_[at(box)]; }
  [[nodiscard]] const Box& of(std::int32_t box) const { return boxes_[at(box)]; }

  void link() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const auto box = static_cast<std::int32_t>(i);
      const std::int32_t parent = parent_[i];
      const bool is_root = i == 0;
      if (is_root ? parent != kNone : parent < 0 || parent >= box)
        throw Error(ErrorCode::bad_params,
                    fmt::format("box {} has parent {}: this is no preorder", i, parent),
                    "the first box is the root, parents come before their children");
      if (!(width_[i] >= 0.0) || !std::isfinite(width_[i]))
        throw Error(ErrorCode::bad_params, fmt::format("box {} has width {}", i, width_[i]));
      boxes_[i].ancestor = box;
      if (is_root) continue;
      Box& above = of(parent);
      if (above.first == kNone) {
        above.first = box;
        above.default_ancestor = box;
      } else {
        boxes_[i].left = above.last;
        boxes_[i].number = of(above.last).number + 1;
      }
      above.last = box;
    }
  }

  // Boxes whose branch is complete are on top of the stack of open ones when the next branch begins.
  [[nodiscard]] std::vector<std::int32_t> postorder() const {
    std::vector<std::int32_t> order, open;
    order.reserve(boxes_.size());
    for (std::size_t i = 0; i <= boxes_.size(); ++i) {
      const std::int32_t parent = i < boxes_.size() ? parent_[i] : kNone;
      while (!open.empty() && open.back() != parent) {
        order.push_back(open.back());
        open.pop_back();
      }
      open.push_back(static_cast<std::int32_t>(i));
    }
    return order;
  }

  // The distance that the middles of two neighbours keep.
  [[nodiscard]] double distance(std::int32_t left, std::int32_t right) const {
    const double gap = parent_[at(left)] == parent_[at(right)] ? gaps_.siblings : gaps_.cousins;
    return (width_[at(left)] + width_[at(right)]) / 2.0 + gap;
  }

  void set_middle(std::int32_t box) {
    Box& me = of(box);
    double middle = 0.0;
    if (me.first != kNone) {
      add_shifts(box);
      middle = (of(me.first).prelim + of(me.last).prelim) / 2.0;
    }
    if (me.left == kNone) {
      me.prelim = middle;
    } else {
      me.prelim = of(me.left).prelim + distance(me.left, box);
      if (me.first != kNone) me.mod = me.prelim - middle;
    }
  }

  void add_shifts(std::int32_t box) {
    double shift = 0.0, change = 0.0;
    for (std::int32_t child = of(box).last; child != kNone; child = of(child).left) {
      Box& it = of(child);
      it.prelim += shift;
      it.mod += shift;
      change += it.change;
      shift += it.shift + change;
    }
  }

  [[nodiscard]] Walk down_left(Walk walk) const {
    const Box& box = of(walk.box);
    return step({box.first == kNone ? box.thread : box.first, walk.sum});
  }
  [[nodiscard]] Walk down_right(Walk walk) const {
    const Box& box = of(walk.box);
    return step({box.last == kNone ? box.thread : box.last, walk.sum});
  }
  [[nodiscard]] Walk step(Walk walk) const {
    if (walk.box != kNone) walk.sum += of(walk.box).mod;
    return walk;
  }

  // Moves the subtree of `box` right of everything that its earlier siblings have on the same levels. The
  // inner walks go down where both face each other, the outer ones are where threads begin.
  void apportion(std::int32_t box) {
    const std::int32_t left = of(box).left;
    if (left == kNone) return;
    const std::int32_t parent = parent_[at(box)];
    Walk right_in = step({box, 0.0}), right_out = right_in;
    Walk left_in = step({left, 0.0}), left_out = step({of(parent).first, 0.0});
    for (;;) {
      const Walk next_left = down_right(left_in), next_right = down_left(right_in);
      if (next_left.box == kNone || next_right.box == kNone) {
        hang_threads({left_in, left_out}, {right_in, right_out}, next_left, next_right, parent, box);
        return;
      }
      // Sums count the mods down to the box itself; prelim of a box lies in its parent's frame.
      const double left_frame = left_in.sum, right_frame = right_in.sum;
      left_in = next_left;
      right_in = next_right;
      left_out = down_left(left_out);
      right_out = down_right(right_out);
      of(right_out.box).ancestor = box;
      const double push = (of(left_in.box).prelim + left_frame) + distance(left_in.box, right_in.box) -
                          (of(right_in.box).prelim + right_frame);
      if (push > 0.0) {
        move(runs_into(left_in.box, parent), box, push);
        right_in.sum += push;
        right_out.sum += push;
      }
    }
  }

  struct Sides {
    Walk in, out;
  };

  void hang_threads(const Sides& left, const Sides& right, const Walk& next_left, const Walk& next_right,
                    std::int32_t parent, std::int32_t box) {
    if (next_left.box != kNone && down_right(right.out).box == kNone) {
      of(right.out.box).thread = next_left.box;
      of(right.out.box).mod += left.in.sum - right.out.sum;
    }
    if (next_right.box != kNone && down_left(left.out).box == kNone) {
      of(left.out.box).thread = next_right.box;
      of(left.out.box).mod += right.in.sum - left.out.sum;
      of(parent).default_ancestor = box;
    }
  }

  [[nodiscard]] std::int32_t runs_into(std::int32_t box, std::int32_t parent) const {
    const std::int32_t ancestor = of(box).ancestor;
    return parent_[at(ancestor)] == parent ? ancestor : of(parent).default_ancestor;
  }

  void move(std::int32_t from, std::int32_t box, double by) {
    const double part = by / (of(box).number - of(from).number);
    of(box).change -= part;
    of(box).shift += by;
    of(from).change += part;
    of(box).prelim += by;
    of(box).mod += by;
  }

  [[nodiscard]] Layout absolute() const {
    Layout layout;
    layout.x.resize(boxes_.size());
    layout.depth.resize(boxes_.size());
    std::vector<double> sum(boxes_.size());  // of mod, down to the box itself
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const std::int32_t parent = parent_[i];
      const double frame = parent == kNone ? 0.0 : sum[at(parent)];
      layout.x[i] = boxes_[i].prelim + frame;
      sum[i] = boxes_[i].mod + frame;
      layout.depth[i] = parent == kNone ? 0 : layout.depth[at(parent)] + 1;
      layout.n_levels = std::max(layout.n_levels, layout.depth[i] + 1);
      low = std::min(low, layout.x[i] - width_[i] / 2.0);
      high = std::max(high, layout.x[i] + width_[i] / 2.0);
    }
    for (double& x : layout.x) x -= low;
    layout.width = high - low;
    return layout;
  }

  std::span<const std::int32_t> parent_;
  std::span<const double> width_;
  LayoutGaps gaps_;
  std::vector<Box> boxes_;
};

}  // namespace

Layout lay_out(std::span<const std::int32_t> parents, std::span<const double> widths,
               const LayoutGaps& gaps) {
  if (parents.size() != widths.size())
    throw Error(ErrorCode::bad_params, fmt::format("{} boxes have {} widths", parents.size(), widths.size()));
  if (parents.empty()) return {};
  return Placer(parents, widths, gaps).place();
}

}  // namespace bough
