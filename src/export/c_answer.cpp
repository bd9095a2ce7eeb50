// SPDX-License-Identifier: Apache-2.0
// Answers in exported C that are sums: over the trees of a model, over the parts of a divided row.
#include <fmt/format.h>

#include "export/c_source.hpp"

namespace bough {
namespace {

class AnswerWriter {
 public:
  explicit AnswerWriter(CSource& out)
      : out_(out),
        model_(out.model),
        tables_(out.tables),
        classes_(out.model.task() == Task::classification) {}

  void answer() {
    if (classes_) helpers();
    if (tables_.has_shares()) one_tree();
    if (model_.parts().combine == Combine::single) return;
    const std::string width = fmt::format("{}u", tables_.width);
    std::string add;
    if (model_.parts().combine == Combine::vote) {
      add = tables_.has_shares()
                ? fmt::format(
                      "    const int divided = @t_tree(tree, row, one, choices);\n    (void)divided;\n{}",
                      votes("choices[{}]"))
                : fmt::format("    const uint32_t at = (uint32_t){} * {}u;\n{}",
                              out_.row_of("@t_end(tree, row)"), n_outputs(), votes("@t_choices[at + {}]"));
    } else if (tables_.has_shares()) {
      add = fmt::format(
          "    if (@t_tree(tree, row, one, 0)) {{\n      {}\n    }}\n"
          "    for (i = 0; i < {}; ++i) sum[i] += one[i];\n",
          classes_ ? "@t_normalise(one);" : ";", width);
    } else {
      add = fmt::format(
          "    const uint32_t at = (uint32_t){} * {};\n"
          "    for (i = 0; i < {}; ++i) sum[i] += @t_values[at + i];\n",
          out_.row_of("@t_end(tree, row)"), width, width);
    }
    const bool votes_shared = model_.parts().combine == Combine::vote && tables_.has_shares();
    out_.code(fmt::format(R"(
/* What all trees say together: sums of class shares or votes, or means of values. */
$INLINE void @t_answer(const $CELL *row, double *sum) {{
  uint32_t tree, i;
{}{}  for (i = 0; i < {}; ++i) sum[i] = 0.0;
  for (tree = 0; tree < {}u; ++tree) {{
{}  }}
)",
                          tables_.has_shares() ? fmt::format("  double one[{}];\n", tables_.width) : "",
                          votes_shared ? fmt::format("  uint32_t choices[{}];\n", n_outputs()) : "", width,
                          n_trees(), add));
    if (!classes_) out_.code(fmt::format("  for (i = 0; i < {}; ++i) sum[i] /= {}.0;\n", width, n_trees()));
    out_.code("}\n");
  }

  std::string votes(const std::string& choice) const {
    std::string text;
    std::size_t start = 0;
    for (std::size_t i = 0; i < n_outputs(); ++i) {
      text += fmt::format("    sum[{}u + {}] += 1.0;\n", start, fmt::format(fmt::runtime(choice), i));
      start += model_.tree().output_widths()[i];
    }
    return text;
  }

  void first_of_largest(std::string_view name) {
    out_.code(fmt::format(R"(
/* The first of the largest numbers. */
$INLINE uint32_t @t_{}(const double *weights, uint32_t n) {{
  uint32_t best = 0, i;
  for (i = 1; i < n; ++i)
    if (weights[i] > weights[best]) best = i;
  return best;
}}
)",
                          name));
  }

  void helpers() {
    const auto& loss = model_.params().loss_matrix;
    if (loss.empty()) {
      first_of_largest("choose");
    } else {
      std::vector<double> flat;
      for (const auto& row : loss) flat.insert(flat.end(), row.begin(), row.end());
      out_.table("t_loss", flat, false);
      out_.code(R"(
/* The first of the classes of least expected loss. */
$INLINE uint32_t @t_choose(const double *weights, uint32_t n) {
  uint32_t best = 0, guess, i;
  double least = 0.0;
  for (guess = 0; guess < n; ++guess) {
    double sum = 0.0;
    for (i = 0; i < n; ++i) sum += @t_times(weights[i], @t_loss[i * n + guess]);
    if (guess > 0 && !(sum < least)) continue;
    best = guess;
    least = sum;
  }
  return best;
}
)");
      if (model_.parts().combine == Combine::vote && tables_.has_shares()) {
        first_of_largest("most");
      }
    }
    out_.table("t_widths", model_.tree().output_widths());
    out_.code(fmt::format(R"(
/* Divides the class weights of every output by their sum. */
$INLINE void @t_normalise(double *weights) {{
  uint32_t output, i, at = 0;
  for (output = 0; output < {}u; ++output) {{
    const uint32_t n = @t_widths[output];
    double total = 0.0;
    for (i = 0; i < n; ++i) total += weights[at + i];
    for (i = 0; i < n; ++i) weights[at + i] = total > 0.0 ? weights[at + i] / total : 1.0 / (double)n;
    at += n;
  }}
}}
)",
                          n_outputs()));
  }

  // With shares: the answer of one tree, by parts where the row was divided.
  void one_tree() {
    const bool vote = model_.parts().combine == Combine::vote;
    const bool single = model_.parts().combine == Combine::single;
    const char* root = n_trees() > 1 ? "@t_roots[tree]" : "0u";
    std::string chosen;
    if (classes_ && (vote || single)) {
      const bool least = single || model_.params().loss_matrix.empty();
      std::size_t start = 0;
      for (std::size_t i = 0; i < n_outputs(); ++i) {
        const std::uint32_t width = model_.tree().output_widths()[i];
        chosen += fmt::format(
            "    if (choices != 0) choices[{0}] = divided ? @{4}(one + {1}, {2}u) : "
            "(uint32_t)@t_choices[at * {3}u + {0}];\n",
            i, start, width, n_outputs(), least ? "t_choose" : "t_most");
        start += width;
      }
    }
    const std::uint32_t mark = CSource::largest(tables_.missing);
    out_.code(fmt::format(R"(
/* What one tree says; 1 when a missing cell divided the row, and `one` is a sum over its parts. */
$INLINE int @t_tree(uint32_t tree, const $CELL *row, double *one, uint32_t *choices) {{
  const uint32_t end = @t_end(tree, row);
  const int divided = @t_next[end] != 0 && @t_route(end, row) == {mark}u;
  uint32_t at = 0, i;
  for (i = 0; i < {width}u; ++i) one[i] = 0.0;
  if (divided) {{
    @t_parts({root}, row, one);
  }} else {{
    at = @t_row(end);
    for (i = 0; i < {width}u; ++i) one[i] = @t_values[at * {width}u + i];
  }}
  {{
{chosen}    (void)choices;
    (void)at;
  }}
  return divided;
}}
)",
                          fmt::arg("mark", mark), fmt::arg("width", tables_.width), fmt::arg("root", root),
                          fmt::arg("chosen", chosen)));
  }

 private:
  [[nodiscard]] std::size_t n_trees() const { return tables_.roots.size(); }
  [[nodiscard]] std::size_t n_outputs() const { return model_.n_outputs(); }

  CSource& out_;
  const Model& model_;
  const CodeTables& tables_;
  bool classes_;
};

}  // namespace

void write_answer(CSource& out) {
  AnswerWriter(out).answer();
}

}  // namespace bough
