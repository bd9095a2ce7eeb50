// SPDX-License-Identifier: Apache-2.0
// Fits a handful of rows with an installed bough, says what it predicts, and saves the model for main.c.
#include <bough/bough.hpp>
#include <cstdio>
#include <string>
#include <vector>

int main() {
  bough::Table table;
  table.add("x", std::vector<double>{1, 2, 3, 4});
  table.add("kind", std::vector<std::string>{"low", "low", "high", "high"});
  const bough::Model model = bough::fit(table, {.targets = {"kind"}});
  // The classes change between 2 and 3: one split at 2.5.
  std::printf("%d leaves, x <= %g\n", static_cast<int>(model.tree().n_leaves()), model.tree().threshold(0));
  bough::Table rows;
  rows.add("x", std::vector<double>{2.4, 2.6});
  for (const std::string& label : model.predict_labels(rows)) std::printf("%s\n", label.c_str());
  model.save("kinds.bough");
}
