// SPDX-License-Identifier: Apache-2.0
// Models as other formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bough/model.hpp"

namespace bough {

class RuleSet;

/// What the formats may be asked for. Every member has a row in the table of options
/// (src/export/options.cpp), which says what it means and which formats look at it.
struct ExportOptions {
  std::size_t tree = 0;
  int max_depth = -1;
  int precision = 6;
  bool filled = true;
  bool missing = false;
  bool rounded = true;
  bool impurity = true;
  bool node_ids = false;
  bool proportion = false;
  bool leaves_parallel = false;
  bool rotate = false;
  bool special_characters = false;
  std::string label = "all";
  std::string feature_names{};
  std::string class_names{};
  std::string fontname = "Helvetica";
  std::string prefix = "model";
  std::string style = "tables";
  int opset = 5;
  std::string dialect = "duckdb";
  std::string table = "data";
  std::string name = "prediction";
  std::string view{};
  std::string what = "answer";
  std::string as = "query";
  std::string form = "auto";
  bool float32 = false;
};

/// Pointer to the member a row of the table describes; its type decides how text is read.
using ExportMember = std::variant<bool ExportOptions::*, int ExportOptions::*, std::size_t ExportOptions::*,
                                  std::string ExportOptions::*>;

struct ExportOption {
  std::string_view name;  ///< "max_depth": --max-depth, or --no-... for what is on by default
  ExportMember member;
  std::string_view doc;
  std::span<const std::string_view> formats;    ///< those that look at it
  std::span<const std::string_view> choices{};  ///< words that are allowed; empty: any
};

struct Format {
  std::string_view name;       ///< "dot"
  std::string_view extension;  ///< ".dot"
  std::string_view doc;
  std::string (*write)(const Model&, const ExportOptions&);
  bool binary = false;  ///< bytes, not text
  /// What to tell the user about an export that was written (its size, ...); null: nothing.
  std::string (*note)(std::string_view) = nullptr;
};

/// Every format, in the order of their names.
std::span<const Format> export_formats() noexcept;
/// The format of a name. Throws bad_params listing the formats when there is none.
const Format& export_format(std::string_view name);
/// Every option, in the order of help pages.
std::span<const ExportOption> export_options() noexcept;
/// Sets an option by name from text ("true", "3", "duckdb") for a format. Throws bad_params when the format
/// does not look at it or the text is no value of it.
void set_export_option(ExportOptions& options, std::string_view format, std::string_view name,
                       std::string_view text);
/// Writes a model as `format`. Throws bad_params listing the formats when the name is unknown.
std::string export_model(const Model& model, std::string_view format, const ExportOptions& options = {});
/// Rules as one CASE per target in a dialect of SQL (duckdb, postgresql, sqlite), over cells that are typed as in the SQL
/// of trees. Throws bad_params for another dialect, not_supported for what SQL cannot hold.
std::string rules_as_sql(const RuleSet& rules, std::string_view dialect = "duckdb");
/// What a user must know to get the model's answers out of an export with these options, a sentence each:
/// cells that become floats. Often none.
std::vector<std::string> export_notes(const Model& model, std::string_view format,
                                      const ExportOptions& options);

}  // namespace bough
