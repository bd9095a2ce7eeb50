// SPDX-License-Identifier: Apache-2.0
// Studies and statistical tests: run without the interpreter's lock, handed over as JSON, text and models.
#include "bough/study.hpp"

#include "bindings.hpp"
#include "bough/changes.hpp"
#include "bough/inference.hpp"
#include "bough/significance.hpp"

namespace bough::python {
namespace {

// A result as (JSON, text).
template <class Result>
nb::tuple told(int threads, const nb::object& progress, const std::function<Result(const Execution&)>& job) {
  std::optional<Result> result;
  run_free(threads, true, progress, [&](const Execution& execution) { result.emplace(job(execution)); });
  return nb::make_tuple(to_json(*result), to_text(*result));
}

nb::tuple study_stability(const Model& model, const Table& rows, const std::string& weight,
                          std::int64_t repeats, std::uint64_t seed, std::int32_t max_depth, int threads,
                          const nb::object& progress) {
  return told<Stability>(threads, progress, [&](const Execution& execution) {
    return stability(model, rows, {repeats, seed, max_depth, {weight, {}}}, execution);
  });
}

LeaveOneOut study_leave_one_out(const Model& model, const Table& rows, const std::string& weight,
                                std::size_t most_models, int threads, const nb::object& progress) {
  LeaveOneOut result;
  run_free(threads, true, progress, [&](const Execution& execution) {
    result = leave_one_out(model, rows, {most_models, {weight, {}}}, execution);
    result.first_row = 0;
  });
  return result;
}

nb::tuple study_rotation(const Model& model, const Table& rows, const std::string& weight,
                         const std::vector<double>& angles, const std::string& planes, std::int32_t folds,
                         std::int32_t repeats, std::uint64_t seed, int threads, const nb::object& progress) {
  return told<RotationStudy>(threads, progress, [&](const Execution& execution) {
    return rotation(model, rows, {angles, planes, folds, repeats, seed, {weight, {}}}, execution);
  });
}

PermutationOptions permutation_options(const std::string& weight, std::optional<std::int64_t> repeats,
                                       std::uint64_t seed, const std::string& score, std::int32_t folds,
                                       std::int32_t max_depth) {
  return {repeats, seed, score, folds, max_depth, {weight, {}}};
}

nb::tuple study_permutation(const Model& model, const Table& rows, const std::string& weight,
                            std::optional<std::int64_t> repeats, std::uint64_t seed, const std::string& score,
                            std::int32_t folds, int threads, const nb::object& progress) {
  return told<TreePermutation>(threads, progress, [&](const Execution& execution) {
    return permutation_test(model, rows, permutation_options(weight, repeats, seed, score, folds, 0),
                            execution);
  });
}

nb::tuple study_splits(const Model& model, const Table& rows, const std::string& weight,
                       std::optional<std::int64_t> repeats, std::uint64_t seed, std::int32_t max_depth,
                       int threads, const nb::object& progress) {
  return told<SplitPermutations>(threads, progress, [&](const Execution& execution) {
    return permutation_test_splits(
        model, rows, permutation_options(weight, repeats, seed, "held_out", 5, max_depth), execution);
  });
}

nb::tuple study_compare(const Model& first, const Model& second, const Table& rows, const std::string& weight,
                        const Table* training, const std::string& training_weight, const nb::dict& options,
                        int threads, const nb::object& progress) {
  CompareOptions own;
  own.weight = weight;
  own.refit.weight = training_weight;
  own.confidence = nb::cast<double>(options["confidence"]);
  own.splits = nb::cast<std::int32_t>(options["splits"]);
  own.fraction = nb::cast<double>(options["fraction"]);
  own.seed = nb::cast<std::uint64_t>(options["seed"]);
  return told<Comparison>(threads, progress, [&](const Execution& execution) {
    return compare(first, second, rows, own, training, execution);
  });
}

std::string evaluate_json(const Model& model, const Table& rows, const std::string& weight, double confidence,
                          int threads) {
  std::vector<Evaluation> result;
  run_free(threads, false, nb::none(), [&](const Execution& execution) {
    result = evaluate(model, rows, {weight, confidence}, execution);
  });
  return to_json(result);
}

nb::object drawn_rows(std::int64_t n_rows, std::uint64_t seed, std::int64_t repeat) {
  const std::vector<RowId> rows = bootstrap_rows(n_rows, seed, repeat);
  return to_numpy(std::vector<std::int64_t>(rows.begin(), rows.end()));
}

std::string changes_svg(const LeaveOneOut& result, std::size_t most, const std::string& theme) {
  return draw_changes(result, most,
                      theme == "dark"          ? Theme::dark
                      : theme == "transparent" ? Theme::transparent
                                               : Theme::light);
}

std::vector<std::optional<Model>> changed_models(const LeaveOneOut& result) {
  std::vector<std::optional<Model>> models;
  for (const ChangedTree& tree : result.changed) models.push_back(tree.model);
  return models;
}

}  // namespace

void add_study(nb::module_& module) {
  nb::class_<LeaveOneOut>(module, "LeaveOneOut", "Trees without each row in turn.")
      .def("to_json", [](const LeaveOneOut& self) { return to_json(self); })
      .def(
          "text", [](const LeaveOneOut& self, std::size_t most) { return to_text(self, most); },
          "most"_a = 20)
      .def("svg", &changes_svg, "most"_a = 10, "theme"_a = "light")
      .def_prop_ro("before", [](const LeaveOneOut& self) { return *self.before; })
      .def_prop_ro("models", &changed_models);
  module.def(
      "bootstrap_rows", &drawn_rows, "n_rows"_a, "seed"_a, "repeat"_a,
      nb::sig(
          "def bootstrap_rows(n_rows: int, seed: int, repeat: int) -> numpy.typing.NDArray[numpy.int64]"));
  module.def("stability", &study_stability, "model"_a, "rows"_a, "weight"_a, "repeats"_a, "seed"_a,
             "max_depth"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("leave_one_out", &study_leave_one_out, "model"_a, "rows"_a, "weight"_a, "most_models"_a,
             "threads"_a, "progress"_a.none() = nb::none());
  module.def("rotation", &study_rotation, "model"_a, "rows"_a, "weight"_a, "angles"_a, "planes"_a, "folds"_a,
             "repeats"_a, "seed"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("permutation_test", &study_permutation, "model"_a, "rows"_a, "weight"_a, "repeats"_a.none(),
             "seed"_a, "score"_a, "folds"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("permutation_test_splits", &study_splits, "model"_a, "rows"_a, "weight"_a, "repeats"_a.none(),
             "seed"_a, "max_depth"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("compare", &study_compare, "first"_a, "second"_a, "rows"_a, "weight"_a, "training"_a.none(),
             "training_weight"_a, "options"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("evaluate", &evaluate_json, "model"_a, "rows"_a, "weight"_a, "confidence"_a, "threads"_a,
             "Scores with their intervals as JSON.");
}

}  // namespace bough::python
