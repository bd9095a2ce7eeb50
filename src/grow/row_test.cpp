// SPDX-License-Identifier: Apache-2.0
// Tests of nodes on codes.
#include "grow/row_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bough {

double projection(const EncodedTable& table, std::span<const ObliqueTerm> terms, RowId row) {
  double sum = 0.0;
  for (const ObliqueTerm& term : terms) {
    const EncodedColumn& column = table.columns[static_cast<std::size_t>(term.column)];
    const std::uint32_t code = column.code(row);
    if (code == kMissingCode) return std::numeric_limits<double>::quiet_NaN();
    sum += term.weight * column.values[code];
  }
  return sum;
}

RowTest::RowTest(const Split& split, const EncodedTable& table)
    : kind_(split.kind), table_(&table), missing_to_(split.missing_to), unseen_to_(split.unseen_to) {
  if (kind_ == NodeKind::oblique) {
    terms_ = split.terms;
    threshold_ = split.threshold;
    return;
  }
  column_ = &table.columns[static_cast<std::size_t>(split.column)];
  const std::vector<double>& values = column_->values;
  if (kind_ == NodeKind::numeric)
    bound_ = static_cast<std::uint32_t>(std::upper_bound(values.begin(), values.end(), split.threshold) -
                                        values.begin());
  if (kind_ == NodeKind::ordinal || kind_ == NodeKind::equality)
    bound_ = static_cast<std::uint32_t>(split.threshold);
  if (kind_ != NodeKind::subset) return;
  children_.assign(column_->n_codes, -1);
  for (std::size_t i = 0; i < split.map_levels.size(); ++i)
    if (split.map_levels[i] < children_.size())
      children_[split.map_levels[i]] = static_cast<std::int8_t>(split.map_children[i]);
}

RowTest RowTest::always(std::int32_t child) {
  RowTest test;
  test.missing_to_ = child;
  return test;
}

RowTest::Side RowTest::side(RowId row) const {
  if (kind_ == NodeKind::leaf) return {missing_to_, Met::known};
  if (kind_ == NodeKind::oblique) {
    const double sum = projection(*table_, terms_, row);
    return std::isnan(sum) ? Side{missing_to_, Met::missing} : Side{sum <= threshold_ ? 0 : 1, Met::known};
  }
  const std::uint32_t code = column_->code(row);
  if (code == kMissingCode) return {missing_to_, Met::missing};
  if (kind_ == NodeKind::equality) return {code == bound_ ? 0 : 1, Met::known};
  if (kind_ == NodeKind::subset)
    return children_[code] < 0 ? Side{unseen_to_, Met::unseen} : Side{children_[code], Met::known};
  return {code < bound_ ? 0 : 1, Met::known};
}

}  // namespace bough
