/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the model that main.cpp saved with the predict-only library and predicts. */
#include <bough/bough.h>
#include <stdio.h>

int main(void) {
  const double x[] = {2.4, 2.6};
  double classes[2];
  bough_model* model = bough_load("kinds.bough");
  if (model == NULL || bough_predict(model, x, 2, 1, classes) != BOUGH_OK) {
    fprintf(stderr, "%s\n", bough_last_error());
    return 1;
  }
  for (int row = 0; row < 2; ++row) printf("%s\n", bough_class_name(model, 0, (size_t)classes[row]));
  bough_free(model);
  return 0;
}
