// SPDX-License-Identifier: Apache-2.0
// Files that appear only when they are complete.
#pragma once

#include <string>
#include <string_view>

#include "bough/error.hpp"

namespace bough {

/// A file on its way. The bytes go to a file without a name in the folder of `path` (under a temporary name,
/// `path.tmp-PID-N`, where the file system knows none without) and take the place of `path` in commit(),
/// synced before and the folder after: whatever happens, there is either the old file or the whole new one.
/// Without commit() the old file stays. The file keeps its permissions; one that may not be written to is not
/// replaced. A symbolic link is followed, a hard link parts from the others; devices and pipes are written to
/// directly. Throws io naming the path.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  /// The folder in which a file for `path` would be made, links followed; it need not be there.
  [[nodiscard]] static std::string folder(const std::string& path);
  /// The unfinished file's name, for those who clean up after a signal; empty: it has none.
  [[nodiscard]] const std::string& temporary() const noexcept { return temporary_; }

 private:
  [[noreturn]] void fail(int error) const;
  void open_beside(unsigned mode);
  bool open_unnamed();
  void flush();
  void name_it();
  void sync_folder() const;

  std::string path_;
  std::string target_;  // the place itself, links followed
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
  bool direct_ = false;
};

/// The whole content of a file at once, as OutputFile writes it.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace bough
