// SPDX-License-Identifier: Apache-2.0
// Options about tables: how a file is read and what its columns mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "bough/table.hpp"
#include "command.hpp"

namespace bough::cli {

/// How text files are read.
struct ReadFlags {
  std::string delimiter;
  std::string format;
  std::vector<std::string> missing;
  bool no_header = false;
};

/// `format_name`: what the option for the kind of file is called.
void add_read_flags(Command& command, ReadFlags& flags, const std::string& format_name = "--format");
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
  /// Adds the columns that must be read as numbers.
  void shape(ReadOptions& options) const;
  /// Throws bad_data naming every column that `table` (read from `path`) does not have, with names that are
  /// near.
  void check(const Table& table, std::string_view path) const;
};

/// Throws bad_params, naming the columns, where the plan has no target.
void require_target(const ColumnPlan& plan, const Table& table);

/// Throws bad_params when the options contradict each other.
ColumnPlan plan_columns(const ColumnFlags& flags);

/// read_options for rows that a model is to be fitted to again: its columns of text are read as text.
ReadOptions reading_for(const Model& model, const ReadFlags& flags);

/// The rows of a file for a model. Throws bad_data naming all columns that are not there.
Table read_rows_for(const Model& model, const std::string& path, const ReadFlags& flags);
/// read_table, which says on a terminal that it waits for rows. Of Parquet and Arrow files, columns that are
/// ignored, or that the model does not know and that cannot be read, are all missing.
Table read_rows(const std::string& path, const ReadOptions& options,
                const std::vector<std::string>& ignored = {});
Table read_rows(const std::string& path, const ReadOptions& options, const Model& model);
/// Throws bad_data naming every column of `table` that holds both numbers and words, unless the plan says
/// what such a column is: it may be a column of numbers with a slip in it.
void refuse_mixed_columns(const Table& table, const ColumnPlan& plan, std::string_view path);
/// The same for rows that come in blocks.
class MixedColumns {
 public:
  MixedColumns(const ColumnPlan& plan, std::string_view path);
  void look(const Table& rows);
  /// Forgets the blocks so far.
  void start_over();

 private:
  struct Seen {
    std::string number;
    std::string word;
    std::int64_t row = 0;  // of the word
  };
  [[noreturn]] void refuse(const Table& rows) const;
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

}  // namespace bough::cli
