// SPDX-License-Identifier: Apache-2.0
// Groups of three levels: made here, walked by group_kernels.cpp.
#include "predict/groups.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace bough {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;

// The group below a place, its exits left open, and the place behind each of them (kNowhere: no row leaves there).
struct Opened {
  TreeGroup group{};
  std::array<std::uint32_t, TreeGroup::kExits> behind;
};

Opened open_group(const SmallNodes& tree, std::uint32_t root) {
  Opened out;
  std::array<std::uint32_t, TreeGroup::kTests + TreeGroup::kExits> places;
  places.fill(kNowhere);
  places[0] = root;
  for (std::size_t i = 0; i < TreeGroup::kTests; ++i) {
    out.group.thresholds[i] = std::numeric_limits<float>::infinity();  // all rows go left
    const std::uint32_t place = places[i];
    if (place == kNowhere) continue;
    places[2 * i + 1] = tree.children(place);  // of an end: itself
    if (tree.is_end(place)) continue;
    places[2 * i + 2] = tree.children(place) + 1;
    out.group.thresholds[i] = tree.nodes[place].threshold;
    out.group.columns[i] = static_cast<std::uint8_t>(tree.column(place));
    out.group.missing |= static_cast<std::uint8_t>(tree.missing_right(place) ? 1U << i : 0U);
  }
  std::copy(places.begin() + TreeGroup::kTests, places.end(), out.behind.begin());
  return out;
}

void put_exit(TreeGroup& group, std::size_t exit, std::uint32_t to) {
  for (std::size_t byte = 0; byte < TreeGroup::kExitBytes; ++byte)
    group.exits[exit * TreeGroup::kExitBytes + byte] = static_cast<std::uint8_t>(to >> (8 * byte));
}

}  // namespace

GroupedTree::GroupedTree(const SmallNodes& tree, std::int32_t depth, std::size_t n_columns)
    : n_columns_(n_columns) {
  if constexpr (std::endian::native != std::endian::little) return;  // kernels read exits as words
  if (depth < 1 || n_columns > kMostColumns) return;
  if (depth <= kCompleteDepth) {
    steps_ = (depth + kLevels - 1) / kLevels;
    make_complete(tree);
  } else {
    make_linked(tree);
  }
}

// Group g is followed by groups 8 g + 1 to 8 g + 8; what follows the last ones are the ends.
void GroupedTree::make_complete(const SmallNodes& tree) {
  std::size_t n_groups = 0, width = 1;
  for (std::int32_t step = 0; step < steps_; ++step, width *= TreeGroup::kExits) n_groups += width;
  std::vector<std::uint32_t> places(n_groups + width, kNowhere);
  places[0] = 0;
  groups_.reserve(n_groups);
  for (std::size_t g = 0; g < n_groups; ++g) {
    const Opened opened = open_group(tree, places[g]);
    groups_.push_back(opened.group);
    std::ranges::copy(opened.behind, places.begin() + static_cast<std::ptrdiff_t>(TreeGroup::kExits * g + 1));
  }
  ends_.reserve(width);
  for (std::size_t i = n_groups; i < places.size(); ++i)
    ends_.push_back(places[i] == kNowhere ? 0 : tree.nodes[places[i]].end());
}

void GroupedTree::make_linked(const SmallNodes& tree) {
  struct Open {
    std::uint32_t group, place;
  };
  std::vector<Open> open{{0, 0}};
  groups_.reserve(tree.nodes.size() / 4);
  groups_.resize(1);
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    Opened opened = open_group(tree, next.place);
    const std::size_t before = open.size();
    for (std::size_t exit = 0; exit < TreeGroup::kExits; ++exit) {
      if (opened.behind[exit] == kNowhere) continue;
      const std::uint32_t place = opened.behind[exit];
      const bool ends = tree.is_end(place);
      const std::uint32_t to = ends ? tree.nodes[place].end() : static_cast<std::uint32_t>(groups_.size());
      if (to >= TreeGroup::kIsEnd) {
        groups_.clear();
        return;
      }
      put_exit(opened.group, exit, ends ? to | TreeGroup::kIsEnd : to);
      if (ends) continue;
      groups_.emplace_back();
      open.push_back({to, place});
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
    groups_[next.group] = opened.group;
  }
}

#if defined(BOUGH_SERIAL)  // the library that only predicts has no vector kernels
bool GroupedTree::is_ready() const noexcept {
  return false;
}
void GroupedTree::find(const GroupRows&, std::span<std::uint32_t>) const {}
#endif

}  // namespace bough
