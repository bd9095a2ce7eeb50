// SPDX-License-Identifier: Apache-2.0
// What users of rpart expect: the cp table, its cross-validation, text, and cutting off nodes.
#include "bough/rpart.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

/// cp, number of splits, relative error, cross-validated error and its standard error.
nb::tuple table_of(const Model& model) {
  std::vector<double> cp, error, xerror, xstd;
  std::vector<std::int64_t> splits;
  for (const CpRow& row : cp_table(model)) {
    cp.push_back(row.cp);
    splits.push_back(row.n_splits);
    error.push_back(row.rel_error);
    xerror.push_back(row.xerror);
    xstd.push_back(row.xstd);
  }
  return nb::make_tuple(to_numpy(std::move(cp)), to_numpy(std::move(splits)), to_numpy(std::move(error)),
                        to_numpy(std::move(xerror)), to_numpy(std::move(xstd)));
}

Model cross_validate(
    const Model& model, const Table& table, const std::vector<std::string>& targets,
    const std::string& weight, const nb::list& columns,
    const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& groups, int threads) {
  FitSpec spec;
  spec.targets = targets;
  spec.weight = weight;
  spec.columns = column_specs(columns);
  const std::span<const std::int64_t> rows(groups.data(), groups.size());
  std::optional<Model> out;
  run_free(threads, true, nb::none(),
           [&](const Execution& execution) { out = cross_validate_cp(model, table, spec, rows, execution); });
  return std::move(*out);
}

Model cut_nodes(const Model& model, const std::vector<std::int64_t>& nodes, bool rpart) {
  if (!rpart) {
    std::vector<NodeId> ids;
    for (const std::int64_t node : nodes)
      ids.push_back(node < 0 || node >= model.tree().n_nodes() ? NodeId{-1} : static_cast<NodeId>(node));
    return cut(model, ids);
  }
  const std::vector<std::uint64_t> numbers(nodes.begin(), nodes.end());
  return cut(model, nodes_of_rpart(model, numbers));
}

}  // namespace

void add_rpart(nb::module_& module) {
  module.def("cp_table", &table_of, "model"_a);
  module.def("cross_validate_cp", &cross_validate, "model"_a, "table"_a, "targets"_a, "weight"_a, "columns"_a,
             "groups"_a, "threads"_a);
  module.def(
      "draw_groups",
      [](std::int64_t n_rows, std::int64_t folds, std::int64_t seed) {
        return to_numpy(draw_groups(n_rows, folds, static_cast<std::uint64_t>(seed)));
      },
      "n_rows"_a, "folds"_a, "seed"_a);
  module.def("cut_nodes", &cut_nodes, "model"_a, "nodes"_a, "rpart"_a);
  module.def(
      "prune_cp", [](const Model& model, double cp) { return prune_cp(model, cp); }, "model"_a, "cp"_a);
  module.def("rpart_text", &rpart_text, "model"_a, "digits"_a);
  module.def("rpart_summary", &rpart_summary, "model"_a, "digits"_a);
  module.def(
      "rpart_numbers",
      [](const Model& model) {
        const std::vector<std::uint64_t> numbers = rpart_numbers(model);
        return to_numpy(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
      },
      "model"_a);
}

}  // namespace bough::python
