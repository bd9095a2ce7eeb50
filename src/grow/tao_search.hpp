// SPDX-License-Identifier: Apache-2.0
// The test of a node that costs least when both subtrees are given.
//
// Every row of the node loses something in the left subtree and something in the right one; `delta` is the
// difference, an integer. A test costs the sum of delta over the rows that it sends left (plus what is lost
// in any case), so the best test on a column is found by one walk along its sorted codes; a category is even
// simpler, as every level may choose its own side. Only rows with a delta (care rows) are looked at: the cut
// lies half way between two of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/encoded.hpp"
#include "split/candidate.hpp"

namespace bough {

/// A row that is better off in one of the subtrees.
struct CareRow {
  RowId row = 0;
  std::int64_t delta = 0;  ///< loss on the left minus loss on the right; never 0
};

struct CareRows {
  const EncodedTable* table = nullptr;
  std::span<const CareRow> rows;  ///< by increasing row
  std::int64_t total = 0;         ///< sum of delta
};

/// A test with the loss of sending rows by it: the sum of delta over the rows on the left subtree's side.
struct TaoTest {
  std::int64_t loss = 0;
  bool swapped = false;        ///< rows that pass the test go to the right subtree
  bool missing_known = false;  ///< care rows with missing cells decided where those go
  Candidate candidate;         ///< when terms is empty
  std::vector<ObliqueTerm> terms;
  double threshold = 0.0;  ///< oblique
};

/// The best test on one column. Ties: lower cut or level, missing right, not swapped.
std::optional<TaoTest> best_column_test(const CareRows& care, ColId column, bool equality);
/// The best of all columns; ties: the lower column.
std::optional<TaoTest> best_axis_test(const CareRows& care, bool equality);

/// The best cut along a weighted sum of numeric columns none of whose cells is missing in a care row.
std::optional<TaoTest> best_projection_test(const CareRows& care, std::vector<ObliqueTerm> terms);
/// The best of some weighted sums (tao_linear.cpp). `own` are the terms that the node has; may be empty.
std::optional<TaoTest> best_oblique_test(const CareRows& care, std::span<const ObliqueTerm> own);

}  // namespace bough
