// SPDX-License-Identifier: Apache-2.0
// Models as SQL for DuckDB, PostgreSQL and SQLite: a tree is a CASE over the columns of a table, or of its
// leaves; forests, very large or deep trees and surrogates are a table of nodes that a recursive query walks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "explain/words.hpp"
#include "export/formats.hpp"
#include "export/sql_nodes.hpp"

namespace bough {
namespace {

using namespace sql;

// Engines take seconds to read more than this as expressions (DuckDB's optimiser takes time by the square of
// it), and nest conditions no deeper.
constexpr std::size_t kMostEnds = 2000, kMostEndsDuckDb = 500, kMostDepth = 300, kLongestWays = 20000;

struct Column {
  enum class Kind : std::uint8_t { label, value, share, tree, leaf };
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
        asked_(yes_no_model(model, {.format = "SQL", .shared = true, .divided = Divided::marked})),
        parts_(model) {
    check_columns(dialect_, model.features());
    nodes_ = helper_table("bough_nodes", options.table);
    choose_columns();
    if (parts_.is_single())
      asked_.trees.front() =
          without_idle_questions(asked_.trees.front(), [this](NodeId node) { return row_of(node); });
  }

  std::string run() {
    const bool nodes = wants_nodes();
    const bool bare = options_.as == "expression";
    if (bare && nodes)
      throw Error(
          ErrorCode::not_supported, fmt::format("the model cannot be one SQL expression: {}", why_nodes_),
          "export a query or a view (--as query, --as view): a table of nodes that a recursive query walks");
    if (bare && columns_.size() > 1)
      throw Error(ErrorCode::not_supported,
                  fmt::format("{} columns are asked for, an expression is one", columns_.size()),
                  "export a query (--as query), or only the leaf (--what leaf)");
    if (bare) return one_expression("", columns_.front()) + "\n";
    check_new_columns();
    std::string text = fmt::format("-- {}, written by bough {}\n", shown(dialect_), version());
    const bool view = options_.as == "view";
    if (nodes && view) {
      nodes_ = quoted_table(dialect_, view_name() + "_nodes");
      text += create_nodes();
    }
    if (view) text += fmt::format("CREATE VIEW {} AS\n", quoted_table(dialect_, view_name()));
    return text + (nodes ? node_query(!view) : case_query()) + ";\n";
  }

 private:
  // A view has another name than its column of answers.
  [[nodiscard]] std::string view_name() const {
    if (!options_.view.empty()) return options_.view;
    return options_.name == ExportOptions().name ? options_.name + "s" : options_.name + "_predictions";
  }

  // Columns beside the answers have its name before theirs when it is not the usual one, so that the columns
  // of several models can stand in one table.
  [[nodiscard]] std::string beside(std::string_view name) const {
    static const std::string usual = ExportOptions().name;
    return options_.name == usual ? std::string(name) : fmt::format("{}_{}", options_.name, name);
  }

  // Engines would show both columns, or rename one of them.
  void check_new_columns() const {
    for (const Column& column : columns_)
      for (const Field& field : model_.features().fields)
        if (folded(dialect_, column.name) == folded(dialect_, field.name))
          throw Error(ErrorCode::not_supported,
                      fmt::format("the new column {} would have the name of a column of the table",
                                  shown_name(column.name)),
                      "choose another one (--name)");
  }

  // What bough predict adds to the names of columns of one of several targets.
  [[nodiscard]] std::string of_target(std::size_t output) const {
    return model_.n_outputs() > 1 ? "_" + model_.targets().fields[output].name : "";
  }

  // Shares are named by their classes, as bough predict names them, or by number where the engine could not
  // tell two of them apart or hold one.
  [[nodiscard]] std::vector<Column> share_columns() const {
    std::vector<Column> out;
    std::set<std::string> seen;
    bool good = true;
    for (std::size_t o = 0; o < model_.n_outputs(); ++o)
      for (std::size_t c = 0; c < model_.tree().output_widths()[o]; ++c) {
        const std::string name =
            fmt::format("{}{}_{}", beside("proba"), of_target(o), model_.targets().fields[o].levels.names[c]);
        good = good && can_hold(dialect_, name) && seen.insert(folded(dialect_, name)).second;
        out.push_back({name, Column::Kind::share, o, output_start(model_.parts(), o) + c});
      }
    for (Column& column : out)
      if (!good)
        column.name = fmt::format("{}_{}{}", beside("proba"),
                                  model_.n_outputs() > 1 ? fmt::format("{}_", column.output) : "",
                                  column.at - output_start(model_.parts(), column.output));
    return out;
  }

  void choose_columns() {
    const bool all = options_.what == "all";
    for (std::size_t o = 0; o < model_.n_outputs() && (all || options_.what == "answer"); ++o)
      columns_.push_back({options_.name + of_target(o),
                          parts_.is_classes() ? Column::Kind::label : Column::Kind::value, o, o});
    if (options_.what == "probabilities" && !parts_.is_classes())
      throw Error(ErrorCode::bad_params, "a regression model has no class probabilities",
                  "export the answer (--what answer)");
    if (parts_.is_classes() && (all || options_.what == "probabilities"))
      for (Column& column : share_columns()) columns_.push_back(std::move(column));
    if (options_.what == "leaf" && !parts_.is_single())
      columns_.push_back({beside("tree"), Column::Kind::tree, 0, 0});
    if (options_.what == "leaf" || (all && parts_.is_single()))
      columns_.push_back({beside("leaf"), Column::Kind::leaf, 0, 0});
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
    if (options_.form == "nodes" && why_nodes_.empty()) why_nodes_ = "a table of nodes is asked for";
    if (options_.form == "case" && !why_nodes_.empty())
      throw Error(ErrorCode::not_supported, fmt::format("the model cannot be a CASE: {}", why_nodes_),
                  "export a table of nodes (--form nodes)");
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
      case Column::Kind::tree:
        return "0";
      case Column::Kind::leaf:
        return std::to_string(node);
      case Column::Kind::value:
      case Column::Kind::share:
        break;
    }
    return number(dialect_, parts_.part(0, node)[column.at]);
  }

  // All that the columns hold for rows that end in a node.
  std::string row_of(NodeId node) {
    std::string row;
    for (const Column& column : columns_)
      row += fmt::format("{}{}", row.empty() ? "" : ", ", constant(column, node));
    return row;
  }

  // The cells that the tree looks at are typed once, in a table of one row, and asked there.
  std::string one_expression(std::string_view alias, const Column& column) {
    const Conditions conditions(dialect_, model_, asked_, alias);
    const YesNoTree& tree = asked_.trees.front();
    const std::string text = tree_case(conditions.over_cells(), tree, nesting(),
                                       [&](NodeId node) { return constant(column, node); });
    const std::string cells = conditions.cells(tree);
    return cells.empty() ? text : fmt::format("(SELECT {}\n  FROM {})", text, cells);
  }

  std::string case_query() {
    const std::string table = quoted_table(dialect_, options_.table);
    if (columns_.size() == 1) {
      const Column& column = columns_.front();
      return fmt::format("SELECT i.*, {} AS {}\nFROM {} AS i", one_expression("i", column),
                         quoted(dialect_, column.name), table);
    }
    // The tree once, for the leaf; what belongs to a leaf in a table of its own beside the rows.
    const Column leaf{"", Column::Kind::leaf, 0, 0};
    const std::string leaves = helper_table("bough_leaves", options_.table);
    std::string names, chosen;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      names += fmt::format(", \"v{}\"", k);
      chosen += fmt::format(", l.\"v{}\" AS {}", k, quoted(dialect_, columns_[k].name));
    }
    return fmt::format(
        "WITH {}(\"node\"{}) AS (\n  VALUES {})\nSELECT i.*{}\nFROM {} AS i {} {} AS l ON l.\"node\" = {}",
        leaves, names, fmt::join(leaf_rows(), ",\n    "), chosen, table,
        dialect_ == Dialect::sqlite ? "CROSS JOIN" : "JOIN", leaves, one_expression("i", leaf));
  }

  std::vector<std::string> leaf_rows() {
    std::vector<std::string> out;
    for (const YesNoNode& node : asked_.trees.front().nodes) {
      if (node.question != Question::end) continue;
      out.push_back(fmt::format("({}, {})", node.origin, row_of(node.origin)));
    }
    return out;
  }

  std::string create_nodes() const {
    const NodeWalk walk(dialect_, model_, asked_, options_.table);
    std::string text = fmt::format("CREATE TABLE {} ({});\n", nodes_, walk.columns(true));
    const std::vector<std::string> rows = walk.rows();
    for (std::size_t at = 0; at < rows.size(); at += 1000) {
      const std::size_t end = std::min(rows.size(), at + 1000);
      text += fmt::format("INSERT INTO {} VALUES\n  {};\n", nodes_,
                          fmt::join(rows.begin() + static_cast<std::ptrdiff_t>(at),
                                    rows.begin() + static_cast<std::ptrdiff_t>(end), ",\n  "));
    }
    return text;
  }

  std::string node_query(bool with_rows) {
    const NodeWalk walk(dialect_, model_, asked_, options_.table);
    const bool ends = parts_.is_single() || options_.what == "leaf";
    std::string text = walk.expressions(nodes_, with_rows);
    text += "SELECT i.*";
    for (const Column& column : columns_)
      text += fmt::format(",\n  {} AS {}", ends ? at_node(column) : of_sums(column),
                          quoted(dialect_, column.name));
    return text + "\n" + (ends ? walk.ends(nodes_) : walk.sums());
  }

  // n is the node where a row ends.
  std::string at_node(const Column& column) {
    if (column.kind == Column::Kind::leaf) return "n.\"node\"";
    if (column.kind == Column::Kind::tree) return "n.\"tree\"";
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
  EndParts parts_;
  std::vector<Column> columns_;
  std::string nodes_;  // table of nodes, quoted
  std::string why_nodes_;
};

}  // namespace

std::string write_sql(const Model& model, const ExportOptions& options) {
  return Writer(model, options).run();
}

}  // namespace bough
