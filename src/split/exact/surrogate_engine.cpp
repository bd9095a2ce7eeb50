// SPDX-License-Identifier: Apache-2.0
// The surrogate engine: searches like the lists engine, but keeps the best split of every column (competitors),
// divides what a split improves by the cost of its column, and can leave missing cells out of the search, to
// send their rows by surrogates or to let them stay.
//
// Where missing cells are left out, a column is judged by its gain on the rows whose cell is known: a column
// of many missing cells has less to gain. A split must then gain something (more than kNothing of the root's
// best gain).
#include <algorithm>
#include <numeric>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/exact/family_engine.hpp"
#include "split/exact/surrogates.hpp"
#include "tree/surrogate.hpp"

namespace bough {
namespace {

constexpr double kNothing = 1e-10;

// Codes and sorted rows of all columns, dense.
class DenseCodes {
 public:
  DenseCodes(const EncodedTable& table, const Targets& targets) : table_(&table) {
    const auto n = static_cast<std::size_t>(table.n_rows);
    spread_.resize(table.columns.size());
    sorted_.resize(table.columns.size());
    parallel_for(table.columns.size(), [&](std::size_t j) {
      const EncodedColumn& column = table.columns[j];
      if (column.sparse) {
        spread_[j].assign(n, column.zero_code);
        for (std::size_t i = 0; i < column.stored.size(); ++i) spread_[j][column.stored[i]] = column.codes[i];
      }
      const auto codes_of = codes(j);
      sorted_[j] = targets.rows;
      std::stable_sort(sorted_[j].begin(), sorted_[j].end(),
                       [&](RowId a, RowId b) { return codes_of[a] < codes_of[b]; });
    });
  }

  [[nodiscard]] std::size_t n_columns() const noexcept { return table_->columns.size(); }
  [[nodiscard]] const EncodedColumn& column(std::size_t j) const { return table_->columns[j]; }
  [[nodiscard]] std::span<const std::uint32_t> codes(std::size_t j) const {
    return table_->columns[j].sparse ? std::span<const std::uint32_t>(spread_[j])
                                     : std::span<const std::uint32_t>(table_->columns[j].codes);
  }
  [[nodiscard]] double cell(std::size_t j, std::uint32_t code) const { return column(j).cell(code); }
  [[nodiscard]] std::vector<std::vector<RowId>> take_sorted() { return std::move(sorted_); }

 private:
  const EncodedTable* table_;
  std::vector<std::vector<std::uint32_t>> spread_;  // of sparse columns
  std::vector<std::vector<RowId>> sorted_;          // rows by code, missing last
};

template <class FamilyT>
class SurrogateEngine final : public FamilyEngine<FamilyT> {
 public:
  SurrogateEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)),
        codes_(table, targets),
        sides_(static_cast<std::size_t>(table.n_rows)) {
    lists_.push_back(codes_.take_sorted());
    rows_.push_back(targets.rows);
  }

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals = Base::best(tasks, monitor);
    if (!tasks.empty() && tasks.front().node == 0 && proposals.front().found)
      nothing_ = kNothing * proposals.front().split.gain;
    return proposals;
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    for (const RowId row : rows(node)) sides_[row] = side_of(row, proposal);
    const auto first = static_cast<EngineNode>(rows_.size());
    for (const std::int8_t side : {std::int8_t{0}, std::int8_t{1}}) {
      rows_.push_back(chosen(rows_[at(node)], side));
      std::vector<std::vector<RowId>> lists(codes_.n_columns());
      const auto& parent = lists_[at(node)];
      const auto one = [&](std::size_t j) { lists[j] = chosen(parent[j], side); };
      if (rows_[at(node)].size() * lists.size() >= internal_limits().parallel_cells) {
        parallel_for(lists.size(), one);
      } else {
        for (std::size_t j = 0; j < lists.size(); ++j) one(j);
      }
      lists_.push_back(std::move(lists));
    }
    std::vector<std::vector<RowId>>().swap(lists_[at(node)]);
    return {first, first + 1};
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return rows_[at(node)]; }

 private:
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::targets_;

  struct Found {
    Candidate candidate;
    double key = 0.0;  // what columns are compared by
    std::size_t n_missing = 0;
    bool constant = true;
    bool heuristic = false;
  };

  static std::size_t at(EngineNode node) noexcept { return static_cast<std::size_t>(node); }
  [[nodiscard]] bool learns() const noexcept { return options_.full.missing == MissingPolicy::learn; }
  [[nodiscard]] double cost(ColId column) const {
    return options_.full.costs.empty() ? 1.0 : options_.full.costs[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] std::vector<RowId> chosen(const std::vector<RowId>& rows, std::int8_t side) const {
    std::vector<RowId> out;
    for (const RowId row : rows)
      if (sides_[row] == side) out.push_back(row);
    return out;
  }

  Proposal search(const NodeTask& task, Monitor& monitor) override {
    Proposal proposal;
    const typename FamilyT::Node node = family_.node(rows(task.node));
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::vector<Found> found;
    for (std::size_t i = 0; i < task.columns.size(); ++i) {
      const bool all_constant =
          std::all_of(found.begin(), found.end(), [](const Found& f) { return f.constant; });
      if (i >= task.n_draw && !all_constant) break;
      monitor.tick();
      found.push_back(search_column(task, node, task.columns[i]));
      proposal.heuristic |= found.back().heuristic;
    }
    std::erase_if(found, [&](const Found& f) {
      return !f.candidate.found || (!learns() && !(f.candidate.gain > nothing_));
    });
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.key != b.key ? a.key > b.key : a.candidate.column < b.candidate.column;
    });
    if (!found.empty()) accept(task, found, proposal);
    return proposal;
  }

  Found search_column(const NodeTask& task, const typename FamilyT::Node& node, ColId id) {
    Found found;
    NodeColumn column = groups(task.node, id);
    found.n_missing = column.n_missing;
    typename FamilyT::Node known;
    // Nodes of families that are not additive are in order for the last set of rows they were asked about
    // only.
    const bool own = !learns() && (column.n_missing > 0 || !FamilyT::kAdditive);
    if (own) {
      const Rows sorted = lists_[at(task.node)][static_cast<std::size_t>(id)];
      known = family_.node(sorted.first(sorted.size() - column.n_missing));
      column.missing = {};
      column.n_missing = 0;
    }
    found.constant = column.constant();
    if (found.constant) return found;
    Scan<FamilyT> scan(family_, own ? known : node, task.limits, options_.scan);
    const int sign = options_.monotone.empty() ? 0 : options_.monotone[static_cast<std::size_t>(id)];
    found.candidate = scan.best(column, sign, mix(task.key, static_cast<std::uint64_t>(id)));
    found.heuristic = scan.used_heuristic();
    // Scores may leave out what is the same for all columns of a node; without the missing cells nothing is.
    found.key = (learns() ? found.candidate.score : found.candidate.gain) / cost(id);
    return found;
  }

  [[nodiscard]] NodeColumn groups(EngineNode node, ColId id) const {
    const auto j = static_cast<std::size_t>(id);
    NodeColumn out;
    out.id = id;
    out.kind = codes_.column(j).kind;
    const Rows list = lists_[at(node)][j];
    const auto codes = codes_.codes(j);
    std::size_t known = list.size();
    while (known > 0 && codes[list[known - 1]] == kMissingCode) --known;
    out.group(
        list, known, [&](std::size_t a, std::size_t b) { return codes[list[a]] == codes[list[b]]; },
        [&](std::size_t begin, std::size_t) { return codes_.cell(j, codes[list[begin]]); });
    return out;
  }

  void accept(const NodeTask& task, std::span<const Found> found, Proposal& proposal) const {
    const Candidate& c = found.front().candidate;
    const auto j = static_cast<std::size_t>(c.column);
    proposal.found = true;
    proposal.candidate = c;
    proposal.left_value = c.left_value;
    proposal.right_value = c.right_value;
    std::int64_t balance = 0;  // weight left minus weight right
    for (const RowId row : rows(task.node))
      if (const std::uint32_t code = codes_.codes(j)[row]; code != kMissingCode)
        balance += goes_left(c, codes_.cell(j, code)) ? targets_->weight(row) : -targets_->weight(row);
    const bool known = learns() && found.front().n_missing > 0;
    proposal.split = to_split(c, codes_.column(j).n_codes, known, balance > 0);
    for (const Found& other : found.subspan(1, std::min(found.size() - 1, options_.full.competitors)))
      proposal.alternatives.push_back(competitor(task.node, other));
    if (!learns()) send_missing(task, proposal);
  }

  [[nodiscard]] Alternative competitor(EngineNode node, const Found& found) const {
    const Split split =
        to_split(found.candidate, codes_.column(static_cast<std::size_t>(found.candidate.column)).n_codes,
                 learns() && found.n_missing > 0, false);
    Alternative out;
    out.role = AlternativeRole::competitor;
    out.kind = split.kind;
    out.column = split.column;
    out.threshold = split.threshold;
    out.map_levels = split.map_levels;
    out.map_children = split.map_children;
    out.n_rows = static_cast<std::int64_t>(found.n_missing);
    out.score = found.candidate.gain / cost(split.column);
    if (!left_is_lower(node, found.candidate)) {
      out.turned = split.kind != NodeKind::subset;
      for (std::uint16_t& child : out.map_children) child = child == 0 ? 1 : 0;
    }
    return out;
  }

  // Whether the rows on the left of a candidate have the lower mean of class numbers or values (of the first
  // target).
  [[nodiscard]] bool left_is_lower(EngineNode node, const Candidate& candidate) const {
    const auto j = static_cast<std::size_t>(candidate.column);
    int128 sums[2] = {0, 0};
    std::int64_t weights[2] = {0, 0};
    for (const RowId row : rows(node)) {
      const std::uint32_t code = codes_.codes(j)[row];
      if (code == kMissingCode) continue;
      const std::size_t side = goes_left(candidate, codes_.cell(j, code)) ? 0 : 1;
      const std::int64_t weight = targets_->weight(row);
      weights[side] += weight;
      sums[side] += static_cast<int128>(weight) * (targets_->is_classification()
                                                       ? std::int64_t{targets_->classes[0].codes[row]}
                                                       : targets_->numbers[0].fixed.values[row]);
    }
    const auto mean = [&](int side) {
      return static_cast<double>(sums[side]) / static_cast<double>(weights[side]);
    };
    return mean(0) < mean(1);
  }

  // Surrogates of the chosen split, and what becomes of the rows that they do not decide.
  void send_missing(const NodeTask& task, Proposal& proposal) const {
    const EngineNode node = task.node;
    const Candidate& c = proposal.candidate;
    const auto primary = static_cast<std::size_t>(c.column);
    thread_local Sides sides;  // only the node's rows are ever looked at
    if (sides.size() < sides_.size()) sides.resize(sides_.size());
    SideWeights decided;
    for (const RowId row : rows(node)) {
      const std::uint32_t code = codes_.codes(primary)[row];
      sides[row] = -1;
      if (code == kMissingCode) continue;
      sides[row] = goes_left(c, codes_.cell(primary, code)) ? 0 : 1;
      (sides[row] == 0 ? decided.left : decided.right) +=
          options_.full.weights.empty() ? 1.0 : options_.full.weights[row];
    }
    decided.even_left = !left_is_lower(node, c);
    proposal.shares = {decided.left / decided.total(), decided.right / decided.total()};
    std::vector<Alternative> surrogates;
    if (options_.full.missing == MissingPolicy::surrogate && options_.full.surrogates > 0) {
      for (std::size_t j = 0; j < codes_.n_columns(); ++j) {
        if (j == primary || !may_stand_in(task, c.column, static_cast<ColId>(j))) continue;
        const SurrogateColumn column{static_cast<ColId>(j), &codes_.column(j), codes_.codes(j),
                                     lists_[at(node)][j]};
        if (auto one = find_surrogate(column, sides, decided, options_.full))
          surrogates.push_back(std::move(*one));
      }
    }
    std::stable_sort(surrogates.begin(), surrogates.end(),
                     [](const Alternative& a, const Alternative& b) { return a.score > b.score; });
    surrogates.resize(std::min(surrogates.size(), options_.full.surrogates));
    const bool even = decided.left == decided.right;
    proposal.split.missing_to = options_.full.missing == MissingPolicy::stop ? missing_stops
                                : options_.full.else_stops || even           ? missing_surrogate_or_stops
                                                                             : missing_surrogate;
    if (c.kind == NodeKind::subset) proposal.split.unseen_to = proposal.split.missing_to;
    const std::size_t first = proposal.alternatives.size();
    for (Alternative& one : surrogates) proposal.alternatives.push_back(std::move(one));
    for (const RowId row : rows(node)) {
      if (sides[row] >= 0) continue;
      if (const Alternative* one = deciding(row, std::span(proposal.alternatives).subspan(first)))
        ++proposal.alternatives[static_cast<std::size_t>(one - proposal.alternatives.data())].n_rows;
    }
  }

  // A row that rises in a monotone column must not change sides of another column's split by it; and
  // whichever group of columns is used below the split must hold the surrogate's column too.
  [[nodiscard]] bool may_stand_in(const NodeTask& task, ColId primary, ColId other) const {
    if (!options_.monotone.empty() && options_.monotone[static_cast<std::size_t>(other)] != 0) return false;
    return std::all_of(task.groups.begin(), task.groups.end(), [&](std::uint32_t g) {
      const std::vector<ColId>& group = task.interactions[g];
      const auto holds = [&](ColId id) { return std::binary_search(group.begin(), group.end(), id); };
      return !holds(primary) || holds(other);
    });
  }

  // The first surrogate that has a cell to look at; null: none.
  [[nodiscard]] const Alternative* deciding(RowId row, std::span<const Alternative> tests) const {
    for (const Alternative& test : tests)
      if (test.role == AlternativeRole::surrogate && choice(row, test) >= 0) return &test;
    return nullptr;
  }
  [[nodiscard]] std::int32_t choice(RowId row, const Alternative& test) const {
    const auto j = static_cast<std::size_t>(test.column);
    const std::uint32_t code = codes_.codes(j)[row];
    return code == kMissingCode ? -1 : route_surrogate(test, codes_.cell(j, code));
  }

  // 0 left, 1 right, -1: the row stays.
  [[nodiscard]] std::int8_t side_of(RowId row, const Proposal& proposal) const {
    const Candidate& c = proposal.candidate;
    const auto j = static_cast<std::size_t>(c.column);
    const std::uint32_t code = codes_.codes(j)[row];
    if (code != kMissingCode) return goes_left(c, codes_.cell(j, code)) ? 0 : 1;
    if (learns()) return c.missing_left ? 0 : 1;
    if (const Alternative* test = deciding(row, proposal.alternatives))
      return static_cast<std::int8_t>(choice(row, *test));
    if (proposal.split.missing_to != missing_surrogate) return -1;
    return proposal.shares[1] > proposal.shares[0] ? 1 : 0;
  }

  DenseCodes codes_;
  std::vector<std::vector<RowId>> rows_;  // per node
  std::vector<std::vector<std::vector<RowId>>>
      lists_;    // per open node and column: rows by code, missing last
  Sides sides_;  // of the rows of the node that is being divided
  double nothing_ = 0.0;
};

}  // namespace

std::unique_ptr<Engine> make_surrogate_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options) {
  return make_family_engine<SurrogateEngine>(table, targets, options);
}

}  // namespace bough
