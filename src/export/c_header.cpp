// SPDX-License-Identifier: Apache-2.0
// A model as one header of C99 or C++17 that needs nothing: no library, no memory, no recursion.
#include <fmt/format.h>

#include <algorithm>

#include "bough/export.hpp"
#include "explain/words.hpp"
#include "export/c_source.hpp"
#include "export/code_text.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

class HeaderWriter {
 public:
  HeaderWriter(const Model& model, CLanguage language, const ExportOptions& options)
      : out_(model, language, options),
        model_(model),
        tables_(out_.tables),
        classes_(model.task() == Task::classification) {
    if (out_.floats) check_floats();
  }

  std::string write() {
    body();
    const std::string text = out_.take();
    return opening() + text + closing();
  }

 private:
  [[nodiscard]] bool is_c() const { return out_.language == CLanguage::c; }
  [[nodiscard]] std::size_t n_trees() const { return tables_.roots.size(); }
  [[nodiscard]] std::size_t n_outputs() const { return model_.n_outputs(); }

  // Level numbers are cells: a float holds them exactly up to here.
  void check_floats() const {
    for (std::size_t i = 0; i < tables_.n_levels.size(); ++i) {
      if (tables_.n_levels[i] <= (1U << 24)) continue;
      throw Error(ErrorCode::not_supported,
                  fmt::format("the column {} has {} levels, too many for float cells",
                              shown_name(model_.features().fields[i].name), tables_.n_levels[i]),
                  "leave float32 out");
    }
  }

  void body() {
    write_columns(out_);
    write_tests(out_);
    if (classes_ && uses_choices()) out_.table("t_choices", tables_.choices);
    if (out_.keeps_values) out_.table("t_values", tables_.values, out_.floats_stored);
    out_.branches ? write_branch_walk(out_) : write_table_walk(out_);
    leaf();
    if (!out_.simple) write_answer(out_);
    if (classes_) {
      class_functions();
    } else {
      value_functions();
    }
  }

  // The class of a row of values is looked up where the row stands for a whole answer.
  [[nodiscard]] bool uses_choices() const { return model_.parts().combine != Combine::mean; }

  // ---------------------------------------------------------------- leaves
  [[nodiscard]] std::string node_of(const std::string& end) const {
    if (out_.branches) return fmt::format("@t_end_node[{}]", end);
    return n_trees() > 1 ? fmt::format("{} - @t_roots[tree]", end) : end;
  }
  void leaf() {
    const bool many = n_trees() > 1;
    const char* root = many ? "@t_roots[tree]" : "0u";
    const std::string end = tables_.has_shares() ? fmt::format("@t_parts({}, row, 0)", root)
                                                 : fmt::format("@t_end({}, row)", many ? "tree" : "0u");
    out_.code(fmt::format(R"(
/* The node where a row ends{}{}. */
$INLINE uint32_t @leaf({}const $CELL *row) {{
  return {};
}}
)",
                          many ? " in a tree, counted from 0" : "",
                          tables_.has_shares() ? "; its largest part, when a missing cell divides it" : "",
                          many ? "uint32_t tree, " : "", node_of(end)));
  }

  // ---------------------------------------------------------------- what programs call
  void value_functions() {
    out_.code(
        fmt::format("\n/* The values of all outputs, {} numbers. */\n"
                    "$INLINE void @values(const $CELL *row, $OUT *out) {{\n",
                    n_outputs()));
    if (out_.simple) {
      out_.code(
          fmt::format("  const uint32_t at = (uint32_t){} * {}u;\n  uint32_t i;\n"
                      "  for (i = 0; i < {}u; ++i) out[i] = @t_values[at + i];\n}}\n",
                      out_.row_of("@t_end(0u, row)"), tables_.width, tables_.width));
    } else {
      const bool single = model_.parts().combine == Combine::single;
      out_.code(
          fmt::format("  double all[{0}];\n  uint32_t i;\n  {1};\n"
                      "  for (i = 0; i < {0}u; ++i) out[i] = ($OUT)all[i];\n}}\n",
                      tables_.width, single ? "@t_tree(0u, row, all, 0)" : "@t_answer(row, all)"));
    }
    if (n_outputs() > 1) return;
    out_.code(
        "\n/* The value of a row. */\n$INLINE $OUT @value(const $CELL *row) {\n"
        "  $OUT out;\n  @values(row, &out);\n  return out;\n}\n");
  }

  void class_functions() {
    classes();
    probabilities();
    if (n_outputs() == 1) {
      out_.code(
          "\n/* The class of a row, counted from 0. */\n$INLINE uint32_t @class_of(const $CELL *row) {\n"
          "  uint32_t out;\n  @classes(row, &out);\n  return out;\n}\n");
    }
    class_names();
  }

  void classes() {
    out_.code(
        fmt::format("\n/* The classes of all outputs, {} numbers, counted from 0. */\n"
                    "$INLINE void @classes(const $CELL *row, uint32_t *out) {{\n",
                    n_outputs()));
    if (out_.simple) {
      out_.code(
          fmt::format("  const uint32_t at = (uint32_t){0} * {1}u;\n  uint32_t i;\n"
                      "  for (i = 0; i < {1}u; ++i) out[i] = @t_choices[at + i];\n}}\n",
                      out_.row_of("@t_end(0u, row)"), n_outputs()));
      return;
    }
    if (model_.parts().combine == Combine::single) {
      out_.code(fmt::format("  double one[{}];\n  @t_tree(0u, row, one, out);\n}}\n", tables_.width));
      return;
    }
    out_.code(fmt::format("  double sum[{}];\n  @t_answer(row, sum);\n", tables_.width));
    std::size_t start = 0;
    for (std::size_t i = 0; i < n_outputs(); ++i) {
      const std::uint32_t width = model_.tree().output_widths()[i];
      out_.code(fmt::format("  out[{}] = @t_choose(sum + {}, {}u);\n", i, start, width));
      start += width;
    }
    out_.code("}\n");
  }

  void probabilities() {
    out_.code(
        fmt::format("\n/* The shares of the classes of all outputs one after the other, {} numbers. */\n"
                    "$INLINE void @probabilities(const $CELL *row, $OUT *out) {{\n",
                    tables_.width));
    if (out_.simple) {
      out_.code(
          fmt::format("  const uint32_t at = (uint32_t){0} * {1}u;\n  uint32_t i;\n"
                      "  for (i = 0; i < {1}u; ++i) out[i] = @t_values[at + i];\n}}\n",
                      out_.row_of("@t_end(0u, row)"), tables_.width));
      return;
    }
    const bool single = model_.parts().combine == Combine::single;
    out_.code(
        fmt::format("  double sum[{0}];\n  uint32_t i;\n  {1};\n"
                    "  for (i = 0; i < {0}u; ++i) out[i] = ($OUT)sum[i];\n}}\n",
                    tables_.width,
                    single ? "if (@t_tree(0u, row, sum, 0)) @t_normalise(sum)"
                           : "@t_answer(row, sum);\n  @t_normalise(sum)"));
  }

  void class_names() {
    std::vector<std::string> all;
    std::vector<std::uint32_t> starts;
    for (const Field& field : model_.targets().fields) {
      starts.push_back(static_cast<std::uint32_t>(all.size()));
      all.insert(all.end(), field.levels.names.begin(), field.levels.names.end());
    }
    out_.texts("t_class_names", all);
    if (n_outputs() == 1) {
      out_.code(
          "\n/* The name of a class. */\n$INLINE const char *@class_name(uint32_t number) {\n"
          "  return @t_class_names[number];\n}\n");
      return;
    }
    out_.table("t_class_starts", starts);
    out_.code(
        "\n/* The name of a class of an output. */\n"
        "$INLINE const char *@class_name(uint32_t output, uint32_t number) {\n"
        "  return @t_class_names[@t_class_starts[output] + number];\n}\n");
  }

  // ---------------------------------------------------------------- frame
  [[nodiscard]] std::string opening() const {
    const std::string guard = fmt::format("{}_{}", out_.prefix, is_c() ? "H" : "HPP");
    std::string text =
        fmt::format("/* A {} of {}, written by bough {}.\n *\n",
                    n_trees() > 1 ? fmt::format("model of {} trees", n_trees()) : "decision tree",
                    classes_ ? "classes" : "numbers", version());
    text += " * Predicts:";
    for (const Field& field : model_.targets().fields) text += fmt::format(" {};", comment_text(field.name));
    text += fmt::format(
        "\n *\n * A row is an array of {} {} cells, in the order of the list of columns below. A cell is a "
        "number;\n"
        " * of a category it is what {} gives for its name, or -1 for a category that did not occur in "
        "training.\n"
        " * A missing cell is not a number: {}.\n *\n",
        model_.features().fields.size(), out_.floats ? "float" : "double", out_.name("level_...()"),
        out_.name("missing()"));
    text += calls();
    if (out_.floats)
      text +=
          " * Rows of floats end in the same leaves as in the model; answers are its answers, rounded to "
          "float.\n"
          " * A row of doubles is rounded first, and may end in another leaf where a cell stands close to a "
          "threshold.\n *\n";
    text += fmt::format(" * No library, no memory, no recursion. Tables: {} bytes.\n */\n", out_.bytes());
    text +=
        fmt::format("#ifndef {0}\n#define {0}\n\n#include {1}\n", guard, is_c() ? "<stdint.h>" : "<cstdint>");
    if (!is_c())
      text += fmt::format(
          "\nnamespace {} {{\n\nusing std::int32_t;\nusing std::uint16_t;\nusing std::uint32_t;\n"
          "using std::uint8_t;\n",
          out_.prefix);
    return text;
  }

  [[nodiscard]] std::string calls() const {
    const auto call = [&](std::string_view name) {
      return is_c() ? out_.name(name) : fmt::format("{}::{}", out_.prefix, name);
    };
    std::string text = fmt::format(" *   {}(row) gives the node where it ends\n",
                                   n_trees() > 1 ? call("leaf") + "(tree, row)" : call("leaf"));
    if (n_trees() > 1)
      text = fmt::format(" *   {}(tree, row) gives the node where it ends in a tree\n", call("leaf"));
    if (classes_) {
      if (n_outputs() == 1) text += fmt::format(" *   {}(row) gives its class\n", call("class_of"));
      text += fmt::format(" *   {}(row, out) writes the class of every output ({})\n", call("classes"),
                          n_outputs());
      text += fmt::format(" *   {}(row, out) writes the shares of all classes ({})\n", call("probabilities"),
                          tables_.width);
      text += fmt::format(" *   {}({}number) gives the name of a class\n", call("class_name"),
                          n_outputs() > 1 ? "output, " : "");
    } else {
      if (n_outputs() == 1) text += fmt::format(" *   {}(row) gives its value\n", call("value"));
      text += fmt::format(" *   {}(row, out) writes the value of every output ({})\n", call("values"),
                          n_outputs());
    }
    return text + " *\n";
  }

  [[nodiscard]] std::string closing() const {
    return is_c() ? "\n#endif\n" : fmt::format("\n}}  // namespace {}\n\n#endif\n", out_.prefix);
  }

  CSource out_;
  const Model& model_;
  const CodeTables& tables_;
  bool classes_;
};

}  // namespace

std::string header_note(std::string_view written) {
  constexpr std::string_view kBefore = "no recursion. Tables: ";
  const std::size_t from = written.find(kBefore);
  if (from == std::string_view::npos) return {};
  const std::size_t begin = from + kBefore.size();
  return fmt::format("tables of {}", written.substr(begin, written.find('.', begin) - begin));
}

std::string write_c(const Model& model, const ExportOptions& options) {
  return HeaderWriter(model, CLanguage::c, options).write();
}

std::string write_cpp(const Model& model, const ExportOptions& options) {
  return HeaderWriter(model, CLanguage::cpp, options).write();
}

}  // namespace bough
