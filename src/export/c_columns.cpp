// SPDX-License-Identifier: Apache-2.0
// Columns and categories in exported C: where they stand in a row, and how names become cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "export/c_source.hpp"
#include "export/code_text.hpp"

namespace bough {
namespace {

class ColumnWriter {
 public:
  explicit ColumnWriter(CSource& out) : out_(out), model_(out.model), tables_(out.tables) {}

  void columns() {
    const auto& fields = model_.features().fields;
    Identifiers names;
    std::vector<std::string> own;
    for (const Field& field : fields) own.push_back(names.make(field.name, "column"));
    if (!fields.empty()) {
      out_.code(is_c() ? "\n/* Places of the columns in a row. */\nenum {\n"
                       : "\n/* Places of the columns in a row. */\nenum : uint32_t {\n");
      for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string levels =
            tables_.n_levels[i] > 0 ? fmt::format(", {} levels", tables_.n_levels[i]) : "";
        out_.code(fmt::format("  @col_{} = {}{}", own[i], i, i + 1 < fields.size() ? "," : ""));
        out_.raw(fmt::format(" /* {}: {}{} */\n", comment_text(fields[i].name), kind_word(fields[i].kind),
                             levels));
      }
      out_.code("};\n");
    }
    finder();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].kind == Kind::numeric || fields[i].levels.size() == 0) continue;
      fields[i].levels.type == Levels::Type::text ? named_levels(fields[i].levels, own[i])
                                                  : numbered_levels(fields[i].levels, own[i]);
    }
  }

  static const char* kind_word(Kind kind) {
    return kind == Kind::numeric ? "number" : kind == Kind::ordinal ? "ordered category" : "category";
  }

  void finder() {
    const auto& fields = model_.features().fields;
    const bool any = std::ranges::any_of(fields, [](const Field& field) {
      return field.kind != Kind::numeric && field.levels.size() > 0 &&
             field.levels.type == Levels::Type::text;
    });
    out_.code(R"(
/* A missing cell. */
$INLINE $CELL @missing(void) {
  volatile $CELL zero = 0;
  return zero / zero;
}
)");
    if (!any) return;
    out_.code(R"(
/* Place of a text in a list that is sorted by bytes, or -1. */
$INLINE int32_t @t_find(const char *const *list, int32_t n, const char *text) {
  int32_t low = 0, high = n;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    const unsigned char *a = (const unsigned char *)list[middle];
    const unsigned char *b = (const unsigned char *)text;
    while (*a != 0 && *a == *b) {
      ++a;
      ++b;
    }
    if (*a == *b) return middle;
    if (*a < *b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return -1;
}
)");
  }

  void named_levels(const Levels& levels, const std::string& own) {
    std::vector<std::uint32_t> order(levels.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::string_view(levels.names[i]); });
    std::vector<std::string> sorted;
    for (const std::uint32_t i : order) sorted.push_back(levels.names[i]);
    out_.texts("t_names_" + own, sorted);
    const bool plain = std::ranges::is_sorted(order);
    if (!plain) out_.table("t_places_" + own, order);
    out_.code(
        fmt::format(R"(
/* The cell of a category of this column; -1: one that did not occur in training. */
$INLINE $CELL @level_{0}(const char *name) {{
  const int32_t found = @t_find(@t_names_{0}, {1}, name);
  return ($CELL)({2});
}}
)",
                    own, levels.size(),
                    plain ? "found" : fmt::format("found < 0 ? -1 : (int32_t)@t_places_{}[found]", own)));
  }

  void numbered_levels(const Levels& levels, const std::string& own) {
    // There are no constants for infinities without a header.
    std::string tests;
    std::vector<double> finite;
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (std::isinf(levels.numbers[i])) {
        tests += fmt::format("  if (value {}1.7976931348623157e+308) return {};\n",
                             levels.numbers[i] > 0.0 ? "> " : "< -", i);
      } else {
        finite.push_back(levels.numbers[i]);
        places.push_back(static_cast<std::uint32_t>(i));
      }
    }
    out_.code("\n");
    out_.table("t_numbers_" + own, finite, false);
    if (!tests.empty()) out_.table("t_places_" + own, places);
    out_.code(
        fmt::format("/* The cell of a value of this column; -1: one that did not occur in training. */\n"
                    "$INLINE $CELL @level_{}(double value) {{\n{}",
                    own, tests));
    if (!finite.empty())
      out_.code(
          fmt::format("  uint32_t i;\n  for (i = 0; i < {1}u; ++i)\n"
                      "    if (@t_numbers_{0}[i] == value) return ($CELL){2};\n",
                      own, finite.size(), tests.empty() ? "i" : fmt::format("@t_places_{}[i]", own)));
    out_.code("  return -1;\n}\n");
  }

 private:
  [[nodiscard]] bool is_c() const { return out_.language == CLanguage::c; }

  CSource& out_;
  const Model& model_;
  const CodeTables& tables_;
};

}  // namespace

void write_columns(CSource& out) {
  ColumnWriter(out).columns();
}

}  // namespace bough
