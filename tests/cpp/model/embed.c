/* SPDX-License-Identifier: Apache-2.0 */
/* A plain C program: loads the small model of the tests and predicts four rows. */
#include <bough/bough.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int predict_row(const bough_model* model, const char* age, const char* size, const char* colour) {
  double cells[3];
  double class_index;
  double chances[2];
  cells[0] = age != NULL ? atof(age) : NAN;
  cells[1] = bough_level_index(model, 1, size);
  cells[2] = bough_level_index(model, 2, colour);
  if (bough_predict(model, cells, 1, 3, &class_index) != BOUGH_OK) return 1;
  if (bough_predict_proba(model, cells, 1, 3, 0, chances) != BOUGH_OK) return 1;
  printf("%s %s %s: %s %.3f %.3f\n", age != NULL ? age : "missing", size, colour,
         bough_class_name(model, 0, (size_t)class_index), chances[0], chances[1]);
  return 0;
}

int main(int argc, char** argv) {
  bough_model* model = argc > 1 ? bough_load(argv[1]) : NULL;
  size_t i;
  int failed;
  if (model == NULL) {
    fprintf(stderr, "%s\n", bough_last_error());
    return 1;
  }
  printf("%d features:", (int)bough_n_features(model));
  for (i = 0; i < bough_n_features(model); ++i) printf(" %s", bough_feature_name(model, i));
  printf("\n");
  failed = predict_row(model, "25", "small", "blue") || predict_row(model, "40", "small", "blue") ||
           predict_row(model, "40", "small", "violet") || predict_row(model, NULL, "small", "red");
  if (failed) fprintf(stderr, "%s\n", bough_last_error());
  bough_free(model);
  return failed;
}
