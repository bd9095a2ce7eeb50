// SPDX-License-Identifier: Apache-2.0
// svmlight files: "label index:value ... # comment", to a dense label and sparse columns f<index>.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "data/reader.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

struct SparseColumn {
  std::int64_t index = 0;
  std::vector<std::int64_t> rows;
  std::vector<double> values;
};

std::string_view next_word(std::string_view& line) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  std::size_t from = 0;
  while (from < line.size() && blank(line[from])) ++from;
  std::size_t to = from;
  while (to < line.size() && !blank(line[to])) ++to;
  const std::string_view word = line.substr(from, to - from);
  line.remove_prefix(to);
  return word;
}

class SvmlightReader {
 public:
  explicit SvmlightReader(const std::string& source) : source_(source) {}

  Table read(std::string_view text, std::int64_t max_rows) {
    while (!text.empty() && std::ssize(labels_) != max_rows) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      row(line.substr(0, line.find('#')));
    }
    if (labels_.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} holds no rows", source_.empty() ? "the text" : source_),
                  "a row is a label and index:value pairs");
    return finish();
  }

 private:
  void row(std::string_view line) {
    const std::string_view label = next_word(line);
    if (label.empty()) return;
    const auto n_rows = std::ssize(labels_);
    labels_.push_back(read_label(label));
    std::int64_t last = -1;
    for (std::string_view pair = next_word(line); !pair.empty(); pair = next_word(line)) {
      if (pair.starts_with("qid:")) continue;
      const std::size_t colon = pair.find(':');
      const auto index =
          colon == std::string_view::npos ? std::nullopt : parse_integer(pair.substr(0, colon));
      const auto value =
          colon == std::string_view::npos ? std::nullopt : parse_number(pair.substr(colon + 1));
      if (!index || !value || *index < 0)
        throw error(fmt::format("\"{}\" is not index:value", shown(pair)), "");
      if (*index <= last)
        throw error(fmt::format("index {} follows index {}", *index, last),
                    "sort the indices of every row, each once");
      last = *index;
      SparseColumn& column = column_of(*index);
      column.rows.push_back(n_rows);
      column.values.push_back(*value);
    }
  }

  /// Labels are numbers, or words throughout.
  std::string read_label(std::string_view label) {
    if (label.find(':') != std::string_view::npos)
      throw error(fmt::format("\"{}\" stands where the label is expected", shown(label)),
                  "start every row with its label");
    if (!is_utf8(label)) throw error("the label is not valid UTF-8", "save the file as UTF-8 text");
    return std::string(label);
  }

  SparseColumn& column_of(std::int64_t index) {
    const auto [at, fresh] = place_.emplace(index, columns_.size());
    if (fresh) columns_.emplace_back().index = index;
    return columns_[at->second];
  }

  Table finish() {
    Table table;
    std::vector<double> numbers;
    for (const std::string& label : labels_) {
      const std::optional<double> number = parse_number(label);
      if (!number) break;
      numbers.push_back(*number + 0.0);
    }
    if (numbers.size() == labels_.size()) {
      table.add("label", std::span<const double>(numbers));
    } else {
      table.add("label", std::span<const std::string>(labels_));
    }
    std::sort(columns_.begin(), columns_.end(),
              [](const SparseColumn& a, const SparseColumn& b) { return a.index < b.index; });
    const auto own = std::make_shared<const std::vector<SparseColumn>>(std::move(columns_));
    for (const SparseColumn& column : *own) {
      SparseView view{
          .dtype = Dtype::f64, .values = column.values.data(), .rows = column.rows.data(), .wide_rows = true};
      view.count = std::ssize(column.rows);
      view.length = table.n_rows();
      table.view(fmt::format("f{}", column.index), view);
    }
    table.hold(own);
    return table;
  }

  static std::string_view shown(std::string_view text) noexcept { return text.substr(0, 40); }
  [[nodiscard]] Error error(const std::string& what, std::string hint) const {
    return Error(ErrorCode::bad_data,
                 fmt::format("{}{}line {}: {}", source_, source_.empty() ? "" : ": ", line_, what),
                 std::move(hint));
  }

  const std::string& source_;
  std::int64_t line_ = 0;
  std::vector<std::string> labels_;
  std::vector<SparseColumn> columns_;
  std::unordered_map<std::int64_t, std::size_t> place_;
};

}  // namespace

Table read_svmlight(std::string_view text, const ReadOptions& options, const std::string& source) {
  return SvmlightReader(source).read(text, options.max_rows);
}

}  // namespace bough
