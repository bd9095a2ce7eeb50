// SPDX-License-Identifier: Apache-2.0
// Answers of a rule set for the rows of a table.
#include "predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/rules.hpp"
#include "predict/answer.hpp"
#include "rules/cover.hpp"

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

// Rows of a block that still want an answer.
using OpenRows = std::vector<std::uint32_t>;

OpenRows all_rows(const CellBlock& block) {
  OpenRows rows(block.count);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  return rows;
}

// Takes the rows that are covered whole out of `open`, which holds them in the same order.
void close_whole(OpenRows& open, std::span<const Cover> covers) {
  auto cover = covers.begin();
  std::erase_if(open, [&](std::uint32_t row) {
    while (cover != covers.end() && cover->row < row) ++cover;
    return cover != covers.end() && cover->row == row && cover->share == 1.0;
  });
}

// What the rules say about the rows of a block, `width` numbers each: class weights whose scale means
// nothing, or values. A row that one rule covers whole gets that rule's very numbers, as a tree gives those
// of the leaf.
std::vector<double> answer_block(const RuleSet::Parts& parts, std::span<const std::size_t> widths,
                                 const CellBlock& block) {
  const std::size_t width = parts.fallback.size();
  std::vector<double> out(block.count * width, 0.0);
  std::vector<char> touched(block.count, 0);
  OpenRows open = all_rows(block);
  CoverFinder finder(block);
  std::vector<double> part;
  for (const Rule& rule : parts.rules) {
    if (open.empty()) break;
    const std::span<const Cover> covers = finder.find(rule, open);
    for (const Cover& cover : covers) {
      const auto answer = std::span(out).subspan(cover.row * width, width);
      if (cover.share == 1.0) {
        std::ranges::copy(rule.values, answer.begin());
        touched[cover.row] = 1;
      } else if (parts.match == RuleMatch::shares) {
        part = rule.values;
        normalise_all(parts, widths, part);
        for (std::size_t i = 0; i < width; ++i) answer[i] += cover.share * part[i];
        touched[cover.row] = 1;
      }
    }
    close_whole(open, covers);
  }
  for (const std::uint32_t row : open)
    if (touched[row] == 0)
      std::ranges::copy(parts.fallback, out.begin() + static_cast<std::ptrdiff_t>(row * width));
  return out;
}

// Calls use(row, answer) for all rows.
template <class Use>
void answer_rows(const RuleSet::Parts& parts, const Table& rows, const Execution& execution, const Use& use) {
  const RowReader reader(rows, parts.features);
  const std::vector<std::size_t> widths = widths_of(parts);
  const std::size_t width = parts.fallback.size();
  with_threads(execution.threads, [&] {
    for_blocks(reader, [&](const CellBlock& block) {
      std::vector<double> out = answer_block(parts, widths, block);
      for (std::size_t i = 0; i < block.count; ++i)
        use(static_cast<std::size_t>(block.begin) + i, std::span(out).subspan(i * width, width));
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
    for_blocks(reader, [&](const CellBlock& block) {
      OpenRows open = all_rows(block);
      CoverFinder finder(block);
      std::vector<double> best(block.count, 0.0);
      for (std::size_t r = 0; r < parts_->rules.size() && !open.empty(); ++r) {
        const std::span<const Cover> covers = finder.find(parts_->rules[r], open);
        for (const Cover& cover : covers) {
          if (cover.share <= best[cover.row] || (whole && cover.share < 1.0)) continue;
          best[cover.row] = cover.share;
          out[static_cast<std::size_t>(block.begin) + cover.row] = static_cast<std::int64_t>(r);
        }
        close_whole(open, covers);
      }
    });
  });
  return out;
}

}  // namespace bough
