// SPDX-License-Identifier: Apache-2.0
// Pruning: paths, pruned models, the table of cross-validation, presets.
#include "bough/prune.hpp"

#include "bindings.hpp"
#include "bough/choose_tree.hpp"
#include "bough/pessimistic.hpp"
#include "bough/presets.hpp"

namespace bough::python {
namespace {

nb::object pruning_table(const Model& model) {
  const auto& table = model.parts().pruning_table;
  if (!table) return nb::none();
  nb::dict out;
  out["alphas"] = to_numpy(table->alphas);
  out["n_leaves"] = to_numpy(std::vector<std::int64_t>(table->n_leaves.begin(), table->n_leaves.end()));
  out["errors"] = to_numpy(table->errors);
  out["standard_errors"] = to_numpy(table->standard_errors);
  out["chosen"] = table->chosen;
  out["folds"] = table->folds;
  out["risk"] = table->risk;
  out["rule"] = table->rule;
  out["measure"] = table->measure;
  return out;
}

nb::object sizes(const Model& model) {
  const std::optional<SizeTable> table = size_table(model);
  if (!table) return nb::none();
  const auto column = [&](auto SizeRow::*member) {
    std::vector<double> numbers;
    for (const SizeRow& row : table->rows) numbers.push_back(static_cast<double>(row.*member));
    return to_numpy(numbers);
  };
  std::vector<std::int64_t> leaves;
  nb::list searched;
  for (const SizeRow& row : table->rows) {
    leaves.push_back(row.leaves);
    searched.append(row.searched);
  }
  nb::dict out;
  out["searched"] = nb::module_::import_("numpy").attr("array")(searched);
  out["leaves"] = to_numpy(leaves);
  out["shrinkage"] = column(&SizeRow::shrinkage);
  out["training_errors"] = column(&SizeRow::training_error);
  out["errors"] = column(&SizeRow::error);
  out["standard_errors"] = column(&SizeRow::standard_error);
  out["losses"] = column(&SizeRow::loss);
  out["standard_losses"] = column(&SizeRow::standard_loss);
  out["chosen"] = table->chosen;
  out["folds"] = table->folds;
  out["measure"] = table->measure;
  return out;
}

std::size_t position(const std::string& word, std::span<const std::string_view> words, const char* what) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return i;
  throw Error(ErrorCode::bad_params, std::string("unknown ") + what + " '" + word + "'");
}

Model reduce_error(const Model& model, const Table& rows, const std::string& weight,
                   const std::string& leaf_values, const std::string& measure, int threads) {
  constexpr std::array<std::string_view, 2> measures{"natural", "squared"};
  ReducedErrorOptions options;
  options.leaf_values = static_cast<LeafValues>(position(leaf_values, kPruningLeafValues, "leaf_values"));
  options.measure = static_cast<ErrorMeasure>(position(measure, measures, "measure"));
  options.weight = weight;
  std::optional<Model> pruned;
  run_free(threads, false, nb::none(),
           [&](const Execution& execution) { pruned = reduced_error(model, rows, options, execution); });
  return std::move(*pruned);
}

std::string preset_json(const std::string& name, const std::string& task) {
  Params params;
  params.task = task;
  apply_preset(params, name);
  validate(params);
  return params_to_json(params);
}

}  // namespace

void add_prune(nb::module_& module) {
  module.def(
      "pruning_path",
      [](const Model& model) {
        PruningPath path = cost_complexity_path(model.tree());
        return nb::make_tuple(to_numpy(std::move(path.alphas)), to_numpy(std::move(path.risks)));
      },
      "model"_a, "Effective alphas and the impurities of the trees after each step.");
  module.def(
      "prune_by_price",
      [](const Model& model, double alpha, const std::string& risk) { return prune(model, alpha, risk); },
      "model"_a, "alpha"_a, "risk"_a = "impurity");
  module.def("reduced_error", &reduce_error, "model"_a, "rows"_a, "weight"_a, "leaf_values"_a, "measure"_a,
             "threads"_a);
  module.def(
      "critical_value", [](const Model& model, double critical) { return critical_value(model, critical); },
      "model"_a, "critical"_a);
  module.def(
      "minimum_description", [](const Model& model) { return minimum_description(model); }, "model"_a);
  module.def(
      "prune_pessimistic",
      [](const Model& model, double confidence_factor) {
        return prune_pessimistic(model,
                                 {confidence_factor, false, model.params().j48, model.parts().criterion});
      },
      "model"_a, "confidence_factor"_a);
  module.def(
      "simplify", [](const Model& model) { return simplify(model); }, "model"_a);
  module.def("size_table", &sizes, "model"_a, nb::sig("def size_table(model: Model) -> dict | None"),
             "Every tree that search=auto tried, or None.");
  module.def("pruning_table", &pruning_table, "model"_a,
             nb::sig("def pruning_table(model: Model) -> dict | None"),
             "What cross-validation found, or None.");
  module.def("preset", &preset_json, "name"_a, "task"_a, "Parameters of a preset as JSON.");
}

}  // namespace bough::python
