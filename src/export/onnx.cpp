// SPDX-License-Identifier: Apache-2.0
// Models as ONNX. Cells become one matrix, a tree operator finds the ends of the rows, and tables give their
// values.
//
//   inputs   X, rows by features, when all features are numbers; else one column per feature under its name
//   outputs  label and probabilities (label_0, probabilities_0, ... for several outputs) or value; leaf, rows
//   by trees
//
// Numbers are doubles, NaN is missing. Levels that are text come as strings: the empty one is missing, unless
// it is a level. Unknown levels have a code of their own. Sums of oblique tests are made of Mul and Add in
// the order of their terms: MatMul would add in another order.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "data/utf8.hpp"
#include "explain/words.hpp"
#include "export/formats.hpp"
#include "export/leaf_answers.hpp"
#include "export/onnx_ensemble.hpp"
#include "model/document.hpp"

namespace bough {
namespace {

using onnx::Attributes;
using onnx::Tensor;
using onnx::Type;

// onnxruntime reads trees by recursion, about 800 bytes of stack a level: it crashes near 10,000 levels on
// the usual 8 MiB.
constexpr std::int32_t kMostDepth = 4000;

std::int32_t depth_of(const YesNoTree& tree) {
  std::int32_t deepest = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> open{{0, 0}};
  while (!open.empty()) {
    const auto [at, depth] = open.back();
    open.pop_back();
    deepest = std::max(deepest, depth);
    const YesNoNode& node = tree.nodes[static_cast<std::size_t>(at)];
    for (const std::int32_t child : {node.yes, node.no})
      if (node.question != Question::end) open.emplace_back(child, depth + 1);
  }
  return deepest;
}

std::int64_t number_of(Type type) {
  return static_cast<std::int64_t>(type);
}

class Writer {
 public:
  Writer(const Model& model, const ExportOptions& options)
      : model_(model),
        ml_(options.opset),
        float32_(options.float32 || ml_ < 3),
        asked_(yes_no_model(model, {.format = ml_ >= 3 ? "ONNX" : "ONNX with opset 2",
                                    .sums = ml_ >= 3,
                                    .divided = Divided::largest})),
        parts_(model) {}

  std::string run() {
    check();
    add_inputs();
    const std::string cells = add_matrix();
    ends_at_ = onnx::add_ensemble(graph_, asked_, columns_, cells, ml_, ends_);
    add_leaves();
    if (parts_.is_single()) {
      add_single_answers();
    } else {
      add_forest_answers();
    }
    const onnx::Graph::Versions versions = ml_ >= 5   ? onnx::Graph::Versions{10, 21, 5}
                                           : ml_ >= 3 ? onnx::Graph::Versions{8, 15, 3}
                                                      : onnx::Graph::Versions{6, 11, 2};
    return graph_.model(versions, metadata());
  }

 private:
  void check() const {
    const auto refuse = [](const std::string& what, const std::string& way_out) {
      throw Error(ErrorCode::not_supported, what, way_out);
    };
    if (ml_ != 5 && ml_ != 3 && ml_ != 2)
      throw Error(ErrorCode::bad_params, fmt::format("the ONNX export has no opset {}", ml_),
                  "opset is a version of ai.onnx.ml: 5, or 3 or 2 for older engines");
    if (!parts_.is_single() && parts_.is_classes() && !model_.params().loss_matrix.empty())
      refuse("ONNX cannot choose the class of a forest by a loss matrix",
             "export one tree, or predict with bough");
    for (std::size_t tree = 0; tree < asked_.trees.size(); ++tree)
      if (const std::int32_t depth = depth_of(asked_.trees[tree]); depth > kMostDepth)
        refuse(
            fmt::format("tree {} is {} levels deep in ONNX, and its engines, which read trees by recursion, "
                        "are trusted with {}",
                        tree, depth, kMostDepth),
            "Prune the tree, or export c, cpp, python, sql, treelite or json.");
    for (const Schema* schema : {&model_.features(), &model_.targets()})
      for (const Field& field : schema->fields) {
        bool fits = is_utf8(field.name);
        for (const std::string& level : field.levels.names) fits = fits && is_utf8(level);
        if (!fits)
          refuse(fmt::format("the column {} or one of its levels is not UTF-8, which ONNX asks for",
                             shown_name(field.name)),
                 "rename it and train again");
      }
    if (model_.features().fields.empty())
      refuse("a model without features has no ONNX form", "predict with bough");
  }

  [[nodiscard]] bool all_numbers() const {
    return std::ranges::all_of(model_.features().fields,
                               [](const Field& f) { return f.kind == Kind::numeric; });
  }

  // The name of a feature, unless an output has it or it would not do as a name.
  [[nodiscard]] std::string input_name(std::size_t column) const {
    const std::string& name = model_.features().fields[column].name;
    const bool taken = name.empty() || name.starts_with("bough/") || name.starts_with("label") ||
                       name.starts_with("probabilities") || name == "value" || name == "leaf" ||
                       name.starts_with("column_");
    return taken ? fmt::format("column_{}", column) : name;
  }

  void add_inputs() {
    const Type number = float32_ ? Type::float32 : Type::float64;
    const auto& fields = model_.features().fields;
    if (all_numbers()) {
      graph_.input("X", number, static_cast<std::int64_t>(fields.size()));
      matrix_ = std::string(1, 'X');
      for (std::size_t c = 0; c < fields.size(); ++c) columns_.cells.push_back(static_cast<std::int64_t>(c));
      return;
    }
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string name = input_name(c);
      const bool text = fields[c].kind != Kind::numeric && fields[c].levels.type == Levels::Type::text;
      graph_.input(name, text ? Type::text : fields[c].kind == Kind::numeric ? number : Type::float64, 1);
      columns_.cells.push_back(static_cast<std::int64_t>(pieces_.size()));
      if (fields[c].kind == Kind::numeric) {
        pieces_.push_back(name);
      } else {
        codes_.emplace_back(c,
                            text ? text_codes(name, fields[c].levels) : number_codes(name, fields[c].levels));
        // Without sets the codes themselves are asked for; the place is kept either way.
        pieces_.push_back(
            cast(codes_.back().second, ml_ >= 3 && !plain_float() ? Type::float64 : Type::float32));
      }
    }
  }

  // Cells go into the operator as float32.
  [[nodiscard]] bool plain_float() const { return ml_ < 3; }

  std::string cast(const std::string& value, Type to) {
    return graph_.add("Cast", {value}, Attributes().number("to", number_of(to)));
  }

  // Codes of a column of texts, int64.
  std::string text_codes(const std::string& name, const Levels& levels) {
    std::vector<std::string> keys = levels.names;
    std::vector<std::int64_t> codes(keys.size());
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int64_t>(i);
    if (std::ranges::find(keys, "") == keys.end()) {
      keys.emplace_back();
      codes.push_back(missing_code(levels.size()));
    }
    return graph_.add("LabelEncoder", {name},
                      Attributes()
                          .texts("keys_strings", keys)
                          .numbers("values_int64s", codes)
                          .number("default_int64", unknown_code(levels.size())),
                      onnx::kMl);
  }

  // Codes of a column of numbers that are levels, int64.
  std::string number_codes(const std::string& name, const Levels& levels) {
    const auto n = static_cast<std::int64_t>(levels.size());
    const std::string known = ml_ >= 5 ? looked_up(name, levels) : compared(name, levels);
    const std::string is_number = graph_.add("Equal", {name, name});
    const std::string missing = graph_.constant(static_cast<double>(n + 1));
    return cast(graph_.add("Where", {is_number, known, missing}), Type::int64);
  }

  std::string looked_up(const std::string& name, const Levels& levels) {
    const auto n = static_cast<std::int64_t>(levels.size());
    std::vector<double> codes(levels.size());
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<double>(i);
    const double unknown = unknown_code(levels.size());
    return graph_.add("LabelEncoder", {name},
                      Attributes()
                          .tensor("keys_tensor", Tensor::of(levels.numbers, {n}))
                          .tensor("values_tensor", Tensor::of(codes, {n}))
                          .tensor("default_tensor", Tensor::of(std::span<const double>(&unknown, 1), {1})),
                      onnx::kMl);
  }

  // Encoders of doubles are younger than ai.onnx.ml 3: at most one level is equal, its number minus all is
  // what the product keeps.
  std::string compared(const std::string& name, const Levels& levels) {
    const auto n = static_cast<std::int64_t>(levels.size());
    std::vector<double> codes(levels.size());
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<double>(i) - static_cast<double>(n);
    const std::string equal =
        graph_.add("Equal", {name, graph_.constant(Tensor::of(levels.numbers, {1, n}))});
    const std::string product =
        graph_.add("MatMul", {cast(equal, Type::float64), graph_.constant(Tensor::of(codes, {n, 1}))});
    return graph_.add("Add", {product, graph_.constant(static_cast<double>(n))});
  }

  // What the operator looks at: cells or codes, sums, and the answers of sets for older operators.
  std::string add_matrix() {
    if (matrix_.empty()) {
      if (float32_ && !plain_float())
        for (std::size_t c = 0; c < pieces_.size(); ++c)
          if (model_.features().fields[c].kind == Kind::numeric) pieces_[c] = cast(pieces_[c], Type::float64);
    } else {
      pieces_.assign(1, float32_ && !plain_float() ? cast(matrix_, Type::float64) : matrix_);
    }
    auto width = static_cast<std::int64_t>(model_.features().fields.size());
    std::string cells = joined(pieces_);
    std::vector<std::string> all{cells};
    if (!asked_.sums.empty()) all.push_back(add_sums(cells));
    for (std::size_t i = 0; i < asked_.sums.size(); ++i) columns_.sums.push_back(width++);
    if (ml_ < 5) {
      columns_.sets.assign(asked_.sets.size(), 0);
      for (const auto& [column, codes] : codes_) add_members(column, codes, all, width);
    }
    return joined(all);
  }

  std::string joined(const std::vector<std::string>& parts) {
    return parts.size() == 1 ? parts.front() : graph_.add("Concat", parts, Attributes().number("axis", 1));
  }

  std::string gather(const std::string& from, const std::string& at, std::int64_t axis) {
    return graph_.add("Gather", {from, at}, Attributes().number("axis", axis));
  }

  std::string reshaped(const std::string& value, std::vector<std::int64_t> shape) {
    const auto n = static_cast<std::int64_t>(shape.size());
    return graph_.add("Reshape", {value, graph_.constant(Tensor::of(shape, {n}))});
  }

  // Term after term, all sums side by side; sums of fewer terms add zeros, from a column of zeros.
  std::string add_sums(const std::string& cells) {
    const auto width = static_cast<std::int64_t>(model_.features().fields.size());
    const auto n = static_cast<std::int64_t>(asked_.sums.size());
    const std::int64_t first = 0;
    const double zero = 0.0;
    const std::string column = gather(cells, graph_.constant(Tensor::of(std::span(&first, 1), {1})), 1);
    const std::string zeros =
        graph_.add("ConstantOfShape", {graph_.add("Shape", {column})},
                   Attributes().tensor("value", Tensor::of(std::span<const double>(&zero, 1), {1})));
    const std::string padded = joined({cells, zeros});
    std::size_t most = 0;
    for (const auto& terms : asked_.sums) most = std::max(most, terms.size());
    std::string sum;
    for (std::size_t k = 0; k < most; ++k) {
      std::vector<std::int64_t> at;
      std::vector<double> weights;
      for (const auto& terms : asked_.sums) {
        at.push_back(k < terms.size() ? terms[k].column : width);
        weights.push_back(k < terms.size() ? terms[k].weight : 0.0);
      }
      const std::string term = graph_.add("Mul", {gather(padded, graph_.constant(Tensor::of(at, {n})), 1),
                                                  graph_.constant(Tensor::of(weights, {1, n}))});
      sum = k == 0 ? term : graph_.add("Add", {sum, term});
    }
    return sum;
  }

  // Columns of 0 (member) and 1 for all sets of a feature, out of a table with a row per code.
  void add_members(std::size_t column, const std::string& codes, std::vector<std::string>& all,
                   std::int64_t& width) {
    std::vector<std::size_t> sets;
    for (std::size_t s = 0; s < asked_.sets.size(); ++s)
      if (static_cast<std::size_t>(asked_.sets[s].column) == column) sets.push_back(s);
    if (sets.empty()) return;
    const std::size_t n_codes = asked_.sets[sets.front()].members.size();
    std::vector<double> table;
    for (std::size_t code = 0; code < n_codes; ++code)
      for (const std::size_t s : sets) table.push_back(asked_.sets[s].members[code] == '1' ? 0.0 : 1.0);
    onnx::Shape shape{static_cast<std::int64_t>(n_codes), static_cast<std::int64_t>(sets.size())};
    const std::string rows =
        graph_.constant(plain_float() ? Tensor::of_floats(table, shape) : Tensor::of(table, shape));
    all.push_back(reshaped(gather(rows, codes, 0), {-1, static_cast<std::int64_t>(sets.size())}));
    for (const std::size_t s : sets) columns_.sets[s] = width++;
  }

  void add_leaves() {
    std::vector<std::int64_t> nodes(ends_.node.begin(), ends_.node.end());
    const std::string table = graph_.constant(Tensor::of(nodes, {static_cast<std::int64_t>(nodes.size())}));
    graph_.output("leaf", gather(table, ends_at_, 0), Type::int64,
                  static_cast<std::int64_t>(model_.trees().size()));
  }

  // A table of `width` numbers per end.
  std::string part_table() {
    std::vector<double> table;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const std::span<const double> part = parts_.part(ends_.tree[i], ends_.node[i]);
      table.insert(table.end(), part.begin(), part.end());
    }
    return graph_.constant(Tensor::of(
        table, {static_cast<std::int64_t>(ends_.size()), static_cast<std::int64_t>(parts_.width())}));
  }

  void add_single_answers() {
    const auto width = static_cast<std::int64_t>(parts_.width());
    const std::string values = reshaped(gather(part_table(), ends_at_, 0), {-1, width});
    if (!parts_.is_classes()) {
      graph_.output("value", values, Type::float64, width);
      return;
    }
    std::vector<std::vector<std::int64_t>> chosen(model_.n_outputs());
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const std::vector<std::size_t> classes = parts_.classes(ends_.tree[i], ends_.node[i]);
      for (std::size_t o = 0; o < classes.size(); ++o)
        chosen[o].push_back(static_cast<std::int64_t>(classes[o]));
    }
    const std::string rows = reshaped(ends_at_, {-1});
    for (std::size_t o = 0; o < chosen.size(); ++o) {
      const std::string table =
          graph_.constant(Tensor::of(chosen[o], {static_cast<std::int64_t>(chosen[o].size())}));
      add_class_output(o, gather(table, rows, 0), outputs_of(values, o));
    }
  }

  // The columns of an output.
  std::string outputs_of(const std::string& values, std::size_t output) {
    if (model_.n_outputs() == 1) return values;
    std::vector<std::int64_t> at(model_.tree().output_widths()[output]);
    const std::size_t start = output_start(model_.parts(), output);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int64_t>(start + i);
    return gather(values, graph_.constant(Tensor::of(at, {static_cast<std::int64_t>(at.size())})), 1);
  }

  void add_forest_answers() {
    const std::string table = part_table();
    std::string sum = graph_.constant(0.0);
    for (std::size_t t = 0; t < model_.trees().size(); ++t) {
      const std::string at = gather(ends_at_, graph_.constant(static_cast<std::int64_t>(t)), 1);
      sum = graph_.add("Add", {sum, gather(table, at, 0)});
    }
    if (!parts_.is_classes()) {
      const std::string n = graph_.constant(static_cast<double>(model_.trees().size()));
      graph_.output("value", graph_.add("Div", {sum, n}), Type::float64,
                    static_cast<std::int64_t>(parts_.width()));
      return;
    }
    for (std::size_t o = 0; o < model_.n_outputs(); ++o) {
      const std::string sums = outputs_of(sum, o);
      std::string total;
      for (std::int64_t c = 0; c < static_cast<std::int64_t>(model_.tree().output_widths()[o]); ++c) {
        const std::string one =
            gather(sums, graph_.constant(Tensor::of(std::span<const std::int64_t>(&c, 1), {1})), 1);
        total = c == 0 ? one : graph_.add("Add", {total, one});
      }
      const std::string chosen =
          graph_.add("ArgMax", {sums}, Attributes().number("axis", 1).number("keepdims", 0));
      add_class_output(o, chosen, graph_.add("Div", {sums, total}));
    }
  }

  // Outputs of class indices and shares.
  void add_class_output(std::size_t output, const std::string& chosen, const std::string& shares) {
    const Levels& levels = model_.targets().fields[output].levels;
    const auto n = static_cast<std::int64_t>(levels.size());
    const std::string suffix = model_.n_outputs() == 1 ? "" : fmt::format("_{}", output);
    Type type = Type::text;
    Tensor labels = Tensor::of_texts(levels.names, {n});
    if (levels.type == Levels::Type::integer) {
      labels = Tensor::of(std::vector<std::int64_t>(levels.numbers.begin(), levels.numbers.end()), {n});
      type = Type::int64;
    } else if (levels.type == Levels::Type::real) {
      labels = Tensor::of(levels.numbers, {n});
      type = Type::float64;
    } else if (levels.type == Levels::Type::boolean) {
      labels = Tensor::of_bytes(std::vector<std::uint8_t>(levels.numbers.begin(), levels.numbers.end()),
                                Type::boolean, {n});
      type = Type::boolean;
    }
    graph_.output(fmt::format("label{}", suffix), gather(graph_.constant(labels), chosen, 0), type, 0);
    graph_.output(fmt::format("probabilities{}", suffix), shares, Type::float64, n);
  }

  [[nodiscard]] std::string metadata() const {
    Json names = Json::array();
    for (std::size_t c = 0; c < model_.features().fields.size(); ++c)
      names.push_back(all_numbers() ? "X" : input_name(c));
    return Json::sorted({{"version", version()},
                         {"inputs", std::move(names)},
                         {"features", write_fields(model_.features())},
                         {"targets", write_fields(model_.targets())}})
        .dump();
  }

  const Model& model_;
  std::int64_t ml_;
  bool float32_;
  YesNoModel asked_;
  EndParts parts_;
  onnx::Graph graph_;
  onnx::Columns columns_;
  onnx::Ends ends_;
  std::string matrix_, ends_at_;
  std::vector<std::string> pieces_;                         // columns of the matrix
  std::vector<std::pair<std::size_t, std::string>> codes_;  // level columns: feature, int64 codes
};

}  // namespace

std::string write_onnx(const Model& model, const ExportOptions& options) {
  return Writer(model, options).run();
}

}  // namespace bough
