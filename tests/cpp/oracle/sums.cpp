// SPDX-License-Identifier: Apache-2.0
// Sums of columns by hand.
#include "oracle/sums.hpp"

#include <fmt/format.h>

#include "split/oblique/oblique.hpp"

namespace bough::oracle {

NodeSums node_sums(const Case& sample, std::uint64_t key) {
  const Params& params = sample.params;
  const auto p = static_cast<std::int64_t>(sample.columns.size());
  std::vector<ColId> numeric;
  for (std::size_t j = 0; j < sample.columns.size(); ++j)
    if (sample.columns[j].kind == Kind::numeric) numeric.push_back(static_cast<ColId>(j));
  ObliqueOptions options;
  options.combinations = params.feature_combinations;
  options.continuous = params.projection_weights == "continuous";
  options.axis = params.axis_candidates;
  options.n_candidates =
      static_cast<std::size_t>(params.max_features ? params.max_features->resolve_down(p) : p);
  ProjectionDraw draw(options, numeric, {});
  draw.draw(key);
  NodeSums out;
  out.sample = sample;
  for (std::size_t i = 0; i < draw.size(); ++i) {
    out.terms.emplace_back(draw.terms(i).begin(), draw.terms(i).end());
    PlainColumn column;
    column.name = fmt::format("sum {}", i);
    for (std::size_t row = 0; row < sample.n_rows(); ++row) {
      double sum = 0.0;
      for (const ObliqueTerm& term : out.terms.back())
        sum += term.weight * sample.columns[static_cast<std::size_t>(term.column)].cells[row];
      column.cells.push_back(sum);
    }
    out.sample.columns.push_back(std::move(column));
  }
  out.tried.assign(sample.columns.size(), params.axis_candidates ? 1 : 0);
  for (const ColId column : draw.singles()) out.tried[static_cast<std::size_t>(column)] = 1;
  for (std::size_t j = 0; j < sample.columns.size(); ++j)
    if (sample.columns[j].kind != Kind::numeric) out.tried[j] = 1;
  return out;
}

}  // namespace bough::oracle
