// SPDX-License-Identifier: Apache-2.0
// Brute force: every split of a column, every criterion from its textbook definition, in long double.
//
// Nothing here uses the library's criteria or search. It is slow and obvious on purpose.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/case.hpp"

namespace bough::oracle {

using Real = long double;
using RowList = std::vector<std::size_t>;

/// Sum of weights.
Real weight(const Case& sample, const RowList& rows);
/// Mean over the outputs of the impurity of some rows, per unit weight.
Real impurity(const Case& sample, const RowList& rows);
/// An output of some rows: its targets and weights side by side.
struct OutputRows {
  std::vector<Real> y;
  std::vector<Real> w;
  Real total = 0;
  std::size_t n_classes = 0;
};

/// Whether it is for classes, by the registry.
bool is_class_criterion(std::string_view criterion);
/// Whether what the search maximises is the decrease of impurity itself.
bool score_is_gain(std::string_view criterion);

/// Judges the splits of one node.
class Judge {
 public:
  Judge(const Case& sample, const RowList& rows);
  /// Decrease of weight * impurity.
  [[nodiscard]] Real gain(const RowList& left, const RowList& right) const;
  /// What the search maximises: the gain, or the criterion's own measure.
  [[nodiscard]] Real score(const RowList& left, const RowList& right) const;
  /// weight * impurity of the node: the scale of what rounding may do.
  [[nodiscard]] Real total_impurity() const { return total_impurity_; }

 private:
  const Case* sample_;
  std::vector<OutputRows> outputs_;
  Real total_impurity_ = 0;
};

/// All targets are constant.
bool pure(const Case& sample, const RowList& rows);
/// Poisson: every output has a positive sum on this side. Always true for the other criteria.
bool side_allowed(const Case& sample, const RowList& side);

/// The values that a node may have for one output: class weights, a mean, or all of [low, high] between which
/// a quantile is not unique (within rounding).
struct Interval {
  Real low = 0;
  Real high = 0;
};
std::vector<Interval> values(const Case& sample, const RowList& rows);
/// What a monotone constraint looks at: chance of the second class, mean or quantile of the first output.
Interval constrained_value(const Case& sample, const RowList& rows);

/// Calls visit(left, right) for every split of a column at a node: every cut, every category or every subset
/// of them
/// (`equality` or not), missing rows on either side, and known against missing.
void for_each_split(const Case& sample, const RowList& rows, std::size_t column,
                    const std::function<void(const RowList& left, const RowList& right)>& visit);

/// Distinct known cells of a column at a node, increasing.
std::vector<double> known_cells(const Case& sample, const RowList& rows, std::size_t column);

/// True when the library promises the best subset of this column here; else it may use an order or a
/// heuristic.
bool search_is_exact(const Case& sample, const RowList& rows, std::size_t column);

}  // namespace bough::oracle
