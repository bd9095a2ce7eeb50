// SPDX-License-Identifier: Apache-2.0
// Answers of a model for the rows of a table.
#include "predict/predict.hpp"

#include <fmt/format.h>

#include "base/math.hpp"
#include "base/monitor.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/model.hpp"
#include "model/combine.hpp"

namespace bough {
namespace {

// Calls body(block) for all rows with the threads, the progress and the cancelling that the caller asked for.
void run_blocks(const RowReader& reader, const Execution& execution,
                const std::function<void(const RowBlock&)>& body) {
  Monitor monitor(execution.progress
                      ? Monitor::Report([&](std::string_view stage, double fraction, std::int64_t nodes) {
                          return execution.progress({stage, fraction, nodes});
                        })
                      : Monitor::Report());
  monitor.stage("predict");
  monitor.total(reader.n_rows());
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const RowBlock& block) {
      monitor.tick();
      body(block);
      monitor.advance(static_cast<std::int64_t>(block.count));
    });
  });
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

}  // namespace

std::vector<double> Model::predict(const Table& rows, const Execution& execution) const {
  const RowReader reader(rows, parts_->features);
  const std::size_t width = n_outputs();
  std::vector<double> out(static_cast<std::size_t>(reader.n_rows()) * width);
  run_blocks(reader, execution, [&](const RowBlock& block) {
    Combiner combiner(*parts_);
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t at = (static_cast<std::size_t>(block.begin) + i) * width;
      combiner.predict(block.row(i), std::span(out).subspan(at, width));
    }
  });
  return out;
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
  const std::size_t start = output_start(*parts_, output);
  std::vector<double> out(static_cast<std::size_t>(reader.n_rows()) * width);
  run_blocks(reader, execution, [&](const RowBlock& block) {
    Combiner combiner(*parts_);
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t at = (static_cast<std::size_t>(block.begin) + i) * width;
      combiner.shares(block.row(i), start, std::span(out).subspan(at, width));
    }
  });
  return out;
}

std::vector<double> Model::predict_log_proba(const Table& rows, std::size_t output,
                                             const Execution& execution) const {
  std::vector<double> out = predict_proba(rows, output, execution);
  for (double& value : out) value = log_exact(value);
  return out;
}

std::vector<NodeId> Model::apply(const Table& rows, std::size_t tree, const Execution& execution) const {
  const Tree& one = tree_at(*parts_, tree);
  const RowReader reader(rows, parts_->features);
  std::vector<NodeId> leaves;
  with_threads(execution.threads, [&] { leaves = find_leaves(one, reader); });
  return leaves;
}

DecisionPaths Model::decision_path(const Table& rows, std::size_t tree) const {
  const Tree& one = tree_at(*parts_, tree);
  const RowReader reader(rows, parts_->features);
  NodePaths paths = find_paths(one, reader);
  return {std::move(paths.starts), std::move(paths.nodes)};
}

}  // namespace bough
