// SPDX-License-Identifier: Apache-2.0
// Pictures as PDF and PNG. Programs are started without a shell and fed by files in a directory of their own.
#include "convert.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "bough/error.hpp"
#include "output.hpp"
#include "temporary.hpp"

extern char** environ;

namespace bough::cli {

namespace {

namespace fs = std::filesystem;

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder(rest.substr(0, end));
    if (!folder.empty() && access((folder / program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// What the program says goes nowhere; it succeeded when it ended with 0.
bool run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::vector<std::string> command_of(const std::string& program, const std::string& format,
                                    const std::string& in, const std::string& out) {
  if (program == "dot") return {"dot", "-T" + format, in, "-o", out};
  if (program == "inkscape") return {"inkscape", "--export-type=" + format, "--export-filename=" + out, in};
  std::vector<std::string> words{"rsvg-convert", "--unlimited", "-f", format, "-o", out};
  if (format == "png") words.insert(words.end(), {"-z", "2"});  // twice the size of the screen's dots
  words.push_back(in);
  return words;
}

}  // namespace

std::string picture_format(std::string_view output) {
  if (output.empty() || output == "-") return "svg";
  for (const char* ending : {".svg", ".pdf", ".png"})
    if (output.ends_with(ending)) return ending + 1;
  throw Error(ErrorCode::bad_params, fmt::format("'{}' is not the name of a picture", output),
              "names end in .svg, .pdf or .png");
}

std::string convert_picture(const std::string& svg, const std::string& dot, const std::string& format) {
  const TemporaryFolder folder;
  bool tried = false;
  for (const std::string program : {"rsvg-convert", "inkscape", "dot"}) {
    const bool graphviz = program == "dot";
    if ((graphviz && dot.empty()) || !on_path(program)) continue;
    tried = true;
    const std::string in = folder.file(graphviz ? "picture.dot" : "picture.svg");
    const std::string out = folder.file("picture." + format);
    write_file(in, graphviz ? dot : svg);
    if (run(command_of(program, format, in, out)) && fs::exists(out)) return read_file(out);
  }
  throw Error(ErrorCode::io,
              tried ? fmt::format("no program that is installed could make a {} of the picture", format)
                    : fmt::format("a {} needs a program that is not installed", format),
              fmt::format("install librsvg2-bin (rsvg-convert) or inkscape{}, or write .svg",
                          dot.empty() ? "" : " or graphviz"));
}

}  // namespace bough::cli
