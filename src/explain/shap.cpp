// SPDX-License-Identifier: Apache-2.0
// Shapley values of all rows, trees and outputs.
#include "bough/shap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "explain/tree_shapley.hpp"
#include "explain/words.hpp"
#include "model/combine.hpp"

namespace bough {
namespace {

// Rows of a table, one after the other.
std::vector<double> cells_of(const Table& table, const Schema& features) {
  const RowReader reader(table, features);
  const auto n_rows = static_cast<std::size_t>(reader.n_rows());
  const std::size_t n_columns = reader.n_columns();
  std::vector<double> columns(n_rows * n_columns), rows(columns.size());
  reader.load(0, reader.n_rows(), columns);
  for (std::size_t j = 0; j < n_columns; ++j)
    for (std::size_t i = 0; i < n_rows; ++i) rows[i * n_columns + j] = columns[j * n_rows + i];
  return rows;
}

class Explainer {
 public:
  Explainer(const Model& model, const ShapSpec& spec)
      : model_(model), n_columns_(model.features().fields.size()) {
    for (std::size_t i = 0; i < model.trees().size(); ++i) games_.emplace_back(model.parts(), i);
    if (spec.background == nullptr) return;
    background_ = cells_of(*spec.background, model.features());
    if (background_.empty())
      throw Error(ErrorCode::bad_data, "there are no background rows", "give at least one, or none at all");
    refuse_tangled(background_, "background row");
  }

  // The first row whose answer is no product over columns.
  void refuse_tangled(std::span<const double> cells, std::string_view what) const {
    for (std::size_t row = 0; row * n_columns_ < cells.size(); ++row)
      for (std::size_t i = 0; i < games_.size(); ++i) {
        const NodeId node = games_[i].tangled_node(cells.subspan(row * n_columns_, n_columns_));
        if (node < 0) continue;
        const auto column = static_cast<std::size_t>(games_[i].tree().column(node));
        throw Error(
            ErrorCode::not_supported,
            fmt::format("{} {}: the cell of '{}' is missing, and node {} of tree {} {}", what, row,
                        model_.features().fields[column].name, node, i,
                        games_[i].tree().missing_to(node) == missing_by_share
                            ? "sends the row to every child before the tree votes"
                            : "asks surrogates instead"),
            "fill in the cell, or fit with missing_policy learn: Shapley values are made for tests of one "
            "column");
      }
  }

  [[nodiscard]] std::vector<double> expected() const {
    const std::size_t width = value_width(model_.parts());
    std::vector<double> out(width);
    if (background_.empty()) {
      for (const TreeShapley& game : games_) game.add_expected(share_of_tree(), out);
      return out;
    }
    const std::size_t n = background_.size() / n_columns_;
    Combiner combiner(model_.parts());
    for (std::size_t row = 0; row < n; ++row) {
      const double* cells = background_.data() + row * n_columns_;
      const std::span<double> answer = combiner.weights([&](ColId column) { return cells[column]; });
      normalise_outputs(model_.tree(), answer);
      for (std::size_t i = 0; i < width; ++i) out[i] += answer[i] / static_cast<double>(n);
    }
    return out;
  }

  void explain(std::span<const double> row, TreeShapley::Room& room, std::span<double> out) const {
    if (background_.empty()) {
      for (const TreeShapley& game : games_) game.add(row, {}, share_of_tree(), room, out);
      return;
    }
    const std::size_t n = background_.size() / n_columns_;
    for (std::size_t b = 0; b < n; ++b)
      for (const TreeShapley& game : games_)
        game.add(row, std::span(background_).subspan(b * n_columns_, n_columns_),
                 share_of_tree() / static_cast<double>(n), room, out);
  }

 private:
  [[nodiscard]] double share_of_tree() const { return 1.0 / static_cast<double>(games_.size()); }

  const Model& model_;
  std::size_t n_columns_;
  std::vector<TreeShapley> games_;
  std::vector<double> background_;
};

}  // namespace

std::vector<ShapOutput> explained_outputs(const Model& model) {
  std::vector<ShapOutput> outputs;
  for (const Field& field : model.targets().fields) {
    if (model.task() == Task::regression) {
      outputs.push_back({field.name, ""});
      continue;
    }
    for (const std::string& label : field.levels.names) outputs.push_back({field.name, label});
  }
  return outputs;
}

ShapValues shap_values(const Model& model, const Table& rows, const ShapSpec& spec,
                       const Execution& execution) {
  const Explainer explainer(model, spec);
  const std::vector<double> cells = cells_of(rows, model.features());
  explainer.refuse_tangled(cells, "row");
  ShapValues out;
  out.n_rows = rows.n_rows();
  out.n_columns = model.features().fields.size();
  out.outputs = explained_outputs(model);
  out.expected = explainer.expected();
  const std::size_t per_row = out.n_columns * out.outputs.size();
  out.values.assign(static_cast<std::size_t>(out.n_rows) * per_row, 0.0);
  with_threads(execution.threads, [&] {
    parallel_ranges(static_cast<std::size_t>(out.n_rows), 4, [&](std::size_t begin, std::size_t end) {
      TreeShapley::Room room;
      for (std::size_t row = begin; row < end; ++row)
        explainer.explain(std::span(cells).subspan(row * out.n_columns, out.n_columns), room,
                          std::span(out.values).subspan(row * per_row, per_row));
    });
  });
  return out;
}

std::vector<double> shap_expected(const Model& model, const ShapSpec& spec) {
  return Explainer(model, spec).expected();
}

std::string to_json(const Model& model, const ShapValues& shap) {
  Json json;
  json["columns"] = Json::array();
  for (const Field& field : model.features().fields) json["columns"].push_back(field.name);
  json["outputs"] = Json::array();
  for (const ShapOutput& output : shap.outputs) {
    Json one{{"target", output.target}};
    if (model.task() == Task::classification) one["class"] = output.label;
    json["outputs"].push_back(std::move(one));
  }
  json["expected"] = shap.expected;
  json["rows"] = Json::array();
  for (std::int64_t row = 0; row < shap.n_rows; ++row) {
    Json columns = Json::array();
    for (std::size_t j = 0; j < shap.n_columns; ++j) {
      Json values = Json::array();
      for (std::size_t o = 0; o < shap.outputs.size(); ++o) values.push_back(shap.at(row, j, o));
      columns.push_back(std::move(values));
    }
    json["rows"].push_back(std::move(columns));
  }
  return json.dump(2, Json::BadText::replaced);
}

}  // namespace bough
