// SPDX-License-Identifier: Apache-2.0
// Delimited text, some rows at a time, understood as read_table() understands it.
#include <fmt/format.h>

#include "data/bytes.hpp"
#include "data/reader.hpp"
#include "data/row_text.hpp"
#include "data/text_rows.hpp"

namespace bough {
namespace {

// What the guess of the delimiter looks at, and more.
constexpr std::size_t kHeadBytes = 128 * 1024;

class CsvRowReader final : public TextRowReader {
 public:
  CsvRowReader(const std::string& path, const ReadOptions& options)
      : source_(path), options_(options), text_(open_bytes(path), path) {
    layout_ = csv_layout(text_.head(kHeadBytes).text, options_, path);
    asked_ = layout_.wants;
    text_.start(layout_.delimiter, layout_.data_at, layout_.data_line);
  }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept override { return layout_.names; }
  [[nodiscard]] const std::vector<CsvWant>& asked() const noexcept override { return asked_; }
  [[nodiscard]] std::size_t consumed() const noexcept override { return text_.consumed(); }

  std::optional<TextRows> next(std::int64_t rows, std::span<const CsvWant> wants) override {
    return naming_source(source_, [&] { return next_rows(rows, wants); });
  }

 private:
  std::optional<TextRows> next_rows(std::int64_t rows, std::span<const CsvWant> wants) {
    layout_.wants.assign(wants.begin(), wants.end());
    for (;;) {
      const std::string_view whole = text_.rows(rows);
      if (whole.empty()) break;
      CsvRows block = read_csv_rows(whole, layout_, options_, text_.line(), rows);
      text_.use(block.bytes, block.lines, block.table.n_rows());
      given_ += block.table.n_rows();
      if (block.table.n_rows() > 0) return TextRows{std::move(block.table), std::move(block.seen)};
    }
    if (given_ == 0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} has a header of {} columns and no rows", source_, layout_.names.size()),
                  "add at least one row of data below the header");
    return std::nullopt;
  }

  std::string source_;
  ReadOptions options_;
  RowText text_;
  CsvLayout layout_;
  std::vector<CsvWant> asked_;
  std::int64_t given_ = 0;
};

}  // namespace

std::unique_ptr<TextRowReader> open_csv_rows(const std::string& path, const ReadOptions& options) {
  return naming_source(path, [&] { return std::make_unique<CsvRowReader>(path, options); });
}

}  // namespace bough
