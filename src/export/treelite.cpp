// SPDX-License-Identifier: Apache-2.0
// Models as treelite checkpoints (serialization format v4: little-endian scalars, arrays as a length and
// their elements).
//
// Cells are doubles. A level column holds level numbers; treelite sends a category that a list does not name
// to the other side, which is where -1 (unknown) must go, so every list names the levels of the side that
// unknown ones do not take. The attributes of the checkpoint say which number stands for which level, and
// which node of the tree a treelite node is.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text.hpp"
#include "bough/json.hpp"
#include "export/binary_ir.hpp"
#include "export/formats.hpp"
#include "export/leaf_answers.hpp"
#include "model/document.hpp"

namespace bough {
namespace {

// Words of treelite's enumerations.
constexpr std::uint8_t kFloat64 = 3;
constexpr std::uint8_t kRegressor = 1, kMultiClf = 2;
constexpr std::int8_t kLeafNode = 0, kNumberNode = 1, kCategoryNode = 2;
constexpr std::int8_t kNoOperator = 0, kLessOrEqual = 3;

class Bytes {
 public:
  template <class T>
  void scalar(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
    text_.append(raw, sizeof(T));
  }
  template <class T>
  void array(const std::vector<T>& values) {
    scalar(static_cast<std::uint64_t>(values.size()));
    for (const T value : values) scalar(value);
  }
  void text(std::string_view value) {
    scalar(static_cast<std::uint64_t>(value.size()));
    text_ += value;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// The arrays of one tree, as treelite keeps them.
struct Arrays {
  std::vector<std::int8_t> type, compare;
  std::vector<std::int32_t> left, right, column;
  std::vector<std::uint8_t> default_left, list_goes_right;
  std::vector<double> leaf, threshold, vectors;
  std::vector<std::uint64_t> vector_begin, vector_end, list_begin, list_end, rows;
  std::vector<std::uint32_t> lists;
  std::vector<std::uint8_t> rows_known;
};

// How answers are laid out: outputs by the most classes.
struct Shape {
  std::vector<std::int32_t> classes;
  std::int32_t outputs = 1, widest = 1;
  [[nodiscard]] bool is_scalar() const { return outputs * widest == 1; }
};

class Writer {
 public:
  explicit Writer(const Model& model)
      : model_(model),
        parts_(model),
        asked_(yes_no_model(model, {.format = "treelite", .sums = false, .divided = Divided::largest})) {
    shape_.outputs = static_cast<std::int32_t>(model.n_outputs());
    for (const std::uint32_t width : model.tree().output_widths())
      shape_.classes.push_back(static_cast<std::int32_t>(width));
    shape_.widest = *std::ranges::max_element(shape_.classes);
  }

  std::string run() {
    write_header();
    for (std::size_t i = 0; i < asked_.trees.size(); ++i) write_tree(collect(i));
    return out_.take();
  }

 private:
  void write_header() {
    const auto n_trees = asked_.trees.size();
    const bool classes = parts_.is_classes();
    for (const std::int32_t version : {4, 0, 0}) out_.scalar(version);
    out_.scalar(kFloat64);
    out_.scalar(kFloat64);
    out_.scalar(static_cast<std::uint64_t>(n_trees));
    out_.scalar(static_cast<std::int32_t>(model_.features().fields.size()));
    out_.scalar(classes ? kMultiClf : kRegressor);
    out_.scalar(static_cast<std::uint8_t>(averages()));
    out_.scalar(shape_.outputs);
    out_.array(shape_.classes);
    out_.array(std::vector<std::int32_t>{shape_.outputs, shape_.widest});
    out_.array(std::vector<std::int32_t>(n_trees, shape_.outputs > 1 ? -1 : 0));
    out_.array(std::vector<std::int32_t>(n_trees, shape_.widest > 1 ? -1 : 0));
    out_.text(classes ? "identity_multiclass" : "identity");
    out_.scalar(1.0F);
    out_.scalar(1.0F);
    out_.array(std::vector<double>(static_cast<std::size_t>(shape_.outputs * shape_.widest), 0.0));
    out_.text(attributes());
    out_.scalar(std::int32_t{0});
  }

  // Sums of class shares are divided by their own sum, which treelite cannot do: it gives the sums.
  [[nodiscard]] bool averages() const {
    const Combine combine = model_.parts().combine;
    return combine == Combine::vote || (combine == Combine::mean && !parts_.is_classes());
  }

  [[nodiscard]] std::string attributes() const {
    Json nodes = Json::array();
    for (const YesNoTree& tree : asked_.trees) {
      Json origins = Json::array();
      for (const YesNoNode& node : tree.nodes) origins.push_back(node.origin);
      nodes.push_back(std::move(origins));
    }
    return Json::sorted({{"bough", version()},
                         {"features", write_fields(model_.features())},
                         {"targets", write_fields(model_.targets())},
                         {"nodes", std::move(nodes)}})
        .dump();
  }

  Arrays collect(std::size_t tree) {
    Arrays out;
    for (const YesNoNode& node : asked_.trees[tree].nodes) {
      const bool ends = node.question == Question::end;
      const bool set = node.question == Question::set;
      out.type.push_back(ends ? kLeafNode : set ? kCategoryNode : kNumberNode);
      out.compare.push_back(node.question == Question::number ? kLessOrEqual : kNoOperator);
      out.left.push_back(node.yes);
      out.right.push_back(node.no);
      out.column.push_back(ends ? -1 : node.column);
      out.threshold.push_back(node.question == Question::number ? node.threshold : 0.0);
      out.rows.push_back(static_cast<std::uint64_t>(model_.trees()[tree].n_rows(node.origin)));
      out.rows_known.push_back(1);
      out.list_begin.push_back(out.lists.size());
      bool to_right = false, default_left = node.missing_yes;
      if (set) {
        const std::string& members = asked_.sets[node.part].members;
        const std::size_t n_levels = members.size() - 2;
        to_right = members[unknown_code(n_levels)] == '1';
        default_left = members[missing_code(n_levels)] == '1';
        for (std::uint32_t level = 0; level < n_levels; ++level)
          if ((members[level] == '1') != to_right) out.lists.push_back(level);
      }
      out.list_end.push_back(out.lists.size());
      out.list_goes_right.push_back(static_cast<std::uint8_t>(to_right));
      out.default_left.push_back(static_cast<std::uint8_t>(default_left));
      add_answer(out, tree, ends, node.origin);
    }
    return out;
  }

  void add_answer(Arrays& out, std::size_t tree, bool ends, NodeId origin) {
    out.vector_begin.push_back(out.vectors.size());
    double leaf = 0.0;
    if (ends) {
      const std::span<const double> part = parts_.part(tree, origin);
      if (shape_.is_scalar()) leaf = part[0];
      std::size_t at = 0;
      for (const std::int32_t width : shape_.classes) {
        if (shape_.is_scalar()) break;
        for (std::int32_t c = 0; c < shape_.widest; ++c)
          out.vectors.push_back(c < width ? part[at + static_cast<std::size_t>(c)] : 0.0);
        at += static_cast<std::size_t>(width);
      }
    }
    out.leaf.push_back(leaf);
    out.vector_end.push_back(out.vectors.size());
  }

  void write_tree(const Arrays& tree) {
    out_.scalar(static_cast<std::int32_t>(tree.type.size()));
    out_.scalar(static_cast<std::uint8_t>(std::ranges::find(tree.type, kCategoryNode) != tree.type.end()));
    out_.array(tree.type);
    out_.array(tree.left);
    out_.array(tree.right);
    out_.array(tree.column);
    out_.array(tree.default_left);
    out_.array(tree.leaf);
    out_.array(tree.threshold);
    out_.array(tree.compare);
    out_.array(tree.list_goes_right);
    out_.array(tree.vectors);
    out_.array(tree.vector_begin);
    out_.array(tree.vector_end);
    out_.array(tree.lists);
    out_.array(tree.list_begin);
    out_.array(tree.list_end);
    out_.array(tree.rows);
    out_.array(tree.rows_known);
    // No Hessians, no gains; no optional fields of the tree and of its nodes.
    for (int i = 0; i < 4; ++i) out_.scalar(std::uint64_t{0});
    out_.scalar(std::int32_t{0});
    out_.scalar(std::int32_t{0});
  }

  const Model& model_;
  EndParts parts_;
  YesNoModel asked_;
  Shape shape_;
  Bytes out_;
};

}  // namespace

std::string write_treelite(const Model& model, const ExportOptions&) {
  return Writer(model).run();
}

}  // namespace bough
