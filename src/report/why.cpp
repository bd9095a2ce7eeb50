// SPDX-License-Identifier: Apache-2.0
// Why the first splits were made: what every column could have done for their rows.
#include "bough/why.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "report/report_data.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kMostPoints = 60;
constexpr std::size_t kMostNodes = 31;

// Five digits are more than a chart shows.
Json rounded(double value) {
  return std::isfinite(value) ? Json(std::stod(fmt::format("{:.5g}", value))) : Json();
}

Json column_data(const WhyColumn& column) {
  Json out{{"name", column.name}, {"test", column.test}, {"merit", rounded(column.best->merit)}};
  if (column.heuristic) out["heuristic"] = true;
  Json curve = Json::array();
  for (const WhyCut& cut : column.curve)
    if (cut.allowed && std::isfinite(cut.threshold))
      curve.push_back({rounded(cut.threshold), rounded(cut.merit)});
  if (column.kind == Kind::numeric && curve.size() > 1) out["curve"] = std::move(curve);
  return out;
}

Json node_data(const WhySplit& why) {
  Json columns = Json::array();
  std::size_t idle = 0, more = 0;
  for (const WhyColumn& column : why.columns) {
    if (!column.best)
      ++idle;
    else if (columns.size() == kMostColumns)
      ++more;
    else
      columns.push_back(column_data(column));
  }
  return {{"measure", why.measure}, {"agrees", why.agrees}, {"columns", std::move(columns)},
          {"idle", idle},           {"more", more},         {"arithmetic", why.arithmetic},
          {"notes", why.notes}};
}

}  // namespace

Json why_data(const Model& model, const Table& training, const ReportOptions& options) {
  Json out = Json::object();
  const Tree& tree = model.tree();
  if (model.trees().size() > 1) return out;
  for (const Field& target : model.targets().fields)
    if (!training.find(target.name)) return out;
  const std::vector<std::int32_t> depths = tree.depths();
  WhySpec spec;
  spec.weight = options.weight;
  spec.most_points = kMostPoints;
  for (NodeId node = 0; node < tree.n_nodes() && out.size() < kMostNodes; ++node) {
    if (tree.is_leaf(node) || depths[static_cast<std::size_t>(node)] >= options.why_depth) continue;
    try {
      out[std::to_string(node)] = node_data(why_split(model, training, node, spec));
    } catch (const Error& error) {
      // Trees that were grown otherwise, and nodes that none of these rows reaches, say so.
      if (error.code() != ErrorCode::not_supported && error.code() != ErrorCode::bad_data) throw;
      out[std::to_string(node)] = {{"refused", error.what()}};
    }
  }
  return out;
}

}  // namespace bough
