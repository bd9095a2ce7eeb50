// SPDX-License-Identifier: Apache-2.0
// Answers of a model for the rows of a table.
#include "predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/math.hpp"
#include "base/monitor.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/model.hpp"
#include "model/predictor.hpp"
#include "model/progress.hpp"
#include "predict/grid.hpp"

namespace bough {
namespace {

// Calls body(first row, cells, count) for all rows with the threads, the progress and the cancelling that the caller
// asked for. `rows` is a RowReader or a MatrixView. `at_once`: how many of them are best taken together, as far as
// every thread gets some.
template <class Rows, class Body>
void run_blocks(const Rows& rows, std::int64_t n_rows, std::size_t at_once, const Execution& execution,
                const Body& body) {
  Monitor monitor(report_to(execution));
  monitor.stage("predict");
  monitor.total(n_rows);
  // Waking other threads takes longer than some rows do.
  with_threads(n_rows <= internal_limits().parallel_predict ? 1 : execution.threads, [&] {
    constexpr std::size_t kBlocks = 4, kLeast = 512;  // blocks per thread, rows of a block
    const std::size_t shared = static_cast<std::size_t>(n_rows) /
                               (kBlocks * static_cast<std::size_t>(std::max(available_threads(), 1)));
    for_grids(
        rows,
        [&](const GridBlock& block) {
          monitor.tick();
          std::visit([&](const auto& cells) { body(block.begin, cells, block.count); }, block.cells);
          monitor.advance(static_cast<std::int64_t>(block.count));
        },
        available_threads() == 1 ? at_once : std::clamp(shared, std::min(kLeast, at_once), at_once));
  });
}

// A class index cannot be NaN: a row that no tree answers is refused.
void check_answered(const Model& model, std::span<const double> answers, std::size_t n_outputs) {
  if (model.task() != Task::classification || !model.params().honest ||
      model.params().honest_prior != "ignore")
    return;
  const auto found =
      std::find_if(answers.begin(), answers.end(), [](double answer) { return std::isnan(answer); });
  if (found == answers.end()) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("row {} ends where no honest rows are, and honest_prior=ignore answers no class there",
                  static_cast<std::size_t>(found - answers.begin()) / n_outputs + 1),
      "ask for probabilities, which are NaN there, or fit with another honest_prior");
}

void check_class_output(const Model::Parts& parts, std::size_t output) {
  if (parts.task != Task::classification) {
    throw Error(ErrorCode::not_supported, "a regression model has no class probabilities",
                "Use predict for its values.");
  }
  if (output >= parts.targets.fields.size()) {
    throw Error(ErrorCode::bad_params,
                fmt::format("output {} was asked for, the model has {}", output, parts.targets.fields.size()),
                "Outputs are counted from 0.");
  }
}

const Tree& tree_at(const Model::Parts& parts, std::size_t tree) {
  if (tree < parts.trees.size()) return parts.trees[tree];
  throw Error(ErrorCode::bad_params,
              fmt::format("tree {} was asked for, the model has {}", tree, parts.trees.size()),
              "Trees are counted from 0.");
}

template <class Rows>
void predict_into(const Model& model, const Rows& rows, std::int64_t n_rows, std::span<double> out,
                  const Execution& execution) {
  const std::size_t width = model.n_outputs();
  const Predictor& predictor = model.predictor();
  run_blocks(rows, n_rows, predictor.rows_at_once(), execution,
             [&](std::size_t begin, const auto& cells, std::size_t count) {
               predictor.predict(cells, out.subspan(begin * width, count * width));
             });
  check_answered(model, out, width);
}

template <class Rows>
void proba_into(const Model& model, const Rows& rows, std::int64_t n_rows, std::size_t output,
                std::span<double> out, const Execution& execution) {
  const std::size_t width = model.targets().fields[output].levels.size();
  const std::size_t start = output_start(model.parts(), output);
  const Predictor& predictor = model.predictor();
  run_blocks(rows, n_rows, predictor.rows_at_once(), execution,
             [&](std::size_t begin, const auto& cells, std::size_t count) {
               predictor.shares(cells, start, width, out.subspan(begin * width, count * width));
             });
}

template <class Rows>
void apply_into(const Model& model, const Rows& rows, std::int64_t n_rows, std::size_t tree,
                std::span<NodeId> out, const Execution& execution) {
  const Predictor& predictor = model.predictor();
  run_blocks(rows, n_rows, predictor.rows_at_once(), execution,
             [&](std::size_t begin, const auto& cells, std::size_t count) {
               predictor.apply(tree, cells, out.subspan(begin, count));
             });
}

void check_matrix(const Model& model, const MatrixView& rows, std::size_t room, std::size_t per_row) {
  const auto features = static_cast<std::int64_t>(model.features().fields.size());
  if (rows.columns != features) {
    throw Error(ErrorCode::bad_data,
                fmt::format("the matrix has {} columns, the model {} features", rows.columns, features),
                "Give the features of the model, in its order.");
  }
  if (rows.rows < 0 || room != static_cast<std::size_t>(rows.rows) * per_row) {
    throw Error(ErrorCode::bad_data,
                fmt::format("{} rows give {} numbers each, room is given for {}", rows.rows, per_row, room));
  }
}

template <class T>
void predict_one(const Model& model, std::span<const T> cells, std::span<double> out) {
  if (cells.size() != model.features().fields.size() || out.size() != model.n_outputs()) {
    throw Error(ErrorCode::bad_data,
                fmt::format("a row has {} cells and {} answers here, not {} and {}",
                            model.features().fields.size(), model.n_outputs(), cells.size(), out.size()));
  }
  model.predictor().predict(CellGrid<T>{cells.data(), 0, 1}, out);
  check_answered(model, out, out.size());
}

}  // namespace

std::vector<double> Model::predict(const Table& rows, const Execution& execution) const {
  const RowReader reader(rows, parts_->features);
  std::vector<double> out(static_cast<std::size_t>(reader.n_rows()) * n_outputs());
  predict_into(*this, reader, reader.n_rows(), out, execution);
  return out;
}

void Model::predict(const MatrixView& rows, std::span<double> out, const Execution& execution) const {
  check_matrix(*this, rows, out.size(), n_outputs());
  predict_into(*this, rows, rows.rows, out, execution);
}

void Model::predict_row(std::span<const double> cells, std::span<double> out) const {
  predict_one(*this, cells, out);
}

void Model::predict_row(std::span<const float> cells, std::span<double> out) const {
  predict_one(*this, cells, out);
}

std::vector<std::string> Model::predict_labels(const Table& rows, const Execution& execution) const {
  const std::vector<double> values = predict(rows, execution);
  std::vector<std::string> labels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Levels& levels = parts_->targets.fields[i % n_outputs()].levels;
    labels[i] = task() == Task::classification ? levels.names[static_cast<std::size_t>(values[i])]
                                               : number_text(values[i]);
  }
  return labels;
}

std::vector<double> Model::predict_proba(const Table& rows, std::size_t output,
                                         const Execution& execution) const {
  check_class_output(*parts_, output);
  const RowReader reader(rows, parts_->features);
  const std::size_t width = parts_->targets.fields[output].levels.size();
  std::vector<double> out(static_cast<std::size_t>(reader.n_rows()) * width);
  proba_into(*this, reader, reader.n_rows(), output, out, execution);
  return out;
}

void Model::predict_proba(const MatrixView& rows, std::size_t output, std::span<double> out,
                          const Execution& execution) const {
  check_class_output(*parts_, output);
  check_matrix(*this, rows, out.size(), parts_->targets.fields[output].levels.size());
  proba_into(*this, rows, rows.rows, output, out, execution);
}

std::vector<double> Model::predict_log_proba(const Table& rows, std::size_t output,
                                             const Execution& execution) const {
  std::vector<double> out = predict_proba(rows, output, execution);
  for (double& value : out) value = log_exact(value);
  return out;
}

std::vector<NodeId> Model::apply(const Table& rows, std::size_t tree, const Execution& execution) const {
  static_cast<void>(tree_at(*parts_, tree));
  const RowReader reader(rows, parts_->features);
  std::vector<NodeId> leaves(static_cast<std::size_t>(reader.n_rows()));
  apply_into(*this, reader, reader.n_rows(), tree, leaves, execution);
  return leaves;
}

void Model::apply(const MatrixView& rows, std::size_t tree, std::span<NodeId> out,
                  const Execution& execution) const {
  static_cast<void>(tree_at(*parts_, tree));
  check_matrix(*this, rows, out.size(), 1);
  apply_into(*this, rows, rows.rows, tree, out, execution);
}

DecisionPaths Model::decision_path(const Table& rows, std::size_t tree) const {
  const Tree& one = tree_at(*parts_, tree);
  const RowReader reader(rows, parts_->features);
  NodePaths paths = find_paths(one, reader);
  return {std::move(paths.starts), std::move(paths.nodes)};
}

}  // namespace bough
