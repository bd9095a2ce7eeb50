// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears only when it is complete.
#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

}  // namespace

Output::Output(const std::string& path) {
  if (is_standard(path)) return;
  file_ = std::make_unique<OutputFile>(path);
  if (!file_->temporary().empty()) remove_when_interrupted(file_->temporary());
}

Output::~Output() {
  if (file_ == nullptr) return;
  file_.reset();
  remove_when_interrupted({});
}

void Output::write(std::string_view text) {
  if (file_ != nullptr) return file_->write(text);
  print_data(text);
}

void Output::commit() {
  if (file_ != nullptr) return file_->commit();
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw Error(ErrorCode::io, fmt::format("cannot write standard output: {}",
                                         errno != 0 ? std::strerror(errno) : "unknown reason"));
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
  const fs::path folder = OutputFile::folder(path);
  if (!fs::is_directory(folder, ignored)) {
    throw Error(ErrorCode::io,
                fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string()),
                "make the folder first, or choose another");
  }
  const bool locked = fs::exists(path, ignored) && access(path.c_str(), W_OK) != 0;
  if (locked) {
    throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                "give yourself the right to write to it, or choose another name");
  }
  if (!is_special(path) && access(folder.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                "choose a folder that may be written to");
  }
}

namespace {

bool reports_to_error = false;

}  // namespace

void save_model(const Model& model, const std::string& path) {
  if (path != "-") return model.save(path);
  if (is_terminal(stdout))
    throw Error(ErrorCode::io, "a model is not text for a terminal",
                "send it on: bough train ... -o - > model.bough");
  const std::string bytes = model.to_bytes();
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size())
    throw Error(ErrorCode::io, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void report_to_standard_error() {
  reports_to_error = true;
}

void print(std::string_view text) {
  if (reports_to_error || is_terminal(stdout)) clear_progress();
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), reports_to_error ? stderr : stdout) != text.size())
    throw Error(ErrorCode::io, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_data(std::string_view text) {
  is_terminal(stdout) ? print(harmless(text)) : print(text);
}

}  // namespace bough::cli
