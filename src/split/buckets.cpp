// SPDX-License-Identifier: Apache-2.0
// Columns as buckets.
#include "split/buckets.hpp"

namespace bough {

std::vector<BucketEnds> use_buckets(CodedTable& table) {
  std::vector<BucketEnds> ends(table.columns.size());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    CodedColumn& column = table.columns[j];
    if (column.kind != Kind::numeric) continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t n = column.cuts.size() + 1;  // the last bucket has no upper end
    for (std::size_t b = 0; b < n; ++b) {
      ends[j].high.push_back(b + 1 < n ? column.cuts[b] : infinity);
      ends[j].low.push_back(column.single[b] ? ends[j].high[b] : b > 0 ? column.cuts[b - 1] : -infinity);
    }
    column.kind = Kind::ordinal;
    column.n_levels = static_cast<std::uint32_t>(n);
    column.single.fill(true);
  }
  return ends;
}

EncodedTable encode_buckets(const CodedTable& table) {
  EncodedTable out;
  out.n_rows = table.n_rows;
  out.columns.resize(table.columns.size());
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const CodedColumn& from = table.columns[j];
    EncodedColumn& to = out.columns[j];
    to.kind = from.kind;
    to.has_missing = from.has_missing;
    to.n_codes = from.n_levels;
    to.codes.assign(from.wide_codes.data(), from.wide_codes.data() + from.wide_codes.size());
    if (from.wide) continue;
    const std::uint8_t* codes = table.codes(static_cast<ColId>(j));
    to.codes.resize(static_cast<std::size_t>(table.n_rows));
    for (std::size_t i = 0; i < to.codes.size(); ++i)
      to.codes[i] = codes[i] == from.missing_bucket() ? kMissingCode : codes[i];
  }
  return out;
}

}  // namespace bough
