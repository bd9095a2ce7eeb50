// SPDX-License-Identifier: Apache-2.0
// Models as SQL for DuckDB, PostgreSQL and SQLite: a tree is a CASE over the columns of a table, or of its
// leaves; forests, very large or deep trees and surrogates are a table of nodes that a recursive query walks.
#include <fmt/format.h>

#include <algorithm>

#include "explain/words.hpp"
#include "export/formats.hpp"
#include "export/sql_nodes.hpp"

namespace bough {
namespace {

using namespace sql;

// Engines take seconds to read more than this as expressions (DuckDB's optimiser takes time by the square of
// it), and nest conditions no deeper.
constexpr std::size_t kMostEnds = 2000, kMostEndsDuckDb = 500, kMostDepth = 300, kLongestWays = 20000;
constexpr std::string_view kNodes = "\"bough_nodes\"";

struct Column {
  enum class Kind : std::uint8_t { label, value, share, leaf };
  std::string name;
  Kind kind = Kind::value;
  std::size_t output = 0;
  std::size_t at = 0;  // value, share: number among those of a part
};

class Writer {
 public:
  Writer(const Model& model, const ExportOptions& options)
      : model_(model),
        options_(options),
        dialect_(dialect_of(options.dialect)),
        asked_(yes_no_model(model, {.format = "SQL", .shared = true})),
        conditions_(dialect_, model, asked_),
        parts_(model) {
    check_columns(dialect_, model.features());
    choose_columns();
  }

  std::string run() {
    const bool nodes = wants_nodes();
    const bool bare = options_.as == "expression";
    if (bare && nodes)
      throw Error(ErrorCode::not_supported,
                  fmt::format("the model cannot be one SQL expression: {}", why_nodes_),
                  "export it with as=query or as=view: a table of nodes that a recursive query walks");
    if (bare && columns_.size() > 1)
      throw Error(ErrorCode::not_supported,
                  fmt::format("{} columns are asked for, an expression is one", columns_.size()),
                  "export with as=query, or with what=leaf");
    if (bare) return one_expression(columns_.front()) + "\n";
    std::string text = fmt::format("-- {}, written by bough {}\n", shown(dialect_), version());
    const bool view = options_.as == "view";
    const std::string name = quoted_table(dialect_, options_.name);
    std::string nodes_table(kNodes);
    if (nodes && view) {
      nodes_table = quoted_table(dialect_, options_.name + "_nodes");
      text += create_nodes(nodes_table);
    }
    if (view) text += fmt::format("CREATE VIEW {} AS\n", name);
    return text + (nodes ? node_query(nodes_table, !view) : case_query()) + ";\n";
  }

 private:
  void choose_columns() {
    const bool several = model_.n_outputs() > 1;
    const bool all = options_.what == "all";
    const auto name_of = [&](std::string_view base, std::size_t output) {
      return several ? fmt::format("{}_{}", base, output) : std::string(base);
    };
    for (std::size_t o = 0; o < model_.n_outputs() && (all || options_.what == "answer"); ++o)
      columns_.push_back(
          {name_of(options_.name, o), parts_.is_classes() ? Column::Kind::label : Column::Kind::value, o, o});
    if (options_.what == "probabilities" && !parts_.is_classes())
      throw Error(ErrorCode::bad_params, "a regression model has no class probabilities",
                  "export with what=answer");
    for (std::size_t o = 0;
         o < model_.n_outputs() && parts_.is_classes() && (all || options_.what == "probabilities"); ++o)
      for (std::size_t c = 0; c < model_.tree().output_widths()[o]; ++c)
        columns_.push_back({fmt::format("{}_{}", name_of("probability", o), c), Column::Kind::share, o,
                            output_start(model_.parts(), o) + c});
    if (options_.what == "leaf" || (all && parts_.is_single()))
      columns_.push_back({"leaf", Column::Kind::leaf, 0, 0});
  }

  [[nodiscard]] int nesting() const { return dialect_ == Dialect::sqlite ? 8 : 50; }

  bool wants_nodes() {
    if (!parts_.is_single()) {
      why_nodes_ = fmt::format("it has {} trees", model_.trees().size());
      if (parts_.is_classes() && !model_.params().loss_matrix.empty())
        throw Error(ErrorCode::not_supported, "SQL cannot choose the class of a forest by a loss matrix",
                    "export one tree, or predict with bough");
    }
    const CaseSize size = case_size(asked_.trees.front(), nesting());
    if (size.shared) why_nodes_ = "missing cells go by surrogate splits";
    if (size.ends > (dialect_ == Dialect::duckdb ? kMostEndsDuckDb : kMostEnds))
      why_nodes_ = fmt::format("it has {} leaves, which engines read too slowly", size.ends);
    if (size.depth > kMostDepth || size.way_length > kLongestWays)
      why_nodes_ = fmt::format("it is {} levels deep", size.depth);
    if (options_.form == "nodes" && why_nodes_.empty()) why_nodes_ = "form=nodes asks for a table";
    if (options_.form == "case" && !why_nodes_.empty())
      throw Error(ErrorCode::not_supported, fmt::format("the model cannot be a CASE: {}", why_nodes_),
                  "export with form=nodes");
    return !why_nodes_.empty();
  }

  std::string label(std::size_t output, std::size_t chosen) const {
    return level(dialect_, model_.targets().fields[output].levels, chosen);
  }

  // What a column holds for rows that end in a node of the only tree.
  std::string constant(const Column& column, NodeId node) {
    switch (column.kind) {
      case Column::Kind::label:
        return label(column.output, parts_.classes(0, node)[column.output]);
      case Column::Kind::leaf:
        return std::to_string(node);
      case Column::Kind::value:
      case Column::Kind::share:
        break;
    }
    return number(dialect_, parts_.part(0, node)[column.at]);
  }

  std::string one_expression(const Column& column) {
    return tree_case(conditions_, asked_.trees.front(), nesting(),
                     [&](NodeId node) { return constant(column, node); });
  }

  std::string case_query() {
    const std::string table = quoted_table(dialect_, options_.table);
    if (columns_.size() == 1) {
      const Column& column = columns_.front();
      return fmt::format("SELECT *, {} AS {}\nFROM {}", one_expression(column), quoted(dialect_, column.name),
                         table);
    }
    // The tree once, for the leaf; what belongs to a leaf beside it.
    const Column leaf{"bough_leaf", Column::Kind::leaf, 0, 0};
    std::string text = "SELECT i.*";
    for (const Column& column : columns_)
      text += fmt::format(",\n  {} AS {}", by_leaf(column), quoted(dialect_, column.name));
    return fmt::format("{}\nFROM (SELECT *, {} AS \"bough_leaf\" FROM {}) AS i", text, one_expression(leaf),
                       table);
  }

  std::string by_leaf(const Column& column) {
    if (column.kind == Column::Kind::leaf) return "i.\"bough_leaf\"";
    std::string text = "CASE i.\"bough_leaf\"";
    for (const YesNoNode& node : asked_.trees.front().nodes)
      if (node.question == Question::end)
        text += fmt::format(" WHEN {} THEN {}", node.origin, constant(column, node.origin));
    return text + " END";
  }

  std::string create_nodes(const std::string& table) const {
    const NodeWalk walk(dialect_, model_, asked_);
    std::string text = fmt::format("CREATE TABLE {} ({});\n", table, walk.columns(true));
    const std::vector<std::string> rows = walk.rows();
    for (std::size_t at = 0; at < rows.size(); at += 1000) {
      const std::size_t end = std::min(rows.size(), at + 1000);
      text += fmt::format("INSERT INTO {} VALUES\n  {};\n", table,
                          fmt::join(rows.begin() + static_cast<std::ptrdiff_t>(at),
                                    rows.begin() + static_cast<std::ptrdiff_t>(end), ",\n  "));
    }
    return text;
  }

  std::string node_query(const std::string& nodes, bool with_rows) {
    const NodeWalk walk(dialect_, model_, asked_);
    std::string text = walk.expressions(quoted_table(dialect_, options_.table), nodes, with_rows);
    if (options_.what == "leaf")
      return text +
             fmt::format("SELECT i.*, n.\"tree\", n.\"node\" AS \"leaf\"\n{}", walk.leaf_source(nodes));
    text += "SELECT i.*";
    for (const Column& column : columns_)
      text += fmt::format(",\n  {} AS {}", parts_.is_single() ? at_node(column) : of_sums(column),
                          quoted(dialect_, column.name));
    return text + "\n" + walk.source(nodes);
  }

  // One tree: n is the node where a row ends.
  std::string at_node(const Column& column) {
    if (column.kind == Column::Kind::leaf) return "n.\"node\"";
    if (column.kind != Column::Kind::label) return fmt::format("n.\"v{}\"", column.at);
    return fmt::format("n.\"l{}\"", column.output);
  }

  // Several trees: w holds the sums.
  std::string of_sums(const Column& column) const {
    if (column.kind == Column::Kind::value)
      return fmt::format("w.\"a{}\" / {}", column.at,
                         number(dialect_, static_cast<double>(model_.trees().size())));
    const std::size_t start = output_start(model_.parts(), column.output);
    const std::size_t width = model_.tree().output_widths()[column.output];
    std::vector<std::string> sums;
    for (std::size_t c = 0; c < width; ++c) sums.push_back(fmt::format("w.\"a{}\"", start + c));
    if (column.kind == Column::Kind::share)
      return fmt::format("w.\"a{}\" / ({})", column.at, fmt::join(sums, " + "));
    std::string text = "CASE " + largest_of(sums);
    for (std::size_t c = 0; c < width; ++c)
      text += fmt::format(" WHEN {} THEN {}", sums[c], label(column.output, c));
    return text + " END";
  }

  // Functions take a hundred arguments everywhere.
  [[nodiscard]] std::string largest_of(std::vector<std::string> all) const {
    const std::string_view function = dialect_ == Dialect::sqlite ? "MAX" : "GREATEST";
    while (all.size() > 1) {
      std::vector<std::string> fewer;
      for (std::size_t at = 0; at < all.size(); at += 90) {
        const std::size_t end = std::min(all.size(), at + 90);
        if (end - at == 1) {
          fewer.push_back(all[at]);
          continue;
        }
        fewer.push_back(fmt::format("{}({})", function,
                                    fmt::join(all.begin() + static_cast<std::ptrdiff_t>(at),
                                              all.begin() + static_cast<std::ptrdiff_t>(end), ", ")));
      }
      all = std::move(fewer);
    }
    return all.front();
  }

  const Model& model_;
  const ExportOptions& options_;
  Dialect dialect_;
  YesNoModel asked_;
  Conditions conditions_;
  EndParts parts_;
  std::vector<Column> columns_;
  std::string why_nodes_;
};

}  // namespace

std::string write_sql(const Model& model, const ExportOptions& options) {
  return Writer(model, options).run();
}

}  // namespace bough
