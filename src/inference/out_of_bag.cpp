// SPDX-License-Identifier: Apache-2.0
// Answers and errors by the trees that have not drawn a row.
#include "bough/out_of_bag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "base/parallel.hpp"
#include "bough/json.hpp"
#include "inference/labelled_rows.hpp"
#include "inference/out_of_bag.hpp"
#include "model/prepare.hpp"

namespace bough {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// The class of largest share of every output, or the numbers themselves.
void choose(const Model& model, std::span<const double> values, std::span<double> out) {
  if (model.task() == Task::regression) {
    std::ranges::copy(values, out.begin());
    return;
  }
  std::size_t at = 0;
  for (std::size_t o = 0; o < out.size(); ++o) {
    const std::uint32_t width = model.tree().output_widths()[o];
    out[o] = static_cast<double>(choose_class(model.parts(), values.subspan(at, width)));
    at += width;
  }
}

}  // namespace

void check_bagged(const Model& forest, std::int64_t n_rows) {
  if (!leaves_rows_out(forest.params()))
    throw Error(ErrorCode::bad_model, "no tree of this model has left rows out",
                "out-of-bag figures need a forest that was grown here with bootstrap");
  const std::int64_t fitted = forest.parts().provenance.n_rows;
  if (n_rows != fitted)
    throw Error(ErrorCode::bad_data,
                fmt::format("the forest was grown on {} rows, but {} are given", fitted, n_rows),
                "out-of-bag figures need the rows that the forest was grown on, in their order");
}

namespace {

// Rows of training that ended in each node. Where rows were divided among children, these hold more than their
// parent, and the number is below 0.
std::vector<std::int64_t> rows_that_ended(const Tree& tree) {
  std::vector<std::int64_t> ended;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    ended.push_back(tree.n_rows(node));
    for (const NodeId child : tree.children(node)) ended.back() -= tree.n_rows(child);
  }
  return ended;
}

}  // namespace

DrawnEnds::DrawnEnds(const Model& forest, const DrawnRows& drawn) : forest_(forest), drawn_(drawn) {
  for (const Tree& tree : forest.trees()) counts_.emplace_back(static_cast<std::size_t>(tree.n_nodes()));
}

void DrawnEnds::count(const TreeBlock& block, std::size_t tree) {
  for (std::size_t i = 0; i < block.count(); ++i)
    if (drawn_.has(tree, block.begin() + i))
      counts_[tree][static_cast<std::size_t>(block.leaf(i))].fetch_add(1, std::memory_order_relaxed);
}

void DrawnEnds::check() const {
  for (std::size_t tree = 0; tree < counts_.size(); ++tree) {
    const std::vector<std::int64_t> ended = rows_that_ended(forest_.trees()[tree]);
    if (std::ranges::any_of(ended, [](std::int64_t n) { return n < 0; })) continue;
    for (std::size_t node = 0; node < ended.size(); ++node) {
      const std::int64_t found = counts_[tree][node];
      if (forest_.params().honest ? ended[node] <= found : ended[node] == found) continue;
      throw Error(ErrorCode::bad_data,
                  fmt::format("these are not the rows that the forest was grown on, or not in their order: "
                              "{} of the rows of tree {} ended in node {}, but {} of these do",
                              ended[node], tree + 1, node, found),
                  "out-of-bag figures need the table that the forest was grown on");
    }
  }
}

void check_drawn_rows(const Model& forest, const RowReader& rows, const DrawnRows& drawn) {
  DrawnEnds ends(forest, drawn);
  for_tree_blocks(forest, rows, [&](TreeBlock& block) {
    for (std::size_t tree = 0; tree < forest.trees().size(); ++tree) {
      block.enter(tree);
      ends.count(block, tree);
    }
  });
  ends.check();
}

std::vector<double> fit_weights(const Model& model, const Table& table, std::string_view weight) {
  FitSpec spec;
  for (const Field& field : model.targets().fields) spec.targets.push_back(field.name);
  spec.weight = weight;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const std::string& name = table.name(i);
    if (name != weight && !model.features().find(name) && !model.targets().find(name))
      spec.ignored.push_back(name);
  }
  if (weight.empty() && !model.params().class_weight.balanced && model.params().class_weight.by_name.empty())
    return {};
  Params params = model.params();
  params.task = model.task() == Task::classification ? "classification" : "regression";
  return prepare(table, spec, params).weights;
}

TrueErrors::TrueErrors(const Model& model, const Table& table, const OobSpec& spec)
    : model_(model), scored_(read_truth(model, table, spec.weight)) {
  if (!spec.weighted_errors) scored_.weights.clear();
}

std::string TrueErrors::measure() const {
  return model_.task() == Task::classification ? "class_error" : "squared_error";
}

double TrueErrors::of(std::size_t row, std::span<const double> values) const {
  double sum = 0.0;
  std::size_t at = 0;
  for (std::size_t o = 0; o < scored_.outputs.size(); ++o) {
    const ScoredOutput& output = scored_.outputs[o];
    const std::uint32_t width = model_.tree().output_widths()[o];
    if (model_.task() == Task::classification) {
      const std::size_t chosen = choose_class(model_.parts(), values.subspan(at, width));
      sum += static_cast<std::size_t>(output.classes[row]) == chosen ? 0.0 : 1.0;
    } else {
      sum += (output.numbers[row] - values[at]) * (output.numbers[row] - values[at]);
    }
    at += width;
  }
  return sum / static_cast<double>(scored_.outputs.size());
}

OutOfBag out_of_bag(const Model& forest, const Table& rows, std::span<const double> weights,
                    const Execution& execution) {
  check_bagged(forest, rows.n_rows());
  const RowReader reader(rows, forest.features());
  OutOfBag out;
  out.width = value_width(forest.parts());
  out.values.assign(static_cast<std::size_t>(rows.n_rows()) * out.width, 0.0);
  out.n_trees.assign(static_cast<std::size_t>(rows.n_rows()), 0);
  with_threads(execution.threads, [&] {
    const DrawnRows drawn(forest, out.n_trees.size(), weights);
    DrawnEnds ends(forest, drawn);
    for_tree_blocks(forest, reader, [&](TreeBlock& block) {
      for (std::size_t tree = 0; tree < forest.trees().size(); ++tree) {
        block.enter(tree);
        ends.count(block, tree);
        for (std::size_t i = 0; i < block.count(); ++i) {
          const std::size_t row = block.begin() + i;
          if (drawn.has(tree, row)) continue;
          const std::span<const double> answer = block.answer(i);
          if (answer.empty()) continue;
          ++out.n_trees[row];
          for (std::size_t j = 0; j < out.width; ++j) out.values[row * out.width + j] += answer[j];
        }
      }
      for (std::size_t row = block.begin(); row < block.begin() + block.count(); ++row)
        for (std::size_t j = 0; j < out.width; ++j) {
          double& value = out.values[row * out.width + j];
          value = out.n_trees[row] > 0 ? value / out.n_trees[row] : kNothing;
        }
    });
    ends.check();
  });
  return out;
}

std::vector<Evaluation> evaluate_out_of_bag(const Model& forest, const Table& table, const OobSpec& spec,
                                            const Execution& execution) {
  const OutOfBag answers = out_of_bag(forest, table, fit_weights(forest, table, spec.weight), execution);
  Scored scored = read_truth(forest, table, spec.weight);
  if (!spec.weighted_errors) scored.weights.clear();
  const std::size_t n_outputs = forest.n_outputs();
  std::vector<double> chosen(answers.n_trees.size() * n_outputs);
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < answers.n_trees.size(); ++row) {
    const auto values = std::span(answers.values).subspan(row * answers.width, answers.width);
    choose(forest, values, std::span(chosen).subspan(row * n_outputs, n_outputs));
    if (answers.n_trees[row] > 0) rows.push_back(static_cast<std::int64_t>(row));
  }
  if (rows.empty())
    throw Error(ErrorCode::bad_model, "every tree has drawn every row",
                "grow more trees, or lower max_samples");
  scored.take_answers(chosen);
  if (forest.task() == Task::classification) {
    for (std::size_t o = 0; o < n_outputs; ++o) {
      ScoredOutput& output = scored.outputs[o];
      const std::size_t start = output_start(forest.parts(), o),
                        known = forest.targets().fields[o].levels.size();
      output.chances.resize(answers.n_trees.size() * known);
      for (std::size_t row = 0; row < answers.n_trees.size(); ++row)
        for (std::size_t c = 0; c < known; ++c)
          output.chances[row * known + c] = answers.values[row * answers.width + start + c];
    }
  }
  std::vector<Evaluation> evaluations;
  with_threads(execution.threads, [&] { evaluations = scored.score(rows); });
  return evaluations;
}

namespace {

// Errors of the rows of one block after 1, 2, ... trees.
struct BlockErrors {
  std::vector<double> errors, weights;
  std::vector<std::int64_t> rows;
};

BlockErrors block_errors(const Model& forest, const DrawnRows& drawn, DrawnEnds& ends,
                         const TrueErrors& truth, TreeBlock& block) {
  const std::size_t n_trees = forest.trees().size(), width = value_width(forest.parts());
  BlockErrors out{std::vector<double>(n_trees), std::vector<double>(n_trees),
                  std::vector<std::int64_t>(n_trees)};
  std::vector<double> sums(block.count() * width), mean(width), now(block.count());
  std::vector<std::int32_t> answered(block.count());
  for (std::size_t tree = 0; tree < n_trees; ++tree) {
    block.enter(tree);
    ends.count(block, tree);
    for (std::size_t i = 0; i < block.count(); ++i) {
      const std::size_t row = block.begin() + i;
      if (!drawn.has(tree, row)) {
        const std::span<const double> answer = block.answer(i);
        if (!answer.empty()) {
          ++answered[i];
          for (std::size_t j = 0; j < width; ++j) {
            sums[i * width + j] += answer[j];
            mean[j] = sums[i * width + j] / answered[i];
          }
          now[i] = truth.of(row, mean);
        }
      }
      if (answered[i] == 0) continue;
      ++out.rows[tree];
      out.errors[tree] += truth.weight(row) * now[i];
      out.weights[tree] += truth.weight(row);
    }
  }
  return out;
}

}  // namespace

OobCurve oob_curve(const Model& forest, const Table& table, const OobSpec& spec, const Execution& execution) {
  check_bagged(forest, table.n_rows());
  const TrueErrors truth(forest, table, spec);
  const RowReader reader(table, forest.features());
  const std::size_t n_trees = forest.trees().size();
  // By first row, so that sums run in the order of the rows.
  std::map<std::size_t, BlockErrors> blocks;
  std::mutex mutex;
  with_threads(execution.threads, [&] {
    const DrawnRows drawn(forest, static_cast<std::size_t>(table.n_rows()),
                          fit_weights(forest, table, spec.weight));
    DrawnEnds ends(forest, drawn);
    for_tree_blocks(forest, reader, [&](TreeBlock& block) {
      BlockErrors found = block_errors(forest, drawn, ends, truth, block);
      const std::lock_guard lock(mutex);
      blocks.emplace(block.begin(), std::move(found));
    });
    ends.check();
  });
  OobCurve curve{truth.measure(), std::vector<double>(n_trees), std::vector<std::int64_t>(n_trees)};
  for (std::size_t tree = 0; tree < n_trees; ++tree) {
    double weight = 0.0;
    for (const auto& [begin, block] : blocks) {
      curve.errors[tree] += block.errors[tree];
      curve.n_rows[tree] += block.rows[tree];
      weight += block.weights[tree];
    }
    curve.errors[tree] = weight > 0.0 ? curve.errors[tree] / weight : kNothing;
  }
  return curve;
}

std::string to_json(const OobCurve& curve) {
  const Json json{{"measure", curve.measure}, {"errors", curve.errors}, {"n_rows", curve.n_rows}};
  return json.dump(2);
}

}  // namespace bough
