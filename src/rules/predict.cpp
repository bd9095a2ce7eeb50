// SPDX-License-Identifier: Apache-2.0
// Answers of a rule set for the rows of a table.
#include "predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/rules.hpp"
#include "predict/answer.hpp"
#include "rules/match.hpp"

namespace bough {
namespace {

std::vector<std::size_t> widths_of(const RuleSet::Parts& parts) {
  std::vector<std::size_t> widths;
  for (const Field& field : parts.targets.fields)
    widths.push_back(parts.task == Task::classification ? field.levels.size() : 1);
  return widths;
}

void normalise_all(const RuleSet::Parts& parts, std::span<const std::size_t> widths,
                   std::span<double> values) {
  if (parts.task != Task::classification) return;
  std::size_t at = 0;
  for (const std::size_t width : widths) {
    normalise(values.subspan(at, width));
    at += width;
  }
}

template <class Cells>
const std::vector<double>& first_answer(const RuleSet::Parts& parts, const Cells& cells) {
  for (const Rule& rule : parts.rules)
    if (covered_share(rule, cells) == 1.0) return rule.values;
  return parts.fallback;
}

// What the rules say about one row into `out`: class weights whose scale means nothing, or values. A row that
// one rule covers whole gets that rule's very numbers, as a tree gives those of the leaf.
template <class Cells>
void answer_row(const RuleSet::Parts& parts, std::span<const std::size_t> widths, const Cells& cells,
                std::span<double> out) {
  if (parts.match == RuleMatch::first) {
    std::ranges::copy(first_answer(parts, cells), out.begin());
    return;
  }
  std::ranges::fill(out, 0.0);
  std::vector<double> part;
  bool covered = false;
  for (const Rule& rule : parts.rules) {
    const double share = covered_share(rule, cells);
    if (share == 0.0) continue;
    covered = true;
    if (share == 1.0) {
      std::ranges::copy(rule.values, out.begin());
      return;
    }
    part = rule.values;
    normalise_all(parts, widths, part);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * part[i];
  }
  if (!covered) std::ranges::copy(parts.fallback, out.begin());
}

// Calls use(row, answer) for all rows.
template <class Use>
void answer_rows(const RuleSet::Parts& parts, const Table& rows, const Execution& execution, const Use& use) {
  const RowReader reader(rows, parts.features);
  const std::vector<std::size_t> widths = widths_of(parts);
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const RowBlock& block) {
      std::vector<double> out(parts.fallback.size());
      for (std::size_t i = 0; i < block.count; ++i) {
        answer_row(parts, widths, block.row(i), out);
        use(static_cast<std::size_t>(block.begin) + i, std::span<double>(out));
      }
    });
  });
}

}  // namespace

std::vector<double> RuleSet::predict(const Table& rows, const Execution& execution) const {
  const std::vector<std::size_t> widths = widths_of(*parts_);
  std::vector<double> out(static_cast<std::size_t>(rows.n_rows()) * n_outputs());
  answer_rows(*parts_, rows, execution, [&](std::size_t row, std::span<double> values) {
    std::size_t at = 0;
    for (std::size_t output = 0; output < widths.size(); ++output) {
      const auto part = values.subspan(at, widths[output]);
      out[row * widths.size() + output] =
          parts_->task == Task::classification ? static_cast<double>(largest(part)) : part.front();
      at += widths[output];
    }
  });
  return out;
}

std::vector<std::string> RuleSet::predict_labels(const Table& rows, const Execution& execution) const {
  const std::vector<double> values = predict(rows, execution);
  std::vector<std::string> labels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Levels& levels = parts_->targets.fields[i % n_outputs()].levels;
    labels[i] = parts_->task == Task::classification ? levels.names[static_cast<std::size_t>(values[i])]
                                                     : number_text(values[i]);
  }
  return labels;
}

std::vector<double> RuleSet::predict_proba(const Table& rows, std::size_t output,
                                           const Execution& execution) const {
  if (parts_->task != Task::classification) {
    throw Error(ErrorCode::not_supported, "rules for numbers have no class probabilities",
                "Use predict for their values.");
  }
  if (output >= n_outputs()) {
    throw Error(ErrorCode::bad_params,
                fmt::format("output {} was asked for, the rules have {}", output, n_outputs()),
                "Outputs are counted from 0.");
  }
  const std::vector<std::size_t> widths = widths_of(*parts_);
  std::size_t start = 0;
  for (std::size_t i = 0; i < output; ++i) start += widths[i];
  const std::size_t width = widths[output];
  std::vector<double> out(static_cast<std::size_t>(rows.n_rows()) * width);
  answer_rows(*parts_, rows, execution, [&](std::size_t row, std::span<double> values) {
    const auto part = values.subspan(start, width);
    normalise(part);
    std::ranges::copy(part, out.begin() + static_cast<std::ptrdiff_t>(row * width));
  });
  return out;
}

std::vector<std::int64_t> RuleSet::apply(const Table& rows, const Execution& execution) const {
  const RowReader reader(rows, parts_->features);
  std::vector<std::int64_t> out(static_cast<std::size_t>(reader.n_rows()), -1);
  const bool whole = parts_->match == RuleMatch::first;
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const RowBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        double best = 0.0;
        const auto cells = block.row(i);
        for (std::size_t r = 0; r < parts_->rules.size() && best < 1.0; ++r) {
          const double share = covered_share(parts_->rules[r], cells);
          if (share <= best || (whole && share < 1.0)) continue;
          best = share;
          out[static_cast<std::size_t>(block.begin) + i] = static_cast<std::int64_t>(r);
        }
      }
    });
  });
  return out;
}

}  // namespace bough
