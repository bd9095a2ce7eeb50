// SPDX-License-Identifier: Apache-2.0
// The treatment: its column, what it needs and what it does not go with.
#pragma once

#include "model/prepare.hpp"
#include "split/exact/treatment_options.hpp"

namespace bough {

/// Effects are differences of numbers. Throws bad_params when the parameters or several targets say
/// otherwise.
Task effect_task(const Schema& targets, const Params& params);
/// Reads which rows were treated: those of the second of two values. Throws bad_data naming the column and
/// its values.
Field read_treatment(const Table& table, Field field, std::vector<std::uint8_t>& treated);
/// Throws bad_data unless both arms have `min_rows` rows of positive weight (and one at least). Does nothing
/// without a treatment.
void check_arms(const Prepared& prepared, std::int64_t min_rows);
/// Notes the columns that tell the arms apart completely, one by one: no leaf that looks at them holds both
/// arms.
void note_no_overlap(const Table& table, Prepared& prepared);
/// What search is told; not wanted without a treatment.
TreatmentOptions arm_options(const Prepared& prepared, const Params& params);
/// What the variance of effects costs the search: 1 / honest_fraction (criterion/arms.hpp).
double variance_price(const Params& params) noexcept;
/// The name that the model has for its criterion; with a treatment one of effects.
std::string model_criterion(const Prepared& prepared, const Params& params, CriterionId criterion);
/// Declared for users in bough/causal.hpp, which belongs to a higher layer.
bool is_causal(const Model& model) noexcept;
/// Throws not_supported when the values of the model's nodes are effects: `what` is for answers that rows
/// know.
void refuse_treatment(const Model& model, std::string_view what,
                      std::string_view hint = "use a model without a treatment");

}  // namespace bough
