// SPDX-License-Identifier: Apache-2.0
// The files of --config: is it TOML at all? CLI11 reads them, takes whatever it finds, and trips over
// comments in lists.
#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bough/error.hpp"
#include "tables.hpp"

namespace bough::cli {

namespace {

bool is_key_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

class Checker {
 public:
  Checker(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::string run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (true) {
      skip_blanks_and_lines();
      if (done()) return std::move(out_);
      if (peek() == '[') {
        section();
      } else {
        assignment();
      }
      end_of_line();
      out_ += '\n';
    }
  }

 private:
  static constexpr int kMostNesting = 8;

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\n' : text_[at_]; }
  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error(ErrorCode::bad_params, fmt::format("{}, line {}: {}", path_, line, what), hint);
  }

  void skip_blanks() {
    while (!done() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    if (!done() && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  void skip_blanks_and_lines() {
    for (skip_blanks(); !done() && text_[at_] == '\n'; skip_blanks()) ++at_;
  }

  void end_of_line() {
    skip_blanks();
    if (!done() && text_[at_] != '\n')
      refuse(fmt::format("'{}' is left over after the value", rest_of_line()),
             "one key = value per line; text with spaces goes in quotes");
  }

  [[nodiscard]] std::string rest_of_line() const {
    const std::string_view rest = text_.substr(at_, text_.find('\n', at_) - at_);
    return std::string(rest.substr(0, rest.find_last_not_of(" \t\r") + 1));
  }

  std::string key() {
    if (peek() == '"' || peek() == '\'') {
      const std::size_t start = at_;
      quoted();
      return std::string(text_.substr(start + 1, at_ - start - 2));
    }
    const std::size_t start = at_;
    while (!done() && is_key_sign(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  void section() {
    ++at_;
    skip_blanks();
    section_ = key();
    skip_blanks();
    if (section_.empty() || peek() != ']')
      refuse("a section that is not written as [name]", "write the name of a command: [train]");
    ++at_;
    out_ += fmt::format("[{}]", section_);
  }

  void assignment() {
    const std::string line = rest_of_line();
    const std::string name = key();
    skip_blanks();
    if (name.empty() || peek() != '=')
      refuse(fmt::format("'{}' does not have the form key = value", line),
             "write for example: max_depth = 5");
    if (!known_.insert(section_ + '\n' + name).second)
      refuse(fmt::format("'{}' is set twice", name), "keep one of the two");
    ++at_;
    skip_blanks();
    if (peek() == '\n') refuse(fmt::format("'{}' has no value", name), "write for example: max_depth = 5");
    out_ += name + " = ";
    value(name, 0);
  }

  void value(const std::string& name, int nesting) {
    if (peek() == '[') return list(name, nesting + 1);
    const std::size_t start = at_;
    if (peek() == '"' || peek() == '\'') {
      quoted();
      out_ += text_.substr(start, at_ - start);
      return;
    }
    while (!done() && (is_key_sign(text_[at_]) || text_[at_] == '.' || text_[at_] == '+')) ++at_;
    std::string word(text_.substr(start, at_ - start));
    const bool truth = word == "true" || word == "false";
    std::erase(word, '_');
    if (truth || is_number(word)) {
      out_ += word;
      return;
    }
    at_ = start;
    refuse(fmt::format("the value of '{}' is not text in quotes, a number, true, false or a list: {}", name,
                       rest_of_line()),
           "text goes in quotes: criterion = \"gini\"");
  }

  void quoted() {
    const char quote = text_[at_];
    const std::size_t start = at_++;
    while (!done() && text_[at_] != quote && text_[at_] != '\n')
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    if (peek() != quote || done()) {
      at_ = start;
      refuse(fmt::format("a quote is not closed: {}", rest_of_line()),
             "a text ends in the line where it begins");
    }
    ++at_;
  }

  void list(const std::string& name, int nesting) {
    const std::size_t start = at_++;
    out_ += '[';
    if (nesting > kMostNesting)
      refuse(fmt::format("the list of '{}' is nested too deep", name), "write it flat");
    while (true) {
      skip_blanks_and_lines();
      if (peek() == ']' && !done()) break;
      if (!done()) value(name, nesting);
      skip_blanks_and_lines();
      if (!done() && peek() == ',') {
        ++at_;
        skip_blanks_and_lines();
        if (peek() != ']') out_ += ", ";
        continue;
      }
      if (!done() && peek() == ']') break;
      if (done()) at_ = start;
      refuse(fmt::format("the list of '{}' is not closed, or a comma is missing in it", name),
             "write for example: ignore = [\"a\", \"b\"]");
    }
    ++at_;
    out_ += ']';
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::string out_;
  std::string section_;
  std::set<std::string> known_;
};

}  // namespace

std::string plain_toml(std::string_view text, const std::string& path) {
  return Checker(text, path).run();
}

}  // namespace bough::cli
