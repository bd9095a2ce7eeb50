/* SPDX-License-Identifier: Apache-2.0 */
/* The C API of bough: load a model, predict. C99; no exception ever leaves a function.
 *
 * Cells are doubles, row after row, one per feature in the order of the model's features:
 *   numeric feature             the number itself
 *   ordinal, category feature   the level index (bough_level_index)
 *   missing                     NaN
 *   category never seen         BOUGH_UNSEEN (an ordinal cell of unknown value counts as missing)
 * A loaded model is immutable: any number of threads may use it at the same time. */
#ifndef BOUGH_BOUGH_H
#define BOUGH_BOUGH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them. */

/** A loaded model. */
typedef struct bough_model bough_model;

/** The level index of a category that the model does not know. */
#define BOUGH_UNSEEN (-1.0)

/** What a function that can fail returns: 0, or the kind of failure. */
typedef enum bough_status {
  BOUGH_OK = 0,
  BOUGH_BAD_ARGUMENT = 1, /**< null, out of range, or not what the model is made for */
  BOUGH_BAD_MODEL = 2,    /**< truncated, altered, of a newer format, or no model at all */
  BOUGH_IO = 3,           /**< the file cannot be read */
  BOUGH_OUT_OF_MEMORY = 4,
  BOUGH_INTERNAL = 5
} bough_status;

/** What a feature holds. */
typedef enum bough_kind { BOUGH_NUMERIC = 0, BOUGH_ORDINAL = 1, BOUGH_CATEGORY = 2 } bough_kind;

/** Version of the library, such as "0.1.0". */
const char* bough_version(void);

/** Loads a model file, binary or JSON. Null on failure: see bough_last_status and bough_last_error. */
bough_model* bough_load(const char* path);
/** The same from memory; the bytes may go afterwards. */
bough_model* bough_load_bytes(const void* bytes, size_t size);
/** Frees a model; null is allowed. */
void bough_free(bough_model* model);

/** Features, outputs (targets), and classes of an output: 0 for regression. 0 when an argument is wrong. */
size_t bough_n_features(const bough_model* model);
size_t bough_n_outputs(const bough_model* model);
size_t bough_n_classes(const bough_model* model, size_t output);

/** Names, as UTF-8, owned by the model; null when an index is out of range. */
const char* bough_feature_name(const bough_model* model, size_t feature);
const char* bough_output_name(const bough_model* model, size_t output);
const char* bough_class_name(const bough_model* model, size_t output, size_t class_index);
/** A bough_kind, or -1 when the index is out of range. */
int bough_feature_kind(const bough_model* model, size_t feature);
/** Levels of an ordinal or category feature, 0 for a numeric one; and the text of one of them. */
size_t bough_n_levels(const bough_model* model, size_t feature);
const char* bough_level_name(const bough_model* model, size_t feature, size_t level);
/** The cell for a category or ordinal value given as text: its level index, or BOUGH_UNSEEN. Levels that are
 * numbers are also found by value ("1.0" for 1). NaN when the arguments are wrong or the feature is numeric.
 */
double bough_level_index(const bough_model* model, size_t feature, const char* text);

/** Predicts n_rows rows of n_features cells into n_rows * n_outputs numbers: class indices or values. */
bough_status bough_predict(const bough_model* model, const double* cells, size_t n_rows, size_t n_features,
                           double* out);
/** Class probabilities of one output into n_rows * n_classes numbers. */
bough_status bough_predict_proba(const bough_model* model, const double* cells, size_t n_rows,
                                 size_t n_features, size_t output, double* out);

/** The last failure of the calling thread: its kind, and a sentence with what to do ("" when there was none).
 *  The text is valid until the next failure in this thread. */
bough_status bough_last_status(void);
const char* bough_last_error(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
