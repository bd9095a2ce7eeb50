// SPDX-License-Identifier: Apache-2.0
// The rows that reach the nodes of a drawn tree.
#include "draw/picture_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/cells.hpp"
#include "explain/words.hpp"
#include "predict/walk.hpp"

namespace bough {
namespace {

constexpr std::int64_t kMostBarRows = 20'000;
constexpr std::size_t kBars = 24, kMostLevelBars = 16;

bool tests_numbers(NodeKind kind) {
  return kind == NodeKind::numeric || kind == NodeKind::interval || kind == NodeKind::oblique;
}

// Where every row of the table has its truth, or the model's answer.
std::vector<double> read_truth(const Model& model, const Table& table) {
  const Field& field = model.targets().fields.front();
  const auto n = static_cast<std::size_t>(table.n_rows());
  const auto at = table.find(field.name);
  std::vector<double> truth(n);
  if (!at || !model.parts().treatment.fields.empty()) {
    const std::vector<double> answers = model.predict(table);
    for (std::size_t row = 0; row < n; ++row) truth[row] = answers[row * model.n_outputs()];
  } else if (model.task() == Task::classification) {
    std::vector<std::int32_t> codes(n);
    LevelReader(table.column(*at), field.levels).read(0, codes);
    for (std::size_t row = 0; row < n; ++row) truth[row] = codes[row] < 0 ? -1.0 : codes[row];
  } else {
    read_numbers(table.column(*at), 0, truth);
  }
  return truth;
}

}  // namespace

PictureRows::PictureRows(const Model& model, const Tree& tree, const Table& table,
                         std::optional<std::int64_t> row)
    : tree_(tree), rows_(static_cast<std::size_t>(tree.n_nodes())) {
  const RowReader reader(table, model.features());
  const std::int64_t all = reader.n_rows(), step = (all - 1) / kMostBarRows + 1;
  if (row && (*row < 0 || *row >= all))
    throw Error(ErrorCode::bad_params,
                fmt::format("there is no row {} in a table of {}", *row, shown_count(all, "row")),
                "rows are counted from 0");
  if (model.task() == Task::classification) n_classes_ = model.targets().fields.front().levels.size();
  const std::size_t columns = reader.n_columns();
  n_ = static_cast<std::size_t>(all == 0 ? 0 : (all - 1) / step + 1);
  cells_.resize(n_ * columns);
  const std::vector<double> truth = read_truth(model, table);
  const std::vector<NodeId> parents = tree.parents();
  std::vector<double> one(columns);
  const auto at = [&](ColId column) { return one[static_cast<std::size_t>(column)]; };
  for (std::size_t i = 0; i < n_; ++i) {
    const std::int64_t number = static_cast<std::int64_t>(i) * step;
    reader.load(number, 1, one);
    for (std::size_t c = 0; c < columns; ++c) cells_[c * n_ + i] = one[c];
    truth_.push_back(truth[static_cast<std::size_t>(number)]);
    for (NodeId node = find_leaf(tree, at); node >= 0; node = parents[static_cast<std::size_t>(node)])
      rows_[static_cast<std::size_t>(node)].push_back(static_cast<std::uint32_t>(i));
  }
  if (!row) return;
  reader.load(*row, 1, one);
  marked_ = one;
  path_.resize(rows_.size(), false);
  for (NodeId node = find_leaf(tree, at); node >= 0; node = parents[static_cast<std::size_t>(node)])
    path_[static_cast<std::size_t>(node)] = true;
}

bool PictureRows::on_path(NodeId node) const {
  return !path_.empty() && path_[static_cast<std::size_t>(node)];
}

double PictureRows::cell(NodeId node, std::size_t row) const {
  const auto at = [&](ColId column) { return cells_[static_cast<std::size_t>(column) * n_ + row]; };
  return tree_.kind(node) == NodeKind::oblique ? oblique_sum(tree_, node, at) : at(tree_.column(node));
}

double PictureRows::tested(NodeId node, const std::vector<double>& cells) const {
  const auto at = [&](ColId column) { return cells[static_cast<std::size_t>(column)]; };
  return tree_.kind(node) == NodeKind::oblique ? oblique_sum(tree_, node, at) : at(tree_.column(node));
}

void PictureRows::put(RowBar& bar, std::size_t row) const {
  bar.parts.resize(n_classes_);
  bar.count += 1.0;
  if (n_classes_ == 0)
    bar.sum += truth_[row];
  else if (truth_[row] >= 0.0)
    bar.parts[static_cast<std::size_t>(truth_[row])] += 1.0;
}

std::optional<NodeBars> PictureRows::bars(NodeId node) const {
  if (tree_.is_leaf(node) || rows_[static_cast<std::size_t>(node)].empty()) return std::nullopt;
  NodeBars out = tests_numbers(tree_.kind(node)) ? number_bars(node) : level_bars(node);
  for (const RowBar& bar : out.bars) out.top = std::max(out.top, bar.count);
  if (out.top == 0.0) return std::nullopt;
  return out;
}

NodeBars PictureRows::number_bars(NodeId node) const {
  NodeBars out;
  std::vector<double> known, cuts;
  for (const std::uint32_t row : rows_[static_cast<std::size_t>(node)])
    if (const double x = cell(node, row); std::isfinite(x)) known.push_back(x);
  const auto own = tree_.cuts(node);
  if (own.empty())
    cuts = {tree_.threshold(node)};
  else
    cuts.assign(own.begin(), own.end());
  std::erase_if(cuts, [](double cut) { return !std::isfinite(cut); });
  std::vector<double> ends = cuts;
  std::ranges::sort(known);
  // A few far values must not squeeze the rest into one bar: the ends hold what lies beyond.
  if (!known.empty()) {
    const auto at = [&](double share) {
      return known[static_cast<std::size_t>(share * static_cast<double>(known.size() - 1))];
    };
    const double wide = at(0.98) - at(0.02);
    ends.push_back(known.size() > 50 ? std::max(known.front(), at(0.02) - wide / 3.0) : known.front());
    ends.push_back(known.size() > 50 ? std::min(known.back(), at(0.98) + wide / 3.0) : known.back());
  }
  if (ends.empty()) return out;
  double low = std::ranges::min(ends), high = std::ranges::max(ends);
  if (!(high > low)) {
    low -= 0.5;
    high = low + 1.0;
  }
  const auto place = [&](double x) {
    return std::clamp((x / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0), 0.0, 1.0);
  };
  out.bars.resize(kBars);
  for (const std::uint32_t row : rows_[static_cast<std::size_t>(node)])
    if (const double x = cell(node, row); !std::isnan(x))
      put(out.bars[std::min(kBars - 1, static_cast<std::size_t>(place(x) * kBars))], row);
  for (const double cut : cuts) out.cuts.push_back(place(cut));
  if (on_path(node))
    if (const double x = tested(node, marked_); !std::isnan(x)) out.row = place(x);
  return out;
}

NodeBars PictureRows::level_bars(NodeId node) const {
  std::map<std::uint32_t, RowBar> levels;
  const auto child_of = [&](double level) {
    const auto at = [&](ColId) { return level; };
    return route(tree_, node, at);
  };
  for (const std::uint32_t row : rows_[static_cast<std::size_t>(node)]) {
    const double level = cell(node, row);
    if (std::isnan(level) || level < 0.0) continue;
    RowBar& bar = levels[static_cast<std::uint32_t>(level)];
    if (bar.count == 0.0) {
      bar.level = static_cast<std::uint32_t>(level);
      bar.child = child_of(level);
    }
    put(bar, row);
  }
  NodeBars out;
  for (auto& [level, bar] : levels) out.bars.push_back(std::move(bar));
  const bool ordered = tree_.kind(node) == NodeKind::ordinal;
  std::ranges::stable_sort(out.bars, [&](const RowBar& a, const RowBar& b) {
    return a.child != b.child ? a.child < b.child : !ordered && a.count > b.count;
  });
  if (out.bars.size() > kMostLevelBars) out.bars.resize(kMostLevelBars);
  const double n = static_cast<double>(out.bars.size());
  for (std::size_t i = 1; i < out.bars.size(); ++i)
    if (out.bars[i].child != out.bars[i - 1].child) out.cuts.push_back(static_cast<double>(i) / n);
  if (on_path(node)) {
    const double level = tested(node, marked_);
    for (std::size_t i = 0; i < out.bars.size(); ++i)
      if (level == static_cast<double>(out.bars[i].level)) out.row = (static_cast<double>(i) + 0.5) / n;
  }
  return out;
}

}  // namespace bough
