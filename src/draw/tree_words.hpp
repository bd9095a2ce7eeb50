// SPDX-License-Identifier: Apache-2.0
// What is written into the boxes and at the edges of a drawn tree.
#pragma once

#include <string>
#include <vector>

#include "bough/draw.hpp"
#include "explain/condition.hpp"
#include "explain/outcome.hpp"

namespace bough {

/// What stands at an edge.
struct EdgeWords {
  std::string yes_no;    ///< "yes", "no", or the condition on its subject where there are more than two ways
  bool missing = false;  ///< missing cells go this way
};

/// One line of a box.
struct BoxLine {
  std::string text{};
  bool bold = false;
};

/// Everything a box says.
struct BoxWords {
  std::vector<BoxLine> lines;
  std::string tooltip;
  std::vector<Outcome> outcomes;  ///< empty for the rest of many children
};

class TreeWriter {
 public:
  TreeWriter(const Model& model, const Tree& tree, const TreePictureOptions& options);

  [[nodiscard]] BoxWords box(const ViewBox& box) const;
  /// What stands at the edge to child number `child` of an inner node.
  [[nodiscard]] EdgeWords edge(NodeId node, std::int32_t child) const;
  [[nodiscard]] bool shows_missing() const noexcept { return missing_; }

 private:
  [[nodiscard]] std::string question(NodeId node, std::size_t most_names) const;
  [[nodiscard]] std::string missing_words(NodeId node) const;
  [[nodiscard]] std::vector<BoxLine> rows_and_impurity(NodeId node) const;
  [[nodiscard]] static BoxLine folded_line(const ViewBox& box);
  [[nodiscard]] BoxWords rest(const ViewBox& box) const;
  [[nodiscard]] std::string tooltip(const ViewBox& box, std::span<const Outcome> all) const;
  [[nodiscard]] bool met_missing_cells() const;

  const Model& model_;
  const Tree& tree_;
  const TreePictureOptions& options_;
  CutDigits digits_;
  bool missing_ = false;
};

}  // namespace bough
