// SPDX-License-Identifier: Apache-2.0
// Rows down a tree once, their errors up again.
//
// The error of a row at a node is a double; times the weight it is rounded once to a multiple of a common
// unit, and the multiples are added as 128-bit integers. So a node that answers like its children has exactly
// their error, and ties are ties.
#include "prune/node_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.hpp"
#include "predict/answer.hpp"
#include "predict/predict.hpp"

namespace bough {
namespace {

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

constexpr double kLeastShare = std::numeric_limits<double>::epsilon();  // as the score log_loss has it

// Error of a row at a node that answers with given values.
class Judge {
 public:
  Judge(const Tree& tree, const JudgeRows& rows, const NodeValues& values, const Loss& loss)
      : tree_(tree), rows_(rows), values_(values), loss_(loss), width_(tree.value_width()) {
    if (loss.kind == Loss::Kind::class_error) find_answers();
    if (loss.kind == Loss::Kind::brier || loss.kind == Loss::Kind::log) {
      for (NodeId node = 0; node < tree.n_nodes(); ++node)
        normalise_outputs(tree, std::span(values_).subspan(at(node) * width_, width_));
    }
    if (loss.kind == Loss::Kind::log)
      for (double& value : values_) value = -log_exact(std::clamp(value, kLeastShare, 1.0 - kLeastShare));
  }

  [[nodiscard]] double error(NodeId node, RowId row) const {
    switch (loss_.kind) {
      case Loss::Kind::class_error:
        return class_error(node, row);
      case Loss::Kind::brier:
        return brier(node, row);
      case Loss::Kind::log:
        return log_loss(node, row);
      default:
        return number_error(node, row);
    }
  }

 private:
  void find_answers() {
    const std::size_t n_outputs = tree_.n_outputs();
    answers_.resize(at(tree_.n_nodes()) * n_outputs);
    for (std::size_t node = 0; node < at(tree_.n_nodes()); ++node) {
      std::size_t start = node * width_;
      for (std::size_t o = 0; o < n_outputs; ++o) {
        const std::size_t width = tree_.output_widths()[o];
        answers_[node * n_outputs + o] =
            static_cast<std::uint32_t>(largest(std::span<const double>(values_).subspan(start, width)));
        start += width;
      }
    }
  }

  [[nodiscard]] double class_error(NodeId node, RowId row) const {
    const std::size_t n_outputs = tree_.n_outputs();
    double wrong = 0.0;
    for (std::size_t o = 0; o < n_outputs; ++o)
      wrong += answers_[at(node) * n_outputs + o] != rows_.classes[o][row] ? 1.0 : 0.0;
    return wrong;
  }

  [[nodiscard]] double brier(NodeId node, RowId row) const {
    double sum = 0.0;
    std::size_t start = at(node) * width_;
    for (std::size_t o = 0; o < tree_.n_outputs(); ++o) {
      for (std::size_t c = 0; c < tree_.output_widths()[o]; ++c) {
        const double gap = values_[start + c] - (rows_.classes[o][row] == c ? 1.0 : 0.0);
        sum += gap * gap;
      }
      start += tree_.output_widths()[o];
    }
    return sum;
  }

  [[nodiscard]] double log_loss(NodeId node, RowId row) const {
    double sum = 0.0;
    std::size_t start = at(node) * width_;
    for (std::size_t o = 0; o < tree_.n_outputs(); ++o) {
      sum += values_[start + rows_.classes[o][row]];
      start += tree_.output_widths()[o];
    }
    return sum;
  }

  [[nodiscard]] double number_error(NodeId node, RowId row) const {
    double sum = 0.0;
    for (std::size_t o = 0; o < tree_.n_outputs(); ++o) {
      const double gap = rows_.numbers[o][row] - values_[at(node) * width_ + o];
      if (loss_.kind == Loss::Kind::squared)
        sum += gap * gap;
      else if (loss_.kind == Loss::Kind::absolute)
        sum += std::fabs(gap);
      else
        sum += gap >= 0.0 ? loss_.quantile * gap : (loss_.quantile - 1.0) * gap;
    }
    return sum;
  }

  const Tree& tree_;
  const JudgeRows& rows_;
  NodeValues values_;  // log: the loss of every class
  Loss loss_;
  std::size_t width_;
  std::vector<std::uint32_t> answers_;  // per node and output: the class
};

int128 to_units(double value, int exponent) {
  return static_cast<int128>(std::rint(std::ldexp(value, exponent)));
}

// An exponent at which numbers up to `largest` have at most 62 bits.
int units_of(double largest) {
  return largest > 0.0 && std::isfinite(largest) ? 61 - std::ilogb(largest) : 0;
}

}  // namespace

std::vector<RowEnd> row_ends(const Tree& tree, const JudgeRows& rows) {
  std::vector<std::vector<RowEnd>> blocks((static_cast<std::size_t>(rows.reader->n_rows()) + 15) / 16);
  for_blocks(*rows.reader, [&](const CellBlock& block) {
    std::vector<RowEnd>& ends = blocks[static_cast<std::size_t>(block.begin) / 16];
    for (std::size_t i = 0; i < block.count; ++i) {
      const auto row = static_cast<RowId>(static_cast<std::size_t>(block.begin) + i);
      const double weight = rows.weight(row);
      if (weight <= 0.0) continue;
      const Ending whole = walk_whole(tree, block.row(i));
      if (!whole.is_split) {
        ends.push_back({row, whole.node, weight});
        continue;
      }
      walk_parts(tree, block.row(i), [&](NodeId node, double share, bool stops) {
        if (stops) ends.push_back({row, node, weight * share});
      });
    }
  });
  std::vector<RowEnd> all;
  for (const std::vector<RowEnd>& ends : blocks) all.insert(all.end(), ends.begin(), ends.end());
  return all;
}

NodeValues stored_values(const Tree& tree) {
  const std::size_t width = tree.value_width();
  NodeValues values(at(tree.n_nodes()) * width);
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    tree.values(node, std::span(values).subspan(at(node) * width, width));
  return values;
}

ErrorScale error_scale(double largest_error, double heaviest) {
  const auto exponent = [](double value) {
    return value > 0.0 && std::isfinite(value) ? std::ilogb(value) + 1 : 0;
  };
  return {62 - exponent(largest_error), exponent(heaviest)};
}

double largest_error(const Loss& loss, std::size_t n_outputs, double gap) {
  const auto n = static_cast<double>(n_outputs);
  if (loss.kind == Loss::Kind::class_error || loss.kind == Loss::Kind::brier) return 2.0 * n;
  if (loss.kind == Loss::Kind::log) return -log_exact(kLeastShare) * n;
  return n * (loss.kind == Loss::Kind::squared ? gap * gap : gap);
}

double largest_gap(double low, double high, double usual) {
  const double range = 2.0 * (high - low);
  return range > 0.0 && range < usual / 256.0 ? range : usual;
}

NodeErrors node_errors(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends,
                       const NodeValues& values, const Loss& loss, const ErrorScale& scale) {
  const Judge judge(tree, rows, values, loss);
  const Judge stored(tree, rows, stored_values(tree), loss);
  NodeErrors errors;
  for (auto* sums : {&errors.leaf, &errors.stopped, &errors.leaf_squares, &errors.stopped_squares})
    sums->assign(at(tree.n_nodes()), 0);
  const std::vector<NodeId> parents = tree.parents();
  for (const RowEnd& end : ends) {
    const double weight = std::ldexp(end.weight, -scale.lift);
    const auto add = [&](double error, int128& sum, int128& squares) {
      sum += to_units(error * weight, scale.exponent);
      const double scaled = std::ldexp(error, scale.exponent - 31);
      squares += to_units(scaled * scaled * weight, 0);
    };
    if (!tree.is_leaf(end.node))
      add(stored.error(end.node, end.row), errors.stopped[at(end.node)],
          errors.stopped_squares[at(end.node)]);
    for (NodeId node = end.node; node >= 0; node = parents[at(node)])
      add(judge.error(node, end.row), errors.leaf[at(node)], errors.leaf_squares[at(node)]);
  }
  return errors;
}

RowSums row_sums(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends) {
  const std::size_t width = tree.value_width();
  const bool classes = tree.task() == Task::classification;
  double heaviest = 0.0, largest = 0.0;
  for (const RowEnd& end : ends) {
    heaviest = std::max(heaviest, end.weight);
    for (const auto& numbers : rows.numbers)
      largest = std::max(largest, std::fabs(end.weight * numbers[end.row]));
  }
  const int weight_units = units_of(heaviest), value_units = classes ? weight_units : units_of(largest);
  std::vector<int128> values(at(tree.n_nodes()) * width, 0), weights(at(tree.n_nodes()), 0);
  for (const RowEnd& end : ends) {
    weights[at(end.node)] += to_units(end.weight, weight_units);
    std::size_t start = at(end.node) * width;
    for (std::size_t o = 0; o < tree.n_outputs(); ++o) {
      if (classes)
        values[start + rows.classes[o][end.row]] += to_units(end.weight, weight_units);
      else
        values[start] += to_units(end.weight * rows.numbers[o][end.row], value_units);
      start += tree.output_widths()[o];
    }
  }
  const std::vector<NodeId> parents = tree.parents();
  for (NodeId node = tree.n_nodes(); node-- > 1;) {
    const std::size_t up = at(parents[at(node)]);
    weights[up] += weights[at(node)];
    for (std::size_t i = 0; i < width; ++i) values[up * width + i] += values[at(node) * width + i];
  }
  RowSums sums;
  for (const int128 sum : values) sums.values.push_back(std::ldexp(static_cast<double>(sum), -value_units));
  for (const int128 sum : weights)
    sums.weights.push_back(std::ldexp(static_cast<double>(sum), -weight_units));
  return sums;
}

}  // namespace bough
