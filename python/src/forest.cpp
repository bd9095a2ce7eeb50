// SPDX-License-Identifier: Apache-2.0
// What forests know beyond answering: rows out of bag.
#include "bindings.hpp"
#include "bough/out_of_bag.hpp"
#include "bough/proximity.hpp"

namespace bough::python {
namespace {

/// Answers (n_rows, width) and the number of trees behind each.
nb::tuple out_of_bag_of(const Model& forest, const Table& rows, const std::vector<double>& weights,
                        int threads) {
  OutOfBag found;
  run_free(threads, true, nb::none(),
           [&](const Execution& execution) { found = out_of_bag(forest, rows, weights, execution); });
  const std::size_t n = found.n_trees.size();
  return nb::make_tuple(to_numpy(std::move(found.values), {n, found.width}),
                        to_numpy(std::move(found.n_trees)));
}

OobSpec spec_of(const std::string& weight, bool weighted, std::int64_t seed) {
  return {weight, weighted, seed};
}

template <class Job>
std::string as_json(int threads, const Job& job) {
  std::string json;
  run_free(threads, true, nb::none(), [&](const Execution& execution) { json = to_json(job(execution)); });
  return json;
}

std::string curve_of(const Model& forest, const Table& table, const std::string& weight, bool weighted,
                     int threads) {
  return as_json(threads, [&](const Execution& execution) {
    return oob_curve(forest, table, spec_of(weight, weighted, 0), execution);
  });
}

std::string importance_of(const Model& forest, const Table& table, const std::string& weight, bool weighted,
                          std::int64_t seed, int threads) {
  return as_json(threads, [&](const Execution& execution) {
    return oob_importance(forest, table, spec_of(weight, weighted, seed), execution);
  });
}

std::string likeness_of(const Model& forest, const Table& rows, int threads) {
  return as_json(threads,
                 [&](const Execution& execution) { return tree_proximity(forest, rows, execution); });
}

nb::object proximity_of(const Model& forest, const Table& rows, const Table* others, bool out_of_bag,
                        const std::string& weight, int threads) {
  std::vector<double> found;
  run_free(threads, true, nb::none(), [&](const Execution& execution) {
    found = others ? proximity(forest, rows, *others, execution)
                   : proximity(forest, rows, ProximitySpec{out_of_bag, weight}, execution);
  });
  const auto n = static_cast<std::size_t>(rows.n_rows()),
             m = others ? static_cast<std::size_t>(others->n_rows()) : n;
  return to_numpy(std::move(found), {n, m});
}

}  // namespace

void add_forests(nb::module_& module) {
  module.def("out_of_bag", &out_of_bag_of, "forest"_a, "rows"_a, "weights"_a, "threads"_a,
             "Answers of the trees that have not drawn a row, and how many these are; weights are those of "
             "the fit.");
  module.def("oob_curve", &curve_of, "forest"_a, "rows"_a, "weight"_a, "weighted"_a, "threads"_a,
             "The out-of-bag error of the first 1, 2, ... trees as JSON.");
  module.def("oob_importance", &importance_of, "forest"_a, "rows"_a, "weight"_a, "weighted"_a, "seed"_a,
             "threads"_a, "Breiman's importances as JSON.");
  module.def("tree_likeness", &likeness_of, "forest"_a, "rows"_a, "threads"_a,
             "How far every tree answers from the forest, and the nearest, as JSON.");
  module.def("proximity", &proximity_of, "forest"_a, "rows"_a, "others"_a.none(), "out_of_bag"_a, "weight"_a,
             "threads"_a, "Shares of the trees in which rows meet in a leaf.");
}

}  // namespace bough::python
