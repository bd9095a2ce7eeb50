// SPDX-License-Identifier: Apache-2.0
// The binary model file `.bough` (docs/format-v1.md): a header, JSON metadata, then the trees' arrays.
//
// The reader trusts nothing: the length and the checksum are verified before the metadata is parsed, and
// every array must start exactly where the one before it ended, so what is allocated for arrays never exceeds
// the file's size.
#include "model/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.hpp"
#include "model/document.hpp"

namespace bough {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kMajorAt = 8;
constexpr std::size_t kMinorAt = 10;
constexpr std::size_t kReservedAt = 12;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kMetadataSizeAt = 24;
constexpr std::size_t kUnusedAt = 32;
constexpr std::size_t kChecksumSize = 8;

[[noreturn]] void refuse(const std::string& what, const char* hint) {
  throw Error(ErrorCode::bad_model, what, hint);
}

constexpr std::size_t align(std::size_t at) {
  return (at + kAlignment - 1) / kAlignment * kAlignment;
}

// Little-endian bytes of a number, on any machine.
template <class T>
std::array<char, sizeof(T)> to_bytes_le(T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class T>
T from_bytes_le(const char* at) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

template <class T>
void put_at(std::string& bytes, std::size_t at, T value) {
  const auto le = to_bytes_le(value);
  std::copy(le.begin(), le.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, double>) return "f64";
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, std::uint8_t>) return "u8";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "u16";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "u32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "u64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
}

// Where the arrays of a file stand; offsets count from the first array, which starts behind the metadata.
class ArrayPlan {
 public:
  template <class T>
  Json operator()(const std::vector<T>& array) {
    const std::size_t at = size();
    end_ = at + array.size() * sizeof(T);
    return Json::array({type_name<T>(), at, array.size()});
  }
  /// Of all arrays so far, with the zeros behind the last.
  [[nodiscard]] std::size_t size() const noexcept { return align(end_); }

 private:
  std::size_t end_ = 0;
};

// Appends the arrays themselves to a file that ends where an array may start.
class ArrayWriter {
 public:
  explicit ArrayWriter(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  Json operator()(const std::vector<T>& array) const {
    for (const T value : array) {
      const auto le = to_bytes_le(value);
      bytes_.append(le.begin(), le.end());
    }
    bytes_.resize(align(bytes_.size()));
    return {};
  }

 private:
  std::string& bytes_;
};

// Padding hides nothing.
bool all_zero(std::string_view bytes) noexcept {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

class ArrayReader {
 public:
  explicit ArrayReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(const JsonCursor& entry, std::vector<T>& array) {
    std::array<std::string_view, 3> parts;
    std::size_t n_parts = 0;
    if (entry.is_array()) {
      json_text::each_element(entry.raw(), [&](std::string_view part) {
        if (n_parts < parts.size()) parts[n_parts] = part;
        ++n_parts;
      });
    }
    if (n_parts != parts.size() || !entry.part(parts[0]).is_text(type_name<T>())) {
      entry.refuse(fmt::format("does not point to an array of {}", type_name<T>()));
    }
    const auto at = entry.part(parts[1]).integer<std::uint64_t>();
    const auto count = entry.part(parts[2]).integer<std::uint64_t>();
    if (at != next_) entry.refuse(fmt::format("starts at {} instead of {}", at, next_));
    if (at > bytes_.size() || count > (bytes_.size() - at) / sizeof(T))
      entry.refuse("reaches beyond the end of the file");
    entry.take(count, sizeof(T));
    array.resize(count);
    for (std::size_t i = 0; i < count; ++i) array[i] = from_bytes_le<T>(bytes_.data() + at + i * sizeof(T));
    next_ = align(at + count * sizeof(T));
    if (!all_zero(bytes_.substr(at + count * sizeof(T), next_ - at - count * sizeof(T))))
      entry.refuse("is followed by bytes that are not 0");
  }
  [[nodiscard]] bool at_end() const { return next_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t next_ = 0;
};

// Everything about the bytes as bytes; what they say comes later.
void check_envelope(std::string_view bytes) {
  constexpr const char* cut = "The file is incomplete: copy or download it again.";
  constexpr const char* changed =
      "The file was changed or damaged after it was written: copy it again from its source.";
  // Even the first bytes may be cut off.
  if (!is_binary_model(bytes) && !kMagic.starts_with(bytes)) {
    refuse("not a bough model",
           "A model is a .bough file or its JSON twin, as `bough train -o` writes them.");
  }
  if (bytes.size() < kHeaderSize + kChecksumSize) {
    refuse(fmt::format("the model is truncated: {} bytes, the smallest has {}", bytes.size(),
                       kHeaderSize + kChecksumSize),
           cut);
  }
  check_version(from_bytes_le<std::uint16_t>(bytes.data() + kMajorAt),
                from_bytes_le<std::uint16_t>(bytes.data() + kMinorAt));
  const auto size = from_bytes_le<std::uint64_t>(bytes.data() + kSizeAt);
  if (bytes.size() < size)
    refuse(fmt::format("the model is truncated: {} of {} bytes", bytes.size(), size), cut);
  if (bytes.size() > size)
    refuse(fmt::format("the model is altered: {} bytes behind its end", bytes.size() - size), changed);
  const std::string_view covered = bytes.substr(0, bytes.size() - kChecksumSize);
  if (hash_text(covered) != from_bytes_le<std::uint64_t>(covered.data() + covered.size())) {
    refuse("the model is altered: its checksum does not match", changed);
  }
  if (!all_zero(bytes.substr(kReservedAt, kSizeAt - kReservedAt)) ||
      !all_zero(bytes.substr(kUnusedAt, kHeaderSize - kUnusedAt)))
    refuse("unused bytes in the model's header are not 0", changed);
}

}  // namespace

bool is_binary_model(std::string_view bytes) noexcept {
  return bytes.substr(0, kMagic.size()) == kMagic;
}

Model model_from(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && bytes[first] == '{';
  return is_json ? Model::from_json(bytes) : Model::from_bytes(bytes);
}

std::string Model::to_bytes() const {
  // The trees are visited twice, so that the arrays of large ones are in memory once more, not several times.
  ArrayPlan plan;
  Json metadata = describe(*parts_);
  metadata["trees"] = Json::array();
  for (const Tree& tree : parts_->trees) metadata["trees"].push_back(write_tree(tree, std::ref(plan)));
  const std::string text = Json::sorted(std::move(metadata)).dump();

  std::string bytes;
  bytes.reserve(align(kHeaderSize + text.size()) + plan.size() + kChecksumSize);
  bytes.resize(kHeaderSize);
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  bytes += text;
  bytes.resize(align(bytes.size()));
  for (const Tree& tree : parts_->trees) write_tree(tree, ArrayWriter(bytes));
  put_at(bytes, kMajorAt, kFormatMajor);
  put_at(bytes, kMinorAt, kFormatMinor);
  put_at(bytes, kSizeAt, static_cast<std::uint64_t>(bytes.size() + kChecksumSize));
  put_at(bytes, kMetadataSizeAt, static_cast<std::uint64_t>(text.size()));
  const auto checksum = to_bytes_le(hash_text(bytes));
  return bytes.append(checksum.begin(), checksum.end());
}

Model Model::from_bytes(std::string_view bytes) {
  check_envelope(bytes);
  const std::string_view body = bytes.substr(kHeaderSize, bytes.size() - kHeaderSize - kChecksumSize);
  const auto text_size = from_bytes_le<std::uint64_t>(bytes.data() + kMetadataSizeAt);
  if (text_size > body.size() || align(text_size) > body.size()) {
    refuse("the model's metadata reach beyond the end of the file",
           "The file is damaged; make the model again.");
  }
  if (!all_zero(body.substr(text_size, align(text_size) - text_size)))
    refuse("the model's metadata are followed by bytes that are not 0",
           "The file is damaged; make the model again.");
  LoadBudget budget(bytes.size());
  const JsonCursor metadata = JsonCursor::root(body.substr(0, text_size), budget);
  Parts parts = read_description(metadata);
  ArrayReader reader(body.substr(align(text_size)));
  parts.trees = read_trees(
      metadata, [&](const JsonCursor& tree) { return read_tree(tree, parts.task, std::ref(reader)); });
  if (!reader.at_end())
    refuse("the model has bytes that belong to no array", "The file is damaged; make the model again.");
  return Model(std::move(parts));
}

}  // namespace bough
