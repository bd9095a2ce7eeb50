// SPDX-License-Identifier: Apache-2.0
// Prediction from a saved model: labels, class probabilities and the reason, for rows that arrive as text.
// Usage: predict_saved [iris.bough], a model that the tour has written.
#include <bough/bough.hpp>
#include <cstdio>
#include <string>

int main(int argc, char** argv) try {
  const bough::Model model = bough::Model::load(argc > 1 ? argv[1] : "iris.bough");
  // Columns are matched by name: their order does not matter, and unused ones may be there.
  const bough::Table flowers = bough::parse_table(
      "note,petal_width,petal_length,sepal_length,sepal_width\n"
      "short petals,0.3,1.5,5.0,3.4\n"
      "long petals,2.2,5.6,6.4,2.8\n");

  const auto labels = model.predict_labels(flowers);
  const auto shares = model.predict_proba(flowers);
  const auto& classes = model.targets().fields.front().levels.names;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::printf("%s:", labels[row].c_str());
    for (std::size_t c = 0; c < classes.size(); ++c)
      std::printf(" %s %.3f", classes[c].c_str(), shares[row * classes.size() + c]);
    std::printf("\n");
  }
  for (const bough::PathStep& step : bough::explain_row(model, flowers, 1).steps)
    std::printf("  %s, since it is %s\n", step.test.c_str(), step.cell.c_str());
  return 0;
} catch (const bough::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint().c_str());
  return 1;
}
