/* SPDX-License-Identifier: Apache-2.0 */
/* The C API: load a model, describe it, predict two rows. Usage: predict_c [iris.bough] */
#include <bough/bough.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char** argv) {
  bough_model* model = bough_load(argc > 1 ? argv[1] : "iris.bough");
  if (model == NULL) {
    fprintf(stderr, "%s\n", bough_last_error());
    return 1;
  }
  for (size_t i = 0; i < bough_n_features(model); ++i)
    printf("feature %zu: %s\n", i, bough_feature_name(model, i));

  /* Row after row, in the order of the features; NaN is a missing cell. */
  const double cells[] = {5.0, 3.4, 1.5, 0.3,  /* row 0 */
                          6.4, 2.8, 5.6, NAN}; /* row 1 */
  double classes[2], shares[2 * 3];
  bough_status status = bough_predict(model, cells, 2, 4, classes);
  if (status == BOUGH_OK) status = bough_predict_proba(model, cells, 2, 4, 0, shares);
  if (status != BOUGH_OK) {
    fprintf(stderr, "%s\n", bough_last_error());
    bough_free(model);
    return 1;
  }
  for (int row = 0; row < 2; ++row) {
    printf("row %d: %s", row, bough_class_name(model, 0, (size_t)classes[row]));
    for (size_t c = 0; c < 3; ++c) printf(" %.3f", shares[(size_t)row * 3 + c]);
    printf("\n");
  }
  bough_free(model);
  return 0;
}
