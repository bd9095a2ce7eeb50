// SPDX-License-Identifier: Apache-2.0
// read_table and parse_table: the format decides who reads.
#include "data/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "data/bytes.hpp"
#include "data/csv.hpp"

namespace bough {
namespace {

struct Format {
  std::string_view name;
  Table (*read)(std::string_view, const ReadOptions&, const std::string&);
  std::array<std::string_view, 3> endings;
};

constexpr std::array<Format, 4> kFormats{{{"csv", read_csv, {".csv", ".txt", ""}},
                                          {"tsv", read_csv, {".tsv", ".tab", ""}},
                                          {"svmlight", read_svmlight, {".svm", ".svmlight", ".libsvm"}},
                                          {"arff", read_arff, {".arff", "", ""}}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

Table read_source(ByteSource& bytes, const ReadOptions& options, const std::string& source) {
  TextBuffer text = read_all(bytes);
  // Empty lines at the end are nothing; further up an empty line can be a row of one missing cell.
  while (text.size > 0 && (text.data[text.size - 1] == '\n' || text.data[text.size - 1] == '\r')) --text.size;
  text.data[text.size] = '\0';
  return read_text({text.data.get(), text.size}, options, source);
}

std::string display_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace

std::string format_of(const std::string& path, const ReadOptions& options) {
  if (!options.format.empty()) {
    std::vector<std::string> names;
    for (const Format& format : kFormats) {
      if (format.name == options.format) return options.format;
      names.emplace_back(format.name);
    }
    throw Error(ErrorCode::bad_params, fmt::format("unknown format \"{}\"", options.format),
                fmt::format("the formats are {}", join(names, ", ")));
  }
  std::string name = lower(path);
  for (const std::string_view packed : {".gz", ".zst", ".zstd"})
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  for (const Format& format : kFormats)
    for (const std::string_view ending : format.endings)
      if (!ending.empty() && name.ends_with(ending)) return std::string(format.name);
  return "csv";
}

Table read_text(std::string_view text, const ReadOptions& options, const std::string& source) {
  for (const Format& format : kFormats)
    if (format.name == options.format) return format.read(text, options, source);
  return read_csv(text, options, source);
}

Table read_table(const std::string& path, const ReadOptions& options) {
  ReadOptions own = options;
  own.format = format_of(path, options);
  const std::string source = display_name(path);
  return naming_source(source, [&] { return read_source(*open_bytes(path), own, source); });
}

Table parse_table(std::string_view text, const ReadOptions& options) {
  ReadOptions own = options;
  own.format = format_of("", options);
  return read_source(*open_bytes_in_memory(text), own, "");
}

}  // namespace bough
