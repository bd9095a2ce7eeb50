// SPDX-License-Identifier: Apache-2.0
// Marks of weights and held rows, written by the fit and checked before bags are drawn again.
#include "model/bag_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "data/fingerprint.hpp"
#include "model/bag.hpp"

namespace bough {
namespace {

constexpr const char* kMark = "fit_weights";
constexpr const char* kHeld = "calibration_rows";
constexpr double kMixed = -1.0;  // instead of a mark: trees of several fits

std::vector<double> extra(const Model& model, const char* name) {
  const auto found = model.parts().extras.find(name);
  return found == model.parts().extras.end() ? std::vector<double>() : found->second;
}

bool is_mixed(std::span<const double> mark) {
  return mark.size() == 1;
}

// Whether trees draw or divide rows by their number. Where none does, the order of rows leaves no mark.
bool uses_row_numbers(const Params& params) {
  return params.bootstrap || params.little_bags > 0 || params.honest || params.calibration_fraction > 0.0;
}

}  // namespace

std::vector<double> weights_mark(std::span<const double> weights) {
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; })) return {};
  return weights_mark(weights_sum(weights, 0));
}

std::uint64_t weights_sum(std::span<const double> weights, std::int64_t first_row) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += mix_bits(std::bit_cast<std::uint64_t>(weights[i]) ^
                    mix_bits(static_cast<std::uint64_t>(first_row) + i + 1));
  return sum;
}

std::vector<double> weights_mark(std::uint64_t sum) {
  return {static_cast<double>(sum >> 32), static_cast<double>(sum & 0xffffffffULL)};
}

bool mark_bags(Model::Parts& parts, const std::vector<double>& mark, std::span<const RowId> held,
               const Model* so_far) {
  const std::vector<double> rows(held.begin(), held.end());
  const std::vector<double> drawn_by = uses_row_numbers(parts.params) ? mark : std::vector<double>();
  const bool mixed =
      so_far != nullptr && (extra(*so_far, kMark) != drawn_by || extra(*so_far, kHeld) != rows ||
                            so_far->parts().provenance.n_rows != parts.provenance.n_rows);
  if (mixed)
    parts.extras[kMark] = {kMixed};
  else if (!drawn_by.empty())
    parts.extras[kMark] = drawn_by;
  if (!rows.empty()) parts.extras[kHeld] = rows;
  return mixed;
}

void forget_bags(Model::Parts& parts) {
  parts.extras.erase(kMark);
  parts.extras.erase(kHeld);
}

std::vector<double> drawing_weights(const Model& forest, std::size_t n_rows,
                                    std::span<const double> weights) {
  if (!weights.empty() && weights.size() != n_rows)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} weights were given for {} rows", weights.size(), n_rows));
  const std::vector<double> mark = extra(forest, kMark), held = extra(forest, kHeld);
  if (is_mixed(mark))
    throw Error(
        ErrorCode::bad_model,
        "trees of this forest were grown on other rows or weights than the rest, so nobody knows which "
        "rows they have left out",
        "grow a new forest for out-of-bag figures");
  if (uses_row_numbers(forest.params()) && weights_mark(weights) != mark)
    throw Error(ErrorCode::bad_data,
                mark.empty()      ? "the forest was grown without row weights, but some are given"
                : weights.empty() ? "the forest was grown with row weights, but none are given"
                                  : "the row weights are not those that the forest was grown with",
                mark.empty()
                    ? "out-of-bag figures draw the rows of the trees again: leave the weights out"
                    : "out-of-bag figures draw the rows of the trees again: give the weights of the fit "
                      "(--weight, sample_weight), those of class_weight in Python multiplied in");
  std::vector<double> drawing(weights.begin(), weights.end());
  if (forest.params().calibration_fraction > 0.0 && held.empty())
    throw Error(ErrorCode::bad_model, "the forest does not say which rows were held for calibration",
                "fit it again for out-of-bag figures");
  if (!held.empty() && drawing.empty()) drawing.assign(n_rows, 1.0);
  for (const double row : held) {
    if (!(row >= 0.0 && row < static_cast<double>(n_rows)) || row != std::floor(row))
      throw Error(ErrorCode::bad_model,
                  fmt::format("row {} was held for calibration, but there are {}", row, n_rows),
                  "out-of-bag figures need the rows that the forest was grown on");
    drawing[static_cast<std::size_t>(row)] = 0.0;
  }
  if (!drawing.empty() && std::none_of(drawing.begin(), drawing.end(), [](double w) { return w > 0.0; }))
    throw Error(ErrorCode::bad_model, "all rows were held for calibration",
                "the file was altered: fit again");
  return drawing;
}

std::vector<std::uint32_t> rows_of_bag(const Model& forest, std::size_t tree, std::size_t n_rows,
                                       std::span<const double> drawing) {
  std::vector<std::uint32_t> times = drawn_rows(forest.params(), tree, n_rows, drawing);
  for (std::size_t row = 0; row < times.size() && !drawing.empty(); ++row)
    if (drawing[row] == 0.0) times[row] = 0;
  return times;
}

}  // namespace bough
