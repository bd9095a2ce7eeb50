// SPDX-License-Identifier: Apache-2.0
// ARFF files: declared attributes (nominal, numeric, string), rows of comma separated values, ? for missing.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "data/bytes.hpp"
#include "data/csv.hpp"
#include "data/owned.hpp"
#include "data/reader.hpp"
#include "data/text_rows.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

enum class ArffType : std::uint8_t { numeric, nominal, text };

struct Attribute {
  std::string name;
  ArffType type = ArffType::numeric;
  std::vector<double> numbers;
  TextDictionary values;  // nominal: the declared ones first
  std::int32_t n_declared = 0;
  std::vector<std::int32_t> codes;
};

/// A word or a quoted text of a line.
struct Token {
  std::string text;
  bool quoted = false;
};

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_keyword(std::string_view word, std::string_view lower) noexcept {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

class ArffReader {
 public:
  /// `more` gives what comes behind `text`, in whole lines; nothing at the end.
  using More = std::function<std::string_view()>;
  ArffReader(std::string_view text, std::string source, More more = {})
      : rest_(text), source_(std::move(source)), more_(std::move(more)) {}

  void open(const ReadOptions& options) {
    read_header();
    for (const Attribute& attribute : attributes_) names_.push_back(attribute.name);
    asked_ = csv_wants(names_, options, source_);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (asked_[i] == CsvWant::number) attributes_[i].type = ArffType::numeric;
      if (asked_[i] == CsvWant::text && attributes_[i].type == ArffType::numeric)
        attributes_[i].type = ArffType::text;
    }
  }
  /// The next rows, at most `max_rows` (-1: all). Throws where a file has none at all.
  Table read(std::int64_t max_rows) {
    std::int64_t n_rows = 0;
    while (n_rows != max_rows && next_line()) {
      if (at_line_end()) continue;
      row();
      ++n_rows;
    }
    n_rows_ += n_rows;
    if (n_rows_ == 0)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("{} declares {} attributes and holds no rows", shown_source(), attributes_.size()),
          "add rows below @data");
    return finish();
  }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<CsvWant>& asked() const noexcept { return asked_; }

 private:
  /// Goes to the next line, without its comment; false at the end.
  bool next_line() {
    if (rest_.empty() && more_) rest_ = more_();
    if (rest_.empty()) return false;
    ++line_number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_number_ == 1) line_.remove_prefix(bom_length(line_));
    if (line_.find('\0') != std::string_view::npos) throw error("a NUL byte", "the file is binary");
    return true;
  }
  void skip_blanks() noexcept {
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
  }
  bool at_line_end() noexcept {
    skip_blanks();
    return line_.empty() || line_.front() == '%';
  }

  /// A quoted text, or everything up to a character of `stops`.
  Token token(std::string_view stops) {
    skip_blanks();
    Token out;
    if (!line_.empty() && (line_.front() == '\'' || line_.front() == '"')) {
      const char quote = line_.front();
      std::size_t i = 1;
      for (; i < line_.size() && line_[i] != quote; ++i) {
        if (line_[i] == '\\' && i + 1 < line_.size()) ++i;
        out.text += line_[i];
      }
      if (i >= line_.size())
        throw error("a quote is opened and never closed", "quotes end on the line they start");
      line_.remove_prefix(i + 1);
      out.quoted = true;
    } else {
      const std::size_t end = std::min(line_.find_first_of(stops), line_.size());
      out.text = std::string(trim(line_.substr(0, end)));
      line_.remove_prefix(end);
    }
    if (!is_utf8(out.text)) throw error("text that is not valid UTF-8", "save the file as UTF-8 text");
    skip_blanks();
    return out;
  }

  void read_header() {
    while (next_line()) {
      if (at_line_end()) continue;
      const std::string word = token(" \t{").text;
      if (is_keyword(word, "@relation")) continue;
      if (is_keyword(word, "@attribute")) {
        declare();
      } else if (is_keyword(word, "@data")) {
        if (attributes_.empty()) throw error("@data before any @attribute", "declare the attributes first");
        return;
      } else {
        throw error(
            fmt::format("\"{}\" where @relation, @attribute or @data is expected", word.substr(0, 40)),
            "is this an ARFF file?");
      }
    }
    throw Error(ErrorCode::bad_data, fmt::format("{} has no @data line", shown_source()),
                "an ARFF file declares @attribute lines, then @data and rows");
  }

  void declare() {
    Attribute attribute;
    attribute.name = token(" \t{").text;
    if (!declared_.insert(attribute.name).second)
      throw error(fmt::format("the attribute \"{}\" is declared twice", attribute.name),
                  "give each its own name");
    if (!line_.empty() && line_.front() == '{') {
      line_.remove_prefix(1);
      declare_values(attribute);
    } else {
      const std::string type = token(" \t%").text;
      if (is_keyword(type, "string")) {
        attribute.type = ArffType::text;
      } else if (!is_keyword(type, "numeric") && !is_keyword(type, "real") && !is_keyword(type, "integer")) {
        throw Error(ErrorCode::not_supported,
                    fmt::format("{}line {}: attribute \"{}\" is of type {}", prefix(), line_number_,
                                attribute.name, type.empty() ? "nothing" : type),
                    "numeric, real, integer, string and {...} are read; make dates numbers or strings first");
      }
    }
    attributes_.push_back(std::move(attribute));
  }

  void declare_values(Attribute& attribute) {
    attribute.type = ArffType::nominal;
    for (;;) {
      const Token value = token(",}");
      if (line_.empty()) throw error(attribute, "the list of values is not closed by }", "");
      const char separator = line_.front();
      if (!value.text.empty() || value.quoted) attribute.values.code(value.text);
      if (separator != ',' && separator != '}')
        throw error(attribute, "the values must be separated by commas",
                    "put quotes around values with blanks");
      line_.remove_prefix(1);
      if (separator == '}') break;
    }
    attribute.n_declared = static_cast<std::int32_t>(attribute.values.size());
  }

  void row() {
    if (line_.front() == '{')
      throw Error(ErrorCode::not_supported,
                  fmt::format("{}line {}: sparse ARFF rows are not read", prefix(), line_number_),
                  "write the rows in full, or use an svmlight file");
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
      Attribute& attribute = attributes_[i];
      const Token value = token(",\t%");
      store(attribute, value);
      const bool more = !line_.empty() && (line_.front() == ',' || line_.front() == '\t');
      if (!more && !at_line_end()) throw error(attribute, "text follows a closing quote", "");
      const bool last = i + 1 == attributes_.size();
      if (more == last)
        throw error(fmt::format("{} value{} where {} are expected", last ? "more" : std::to_string(i + 1),
                                i == 0 && !last ? "" : "s", attributes_.size()),
                    "complete the row, or put quotes around values that hold a comma");
      if (more) line_.remove_prefix(1);
    }
  }

  void store(Attribute& attribute, const Token& value) {
    const bool missing = !value.quoted && (value.text == "?" || value.text.empty());
    if (attribute.type == ArffType::numeric) {
      const std::optional<double> number =
          missing ? std::optional<double>(std::numeric_limits<double>::quiet_NaN())
                  : parse_number(value.text);
      if (!number)
        throw error(attribute, fmt::format("\"{}\" is not a number", value.text.substr(0, 40)),
                    "? is missing");
      attribute.numbers.push_back(*number + 0.0);
      return;
    }
    const std::int32_t code = missing ? -1 : attribute.values.code(value.text);
    if (attribute.type == ArffType::nominal && code >= attribute.n_declared)
      throw error(attribute, fmt::format("the value \"{}\" is not declared", value.text.substr(0, 40)),
                  "add it to the attribute's list, or correct the cell");
    attribute.codes.push_back(code);
  }

  Table finish() {
    Table table;
    for (Attribute& attribute : attributes_) {
      if (attribute.type == ArffType::numeric) {
        add_owned(table, attribute.name, own_cells(std::exchange(attribute.numbers, {}), Dtype::f64));
        continue;
      }
      // The declared values come first in every table.
      TextDictionary values =
          more_ && attribute.type == ArffType::nominal ? attribute.values : TextDictionary();
      values = std::exchange(attribute.values, std::move(values));
      add_owned(table, attribute.name, own_text(std::exchange(attribute.codes, {}), std::move(values)));
    }
    return table;
  }

  [[nodiscard]] std::string prefix() const { return source_.empty() ? std::string() : source_ + ": "; }
  [[nodiscard]] std::string shown_source() const { return source_.empty() ? "the text" : source_; }
  [[nodiscard]] Error error(const std::string& what, std::string hint) const {
    return Error(ErrorCode::bad_data, fmt::format("{}line {}: {}", prefix(), line_number_, what),
                 std::move(hint));
  }
  [[nodiscard]] Error error(const Attribute& attribute, const std::string& what, std::string hint) const {
    return error(fmt::format("column \"{}\": {}", attribute.name, what), std::move(hint));
  }

  std::string_view rest_;
  std::string_view line_;
  std::string source_;
  More more_;
  std::int64_t line_number_ = 0;
  std::int64_t n_rows_ = 0;
  std::vector<Attribute> attributes_;
  std::unordered_set<std::string> declared_;
  std::vector<std::string> names_;
  std::vector<CsvWant> asked_;
};

/// Whole lines of a source, a megabyte or so at a time.
class LineText {
 public:
  explicit LineText(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}
  std::string_view next() {
    constexpr std::size_t kReadBytes = 1 << 20;
    text_.erase(0, given_);
    given_ = 0;
    while (given_ == 0) {
      const std::size_t size = text_.size();
      text_.resize(size + kReadBytes);
      const std::size_t n = bytes_->read(text_.data() + size, kReadBytes);
      text_.resize(size + n);
      given_ = n == 0 ? size : text_.find_last_of('\n') + 1;
      if (n == 0) break;
    }
    return std::string_view(text_).substr(0, given_);
  }
  [[nodiscard]] std::size_t consumed() const noexcept { return bytes_->consumed(); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::string text_;
  std::size_t given_ = 0;
};

class ArffRowReader final : public TextRowReader {
 public:
  ArffRowReader(const std::string& path, const ReadOptions& options)
      : source_(path), text_(open_bytes(path)), reader_("", path, [this] { return text_.next(); }) {
    reader_.open(options);
  }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept override { return reader_.names(); }
  [[nodiscard]] const std::vector<CsvWant>& asked() const noexcept override { return reader_.asked(); }
  [[nodiscard]] std::size_t consumed() const noexcept override { return text_.consumed(); }
  std::optional<TextRows> next(std::int64_t rows, std::span<const CsvWant>) override {
    TextRows block{naming_source(source_, [&] { return reader_.read(rows); }), {}};
    if (block.table.n_rows() == 0) return std::nullopt;
    return block;
  }

 private:
  std::string source_;
  LineText text_;
  ArffReader reader_;
};

}  // namespace

Table read_arff(std::string_view text, const ReadOptions& options, const std::string& source) {
  ArffReader reader(text, source);
  reader.open(options);
  return reader.read(options.max_rows);
}

std::unique_ptr<TextRowReader> open_arff_rows(const std::string& path, const ReadOptions& options) {
  return naming_source(path, [&] { return std::make_unique<ArffRowReader>(path, options); });
}

}  // namespace bough
