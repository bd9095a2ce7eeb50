// SPDX-License-Identifier: Apache-2.0
// Trees as nested if, for programs that are better off with code than with tables.
//
// Every branch returns, so only the first children of nodes are nested; where the nesting or the function
// grows too long a subtree gets a function of its own. What a function returns is the number of an end: a
// place where rows come to rest, counted over all trees.
#include <fmt/format.h>

#include <algorithm>

#include "export/c_source.hpp"
#include "export/code_text.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostNodes = 20'000;  // of a model; compilers take too long above
constexpr std::size_t kMostInFunction = 400;
constexpr std::size_t kMostNested = 30;

[[noreturn]] void refuse(const CodeTables& tables, std::uint32_t node, const char* what) {
  const auto above = std::ranges::upper_bound(tables.roots, node);
  const auto tree = static_cast<std::size_t>(above - tables.roots.begin()) - 1;
  throw Error(ErrorCode::not_supported,
              fmt::format("node {} of tree {} {}, which is not written as branches",
                          node - tables.roots[tree], tree, what),
              "Use style tables.");
}

class BranchWriter {
 public:
  explicit BranchWriter(CSource& out) : out_(out), tables_(out.tables) {}

  void write() {
    check();
    std::vector<std::string> functions;
    for (const std::uint32_t root : tables_.roots) {
      open_.push_back(root);
      std::vector<std::string> made;
      while (!open_.empty()) {
        const std::uint32_t node = open_.back();
        open_.pop_back();
        made.push_back(function(node));
      }
      // Callees first.
      functions.insert(functions.end(), made.rbegin(), made.rend());
    }
    out_.table("t_end_node", end_nodes_);
    out_.table("t_end_row", end_rows_);
    for (const std::string& text : functions) out_.code(text);
    write_end();
  }

 private:
  struct Task {
    std::uint32_t node = 0;
    std::size_t nested = 0;
    bool closes = false;  // only a brace
  };

  void check() const {
    if (tables_.n_nodes() > kMostNodes) {
      throw Error(
          ErrorCode::not_supported,
          fmt::format("{} nodes are too many for branches, which end at {}", tables_.n_nodes(), kMostNodes),
          "Use style tables.");
    }
    for (std::uint32_t node = 0; node < tables_.n_nodes(); ++node) {
      if (tables_.missing[node] == CodeTables::kShares)
        refuse(tables_, node, "divides rows with a missing cell");
      if (tables_.has_surrogates() && tables_.surrogates_at[node] != tables_.surrogates_at[node + 1])
        refuse(tables_, node, "asks surrogates");
    }
  }

  std::string function(std::uint32_t root) {
    text_ = fmt::format("\n$INLINE uint32_t @t_from_{}(const $CELL *row) {{\n  (void)row;\n", root);
    std::vector<Task> todo{{root, 0, false}};
    std::size_t count = 0;
    while (!todo.empty()) {
      const Task task = todo.back();
      todo.pop_back();
      if (task.closes) {
        line(task.nested, "}");
      } else if (tables_.next[task.node] == 0) {
        line(task.nested, end(task.node, tables_.at[task.node]));
      } else if (task.node != root && (task.nested > kMostNested || count > kMostInFunction)) {
        line(task.nested, call(task.node));
      } else {
        ++count;
        branch(task, todo);
      }
    }
    return std::move(text_) + "}\n";
  }

  void line(std::size_t nested, const std::string& text) {
    text_.append(2 * (nested + 1), ' ');
    text_ += text;
    text_ += '\n';
  }

  std::string end(std::uint32_t node, std::uint32_t row) {
    const auto tree = std::ranges::upper_bound(tables_.roots, node) - 1;
    end_nodes_.push_back(node - *tree);
    end_rows_.push_back(row);
    return fmt::format("return {}u;", end_nodes_.size() - 1);
  }

  void branch(const Task& task, std::vector<Task>& todo) {
    const std::uint32_t node = task.node;
    const std::uint32_t missing = tables_.missing[node];
    if (missing == CodeTables::kStops) {
      line(task.nested, fmt::format("if ({}) {}", is_missing(node), end(node, tables_.stop_at[node])));
    }
    const auto test = static_cast<CodeTest>(tables_.test[node]);
    if (test == CodeTest::map || test == CodeTest::cuts) return choose(task, todo);
    line(task.nested, fmt::format("if ({}) {{", holds(node, missing == 0)));
    todo.push_back({tables_.next[node], task.nested, false});
    todo.push_back({0, task.nested, true});
    todo.push_back({node + 1, task.nested + 1, false});
  }

  // Children after the first are asked for one by one; what is left goes to the first.
  void choose(const Task& task, std::vector<Task>& todo) {
    const std::uint32_t node = task.node, at = tables_.next[node], n = tables_.kids[at];
    const std::string child = fmt::format("child_{}", node);
    line(task.nested, "{");
    const bool map = tables_.test[node] == static_cast<std::uint32_t>(CodeTest::map);
    const std::string cell = cell_of(node);
    std::string value = map ? fmt::format("@t_mapped({}, {}u, {}u)", cell,
                                          tables_.n_levels[tables_.column[node]], tables_.at[node])
                            : fmt::format("@t_cut({}, {}u, {}u)", cell, tables_.at[node], n - 1);
    const std::uint32_t missing = tables_.missing[node];
    if (missing != CodeTables::kStops) value = fmt::format("{} ? {}u : {}", is_missing(node), missing, value);
    line(task.nested + 1, fmt::format("const uint32_t {} = {};", child, value));
    for (std::uint32_t i = 1; i < n; ++i)
      line(task.nested + 1,
           fmt::format("if ({} == {}u) {}", child, i, short_child(tables_.kids[at + 1 + i])));
    line(task.nested, "}");
    todo.push_back({tables_.kids[at + 1], task.nested, false});
  }

  std::string short_child(std::uint32_t node) {
    if (tables_.next[node] == 0) return end(node, tables_.at[node]);
    return call(node);
  }

  // A subtree in a function of its own.
  std::string call(std::uint32_t node) {
    open_.push_back(node);
    return fmt::format("return @t_from_{}(row);", node);
  }

  [[nodiscard]] std::string cell_of(std::uint32_t node) const {
    return fmt::format("row[{}]", tables_.column[node]);
  }

  [[nodiscard]] std::string number_of(std::uint32_t node) const {
    const double value = tables_.numbers[tables_.at[node]];
    return out_.floats ? float_literal(static_cast<float>(value)) : double_literal(value);
  }

  [[nodiscard]] std::string is_missing(std::uint32_t node) const {
    const std::string cell = cell_of(node);
    const std::uint32_t at = tables_.at[node];
    switch (static_cast<CodeTest>(tables_.test[node])) {
      case CodeTest::order:
        return fmt::format("!({} >= 0)", cell);
      case CodeTest::set:
        return fmt::format("@t_set({}, {}u, {}u) == 255u", cell, tables_.n_levels[tables_.column[node]], at);
      case CodeTest::map:
        return fmt::format("@t_mapped({}, {}u, {}u) == {}u", cell, tables_.n_levels[tables_.column[node]], at,
                           CSource::largest(tables_.map));
      case CodeTest::sum:
        return fmt::format("@t_sum(row, {0}u) != @t_sum(row, {0}u)", at);
      default:
        return fmt::format("{0} != {0}", cell);
    }
  }

  // The condition of child 0; a comparison with a missing cell is false.
  [[nodiscard]] std::string holds(std::uint32_t node, bool takes_missing) const {
    const std::string cell = cell_of(node);
    const std::uint32_t at = tables_.at[node];
    switch (static_cast<CodeTest>(tables_.test[node])) {
      case CodeTest::number:
        return takes_missing ? fmt::format("!({} > {})", cell, number_of(node))
                             : fmt::format("{} <= {}", cell, number_of(node));
      case CodeTest::order:
        return takes_missing ? fmt::format("!({} >= {})", cell, number_of(node))
                             : fmt::format("{0} >= 0 && {0} < {1}", cell, number_of(node));
      case CodeTest::equal:
        return takes_missing ? fmt::format("{0} == {1} || {0} != {0}", cell, number_of(node))
                             : fmt::format("{} == {}", cell, number_of(node));
      case CodeTest::set:
        return fmt::format("@t_set({}, {}u, {}u) {}", cell, tables_.n_levels[tables_.column[node]], at,
                           takes_missing ? "!= 1u" : "== 0u");
      case CodeTest::sum: {
        const std::string threshold = double_literal(tables_.term_weights[at]);
        return takes_missing ? fmt::format("!(@t_sum(row, {}u) > {})", at, threshold)
                             : fmt::format("@t_sum(row, {}u) <= {}", at, threshold);
      }
      case CodeTest::known:
        return takes_missing ? std::string("1") : fmt::format("{0} == {0}", cell);
      case CodeTest::lowest: {
        const char* least = out_.floats ? "-3.40282347e+38f" : "-1.7976931348623157e+308";
        return takes_missing ? fmt::format("!({} >= {})", cell, least) : fmt::format("{} < {}", cell, least);
      }
      default:
        return "0";
    }
  }

  void write_end() {
    out_.code(
        "\n/* The number of the end that a row comes to in a tree. */\n"
        "$INLINE uint32_t @t_end(uint32_t tree, const $CELL *row) {\n  switch (tree) {\n");
    for (std::size_t tree = 1; tree < tables_.roots.size(); ++tree)
      out_.code(fmt::format("    case {}: return @t_from_{}(row);\n", tree, tables_.roots[tree]));
    out_.code("    default: return @t_from_0(row);\n  }\n}\n");
  }

  CSource& out_;
  const CodeTables& tables_;
  std::string text_;
  std::vector<std::uint32_t> open_;  // subtrees that wait for their function
  std::vector<std::uint32_t> end_nodes_, end_rows_;
};

}  // namespace

void write_branch_walk(CSource& out) {
  BranchWriter(out).write();
}

}  // namespace bough
