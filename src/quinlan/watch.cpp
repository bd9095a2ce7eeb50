// SPDX-License-Identifier: Apache-2.0
// Candidates of the search, with their branches.
#include "quinlan/watch.hpp"

#include <utility>

#include "quinlan/search.hpp"

namespace bough {
namespace {

std::vector<QuinlanBranch> branches_of(const QuinlanSearch& search, const QuinlanSplit& candidate,
                                       const Targets& targets, std::span<const QuinlanPart> parts) {
  const ClassTarget& target = targets.classes.front();
  std::vector<QuinlanBranch> out(candidate.shares.size());
  for (QuinlanBranch& branch : out) branch.classes.assign(target.n_classes, 0.0);
  for (const QuinlanPart& part : parts) {
    const std::int32_t at = search.branch(candidate, part.row);
    if (at < 0) continue;
    QuinlanBranch& branch = out[static_cast<std::size_t>(at)];
    ++branch.n_rows;
    branch.weight += part.weight;
    branch.classes[target.codes[part.row]] += part.weight;
  }
  return out;
}

}  // namespace

QuinlanView watch_quinlan(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec,
                          std::span<const QuinlanPart> parts, std::span<const char> used) {
  const QuinlanSearch search(table, targets, spec);
  std::vector<double> classes(targets.classes.front().n_classes);
  double weight = 0.0;
  for (const QuinlanPart& part : parts) {
    classes[targets.classes.front().codes[part.row]] += part.weight;
    weight += part.weight;
  }
  std::vector<std::vector<QuinlanCut>> tried;
  const auto found = search.candidates({parts, classes, weight}, used, &tried);
  QuinlanView out;
  out.chosen = search.choose(found);
  for (std::size_t j = 0; j < found.size(); ++j) {
    QuinlanColumnView& column = out.columns.emplace_back();
    std::optional<std::uint32_t> first;
    column.constant = true;
    for (const QuinlanPart& part : parts) {
      const std::uint32_t code = search.column(j).codes[part.row];
      if (code == kMissingCode) {
        ++column.n_missing;
        continue;
      }
      if (!first) first = code;
      column.constant = column.constant && code == *first;
    }
    column.curve = std::move(tried[j]);
    column.found = found[j].has_value();
    if (!column.found) continue;
    column.split = found[j]->split;
    column.gain = found[j]->gain;
    column.ratio = found[j]->ratio;
    column.price = column.split.gain / weight - column.gain;
    column.branches = branches_of(search, *found[j], targets, parts);
  }
  return out;
}

}  // namespace bough
