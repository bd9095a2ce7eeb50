// SPDX-License-Identifier: Apache-2.0
// Explanations in Python: what has structure travels as JSON, what is large as arrays.
#include "bough/explain.hpp"

#include "bindings.hpp"
#include "bough/counterfactual.hpp"
#include "bough/importance.hpp"
#include "bough/reasons.hpp"
#include "bough/shap.hpp"
#include "bough/why.hpp"

namespace bough::python {
namespace {

/// Values (rows, columns, outputs) and the expectation per output.
nb::tuple arrays_of(ShapValues shap) {
  const std::size_t n = static_cast<std::size_t>(shap.n_rows), columns = shap.n_columns,
                    outputs = shap.outputs.size();
  nb::object values = to_numpy(std::move(shap.values), {n, columns, outputs});
  return nb::make_tuple(values, to_numpy(std::move(shap.expected)));
}

nb::tuple shap_arrays(const Model& model, const Table& rows, const Table* background, int threads) {
  ShapValues shap;
  run_free(threads, true, nb::none(),
           [&](const Execution& execution) { shap = shap_values(model, rows, {background}, execution); });
  return arrays_of(std::move(shap));
}

nb::object expectation(const Model& model, const Table* background) {
  std::vector<double> expected;
  {
    const nb::gil_scoped_release release;
    expected = shap_expected(model, {background});
  }
  return to_numpy(std::move(expected));
}

nb::tuple change_arrays(const Model& model, const Table& rows, int threads) {
  ShapValues changes;
  run_free(threads, true, nb::none(),
           [&](const Execution& execution) { changes = path_changes(model, rows, execution); });
  return arrays_of(std::move(changes));
}

nb::tuple leaf_arrays(const Model& model, std::size_t tree) {
  LeafChanges changes;
  {
    const nb::gil_scoped_release release;
    changes = leaf_changes(model, tree);
  }
  const std::size_t n = changes.leaves.size(), outputs = changes.outputs.size();
  nb::object leaves = to_numpy(std::vector<std::int64_t>(changes.leaves.begin(), changes.leaves.end()));
  return nb::make_tuple(leaves, to_numpy(std::move(changes.values), {n, changes.n_columns, outputs}));
}

/// The text of a class by its number; a negative one gives "".
std::string class_name(const Model& model, std::size_t output, std::int64_t number) {
  return number < 0 ? ""
                    : model.targets().fields.at(output).levels.names.at(static_cast<std::size_t>(number));
}

std::string reasons_json(const Model& model, const Table& rows, std::int64_t row, std::size_t output,
                         std::int64_t label, std::size_t most) {
  const nb::gil_scoped_release release;
  return to_json(top_reasons(
      model, rows, row, {model.targets().fields.at(output).name, class_name(model, output, label), most}));
}

std::string why_json(const Model& model, const Table& rows, NodeId node, const std::string& weight,
                     std::size_t tree, std::size_t most_points) {
  const nb::gil_scoped_release release;
  return to_json(why_split(model, rows, node, {tree, weight, most_points}));
}

std::string why_text(const Model& model, const Table& rows, NodeId node, const std::string& weight,
                     std::size_t tree) {
  const nb::gil_scoped_release release;
  return to_text(why_split(model, rows, node, {tree, weight, 0}));
}

std::string importance_json(const Model& model, const Table& rows, const std::string& score,
                            std::int32_t repeats, double level, std::int64_t seed, const std::string& weight,
                            int threads) {
  std::string json;
  run_free(threads, true, nb::none(), [&](const Execution& execution) {
    json = to_json(permutation_importance(model, rows, {score, repeats, level, seed, weight}, execution));
  });
  return json;
}

/// JSON, and the cells of the changed row as trees see them.
nb::tuple nearest(const Model& model, const Table& rows, std::int64_t row,
                  const std::vector<std::string>& fixed, const std::vector<std::string>& increase,
                  const std::vector<std::string>& decrease, std::size_t output, std::int64_t wanted,
                  std::optional<double> at_least, std::optional<double> at_most, const Table* reference) {
  CounterfactualSpec spec{
      fixed,    increase, decrease, model.targets().fields.at(output).name, class_name(model, output, wanted),
      at_least, at_most,  reference};
  Counterfactual found;
  {
    const nb::gil_scoped_release release;
    found = counterfactual(model, rows, row, spec);
  }
  const std::string json = to_json(found);
  return nb::make_tuple(json, to_numpy(std::move(found.cells)));
}

}  // namespace

void add_explanations(nb::module_& module) {
  module.def("shap_values", &shap_arrays, "model"_a, "rows"_a, "background"_a.none(), "threads"_a,
             "Shapley values (rows, columns, outputs) and the expectation per output.");
  module.def("shap_expected", &expectation, "model"_a, "background"_a.none(), "The expectation per output.");
  module.def("path_changes", &change_arrays, "model"_a, "rows"_a, "threads"_a,
             "Changes of the node values along the way of every row, laid out as shap_values.");
  module.def("leaf_changes", &leaf_arrays, "model"_a, "tree"_a,
             "Leaves, and the changes of the node values on the way to them.");
  module.def("top_reasons", &reasons_json, "model"_a, "rows"_a, "row"_a, "output"_a, "label"_a, "most"_a,
             "Why a row gets its answer, as JSON.");
  module.def("why_split", &why_json, "model"_a, "rows"_a, "node"_a, "weight"_a, "tree"_a, "most_points"_a,
             "What every column could do for a node, as JSON.");
  module.def("why_split_text", &why_text, "model"_a, "rows"_a, "node"_a, "weight"_a, "tree"_a,
             "The same for people.");
  module.def("permutation_importance", &importance_json, "model"_a, "rows"_a, "score"_a, "repeats"_a,
             "level"_a, "seed"_a, "weight"_a, "threads"_a,
             "What shuffling every column does to the score, as JSON.");
  module.def("counterfactual", &nearest, "model"_a, "rows"_a, "row"_a, "fixed"_a, "increase"_a, "decrease"_a,
             "output"_a, "wanted"_a, "at_least"_a.none(), "at_most"_a.none(), "reference"_a.none(),
             "The nearest row of another answer, as JSON, and its cells.");
}

}  // namespace bough::python
