// SPDX-License-Identifier: Apache-2.0
// A slice through the columns of a model.
#include "draw/slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "explain/words.hpp"
#include "inference/tested_columns.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostPoints = 1500;

const Field& field_of(const Model& model, ColId column) {
  return model.features().fields[static_cast<std::size_t>(column)];
}

ColId find_column(const Model& model, const std::string& name) {
  if (const auto found = model.features().find(name)) return static_cast<ColId>(*found);
  std::vector<std::string> names;
  for (const Field& field : model.features().fields) names.push_back(field.name);
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::bad_params, fmt::format("the model has no column {}", shown_name(name)),
              near.empty() ? "the columns are " + list_some(names, 12)
                           : fmt::format("did you mean {}?", shown_name(near)));
}

// The columns asked for, then the most important ones that a picture can show.
std::vector<ColId> shown_columns(const Model& model, const SliceOptions& options, std::size_t n_axes) {
  std::vector<ColId> shown(n_axes, -1);
  if (!options.x.empty()) shown[0] = find_column(model, options.x);
  if (n_axes > 1 && !options.y.empty()) shown[1] = find_column(model, options.y);
  if (n_axes > 1 && shown[0] >= 0 && shown[0] == shown[1])
    throw Error(ErrorCode::bad_params, fmt::format("{} is asked for as x and as y", shown_name(options.x)));
  const std::vector<double> importances = model.importances();
  std::vector<ColId> order(importances.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](ColId a, ColId b) {
    return importances[static_cast<std::size_t>(a)] > importances[static_cast<std::size_t>(b)];
  });
  for (ColId& axis : shown) {
    if (axis >= 0) continue;
    const auto free = std::ranges::find_if(order, [&](ColId column) {
      return std::ranges::find(shown, column) == shown.end() &&
             field_of(model, column).levels.size() <= kMostLevels;
    });
    if (free == order.end())
      throw Error(ErrorCode::bad_params,
                  fmt::format("a picture over {} columns needs a model that has as many", n_axes),
                  n_axes > 1 ? "draw the fit over one column instead" : "");
    axis = *free;
  }
  return shown;
}

// Cells of one column, from the model's point of view.
std::vector<double> column_cells(const Table& data, const Field& field) {
  Schema one;
  one.fields.push_back(field);
  const RowReader reader(data, one);
  std::vector<double> cells(static_cast<std::size_t>(reader.n_rows()));
  reader.load(0, reader.n_rows(), cells);
  return cells;
}

double median_of(std::vector<double> cells) {
  std::erase_if(cells, [](double cell) { return std::isnan(cell); });
  if (cells.empty()) return kNaN;
  const auto middle = cells.begin() + (std::ssize(cells) - 1) / 2;
  std::nth_element(cells.begin(), middle, cells.end());
  return *middle;
}

double most_frequent(const std::vector<double>& cells, std::size_t n_levels) {
  std::vector<std::int64_t> counts(n_levels, 0);
  for (const double cell : cells)
    if (cell >= 0.0) ++counts[static_cast<std::size_t>(cell)];
  const auto best = std::max_element(counts.begin(), counts.end());
  return best == counts.end() || *best == 0 ? kNaN : static_cast<double>(best - counts.begin());
}

double given_cell(const Field& field, const std::string& text) {
  if (field.kind == Kind::numeric) {
    if (const auto number = parse_number(text)) return *number;
    throw Error(ErrorCode::bad_params, fmt::format("column {} holds numbers, and {} is none",
                                                   shown_name(field.name), shown_name(text)));
  }
  const auto found = std::ranges::find(field.levels.names, text);
  if (found == field.levels.names.end())
    throw Error(ErrorCode::bad_params,
                fmt::format("column {} has no level {}", shown_name(field.name), shown_name(text)),
                "the levels are " + list_some(field.levels.names, 12));
  return static_cast<double>(found - field.levels.names.begin());
}

std::string cell_words(const Field& field, double cell) {
  if (std::isnan(cell)) return "missing";
  if (field.kind == Kind::numeric) return shown_number(cell);
  return shown_name(field.levels.names[static_cast<std::size_t>(cell)]);
}

// Every row, or rows at equal distances when there are too many for a picture.
std::vector<double> thin(const std::vector<double>& cells, std::int64_t step) {
  std::vector<double> out;
  for (std::size_t i = 0; i < cells.size(); i += static_cast<std::size_t>(step)) out.push_back(cells[i]);
  return out;
}

class SliceMaker {
 public:
  SliceMaker(const Model& model, const Table* data, const SliceOptions& options)
      : model_(model), data_(data), options_(options), tested_(tested_columns(model)) {}

  Slice make(std::size_t n_axes) {
    slice_.output = find_output();
    slice_.cells.assign(model_.features().fields.size(), kNaN);
    if (data_ != nullptr) {
      slice_.n_rows = data_->n_rows();
      step_ = std::max<std::int64_t>((slice_.n_rows + kMostPoints - 1) / kMostPoints, 1);
      slice_.step = step_;
      slice_.n_drawn = (slice_.n_rows + step_ - 1) / step_;
    }
    for (const ColId column : shown_columns(model_, options_, n_axes)) add_axis(column);
    for (const auto& [name, text] : options_.at) {
      const ColId column = find_column(model_, name);
      if (slice_.shows(column))
        throw Error(ErrorCode::bad_params,
                    fmt::format("{} is shown, so it cannot be held", shown_name(name)));
      hold(column, given_cell(field_of(model_, column), text), "given");
    }
    for (const ColId column : tested_)
      if (!slice_.shows(column) && !options_.at.contains(field_of(model_, column).name)) hold_by_data(column);
    if (data_ != nullptr) read_truth();
    return std::move(slice_);
  }

 private:
  [[nodiscard]] std::size_t find_output() const {
    if (options_.target.empty()) return 0;
    if (const auto found = model_.targets().find(options_.target)) return *found;
    throw Error(ErrorCode::bad_params,
                fmt::format("the model has no target {}", shown_name(options_.target)));
  }

  void add_axis(ColId column) {
    const Field& field = field_of(model_, column);
    SliceAxis axis{
        .column = column, .is_levels = field.kind != Kind::numeric, .n_levels = field.levels.size()};
    if (axis.n_levels > kMostLevels)
      throw Error(ErrorCode::not_supported,
                  fmt::format("column {} has {} levels, and a picture can show {}", shown_name(field.name),
                              axis.n_levels, kMostLevels),
                  "choose another column");
    std::vector<double> all;
    if (data_ != nullptr) all = column_cells(*data_, field);
    axis.cells = thin(all, step_);
    slice_.axes.push_back(std::move(axis));
    set_range(slice_.axes.back(), all);
  }

  // What the data reach over, or the tests, and a little more.
  void set_range(SliceAxis& axis, const std::vector<double>& all) const {
    if (axis.is_levels) {
      axis.low = -0.5;
      axis.high = static_cast<double>(axis.n_levels) - 0.5;
      return;
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto reach = [&](double value) {
      if (!std::isfinite(value)) return;
      low = std::min(low, value);
      high = std::max(high, value);
    };
    std::ranges::for_each(all, reach);
    if (!(low < high)) {
      axis.low = -std::numeric_limits<double>::infinity();
      axis.high = std::numeric_limits<double>::infinity();
      std::ranges::for_each(cuts_of(model_, slice_, axis), reach);
    }
    if (low > high) low = 0.0, high = 1.0;
    const double room = low < high ? (high / 2.0 - low / 2.0) * 0.1 : std::max(std::fabs(low), 1.0) * 0.5;
    axis.low = std::max(low - room, std::numeric_limits<double>::lowest() / 4.0);
    axis.high = std::min(high + room, std::numeric_limits<double>::max() / 4.0);
  }

  void hold(ColId column, double cell, const std::string& how) {
    slice_.cells[static_cast<std::size_t>(column)] = cell;
    if (!tested_.contains(column)) return;
    const Field& field = field_of(model_, column);
    slice_.held.push_back({field.name, cell_words(field, cell), how});
  }

  void hold_by_data(ColId column) {
    const Field& field = field_of(model_, column);
    if (data_ == nullptr)
      throw Error(
          ErrorCode::bad_params,
          fmt::format("the model also tests {}, and no value is given for it", shown_name(field.name)),
          "give data, or the value of that column");
    const std::vector<double> cells = column_cells(*data_, field);
    const bool number = field.kind == Kind::numeric;
    // A column that is mostly empty is held empty: any value would stand for few rows.
    const auto missing = std::ranges::count_if(cells, [](double cell) { return std::isnan(cell); });
    if (2 * missing > std::ssize(cells)) return hold(column, kNaN, "most frequent");
    const double cell = number ? median_of(cells) : most_frequent(cells, field.levels.size());
    hold(column, cell, std::isnan(cell) ? "unknown" : number ? "median" : "most frequent");
  }

  void read_truth() {
    const Field& target = model_.targets().fields[slice_.output];
    if (data_->find(target.name)) slice_.truth = thin(column_cells(*data_, target), step_);
  }

  const Model& model_;
  const Table* data_;
  const SliceOptions& options_;
  std::set<ColId> tested_;
  Slice slice_;
  std::int64_t step_ = 1;
};

// One term on the shown column and the others held: where the sum crosses its threshold.
void add_oblique_cut(const Tree& tree, NodeId node, const Slice& slice, ColId column,
                     std::vector<double>& cuts) {
  double weight = 0.0, rest = 0.0;
  for (const ObliqueTerm& term : tree.terms(node)) {
    if (term.column == column)
      weight = term.weight;
    else
      rest += term.weight * slice.cells[static_cast<std::size_t>(term.column)];
  }
  if (weight != 0.0) cuts.push_back((tree.threshold(node) - rest) / weight);
}

}  // namespace

Slice make_slice(const Model& model, const Table* data, const SliceOptions& options, std::size_t n_axes) {
  return SliceMaker(model, data, options).make(n_axes);
}

std::vector<double> cuts_of(const Model& model, const Slice& slice, const SliceAxis& axis) {
  std::vector<double> cuts;
  for (const Tree& tree : model.trees()) {
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.kind(node) == NodeKind::numeric && tree.column(node) == axis.column)
        cuts.push_back(tree.threshold(node));
      if (tree.kind(node) == NodeKind::interval && tree.column(node) == axis.column)
        cuts.insert(cuts.end(), tree.cuts(node).begin(), tree.cuts(node).end());
      if (tree.kind(node) == NodeKind::oblique) add_oblique_cut(tree, node, slice, axis.column, cuts);
      for (const Alternative& test : tree.alternatives(node))
        if (test.role == AlternativeRole::surrogate && test.column == axis.column &&
            test.kind == NodeKind::numeric)
          cuts.push_back(test.threshold);
    }
  }
  std::erase_if(cuts,
                [&](double cut) { return !(cut > axis.low && cut < axis.high) || !std::isfinite(cut); });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

Model with_tree(const Model& model, std::size_t tree) {
  static_cast<void>(tree_at(model, tree));
  if (model.trees().size() == 1) return model;
  Model::Parts parts = model.parts();
  parts.trees = {model.trees()[tree]};
  parts.combine = Combine::single;
  return Model(std::move(parts));
}

std::vector<SliceAnswer> answers_at(const Model& model, const Slice& slice,
                                    const std::vector<Point>& places) {
  const std::size_t width = slice.cells.size(), n = places.size();
  std::vector<double> cells(width * n);
  for (std::size_t i = 0; i < n; ++i) {
    std::ranges::copy(slice.cells, cells.begin() + static_cast<std::ptrdiff_t>(i * width));
    cells[i * width + static_cast<std::size_t>(slice.axes[0].column)] = places[i].x;
    if (slice.axes.size() > 1)
      cells[i * width + static_cast<std::size_t>(slice.axes[1].column)] = places[i].y;
  }
  const MatrixView rows{Dtype::f64,
                        cells.data(),
                        static_cast<std::int64_t>(n),
                        static_cast<std::int64_t>(width),
                        static_cast<std::ptrdiff_t>(width * sizeof(double)),
                        sizeof(double)};
  std::vector<double> values(n * model.n_outputs());
  model.predict(rows, values);
  std::vector<SliceAnswer> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i].value = values[i * model.n_outputs() + slice.output];
  if (model.task() != Task::classification) return out;
  const std::size_t classes = model.targets().fields[slice.output].levels.size();
  std::vector<double> shares(n * classes);
  model.predict_proba(rows, slice.output, shares);
  for (std::size_t i = 0; i < n; ++i)
    out[i].shares.assign(shares.begin() + static_cast<std::ptrdiff_t>(i * classes),
                         shares.begin() + static_cast<std::ptrdiff_t>((i + 1) * classes));
  return out;
}

std::vector<bool> rows_from_elsewhere(const Model& model, const Slice& slice, const Table* data) {
  if (data == nullptr || slice.held.empty()) return {};
  std::vector<Point> places;
  for (std::size_t i = 0; i < slice.axes[0].cells.size(); ++i)
    places.push_back({slice.axes[0].cells[i], slice.axes.size() > 1 ? slice.axes[1].cells[i] : 0.0});
  const std::vector<SliceAnswer> here = answers_at(model, slice, places);
  const std::vector<double> values = model.predict(*data);
  const bool classes = model.task() == Task::classification;
  const std::vector<double> shares =
      classes ? model.predict_proba(*data, slice.output) : std::vector<double>{};
  std::vector<bool> elsewhere(places.size(), false);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool known = std::ranges::all_of(slice.axes, [&](const SliceAxis& axis) {
      return std::isfinite(axis.cells[i]) && (!axis.is_levels || axis.cells[i] >= 0.0);
    });
    if (!known) continue;
    const std::size_t row = i * static_cast<std::size_t>(slice.step), width = here[i].shares.size();
    elsewhere[i] = classes ? !std::equal(here[i].shares.begin(), here[i].shares.end(),
                                         shares.begin() + static_cast<std::ptrdiff_t>(row * width))
                           : here[i].value != values[row * model.n_outputs() + slice.output];
  }
  return elsewhere;
}

std::string column_name(const Model& model, ColId column) {
  return shown_name(field_of(model, column).name);
}

std::string held_words(const Slice& slice, std::size_t most) {
  std::vector<std::string> words;
  for (const HeldColumn& held : slice.held)
    words.push_back(fmt::format("{} {} ({})", shown_name(held.name), held.value, held.how));
  return list_some(words, most);
}

}  // namespace bough
