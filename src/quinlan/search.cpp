// SPDX-License-Identifier: Apache-2.0
// Candidates per column and the choice between them.
//
// Inside a numeric column the threshold is chosen by gain; the gain then pays log2(thresholds tried) / weight
// for naming it (Quinlan 1996). Between columns C4.5 takes the best gain ratio among those whose gain is at
// least the average, because a ratio alone prefers splits that tell almost nothing; categories of very many
// values stay out of the average. A threshold must leave max(min_branch, min(25, a tenth of the known weight
// per class)) on both sides.
#include "quinlan/search.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "base/vector_sort.hpp"
#include "quinlan/groups.hpp"

namespace bough {
namespace {

constexpr double kOurSlack = 1e-9, kTheirSlack = 1e-6;
constexpr double kTheirAverageSlack = 1e-3, kTheirGap = 1e-5;
constexpr double kManyValues = 0.3;           // of the rows
constexpr std::size_t kMostBranches = 65535;  // what a map of levels can name

std::span<const std::uint32_t> unpack(const EncodedColumn& from, std::int64_t n_rows,
                                      std::vector<std::uint32_t>& into) {
  if (!from.sparse) return from.codes;
  into.assign(static_cast<std::size_t>(n_rows), from.zero_code);
  for (std::size_t i = 0; i < from.stored.size(); ++i) into[from.stored[i]] = from.codes[i];
  return into;
}

std::int32_t heaviest(std::span<const double> weights) {
  return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

// Two sides of a threshold that moves up, with x log2 x of every class at hand.
class Sides {
 public:
  explicit Sides(std::span<const double> known) : right_(known.begin(), known.end()), left_(known.size()) {
    for (const double w : known) {
      right_logs_.push_back(xlog2x(w));
      right_weight_ += w;
    }
    left_logs_.assign(known.size(), 0.0);
    whole_ = scatter(known, right_weight_);
  }
  void move(std::size_t code, double weight) {
    left_[code] += weight;
    right_[code] -= weight;
    left_weight_ += weight;
    right_weight_ -= weight;
    touched_.push_back(code);
  }
  [[nodiscard]] double left_weight() const noexcept { return left_weight_; }
  [[nodiscard]] double right_weight() const noexcept { return right_weight_; }
  [[nodiscard]] double decrease() {
    for (const std::size_t code : touched_) {
      left_logs_[code] = xlog2x(left_[code]);
      right_logs_[code] = xlog2x(right_[code]);
    }
    touched_.clear();
    double inside = xlog2x(left_weight_) + xlog2x(right_weight_);
    for (std::size_t c = 0; c < left_logs_.size(); ++c) inside -= left_logs_[c] + right_logs_[c];
    return whole_ - inside;
  }

 private:
  std::vector<double> right_, left_, right_logs_, left_logs_;
  std::vector<std::size_t> touched_;
  double left_weight_ = 0.0, right_weight_ = 0.0, whole_ = 0.0;
};

}  // namespace

QuinlanSearch::QuinlanSearch(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec)
    : targets_(&targets),
      spec_(spec),
      columns_(table.columns.size()),
      slack_(spec.j48 ? kTheirSlack : kOurSlack) {
  const ExactGrid grid = part_grid(targets);
  std::vector<QuinlanPart> all;
  for (const RowId row : targets.rows) all.push_back({row, whole_weight(targets, grid, row)});
  parallel_for(columns_.size(), [&](std::size_t j) {
    const EncodedColumn& from = table.columns[j];
    QuinlanColumn& column = columns_[j];
    column.kind = from.kind;
    column.n_codes = from.n_codes;
    column.values = from.values;
    column.codes = unpack(from, table.n_rows, column.unpacked);
    if (spec_.intervals == QuinlanSpec::Intervals::all_rows && column.kind == Kind::numeric)
      column.cuts = mdl_cuts(groups(column, all).values);
  });
  for (QuinlanColumn& column : columns_) {
    const double most = kManyValues * static_cast<double>(targets.rows.size());
    column.many = column.kind == Kind::category && !(static_cast<double>(column.n_codes) + slack_ < most);
    all_many_ &= column.many;
  }
}

QuinlanSearch::Sorted QuinlanSearch::sorted(const QuinlanColumn& column,
                                            std::span<const QuinlanPart> parts) const {
  Sorted keys;
  keys.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t code = column.codes[parts[i].row];
    if (code != kMissingCode) keys.push_back(static_cast<std::uint64_t>(code) << 32 | i);
  }
  vector_sort(std::span(keys));
  return keys;
}

QuinlanSearch::Groups QuinlanSearch::groups(const QuinlanColumn& column,
                                            std::span<const QuinlanPart> parts) const {
  const ClassTarget& target = targets_->classes.front();
  Groups out;
  std::vector<std::uint32_t> codes;
  for (const std::uint64_t key : sorted(column, parts)) {
    const auto code = static_cast<std::uint32_t>(key >> 32);
    const QuinlanPart& part = parts[static_cast<std::uint32_t>(key)];
    if (codes.empty() || codes.back() != code) {
      codes.push_back(code);
      out.cells.resize(codes.size() * target.n_classes);
    }
    out.cells[(codes.size() - 1) * target.n_classes + target.codes[part.row]] += part.weight;
  }
  for (std::size_t i = 0; i < codes.size(); ++i)
    out.values.push_back({codes[i], column.values.empty() ? 0.0 : column.values[codes[i]],
                          std::span(out.cells).subspan(i * target.n_classes, target.n_classes)});
  return out;
}

// Judges a split by its bags of known rows; `price` is taken off its gain.
std::optional<QuinlanSplit> QuinlanSearch::finish(QuinlanSplit candidate, const Bags& bags, double all,
                                                  double price) const {
  const double decrease = std::max(bags.decrease(), 0.0), spread = bags.spread(all), known = bags.known();
  candidate.gain = decrease / all - price;
  candidate.ratio = spread > slack_ ? candidate.gain / (spread / all) : 0.0;
  for (const double w : bags.weights()) candidate.shares.push_back(w / known);
  candidate.split.gain = decrease;
  candidate.split.score = spec_.choice == QuinlanSpec::Choice::gain ? candidate.gain : candidate.ratio;
  candidate.split.missing_to = missing_by_share;
  return candidate;
}

std::optional<QuinlanSplit> QuinlanSearch::of_categories(const QuinlanColumn& column, const Groups& groups,
                                                         double all) const {
  const std::size_t n_classes = targets_->classes.front().n_classes;
  Bags bags(groups.values.size(), n_classes);
  for (std::size_t i = 0; i < groups.values.size(); ++i)
    for (std::size_t c = 0; c < n_classes; ++c) bags.add(i, c, groups.values[i].classes[c]);
  std::vector<std::uint32_t> branch(bags.size());
  for (std::size_t i = 0; i < branch.size(); ++i) branch[i] = static_cast<std::uint32_t>(i);
  if (spec_.grouped) branch = group_bags(bags, all, spec_.min_branch);
  const bool every_level = spec_.j48 && !spec_.grouped;
  std::size_t n_branches = 0;
  for (const std::uint32_t b : branch) n_branches = std::max<std::size_t>(n_branches, b + 1);
  // Levels that are absent here: one branch each (J48), or one for all of them.
  const bool absent = groups.values.size() < column.n_codes;
  n_branches = every_level ? column.n_codes : n_branches + (absent ? 1 : 0);
  if (n_branches < 2 || n_branches > kMostBranches) return std::nullopt;
  Bags joined(n_branches, n_classes);
  QuinlanSplit candidate;
  candidate.split.kind = NodeKind::multiway;
  candidate.split.map_levels.reserve(column.n_codes);
  std::size_t next = 0;  // of the present levels
  for (std::uint32_t level = 0; level < column.n_codes; ++level) {
    const bool here = next < groups.values.size() && groups.values[next].code == level;
    const std::size_t to = every_level ? level : here ? branch[next] : n_branches - 1;
    candidate.split.map_levels.push_back(level);
    candidate.split.map_children.push_back(static_cast<std::uint16_t>(to));
    for (std::size_t c = 0; here && c < n_classes; ++c) joined.add(to, c, groups.values[next].classes[c]);
    next += here ? 1 : 0;
  }
  if (!joined.two_hold(spec_.min_branch, slack_)) return std::nullopt;
  const auto empty = std::find(joined.weights().begin(), joined.weights().end(), 0.0);
  candidate.split.unseen_to = empty == joined.weights().end()
                                  ? heaviest(joined.weights())
                                  : static_cast<std::int32_t>(empty - joined.weights().begin());
  return finish(std::move(candidate), joined, all, 0.0);
}

// Halfway between neighbours; J48 takes the largest value of all rows up to there.
double QuinlanSearch::threshold_between(const QuinlanColumn& column, std::uint32_t below,
                                        std::uint32_t above) const {
  const double a = column.values[below], b = column.values[above];
  if (!spec_.j48) return midpoint(a, b);
  const double middle = (a + b) / 2 == b ? a : (a + b) / 2;
  const auto after = std::partition_point(column.values.begin(), column.values.end(),
                                          [&](double x) { return x - middle < kTheirSlack; });
  return *std::prev(after);
}

std::optional<QuinlanSplit> QuinlanSearch::of_threshold(const QuinlanColumn& column, const OpenNode& node,
                                                        std::vector<QuinlanCut>* tried_thresholds) const {
  const ClassTarget& target = targets_->classes.front();
  const Sorted keys = sorted(column, node.parts);
  const auto code_at = [&](std::size_t i) { return static_cast<std::uint32_t>(keys[i] >> 32); };
  std::vector<double> known(target.n_classes);
  for (const std::uint64_t key : keys) {
    const QuinlanPart& part = node.parts[static_cast<std::uint32_t>(key)];
    known[target.codes[part.row]] += part.weight;
  }
  Sides sides(known);
  const double tenth = 0.1 * sides.right_weight() / static_cast<double>(target.n_classes);
  const double least = std::max(spec_.min_branch, std::min(25.0, tenth));
  if (spec_.j48 && static_cast<double>(keys.size()) + slack_ < 2 * least) return std::nullopt;
  double best = 0.0;
  std::size_t tried = 0, best_at = 0;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const QuinlanPart& part = node.parts[static_cast<std::uint32_t>(keys[i])];
    sides.move(target.codes[part.row], part.weight);
    const std::uint32_t here = code_at(i), next = code_at(i + 1);
    if (here == next) continue;
    if (spec_.j48 && column.kind == Kind::numeric && !(column.values[here] + kTheirGap < column.values[next]))
      continue;
    const bool allowed = sides.left_weight() + slack_ >= least && sides.right_weight() + slack_ >= least;
    if (tried_thresholds != nullptr) {
      const double at = column.kind == Kind::numeric ? threshold_between(column, here, next) : next;
      tried_thresholds->push_back(
          {at, sides.left_weight(), sides.right_weight(), sides.decrease() / node.weight, allowed});
    }
    if (!allowed) continue;
    ++tried;
    const double gain = sides.decrease() / node.weight;
    if (gain > best + slack_) {
      best = gain;
      best_at = i + 1;
    }
  }
  if (best_at == 0) return std::nullopt;
  const double price = log2_exact(static_cast<double>(tried)) / node.weight;
  if (best - price < slack_) return std::nullopt;
  Bags bags(2, target.n_classes);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const QuinlanPart& part = node.parts[static_cast<std::uint32_t>(keys[i])];
    bags.add(i < best_at ? 0 : 1, target.codes[part.row], part.weight);
  }
  QuinlanSplit candidate;
  const std::uint32_t above = code_at(best_at);
  const bool ordinal = column.kind != Kind::numeric;
  candidate.split.kind = ordinal ? NodeKind::ordinal : NodeKind::numeric;
  candidate.split.threshold =
      ordinal ? static_cast<double>(above) : threshold_between(column, code_at(best_at - 1), above);
  candidate.cuts = {{candidate.split.threshold, above}};
  return finish(std::move(candidate), bags, node.weight, price);
}

std::optional<QuinlanSplit> QuinlanSearch::of_intervals(const QuinlanColumn& column, const Groups& groups,
                                                        double all) const {
  const bool anew = spec_.intervals == QuinlanSpec::Intervals::node;
  QuinlanSplit candidate;
  candidate.cuts = anew ? mdl_cuts(groups.values) : column.cuts;
  if (candidate.cuts.empty() || candidate.cuts.size() >= kMostBranches) return std::nullopt;
  Bags bags(candidate.cuts.size() + 1, targets_->classes.front().n_classes);
  std::size_t interval = 0;
  for (const ValueGroup& group : groups.values) {
    while (interval < candidate.cuts.size() && group.code >= candidate.cuts[interval].first_code) ++interval;
    for (std::size_t c = 0; c < bags.n_classes(); ++c) bags.add(interval, c, group.classes[c]);
  }
  if (!bags.two_hold(spec_.min_branch, slack_)) return std::nullopt;
  candidate.split.kind = NodeKind::interval;
  for (const MdlCut& cut : candidate.cuts) candidate.split.cuts.push_back(cut.threshold);
  candidate.split.unseen_to = heaviest(bags.weights());
  return finish(std::move(candidate), bags, all, 0.0);
}

std::optional<QuinlanSplit> QuinlanSearch::search(std::size_t j, const OpenNode& node,
                                                  std::vector<QuinlanCut>* tried) const {
  const QuinlanColumn& column = columns_[j];
  const bool as_category = column.kind == Kind::category ||
                           (column.kind == Kind::ordinal && spec_.choice == QuinlanSpec::Choice::gain);
  std::optional<QuinlanSplit> found;
  if (as_category) {
    found = of_categories(column, groups(column, node.parts), node.weight);
  } else if (column.kind == Kind::numeric && spec_.intervals != QuinlanSpec::Intervals::none) {
    found = of_intervals(column, groups(column, node.parts), node.weight);
  } else {
    found = of_threshold(column, node, tried);
  }
  if (found) found->split.column = static_cast<ColId>(j);
  return found;
}

std::optional<std::size_t> QuinlanSearch::choose(
    std::span<const std::optional<QuinlanSplit>> candidates) const {
  const bool by_gain = spec_.choice == QuinlanSpec::Choice::gain;
  double average = 0.0;
  std::size_t counted = 0;
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    if (!candidates[j] || (columns_[j].many && !all_many_)) continue;
    average += candidates[j]->gain;
    ++counted;
  }
  if (counted == 0 && !by_gain) return std::nullopt;
  average /= static_cast<double>(std::max<std::size_t>(counted, 1));
  const double enough = by_gain ? 0.0 : average - (spec_.j48 ? kTheirAverageSlack : slack_);
  double best = 0.0;
  std::optional<std::size_t> chosen;
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    if (!candidates[j] || candidates[j]->gain < enough) continue;
    const double score = by_gain ? candidates[j]->gain : candidates[j]->ratio;
    if (!(score > best + slack_)) continue;
    best = score;
    chosen = j;
  }
  return chosen;
}

std::vector<std::optional<QuinlanSplit>> QuinlanSearch::candidates(
    const OpenNode& node, std::span<const char> used, std::vector<std::vector<QuinlanCut>>* tried) const {
  std::vector<std::optional<QuinlanSplit>> out(columns_.size());
  if (tried != nullptr) tried->resize(columns_.size());
  constexpr std::size_t few = 512;  // parts that are not worth sharing
  const auto one = [&](std::size_t j) {
    if (!used[j]) out[j] = search(j, node, tried == nullptr ? nullptr : &(*tried)[j]);
  };
  if (node.parts.size() < few) {
    for (std::size_t j = 0; j < columns_.size(); ++j) one(j);
  } else {
    parallel_for(columns_.size(), one);
  }
  return out;
}

std::optional<QuinlanSplit> QuinlanSearch::best(const OpenNode& node, std::span<const char> used) const {
  std::vector<std::optional<QuinlanSplit>> found = candidates(node, used);
  const std::optional<std::size_t> chosen = choose(found);
  if (!chosen) return std::nullopt;
  return std::move(found[*chosen]);
}

std::int32_t QuinlanSearch::branch(const QuinlanSplit& candidate, RowId row) const {
  const std::uint32_t code = columns_[static_cast<std::size_t>(candidate.split.column)].codes[row];
  if (code == kMissingCode) return -1;
  // The maps name every level.
  if (candidate.split.kind == NodeKind::multiway) return candidate.split.map_children[code];
  const auto after =
      std::upper_bound(candidate.cuts.begin(), candidate.cuts.end(), code,
                       [](std::uint32_t wanted, const MdlCut& cut) { return wanted < cut.first_code; });
  return static_cast<std::int32_t>(after - candidate.cuts.begin());
}

}  // namespace bough
