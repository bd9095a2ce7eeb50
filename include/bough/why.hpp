// SPDX-License-Identifier: Apache-2.0
// Why this split: what every column could have done for a node, test by test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

struct WhySpec {
  std::size_t tree = 0;
  std::string weight{};         ///< column of row weights that the model was fitted with, or empty
  std::size_t most_points = 0;  ///< longest curve; longer ones keep the best of neighbouring cuts. 0: all
};

/// What is known about some rows, as the search sees them (class weights, priors and losses included).
struct WhySide {
  std::int64_t n_rows = 0;
  double weight = 0.0;
  double impurity = 0.0;       ///< of the criterion, per unit of weight, mean over targets
  std::vector<double> values;  ///< class weights of every target, or the value of every target
};

/// One test and what it is worth.
struct WhyCut {
  double threshold = 0.0;  ///< numeric: x <= threshold left; ordinal: level index < threshold left
  std::vector<std::uint32_t> levels{};  ///< categories: level indices on the left
  bool missing_left = false;            ///< where missing cells are, when there are any
  bool allowed = true;                  ///< false: a limit on rows, weight or monotone values forbids it
  std::int64_t left_rows = 0;
  std::int64_t right_rows = 0;
  double left_weight = 0.0;
  double right_weight = 0.0;
  double gain = 0.0;   ///< decrease of weight * impurity
  double merit = 0.0;  ///< what WhySplit::measure names: higher is better
};

/// A value of a category column at the node.
struct WhyLevel {
  std::uint32_t level = 0;
  std::string name;
  bool left = false;  ///< on the left of the column's best test
  WhySide side;
};

/// What one column could do.
struct WhyColumn {
  ColId column = 0;
  std::string name;
  Kind kind = Kind::numeric;
  std::int64_t n_missing = 0;
  std::string idle{};      ///< why there is no test ("one value only", ...); empty: there is one
  bool heuristic = false;  ///< not all subsets of the categories were tried
  double cost = 1.0;       ///< merits of different columns are compared after division by it
  std::string test{};      ///< the best one in words: "age <= 41.5"
  std::optional<WhyCut> best{};
  WhySide here;  ///< rows that took part: all of the node, or those whose cell is known
  WhySide left;  ///< of the best test
  WhySide right;
  std::vector<WhySide>
      branches{};      ///< ID3 and C4.5: known rows of every branch (left and right hold the first two)
  double price = 0.0;  ///< C4.5: taken off the gain for naming the threshold
  std::vector<WhyCut>
      curve{};  ///< numeric, ordinal: every cut by increasing threshold, missing cells on the better side
  std::vector<WhyLevel> levels{};  ///< categories: the values present
};

struct WhySplit {
  NodeId node = 0;
  std::size_t tree = 0;
  std::string criterion;
  std::string measure;  ///< what a merit is: "decrease of gini impurity", "gain ratio", ...
  WhySide here;
  bool is_leaf = false;
  std::string own_test{};  ///< the test that the tree makes here; empty at a leaf
  ColId own_column = -1;
  bool agrees =
      false;  ///< the best test found is on the tree's column and divides these rows as the tree does
  std::vector<WhyColumn> columns;  ///< best first; columns without a test last, in the model's order
  std::vector<std::string>
      arithmetic;                  ///< the formula with the numbers of the best test put in, line by line
  std::vector<std::string> notes;  ///< why the tree may have chosen otherwise
};

/// Searches a node again, with the criterion, the weights and the limits of the model, on the rows of `table`
/// that come to it: give the training rows to see what fit() saw. All columns and all cuts are looked at,
/// whatever splitter and max_features said then. Costs one search of the node. Throws bad_params for a node
/// or tree that does not exist, bad_data when the rows do not fit the model or none comes to the node.
/// Trees of ID3 and C4.5 are searched with parts of rows and many branches; there a curve is of gains, before
/// any price.
WhySplit why_split(const Model& model, const Table& table, NodeId node, const WhySpec& spec = {});
std::string to_json(const WhySplit& why);
/// For people: the arithmetic, then the best test of at most `most_columns` columns.
std::string to_text(const WhySplit& why, std::size_t most_columns = 10);

}  // namespace bough
