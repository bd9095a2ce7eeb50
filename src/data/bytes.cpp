// SPDX-License-Identifier: Apache-2.0
// Bytes of a file, of standard input or of memory, decompressed by content.
#include "data/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <vector>

#include "bough/error.hpp"

namespace bough {
namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
constexpr std::size_t kMagicBytes = 8;
constexpr std::string_view kGzip = "\x1F\x8B";
constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";
// Packed once more by somebody's tool, perhaps; a file that unpacks to itself has no end.
constexpr int kMostLayers = 3;
// One layer of zstd makes at most 32,768 bytes out of one: more than that is packed several times to hurt.
constexpr std::size_t kMostRatio = 40'000;
constexpr std::size_t kHarmless = std::size_t{1} << 26;

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path == "-" ? "standard input" : path) {
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) fail("open");
    struct stat status {};
    if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::size_t>(status.st_size);
  }
  ~FileSource() override {
    if (file_ > STDIN_FILENO) ::close(file_);
  }
  std::size_t read(char* out, std::size_t room) override {
    for (;;) {
      const ssize_t n = ::read(file_, out, std::min<std::size_t>(room, std::numeric_limits<int>::max()));
      if (n >= 0) {
        consumed_ += static_cast<std::size_t>(n);
        return static_cast<std::size_t>(n);
      }
      if (errno != EINTR) fail("read");
    }
  }
  [[nodiscard]] std::size_t size_hint() const noexcept override { return size_; }
  [[nodiscard]] std::size_t consumed() const noexcept override { return consumed_; }

 private:
  [[noreturn]] void fail(const char* verb) const {
    throw Error(ErrorCode::io, fmt::format("cannot {} {}: {}", verb, path_, std::strerror(errno)),
                "check the path and its permissions");
  }
  std::string path_;
  int file_ = -1;
  std::size_t size_ = 0;
  std::size_t consumed_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* out, std::size_t room) override {
    const std::size_t n = std::min(room, bytes_.size());
    std::copy_n(bytes_.data(), n, out);
    bytes_.remove_prefix(n);
    consumed_ += n;
    return n;
  }
  [[nodiscard]] std::size_t size_hint() const noexcept override { return bytes_.size(); }
  [[nodiscard]] std::size_t consumed() const noexcept override { return consumed_; }

 private:
  std::string_view bytes_;
  std::size_t consumed_ = 0;
};

/// Another source whose first bytes can be looked at.
class PeekSource final : public ByteSource {
 public:
  explicit PeekSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)), head_(kInputBytes) {
    while (end_ < kMagicBytes) {
      const std::size_t n = inner_->read(head_.data() + end_, head_.size() - end_);
      if (n == 0) break;
      end_ += n;
    }
  }
  [[nodiscard]] std::string_view peek() const noexcept { return {head_.data(), end_}; }
  std::size_t read(char* out, std::size_t room) override {
    if (at_ == end_) return inner_->read(out, room);
    const std::size_t n = std::min(room, end_ - at_);
    std::copy_n(head_.data() + at_, n, out);
    at_ += n;
    return n;
  }
  [[nodiscard]] std::size_t size_hint() const noexcept override { return inner_->size_hint(); }
  [[nodiscard]] std::size_t consumed() const noexcept override { return inner_->consumed(); }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> head_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)), input_(kInputBytes) {
    if (inflateInit2(&state_, 15 + 16) != Z_OK)
      throw Error(ErrorCode::out_of_memory, "cannot set up gzip decoding");
  }
  ~GzipSource() override { inflateEnd(&state_); }
  std::size_t read(char* out, std::size_t room) override {
    state_.next_out = reinterpret_cast<Bytef*>(out);
    state_.avail_out = static_cast<uInt>(std::min<std::size_t>(room, std::numeric_limits<uInt>::max()));
    const uInt asked = state_.avail_out;
    while (state_.avail_out == asked) {
      if (state_.avail_in == 0 && !refill()) return 0;
      if (between_members_) {
        inflateReset(&state_);
        between_members_ = false;
      }
      const int status = inflate(&state_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw Error(
            ErrorCode::bad_data,
            fmt::format("damaged gzip data: {}", state_.msg == nullptr ? "unknown cause" : state_.msg),
            "copy or compress the file again");
      }
    }
    return asked - state_.avail_out;
  }
  [[nodiscard]] std::size_t consumed() const noexcept override { return inner_->consumed(); }

 private:
  bool refill() {
    const std::size_t n = inner_->read(input_.data(), input_.size());
    if (n == 0 && !between_members_)
      throw Error(ErrorCode::bad_data, "the gzip data ends too early", "copy or download the file again");
    state_.next_in = reinterpret_cast<Bytef*>(input_.data());
    state_.avail_in = static_cast<uInt>(n);
    return n > 0;
  }
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> input_;
  z_stream state_{};
  bool between_members_ = false;  // a file may hold several members one after the other
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> inner)
      : inner_(std::move(inner)), input_(kInputBytes), state_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (state_ == nullptr) throw Error(ErrorCode::out_of_memory, "cannot set up zstd decoding");
  }
  std::size_t read(char* out, std::size_t room) override {
    ZSTD_outBuffer target{out, room, 0};
    while (target.pos == 0) {
      if (fed_.pos == fed_.size && !flushing_ && !refill()) return 0;
      const std::size_t status = ZSTD_decompressStream(state_.get(), &target, &fed_);
      if (ZSTD_isError(status) != 0)
        throw Error(ErrorCode::bad_data, fmt::format("damaged zstd data: {}", ZSTD_getErrorName(status)),
                    "copy or compress the file again");
      inside_frame_ = status != 0;
      flushing_ = target.pos == target.size && inside_frame_;
    }
    return target.pos;
  }
  [[nodiscard]] std::size_t consumed() const noexcept override { return inner_->consumed(); }

 private:
  bool refill() {
    const std::size_t n = inner_->read(input_.data(), input_.size());
    if (n == 0 && inside_frame_)
      throw Error(ErrorCode::bad_data, "the zstd data ends too early", "copy or download the file again");
    fed_ = {input_.data(), n, 0};
    return n > 0;
  }
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> input_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> state_;
  ZSTD_inBuffer fed_{nullptr, 0, 0};
  bool inside_frame_ = false;
  bool flushing_ = false;  // the decoder may hold output that did not fit the last time
};

/// What comes out of all layers of packing, as long as it is in proportion to what went in.
class ProportionSource final : public ByteSource {
 public:
  explicit ProportionSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}
  std::size_t read(char* out, std::size_t room) override {
    const std::size_t n = inner_->read(out, room);
    total_ += n;
    if (total_ > kHarmless && total_ / kMostRatio > inner_->consumed())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} packed bytes have become more than {}", inner_->consumed(), total_),
                  "nobody's data are packed so well: if you trust them, unpack the file first");
    return n;
  }
  [[nodiscard]] std::size_t consumed() const noexcept override { return inner_->consumed(); }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::size_t total_ = 0;
};

void refuse_binary(std::string_view head, bool refuse_arrow) {
  struct Known {
    std::string_view magic;
    const char* name;
    const char* hint;
    bool arrow = false;
  };
  static constexpr const char* kTyped =
      "leave out the format that was asked for: such files are told by their first bytes";
  static constexpr const char* kText = "convert it to UTF-8 text (csv, tsv, svmlight or arff)";
  static constexpr const char* kUnpack =
      "unpack it first, or pack it by gzip or zstd, which are read as they are";
  static constexpr Known kKnown[] = {{"PAR1", "a Parquet file", kTyped, true},
                                     {"ARROW1", "an Arrow file", kTyped, true},
                                     {"PK\x03\x04", "a zip archive or a spreadsheet", kText},
                                     {"BZh", "a bzip2 file", kUnpack},
                                     {"\xFD"
                                      "7zXZ",
                                      "an xz file", kUnpack},
                                     {"\x04\x22\x4D\x18", "an lz4 file", kUnpack},
                                     {"\xFF\xFE", "UTF-16 text", kText},
                                     {"\xFE\xFF", "UTF-16 text", kText}};
  for (const Known& known : kKnown)
    if (head.starts_with(known.magic) && (refuse_arrow || !known.arrow))
      throw Error(ErrorCode::not_supported, fmt::format("the data is {}", known.name), known.hint);
}

std::unique_ptr<ByteSource> decode(std::unique_ptr<ByteSource> raw, std::string* out_head, int layers = 0) {
  auto source = std::make_unique<PeekSource>(std::move(raw));
  const std::string_view head = source->peek();
  if (is_packed(head)) {
    if (layers == kMostLayers)
      throw Error(ErrorCode::bad_data, fmt::format("the data are packed more than {} times", kMostLayers),
                  "unpack the file first");
    std::unique_ptr<ByteSource> inner;
    if (head.starts_with(kGzip)) {
      inner = std::make_unique<GzipSource>(std::move(source));
    } else {
      inner = std::make_unique<ZstdSource>(std::move(source));
    }
    return decode(std::make_unique<ProportionSource>(std::move(inner)), out_head, layers + 1);
  }
  refuse_binary(head, out_head == nullptr);
  if (out_head != nullptr) *out_head = head.substr(0, kMagicBytes);
  return source;
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  return decode(std::make_unique<FileSource>(path), nullptr);
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::string& head) {
  return decode(std::make_unique<FileSource>(path), &head);
}

std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes) {
  return decode(std::make_unique<MemorySource>(bytes), nullptr);
}

std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes, std::string& head) {
  return decode(std::make_unique<MemorySource>(bytes), &head);
}

std::string first_bytes(const std::string& path) {
  FileSource file(path);
  std::string head(kMagicBytes, '\0');
  std::size_t size = 0;
  while (const std::size_t n = file.read(head.data() + size, kMagicBytes - size)) size += n;
  head.resize(size);
  return head;
}

bool is_packed(std::string_view head) noexcept {
  return head.starts_with(kGzip) || head.starts_with(kZstd);
}

TextBuffer read_all(ByteSource& source) {
  std::size_t capacity = std::max<std::size_t>(source.size_hint() + 1, 1 << 16);
  TextBuffer text{std::make_unique_for_overwrite<char[]>(capacity + 1), 0};
  for (;;) {
    if (text.size == capacity) {
      auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity + 1);
      std::copy_n(text.data.get(), text.size, larger.get());
      text.data = std::move(larger);
      capacity *= 2;
    }
    const std::size_t n = source.read(text.data.get() + text.size, capacity - text.size);
    if (n == 0) break;
    text.size += n;
  }
  text.data[text.size] = '\0';
  return text;
}

}  // namespace bough
