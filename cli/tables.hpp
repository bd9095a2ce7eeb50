// SPDX-License-Identifier: Apache-2.0
// Options about tables: how a file is read and what its columns mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "bough/rules.hpp"
#include "bough/table.hpp"
#include "command.hpp"

namespace bough::cli {

/// How text files are read.
struct ReadFlags {
  std::string delimiter;
  std::string decimal;
  std::string format;
  std::vector<std::string> missing;
  bool header = false, no_header = false;
};

/// `tables`: the arguments and options that name tables; `format_name`: what the option for the kind of file is called;
/// `also`: words that it takes beside the kinds.
void add_read_flags(Command& command, ReadFlags& flags, const std::vector<std::string>& tables = {"data"},
                    const std::string& format_name = "--format", const std::vector<std::string>& also = {});
/// Throws bad_params when a value makes no sense.
ReadOptions read_options(const ReadFlags& flags);

/// What the columns of a training table mean.
struct ColumnFlags {
  std::vector<std::string> targets;
  std::string weight;
  std::string treatment;
  std::vector<std::string> ignored;
  std::vector<std::string> categories;
  std::vector<std::string> ordinals;
  std::vector<std::string> numerics;
  std::string schema_path;
};

void add_column_flags(Command& command, ColumnFlags& flags);

/// The columns as the user described them, from the schema file and from the options, which go first.
struct ColumnPlan {
  FitSpec spec;
  std::vector<std::string> categories;  ///< those of --category
  std::vector<std::string> texts;       ///< categories by the schema file whose levels are text
  std::string schema_path{};            ///< the schema file
  Schema listed{};                      ///< its categories that list their levels
  /// Adds the columns that must be read as numbers, and as text: categories are what is written, 012 is not 12.
  void shape(ReadOptions& options, const std::string& path) const;
  /// Whether the user has said what a column is.
  [[nodiscard]] bool settles(const std::string& name) const;
  /// Throws bad_data naming every column that `table` (read from `path`) does not have, with names that are
  /// near.
  void check(const Table& table, std::string_view path) const;
  /// Throws bad_data where a column holds values that the schema file does not list among its levels.
  void check_levels(const Schema& columns) const;
};

/// Throws bad_params, naming the columns, where the plan has no target.
void require_target(const ColumnPlan& plan, const Table& table);

/// Throws bad_params when the options contradict each other.
ColumnPlan plan_columns(const ColumnFlags& flags);

/// read_table, which says on a terminal that it waits for rows. Of Parquet and Arrow files, columns that are
/// ignored, or that the model does not know and that cannot be read, are all missing. What a model knows is read
/// by its kind, here and in predict (plain_features): texts stay texts, and a cell that is no number is an error.
Table read_rows(const std::string& path, const ReadOptions& options,
                const std::vector<std::string>& ignored = {});
Table read_rows(const std::string& path, const ReadOptions& options, const Model& model);
Table read_rows(const std::string& path, const ReadOptions& options, const Schema& features,
                const Schema& targets);
/// The options with the words for missing cells that are no values of the schemas.
ReadOptions options_for(ReadOptions options, const Schema& features, const Schema& targets);
/// The same without rows that lack a target of the model, which is told. `numbers`: becomes those of the rows that stay,
/// from 0, or empty where all do.
Table labelled_rows(const std::string& path, const ReadOptions& options, const Model& model,
                    std::vector<RowId>* numbers = nullptr);
Table labelled_rows(const std::string& path, const ReadOptions& options, const Schema& features,
                    const Schema& targets, std::vector<RowId>* numbers = nullptr);
void tell_of_rows_without_targets(std::string_view path, const std::vector<std::string>& targets,
                                  std::int64_t n, std::int64_t n_rows);
Table with_targets(Table table, const std::vector<std::string>& targets, std::string_view path,
                   std::vector<RowId>* numbers = nullptr);
/// Warns when the rows are those that the model was grown on, and says whether.
bool warn_of_training_rows(const Model& model, const Table& rows, std::string_view path);
/// Warns of labels that the model has never seen.
void warn_of_new_labels(const std::vector<Evaluation>& scores);
/// Whether the file says by itself which columns are text: ARFF, Parquet and Arrow.
bool declares_types(const std::string& path, const ReadOptions& reading);
/// Whether the file is text of lines and cells: csv or tsv.
bool is_delimited(const std::string& path, const ReadOptions& reading);
/// Warns of every column of `table` that holds both numbers and words, and so is a category, unless the plan
/// says what such a column is: it may be a column of numbers with a slip in it. Such a target is bad_data.
void warn_of_mixed_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                           const ReadOptions& reading);
/// A column that is not learned from, and why.
struct LeftOut {
  std::string name, why;
};
/// Warns of columns that are probably not what they were taken for: numbers with signs, hundreds of categories,
/// codes, dates. The rows may come in blocks.
class ColumnLooks {
 public:
  /// `whole`: all rows come in one table.
  ColumnLooks(const ColumnPlan& plan, std::string path, ReadOptions reading, bool whole);
  ~ColumnLooks();
  void look(const Table& rows);
  /// Forgets the blocks so far.
  void start_over();
  /// Warns, and gives the columns that are identifiers, to be left out: texts of which most stand in one row only, and
  /// unnamed numbers of rows.
  std::vector<LeftOut> finish();

 private:
  struct Seen;
  void look_at_texts(const ColumnView& cells, std::int64_t n_rows, Seen& seen) const;
  static void look_at_numbers(const Table::Column& column, std::int64_t n_rows, Seen& seen);
  void tell_of_target(const Seen& seen) const;
  const ColumnPlan& plan_;
  std::string path_;
  ReadOptions reading_;
  bool whole_;
  std::vector<Seen> seen_;
  std::int64_t n_rows_ = 0;
};
/// The model with what only the first rows of the text file that it was trained on tell: truth values among its labels
/// are spelled as there (TRUE, True; those spelled in several ways, and those of standard input, stay true and false),
/// and numeric columns that hold dates or truth values are noted, so that others need not take them. Of standard input
/// and folders nothing is known, and all columns may.
Model with_file_notes(const Model& model, const std::string& path, ReadOptions reading);
/// The features for a TableStream and read_by_schema, of which columns of plain numbers, as noted, take no dates and truth values. Models
/// from elsewhere have no notes.
Schema plain_features(const Model& model);
Schema plain_features(const RuleSet& rules);
/// Warns when the first line of a delimited file holds words and numbers, so that it may be names or a row. `table`: how it
/// was read.
void warn_of_first_line(const Table& table, const std::string& path, ReadOptions reading);
/// What bough train finds out about the columns of a table before it learns: warns of odd and mixed ones, and gives those
/// that are left out.
std::vector<LeftOut> look_at_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                                     const ReadOptions& reading);
/// Mixed columns of rows that come in blocks.
class MixedColumns {
 public:
  MixedColumns(const ColumnPlan& plan, const std::string& path, const ReadOptions& reading);
  void look(const Table& rows);
  /// Forgets the blocks so far.
  void start_over();

 private:
  struct Seen {
    std::string number;
    std::string word;
    std::int64_t row = 0;  // of the word
    bool told = false;
  };
  void tell(const std::string& name, Seen& seen) const;
  const ColumnPlan& plan_;
  std::string path_;
  bool declared_;
  std::vector<Seen> seen_;
  std::int64_t n_rows_ = 0;
};
/// Model::load; a path that is missing or holds rules gets a hint.
Model load_model(const std::string& path);
/// Whether a file holds a rule set as JSON.
bool holds_rules(const std::string& path);
/// The model with its target called `name`, as a table calls it; "": as it is. Throws bad_params when the
/// model has several targets or a feature of that name.
Model with_target(const Model& model, const std::string& name);

/// The path, or "standard input".
std::string source_name(std::string_view path);
/// Names of the columns of a table.
std::vector<std::string> column_names(const Table& table);
/// Throws bad_data, with near names, unless `table` has the column that `option` asks for.
void require_column(const Table& table, const std::string& name, std::string_view option,
                    std::string_view path);
/// Says that rows are awaited when they come from a terminal.
void announce_standard_input(std::string_view path);
/// The whole text as a number.
bool is_number(std::string_view text);
/// The same with a decimal comma: "3,5" and "-1.234,50".
bool is_comma_number(std::string_view text);

}  // namespace bough::cli
