// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears only when it is complete.
#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bough/error.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace fs = std::filesystem;

namespace {

bool is_standard(const std::string& path) {
  return path.empty() || path == "-";
}

// Devices and pipes cannot be replaced by a rename.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

// The file that a link points to is replaced, not the link.
std::string target_of(const std::string& path) {
  std::error_code failed;
  if (!fs::is_symlink(fs::symlink_status(path, failed))) return path;
  const fs::path target = fs::weakly_canonical(path, failed);
  return failed ? path : target.string();
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// A new file takes the usual permissions, a replaced one keeps those of the old.
mode_t permissions_for(const std::string& path) {
  struct stat old = {};
  if (stat(path.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

}  // namespace

Output::Output(std::string path) : path_(std::move(path)) {
  if (is_standard(path_)) {
    file_ = stdout;
    return;
  }
  if (is_special(path_)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("write");
    return;
  }
  path_ = target_of(path_);
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = mkstemp(temporary_.data());
  if (descriptor < 0) {
    temporary_.clear();
    fail("write");
  }
  remove_when_interrupted(temporary_);
  fchmod(descriptor, permissions_for(path_));
  file_ = fdopen(descriptor, "wb");
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    remove_when_interrupted({});
  }
}

void Output::fail(const char* doing) const {
  const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
  const std::string name = is_standard(path_) ? "standard output" : fmt::format("'{}'", path_);
  throw Error(ErrorCode::io, fmt::format("cannot {} {}: {}", doing, name, reason),
              is_standard(path_) ? "" : "choose a folder that exists, has room and may be written to");
}

void Output::write(std::string_view text) {
  if (file_ == stdout) return print_data(text);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write");
}

void Output::commit() {
  errno = 0;
  if (std::fflush(file_) != 0 || std::ferror(file_) != 0) fail("write");
  if (file_ == stdout) return;
  if (!temporary_.empty() && fsync(fileno(file_)) != 0) fail("write");
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("write");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  temporary_.clear();
  remove_when_interrupted({});
}

void write_file(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

std::string read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && fs::is_directory(path)) errno = EISDIR;
  if (!file || fs::is_directory(path) || !(text << file.rdbuf())) {
    throw Error(ErrorCode::io, fmt::format("cannot read '{}': {}", path,
                                           errno != 0 ? std::strerror(errno) : "the file is empty"));
  }
  return text.str();
}

void check_writable(const std::string& path, std::initializer_list<std::string> inputs) {
  if (is_standard(path)) return;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!is_standard(input) && fs::equivalent(path, input, ignored) && !is_special(path)) {
      throw Error(ErrorCode::bad_params, fmt::format("the output '{}' is also an input", path),
                  "choose another name for the output");
    }
  }
  if (fs::is_directory(path, ignored))
    throw Error(ErrorCode::io, fmt::format("cannot write '{}': it is a folder", path),
                "give the name of a file");
  const fs::path folder = folder_of(target_of(path));
  if (!fs::is_directory(folder, ignored)) {
    throw Error(ErrorCode::io,
                fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string()),
                "make the folder first, or choose another");
  }
  if (!is_special(path) && access(folder.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                "choose a folder that may be written to");
  }
}

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(ErrorCode::io, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_data(std::string_view text) {
  is_terminal(stdout) ? print(harmless(text)) : print(text);
}

}  // namespace bough::cli
