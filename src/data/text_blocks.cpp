// SPDX-License-Identifier: Apache-2.0
// Text files as blocks of rows with the types that reading them whole gives.
//
// A column is text as soon as one of its cells is, and a table that was given cannot be taken back. So the
// first pass gives tables by what the rows so far have shown; the block that contradicts it is the last one:
// the rest of the files is looked through for more surprises, then everything starts over with types that are
// known.
#include "data/text_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/chunks.hpp"
#include "data/file_mark.hpp"
#include "data/owned.hpp"
#include "data/reader.hpp"
#include "data/text_rows.hpp"

namespace bough {
namespace {

enum class TextType : std::uint8_t { number, integer, boolean, text };

/// What all cells of a column have shown so far.
struct ColumnEvidence {
  bool text = false;
  bool boolean = false;
  bool number = false;
  bool wide = false;  // whole numbers that only int64 holds
  CsvSeen seen{};

  void add(Dtype dtype, const CsvSeen& block) {
    const bool codes = dtype == Dtype::text && block.any_code && block.all_whole;
    text |= dtype == Dtype::text && !codes;
    boolean |= dtype == Dtype::boolean;
    if (dtype != Dtype::f64 && dtype != Dtype::i64 && !codes) return;
    number |= block.any_present;
    wide |= dtype == Dtype::i64;
    seen.all_whole &= block.all_whole;
    seen.any_code |= block.any_code;
    seen.any_letter |= block.any_letter;
    seen.any_date |= block.any_date;
    seen.any_plain |= block.any_plain;
  }
  [[nodiscard]] TextType type() const noexcept {
    const bool codes = seen.any_code && seen.all_whole, mixed = seen.any_date && seen.any_plain;
    if (text || (boolean && number) || codes || mixed) return TextType::text;
    if (boolean) return TextType::boolean;
    return wide && seen.all_whole && !seen.any_letter ? TextType::integer : TextType::number;
  }
};

const ColumnView& dense(const Table& table, std::size_t column) {
  return std::get<ColumnView>(table.column(column));
}

Dtype type_of(const ColumnView& view) {
  return view.dictionary ? view.dictionary->dtype : view.dtype;
}

OwnedColumn as_numbers(const ColumnView& integers) {
  std::vector<double> cells;
  for (const Chunk& chunk : integers.chunks)
    for (std::int64_t i = 0; i < chunk.length; ++i)
      cells.push_back(is_valid(chunk, i) ? static_cast<double>(load_cell<std::int64_t>(chunk, i))
                                         : std::numeric_limits<double>::quiet_NaN());
  return own_cells(std::move(cells), Dtype::f64);
}

/// Whole numbers that a double holds, and missing cells.
template <class T>
OwnedColumn from_numbers(const ColumnView& numbers, Dtype dtype) {
  std::vector<T> cells;
  std::vector<bool> present;
  for (const Chunk& chunk : numbers.chunks)
    for (std::int64_t i = 0; i < chunk.length; ++i) {
      const auto cell = load_cell<double>(chunk, i);
      present.push_back(!std::isnan(cell));
      cells.push_back(present.back() ? static_cast<T>(cell) : T{0});
    }
  return own_cells(std::move(cells), dtype, pack_bits(present));
}

class TextBlocks final : public TableBlocks {
 public:
  TextBlocks(std::span<const std::string> paths, const ReadOptions& options) : options_(options) {
    for (const std::string& path : paths) {
      if (format_of(path, options) == "svmlight")
        throw Error(ErrorCode::not_supported,
                    fmt::format("{} is an svmlight file, which is sparse and read as a whole", path),
                    "train without a memory limit, or write the table as csv");
      marks_.emplace_back(path);
      total_bytes_ += marks_.back().size();
    }
    open(0);
    names_ = reader_->names();
    asked_ = reader_->asked();
    evidence_.resize(names_.size());
    types_.resize(names_.size(), TextType::number);
  }

  std::optional<Table> next(std::int64_t rows) override {
    if (rows < 1) throw Error(ErrorCode::bad_params, "a block must hold at least one row");
    started_over_ = false;
    for (;;) {
      std::optional<TextRows> block = next_block(rows);
      if (!block) {
        learning_ = false;
        return std::nullopt;
      }
      if (!learn(*block)) {
        start_over(rows);
        continue;
      }
      given_ += block->table.n_rows();
      return shaped(*block);
    }
  }

  [[nodiscard]] bool started_over() const noexcept override { return started_over_; }
  void rewind() override {
    for (const FileMark& mark : marks_) mark.check();
    open(0);
    given_ = 0;
    if (learning_) evidence_.assign(names_.size(), {});
  }
  [[nodiscard]] double fraction() const noexcept override {
    if (total_bytes_ == 0) return 1.0;
    const auto here = reader_ == nullptr ? 0 : static_cast<std::int64_t>(reader_->consumed());
    return std::min(1.0, static_cast<double>(bytes_before_ + here) / static_cast<double>(total_bytes_));
  }

 private:
  /// File number `at`, whose columns must be those of the first one.
  void open(std::size_t at) {
    reader_.reset();
    at_ = at;
    bytes_before_ = 0;
    for (std::size_t i = 0; i < at; ++i) bytes_before_ += marks_[i].size();
    if (at == marks_.size()) return;
    const std::string& path = marks_[at].path();
    ReadOptions own = options_;
    own.format = format_of(path, options_);
    reader_ = own.format == "arff" ? open_arff_rows(path, own) : open_csv_rows(path, own);
    places_.clear();
    if (names_.empty()) return;
    const std::vector<std::string>& here = reader_->names();
    for (const std::string& name : names_) {
      const auto found = std::find(here.begin(), here.end(), name);
      if (found == here.end()) throw other_columns(path, fmt::format("lacks the column \"{}\" of", name));
      places_.push_back(static_cast<std::size_t>(found - here.begin()));
    }
    for (const std::string& name : here)
      if (std::find(names_.begin(), names_.end(), name) == names_.end())
        throw other_columns(path, fmt::format("has a column \"{}\" more than", name));
    if (std::is_sorted(places_.begin(), places_.end())) places_.clear();
  }
  [[nodiscard]] Error other_columns(const std::string& path, const std::string& what) const {
    return Error(ErrorCode::bad_data, fmt::format("{} {} {}", path, what, marks_.front().path()),
                 "files that are read together have the same columns");
  }

  /// Where column `c` of the tables is in the file that is being read.
  [[nodiscard]] std::size_t place(std::size_t c) const { return places_.empty() ? c : places_[c]; }

  std::optional<TextRows> next_block(std::int64_t rows) {
    if (options_.max_rows >= 0) rows = std::min(rows, options_.max_rows - given_);
    while (rows > 0 && reader_ != nullptr) {
      std::vector<CsvWant> wants(names_.size());
      for (std::size_t c = 0; c < wants.size(); ++c)
        wants[place(c)] =
            types_[c] == TextType::text ? CsvWant::text
            : !learning_ && types_[c] == TextType::number && asked_[c] == CsvWant::any && evidence_[c].number
                ? CsvWant::number
                : asked_[c];
      if (std::optional<TextRows> block = reader_->next(rows, wants)) return block;
      marks_[at_].check();
      open(at_ + 1);
    }
    return std::nullopt;
  }

  /// Takes in what a block shows; false where the tables that were given are wrong by that.
  bool learn(const TextRows& block) {
    if (!learning_) return true;
    bool agrees = true;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      ColumnEvidence& seen = evidence_[c];
      seen.add(type_of(dense(block.table, place(c))),
               block.seen.empty() ? CsvSeen{true, false} : block.seen[place(c)]);
      const TextType type = seen.type();
      agrees &= type == types_[c] || given_ == 0;
      types_[c] = type;
    }
    return agrees;
  }

  void start_over(std::int64_t rows) {
    while (const std::optional<TextRows> block = next_block(rows)) {
      learn(*block);
      given_ += block->table.n_rows();
      tick();
    }
    learning_ = false;
    rewind();
    started_over_ = true;
  }

  /// The block with its columns in the order and with the types that all blocks have.
  Table shaped(TextRows& block) const {
    bool as_it_is = places_.empty();
    for (std::size_t c = 0; c < names_.size(); ++c)
      as_it_is &= fits(type_of(dense(block.table, place(c))), types_[c]);
    if (as_it_is) return std::move(block.table);
    Table table;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const ColumnView& view = dense(block.table, place(c));
      if (fits(type_of(view), types_[c])) {
        table.view(names_[c], view);
      } else {
        add_owned(table, names_[c], converted(view, types_[c], c));
      }
    }
    table.hold(std::make_shared<const Table>(block.table));
    return table;
  }
  static bool fits(Dtype dtype, TextType type) noexcept {
    switch (type) {
      case TextType::number:
        return dtype == Dtype::f64;
      case TextType::integer:
        return dtype == Dtype::i64;
      case TextType::boolean:
        return dtype == Dtype::boolean;
      case TextType::text:
        break;
    }
    return dtype == Dtype::text;
  }
  [[nodiscard]] OwnedColumn converted(const ColumnView& view, TextType type, std::size_t c) const {
    const Dtype dtype = type_of(view);
    if (type == TextType::number && dtype == Dtype::i64) return as_numbers(view);
    if (type == TextType::integer && dtype == Dtype::f64) return from_numbers<std::int64_t>(view, Dtype::i64);
    if (type == TextType::boolean && dtype == Dtype::f64)
      return from_numbers<std::uint8_t>(view, Dtype::boolean);
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: the column \"{}\" has another type than in the rows before",
                            marks_[at_].path(), names_[c]),
                "files that are read together have columns of the same types");
  }

  ReadOptions options_;
  std::vector<FileMark> marks_;
  std::int64_t total_bytes_ = 0;
  std::int64_t bytes_before_ = 0;  // of the files before the one that is being read
  std::size_t at_ = 0;
  std::unique_ptr<TextRowReader> reader_;  // null at the end
  std::vector<std::size_t> places_;        // empty: as in the first file
  std::vector<std::string> names_;
  std::vector<CsvWant> asked_;
  std::vector<ColumnEvidence> evidence_;
  std::vector<TextType> types_;
  bool learning_ = true;  // types are not settled yet
  bool started_over_ = false;
  std::int64_t given_ = 0;
};

}  // namespace

std::unique_ptr<TableBlocks> open_text_blocks(std::span<const std::string> paths,
                                              const ReadOptions& options) {
  return std::make_unique<TextBlocks>(paths, options);
}

}  // namespace bough
