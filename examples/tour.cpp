// SPDX-License-Identifier: Apache-2.0
// The tour in ten lines: read a table, fit a tree, print it, predict, save. Usage: tour [iris.csv]
#include <bough/bough.hpp>
#include <iostream>

int main(int argc, char** argv) {
  const bough::Table table = bough::read_table(argc > 1 ? argv[1] : "iris.csv");
  bough::Params params;
  params.max_depth = 2;
  const bough::Model model = bough::fit(table, {.targets = {"species"}}, params);
  std::cout << bough::to_text(model);
  std::cout << "first row: " << model.predict_labels(table).front() << '\n';
  model.save("iris.bough");
}
