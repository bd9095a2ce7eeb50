// SPDX-License-Identifier: Apache-2.0
// The Arrow component: where it is looked for, and files that it has opened.
#include "data/arrow_files.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/text.hpp"
#include "data/data_files.hpp"
#include "data/reader.hpp"

namespace bough {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComponent = "libbough_arrow.so";
constexpr const char* kPathVariable = "BOUGH_ARROW_PATH";
constexpr const char* kLibraryVariable = "BOUGH_ARROW_LIBRARIES";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Folders where the component may lie: the one that the user names, else those near this program and this
/// library.
std::vector<fs::path> component_folders() {
  if (const std::string named = variable(kPathVariable); !named.empty()) return {named};
  std::vector<fs::path> folders;
  const auto add_near = [&](const fs::path& file) {
    if (file.empty()) return;
    const fs::path folder = file.parent_path();
    for (const fs::path& place : {folder, folder / "bin", folder / "bough", folder / ".." / "lib" / "bough"})
      folders.push_back(place.lexically_normal());
  };
  std::error_code failed;
  add_near(fs::read_symlink("/proc/self/exe", failed));
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&arrow_component), &info) != 0 && info.dli_fname != nullptr)
    add_near(fs::canonical(info.dli_fname, failed));
#ifdef BOUGH_LIBRARY_FOLDER
  folders.emplace_back(BOUGH_LIBRARY_FOLDER);
#endif
  return folders;
}

/// Opens Arrow's own libraries in the folder that the user, or the Python package, names: the component then
/// finds them.
void open_arrow_libraries() {
  const std::string folder = variable(kLibraryVariable);
  std::error_code failed;
  if (folder.empty()) return;
  for (const char* prefix : {"libarrow.so.", "libparquet.so."})
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
      if (at->path().filename().string().starts_with(prefix))
        dlopen(at->path().c_str(), RTLD_NOW | RTLD_GLOBAL);
}

std::string last_dl_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown cause" : text;
}

/// "26" out of "libparquet.so.2600: cannot open shared object file", or nothing.
std::string missing_arrow_version(std::string_view text) {
  for (const std::string_view library : {"libarrow.so.", "libparquet.so."}) {
    const std::size_t at = text.find(library);
    if (at == std::string_view::npos) continue;
    std::string digits;
    for (const char c : text.substr(at + library.size())) {
      if (c < '0' || c > '9') break;
      digits += c;
    }
    if (digits.size() > 2) return digits.substr(0, digits.size() - 2);
  }
  return "";
}

Error load_error(const std::string& path, const std::string& why) {
  const std::string version = missing_arrow_version(why);
  const std::string install =
      version.empty() ? "install the Arrow C++ library that it was built for"
                      : fmt::format("it was built for Arrow {0}: pip install 'pyarrow=={0}.*'", version);
  return Error(
      ErrorCode::not_supported,
      fmt::format("the component that reads Parquet and Arrow files cannot be loaded: {}", why),
      fmt::format(
          "{}, or set {} to the folder of its libraries; or build bough again beside the Arrow that is here "
          "(component: {})",
          install, kLibraryVariable, path));
}

const BoughArrowFunctions* functions_of(void* library, const std::string& path) {
  const auto entry = reinterpret_cast<BoughArrowEntry>(dlsym(library, BOUGH_ARROW_COMPONENT_ENTRY));
  const BoughArrowFunctions* functions = entry == nullptr ? nullptr : entry(BOUGH_ARROW_COMPONENT_ABI);
  if (functions == nullptr || functions->abi != BOUGH_ARROW_COMPONENT_ABI)
    throw Error(ErrorCode::not_supported, fmt::format("{} belongs to another version of bough", path),
                "build or install it together with this one");
  return functions;
}

const BoughArrowFunctions* load_component() {
  std::vector<std::string> looked;
  std::error_code failed;
  for (const fs::path& folder : component_folders()) {
    const std::string path =
        folder.filename() == kComponent ? folder.string() : (folder / kComponent).string();
    if (!fs::exists(path, failed)) {
      looked.push_back(folder.string());
      continue;
    }
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const std::string why = library == nullptr ? last_dl_error() : "";
    if (library == nullptr) {
      open_arrow_libraries();
      library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) throw load_error(path, why);
    return functions_of(library, path);
  }
  throw Error(ErrorCode::not_supported,
              fmt::format("Parquet and Arrow files need the component {}, which is not here (looked in {})",
                          kComponent, list_some(looked, 8)),
              fmt::format("build bough where Arrow C++ or pyarrow is installed (pip install pyarrow; cmake "
                          "-DBOUGH_ARROW=ON), or "
                          "set {} to the folder of the component; or convert the file to csv",
                          kPathVariable));
}

/// Space for what the component has to say.
class Failure {
 public:
  BoughArrowError slot() noexcept { return {text_.data(), text_.size()}; }
  /// Throws unless `status` is good.
  void check(int status, const std::string& source) const {
    if (status == BOUGH_ARROW_OK) return;
    const std::string message = fmt::format("{}: {}", source, in_one_line(text_.data()));
    if (status == BOUGH_ARROW_NO_MEMORY) throw Error(ErrorCode::out_of_memory, message);
    if (status == BOUGH_ARROW_IO) throw Error(ErrorCode::io, message, "check the path and its permissions");
    throw Error(ErrorCode::bad_data, message, "the file is damaged or not complete; write or copy it again");
  }

 private:
  std::array<char, 2048> text_{};
};

std::shared_ptr<BoughArrowFile> owned(BoughArrowFile* file) {
  return {file, [](BoughArrowFile* open) { arrow_component().close(open); }};
}

std::string type_text(const ArrowSchema& schema) {
  std::string text = schema.format == nullptr ? "" : schema.format;
  if (schema.dictionary != nullptr) text.append(1, ':').append(type_text(*schema.dictionary));
  return text;
}

}  // namespace

const BoughArrowFunctions& arrow_component() {
  static const BoughArrowFunctions* const functions = load_component();
  return *functions;
}

ArrowContent arrow_content(std::string_view head) {
  if (head.starts_with("PAR1")) return ArrowContent::parquet;
  if (head.starts_with("ARROW1")) return ArrowContent::ipc;
  // An IPC stream: a message of some length below 2^28 bytes behind the mark.
  if (head.size() >= 8 && head.starts_with("\xFF\xFF\xFF\xFF") && static_cast<unsigned char>(head[7]) < 16)
    return ArrowContent::ipc;
  if (head.starts_with("PARE"))
    throw Error(ErrorCode::not_supported, "the data is an encrypted Parquet file",
                "write it again without encryption");
  if (head.starts_with("FEA1"))
    throw Error(ErrorCode::not_supported, "the data is a Feather file of version 1",
                "write it again as version 2, which is Arrow IPC");
  return ArrowContent::none;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view part = trim(text.substr(0, end));
    if (!part.empty()) line.append(line.empty() ? "" : " ").append(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line;
}

bool is_arrow_format(std::string_view format) noexcept {
  return format == "parquet" || format == "arrow";
}

bool check_arrow_content(std::string_view head, std::string_view format, const std::string& source) {
  const ArrowContent content = arrow_content(head);
  if (!is_arrow_format(format)) return content != ArrowContent::none;
  if (content == ArrowContent::none)
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{} is not a Parquet or Arrow file{}", source, head.empty() ? ": it is empty" : ""),
        "if it holds text, say so by its name or format (csv, tsv, svmlight, arff)");
  return true;
}

bool is_arrow_path(const std::string& path, const ReadOptions& options) {
  if (path == "-" || (!options.format.empty() && !is_arrow_format(options.format))) return false;
  const std::string file = data_files({&path, 1}).front();
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;
  const std::string head = first_bytes(file);
  if (is_packed(head)) return false;
  return check_arrow_content(head, format_of(file, options), file);
}

bool is_typed_file(const std::string& path, const ReadOptions& options) {
  try {
    return is_arrow_path(path, options);
  } catch (const Error&) {
    return false;
  }
}

ArrowFile::ArrowFile(const std::string& path) : source_(path) {
  check_arrow_content(first_bytes(path), "parquet", path);
  Failure failure;
  BoughArrowFile* file = nullptr;
  failure.check(arrow_component().open_path(path.c_str(), &file, failure.slot()), source_);
  file_ = owned(file);
  read_schema();
}

ArrowFile::ArrowFile(std::shared_ptr<const TextBuffer> bytes, std::string source)
    : memory_(std::move(bytes)), source_(std::move(source)) {
  Failure failure;
  BoughArrowFile* file = nullptr;
  failure.check(arrow_component().open_memory(memory_->data.get(), static_cast<std::int64_t>(memory_->size),
                                              &file, failure.slot()),
                source_);
  file_ = owned(file);
  read_schema();
}

void ArrowFile::read_schema() {
  Failure failure;
  auto schema = std::make_shared<SharedArrow<ArrowSchema>>();
  failure.check(arrow_component().schema(file_.get(), &schema->value, failure.slot()), source_);
  for (std::int64_t c = 0; c < schema->value.n_children; ++c) {
    const ArrowSchema& child = *schema->value.children[c];
    names_.emplace_back(child.name == nullptr ? "" : child.name);
    types_.push_back(type_text(child));
  }
  schema_ = std::move(schema);
}

std::int64_t ArrowFile::n_rows() const noexcept {
  return arrow_component().n_rows(file_.get());
}

ArrowArrayStream ArrowFile::batches(std::span<const std::int32_t> columns, std::int64_t batch_rows) const {
  Failure failure;
  ArrowArrayStream stream{};
  const BoughArrowFunctions& component = arrow_component();
  failure.check(
      component.stream(file_.get(), 0, component.n_groups(file_.get()), columns.data(),
                       static_cast<std::int32_t>(columns.size()), batch_rows, &stream, failure.slot()),
      source_);
  return stream;
}

}  // namespace bough
