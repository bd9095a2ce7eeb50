// SPDX-License-Identifier: Apache-2.0
// Plans: what they hold, as bytes and back.
#include "scale/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/pack.hpp"
#include "data/planned_codes.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kPlanMagic = 0x314e4c504247554fULL;

void put_texts(Packer& to, const std::vector<std::string>& texts) {
  to.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) to.put(text);
}

std::vector<std::string> get_texts(Unpacker& from) {
  std::vector<std::string> texts(from.size(8));
  for (std::string& text : texts) text = from.text();
  return texts;
}

template <class T>
void put_maybe(Packer& to, const std::optional<T>& value) {
  to.put(static_cast<std::uint8_t>(value ? static_cast<unsigned>(*value) + 1 : 0));
}

template <class T>
std::optional<T> get_maybe(Unpacker& from, unsigned count) {
  const auto value = from.choice<std::uint8_t>(count + 1);
  return value == 0 ? std::nullopt : std::optional<T>(static_cast<T>(value - 1));
}

void put_spec(Packer& to, const FitSpec& spec) {
  put_texts(to, spec.targets);
  to.put(spec.weight);
  put_texts(to, spec.ignored);
  to.put(static_cast<std::uint64_t>(spec.columns.size()));
  for (const ColumnSpec& column : spec.columns) {
    to.put(column.name);
    put_maybe(to, column.kind);
    put_maybe(to, column.role);
    put_texts(to, column.order);
  }
  to.put(static_cast<std::uint8_t>(spec.folds.kind)).put(spec.folds.column).put(spec.treatment);
}

FitSpec get_spec(Unpacker& from) {
  FitSpec spec;
  spec.targets = get_texts(from);
  spec.weight = from.text();
  spec.ignored = get_texts(from);
  spec.columns.resize(from.size(18));
  for (ColumnSpec& column : spec.columns) {
    column.name = from.text();
    column.kind = get_maybe<Kind>(from, 3);
    column.role = get_maybe<Role>(from, 6);
    column.order = get_texts(from);
  }
  spec.folds.kind = from.choice<FoldSpec::Kind>(4);
  spec.folds.column = from.text();
  spec.treatment = from.text();
  return spec;
}

void put_schema(Packer& to, const Schema& schema) {
  to.put(static_cast<std::uint64_t>(schema.fields.size()));
  for (const Field& field : schema.fields) {
    to.put(field.name).put(static_cast<std::uint8_t>(field.kind)).put(static_cast<std::uint8_t>(field.role));
    to.put(static_cast<std::uint8_t>(field.levels.type));
    put_texts(to, field.levels.names);
    to.put(field.levels.numbers);
  }
}

Schema get_schema(Unpacker& from) {
  Schema schema;
  schema.fields.resize(from.size(27));
  for (Field& field : schema.fields) {
    field.name = from.text();
    field.kind = from.choice<Kind>(3);
    field.role = from.choice<Role>(6);
    field.levels.type = from.choice<Levels::Type>(4);
    field.levels.names = get_texts(from);
    field.levels.numbers = from.all<double>();
    const bool text = field.levels.type == Levels::Type::text;
    if (field.levels.numbers.size() != (text ? 0 : field.levels.names.size()))
      from.fail("contradict themselves");
  }
  return schema;
}

PlanColumn get_cuts(Unpacker& from) {
  PlanColumn column;
  column.is_float = from.yes();
  column.dense = from.yes();
  column.cuts = from.all<double>();
  if (column.cuts.size() >= kBuckets - 1 ||
      std::any_of(column.cuts.begin(), column.cuts.end(), [](double x) { return std::isnan(x); }) ||
      !std::is_sorted(column.cuts.begin(), column.cuts.end()))
    from.fail("hold cuts that are none");
  return column;
}

void check(const ScalePlan::Parts& parts, const Unpacker& from) {
  bool right = parts.columns.size() == parts.features.fields.size() && !parts.features.fields.empty() &&
               !parts.targets.fields.empty();
  right = right && parts.n_rows > 0 && criterion_info(parts.criterion).task == parts.task;
  right = right && (parts.class_factors.empty() || parts.class_factors.size() == parts.targets.fields.size());
  for (std::size_t o = 0; right && o < parts.class_factors.size(); ++o)
    right = parts.class_factors[o].size() == parts.targets.fields[o].levels.size() &&
            parts.task == Task::classification;
  right = right && parts.weighted == (!parts.spec.weight.empty() || !parts.class_factors.empty());
  if (!right) from.fail("contradict themselves");
}

}  // namespace

ScalePlan::ScalePlan(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

std::string ScalePlan::bytes() const {
  const Parts& p = *parts_;
  Packer to;
  to.put(kPlanMagic);
  put_spec(to, p.spec);
  to.put(params_to_json(p.params))
      .put(static_cast<std::uint8_t>(p.task))
      .put(static_cast<std::uint8_t>(p.criterion));
  put_schema(to, p.features);
  put_schema(to, p.targets);
  to.put(p.n_rows).put(static_cast<std::uint64_t>(p.columns.size()));
  for (const PlanColumn& column : p.columns)
    to.put(static_cast<std::uint8_t>(column.is_float))
        .put(static_cast<std::uint8_t>(column.dense))
        .put(column.cuts);
  to.put(static_cast<std::uint8_t>(p.weighted)).put(static_cast<std::uint64_t>(p.class_factors.size()));
  for (const std::vector<double>& factors : p.class_factors) to.put(factors);
  put_texts(to, p.notes);
  put_texts(to, p.later_notes);
  return to.take();
}

ScalePlan ScalePlan::from_bytes(std::string_view bytes) {
  Unpacker from(bytes, "a plan");
  if (from.get<std::uint64_t>() != kPlanMagic) from.fail("are none");
  Parts p;
  p.spec = get_spec(from);
  try {
    p.params = params_from_json(from.text());
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, std::string("the parameters of a plan make no sense: ") + error.what());
  }
  p.task = from.choice<Task>(2);
  p.criterion = from.choice<CriterionId>(static_cast<unsigned>(kCriteria.size()));
  p.features = get_schema(from);
  p.targets = get_schema(from);
  p.n_rows = from.get<std::int64_t>();
  const std::size_t n_columns = from.size(10);
  for (std::size_t j = 0; j < n_columns; ++j) p.columns.push_back(get_cuts(from));
  p.weighted = from.yes();
  const std::size_t n_factors = from.size(8);
  for (std::size_t o = 0; o < n_factors; ++o) p.class_factors.push_back(from.all<double>());
  p.notes = get_texts(from);
  p.later_notes = get_texts(from);
  from.end();
  check(p, from);
  return ScalePlan(std::move(p));
}

std::int64_t ScalePlan::n_rows() const noexcept {
  return parts_->n_rows;
}

std::int64_t ScalePlan::bytes_per_row() const noexcept {
  const std::size_t n_slots = parts_->columns.size();
  std::size_t bytes = n_slots + (n_slots + 1 + 15) / 16 * 16 + (parts_->weighted ? sizeof(double) : 0);
  for (std::size_t j = 0; j < n_slots; ++j) {
    const Field& field = parts_->features.fields[j];
    if (field.kind == Kind::numeric) bytes += parts_->columns[j].is_float ? sizeof(float) : sizeof(double);
    if (field.levels.size() > internal_limits().byte_levels) bytes += sizeof(std::uint32_t);
  }
  const std::size_t target = parts_->task == Task::classification ? sizeof(std::uint32_t) : sizeof(double);
  return static_cast<std::int64_t>(bytes + parts_->targets.fields.size() * target);
}

const Params& ScalePlan::params() const noexcept {
  return parts_->params;
}

const Schema& ScalePlan::features() const noexcept {
  return parts_->features;
}

const Schema& ScalePlan::targets() const noexcept {
  return parts_->targets;
}

}  // namespace bough
