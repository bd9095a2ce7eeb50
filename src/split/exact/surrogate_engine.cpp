// SPDX-License-Identifier: Apache-2.0
// The surrogate engine: searches like the lists engine, but keeps the best split of every column (competitors),
// divides what a split improves by the cost of its column, and can leave missing cells out of the search, to
// send their rows by surrogates or to let them stay.
//
// Where missing cells are left out, a column is judged by its gain on the rows whose cell is known: a column
// of many missing cells has less to gain. A split must then gain something (more than kNothing of the root's
// best gain).
#include <algorithm>

#include "split/column_search.hpp"
#include "split/exact/family_engine.hpp"
#include "split/exact/lists.hpp"
#include "split/exact/surrogates.hpp"
#include "tree/surrogate.hpp"

namespace bough {
namespace {

constexpr double kNothing = 1e-10;

// The table with its sparse columns written out; empty where there are none.
EncodedTable written_out(const EncodedTable& table) {
  const auto sparse = [](const EncodedColumn& column) { return column.sparse; };
  if (std::none_of(table.columns.begin(), table.columns.end(), sparse)) return {};
  EncodedTable out = table;
  for (EncodedColumn& column : out.columns) {
    if (!column.sparse) continue;
    std::vector<std::uint32_t> codes(static_cast<std::size_t>(table.n_rows), column.zero_code);
    for (std::size_t i = 0; i < column.stored.size(); ++i) codes[column.stored[i]] = column.codes[i];
    column.codes = std::move(codes);
    column.stored.clear();
    column.sparse = false;
  }
  return out;
}

template <class FamilyT>
class SurrogateEngine final : public FamilyEngine<FamilyT> {
 public:
  SurrogateEngine(const EncodedTable& table, const Targets& targets, EngineOptions options, FamilyT family)
      : Base(table, targets, std::move(options), std::move(family)),
        dense_(written_out(table)),
        lists_(dense_.columns.empty() ? table : dense_, targets) {
    if (!dense_.columns.empty()) table_ = &dense_;
  }

  std::vector<Proposal> best(std::span<const NodeTask> tasks, Monitor& monitor) override {
    std::vector<Proposal> proposals = Base::best(tasks, monitor);
    if (!tasks.empty() && tasks.front().node == 0 && proposals.front().found)
      nothing_ = kNothing * proposals.front().split.gain;
    return proposals;
  }

  std::vector<EngineNode> split(EngineNode node, const Proposal& proposal) override {
    return lists_.divide(node, [&](RowId row) { return side_of(row, proposal); });
  }

  [[nodiscard]] Rows rows(EngineNode node) const override { return lists_.rows(node); }

 private:
  using Base = FamilyEngine<FamilyT>;
  using Base::family_;
  using Base::options_;
  using Base::table_;
  using Base::targets_;

  struct Found : ColumnFound {
    double key = 0.0;  // what columns are compared by
    std::size_t n_missing = 0;
  };

  [[nodiscard]] const EncodedColumn& column_of(ColId id) const {
    return table_->columns[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] bool learns() const noexcept { return options_.full.missing == MissingPolicy::learn; }
  [[nodiscard]] double cost(ColId column) const {
    return options_.full.costs.empty() ? 1.0 : options_.full.costs[static_cast<std::size_t>(column)];
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
    std::vector<RowId> zeros;  // no column is sparse
    NodeColumn column = lists_.column(task.node, id, zeros);
    found.n_missing = column.n_missing;
    typename FamilyT::Node known;
    // Nodes of families that are not additive are in order for the last set of rows they were asked about
    // only.
    const bool own = !learns() && (column.n_missing > 0 || !FamilyT::kAdditive);
    if (own) {
      const Rows sorted = lists_.sorted(task.node, id);
      known = family_.node(sorted.first(sorted.size() - column.n_missing));
      column.missing = {};
      column.n_missing = 0;
    }
    static_cast<ColumnFound&>(found) = scan_column(family_, own ? known : node, task, options_, column);
    // Scores may leave out what is the same for all columns of a node; without the missing cells nothing is.
    found.key = (learns() ? found.candidate.score : found.candidate.gain) / cost(id);
    return found;
  }

  void accept(const NodeTask& task, std::span<const Found> found, Proposal& proposal) const {
    const Candidate& c = found.front().candidate;
    proposal.found = true;
    proposal.candidate = c;
    proposal.left_value = c.left_value;
    proposal.right_value = c.right_value;
    std::int64_t balance = 0;  // weight left minus weight right
    for (const RowId row : rows(task.node))
      if (const std::int8_t side = lists_.side(c, row); side >= 0)
        balance += side == 0 ? targets_->weight(row) : -targets_->weight(row);
    const bool known = learns() && found.front().n_missing > 0;
    proposal.split = to_split(c, column_of(c.column).n_codes, known, balance > 0);
    for (const Found& other : found.subspan(1, std::min(found.size() - 1, options_.full.competitors)))
      proposal.alternatives.push_back(competitor(task.node, other));
    if (!learns()) send_missing(task, proposal);
  }

  [[nodiscard]] Alternative competitor(EngineNode node, const Found& found) const {
    const Split split = to_split(found.candidate, column_of(found.candidate.column).n_codes,
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
    int128 sums[2] = {0, 0};
    std::int64_t weights[2] = {0, 0};
    for (const RowId row : rows(node)) {
      const std::int8_t side = lists_.side(candidate, row);
      if (side < 0) continue;
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
    thread_local Sides sides;  // only the node's rows are ever looked at
    sides.resize(std::max(sides.size(), static_cast<std::size_t>(table_->n_rows)));
    SideWeights decided;
    for (const RowId row : rows(node)) {
      sides[row] = lists_.side(c, row);
      if (sides[row] < 0) continue;
      (sides[row] == 0 ? decided.left : decided.right) +=
          options_.full.weights.empty() ? 1.0 : options_.full.weights[row];
    }
    decided.even_left = !left_is_lower(node, c);
    proposal.shares = {decided.left / decided.total(), decided.right / decided.total()};
    std::vector<Alternative> surrogates;
    if (options_.full.missing == MissingPolicy::surrogate && options_.full.surrogates > 0) {
      for (std::size_t j = 0; j < table_->columns.size(); ++j) {
        const auto id = static_cast<ColId>(j);
        if (id == c.column || !may_stand_in(task, c.column, id)) continue;
        const SurrogateColumn column{id, &column_of(id), column_of(id).codes, lists_.sorted(node, id)};
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
    const std::uint32_t code = column_of(test.column).codes[row];
    return code == kMissingCode ? -1 : route_surrogate(test, column_of(test.column).cell(code));
  }

  // 0 left, 1 right, -1: the row stays.
  [[nodiscard]] std::int8_t side_of(RowId row, const Proposal& proposal) const {
    const Candidate& c = proposal.candidate;
    if (const std::int8_t side = lists_.side(c, row); side >= 0) return side;
    if (learns()) return c.missing_left ? 0 : 1;
    if (const Alternative* test = deciding(row, proposal.alternatives))
      return static_cast<std::int8_t>(choice(row, *test));
    if (proposal.split.missing_to != missing_surrogate) return -1;
    return proposal.shares[1] > proposal.shares[0] ? 1 : 0;
  }

  EncodedTable dense_;  // where the table has sparse columns
  Lists lists_;
  double nothing_ = 0.0;
};

}  // namespace

std::unique_ptr<Engine> make_surrogate_engine(const EncodedTable& table, const Targets& targets,
                                              const EngineOptions& options) {
  return make_family_engine<SurrogateEngine>(table, targets, options);
}

}  // namespace bough
