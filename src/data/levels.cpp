// SPDX-License-Identifier: Apache-2.0
// Distinct values of a column, and cells as indices into them.
#include "data/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <unordered_set>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

bool is_whole(double value) noexcept {
  return std::isfinite(value) && value == std::floor(value);
}

/// Distinct numbers, in amortised O(n log n) time and memory linear in the distinct ones.
class NumberSet {
 public:
  void add(std::span<const double> values) {
    for (const double value : values) {
      // Small whole numbers, as labels are, are ticked off.
      if (value >= 0.0 && value < kSmall && value == static_cast<double>(static_cast<std::uint32_t>(value))) {
        small_[static_cast<std::uint32_t>(value)] = true;
      } else if (!std::isnan(value) && (pending_.empty() || pending_.back() != value)) {
        pending_.push_back(value);
      }
    }
    if (pending_.size() > std::max<std::size_t>(sorted_.size(), 1 << 16)) merge();
  }
  std::vector<double> finish() {
    for (std::size_t i = 0; i < small_.size(); ++i)
      if (small_[i]) pending_.push_back(static_cast<double>(i));
    merge();
    return std::move(sorted_);
  }

 private:
  void merge() {
    std::sort(pending_.begin(), pending_.end());
    std::vector<double> all(sorted_.size() + pending_.size());
    std::merge(sorted_.begin(), sorted_.end(), pending_.begin(), pending_.end(), all.begin());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    sorted_ = std::move(all);
    pending_.clear();
  }
  static constexpr double kSmall = 256.0;
  std::array<bool, 256> small_{};
  std::vector<double> sorted_;
  std::vector<double> pending_;
};

// Calls visit(i, code) for the cells of a piece that are not missing; i counts from the first. The type of the codes is asked
// once for all of them.
template <class Visit>
void visit_codes(Dtype dtype, const Piece& piece, std::size_t n_entries, const Visit& visit) {
  with_cell_type(dtype, [&](auto type) {
    for (std::int64_t i = 0; i < piece.count; ++i) {
      if (!is_valid(*piece.chunk, piece.first + i)) continue;
      const std::int64_t code = code_of<typename decltype(type)::type>(*piece.chunk, piece.first + i);
      if (code < 0 || code >= static_cast<std::int64_t>(n_entries))
        throw Error(ErrorCode::bad_data,
                    fmt::format("a code lies outside its dictionary of {} values", n_entries));
      visit(i, static_cast<std::size_t>(code));
    }
  });
}

/// The dictionary entries that some valid cell refers to.
std::vector<bool> used_entries(const ColumnView& view) {
  std::vector<bool> used(static_cast<std::size_t>(view.dictionary->length()));
  for (const Chunk& chunk : view.chunks)
    visit_codes(view.dtype, {&chunk, 0, chunk.length, 0}, used.size(),
                [&](std::int64_t, std::size_t code) { used[code] = true; });
  return used;
}

std::unordered_set<std::string_view> distinct_texts(const ColumnView& view) {
  std::unordered_set<std::string_view> texts;
  const ColumnView& values = view.dictionary ? *view.dictionary : view;
  const std::vector<bool> used = view.dictionary ? used_entries(view) : std::vector<bool>{};
  std::int64_t at = 0;
  for (const Chunk& chunk : values.chunks)
    for (std::int64_t i = 0; i < chunk.length; ++i, ++at)
      if (is_valid(chunk, i) && (used.empty() || used[static_cast<std::size_t>(at)]))
        texts.insert(text_at(chunk, i));
  return texts;
}

Levels text_levels(const ColumnView& view) {
  Levels levels;
  levels.type = Levels::Type::text;
  for (const std::string_view text : distinct_texts(view)) {
    if (!is_utf8(text))
      throw Error(ErrorCode::bad_data, "a text cell is not valid UTF-8", "convert the data to UTF-8 first");
    levels.names.emplace_back(text);
  }
  std::sort(levels.names.begin(), levels.names.end());
  return levels;
}

std::vector<double> distinct_numbers(const Table::Column& column) {
  NumberSet set;
  double cell = 0.0;
  const std::span<double> one(&cell, 1);
  const auto* view = std::get_if<ColumnView>(&column);
  if (view != nullptr && view->dictionary) {
    const std::vector<bool> used = used_entries(*view);
    const Table::Column values(*view->dictionary);
    for (std::int64_t code = 0; code < std::ssize(used); ++code) {
      if (!used[static_cast<std::size_t>(code)]) continue;
      read_numbers(values, code, one);
      set.add(one);
    }
    return set.finish();
  }
  if (view == nullptr) {
    const SparseView& sparse = std::get<SparseView>(column);
    if (sparse.count < sparse.length) set.add(std::vector<double>{0.0});
    for (std::int64_t k = 0; k < sparse.count; ++k) {
      cell = sparse_value(sparse, k);
      set.add(one);
    }
    return set.finish();
  }
  std::mutex mutex;
  parallel_ranges(static_cast<std::size_t>(view->length()), 1 << 16, [&](std::size_t begin, std::size_t end) {
    NumberSet local;
    visit_numbers(column, begin, end,
                  [&](std::size_t /*row*/, std::span<const double> numbers) { local.add(numbers); });
    const std::vector<double> numbers = local.finish();
    const std::lock_guard lock(mutex);
    set.add(numbers);
  });
  return set.finish();
}

bool is_ascii_equal(std::string_view text, std::string_view lower) noexcept {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

std::int32_t find_number(const Levels& levels, std::span<const std::uint32_t> order, double value) noexcept {
  if (std::isnan(value)) return kMissingLevel;
  const auto at = std::lower_bound(order.begin(), order.end(), value,
                                   [&](std::uint32_t level, double x) { return levels.numbers[level] < x; });
  return at != order.end() && levels.numbers[*at] == value ? static_cast<std::int32_t>(*at) : kUnseenLevel;
}

std::int32_t find_text(const Levels& levels, std::span<const std::uint32_t> order,
                       std::string_view text) noexcept {
  if (levels.type != Levels::Type::text) {
    const std::optional<double> number = level_number(levels.type, text);
    return number ? find_number(levels, order, *number) : kUnseenLevel;
  }
  const auto at =
      std::lower_bound(order.begin(), order.end(), text,
                       [&](std::uint32_t level, std::string_view x) { return levels.names[level] < x; });
  return at != order.end() && levels.names[*at] == text ? static_cast<std::int32_t>(*at) : kUnseenLevel;
}

}  // namespace

std::string level_name(Levels::Type type, double number) {
  if (type == Levels::Type::boolean) return number != 0.0 ? "true" : "false";
  // 2^63 is the first double that int64 cannot hold.
  if (is_whole(number) && std::fabs(number) < 9223372036854775808.0)
    return fmt::format("{}", static_cast<std::int64_t>(number));
  return number_text(number);
}

Levels number_levels(std::vector<double> numbers) {
  Levels levels;
  levels.type =
      std::all_of(numbers.begin(), numbers.end(), is_whole) ? Levels::Type::integer : Levels::Type::real;
  for (const double number : numbers) levels.names.push_back(level_name(levels.type, number));
  levels.numbers = std::move(numbers);
  return levels;
}

std::optional<bool> parse_boolean(std::string_view text) noexcept {
  if (is_ascii_equal(text, "true")) return true;
  if (is_ascii_equal(text, "false")) return false;
  return std::nullopt;
}

std::optional<double> level_number(Levels::Type type, std::string_view text) noexcept {
  if (type == Levels::Type::boolean) {
    if (const std::optional<bool> truth = parse_boolean(text)) return *truth ? 1.0 : 0.0;
  }
  const std::optional<double> number = parse_number(trim(text));
  return number ? std::optional<double>(*number + 0.0) : std::nullopt;
}

Levels collect_levels(const Table::Column& column) {
  const auto* view = std::get_if<ColumnView>(&column);
  const Dtype dtype = value_type(column);
  if (dtype == Dtype::text) return text_levels(*view);
  Levels levels = number_levels(distinct_numbers(column));
  if (!is_boolean(dtype)) return levels;
  levels.type = Levels::Type::boolean;
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels.names[i] = level_name(levels.type, levels.numbers[i]);
  return levels;
}

LevelReader::LevelReader(const Table::Column& column, const Levels& levels)
    : column_(&column), levels_(&levels), order_(levels.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (levels.type == Levels::Type::text) {
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return levels.names[a] < levels.names[b]; });
  } else {
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return levels.numbers[a] < levels.numbers[b]; });
    make_direct();
  }
  const auto* view = std::get_if<ColumnView>(&column);
  if (view == nullptr || !view->dictionary) return;
  const Table::Column values(*view->dictionary);
  std::vector<std::int32_t>& entries =
      dictionary_.emplace_back(static_cast<std::size_t>(view->dictionary->length()));
  // A reader over the plain column of dictionary values does the matching once per entry.
  if (!entries.empty()) LevelReader(values, levels).read(0, entries);
}

void LevelReader::read(std::int64_t begin, std::span<std::int32_t> out) const {
  const auto* view = std::get_if<ColumnView>(column_);
  if (!dictionary_.empty()) {
    const std::vector<std::int32_t>& entries = dictionary_.front();
    each_piece(*view, begin, std::ssize(out), [&](const Piece& piece) {
      std::int32_t* cells = out.data() + piece.at;
      if (piece.chunk->validity != nullptr) std::fill_n(cells, piece.count, kMissingLevel);
      visit_codes(view->dtype, piece, entries.size(),
                  [&](std::int64_t i, std::size_t code) { cells[i] = entries[code]; });
    });
    return;
  }
  if (view != nullptr && view->dtype == Dtype::text) {
    each_piece(*view, begin, std::ssize(out), [&](const Piece& piece) {
      for (std::int64_t i = 0; i < piece.count; ++i)
        out[static_cast<std::size_t>(piece.at + i)] =
            is_valid(*piece.chunk, piece.first + i)
                ? find_text(*levels_, order_, text_at(*piece.chunk, piece.first + i))
                : kMissingLevel;
    });
    return;
  }
  if (levels_->type == Levels::Type::text) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t row = begin + static_cast<std::int64_t>(i);
      out[i] =
          is_missing(*column_, row) ? kMissingLevel : find_text(*levels_, order_, cell_text(*column_, row));
    }
    return;
  }
  const auto first = static_cast<std::size_t>(begin);
  visit_numbers(*column_, first, first + out.size(), [&](std::size_t row, std::span<const double> numbers) {
    std::int32_t* to = out.data() + (row - first);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double place = numbers[i] - direct_base_;
      // NaN fails every comparison; a number that only rounds to the place of a level is not that level.
      const bool near = place >= 0.0 && place < static_cast<double>(direct_.size());
      const std::int32_t level = near ? direct_[static_cast<std::uint32_t>(place)] : kUnseenLevel;
      const bool hit = level >= 0 && levels_->numbers[static_cast<std::size_t>(level)] == numbers[i];
      to[i] = hit ? level : find_number(*levels_, order_, numbers[i]);
    }
  });
}

// Whole numbers close to each other, as class labels are, are looked up by their difference to the lowest.
void LevelReader::make_direct() {
  constexpr double most = 1024.0;
  if (order_.empty() || levels_->type == Levels::Type::real) return;
  const double low = levels_->numbers[order_.front()], high = levels_->numbers[order_.back()];
  if (!(high - low < most)) return;
  direct_base_ = low;
  direct_.assign(static_cast<std::size_t>(high - low) + 1, kUnseenLevel);
  for (const std::uint32_t level : order_)
    direct_[static_cast<std::size_t>(levels_->numbers[level] - low)] = static_cast<std::int32_t>(level);
}

}  // namespace bough
