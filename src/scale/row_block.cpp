// SPDX-License-Identifier: Apache-2.0
// Rows of a table to the image of a block.
#include "scale/row_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "model/bag_marks.hpp"
#include "model/prepare_rules.hpp"
#include "scale/block_image.hpp"
#include "scale/block_table.hpp"
#include "scale/plan.hpp"

namespace bough {
namespace {

constexpr std::size_t kRowsAtOnce = 1 << 14;

BlockShape shape_of(const ScalePlan::Parts& plan, std::int64_t n_rows, std::int64_t first_row) {
  BlockShape shape;
  shape.first_row = first_row;
  shape.n_rows = n_rows;
  for (std::size_t j = 0; j < plan.features.fields.size(); ++j) {
    const Field& field = plan.features.fields[j];
    shape.columns.push_back({field.kind, field.levels.size(), plan.columns[j]});
  }
  for (const Field& field : plan.targets.fields) {
    if (plan.task == Task::classification)
      shape.n_classes.push_back(static_cast<std::uint32_t>(field.levels.size()));
    else
      ++shape.n_numbers;
  }
  shape.weighted = plan.weighted;
  return shape;
}

/// Fills the parts of an image.
class BlockWriter {
 public:
  BlockWriter(const Table& table, const ScalePlan::Parts& plan, BlockShape shape)
      : table_(block_table(table, plan)),
        plan_(plan),
        shape_(std::move(shape)),
        rows_(static_cast<std::size_t>(shape_.n_rows)) {
    coded_ = plan_codes(shape_.columns, shape_.n_rows);
    facts_.n_rows = shape_.n_rows;
    facts_.has_missing.resize(shape_.columns.size());
    facts_.single.resize(shape_.columns.size());
    at_ = places(shape_, coded_, description(shape_, facts_).size());
    image_ = std::make_shared<Buffer<std::byte>>(at_.total);
  }

  std::shared_ptr<const Buffer<std::byte>> write() {
    std::vector<std::uint64_t> marks(rows_, 0);
    for (std::size_t o = 0; o < at_.classes.size(); ++o) classes(o, marks);
    for (std::size_t o = 0; o < at_.numbers.size(); ++o) numbers(o, marks);
    if (shape_.weighted) weights(marks);
    codes(marks);
    clear_rest();
    seal({image_->data(), at_.total}, description(shape_, facts_));
    return image_;
  }

 private:
  template <class T>
  T* room(std::size_t begin) noexcept {
    return reinterpret_cast<T*>(image_->data() + begin);
  }

  void classes(std::size_t o, std::vector<std::uint64_t>& marks) {
    const Field& field = plan_.targets.fields[o];
    const Table::Column& column = table_.column(table_.find(field.name).value());
    const LevelReader reader(column, field.levels);
    auto* codes = room<std::int32_t>(at_.classes[o]);
    parallel_ranges(rows_, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
      const std::span<std::int32_t> some(codes + begin, end - begin);
      reader.read(static_cast<std::int64_t>(begin), some);
      if (const auto bad = std::find_if(some.begin(), some.end(), [](std::int32_t code) { return code < 0; });
          bad != some.end()) {
        const auto row = static_cast<std::int64_t>(begin) + (bad - some.begin());
        if (*bad == kUnseenLevel) refuse_unseen(column, field, row);
        throw Error(ErrorCode::bad_data,
                    fmt::format("the target '{}' is missing in row {}", field.name, row + 1),
                    "the rows are not those of the summary: summarise them again");
      }
      mark_cells(kTargetMarks + o, std::span<const std::int32_t>(some), marks.data() + begin);
    });
  }

  void numbers(std::size_t o, std::vector<std::uint64_t>& marks) {
    const std::string& name = plan_.targets.fields[o].name;
    const std::span<double> values(room<double>(at_.numbers[o]), rows_);
    read_numbers(table_.column(table_.find(name).value()), 0, values);
    const auto bad = std::find_if(values.begin(), values.end(), [](double y) { return !std::isfinite(y); });
    if (bad != values.end())
      throw Error(ErrorCode::bad_data,
                  fmt::format("the target '{}' is {} in row {}", name,
                              std::isnan(*bad) ? "missing" : "infinite", bad - values.begin() + 1),
                  "the rows are not those of the summary: summarise them again");
    check_number_target(name, values, plan_.params);
    mark_cells(kTargetMarks + o, std::span<const double>(values), marks.data());
  }

  // Those that are given, then those of classes, in the order of fit().
  void weights(std::vector<std::uint64_t>& marks) {
    const std::span<double> values(room<double>(at_.weights), rows_);
    std::fill(values.begin(), values.end(), 1.0);
    if (const std::string& name = plan_.spec.weight; !name.empty()) {
      read_numbers(table_.column(table_.find(name).value()), 0, values);
      check_weights(name, values);
      mark_cells(kWeightMarks, std::span<const double>(values), marks.data());
    }
    for (std::size_t o = 0; o < plan_.class_factors.size(); ++o) {
      const auto* codes = room<std::uint32_t>(at_.classes[o]);
      for (std::size_t i = 0; i < rows_; ++i) values[i] *= plan_.class_factors[o][codes[i]];
    }
    check_class_weights(values);
    facts_.zero_weights = std::count(values.begin(), values.end(), 0.0);
    facts_.all_weights_one = std::all_of(values.begin(), values.end(), [](double w) { return w == 1.0; });
    facts_.weights_mark = weights_sum(values, shape_.first_row);
  }

  void codes(std::span<const std::uint64_t> marks) {
    view_parts(coded_, shape_, at_, image_->data());
    std::vector<void*> cells(shape_.columns.size(), nullptr);
    for (std::size_t j = 0; j < cells.size(); ++j)
      if (shape_.columns[j].kind == Kind::numeric) cells[j] = image_->data() + at_.cells[j];
    Fingerprint fingerprint(marks);
    Monitor monitor;
    code_planned(coded_, table_, plan_.features, plan_.columns, cells, fingerprint, monitor);
    facts_.cells_hash = fingerprint.sum();
    for (std::size_t j = 0; j < cells.size(); ++j) {
      facts_.has_missing[j] = static_cast<std::uint8_t>(coded_.columns[j].has_missing);
      facts_.single[j] = coded_.columns[j].single;
    }
  }

  // The class of a row behind its codes, and nothing where nothing was written: equal rows give equal images.
  void clear_rest() {
    std::uint8_t* by_column = room<std::uint8_t>(at_.by_column);
    std::uint8_t* by_row = room<std::uint8_t>(at_.by_row);
    const std::size_t stride = coded_.row_stride, written = (coded_.n_slots() + 15) / 16 * 16;
    for (std::size_t s = 0; s < coded_.n_slots(); ++s)
      std::memset(by_column + s * coded_.column_stride + rows_, 0, coded_.column_stride - rows_);
    const auto* classes = class_in_codes(shape_) ? room<std::uint32_t>(at_.classes.front()) : nullptr;
    parallel_ranges(rows_, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (written < stride) std::memset(by_row + i * stride + written, 0, stride - written);
        if (classes != nullptr) by_row[(i + 1) * stride - 1] = static_cast<std::uint8_t>(classes[i]);
      }
    });
    std::memset(by_row + rows_ * stride, 0, 16 * stride);
    std::memset(image_->data() + at_.total, 0, 256);
    clear_gaps();
  }

  void clear_gaps() {
    const auto gap = [&](std::size_t begin, std::size_t bytes) {
      if (begin != 0) std::memset(image_->data() + begin + bytes, 0, (64 - bytes % 64) % 64);
    };
    gap(at_.by_column, coded_.column_stride * coded_.n_slots());
    gap(at_.by_row, coded_.row_stride * (rows_ + 16));
    for (std::size_t j = 0; j < shape_.columns.size(); ++j) {
      gap(at_.cells[j], rows_ * (shape_.columns[j].cuts.is_float ? sizeof(float) : sizeof(double)));
      gap(at_.wide[j], rows_ * sizeof(std::uint32_t));
    }
    for (const std::size_t begin : at_.classes) gap(begin, rows_ * sizeof(std::uint32_t));
    for (const std::size_t begin : at_.numbers) gap(begin, rows_ * sizeof(double));
    gap(at_.weights, rows_ * sizeof(double));
  }

  Table table_;
  const ScalePlan::Parts& plan_;
  BlockShape shape_;
  std::size_t rows_;
  CodedTable coded_;
  BlockPlaces at_;
  BlockFacts facts_;
  std::shared_ptr<Buffer<std::byte>> image_;
};

}  // namespace

RowBlock::RowBlock(const Table& rows, const ScalePlan& plan, std::int64_t first_row)
    : state_(std::make_unique<State>()) {
  if (first_row < 0 || first_row + rows.n_rows() > INT32_MAX)
    throw Error(ErrorCode::not_supported,
                fmt::format("{} rows are more than 2^31 - 1", first_row + rows.n_rows()));
  const auto image =
      BlockWriter(rows, plan.parts(), shape_of(plan.parts(), rows.n_rows(), first_row)).write();
  state_->image = {image->data(), image->size()};
  state_->owner = image;
  state_->rows = read_sealed(state_->image);
}

RowBlock::RowBlock(std::unique_ptr<State> state) : state_(std::move(state)) {}

RowBlock RowBlock::view(std::shared_ptr<const void> owner, std::span<const std::byte> image) {
  if (reinterpret_cast<std::uintptr_t>(image.data()) % 64 != 0)
    throw Error(ErrorCode::internal, "the image of a block does not begin at a multiple of 64 bytes");
  auto state = std::make_unique<State>();
  state->owner = std::move(owner);
  state->image = image;
  state->rows = read_image(image);
  return RowBlock(std::move(state));
}

RowBlock::~RowBlock() = default;
RowBlock::RowBlock(RowBlock&&) noexcept = default;
RowBlock& RowBlock::operator=(RowBlock&&) noexcept = default;

std::int64_t RowBlock::n_rows() const noexcept {
  return state_->rows.table.n_rows;
}

std::span<const std::byte> RowBlock::image() const noexcept {
  return state_->image;
}

}  // namespace bough
