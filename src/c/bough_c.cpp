// SPDX-License-Identifier: Apache-2.0
// The C API: a thin edge over Model that lets no exception through.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <numeric>

#include "base/text.hpp"
#include "bough/bough.h"
#include "bough/model.hpp"
#include "model/format.hpp"
#include "model/predictor.hpp"

struct bough_model {
  bough::Model model;
  // Per feature: level indices sorted by their text, for look-up.
  std::vector<std::vector<std::uint32_t>> by_text;
};

namespace {

using bough::Error;
using bough::ErrorCode;
using bough::Field;

// Fixed storage: reporting that memory ran out must not need memory.
struct LastError {
  bough_status status = BOUGH_OK;
  char text[1024] = "";
};
thread_local LastError last_error;

bough_status fail(bough_status status, const char* message, const char* hint = "") noexcept {
  last_error.status = status;
  std::snprintf(last_error.text, sizeof last_error.text, "%s%s%s", message, *hint != '\0' ? ". " : "", hint);
  return status;
}

bough_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_params:
    case ErrorCode::bad_data:
    case ErrorCode::not_supported:
      return BOUGH_BAD_ARGUMENT;
    case ErrorCode::bad_model:
      return BOUGH_BAD_MODEL;
    case ErrorCode::io:
      return BOUGH_IO;
    case ErrorCode::out_of_memory:
      return BOUGH_OUT_OF_MEMORY;
    case ErrorCode::cancelled:
    case ErrorCode::internal:
      break;
  }
  return BOUGH_INTERNAL;
}

// Runs body() and turns whatever it throws into a status and a text.
template <class Body>
bough_status guarded(const Body& body) noexcept {
  try {
    body();
    return BOUGH_OK;
  } catch (const Error& error) {
    return fail(status_of(error.code()), error.what(), error.hint().c_str());
  } catch (const std::bad_alloc&) {
    return fail(BOUGH_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(BOUGH_INTERNAL, error.what());
  } catch (...) {
    return fail(BOUGH_INTERNAL, "unknown failure");
  }
}

std::vector<std::uint32_t> sorted_by_text(const Field& field) {
  std::vector<std::uint32_t> order(field.kind == bough::Kind::numeric ? 0 : field.levels.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<std::string>& names = field.levels.names;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
  return order;
}

bough_model* make_handle(bough::Model model) {
  auto handle = std::make_unique<bough_model>(bough_model{std::move(model), {}});
  for (const Field& field : handle->model.features().fields) handle->by_text.push_back(sorted_by_text(field));
  return handle.release();
}

const Field* feature_at(const bough_model* model, size_t feature) noexcept {
  if (model == nullptr || feature >= model->model.features().fields.size()) {
    fail(BOUGH_BAD_ARGUMENT, "no such feature");
    return nullptr;
  }
  return &model->model.features().fields[feature];
}

const Field* output_at(const bough_model* model, size_t output) noexcept {
  if (model == nullptr || output >= model->model.targets().fields.size()) {
    fail(BOUGH_BAD_ARGUMENT, "no such output");
    return nullptr;
  }
  return &model->model.targets().fields[output];
}

const char* level_name(const Field* field, size_t level) noexcept {
  if (field == nullptr) return nullptr;
  if (level < field->levels.size()) return field->levels.names[level].c_str();
  fail(BOUGH_BAD_ARGUMENT, "no such level");
  return nullptr;
}

double find_level(const Field& field, const std::vector<std::uint32_t>& by_text, std::string_view text) {
  const std::vector<std::string>& names = field.levels.names;
  const auto found =
      std::lower_bound(by_text.begin(), by_text.end(), text,
                       [&](std::uint32_t level, std::string_view wanted) { return names[level] < wanted; });
  if (found != by_text.end() && names[*found] == text) return *found;
  const std::optional<double> number = bough::parse_number(text);
  const std::vector<double>& numbers = field.levels.numbers;
  if (!number || numbers.empty()) return BOUGH_UNSEEN;
  const auto same = std::find(numbers.begin(), numbers.end(), *number);
  return same == numbers.end() ? BOUGH_UNSEEN : static_cast<double>(same - numbers.begin());
}

// The arguments that both kinds of prediction share.
bough_status check_rows(const bough_model* model, const double* cells, size_t n_rows,
                        size_t n_features) noexcept {
  if (model == nullptr) return fail(BOUGH_BAD_ARGUMENT, "the model is null");
  if (n_features != model->model.features().fields.size()) {
    return fail(BOUGH_BAD_ARGUMENT, "the rows have another number of cells than the model has features",
                "Ask bough_n_features");
  }
  if (n_rows > 0 && n_features > 0 && cells == nullptr) return fail(BOUGH_BAD_ARGUMENT, "the cells are null");
  return BOUGH_OK;
}

bough::CellGrid<double> grid(const double* cells, size_t n_features) {
  return {cells, static_cast<std::ptrdiff_t>(n_features), 1};
}

}  // namespace

extern "C" {

const char* bough_version(void) {
  return bough::version().data();
}

bough_model* bough_load(const char* path) {
  bough_model* handle = nullptr;
  if (path == nullptr) {
    fail(BOUGH_BAD_ARGUMENT, "the path is null");
    return nullptr;
  }
  guarded([&] { handle = make_handle(bough::Model::load(path)); });
  return handle;
}

bough_model* bough_load_bytes(const void* bytes, size_t size) {
  bough_model* handle = nullptr;
  if (bytes == nullptr) {
    fail(BOUGH_BAD_ARGUMENT, "the bytes are null");
    return nullptr;
  }
  guarded([&] { handle = make_handle(bough::model_from({static_cast<const char*>(bytes), size})); });
  return handle;
}

void bough_free(bough_model* model) {
  delete model;
}

size_t bough_n_features(const bough_model* model) {
  return model == nullptr ? 0 : model->model.features().fields.size();
}

size_t bough_n_outputs(const bough_model* model) {
  return model == nullptr ? 0 : model->model.targets().fields.size();
}

size_t bough_n_classes(const bough_model* model, size_t output) {
  const Field* field = output_at(model, output);
  return field == nullptr || model->model.task() == bough::Task::regression ? 0 : field->levels.size();
}

const char* bough_feature_name(const bough_model* model, size_t feature) {
  const Field* field = feature_at(model, feature);
  return field == nullptr ? nullptr : field->name.c_str();
}

const char* bough_output_name(const bough_model* model, size_t output) {
  const Field* field = output_at(model, output);
  return field == nullptr ? nullptr : field->name.c_str();
}

const char* bough_class_name(const bough_model* model, size_t output, size_t class_index) {
  return level_name(output_at(model, output), class_index);
}

int bough_feature_kind(const bough_model* model, size_t feature) {
  const Field* field = feature_at(model, feature);
  if (field == nullptr) return -1;
  switch (field->kind) {
    case bough::Kind::numeric:
      return BOUGH_NUMERIC;
    case bough::Kind::ordinal:
      return BOUGH_ORDINAL;
    case bough::Kind::category:
      return BOUGH_CATEGORY;
  }
  return -1;
}

size_t bough_n_levels(const bough_model* model, size_t feature) {
  const Field* field = feature_at(model, feature);
  return field == nullptr || field->kind == bough::Kind::numeric ? 0 : field->levels.size();
}

const char* bough_level_name(const bough_model* model, size_t feature, size_t level) {
  return level_name(feature_at(model, feature), level);
}

double bough_level_index(const bough_model* model, size_t feature, const char* text) {
  const Field* field = feature_at(model, feature);
  double level = std::numeric_limits<double>::quiet_NaN();
  if (field == nullptr) return level;
  if (text == nullptr || field->kind == bough::Kind::numeric) {
    fail(BOUGH_BAD_ARGUMENT, text == nullptr ? "the text is null" : "a numeric feature has no levels");
    return level;
  }
  guarded([&] { level = find_level(*field, model->by_text[feature], text); });
  return level;
}

bough_status bough_predict(const bough_model* model, const double* cells, size_t n_rows, size_t n_features,
                           double* out) {
  const bough_status wrong = check_rows(model, cells, n_rows, n_features);
  if (wrong != BOUGH_OK) return wrong;
  if (n_rows > 0 && out == nullptr) return fail(BOUGH_BAD_ARGUMENT, "the output is null");
  return guarded([&] {
    model->model.predictor().predict(grid(cells, n_features), {out, n_rows * model->model.n_outputs()});
  });
}

bough_status bough_predict_proba(const bough_model* model, const double* cells, size_t n_rows,
                                 size_t n_features, size_t output, double* out) {
  const bough_status wrong = check_rows(model, cells, n_rows, n_features);
  if (wrong != BOUGH_OK) return wrong;
  if (n_rows > 0 && out == nullptr) return fail(BOUGH_BAD_ARGUMENT, "the output is null");
  const size_t width = bough_n_classes(model, output);
  if (width == 0) return fail(BOUGH_BAD_ARGUMENT, "no such output, or one without classes");
  return guarded([&] {
    const size_t start = bough::output_start(model->model.parts(), output);
    model->model.predictor().shares(grid(cells, n_features), start, width, {out, n_rows * width});
  });
}

bough_status bough_last_status(void) {
  return last_error.status;
}

const char* bough_last_error(void) {
  return last_error.text;
}

}  // extern "C"
