// SPDX-License-Identifier: Apache-2.0
// Models in Python: answers for tables, bytes and files, what the schema knows.
#include <algorithm>
#include <bit>

#include "bindings.hpp"
#include "bough/choose_tree.hpp"
#include "bough/explain.hpp"
#include "bough/export.hpp"
#include "bough/forest.hpp"

namespace bough::python {
namespace {

// Below this many rows an answer takes no time worth watching for Ctrl-C.
constexpr std::int64_t kWatchedRows = 200'000;

template <class Answer>
Answer answer(const Table& rows, int threads, const std::function<Answer(const Execution&)>& job) {
  Answer out;
  run_free(threads, rows.n_rows() > kWatchedRows, nb::none(),
           [&](const Execution& execution) { out = job(execution); });
  return out;
}

std::size_t n_classes(const Model& model, std::size_t output) {
  return model.targets().fields.at(output).levels.size();
}

/// The answers that the rows from `first` on get from a matrix.
using AnswerRows = std::function<void(const MatrixView& rows, std::size_t first, const Execution& execution)>;

/// Rows of a matrix, some at a time: their cells are looked at and answered while they are in the cache. False when
/// one of them is infinite.
bool answer_matrix(const Model& model, const MatrixView& rows, int threads, const AnswerRows& job) {
  // Several trees need more rows for what they fetch; an error of an honest model names the row.
  const bool together = threads != 1 || model.params().honest;
  const std::int64_t at_once = together                   ? std::max<std::int64_t>(rows.rows, 1)
                               : model.trees().size() > 1 ? 16384
                                                          : 2048;
  bool finite = true;
  run_free(threads, rows.rows > kWatchedRows, nb::none(), [&](const Execution& execution) {
    for (std::int64_t first = 0; first < rows.rows && finite; first += at_once) {
      MatrixView some = rows;
      some.data = static_cast<const char*>(rows.data) + first * rows.row_stride;
      some.rows = std::min(at_once, rows.rows - first);
      finite = finiteness(some) != Finiteness::some_infinite;
      if (finite) job(some, static_cast<std::size_t>(first), execution);
    }
  });
  return finite;
}

// A class index as an integer, by steps that compilers vectorise.
std::int64_t whole_number(double index) noexcept {
  constexpr double kShift = 0x1p52;  // beyond it the last bit is worth 1
  return std::bit_cast<std::int64_t>(index + kShift) - std::bit_cast<std::int64_t>(kShift);
}

/// Regression: numbers; classification: class indices. One row of the result per row, one column per output.
nb::object predict(const Model& model, const Table& rows, int threads) {
  auto values = answer<std::vector<double>>(
      rows, threads, [&](const Execution& execution) { return model.predict(rows, execution); });
  const std::size_t outputs = model.n_outputs(), n = values.size() / outputs;
  if (model.task() == Task::regression) return to_numpy(std::move(values), {n, outputs});
  std::vector<std::int64_t> codes(values.begin(), values.end());
  return to_numpy(std::move(codes), {n, outputs});
}
nb::object predict_matrix(const Model& model, const AnyArray& array, int threads) {
  const MatrixView rows = matrix_of(array);
  const std::size_t outputs = model.n_outputs(), n = static_cast<std::size_t>(rows.rows);
  const bool classes = model.task() == Task::classification;
  std::unique_ptr<double[]> values(classes ? nullptr : new double[n * outputs]);
  std::unique_ptr<std::int64_t[]> codes(classes ? new std::int64_t[n * outputs] : nullptr);
  std::vector<double> some;
  const bool finite = answer_matrix(
      model, rows, threads, [&](const MatrixView& part, std::size_t first, const Execution& execution) {
        const std::size_t count = static_cast<std::size_t>(part.rows) * outputs;
        if (!classes) return model.predict(part, {values.get() + first * outputs, count}, execution);
        some.resize(count);
        model.predict(part, some, execution);
        for (std::size_t i = 0; i < count; ++i) codes[first * outputs + i] = whole_number(some[i]);
      });
  if (!finite) return nb::none();
  return classes ? to_numpy(std::move(codes), {n, outputs}) : to_numpy(std::move(values), {n, outputs});
}

nb::object predict_proba(const Model& model, const Table& rows, std::size_t output, int threads) {
  auto values = answer<std::vector<double>>(rows, threads, [&](const Execution& execution) {
    return model.predict_proba(rows, output, execution);
  });
  const std::size_t classes = n_classes(model, output), n = values.size() / classes;
  return to_numpy(std::move(values), {n, classes});
}
nb::object predict_proba_matrix(const Model& model, const AnyArray& array, std::size_t output, int threads) {
  const MatrixView rows = matrix_of(array);
  const std::size_t classes = n_classes(model, output), n = static_cast<std::size_t>(rows.rows);
  std::unique_ptr<double[]> shares(new double[n * classes]);
  const bool finite = answer_matrix(
      model, rows, threads, [&](const MatrixView& part, std::size_t first, const Execution& execution) {
        const std::size_t count = static_cast<std::size_t>(part.rows) * classes;
        model.predict_proba(part, output, {shares.get() + first * classes, count}, execution);
      });
  return finite ? to_numpy(std::move(shares), {n, classes}) : nb::none();
}

nb::object apply(const Model& model, const Table& rows, int threads, std::size_t tree) {
  const auto found = answer<std::vector<NodeId>>(
      rows, threads, [&](const Execution& execution) { return model.apply(rows, tree, execution); });
  return to_numpy(std::vector<std::int64_t>(found.begin(), found.end()));
}
nb::object apply_matrix(const Model& model, const AnyArray& array, int threads, std::size_t tree) {
  const MatrixView rows = matrix_of(array);
  std::vector<NodeId> leaves(static_cast<std::size_t>(rows.rows));
  const bool finite = answer_matrix(
      model, rows, threads, [&](const MatrixView& part, std::size_t first, const Execution& execution) {
        const auto count = static_cast<std::size_t>(part.rows);
        model.apply(part, tree, std::span(leaves).subspan(first, count), execution);
      });
  return finite ? to_numpy(std::vector<std::int64_t>(leaves.begin(), leaves.end())) : nb::none();
}

/// Whether a matrix says all: cells of other columns are levels, which a table finds by their values.
bool takes_matrix(const Model& model) {
  return std::ranges::all_of(model.features().fields,
                             [](const Field& field) { return field.kind == Kind::numeric; });
}

nb::tuple decision_path(const Model& model, const Table& rows, std::size_t tree) {
  DecisionPaths paths =
      answer<DecisionPaths>(rows, 1, [&](const Execution&) { return model.decision_path(rows, tree); });
  return nb::make_tuple(to_numpy(std::move(paths.starts)), to_numpy(std::move(paths.nodes)));
}

nb::bytes to_bytes(const Model& model) {
  std::string bytes;
  {
    const nb::gil_scoped_release release;
    bytes = model.to_bytes();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) {
  const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
  const nb::gil_scoped_release release;  // bytes do not change, and the caller holds them
  return Model::from_bytes(text);
}

/// Levels as (type, values): text as a list of str, numbers as an array of float64.
nb::tuple levels_of(const Levels& levels) {
  constexpr const char* kTypes[] = {"text", "integer", "real", "boolean"};
  const char* type = kTypes[static_cast<std::size_t>(levels.type)];
  if (levels.type == Levels::Type::text) return nb::make_tuple(type, nb::cast(levels.names));
  return nb::make_tuple(type, to_numpy(levels.numbers));
}

/// Fields as (name, kind, levels).
nb::list fields_of(const Schema& schema) {
  constexpr const char* kKinds[] = {"numeric", "ordinal", "category"};
  nb::list out;
  for (const Field& field : schema.fields)
    out.append(
        nb::make_tuple(field.name, kKinds[static_cast<std::size_t>(field.kind)], levels_of(field.levels)));
  return out;
}

/// The same model with the call that made it and the parameters it was asked for.
Model signed_by(const Model& model, const std::string& command) {
  Model::Parts parts = model.parts();
  parts.provenance.command = command;
  return Model(std::move(parts));
}

/// The rows a tree was grown on, each as often as it was drawn, in rising order.
nb::object bag_rows(const Model& model, std::size_t tree, std::int64_t n_rows,
                    const std::vector<double>& weights) {
  std::vector<std::int32_t> rows;
  const std::vector<std::uint32_t> times = bag_of(model, tree, n_rows, weights);
  for (std::size_t row = 0; row < times.size(); ++row)
    rows.insert(rows.end(), times[row], static_cast<std::int32_t>(row));
  return to_numpy(std::move(rows));
}

ExportOptions options_of(const std::string& format, const std::map<std::string, std::string>& wishes) {
  ExportOptions options;
  for (const auto& [name, text] : wishes) set_export_option(options, format, name, text);
  return options;
}

/// Text, or bytes for formats that are not text.
nb::object export_as(const Model& model, const std::string& format,
                     const std::map<std::string, std::string>& wishes) {
  const Format& chosen = export_format(format);
  const ExportOptions options = options_of(format, wishes);
  std::string written;
  {
    const nb::gil_scoped_release release;
    written = export_model(model, format, options);
  }
  if (chosen.binary) return nb::bytes(written.data(), written.size());
  return nb::cast(written);
}

}  // namespace

void add_models(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted model. Immutable.")
      .def("predict", &predict, "rows"_a, "threads"_a)
      .def("predict", &predict_matrix, "rows"_a, "threads"_a, "None when a cell is infinite.")
      .def("predict_proba", &predict_proba, "rows"_a, "output"_a, "threads"_a)
      .def("predict_proba", &predict_proba_matrix, "rows"_a, "output"_a, "threads"_a,
           "None when a cell is infinite.")
      .def("apply", &apply, "rows"_a, "threads"_a, "tree"_a = 0)
      .def("apply", &apply_matrix, "rows"_a, "threads"_a, "tree"_a = 0, "None when a cell is infinite.")
      .def_prop_ro("takes_matrix", &takes_matrix)
      .def("decision_path", &decision_path, "rows"_a, "tree"_a = 0)
      .def(
          "importances", [](const Model& model) { return to_numpy(model.importances()); },
          nb::sig("def importances(self) -> numpy.typing.NDArray"))
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, "data"_a)
      .def("to_json", &Model::to_json)
      .def("save", &Model::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_static("load", &Model::load, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("signed_by", &signed_by, "command"_a)
      .def("one_tree", &one_tree, "tree"_a)
      .def(
          "bag", &bag_rows, "tree"_a, "n_rows"_a, "weights"_a = std::vector<double>(),
          nb::sig(
              "def bag(self, tree: int, n_rows: int, weights: Sequence[float] = []) -> numpy.typing.NDArray"))
      .def("export", &export_as, "format"_a, "options"_a = std::map<std::string, std::string>(),
           nb::sig("def export(self, format: str, options: dict[str, str] = {}) -> str | bytes"))
      .def(
          "export_notes",
          [](const Model& model, const std::string& format,
             const std::map<std::string, std::string>& wishes) {
            return export_notes(model, format, options_of(format, wishes));
          },
          "format"_a, "options"_a)
      .def(
          "explain",
          [](const Model& model, const Table& rows, std::int64_t row, std::size_t tree) {
            return to_json(explain_row(model, rows, row, tree));
          },
          "rows"_a, "row"_a, "tree"_a = 0)
      .def(
          "condition",
          [](const Model& model, NodeId node, std::int32_t child, int digits) {
            if (node < 0 || node >= model.tree().n_nodes() || child < 0 ||
                child >= static_cast<std::int32_t>(model.tree().children(node).size()))
              throw Error(ErrorCode::bad_params, "there is no such node or child");
            return condition_text(model, model.tree(), node, child, digits);
          },
          "node"_a, "child"_a, "digits"_a = 6)
      .def_prop_ro("task",
                   [](const Model& model) {
                     return model.task() == Task::classification ? "classification" : "regression";
                   })
      .def_prop_ro("criterion", [](const Model& model) { return model.parts().criterion; })
      .def_prop_ro("params", [](const Model& model) { return params_to_json(model.params()); })
      .def_prop_ro("command", [](const Model& model) { return model.parts().provenance.command; })
      .def_prop_ro("notes", [](const Model& model) { return model.parts().provenance.notes; })
      .def_prop_ro("search",
                   [](const Model& model) -> nb::object {
                     const std::optional<SearchProof>& proof = model.parts().search;
                     if (!proof) return nb::none();
                     nb::dict out;
                     out["errors"] = proof->errors;
                     out["cost"] = proof->cost;
                     out["lower_bound"] = proof->lower_bound;
                     out["proven"] = proof->is_proven();
                     out["work"] = proof->work;
                     return out;
                   })
      .def_prop_ro("choice", [](const Model& model) { return choice_text(model); })
      .def_prop_ro("extras", [](const Model& model) { return model.parts().extras; })
      .def_prop_ro("data_hash", [](const Model& model) { return model.parts().provenance.data_hash; })
      .def_prop_ro("combine",
                   [](const Model& model) {
                     constexpr const char* kWords[] = {"single", "mean", "vote"};
                     return kWords[static_cast<std::size_t>(model.parts().combine)];
                   })
      .def_prop_ro("tree_sizes",
                   [](const Model& model) {
                     std::vector<std::int64_t> sizes;
                     for (const Tree& tree : model.trees()) sizes.push_back(tree.n_nodes());
                     return sizes;
                   })
      .def_prop_ro("n_trees", [](const Model& model) { return model.trees().size(); })
      .def_prop_ro("feature_names",
                   [](const Model& model) {
                     std::vector<std::string> names;
                     for (const Field& field : model.features().fields) names.push_back(field.name);
                     return names;
                   })
      .def_prop_ro("features", [](const Model& model) { return fields_of(model.features()); })
      .def_prop_ro("treatment", [](const Model& model) { return fields_of(model.parts().treatment); })
      .def_prop_ro("targets", [](const Model& model) { return fields_of(model.targets()); });
}

}  // namespace bough::python
