// SPDX-License-Identifier: Apache-2.0
// A table from own vectors: numbers with missing cells, categories, an ordinal column, row weights.
#include <bough/bough.hpp>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Strings = std::vector<std::string>;

bough::Table fruit() {
  const std::vector<double> grams{120, 151, NAN, 130, 160, 148, 119, 171, 155, NAN};
  const Strings size{"small", "medium", "large", "medium", "large",
                     "small", "large",  "large", "small",  "medium"};
  // Categories may come as text or as codes into a dictionary; -1 is a missing cell.
  const Strings colours{"green", "red", "yellow"};
  const std::vector<std::int32_t> colour{0, 0, 1, 1, 2, 1, -1, 0, 2, 2};
  const std::vector<double> count{1, 2, 1, 1, 3, 1, 1, 1, 1, 2};
  const Strings ripe{"no", "no", "yes", "yes", "yes", "no", "yes", "no", "no", "yes"};

  bough::Table table;
  table.add("grams", grams);
  table.add("size", size);
  table.add("colour", colour, colours);
  table.add("count", count);
  table.add("ripe", ripe);
  return table;
}

}  // namespace

int main() {
  const bough::FitSpec spec{
      .targets = {"ripe"},
      .weight = "count",
      .columns = {{.name = "size", .kind = bough::Kind::ordinal, .order = {"small", "medium", "large"}}}};
  const bough::Model model = bough::fit(fruit(), spec);
  std::cout << bough::to_text(model);

  // At prediction, a missing cell and a category that training never saw go where the node says.
  bough::Table basket;
  basket.add("grams", std::vector<double>{152, 121, NAN});
  basket.add("size", Strings{"large", "small", "large"});
  basket.add("colour", Strings{"green", "purple", "red"});
  for (const std::string& label : model.predict_labels(basket)) std::cout << label << '\n';
}
