// SPDX-License-Identifier: Apache-2.0
// What a model that was loaded must be good for.
#include "fuzz/model_use.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "bough/explain.hpp"
#include "bough/export.hpp"
#include "bough/prune.hpp"
#include "bough/rules.hpp"
#include "bough/shap.hpp"
#include "fuzz/support.hpp"

namespace bough::fuzz {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kCells[] = {0.0, kNaN, 1.0, -1.0, 2.5, kInf, -kInf, 1e308, -1e308, 5e-324, 3.0, 77.0};
constexpr std::size_t kRows = 5;
const Execution kAlone{.threads = 1};

bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
  });
}

std::vector<double> some_cells(std::size_t count, std::string_view input) {
  std::vector<double> cells(count);
  const std::size_t start = choice_of(input, 64);
  for (std::size_t i = 0; i < count; ++i) cells[i] = kCells[(start + i * 7 + i / 5) % std::size(kCells)];
  return cells;
}

/// The rows of a matrix, all at once and one by one.
void answer_matrix(const Model& model, std::string_view input) {
  const std::size_t width = model.features().fields.size();
  const std::vector<double> cells = some_cells(width * kRows, input);
  const MatrixView rows{Dtype::f64,
                        cells.data(),
                        kRows,
                        static_cast<std::int64_t>(width),
                        static_cast<std::ptrdiff_t>(width * 8),
                        8};
  std::vector<double> all(kRows * model.n_outputs());
  std::vector<double> one(all.size());
  const bool answered = accepted([&] { model.predict(rows, all, kAlone); });
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool done = accepted([&] {
      model.predict_row(std::span(cells).subspan(row * width, width),
                        std::span(one).subspan(row * model.n_outputs(), model.n_outputs()));
    });
    promise(done || !answered, "a row is answered alone where it is among others");
  }
  promise(!answered || same(all, one), "rows get the same answers alone and together");
  std::vector<NodeId> ends(kRows);
  accepted([&] { model.apply(rows, choice_of(input, model.trees().size()), ends, kAlone); });
}

/// A table whose columns are what the model knows, and what it does not.
Table some_table(const Model& model, std::string_view input) {
  Table table;
  for (const Field& field : model.features().fields) {
    if (field.kind == Kind::numeric || field.levels.type != Levels::Type::text) {
      table.add(field.name, std::span<const double>(some_cells(kRows, input)));
      continue;
    }
    std::vector<std::string> values(kRows, "never seen");
    const std::size_t known = std::min(field.levels.size(), kRows);
    std::copy_n(field.levels.names.begin(), known, values.begin());
    table.add(field.name, std::span<const std::string>(values));
  }
  return table;
}

void answer_table(const Model& model, std::string_view input) {
  accepted([&] {
    const Table rows = some_table(model, input);
    const std::size_t tree = choice_of(input, model.trees().size());
    (void)model.predict_labels(rows, kAlone);
    (void)model.decision_path(rows, tree);
    (void)to_json(explain_row(model, rows, static_cast<std::int64_t>(choice_of(input, kRows)), tree));
    if (model.task() == Task::classification) (void)model.predict_log_proba(rows, 0, kAlone);
    if (choice_of(input, 4) == 0) (void)shap_values(model, rows, {}, kAlone);
  });
}

void tell(const Model& model, std::string_view input) {
  (void)model.importances();
  (void)to_text(model);
  accepted([&] { (void)schema_to_json(model.features()); });
  const auto formats = export_formats();
  const Format& format = formats[choice_of(input, formats.size())];
  accepted([&] { (void)format.write(model, {}); });
  accepted([&] { (void)prune(model, 0.01); });
  if (choice_of(input, 3) != 0) return;
  accepted([&] {
    const RuleSet rules = tree_rules(model, 0);
    const std::string text = rules.to_json();
    promise(RuleSet::from_json(text).to_json() == text, "the rules of a tree survive their JSON", text);
  });
}

}  // namespace

void use_model(const Model& model, std::string_view input) {
  const std::string bytes = model.to_bytes();
  promise(Model::from_bytes(bytes).to_bytes() == bytes, "a model is loaded and saved to the same bytes");
  // All of it every time would be thrice as slow.
  switch (choice_of(input, 4, 1)) {
    case 0: {
      const std::string json = model.to_json();
      promise(Model::from_json(json).to_bytes() == bytes, "the JSON twin holds the same model", json);
      return;
    }
    case 1:
      return answer_matrix(model, input);
    case 2:
      return answer_table(model, input);
    default:
      return tell(model, input);
  }
}

}  // namespace bough::fuzz
