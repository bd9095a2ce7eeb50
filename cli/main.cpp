// SPDX-License-Identifier: Apache-2.0
// bough: the command line. The table of verbs, and the way from the words typed to one of them.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bough/bough.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

constexpr std::array<Verb, 18> kVerbs{{
    {"train", "grow a tree on a table, score it, save it", add_train},
    {"predict", "apply a model to a stream of rows", add_predict},
    {"evaluate", "score a model on labelled rows", add_evaluate},
    {"show", "print a tree as text", add_show},
    {"export", "write a model in another format", add_export},
    {"plot", "draw a model as a picture", add_plot},
    {"prune", "prune the tree of a model, without growing it again", add_prune},
    {"explain", "explain the prediction of a row", add_explain},
    {"rules", "turn a tree into rules, as they are or shortened by C4.5rules", add_rules},
    {"study", "test how stable a tree is: refits on other rows, permutation tests", add_study},
    {"compare", "compare two models on the same rows, with tests", add_compare},
    {"forest", "show out-of-bag errors, importances and trees of a forest", add_forest},
    {"report", "write an HTML page: tree, pruning, scores, a tracer of rows", add_report},
    {"info", "show what is in a model file and where it came from", add_info},
    {"params", "list the training parameters", add_params},
    {"schema", "print the column types of a table, to edit and pass back", add_schema},
    {"demo", "train on an embedded data set", add_demo},
    {"completion", "print a completion script for a shell", add_completion},
}};

// A stream that the caller closed would otherwise lend its number to the next file that is opened, and
// messages would end up in that file.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) == -1) std::abort();
}

// The Python of the environment that this program was installed into: it reads Parquet files and speaks to clusters.
void name_python() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path python = program.parent_path() / "python3";
  if (!failed && std::filesystem::exists(python, failed)) setenv("BOUGH_PYTHON", python.c_str(), 0);
}

std::string overview() {
  std::string text = fmt::format(
      "bough {}: decision trees, grown exactly\n\nUsage: bough COMMAND [options]\n\nCommands:\n", version());
  for (const Verb& verb : kVerbs) text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  return text +
         "\n  -h, --help    Show this text; 'bough COMMAND --help' lists its options\n"
         "      --version Show the version\n"
         "\n" +
         fitted(stdout, fmt::format("Exit codes: {}", kExitCodes), 2) +
         "\n"
         "\nExamples:\n"
         "  bough demo\n"
         "  bough train data.csv --target y -o model.bough\n"
         "  bough predict model.bough new.csv > predictions.csv\n";
}

int run_verb(const std::string& name, std::span<const std::string> words) {
  for (const Verb& verb : kVerbs) {
    if (verb.name != name) continue;
    Command command{std::string(verb.name), std::string(verb.summary)};
    verb.add(command);
    command.run(words);
    return 0;
  }
  std::vector<std::string> names;
  names.reserve(kVerbs.size());
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  refuse_name("command", name, names);
}

int run(std::vector<std::string> words) {
  fill_closed_streams();
  set_command_line(words);
  if (words.size() == 2 && words[0] == "help") words = {words[1], "--help"};
  // bough --help train
  if (words.size() == 2 && (words[0] == "-h" || words[0] == "--help" || words[0] == "--help-all"))
    words = {words[1], words[0]};
  if (words.size() > 1 && (words[0] == "help" || words[0] == "--version" || words[0] == "-V" ||
                           words[0].starts_with("--help") || words[0] == "-h"))
    throw Error(ErrorCode::bad_params, fmt::format("'{}' does nothing after {}", words.back(), words[0]),
                fmt::format("leave it out{}", words[0].find("help") == std::string::npos
                                                  ? ""
                                                  : "; 'bough COMMAND --help' lists its options"));
  if (words.empty() || words[0] == "-h" || words[0] == "--help" || words[0] == "--help-all" ||
      words[0] == "help") {
    print(overview());
    return 0;
  }
  if (words[0] == "--version" || words[0] == "-V") {
    print(fmt::format("bough {}\n", version()));
    return 0;
  }
  name_python();
  return run_verb(words[0], std::span(words).subspan(1));
}

}  // namespace

std::span<const Verb> verbs() noexcept {
  return kVerbs;
}

}  // namespace bough::cli

int main(int argc, char** argv) {
  bough::cli::install_signal_handlers();
  return bough::cli::guarded(
      [&] { return bough::cli::run(std::vector<std::string>(argv + 1, argv + argc)); });
}
