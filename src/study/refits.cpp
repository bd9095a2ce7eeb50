// SPDX-License-Identifier: Apache-2.0
// Refits: the arranged table, shuffled targets, and the loop that runs them.
#include "study/refits.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "bough/choose_tree.hpp"
#include "bough/prune.hpp"
#include "model/progress.hpp"
#include "model/treatment.hpp"
#include "params/conflicts.hpp"

namespace bough {
namespace {

// Views of some columns, which keep the memory of the whole table alive.
Table columns_of(const Table& table, std::span<const std::string> names) {
  Table out;
  out.hold(std::make_shared<const Table>(table));
  std::vector<std::string> absent;
  for (const std::string& name : names) {
    const auto index = table.find(name);
    if (!index)
      absent.push_back(fmt::format("'{}'", name));
    else if (!out.find(name))
      append_column(out, table, *index);
  }
  if (absent.empty()) return out;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.n_columns(); ++i) all.push_back(table.name(i));
  throw Error(ErrorCode::bad_data,
              fmt::format("the table lacks {} {}: {}", absent.size(),
                          absent.size() == 1 ? "column" : "columns", list_some(absent, 12)),
              fmt::format("give the rows that the model was trained on; the columns here are {}",
                          list_some(all, 12)));
}

std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema.fields) names.push_back(field.name);
  return names;
}

// Choosing the size again for every refit would take minutes: what was chosen stays. The price gives the tree of all rows
// again; a search of that many leaves alone may find another one.
void keep_choice(const Model& model, Params& params) {
  constexpr std::int64_t kWork = 2'000'000;
  const std::optional<SizeTable> sizes = size_table(model);
  if (params.search != "auto" || !sizes) return;
  const SizeRow& chosen = sizes->rows[sizes->chosen];
  params.shrinkage = {.strength = chosen.shrinkage};
  if (chosen.searched) {
    params.search = "anytime";
    params.max_leaf_nodes = chosen.leaves;
    params.work_limit = params.work_limit.value_or(kWork);
  } else if (const auto& table = model.parts().pruning_table) {
    params.search = "greedy";
    params.pruning = "cost_complexity";
    const std::size_t next = table->chosen + 1;
    params.ccp_alpha = price_between(
        table->alphas[table->chosen],
        next < table->alphas.size() ? table->alphas[next] : std::numeric_limits<double>::infinity());
  }
  reset_idle_params(params);
}

}  // namespace

void append_column(Table& out, const Table& table, std::size_t index) {
  if (const auto* dense = std::get_if<ColumnView>(&table.column(index))) {
    out.view(table.name(index), *dense);
  } else {
    out.view(table.name(index), std::get<SparseView>(table.column(index)));
  }
}

RefitJob::RefitJob(const Model& model, const Table& rows, const RefitOptions& options)
    : params(model.params()) {
  if (model.trees().size() != 1 || model.parts().combine != Combine::single)
    throw Error(ErrorCode::not_supported,
                fmt::format("studies grow a single tree again on other rows, but the model has {} trees",
                            model.trees().size()),
                "study a model of one tree");
  refuse_treatment(model, "a study of refits");
  if (rows.n_rows() == 0) throw Error(ErrorCode::bad_data, "the table has no rows", "give the training rows");
  std::vector<std::string> names = names_of(model.features());
  spec.targets = names_of(model.targets());
  names.insert(names.end(), spec.targets.begin(), spec.targets.end());
  spec.weight = options.weight;
  spec.folds = options.folds;
  if (!spec.weight.empty()) names.push_back(spec.weight);
  if (!spec.folds.column.empty()) names.push_back(spec.folds.column);
  table = columns_of(rows, names);
  spec.columns = schema_specs(model.features());
  params.task = model.task() == Task::classification ? "classification" : "regression";
  keep_choice(model, params);
}

Model RefitJob::fit(const Table& rows, const Execution& execution) const {
  return bough::fit(rows, spec, params, execution);
}

Table RefitJob::shuffled(std::span<const RowId> order) const {
  std::vector<std::string> moved = spec.targets;
  if (!spec.weight.empty()) moved.push_back(spec.weight);
  const Table parts = columns_of(table, moved).take(order);
  Table out;
  out.hold(std::make_shared<const Table>(table));
  out.hold(std::make_shared<const Table>(parts));
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const auto index = parts.find(table.name(i));
    index ? append_column(out, parts, *index) : append_column(out, table, i);
  }
  return out;
}

Model refit(const Model& model, const Table& table, const RefitOptions& options, const Execution& execution) {
  return RefitJob(model, table, options).fit(execution);
}

void for_each_run(std::size_t count, const Execution& execution, std::string_view stage,
                  const std::function<void(std::size_t, const Execution&)>& body) {
  Monitor monitor(report_to(execution));
  monitor.stage(stage);
  monitor.total(static_cast<std::int64_t>(count));
  Execution inner{.threads = 1, .progress = {}, .engine = execution.engine};
  if (execution.progress) {
    inner.progress = [&](const Progress&) {
      try {
        monitor.tick();
        return true;
      } catch (const Error&) {
        return false;
      }
    };
  }
  with_threads(execution.threads, [&] {
    parallel_for(count, [&](std::size_t i) {
      monitor.tick();
      body(i, inner);
      monitor.advance(1);
    });
  });
}

std::string attempt(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data && error.code() != ErrorCode::bad_params) throw;
    return error.what();
  }
  return {};
}

std::vector<RowId> shuffled_rows(std::int64_t n_rows, std::uint64_t key) {
  std::vector<RowId> order(static_cast<std::size_t>(n_rows));
  std::iota(order.begin(), order.end(), RowId{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(below(draw(key, i), i))]);
  return order;
}

void require_at_least(std::int64_t value, std::int64_t low, std::string_view name) {
  if (value < low)
    throw Error(ErrorCode::bad_params, fmt::format("{} must be at least {}, but is {}", name, low, value));
}

}  // namespace bough
