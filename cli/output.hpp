// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears only when it is complete.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "bough/model.hpp"
#include "bough/output_file.hpp"

namespace bough::cli {

/// Text to standard output (path empty or "-") or to a file, as OutputFile writes it: without commit() the
/// old file stays as it was. A terminal gets the text harmless (text.hpp). Throws io.
class Output {
 public:
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  std::unique_ptr<OutputFile> file_;  // nothing: standard output
};

/// Writes `text` to `path` as Output does.
void write_file(const std::string& path, std::string_view text);
/// The content of a small text file. Throws io.
std::string read_file(const std::string& path);

/// Throws io, before any work is done, when a file could not be made at `path`, and bad_params when `path` is
/// one of the `inputs`. Empty paths and "-" are fine.
void check_writable(const std::string& path, std::initializer_list<std::string> inputs);

/// Saves a model as Model::save does; "-" is standard output, which must not be a terminal.
void save_model(const Model& model, const std::string& path);
/// From here on print() goes to standard error, because standard output gets a model.
void report_to_standard_error();
/// Prints to standard output.
void print(std::string_view text);
/// Prints data, in which names and cells stand as they are, unless standard output is a terminal: that gets
/// them harmless (text.hpp).
void print_data(std::string_view text);

}  // namespace bough::cli
