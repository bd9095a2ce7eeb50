// SPDX-License-Identifier: Apache-2.0
// The best split of a node: one candidate per column, then the choice between columns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "quinlan/bags.hpp"
#include "quinlan/discretise.hpp"
#include "quinlan/quinlan.hpp"

namespace bough {

/// A column as search sees it: a code per row.
struct QuinlanColumn {
  Kind kind = Kind::numeric;
  std::uint32_t n_codes = 0;
  std::span<const std::uint32_t> codes;
  std::span<const double> values;       ///< numeric: of every code
  std::vector<std::uint32_t> unpacked;  ///< what codes views when the column is sparse
  std::vector<MdlCut> cuts;             ///< Intervals::all_rows
  bool many = false;                    ///< a category of so many values that the average gain leaves it out
};

/// A node under search.
struct OpenNode {
  std::span<const QuinlanPart> parts;
  std::span<const double> classes;  ///< weight per class
  double weight = 0.0;
};

/// A split and the branch of each code.
struct QuinlanSplit {
  double gain = 0.0;  ///< bits per unit of weight, less the price of the threshold
  double ratio = 0.0;
  Split split;
  std::vector<double> shares;  ///< of the known weight, per branch
  std::vector<MdlCut> cuts;    ///< numeric, ordinal, interval: where the branches begin, in codes
};

class QuinlanSearch {
 public:
  QuinlanSearch(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec);

  [[nodiscard]] const QuinlanColumn& column(std::size_t j) const { return columns_[j]; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return columns_.size(); }
  /// The chosen split of a node that may be split; columns with a mark in `used` are left out.
  [[nodiscard]] std::optional<QuinlanSplit> best(const OpenNode& node, std::span<const char> used) const;
  /// The candidates of all columns, none where `used`; `tried` gets the thresholds of every column when it is
  /// not null.
  [[nodiscard]] std::vector<std::optional<QuinlanSplit>> candidates(
      const OpenNode& node, std::span<const char> used,
      std::vector<std::vector<QuinlanCut>>* tried = nullptr) const;
  /// The column that best() takes of these.
  [[nodiscard]] std::optional<std::size_t> choose(
      std::span<const std::optional<QuinlanSplit>> candidates) const;
  /// The branch of a row's cell; -1 when it is missing.
  [[nodiscard]] std::int32_t branch(const QuinlanSplit& candidate, RowId row) const;

 private:
  // The known cells of a node by code, in row order where codes are equal: code << 32 | index of the part.
  using Sorted = std::vector<std::uint64_t>;
  struct Groups {
    std::vector<double> cells;
    std::vector<ValueGroup> values;
  };
  [[nodiscard]] Sorted sorted(const QuinlanColumn& column, std::span<const QuinlanPart> parts) const;
  [[nodiscard]] Groups groups(const QuinlanColumn& column, std::span<const QuinlanPart> parts) const;
  [[nodiscard]] std::optional<QuinlanSplit> search(std::size_t j, const OpenNode& node,
                                                   std::vector<QuinlanCut>* tried) const;
  [[nodiscard]] std::optional<QuinlanSplit> of_categories(const QuinlanColumn& column, const Groups& groups,
                                                          double all) const;
  [[nodiscard]] std::optional<QuinlanSplit> of_threshold(const QuinlanColumn& column, const OpenNode& node,
                                                         std::vector<QuinlanCut>* tried) const;
  [[nodiscard]] std::optional<QuinlanSplit> of_intervals(const QuinlanColumn& column, const Groups& groups,
                                                         double all) const;
  [[nodiscard]] std::optional<QuinlanSplit> finish(QuinlanSplit candidate, const Bags& bags, double all,
                                                   double price) const;
  [[nodiscard]] double threshold_between(const QuinlanColumn& column, std::uint32_t below,
                                         std::uint32_t above) const;

  const Targets* targets_;
  QuinlanSpec spec_;
  std::vector<QuinlanColumn> columns_;
  double slack_;          // by how much a number must be larger to be larger
  bool all_many_ = true;  // every column is a category with many values
};

}  // namespace bough
