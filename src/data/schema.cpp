// SPDX-License-Identifier: Apache-2.0
// infer_schema: from physical types and the user's wishes to kinds, roles and levels.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "bough/table.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"
#include "data/levels.hpp"

namespace bough {
namespace {

std::vector<std::string> quoted_all(std::span<const std::string> names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(fmt::format("\"{}\"", name));
  return quoted;
}

/// One request per column: later members win over earlier ones.
std::map<std::string, ColumnSpec, std::less<>> merge_specs(const Table& table,
                                                           std::span<const ColumnSpec> specs) {
  std::map<std::string, ColumnSpec, std::less<>> merged;
  if (specs.empty()) return merged;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  std::vector<std::string> unknown;
  for (const ColumnSpec& spec : specs) {
    if (!table.find(spec.name)) {
      const std::string near = nearest_name(spec.name, names);
      unknown.push_back(near.empty() ? fmt::format("\"{}\"", spec.name)
                                     : fmt::format("\"{}\" (is it \"{}\"?)", spec.name, near));
      continue;
    }
    ColumnSpec& own = merged[spec.name];
    own.name = spec.name;
    if (spec.kind) own.kind = spec.kind;
    if (spec.role) own.role = spec.role;
    if (!spec.order.empty()) own.order = spec.order;
  }
  if (!unknown.empty())
    throw Error(ErrorCode::bad_params, fmt::format("the table has no column {}", list_some(unknown, 10)),
                fmt::format("its columns are {}", list_some(quoted_all(names), 12)));
  return merged;
}

/// The user's order as levels of the type that the column's values have.
Levels ordered_levels(const std::string& name, const Levels& present, std::span<const std::string> order) {
  Levels levels;
  levels.type = present.type;
  std::vector<std::string> bad;
  for (const std::string& word : order) {
    if (present.type == Levels::Type::text) {
      levels.names.push_back(word);
      continue;
    }
    const std::optional<double> number = level_number(present.type, word);
    if (number && *number == *number) {
      levels.numbers.push_back(*number);
    } else {
      bad.push_back(fmt::format("\"{}\"", word));
    }
  }
  if (!bad.empty())
    throw Error(ErrorCode::bad_params,
                fmt::format("the order of column \"{}\" lists {}, but its cells are numbers", name,
                            list_some(bad, 5)));
  if (present.type == Levels::Type::boolean) {
    for (const double number : levels.numbers) levels.names.push_back(level_name(present.type, number));
  } else if (present.type != Levels::Type::text) {
    levels = number_levels(std::move(levels.numbers));
  }
  std::vector<std::string> sorted = levels.names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(ErrorCode::bad_params,
                fmt::format("the order of column \"{}\" lists \"{}\" twice", name, *twice));
  return levels;
}

/// Throws when the column holds values that the order does not name.
void check_order_covers(const std::string& name, const Levels& present, const Levels& order) {
  std::vector<std::string> known = order.names;
  std::sort(known.begin(), known.end());
  std::vector<std::string> absent;
  for (const std::string& value : present.names)
    if (!std::binary_search(known.begin(), known.end(), value))
      absent.push_back(fmt::format("\"{}\"", value));
  if (!absent.empty())
    throw Error(
        ErrorCode::bad_data,
        fmt::format("column \"{}\" holds {}, which its order does not list", name, list_some(absent, 10)),
        "name every value in the order, from low to high");
}

Levels ordinal_levels(const std::string& name, const Table::Column& column,
                      std::span<const std::string> order) {
  const Levels present = collect_levels(column);
  if (order.empty()) {
    if (present.type == Levels::Type::text && present.size() > 0)
      throw Error(ErrorCode::bad_params,
                  fmt::format("column \"{}\" is ordinal and holds text, but no order was given", name),
                  fmt::format("list its values from low to high; they are {}",
                              list_some(quoted_all(present.names), 12)));
    return present;
  }
  Levels levels = ordered_levels(name, present, order);
  check_order_covers(name, present, levels);
  return levels;
}

void check_numbers(const std::string& name, const Table& table, const Table::Column& column,
                   std::string_view use) {
  if (is_number_column(column)) return;
  for (std::int64_t row = 0; row < table.n_rows(); ++row) {
    if (is_missing(column, row)) continue;
    throw Error(ErrorCode::bad_data,
                fmt::format("column \"{}\" is to be {} but holds text, first in row {}: \"{}\"", name, use,
                            row + 1, cell_text(column, row)),
                "read it as numbers, or choose another kind");
  }
}

Kind inferred_kind(const Table::Column& column) {
  const Dtype dtype = value_type(column);
  return dtype == Dtype::text || is_boolean(dtype) ? Kind::category : Kind::numeric;
}

Field infer_field(const Table& table, std::size_t index, const ColumnSpec& spec) {
  const Table::Column& column = table.column(index);
  Field field;
  field.name = table.name(index);
  field.role = spec.role.value_or(Role::feature);
  field.kind = spec.kind.value_or(spec.order.empty() ? inferred_kind(column) : Kind::ordinal);
  if (field.role == Role::weight) {
    check_numbers(field.name, table, column, "the weight");
    field.kind = Kind::numeric;
  }
  if (!spec.order.empty() && field.kind != Kind::ordinal)
    throw Error(ErrorCode::bad_params,
                fmt::format("column \"{}\" was given an order but is not ordinal", field.name),
                "make it ordinal, or leave the order out");
  if (field.role == Role::ignored) return field;
  if (field.kind == Kind::numeric) check_numbers(field.name, table, column, "numeric");
  if (field.kind == Kind::category) field.levels = collect_levels(column);
  if (field.kind == Kind::ordinal) field.levels = ordinal_levels(field.name, column, spec.order);
  return field;
}

}  // namespace

std::optional<std::size_t> Schema::find(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return i;
  return std::nullopt;
}

Schema infer_schema(const Table& table, std::span<const ColumnSpec> specs) {
  const auto merged = merge_specs(table, specs);
  Schema schema;
  schema.fields.reserve(table.n_columns());
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const auto spec = merged.find(table.name(i));
    schema.fields.push_back(infer_field(table, i, spec == merged.end() ? ColumnSpec{} : spec->second));
  }
  return schema;
}

std::vector<ColumnSpec> schema_specs(const Schema& schema) {
  std::vector<ColumnSpec> specs;
  for (const Field& field : schema.fields) {
    ColumnSpec spec{field.name, field.kind, field.role, {}};
    if (field.kind == Kind::ordinal) spec.order = field.levels.names;
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace bough
