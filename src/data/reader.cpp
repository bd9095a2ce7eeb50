// SPDX-License-Identifier: Apache-2.0
// read_table and parse_table: the format decides who reads.
#include "data/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "bough/table_blocks.hpp"
#include "data/arrow_files.hpp"
#include "data/bytes.hpp"
#include "data/csv.hpp"

namespace bough {
namespace {

struct Format {
  std::string_view name;
  Table (*read)(std::string_view, const ReadOptions&, const std::string&);
  std::array<std::string_view, 4> endings;
};

/// Parquet and Arrow files are not text: the component reads them.
constexpr std::array<Format, 6> kFormats{{{"csv", read_csv, {".csv", ".txt"}},
                                          {"tsv", read_csv, {".tsv", ".tab"}},
                                          {"svmlight", read_svmlight, {".svm", ".svmlight", ".libsvm"}},
                                          {"arff", read_arff, {".arff"}},
                                          {"parquet", nullptr, {".parquet", ".pq"}},
                                          {"arrow", nullptr, {".arrow", ".arrows", ".ipc", ".feather"}}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

/// `head`: the first bytes.
Table read_source(ByteSource& bytes, std::string_view head, const ReadOptions& options,
                  const std::string& source, const ArrowWanted& wanted) {
  TextBuffer text = read_all(bytes);
  if (check_arrow_content(head, options.format, source)) {
    const auto memory = std::make_shared<const TextBuffer>(std::move(text));
    return read_arrow(*open_arrow_blocks(memory, source, options, wanted), source);
  }
  // Empty lines at the end are nothing; further up an empty line can be a row of one missing cell.
  while (text.size > 0 && (text.data[text.size - 1] == '\n' || text.data[text.size - 1] == '\r')) --text.size;
  text.data[text.size] = '\0';
  return read_text({text.data.get(), text.size}, options, source);
}

bool is_text_format(const std::string& asked) {
  return !asked.empty() && !is_arrow_format(asked);
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

std::string file_format(const std::string& path, const ReadOptions& options) {
  std::string named = format_of(path, options);
  if (is_arrow_format(named) || !is_typed_file(path, options)) return named;
  return "arrow";
}

Table read_text(std::string_view text, const ReadOptions& options, const std::string& source) {
  for (const Format& format : kFormats)
    if (format.name == options.format) return format.read(text, options, source);
  return read_csv(text, options, source);
}

Table read_table(const std::string& path, const ReadOptions& options, std::span<const std::string> ignored) {
  ReadOptions own = options;
  own.format = format_of(path, options);
  const std::string source = display_name(path);
  const ArrowWanted wanted{{ignored.begin(), ignored.end()}};
  return naming_source(source, [&] {
    if (is_arrow_path(path, options))
      return read_arrow(*open_arrow_blocks({&path, 1}, options, wanted), source);
    if (is_text_format(options.format)) return read_source(*open_bytes(path), "", own, source, wanted);
    std::string head;
    const std::unique_ptr<ByteSource> bytes = open_bytes(path, head);
    return read_source(*bytes, head, own, source, wanted);
  });
}

Table read_table(const std::string& path, const ReadOptions& options) {
  return read_table(path, options, {});
}

Table parse_table(std::string_view text, const ReadOptions& options) {
  ReadOptions own = options;
  own.format = format_of("", options);
  if (is_text_format(options.format)) return read_source(*open_bytes_in_memory(text), "", own, "", {});
  std::string head;
  const std::unique_ptr<ByteSource> bytes = open_bytes_in_memory(text, head);
  return read_source(*bytes, head, own, "", {});
}

}  // namespace bough
