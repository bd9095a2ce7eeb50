// SPDX-License-Identifier: Apache-2.0
// The process that reads, its messages, and the C structs made of them. The script says what goes through the socket.
#include "data/arrow_python.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "bough/json.hpp"
#include "data/arrow_python_script.hpp"

extern char** environ;

namespace bough {
namespace {

/// What the reader says instead of an answer.
struct ReaderError : std::runtime_error {
  ReaderError(int code, const std::string& text) : std::runtime_error(text), status(code) {}
  int status;
};

/// One Python process and the socket to it. Ends with its last user.
class Reader {
 public:
  explicit Reader(const std::string& path) { start(path); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (socket_ >= 0) ::close(socket_);  // it notices, and ends
    if (child_ > 0)
      while (::waitpid(child_, nullptr, 0) == -1 && errno == EINTR) {
      }
  }

  void ask(const std::string& line) const {
    for (std::size_t done = 0; done < line.size();) {
      const auto sent = ::send(socket_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) throw lost();
      done += static_cast<std::size_t>(sent);
    }
  }
  /// The next message without its buffers.
  Json message() {
    std::string line;
    for (std::size_t at = 0;;) {
      for (; at < have_.size() - used_; ++at)
        if (have_[used_ + at] == '\n') {
          line.assign(have_, used_, at);
          used_ += at + 1;
          return checked(Json::parse(line));
        }
      have_.erase(0, used_);
      used_ = 0;
      char piece[1 << 14];
      const std::size_t got = receive(piece, sizeof piece);
      if (got == 0) throw lost();
      have_.append(piece, got);
    }
  }
  void read(char* out, std::size_t size) {
    const std::size_t kept = std::min(size, have_.size() - used_);
    std::memcpy(out, have_.data() + used_, kept);
    used_ += kept;
    for (std::size_t done = kept; done < size;) {
      const std::size_t got = receive(out + done, size - done);
      if (got == 0) throw lost();
      done += got;
    }
  }

 private:
  void start(const std::string& path) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
      throw ReaderError(BOUGH_ARROW_IO, fmt::format("no socket: {}", std::strerror(errno)));
    socket_ = ends[0];
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string python = arrow_python(), flag = "-c", script = kArrowReaderScript, file = path;
    char* const words[] = {python.data(), flag.data(), script.data(), file.data(), nullptr};
    const int failed = ::posix_spawnp(&child_, python.c_str(), &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed == 0) return;
    child_ = -1;
    throw ReaderError(BOUGH_ARROW_ABSENT,
                      fmt::format("{} does not start: {}", python, std::strerror(failed)));
  }
  std::size_t receive(char* out, std::size_t room) const {
    for (;;) {
      const auto got = ::recv(socket_, out, room, 0);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw lost();
    }
  }
  static ReaderError lost() {
    return {BOUGH_ARROW_ABSENT, fmt::format("{} ended before it had answered", arrow_python())};
  }
  static Json checked(Json message) {
    if (!message.contains("error")) return message;
    const std::string kind = message.value("kind", "bad"), text = message.at("error").get<std::string>();
    if (kind == "absent") throw ReaderError(BOUGH_ARROW_ABSENT, fmt::format("{}: {}", arrow_python(), text));
    throw ReaderError(kind == "io"       ? BOUGH_ARROW_IO
                      : kind == "memory" ? BOUGH_ARROW_NO_MEMORY
                                         : BOUGH_ARROW_BAD_DATA,
                      text);
  }

  pid_t child_ = -1;
  int socket_ = -1;
  std::string have_;
  std::size_t used_ = 0;
};

// --- structs of the C interface; each owns what it points to

struct OwnedSchema {
  std::string format, name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

/// Releases an ArrowSchema or ArrowArray whose parts are Owned's.
template <class Owned, class Struct>
void release_owned(Struct* of) {
  const std::unique_ptr<Owned> owned(static_cast<Owned*>(of->private_data));
  for (const auto& child : owned->children)
    if (child->release != nullptr) child->release(child.get());
  if (owned->dictionary != nullptr && owned->dictionary->release != nullptr)
    owned->dictionary->release(owned->dictionary.get());
  of->release = nullptr;
}

ArrowSchema schema_struct(std::unique_ptr<OwnedSchema> owned, std::int64_t flags) {
  for (const auto& child : owned->children) owned->child_pointers.push_back(child.get());
  ArrowSchema out{};
  out.format = owned->format.c_str();
  out.name = owned->name.c_str();
  out.flags = flags;
  out.n_children = static_cast<std::int64_t>(owned->children.size());
  out.children = owned->child_pointers.data();
  out.dictionary = owned->dictionary.get();
  out.release = release_owned<OwnedSchema>;
  out.private_data = owned.release();
  return out;
}

ArrowSchema field_schema(const Json& field) {
  auto owned = std::make_unique<OwnedSchema>();
  owned->format = field.at("format").get<std::string>();
  owned->name = field.at("name").get<std::string>();
  if (field.at("dictionary").is_string()) {
    auto values = std::make_unique<OwnedSchema>();
    values->format = field.at("dictionary").get<std::string>();
    owned->dictionary = std::make_unique<ArrowSchema>(schema_struct(std::move(values), ARROW_FLAG_NULLABLE));
  }
  return schema_struct(std::move(owned), field.at("flags").get<std::int64_t>());
}

ArrowSchema table_schema(const Json& fields, std::span<const std::int32_t> columns) {
  auto owned = std::make_unique<OwnedSchema>();
  owned->format = "+s";
  for (const std::int32_t column : columns)
    owned->children.push_back(
        std::make_unique<ArrowSchema>(field_schema(fields.at(static_cast<std::size_t>(column)))));
  return schema_struct(std::move(owned), 0);
}

/// Cells of one array: where they lie, and what keeps them there.
struct Cells {
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  std::vector<const void*> buffers;
  std::shared_ptr<const Cells> dictionary;
  std::vector<std::shared_ptr<char>> memory;
};

struct OwnedArray {
  std::shared_ptr<const Cells> cells;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

ArrowArray array_struct(std::unique_ptr<OwnedArray> owned, std::int64_t length, std::int64_t nulls) {
  for (const auto& child : owned->children) owned->child_pointers.push_back(child.get());
  ArrowArray out{};
  out.length = length;
  out.null_count = nulls;
  out.n_buffers = static_cast<std::int64_t>(owned->buffers.size());
  out.buffers = owned->buffers.data();
  out.n_children = static_cast<std::int64_t>(owned->children.size());
  out.children = owned->child_pointers.data();
  out.dictionary = owned->dictionary.get();
  out.release = release_owned<OwnedArray>;
  out.private_data = owned.release();
  return out;
}

ArrowArray array_of(const std::shared_ptr<const Cells>& cells) {
  auto owned = std::make_unique<OwnedArray>();
  owned->cells = cells;
  owned->buffers = cells->buffers;
  if (cells->dictionary != nullptr)
    owned->dictionary = std::make_unique<ArrowArray>(array_of(cells->dictionary));
  return array_struct(std::move(owned), cells->length, cells->nulls);
}

std::shared_ptr<Cells> receive_cells(Reader& reader, const Json& told) {
  constexpr std::size_t line = 64;  // as the script fills up, and as Arrow likes memory to lie
  auto cells = std::make_shared<Cells>();
  cells->length = told.at("length").get<std::int64_t>();
  cells->nulls = told.at("nulls").get<std::int64_t>();
  for (const Json& size : told.at("buffers")) {
    const auto bytes = size.get<std::int64_t>();
    if (bytes < 0) {
      cells->buffers.push_back(nullptr);
      continue;
    }
    const std::size_t whole = (static_cast<std::size_t>(bytes) + line - 1) / line * line;
    const std::shared_ptr<char> memory(
        static_cast<char*>(::operator new (std::max(whole, line), std::align_val_t{line})),
        [](char* at) { ::operator delete (at, std::align_val_t{line}); });
    reader.read(memory.get(), whole);
    cells->buffers.push_back(memory.get());
    cells->memory.push_back(memory);
  }
  return cells;
}

/// Runs `body`; what it throws becomes a status and a text.
template <class F>
int guarded(BoughArrowError error, F&& body) noexcept {
  const auto tell = [&](int status, const char* text) {
    if (error.room > 0) {
      const std::size_t length = std::min(std::strlen(text), error.room - 1);
      std::memcpy(error.text, text, length);
      error.text[length] = '\0';
    }
    return status;
  };
  try {
    body();
    return BOUGH_ARROW_OK;
  } catch (const ReaderError& failed) {
    return tell(failed.status, failed.what());
  } catch (const std::bad_alloc&) {
    return tell(BOUGH_ARROW_NO_MEMORY, "out of memory");
  } catch (const std::exception& failed) {
    return tell(BOUGH_ARROW_BAD_DATA, failed.what());
  }
}

/// A request's batches.
struct Batches {
  std::shared_ptr<Reader> reader;
  std::shared_ptr<const void> bytes;
  Json fields;
  std::vector<std::int32_t> columns;
  std::vector<std::shared_ptr<const Cells>> dictionaries;
  bool ended = false;
  char error[2048] = {};

  ArrowArray next() {
    if (ended) return {};
    const Json told = reader->message();
    if (told.contains("end")) {
      ended = true;
      return {};
    }
    auto owned = std::make_unique<OwnedArray>();
    // The buffers of a column stand before those of its dictionary.
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Json& column = told.at("columns").at(c);
      const std::shared_ptr<Cells> cells = receive_cells(*reader, column);
      if (const Json* dictionary = column.find("dictionary")) {
        if (!dictionary->is_string()) dictionaries[c] = receive_cells(*reader, *dictionary);
        cells->dictionary = dictionaries[c];
      }
      owned->children.push_back(std::make_unique<ArrowArray>(array_of(cells)));
    }
    owned->buffers.push_back(nullptr);
    return array_struct(std::move(owned), told.at("length").get<std::int64_t>(), 0);
  }
};

Batches& batches_of(ArrowArrayStream* self) {
  return *static_cast<Batches*>(self->private_data);
}

int give_schema(ArrowArrayStream* self, ArrowSchema* out) {
  Batches& batches = batches_of(self);
  const int status = guarded({batches.error, sizeof batches.error},
                             [&] { *out = table_schema(batches.fields, batches.columns); });
  return status == BOUGH_ARROW_OK ? 0 : EIO;
}

int give_next(ArrowArrayStream* self, ArrowArray* out) {
  Batches& batches = batches_of(self);
  const int status = guarded({batches.error, sizeof batches.error}, [&] { *out = batches.next(); });
  return status == BOUGH_ARROW_OK ? 0 : status == BOUGH_ARROW_NO_MEMORY ? ENOMEM : EIO;
}

const char* last_error(ArrowArrayStream* self) {
  return batches_of(self).error;
}

void release_stream(ArrowArrayStream* self) {
  delete &batches_of(self);
  self->release = nullptr;
}

struct PythonFile {
  std::string path;
  std::shared_ptr<const void> bytes;  ///< of a file in memory
  std::shared_ptr<Reader> reader;     ///< until the first stream takes it over
  Json told;
};

PythonFile& python_file(BoughArrowFile* file) {
  return *reinterpret_cast<PythonFile*>(file);
}

const PythonFile& python_file(const BoughArrowFile* file) {
  return *reinterpret_cast<const PythonFile*>(file);
}

int open_file(std::unique_ptr<PythonFile> file, BoughArrowFile** out, BoughArrowError error) {
  return guarded(error, [&] {
    file->reader = std::make_shared<Reader>(file->path);
    file->told = file->reader->message();
    *out = reinterpret_cast<BoughArrowFile*>(file.release());
  });
}

int open_path(const char* path, BoughArrowFile** out, BoughArrowError error) {
  return open_file(std::make_unique<PythonFile>(PythonFile{path, {}, {}, {}}), out, error);
}

/// A copy of the bytes as a file without a name, which the process opens by its number.
int open_memory(const void* bytes, std::int64_t size, BoughArrowFile** out, BoughArrowError error) {
#ifdef __linux__
  std::unique_ptr<PythonFile> file;
  const int status = guarded(error, [&] {
    const int number = ::memfd_create("bough", MFD_CLOEXEC);
    if (number < 0) throw ReaderError(BOUGH_ARROW_IO, std::strerror(errno));
    const std::shared_ptr<const void> open(reinterpret_cast<const void*>(1),
                                           [number](const void*) { ::close(number); });
    for (std::int64_t done = 0; done < size;) {
      const auto wrote =
          ::write(number, static_cast<const char*>(bytes) + done, static_cast<std::size_t>(size - done));
      if (wrote < 0 && errno != EINTR) throw ReaderError(BOUGH_ARROW_NO_MEMORY, std::strerror(errno));
      done += std::max<std::int64_t>(wrote, 0);
    }
    file = std::make_unique<PythonFile>(
        PythonFile{fmt::format("/proc/{}/fd/{}", ::getpid(), number), open, {}, {}});
  });
  return status == BOUGH_ARROW_OK ? open_file(std::move(file), out, error) : status;
#else
  static_cast<void>(bytes), static_cast<void>(size), static_cast<void>(out);
  return guarded(
      error, [] { throw ReaderError(BOUGH_ARROW_ABSENT, "files from a pipe are not read on this system"); });
#endif
}

void close_file(BoughArrowFile* file) {
  delete &python_file(file);
}

std::int32_t n_groups(const BoughArrowFile* file) {
  const Json* groups = python_file(file).told.find("groups");
  return groups == nullptr ? 0 : groups->get<std::int32_t>();
}

std::int64_t n_rows(const BoughArrowFile* file) {
  const Json* rows = python_file(file).told.find("rows");
  return rows == nullptr ? -1 : rows->get<std::int64_t>();
}

int schema_of(BoughArrowFile* file, ArrowSchema* out, BoughArrowError error) {
  return guarded(error, [&] {
    const Json& fields = python_file(file).told.at("fields");
    std::vector<std::int32_t> all(fields.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    *out = table_schema(fields, all);
  });
}

int stream_of(BoughArrowFile* file, std::int32_t first, std::int32_t last, const std::int32_t* columns,
              std::int32_t n_columns, std::int64_t batch_rows, ArrowArrayStream* out, BoughArrowError error) {
  return guarded(error, [&] {
    PythonFile& from = python_file(file);
    auto batches = std::make_unique<Batches>();
    batches->bytes = from.bytes;
    batches->reader = std::move(from.reader);
    if (batches->reader == nullptr) {
      batches->reader = std::make_shared<Reader>(from.path);
      batches->reader->message();
    }
    batches->fields = from.told.at("fields");
    batches->columns.assign(columns, columns + n_columns);
    batches->dictionaries.resize(batches->columns.size());
    std::string line = fmt::format("{} {} {}", first, last, batch_rows);
    for (const std::int32_t column : batches->columns) line += fmt::format(" {}", column);
    batches->reader->ask(line + '\n');
    *out = {give_schema, give_next, last_error, release_stream, batches.release()};
  });
}

}  // namespace

std::string arrow_python() {
  const char* named = std::getenv("BOUGH_PYTHON");
  return named == nullptr || *named == '\0' ? "python3" : named;
}

const BoughArrowFunctions& arrow_by_python() {
  static constexpr BoughArrowFunctions functions{BOUGH_ARROW_COMPONENT_ABI,
                                                 "of Python",
                                                 open_path,
                                                 open_memory,
                                                 close_file,
                                                 n_groups,
                                                 n_rows,
                                                 schema_of,
                                                 stream_of};
  return functions;
}

}  // namespace bough
