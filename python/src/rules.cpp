// SPDX-License-Identifier: Apache-2.0
// Rule sets in Python: out of models, answers for tables, files and other formats.
#include "bough/rules.hpp"

#include "bindings.hpp"
#include "bough/export.hpp"

namespace bough::python {
namespace {

constexpr std::int64_t kWatchedRows = 200'000;

template <class Result>
Result run_on(const Table& rows, int threads, const std::function<Result(const Execution&)>& job) {
  std::optional<Result> out;
  run_free(threads, rows.n_rows() > kWatchedRows, nb::none(),
           [&](const Execution& execution) { out = job(execution); });
  return std::move(*out);
}

nb::object predict(const RuleSet& rules, const Table& rows, int threads) {
  auto values = run_on<std::vector<double>>(
      rows, threads, [&](const Execution& execution) { return rules.predict(rows, execution); });
  const std::size_t outputs = rules.n_outputs(), n = values.size() / outputs;
  if (rules.parts().task == Task::regression) return to_numpy(std::move(values), {n, outputs});
  return to_numpy(std::vector<std::int64_t>(values.begin(), values.end()), {n, outputs});
}

nb::object predict_proba(const RuleSet& rules, const Table& rows, std::size_t output, int threads) {
  auto values = run_on<std::vector<double>>(rows, threads, [&](const Execution& execution) {
    return rules.predict_proba(rows, output, execution);
  });
  const std::size_t classes = rules.parts().targets.fields.at(output).levels.size();
  const std::size_t n = values.size() / classes;
  return to_numpy(std::move(values), {n, classes});
}

nb::object apply(const RuleSet& rules, const Table& rows, int threads) {
  return to_numpy(run_on<std::vector<std::int64_t>>(
      rows, threads, [&](const Execution& execution) { return rules.apply(rows, execution); }));
}

RuleSet make_c45(const Model& model, const Table& rows, const std::string& weight, double confidence,
                 const std::string& order, double theory_weight, std::size_t tree, int threads) {
  C45RulesOptions options;
  options.confidence = confidence;
  if (order != "accuracy" && order != "class")
    throw Error(ErrorCode::bad_params, "order is '" + order + "'", "It must be 'accuracy' or 'class'.");
  options.order = order == "class" ? RuleOrder::classes : RuleOrder::accuracy;
  options.theory_weight = theory_weight;
  options.tree = tree;
  options.weight = weight;
  std::optional<RuleSet> out;
  run_free(threads, true, nb::none(),
           [&](const Execution& execution) { out = c45_rules(model, rows, options, execution); });
  return std::move(*out);
}

RuleSet measured(const RuleSet& rules, const Table& rows, const std::string& weight, int threads) {
  return run_on<RuleSet>(rows, threads,
                         [&](const Execution& execution) { return measure(rules, rows, weight, execution); });
}

/// Fields as (name, type of the levels, levels): text as a list of str, numbers as an array of float64.
nb::list levels_of(const Schema& schema) {
  constexpr const char* kTypes[] = {"text", "integer", "real", "boolean"};
  nb::list out;
  for (const Field& field : schema.fields) {
    const nb::object values = field.levels.type == Levels::Type::text ? nb::cast(field.levels.names)
                                                                      : to_numpy(field.levels.numbers);
    out.append(nb::make_tuple(field.name, kTypes[static_cast<std::size_t>(field.levels.type)], values));
  }
  return out;
}

}  // namespace

void add_rules(nb::module_& module) {
  nb::class_<RuleSet>(module, "RuleSet", "A list of rules that answers like a model. Immutable.")
      .def("predict", &predict, "rows"_a, "threads"_a,
           nb::sig("def predict(self, rows: Table, threads: int) -> numpy.typing.NDArray"))
      .def("predict_proba", &predict_proba, "rows"_a, "output"_a, "threads"_a,
           nb::sig("def predict_proba(self, rows: Table, output: int, threads: int) -> numpy.typing.NDArray"))
      .def("apply", &apply, "rows"_a, "threads"_a,
           nb::sig("def apply(self, rows: Table, threads: int) -> numpy.typing.NDArray"))
      .def("measure", &measured, "rows"_a, "weight"_a, "threads"_a)
      .def("to_json", &RuleSet::to_json)
      .def_static(
          "from_json", [](const std::string& text) { return RuleSet::from_json(text); }, "text"_a)
      .def("save", &RuleSet::save, "path"_a)
      .def_static("load", &RuleSet::load, "path"_a)
      .def(
          "write",
          [](const RuleSet& rules, const std::string& format, const std::string& dialect) {
            return format == "sql" ? rules_as_sql(rules, dialect) : write_rules(rules, format);
          },
          "format"_a, "dialect"_a)
      .def("__len__", [](const RuleSet& rules) { return rules.rules().size(); })
      .def_prop_ro("n_conditions", &RuleSet::n_conditions)
      .def_prop_ro("task",
                   [](const RuleSet& rules) {
                     return rules.parts().task == Task::classification ? "classification" : "regression";
                   })
      .def_prop_ro("features", [](const RuleSet& rules) { return levels_of(rules.parts().features); })
      .def_prop_ro("targets", [](const RuleSet& rules) { return levels_of(rules.parts().targets); });
  module.def("tree_rules", &tree_rules, "model"_a, "tree"_a = 0, "One rule for every leaf of a tree.");
  module.def("c45_rules", &make_c45, "model"_a, "rows"_a, "weight"_a, "confidence"_a, "order"_a,
             "theory_weight"_a, "tree"_a, "threads"_a,
             "The rules of a tree, shortened and chosen on its training rows.");
}

}  // namespace bough::python
