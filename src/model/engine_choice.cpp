// SPDX-License-Identifier: Apache-2.0
// The table of engines: the first whose condition holds searches.
#include "model/engine_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/buckets.hpp"
#include "split/engine.hpp"
#include "split/ranked/ranked.hpp"

namespace bough {
namespace {

bool has_sparse(const Table& table, const Schema& features) {
  return std::any_of(features.fields.begin(), features.fields.end(), [&](const Field& field) {
    return std::holds_alternative<SparseView>(table.column(table.find(field.name).value()));
  });
}

// Whether most columns have hardly a number twice, as far as a few rows can tell.
bool mostly_distinct(const CodedTable& table) {
  constexpr std::size_t n_sample = 32;
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  const std::size_t n_columns = table.columns.size();
  if (n_rows < n_sample) return false;
  std::size_t n_distinct = 0;
  for (std::size_t j = 0; j < n_columns && 2 * (n_distinct + n_columns - j) > n_columns; ++j) {
    const CodedColumn& column = table.columns[j];
    if (column.kind != Kind::numeric) continue;
    std::array<double, n_sample> cells;
    for (std::size_t i = 0; i < n_sample; ++i) {
      const double cell = column.numbers.at(static_cast<RowId>(i * n_rows / n_sample));
      cells[i] = std::isnan(cell) ? 0.0 : cell;
    }
    std::sort(cells.begin(), cells.end());
    const auto distinct = std::unique(cells.begin(), cells.end()) - cells.begin();
    n_distinct += distinct > static_cast<std::ptrdiff_t>(n_sample - n_sample / 8) ? 1 : 0;
  }
  return 2 * n_distinct > n_columns;
}

}  // namespace

// What the conditions see.
struct EngineTable::Search {
  const Targets& targets;
  const GrowSpec& spec;
  const EngineRequest& request;
  std::size_t n_columns;
  bool sparse;  // some column is stored so

  [[nodiscard]] bool fast_fits() const {
    const bool forced = request.forced == "lists" || request.forced == "sparse";
    return !forced && !sparse && fast_engine_fits(targets, spec.engine, n_columns, request.most_rows);
  }
  [[nodiscard]] bool sparse_fits() const {
    return request.forced != "lists" && (sparse || request.forced == "sparse") && !request.buckets &&
           sparse_engine_fits(targets, spec.engine);
  }
};

struct EngineTable::Choice {
  std::string_view name;
  bool (*fits)(const Search& search);
  Maker make;
};

const EngineTable::Choice& EngineTable::choose(const Search& search) {
  static constexpr std::array<Choice, 5> choices{{
      {"surrogate", [](const Search& of) { return of.spec.engine.full.wanted; },
       [](const EngineTable& table, const Targets& of, const GrowSpec& how) {
         return make_surrogate_engine(*table.encoded_, of, how.engine);
       }},
      {"fast", [](const Search& of) { return of.fast_fits(); },
       [](const EngineTable& table, const Targets& of, const GrowSpec& how) {
         return make_fast_engine(*table.codes_, of, how.engine);
       }},
      {"oblique", [](const Search& of) { return of.spec.engine.oblique.wanted; },
       [](const EngineTable& table, const Targets& of, const GrowSpec& how) {
         return make_oblique_engine(*table.encoded_, of, how.engine);
       }},
      {"sparse", [](const Search& of) { return of.sparse_fits(); },
       [](const EngineTable& table, const Targets& of, const GrowSpec& how) {
         return make_sparse_engine(*table.encoded_, of, how.engine);
       }},
      {"lists", [](const Search&) { return true; },
       [](const EngineTable& table, const Targets& of, const GrowSpec& how) {
         return make_any_lists(*table.encoded_, of, how);
       }},
  }};
  return *std::ranges::find_if(choices, [&](const Choice& choice) { return choice.fits(search); });
}

EngineTable::EngineTable(const Table& table, const Schema& features, const Targets& targets, GrowSpec& spec,
                         const EngineRequest& request, Fingerprint& fingerprint, Monitor& monitor) {
  const bool sparse = has_sparse(table, features);
  if (request.buckets && sparse)
    throw Error(ErrorCode::not_supported, "splitter=hist is for dense columns, but some are sparse",
                "use splitter=best");
  const Choice& choice = choose({targets, spec, request, features.fields.size(), sparse});
  name_ = choice.name;
  make_ = choice.make;
  if (name_ == "fast" || request.buckets)
    code(table, features, targets, spec, request, fingerprint, monitor);
  else
    encoded_ = encode(table, features, fingerprint, monitor);
}

void EngineTable::code(const Table& table, const Schema& features, const Targets& targets, GrowSpec& spec,
                       const EngineRequest& request, Fingerprint& fingerprint, Monitor& monitor) {
  const bool finish = !request.buckets && engines_may_finish(spec);
  const bool cells_only =
      finish && fast_engine_needs_cells_only(targets, spec.engine, request.most_rows, spec.max_depth);
  // Ranks take several bytes of every cell: up to as many cells as 256 columns of so many rows have.
  // One thread grows such a tree: with more of them it must be so much smaller, or the others would be faster.
  const std::size_t most =
      internal_limits().ranked_single_rows / static_cast<std::size_t>(available_threads());
  const bool one_tree = !request.many_trees && request.most_rows <= most &&
                        static_cast<std::size_t>(table.n_rows()) * features.fields.size() <= 256 * most;
  const bool ranks =
      finish && name_ == "fast" && ranked_engine_fits(targets, spec.engine) &&
      (request.forced == "ranked" || (request.forced == "auto" && (request.many_trees || one_tree))) &&
      may_rank(table, features);
  // Ranks are made from cells; trees of a forest that the ranked engine does not know search codes.
  const bool first_cells = cells_only || (ranks && (!request.many_trees || request.alike));
  const CodeUse use = first_cells ? CodeUse::cells : request.buckets ? CodeUse::buckets : CodeUse::search;
  CodedTable codes = make_codes(table, features, use, fingerprint, monitor);
  if (request.buckets) spec.engine.buckets = use_buckets(codes);
  if (name_ != "fast") {
    encoded_ = encode_buckets(codes);
    return;
  }
  // Small trees of classes on such columns are grown before the columns are ranked.
  const bool sorted_lists = cells_only && !request.many_trees && request.forced == "auto" &&
                            targets.is_classification() && mostly_distinct(codes);
  if (ranks && !sorted_lists) ranked_ = rank_table(codes, monitor);
  if (ranked_) name_ = "ranked";
  if (!ranked_ && first_cells && !cells_only)
    codes = make_codes(table, features, CodeUse::search, fingerprint, monitor);
  put_classes(codes, targets);
  if (!ranked_ && request.many_trees && spec.max_features > 0 && spec.max_features < features.fields.size() &&
      !spec.engine.scan.random)
    add_ranks(codes, monitor);
  codes_ = std::move(codes);
}

std::unique_ptr<Engine> EngineTable::engine(const Targets& targets, const GrowSpec& spec) const {
  // Trees of one forest may have weights of different kinds, so each is asked by itself; codes serve the others.
  if (ranked_ && ranked_engine_fits(targets, spec.engine))
    return make_ranked_engine(*ranked_, targets, spec.engine);
  return make_(*this, targets, spec);
}

std::unique_ptr<Engine> make_any_lists(const EncodedTable& table, const Targets& targets,
                                       const GrowSpec& spec) {
  return spec.engine.arms.wanted ? make_treatment_engine(table, targets, spec.engine, spec.variance_price)
                                 : make_lists_engine(table, targets, spec.engine);
}

}  // namespace bough
