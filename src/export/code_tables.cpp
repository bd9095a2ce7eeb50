// SPDX-License-Identifier: Apache-2.0
// Models laid out as flat arrays.
#include "export/code_tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "model/combine.hpp"

namespace bough {
namespace {

// Runs of numbers kept once: put() gives where an equal run begins.
template <class T>
class Pool {
 public:
  explicit Pool(std::vector<T>& slab) : slab_(slab) {}

  std::uint32_t put(const std::vector<T>& run) {
    std::string key(reinterpret_cast<const char*>(run.data()), run.size() * sizeof(T));
    const auto [found, is_new] = known_.emplace(std::move(key), static_cast<std::uint32_t>(slab_.size()));
    if (is_new) slab_.insert(slab_.end(), run.begin(), run.end());
    return found->second;
  }

 private:
  std::vector<T>& slab_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

class Layout {
 public:
  Layout(const Model& model, CodeCells cells) : model_(model), cells_(cells) {
    out_.width = model.tree().value_width();
    out_.n_levels = model.n_levels();
  }

  CodeTables run() {
    look_around();
    for (const Tree& tree : model_.trees()) add_tree(tree);
    if (out_.has_surrogates())
      out_.surrogates_at.push_back(static_cast<std::uint32_t>(out_.surrogates.size()));
    return std::move(out_);
  }

 private:
  // Which of the rare arrays are needed at all.
  void look_around() {
    for (const Tree& tree : model_.trees()) {
      for (NodeId node = 0; node < tree.n_nodes(); ++node) {
        if (tree.is_leaf(node)) continue;
        const std::int32_t to = tree.missing_to(node);
        shares_ |= to == missing_by_share;
        stops_ |= to == missing_stops || to == missing_surrogate_or_stops;
        surrogates_ |= asks_surrogates(tree, node);
      }
    }
  }

  static bool asks_surrogates(const Tree& tree, NodeId node) {
    const std::int32_t to = tree.missing_to(node);
    return (to == missing_surrogate || to == missing_surrogate_or_stops) && has_surrogates(tree, node);
  }

  void add_tree(const Tree& tree) {
    root_ = static_cast<std::uint32_t>(out_.n_nodes());
    out_.roots.push_back(root_);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) add_node(tree, node);
    if (shares_) measure_stack(tree);
  }

  void add_node(const Tree& tree, NodeId node) {
    const bool leaf = tree.is_leaf(node);
    const std::int32_t missing = leaf ? 0 : route_missing(tree, node);
    out_.missing.push_back(missing == missing_by_share ? CodeTables::kShares
                           : missing == missing_stops  ? CodeTables::kStops
                                                       : static_cast<std::uint32_t>(missing));
    if (stops_) out_.stop_at.push_back(missing == missing_stops ? value_row(tree, node) : 0);
    if (shares_) out_.shares_at.push_back(missing == missing_by_share ? put_shares(tree, node) : 0);
    if (surrogates_) {
      out_.surrogates_at.push_back(static_cast<std::uint32_t>(out_.surrogates.size()));
      if (!leaf && asks_surrogates(tree, node)) add_surrogates(tree, node);
    }
    if (leaf) {
      push(CodeTest::leaf, 0, 0, value_row(tree, node));
    } else {
      add_test(tree, node);
    }
  }

  void push(CodeTest test, std::uint32_t column, std::uint32_t next, std::uint32_t at) {
    out_.test.push_back(static_cast<std::uint32_t>(test));
    out_.column.push_back(column);
    out_.next.push_back(next);
    out_.at.push_back(at);
  }

  void add_test(const Tree& tree, NodeId node) {
    const auto column = static_cast<std::uint32_t>(std::max(tree.column(node), ColId{0}));
    const std::uint32_t second = root_ + static_cast<std::uint32_t>(tree.children(node)[1]);
    const double threshold = tree.threshold(node);
    switch (tree.kind(node)) {
      case NodeKind::numeric:
        return add_number(column, second, threshold);
      case NodeKind::ordinal:
        return push(CodeTest::order, column, second, numbers_.put({threshold}));
      case NodeKind::equality:
        return push(CodeTest::equal, column, second, numbers_.put({threshold}));
      case NodeKind::subset:
      case NodeKind::multiway:
        return add_levels(tree, node, column, second);
      case NodeKind::interval: {
        const auto cuts = tree.cuts(node);
        return push(CodeTest::cuts, column, put_kids(tree, node), cuts_.put({cuts.begin(), cuts.end()}));
      }
      case NodeKind::oblique:
        return push(CodeTest::sum, 0, second, put_terms(tree, node));
      case NodeKind::leaf:
        break;
    }
  }

  // Infinite thresholds have tests of their own: there is no constant for them without a header.
  void add_number(std::uint32_t column, std::uint32_t second, double threshold) {
    if (cells_ == CodeCells::floats && std::isfinite(threshold)) threshold = float_below(threshold);
    if (std::isinf(threshold))
      return push(threshold > 0.0 ? CodeTest::known : CodeTest::lowest, column, second, 0);
    push(CodeTest::number, column, second, numbers_.put({threshold}));
  }

  void add_levels(const Tree& tree, NodeId node, std::uint32_t column, std::uint32_t second) {
    const std::uint32_t other =
        tree.unseen_to(node) < 0 ? CodeTables::kMissing : static_cast<std::uint32_t>(tree.unseen_to(node));
    const std::uint32_t n = out_.n_levels[column];
    const auto levels = tree.map_levels(node);
    const auto children = tree.map_children(node);
    const bool complete = other != CodeTables::kMissing || levels.size() == n;
    if (tree.children(node).size() > 2 || !complete)
      return push(CodeTest::map, column, put_kids(tree, node), put_map(n, other, levels, children));
    std::vector<std::uint32_t> bits(1 + (n + 7) / 8, 0);
    bits.front() = other == CodeTables::kMissing ? 0xff : other;
    const auto set = [&](std::uint32_t level) { bits[1 + level / 8] |= 1U << (level % 8); };
    for (std::uint32_t level = 0; level < n && other == 1; ++level) set(level);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (children[i] == 1) set(levels[i]);
      if (children[i] == 0) bits[1 + levels[i] / 8] &= ~(1U << (levels[i] % 8));
    }
    push(CodeTest::set, column, second, bits_.put(bits));
  }

  std::uint32_t put_map(std::uint32_t n, std::uint32_t other, std::span<const std::uint32_t> levels,
                        std::span<const std::uint16_t> children) {
    std::vector<std::uint32_t> map(1 + n, other);
    for (std::size_t i = 0; i < levels.size(); ++i) map[1 + levels[i]] = children[i];
    return map_.put(map);
  }

  std::uint32_t put_kids(const Tree& tree, NodeId node) {
    const auto at = static_cast<std::uint32_t>(out_.kids.size());
    const auto children = tree.children(node);
    // A list never begins at 0: that marks leaves.
    if (at == 0) {
      out_.kids.push_back(0);
      return put_kids(tree, node);
    }
    out_.kids.push_back(static_cast<std::uint32_t>(children.size()));
    for (const NodeId child : children) out_.kids.push_back(root_ + static_cast<std::uint32_t>(child));
    return at;
  }

  std::uint32_t put_terms(const Tree& tree, NodeId node) {
    const auto at = static_cast<std::uint32_t>(out_.term_columns.size());
    const auto terms = tree.terms(node);
    out_.term_columns.push_back(static_cast<std::uint32_t>(terms.size()));
    out_.term_weights.push_back(tree.threshold(node));
    for (const ObliqueTerm& term : terms) {
      out_.term_columns.push_back(static_cast<std::uint32_t>(term.column));
      out_.term_weights.push_back(term.weight);
    }
    return at;
  }

  std::uint32_t put_shares(const Tree& tree, NodeId node) {
    const auto shares = tree.child_shares(node);
    return shares_pool_.put({shares.begin(), shares.end()});
  }

  void add_surrogates(const Tree& tree, NodeId node) {
    for (const Alternative& test : tree.alternatives(node)) {
      if (test.role != AlternativeRole::surrogate) continue;
      CodeSurrogate one;
      one.column = static_cast<std::uint32_t>(test.column);
      one.turned = test.turned;
      if (test.kind == NodeKind::subset) {
        one.test = CodeTest::map;
        one.at = put_map(out_.n_levels[one.column], CodeTables::kMissing, test.map_levels, test.map_children);
      } else {
        double threshold = test.threshold;
        one.test = test.kind == NodeKind::numeric   ? CodeTest::number
                   : test.kind == NodeKind::ordinal ? CodeTest::order
                                                    : CodeTest::equal;
        if (one.test == CodeTest::number && cells_ == CodeCells::floats && std::isfinite(threshold))
          threshold = float_below(threshold);
        if (std::isinf(threshold)) {
          one.test = threshold > 0.0 ? CodeTest::known : CodeTest::lowest;
        } else {
          one.at = numbers_.put({threshold});
        }
      }
      out_.surrogates.push_back(one);
    }
  }

  // Class shares (or values) of a node, and the class it stands for by its weights: dividing weights may make
  // ties.
  std::uint32_t value_row(const Tree& tree, NodeId node) {
    const Model::Parts& parts = model_.parts();
    std::vector<double> row(out_.width);
    node_weights(tree, node, extra_weight(parts), row);
    std::vector<std::uint32_t> choices;
    if (parts.task == Task::classification) {
      std::size_t at = 0;
      for (const std::uint32_t width : tree.output_widths()) {
        const auto weights = std::span<const double>(row).subspan(at, width);
        const std::size_t choice =
            parts.combine == Combine::single ? choose_class(parts, weights) : largest(weights);
        choices.push_back(static_cast<std::uint32_t>(choice));
        at += width;
      }
      normalise_outputs(tree, row);
    }
    std::string key(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
    key.append(reinterpret_cast<const char*>(choices.data()), choices.size() * sizeof(std::uint32_t));
    const auto [found, is_new] = rows_.emplace(std::move(key), static_cast<std::uint32_t>(out_.n_rows));
    if (is_new) {
      ++out_.n_rows;
      out_.values.insert(out_.values.end(), row.begin(), row.end());
      out_.choices.insert(out_.choices.end(), choices.begin(), choices.end());
    }
    return found->second;
  }

  // Parts of one row that wait while a walk in preorder is at work on another.
  void measure_stack(const Tree& tree) {
    std::vector<std::size_t> need(static_cast<std::size_t>(tree.n_nodes()), 1);
    for (NodeId node = tree.n_nodes() - 1; node >= 0; --node) {
      const auto children = tree.children(node);
      const bool splits = !children.empty() && tree.missing_to(node) == missing_by_share;
      std::size_t& most = need[static_cast<std::size_t>(node)];
      for (std::size_t i = 0; i < children.size(); ++i) {
        const std::size_t waiting = splits ? children.size() - 1 - i : 0;
        most = std::max(most, waiting + need[static_cast<std::size_t>(children[i])]);
      }
    }
    out_.stack = std::max(out_.stack, need.front());
  }

  const Model& model_;
  CodeCells cells_;
  CodeTables out_;
  std::uint32_t root_ = 0;
  bool shares_ = false, stops_ = false, surrogates_ = false;
  Pool<double> numbers_{out_.numbers}, cuts_{out_.cuts}, shares_pool_{out_.shares};
  Pool<std::uint32_t> bits_{out_.bits}, map_{out_.map};
  std::unordered_map<std::string, std::uint32_t> rows_;
};

}  // namespace

bool CodeTables::uses(CodeTest kind) const {
  return std::ranges::find(test, static_cast<std::uint32_t>(kind)) != test.end();
}

float float_below(double value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (value >= kLargest) return std::isinf(value) ? kInfinity : std::numeric_limits<float>::max();
  if (value < -kLargest) return -kInfinity;
  const auto near = static_cast<float>(value);
  return static_cast<double>(near) > value ? std::nextafter(near, -kInfinity) : near;
}

CodeTables code_tables(const Model& model, CodeCells cells) {
  return Layout(model, cells).run();
}

}  // namespace bough
