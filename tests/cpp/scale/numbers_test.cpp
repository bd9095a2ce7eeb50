// SPDX-License-Identifier: Apache-2.0
// Numbers at the edge of doubles, judged by exhaustive search in long double, without fixed point.
//
// What is demanded of the split of every node. Let u be the unit to which the search rounds targets
// (fix_targets):
//   u <= 2^-60 max(largest |y|, sum of |y| w / max(1, sum of w / 2^32)),
// W the weight of the node, and S a score of the reference.
//   squared_error: the root of S is a norm of the targets, so rounding them by u / 2 moves it by no more than
//     sqrt(W) u / 2: the chosen split has sqrt(S) >= sqrt(best) - sqrt(W) u.
//   absolute_error, quantile: the losses of node and sides move by W u / 2 together each: S >= best - 2 W u.
//   poisson: a loss moves by the logarithm of a ratio of means, below 2^122 in fixed point: S >= best - 4 *
//   85 * W u.
//     A side whose targets are all below u may count as a side without events.
//   classes: exact integers, rounded weights (2^-40 here) and doubles: S >= best - 1e-9 W impurity.
// To all of them 1e-11 of the score, for double arithmetic, and 1e-17 of W impurity, for the reference's own.
// Splits within these bounds of the best are ties to the reference, and any of them is right; the largest
// shortfall that was met is printed, over nodes where the bounds are below a millionth of the best score.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "bough/out_of_core.hpp"
#include "oracle/brute.hpp"
#include "oracle/build.hpp"
#include "oracle/draw.hpp"
#include "oracle/limits.hpp"
#include "scale/memory_blocks.hpp"
#include "split/exact/scan.hpp"

namespace bough::oracle {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kHuge = std::numeric_limits<double>::max(),
                 kTiny = std::numeric_limits<double>::denorm_min();

double odd_cell(std::size_t style, Dice& dice) {
  const double k = static_cast<double>(dice.between(-4, 4));
  switch (style) {
    case 0:
      return k * kTiny;
    case 1:
      return std::array{kHuge, -kHuge, 1e308, -1e308, kHuge / 2, 0.0, -0.0, kInf, -kInf}[dice.below(9)];
    case 2:
      return std::array{-0.0, 0.0, 1.0, -1.0}[dice.below(4)];
    case 3:
      return std::array{1.0, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0),
                        std::nextafter(1.0, 2.0) + 0x1p-51}[dice.below(4)];
    case 4:
      return 9007199254740992.0 + 2 * k;  // beyond 2^53
    case 5:
      return std::array{1e-308, 2.2250738585072014e-308, kTiny, -kTiny, -1e-308, 1e-300}[dice.below(6)];
    case 6:
      return 3.5;
    case 7:
      return kMissing;
    default:
      return std::array{
          kInf, -kInf, kHuge, -kHuge, kTiny, -kTiny, 0.0, -0.0, 1.0, 1e-308, 1e308, kMissing}[dice.below(12)];
  }
}
double odd_float(Dice& dice) {
  using Float = std::numeric_limits<float>;
  return std::array{static_cast<double>(Float::max()),
                    -static_cast<double>(Float::max()),
                    static_cast<double>(Float::denorm_min()),
                    -static_cast<double>(Float::denorm_min()),
                    1.0,
                    static_cast<double>(std::nextafter(1.0F, 2.0F)),
                    kInf,
                    -0.0,
                    kMissing}[dice.below(9)];
}

void add_odd_column(Case& sample, std::size_t n, Dice& dice) {
  PlainColumn column;
  column.name = fmt::format("x{}", sample.columns.size());
  const std::size_t kind = dice.below(8);
  const std::size_t style = dice.below(9);
  if (kind == 0) {
    column.kind = dice.chance(0.5) ? Kind::category : Kind::ordinal;
    column.storage = Storage::text;
    column.n_levels = std::min<std::size_t>(5, n);
    for (std::size_t i = 0; i < n; ++i)
      column.cells.push_back(static_cast<double>(i < 5 ? i : dice.below(5)));
  } else {
    column.storage = kind == 1 ? Storage::f32 : kind == 2 ? Storage::sparse : Storage::f64;
    for (std::size_t i = 0; i < n; ++i)
      column.cells.push_back(kind == 1 ? odd_float(dice) : odd_cell(style, dice));
  }
  sample.columns.push_back(std::move(column));
}

std::vector<double> odd_targets(std::size_t n, bool positive, Dice& dice) {
  const double size = std::pow(10.0, std::array{-320, -300, -150, -20, 0, 20, 25, 70}[dice.below(8)]);
  const std::size_t style = dice.below(5);
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    const double k = dice.between(positive ? 0 : -9, 9);
    switch (style) {
      case 0:
        y.push_back(k * size);
        break;
      case 1:
        y.push_back((1 + (positive ? dice.unit() : dice.unit() - 0.5)) * size);
        break;
      case 2:
        y.push_back(i == n / 2 ? size : 0.0);  // constant but for one row
        break;
      case 3:
        y.push_back(size * std::pow(10.0, -dice.between(0, 12)));
        break;
      default:
        y.push_back(size);
    }
  }
  if (positive && std::all_of(y.begin(), y.end(), [](double v) { return v == 0.0; })) y[0] = size;
  return y;
}

std::vector<double> odd_weights(std::size_t n, Dice& dice) {
  std::vector<double> w;
  const std::size_t style = dice.below(4);
  const double size = std::pow(10.0, std::array{-95, -30, -3, 0, 6, 15, 18, 30, 95}[dice.below(9)]);
  if (style == 0) return w;
  for (std::size_t i = 0; i < n; ++i) {
    if (style == 1) w.push_back(size);
    if (style == 2) w.push_back(size * (1 + static_cast<double>(dice.below(5))));
    if (style == 3) w.push_back(i > 1 && dice.chance(0.2) ? 0.0 : std::ldexp(size, dice.between(-8, 8)));
  }
  return w;
}

Case odd_case(std::uint64_t i, Dice& dice) {
  static const std::array<const char*, 9> criteria{"gini",           "entropy",    "misclassification",
                                                   "hellinger",      "gain_ratio", "squared_error",
                                                   "absolute_error", "poisson",    "quantile"};
  const std::string criterion = criteria[i % criteria.size()];
  const auto n = static_cast<std::size_t>(dice.between(1, 14));
  std::vector<double> y;
  Case sample;
  if (i % criteria.size() < 5) {
    for (std::size_t r = 0; r < n; ++r)
      y.push_back(static_cast<double>(r == 0 ? 0 : dice.below(dice.chance(0.5) ? 2 : 3)));
    sample = class_case(y, criterion);
    // Classes are those that occur.
    for (std::size_t c = 0; c < sample.n_classes[0]; ++c)
      if (std::find(y.begin(), y.end(), static_cast<double>(c)) == y.end()) {
        for (double& v : y)
          v = v == static_cast<double>(sample.n_classes[0] - 1) ? static_cast<double>(c) : v;
        const std::string name = sample.params.criterion;
        sample = class_case(y, name);
      }
  } else {
    sample = number_case(odd_targets(n, criterion == "poisson", dice), criterion);
    if (criterion == "quantile") sample.params.quantile = 0.25;
  }
  sample.weights = odd_weights(n, dice);
  // Large targets with large weights are refused, see below.
  if (!sample.classes) {
    double largest = 0.0, total = 0.0;
    for (const double target : sample.targets[0]) largest = std::max(largest, std::fabs(target));
    for (const double w : sample.weights) total += w;
    if (largest * largest * total > 1e149) sample.weights.clear();
  }
  if (dice.chance(0.3)) sample.params.category_split = "equality";
  if (dice.chance(0.2)) sample.params.max_leaf_nodes = dice.between(2, 5);
  const int columns = dice.between(1, 3);
  for (int j = 0; j < columns; ++j) add_odd_column(sample, n, dice);
  return sample;
}

// Demands the bounds at the head of this file of every node.
class Reference {
 public:
  explicit Reference(const Case& sample) : sample_(sample), all_(used_rows(sample)) {
    const Real total = weight(sample, all_);
    Real largest = 0, sum = 0;
    if (!sample.classes)
      for (const std::size_t row : all_) {
        const Real y = std::fabs(static_cast<Real>(sample.targets[0][row]));
        largest = std::max(largest, y);
        sum += y * sample.weight(row);
      }
    largest_ = largest;
    total_ = total;
    unit_ = std::ldexp(std::max(largest, sum / std::max<Real>(1, std::ldexp(total, -32))), -60);
  }

  std::string judge(const Model& model) {
    const Tree& tree = model.tree();
    std::vector<std::pair<NodeId, RowList>> open{{0, all_}};
    while (!open.empty()) {
      const auto [node, rows] = std::move(open.back());
      open.pop_back();
      if (tree.n_rows(node) != static_cast<std::int64_t>(rows.size()))
        return fmt::format("node {}: {} rows, not {}", node, tree.n_rows(node), rows.size());
      if (std::string wrong = judge_stats(tree, node, rows); !wrong.empty()) return wrong;
      if (tree.is_leaf(node)) {
        if (!sample_.params.max_leaf_nodes && short_of_best(rows, 0.0L) > 0)
          return fmt::format("node {} is a leaf, but could be split", node);
        continue;
      }
      RowList left, right;
      for (const std::size_t row : rows) (goes_left(tree, node, row) ? left : right).push_back(row);
      if (left.empty() || right.empty()) return fmt::format("node {} divides nothing", node);
      const Real score = Judge(sample_, rows).score(left, right);
      if (short_of_best(rows, score) > 0)
        return fmt::format("node {}: score {}, but {} is possible", node, score, best_);
      if (!std::isfinite(tree.gain(node)) || tree.gain(node) < 0.0)
        return fmt::format("node {}: gain {}", node, tree.gain(node));
      open.emplace_back(tree.children(node)[0], left);
      open.emplace_back(tree.children(node)[1], right);
    }
    return {};
  }
  static Real worst;  // shortfall, as a share of the best score, where the bounds are below a millionth of it

 private:
  bool goes_left(const Tree& tree, NodeId node, std::size_t row) const {
    const double cell = sample_.columns[static_cast<std::size_t>(tree.column(node))].cells[row];
    if (std::isnan(cell)) return tree.missing_to(node) == 0;
    if (tree.kind(node) == NodeKind::numeric) return cell <= tree.threshold(node);
    if (tree.kind(node) == NodeKind::ordinal) return cell < tree.threshold(node);
    if (tree.kind(node) == NodeKind::equality) return cell == tree.threshold(node);
    const auto levels = left_levels(tree, node);
    return std::find(levels.begin(), levels.end(), static_cast<std::uint32_t>(cell)) != levels.end();
  }

  std::string judge_stats(const Tree& tree, NodeId node, const RowList& rows) const {
    const Real w = weight(sample_, rows), expected = impurity(sample_, rows), found = tree.impurity(node);
    if (!(std::fabs(tree.weight(node) - w) <= 1e-9L * w))
      return fmt::format("node {}: weight {}, not {}", node, tree.weight(node), w);
    // An impurity below the smallest double is 0, and denormal ones have few digits.
    Real slack = 1e-9L * expected + 1e-12L * (sample_.classes ? 1 : 0) + 4 * kTiny;
    if (!sample_.classes && sample_.params.criterion != "squared_error") slack += 340 * unit_;
    // Terms y log y of the whole table are kept to 46 bits and more of its largest.
    if (sample_.params.criterion == "poisson") slack += 1e-14L * largest_ + 8 * kTiny;
    if (sample_.params.criterion == "squared_error") slack += 2 * std::sqrt(expected) * unit_ + unit_ * unit_;
    if (!(std::fabs(found - expected) <= slack))
      return fmt::format("node {}: impurity {}, not {}", node, tree.impurity(node), expected);
    // Weights are rounded by at most 2^-60 of their sum; that moves sums of y w and of w.
    const Real of_weights = std::ldexp(total_, -59) * static_cast<Real>(rows.size()) * largest_ / w;
    const std::vector<double> stored = node_values(tree, node);
    const std::vector<Interval> wanted = values(sample_, rows);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const Real room =
          1e-9L * std::max({std::fabs(wanted[i].low), std::fabs(wanted[i].high), sample_.classes ? w : 0}) +
          (sample_.classes ? 0 : 2 * unit_ + of_weights) + kTiny;
      if (!(stored[i] >= wanted[i].low - room && stored[i] <= wanted[i].high + room))
        return fmt::format("node {}: value {}, not {}", node, stored[i], wanted[i].low);
    }
    return {};
  }

  // How far a score is below what the bounds allow; 0 or less: fine.
  Real short_of_best(const RowList& rows, Real score) {
    if (pure(sample_, rows)) return 0;
    const Judge judge(sample_, rows);
    best_ = 0;
    for (std::size_t column = 0; column < sample_.columns.size(); ++column)
      for_each_split(sample_, rows, column, [&](const RowList& left, const RowList& right) {
        if (has_events(left) && has_events(right)) best_ = std::max(best_, judge.score(left, right));
      });
    const Real w = weight(sample_, rows);
    const std::string& criterion = sample_.params.criterion;
    Real enough = best_ * (1 - 1e-11L) - 1e-17L * judge.total_impurity();
    if (criterion == "squared_error") {
      const Real root = std::max<Real>(0, std::sqrt(best_) - std::sqrt(w) * unit_);
      enough = std::min(enough, root * root);
    } else if (criterion == "poisson") {
      enough -= 340 * w * unit_;
    } else if (!sample_.classes) {
      enough -= 2 * w * unit_;
    } else if (criterion == "hellinger" || criterion == "gain_ratio") {
      enough -= 1e-9L;
    } else {
      enough -= 1e-9L * judge.total_impurity();
    }
    if (best_ > 0 && score > 0 && best_ - enough < 1e-6L * best_)
      worst = std::max(worst, (best_ - score) / best_);
    return enough - score;
  }
  bool has_events(const RowList& side) const {
    if (sample_.params.criterion != "poisson") return true;
    return std::any_of(side.begin(), side.end(),
                       [&](std::size_t row) { return sample_.targets[0][row] > unit_; });
  }

  const Case& sample_;
  RowList all_;
  Real unit_ = 0;
  Real largest_ = 0, total_ = 0;
  Real best_ = 0;
};
Real Reference::worst = 0;

void expect_finite_answers(const Case& sample, const Model& model) {
  for (const double answer : model.predict(to_table(sample))) EXPECT_TRUE(std::isfinite(answer));
  double sum = 0.0;
  for (const double share : model.importances()) sum += share;
  EXPECT_TRUE(sum == 0.0 || std::fabs(sum - 1.0) < 1e-9) << sum;
  if (!sample.classes) return;
  for (const double share : model.predict_proba(to_table(sample)))
    EXPECT_TRUE(share >= 0.0 && share <= 1.0 + 1e-12);
}

std::string said(const Case& sample) {
  try {
    static_cast<void>(grow_case(sample, "auto"));
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "nothing";
}

TEST(Numbers, odd_tables_give_the_splits_of_an_exhaustive_search_in_long_double) {
  std::uint64_t grown = 0;
  for (std::uint64_t i = 0; i < scaled(2000); ++i) {
    Dice dice(table_seed("numbers", i));
    const Case sample = odd_case(i, dice);
    SCOPED_TRACE(describe(sample));
    ASSERT_EQ(said(sample), "nothing");
    const Model model = grow_all(sample);
    ASSERT_EQ(Reference(sample).judge(model), "") << "table " << i << ", base seed " << base_seed() << "\n"
                                                  << describe(sample);
    expect_finite_answers(sample, model);
    ASSERT_EQ(Model::from_bytes(model.to_bytes()).tree(), model.tree()) << describe(sample);
    ASSERT_EQ(Model::from_json(model.to_json()).tree(), model.tree()) << describe(sample);
    ++grown;
  }
  std::printf("%llu tables; the largest shortfall of a score was %.3Lg of the best\n",
              static_cast<unsigned long long>(grown), Reference::worst);
}

TEST(Numbers, odd_tables_in_blocks_on_disk_give_the_same_trees) {
  for (std::uint64_t i = 0; i < scaled(150); ++i) {
    Dice dice(table_seed("numbers", i));
    Case sample = odd_case(i, dice);
    const std::string& criterion = sample.params.criterion;
    if (criterion == "absolute_error" || criterion == "quantile" || criterion == "gain_ratio")
      continue;  // in memory only
    sample.params.max_leaf_nodes.reset();
    for (PlainColumn& column : sample.columns)
      if (column.storage == Storage::sparse) column.storage = Storage::f64;
    MemoryBlocks blocks(to_table(sample));
    const Model far = fit_out_of_core(blocks, fit_spec(sample), sample.params, {.block_rows = 4});
    ASSERT_EQ(far.tree(), grow_case(sample, "auto").tree())
        << "table " << i << ", base seed " << base_seed() << "\n"
        << describe(sample);
  }
}

// A set is the first k groups of the order, or the others where these lack group 0, as an increasing list.
TEST(Numbers, prefixes_of_an_order_of_categories_are_compared_as_lists) {
  for (std::size_t n = 2; n <= 6; ++n) {
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    const auto set_of = [&](std::size_t k) {
      const bool prefix = std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), 0U) !=
                          order.begin() + static_cast<std::ptrdiff_t>(k);
      std::vector<std::size_t> set;
      for (std::size_t i = 0; i < n; ++i)
        if ((i < k) == prefix) set.push_back(order[i]);
      std::sort(set.begin(), set.end());
      return set;
    };
    PrefixSets prefixes;
    do {
      prefixes.measure(order);
      for (std::size_t sooner = 1; sooner < n; ++sooner)
        for (std::size_t later = sooner + 1; later <= n; ++later) {
          const std::size_t between = *std::min_element(order.begin() + static_cast<std::ptrdiff_t>(sooner),
                                                        order.begin() + static_cast<std::ptrdiff_t>(later));
          ASSERT_EQ(prefixes.later_precedes(sooner, later, between), set_of(later) < set_of(sooner));
        }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Numbers, the_size_of_all_weights_changes_no_split) {
  for (const char* criterion : {"squared_error", "absolute_error", "poisson", "gini"}) {
    Dice dice(7);
    std::vector<double> y, x;
    for (int i = 0; i < 60; ++i) {
      x.push_back(dice.unit());
      y.push_back(criterion == std::string("gini") ? static_cast<double>(i < 2 ? i : dice.between(0, 1))
                                                   : dice.unit());
    }
    Case sample = criterion == std::string("gini") ? class_case(y, criterion) : number_case(y, criterion);
    add_numeric(sample, x);
    const Tree plain = grow_all(sample).tree();
    for (const int power : {-300, -60, 20, 40, 50, 60, 100, 300}) {
      sample.weights.assign(60, std::ldexp(1.0, power));
      const Tree tree = grow_all(sample).tree();
      ASSERT_EQ(tree.n_nodes(), plain.n_nodes()) << criterion << " 2^" << power;
      for (NodeId node = 0; node < tree.n_nodes(); ++node) {
        ASSERT_EQ(tree.is_leaf(node), plain.is_leaf(node));
        ASSERT_TRUE(tree.is_leaf(node) || tree.threshold(node) == plain.threshold(node))
            << criterion << " 2^" << power;
      }
    }
  }
}

TEST(Numbers, what_fixed_point_or_doubles_cannot_hold_is_refused_by_name) {
  Case sample = number_case({1, 2, 3, 4});
  add_numeric(sample, {1, 2, 3, 4});
  sample.weights = {1e12, 1e-12, 1, 1};
  EXPECT_EQ(said(sample),
            "the weight of row 2 is lost beside the sum of all weights (some 2^52 times smaller) | use "
            "weights of comparable size, or 0 to leave a row out");
  sample.weights = {1e300, 1e300, 1e300, 1e300};
  EXPECT_EQ(said(sample),
            "the sum of all weights is 4e+300, which is not between 1e-100 and 1e100 | divide the weights by "
            "the largest of them");
  sample.weights = {kTiny, kTiny, kTiny, kTiny};
  EXPECT_EQ(said(sample).substr(0, 34), "the sum of all weights is 1.97626e");
  sample.weights = {1e90, 1e90, 1e90, 1e90};
  sample.targets[0][2] = 1e70;
  EXPECT_EQ(said(sample).substr(0, 43), "the target 'y0' reaches 1e+70, too much for");
  sample.weights.clear();
  sample.targets[0][2] = -1e308;
  EXPECT_EQ(said(sample),
            "the target 'y0' is -1e+308 in row 3: squared errors would overflow a double | "
            "rescale the target to less than 1e75");
  sample.targets[0][2] = kInf;
  EXPECT_EQ(said(sample),
            "the target 'y0' is infinite in row 3 | replace it by a finite number or remove the row");
}

}  // namespace
}  // namespace bough::oracle
