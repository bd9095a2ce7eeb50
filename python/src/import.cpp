// SPDX-License-Identifier: Apache-2.0
// A model out of the arrays of somebody else's binary trees of numeric tests.
#include "bindings.hpp"

namespace bough::python {
namespace {

using Ints = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig>;

struct Arrays {
  Ints left, right, feature, rows;
  Doubles threshold, weight, impurity;
  nb::ndarray<const bool, nb::ndim<1>, nb::c_contig> missing_left;
  nb::ndarray<const double, nb::ndim<2>, nb::c_contig> values;

  explicit Arrays(const nb::dict& from)
      : left(nb::cast<Ints>(from["children_left"])),
        right(nb::cast<Ints>(from["children_right"])),
        feature(nb::cast<Ints>(from["feature"])),
        rows(nb::cast<Ints>(from["n_node_samples"])),
        threshold(nb::cast<Doubles>(from["threshold"])),
        weight(nb::cast<Doubles>(from["weighted_n_node_samples"])),
        impurity(nb::cast<Doubles>(from["impurity"])),
        missing_left(nb::cast<decltype(missing_left)>(from["missing_go_to_left"])),
        values(nb::cast<decltype(values)>(from["values"])) {
    const std::size_t n = left.shape(0);
    for (const std::size_t size :
         {right.shape(0), feature.shape(0), rows.shape(0), threshold.shape(0), weight.shape(0),
          impurity.shape(0), missing_left.shape(0), values.shape(0)})
      if (size != n || n == 0) throw Error(ErrorCode::bad_model, "the arrays of the tree differ in length");
  }
  [[nodiscard]] std::size_t size() const { return left.shape(0); }
};

// Children may have any ids; every node but the root must be reached exactly once.
Tree build(const Arrays& in, Task task, const std::vector<std::uint32_t>& widths) {
  TreeBuilder builder(task, widths);
  std::vector<std::pair<std::int64_t, TreeBuilder::Handle>> open{{0, builder.root()}};
  std::vector<char> seen(in.size(), 0);
  const auto n = static_cast<std::int64_t>(in.size());
  while (!open.empty()) {
    const auto [id, handle] = open.back();
    open.pop_back();
    if (id < 0 || id >= n || seen[static_cast<std::size_t>(id)]++)
      throw Error(ErrorCode::bad_model, "node " + std::to_string(id) + " is no child, or twice one");
    const auto i = static_cast<std::size_t>(id);
    NodeStats stats;
    stats.n_rows = in.rows(i);
    stats.weight = in.weight(i);
    stats.impurity = in.impurity(i);
    for (std::size_t v = 0; v < in.values.shape(1); ++v) stats.values.push_back(in.values(i, v));
    builder.set_stats(handle, std::move(stats));
    if (in.left(i) < 0) continue;
    const std::int64_t left = in.left(i), right = in.right(i);
    if (left >= n || right < 0 || right >= n) throw Error(ErrorCode::bad_model, "a child is out of range");
    const auto part = [&](std::int64_t at) {
      return in.weight(static_cast<std::size_t>(at)) * in.impurity(static_cast<std::size_t>(at));
    };
    Split split;
    split.kind = NodeKind::numeric;
    split.column = static_cast<ColId>(in.feature(i));
    split.threshold = in.threshold(i);
    split.missing_to = in.missing_left(i) ? 0 : 1;
    split.unseen_to = split.missing_to;
    split.gain = std::max(0.0, part(id) - part(left) - part(right));
    const auto first = builder.split(handle, split, 2);
    open.emplace_back(right, first + 1);
    open.emplace_back(left, first);
  }
  return std::move(builder).finish();
}

Levels levels_from(const nb::handle& given) {
  Levels levels;
  const auto parts = nb::cast<nb::tuple>(given);
  const auto type = nb::cast<std::string>(parts[0]);
  levels.names = nb::cast<std::vector<std::string>>(parts[1]);
  if (type == "text") return levels;
  levels.type = type == "integer"   ? Levels::Type::integer
                : type == "boolean" ? Levels::Type::boolean
                                    : Levels::Type::real;
  levels.numbers = nb::cast<std::vector<double>>(parts[2]);
  return levels;
}

Model model_from_arrays(const nb::list& trees, bool together, const std::string& task,
                        const std::string& criterion, const std::vector<std::string>& features,
                        const nb::list& targets, const Params& params, std::int64_t n_rows,
                        const std::string& command, const std::vector<std::string>& notes) {
  if (trees.size() == 0 || (!together && trees.size() != 1))
    throw Error(ErrorCode::bad_model, "a model needs trees, and one that stands alone exactly one");
  Model::Parts parts;
  parts.combine = together ? Combine::mean : Combine::single;
  parts.task = task == "classification" ? Task::classification : Task::regression;
  std::vector<std::uint32_t> widths;
  for (const nb::handle item : targets) {
    const auto pair = nb::cast<nb::tuple>(item);
    Field field;
    field.name = nb::cast<std::string>(pair[0]);
    field.role = Role::target;
    if (parts.task == Task::classification) {
      field.kind = Kind::category;
      field.levels = levels_from(pair[1]);
    }
    widths.push_back(parts.task == Task::classification ? static_cast<std::uint32_t>(field.levels.size())
                                                        : 1);
    parts.targets.fields.push_back(std::move(field));
  }
  for (const std::string& name : features) {
    Field field;
    field.name = name;
    parts.features.fields.push_back(std::move(field));
  }
  for (const nb::handle arrays : trees) {
    const Arrays in(nb::cast<nb::dict>(arrays));
    parts.trees.push_back(build(in, parts.task, widths));
  }
  parts.params = params;
  parts.criterion = criterion;
  parts.provenance.library_version = version();
  parts.provenance.engine = "imported";
  parts.provenance.n_rows = n_rows;
  parts.provenance.command = command;
  parts.provenance.notes = notes;
  return Model(std::move(parts));
}

}  // namespace

void add_import(nb::module_& module) {
  module.def(
      "model_from_arrays", &model_from_arrays, "trees"_a, "together"_a, "task"_a, "criterion"_a, "features"_a,
      "targets"_a, "params"_a, "n_rows"_a, "command"_a, "notes"_a,
      "A model out of the arrays of binary trees: one, or several whose mean it answers; targets are (name, "
      "(type, names, numbers)), `params` those of refits, `n_rows` the rows of training, or 0 when not "
      "known.");
}

}  // namespace bough::python
