// SPDX-License-Identifier: Apache-2.0
// How exported C finds where a row ends: tests of every kind, and the loop over the tables.
#include <fmt/format.h>

#include <algorithm>

#include "export/c_source.hpp"

namespace bough {
namespace {

bool has_test(const CodeTables& tables, CodeTest test) {
  return tables.uses(test) ||
         std::ranges::find(tables.surrogates, test, &CodeSurrogate::test) != tables.surrogates.end();
}

// Tests of categories read levels; a surrogate may be the only one.
void write_level_tests(CSource& out) {
  const CodeTables& tables = out.tables;
  const bool set = tables.uses(CodeTest::set), map = has_test(tables, CodeTest::map);
  if (!set && !map) return;
  out.table("t_levels", tables.n_levels);
  out.code(R"(
/* The level that a cell names; `n`, the number of levels, when it is none of them. */
$INLINE uint32_t @t_level($CELL cell, uint32_t n) {
  uint32_t level;
  if (!(cell >= 0 && cell < ($CELL)n)) return n;
  level = (uint32_t)cell;
  return ($CELL)level == cell ? level : n;
}
)");
  if (set) {
    out.table("t_bits", tables.bits);
    out.code(R"(
/* Child of a cell at a test of two sets of levels; 255: the cell is missing, or as good as that. */
$INLINE uint32_t @t_set($CELL cell, uint32_t n, uint32_t at) {
  uint32_t level;
  if (cell != cell) return 255u;
  level = @t_level(cell, n);
  if (level == n) return @t_bits[at];
  return (uint32_t)(@t_bits[at + 1 + level / 8] >> (level % 8)) & 1u;
}
)");
  }
  if (map) {
    out.table("t_map", tables.map);
    out.code(fmt::format(R"(
/* Child of a cell at a test of many levels; {0}: the cell is missing, or as good as that. */
$INLINE uint32_t @t_mapped($CELL cell, uint32_t n, uint32_t at) {{
  uint32_t level;
  if (cell != cell) return {0}u;
  level = @t_level(cell, n);
  return @t_map[level == n ? at : at + 1 + level];
}}
)",
                         CSource::largest(tables.map)));
  }
}

void write_number_tests(CSource& out) {
  const CodeTables& tables = out.tables;
  if (tables.uses(CodeTest::cuts)) {
    out.table("t_cuts", tables.cuts, false);
    out.code(R"(
/* Number of the `n` cuts that are below a cell. */
$INLINE uint32_t @t_cut($CELL cell, uint32_t at, uint32_t n) {
  uint32_t low = 0, high = n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (@t_cuts[at + middle] < (double)cell) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
)");
  }
  if (!tables.uses(CodeTest::sum)) return;
  out.table("t_term_columns", tables.term_columns);
  out.table("t_term_weights", tables.term_weights, false);
  out.code(R"(
/* A weighted sum of cells; not a number when one of them is missing. */
$INLINE double @t_sum(const $CELL *row, uint32_t at) {
  double sum = 0.0;
  uint32_t i;
  for (i = at + 1; i <= at + @t_term_columns[at]; ++i)
    sum += @t_times(@t_term_weights[i], (double)row[@t_term_columns[i]]);
  return sum;
}
)");
}

// Where a surrogate decides in the place of a missing cell, then the way of missing cells.
void write_missing(CSource& out) {
  const CodeTables& tables = out.tables;
  std::vector<std::uint32_t> tests, columns, ats;
  for (const CodeSurrogate& one : tables.surrogates) {
    tests.push_back(static_cast<std::uint32_t>(one.test) + (one.turned ? 16 : 0));
    columns.push_back(one.column);
    ats.push_back(one.at);
  }
  out.table("t_surrogates_at", tables.surrogates_at);
  out.table("t_surrogate_test", tests);
  out.table("t_surrogate_column", columns);
  out.table("t_surrogate_at", ats);
  std::string cases;
  const auto add = [&](CodeTest test, const std::string& text) {
    if (std::ranges::find(tables.surrogates, test, &CodeSurrogate::test) != tables.surrogates.end())
      cases += fmt::format("      case {}:\n{}", static_cast<int>(test), text);
  };
  add(CodeTest::number, "        holds = cell <= @t_numbers[at];\n        break;\n");
  add(CodeTest::order,
      "        if (cell < 0) continue;\n        holds = cell < @t_numbers[at];\n        break;\n");
  add(CodeTest::equal,
      "        if (cell < 0) continue;\n        holds = cell == @t_numbers[at];\n        break;\n");
  add(CodeTest::lowest, fmt::format("        holds = cell < -{};\n        break;\n",
                                    out.floats ? "3.40282347e+38f" : "1.7976931348623157e+308"));
  add(CodeTest::map, fmt::format("        holds = @t_mapped(cell, @t_levels[@t_surrogate_column[i]], at);\n"
                                 "        if (holds == {}u) continue;\n        return holds;\n",
                                 CSource::largest(tables.map)));
  out.code(fmt::format(R"(
/* Where a row goes whose cell is missing: the first surrogate whose own cell is known decides. */
$INLINE uint32_t @t_lost(uint32_t node, const $CELL *row) {{
  uint32_t i;
  for (i = @t_surrogates_at[node]; i < @t_surrogates_at[node + 1]; ++i) {{
    const $CELL cell = row[@t_surrogate_column[i]];
    const uint32_t at = @t_surrogate_at[i];
    uint32_t holds = 1;
    if (cell != cell) continue;
    switch (@t_surrogate_test[i] & 15) {{
{}      default:
        (void)at;
        break;
    }}
    return holds == (uint32_t)(@t_surrogate_test[i] >> 4) ? 1u : 0u;
  }}
  return @t_missing[node];
}}
)",
                       cases));
}

// The cases of t_route() for the kinds of tests that the model has; what falls out of them is missing.
std::string route_cases(const CSource& out) {
  std::string cases;
  const auto add = [&](CodeTest test, std::string_view text) {
    if (out.tables.uses(test))
      cases += fmt::format("    case {}:\n      {}\n      break;\n", static_cast<int>(test), text);
  };
  add(CodeTest::number, "if (cell == cell) return cell <= @t_numbers[at] ? 0u : 1u;");
  add(CodeTest::order, "if (cell >= 0) return cell < @t_numbers[at] ? 0u : 1u;");
  add(CodeTest::equal, "if (cell == cell) return cell == @t_numbers[at] ? 0u : 1u;");
  add(CodeTest::set,
      "child = @t_set(cell, @t_levels[@t_column[node]], at);\n      if (child != 255u) return child;");
  add(CodeTest::sum,
      "sum = @t_sum(row, at);\n      if (sum == sum) return sum <= @t_term_weights[at] ? 0u : 1u;");
  add(CodeTest::known, "if (cell == cell) return 0u;");
  add(CodeTest::lowest, fmt::format("if (cell == cell) return cell < -{} ? 0u : 1u;",
                                    out.floats ? "3.40282347e+38f" : "1.7976931348623157e+308"));
  add(CodeTest::map, fmt::format("child = @t_mapped(cell, @t_levels[@t_column[node]], at);\n"
                                 "      if (child != {}u) return child;",
                                 CSource::largest(out.tables.map)));
  add(CodeTest::cuts, "if (cell == cell) return @t_cut(cell, at, @t_kids[@t_next[node]] - 1u);");
  return cases;
}

// The usual tree needs no table of tests.
bool only_numbers(const CodeTables& tables) {
  return std::ranges::all_of(tables.test, [](std::uint32_t test) {
    return test == static_cast<std::uint32_t>(CodeTest::leaf) ||
           test == static_cast<std::uint32_t>(CodeTest::number);
  });
}

void write_plain_route(CSource& out) {
  out.code(fmt::format(R"(
/* Number of the child that a row goes to at an inner node{}. */
$INLINE uint32_t @t_route(uint32_t node, const $CELL *row) {{
  const $CELL cell = row[@t_column[node]];
  if (cell != cell) return {};
  return cell <= @t_numbers[@t_at[node]] ? 0u : 1u;
}}
)",
                       out.tables.has_stops() || out.tables.has_shares() ? ", or a mark of t_missing" : "",
                       out.tables.has_surrogates() ? "@t_lost(node, row)" : "@t_missing[node]"));
}

void write_full_route(CSource& out) {
  const CodeTables& tables = out.tables;
  const bool child = tables.uses(CodeTest::set) || tables.uses(CodeTest::map);
  out.code(fmt::format(R"(
/* Number of the child that a row goes to at an inner node, or a mark of t_missing. */
$INLINE uint32_t @t_route(uint32_t node, const $CELL *row) {{
  const $CELL cell = row[@t_column[node]];
  const uint32_t at = @t_at[node];
{}{}  switch (@t_test[node]) {{
{}    default:
      (void)at;
      (void)cell;
      break;
  }}
  return {};
}}
)",
                       child ? "  uint32_t child;\n" : "",
                       tables.uses(CodeTest::sum) ? "  double sum;\n" : "", route_cases(out),
                       tables.has_surrogates() ? "@t_lost(node, row)" : "@t_missing[node]"));
}

void write_route(CSource& out) {
  const CodeTables& tables = out.tables;
  only_numbers(tables) ? write_plain_route(out) : write_full_route(out);
  const bool many = tables.uses(CodeTest::map) || tables.uses(CodeTest::cuts);
  out.code(
      "\n/* Child of a node by number. */\n$INLINE uint32_t @t_child(uint32_t node, uint32_t child) {\n");
  if (many)
    out.code(fmt::format("  if (@t_test[node] >= {}) return @t_kids[@t_next[node] + 1 + child];\n",
                         static_cast<int>(CodeTest::map)));
  out.code("  return child == 0 ? node + 1 : @t_next[node];\n}\n");
}

void write_parts(CSource& out, std::uint32_t mark) {
  const CodeTables& tables = out.tables;
  const bool many = tables.uses(CodeTest::map) || tables.uses(CodeTest::cuts);
  out.table("t_shares_at", tables.shares_at);
  out.table("t_shares", tables.shares, false);
  out.code(fmt::format(
      R"(
typedef struct {{
  uint32_t node;
  double share;
}} @t_part;

/* The node where the largest part of a row ends. Adds what all parts say to `out`, unless that is 0. */
$INLINE uint32_t @t_parts(uint32_t root, const $CELL *row, double *out) {{
  @t_part open[{stack}];
  uint32_t n = 1, best = root, i;
  double most = -1.0;
  open[0].node = root;
  open[0].share = 1.0;
  while (n > 0) {{
    const @t_part part = open[--n];
    const uint32_t child = @t_next[part.node] == 0 ? {stops}u : @t_route(part.node, row);
    if (child == {shares}u) {{
      for (i = {children}; i-- > 0;) {{
        const double share = @t_shares[@t_shares_at[part.node] + i];
        if (!(share > 0.0)) continue;
        open[n].node = @t_child(part.node, i);
        open[n++].share = part.share * share;
      }}
    }} else if (child != {stops}u) {{
      open[n].node = @t_child(part.node, child);
      open[n++].share = part.share;
    }} else {{
      if (part.share > most) {{
        most = part.share;
        best = part.node;
      }}
      if (out == 0) continue;
      for (i = 0; i < {width}; ++i)
        out[i] += @t_times(part.share, @t_values[(uint32_t)@t_row(part.node) * {width} + i]);
    }}
  }}
  return best;
}}
)",
      fmt::arg("stack", tables.stack), fmt::arg("stops", mark - 1), fmt::arg("shares", mark),
      fmt::arg("children",
               many ? fmt::format("@t_test[part.node] >= {} ? (uint32_t)@t_kids[@t_next[part.node]] : 2u",
                                  static_cast<int>(CodeTest::map))
                    : std::string("2u")),
      fmt::arg("width", fmt::format("{}u", tables.width))));
}

void write_row(CSource& out) {
  const CodeTables& tables = out.tables;
  out.table("t_stop_at", tables.stop_at);
  out.code(fmt::format(R"(
/* Which row of the answers belongs to a node where rows end. */
$INLINE uint32_t @t_row(uint32_t node) {{ return {}@t_at[node]; }}
)",
                       tables.has_stops() ? "@t_next[node] != 0 ? @t_stop_at[node] : " : ""));
}

constexpr std::size_t kMostParts = 4096;

void check_stack(const CSource& out) {
  if (out.tables.stack <= kMostParts) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("missing cells may divide a row into {} parts that wait at once; the header has room"
                  " for {}",
                  out.tables.stack, kMostParts),
      "Prune the tree, or export it as python.");
}

}  // namespace

void write_tests(CSource& out) {
  if (out.tables.uses(CodeTest::sum) || out.tables.has_shares() || !out.model.params().loss_matrix.empty()) {
    out.code(R"(
/* A product that is rounded before it is added to something. */
$INLINE double @t_times(double a, double b) {
  volatile double product = a * b;
  return product;
}
)");
  }
  write_level_tests(out);
  write_number_tests(out);
}

void write_table_walk(CSource& out) {
  const CodeTables& tables = out.tables;
  check_stack(out);
  const std::uint32_t mark = CSource::largest(tables.missing);
  const bool inner = tables.n_nodes() > tables.roots.size();
  if (tables.roots.size() > 1) out.table("t_roots", tables.roots);
  out.table("t_next", tables.next);
  out.table("t_at", tables.at);
  if (inner) {
    if (!only_numbers(tables)) out.table("t_test", tables.test);
    out.table("t_column", tables.column);
    out.table("t_missing", tables.missing);
    out.table("t_numbers", tables.numbers, out.floats);
    out.table("t_kids", tables.kids);
    if (tables.has_surrogates()) write_missing(out);
    write_route(out);
  }
  write_row(out);
  if (tables.has_shares()) write_parts(out, mark);
  const char* first = tables.roots.size() > 1 ? "@t_roots[tree]" : "0";
  out.code(fmt::format(R"(
/* The node where a row ends in a tree{}. */
$INLINE uint32_t @t_end(uint32_t tree, const $CELL *row) {{
  uint32_t node = {};
)",
                       tables.has_shares() ? ", or where a missing cell divides it" : "", first));
  if (inner) {
    const bool marks = tables.has_stops() || tables.has_shares();
    out.code(fmt::format(R"(  while (@t_next[node] != 0) {{
    const uint32_t child = @t_route(node, row);
{}    node = @t_child(node, child);
  }}
)",
                         marks ? fmt::format("    if (child >= {}u) break;\n", mark - 1) : ""));
  }
  out.code("  (void)tree;\n  (void)row;\n  return node;\n}\n");
}

}  // namespace bough
