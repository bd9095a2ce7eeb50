// SPDX-License-Identifier: Apache-2.0
// What decides about columns, tasks, class weights and notes: the same for a table and for blocks that never
// meet.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// The most whole numbers that may be classes by themselves.
inline constexpr std::size_t kFewClasses = 10;

/// Kinds, roles and levels as the user wants them. Throws where the wishes do not fit the table.
Schema resolve_schema(const Table& table, const FitSpec& spec);
/// Throws bad_data where cells of a target are missing or infinite, naming the first.
void check_target_cells(const Table& table, const Field& field);

/// What a target looks like by itself. Few whole numbers are taken for classes, but could be amounts.
enum class TargetLook { numbers, few_numbers, classes };
/// What numbers look like: few whole numbers that come back are classes, two of them without a doubt.
TargetLook look_of_numbers(bool whole, std::size_t n_values, std::int64_t n_rows) noexcept;
/// The task of the targets, by what each looks like; notes what could be taken otherwise.
Task resolve_task(const Schema& targets, const std::vector<TargetLook>& looks, const Params& params,
                  std::vector<std::string>& notes);
/// The task that parameters alone decide: 0 none, 1 classification, 2 regression.
int task_of_params(const Params& params) noexcept;

[[noreturn]] void refuse_text_target(const std::string& name);
/// The largest |target|: squares of squared errors stay doubles.
inline constexpr double kMostTarget = 1e75;
[[noreturn]] void refuse_large_target(const std::string& name, double value, std::int64_t row);
/// Throws bad_data naming the first row whose number cannot be a target; `first_row` is the number of the
/// first one.
void check_number_target(const std::string& name, std::span<const double> values, const Params& params,
                         std::int64_t first_row = 0);
/// Throws where the criterion needs a positive sum and there is none.
void check_target_sum(const std::string& name, bool positive, const Params& params);

/// Throws bad_data naming the first row whose weight is none; returns whether one of them is above 0.
bool check_weights(const std::string& name, std::span<const double> weights);
void check_weight_sum(const std::string& name, bool positive);

/// Throws bad_params naming a parameter that is for classes where the task is numbers.
void check_class_params(Task task, const Params& params);

/// Weight (empty: 1 each) of the rows of every class, the same for every order of the rows.
std::vector<double> class_sums(std::span<const std::uint32_t> codes, std::size_t n_classes,
                               std::span<const double> weights);
/// By class: what makes all classes that have any weight weigh the same, and all rows together what they did.
std::vector<double> balancing_factors(std::span<const double> sums);
/// What class_weight makes of a weight, per output and class; empty: nothing. `sums`: weight per output and class.
std::vector<std::vector<double>> class_factors(const ClassWeight& wish, Task task, const Schema& targets,
                                               std::span<const std::vector<double>> sums);
/// Throws bad_data naming the first row whose weight, times that of its class, is too large for a double.
void check_class_weights(std::span<const double> weights);
/// Throws bad_data where a sum of weights is not in 1e-100 .. 1e100: beyond, squares of weights would leave the range of
/// doubles.
void check_weight_size(double sum);
/// The same for total * 2^-exponent.
void check_total_weight(std::int64_t total, int exponent);
/// Throws bad_data where the square of the largest |target| times the sum of all weights is above 1e150.
void check_target_size(const std::string& name, double largest, std::int64_t total, int exponent);
/// Throws where class weights have left no row.
void check_some_weight(bool positive);

std::string zero_weight_note(std::int64_t zeros, std::int64_t n_rows);
/// Notes about targets of one value (`constant`, per output) and columns that look like identifiers.
void add_data_warnings(const Schema& targets, const std::vector<bool>& constant, const Schema& features,
                       std::int64_t n_rows, std::vector<std::string>& notes);

/// Throws for no rows, and for more than search can number.
void check_row_count(std::int64_t n_rows);
/// The features and targets of a schema; throws where nothing is left to learn from.
void divide_schema(const Schema& schema, const FitSpec& spec, Schema& features, Schema& targets);

}  // namespace bough
