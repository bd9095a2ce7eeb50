// SPDX-License-Identifier: Apache-2.0
// The job and its result are files; the child's standard error is ours, so that its progress is seen.
#include "cluster.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "bough/json.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "temporary.hpp"

extern char** environ;

namespace bough::cli {

namespace {

constexpr const char* kInstall =
    "install Python 3.10 or newer and the package: python3 -m pip install 'bough[dask]'; another interpreter "
    "than "
    "python3 is named by the variable BOUGH_PYTHON";

Json columns_json(const FitSpec& spec) {
  constexpr std::array<const char*, 3> kKinds{"numeric", "ordinal", "category"};
  Json columns = Json::array();
  for (const ColumnSpec& column : spec.columns)
    columns.push_back(
        {column.name, column.kind ? kKinds[static_cast<std::size_t>(*column.kind)] : "", column.order});
  return columns;
}

Json job_json(const ClusterJob& job, const TemporaryFolder& folder) {
  const ReadOptions& reading = job.reading;
  Json out;
  out["address"] = job.address;
  out["data"] = job.data;
  out["reading"] = {{"delimiter", reading.delimiter == 0 ? std::string() : std::string(1, reading.delimiter)},
                    {"header", reading.header ? Json(*reading.header) : Json()},
                    {"known_names", reading.known_names},
                    {"missing", reading.missing},
                    {"numeric_columns", reading.numeric_columns},
                    {"text_columns", reading.text_columns},
                    {"format", reading.format}};
  out["targets"] = job.spec.targets;
  out["weight"] = job.spec.weight;
  out["ignored"] = job.spec.ignored;
  out["columns"] = columns_json(job.spec);
  out["params"] = params_to_json(job.params);
  out["model"] = folder.file("model.bough");
  out["error"] = folder.file("error.json");
  return out;
}

pid_t start(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  // A group of its own: Ctrl-C comes to us alone, and goes on once.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(ErrorCode::not_supported,
                fmt::format("--dask needs Python, but '{}' does not start", words[0]), kInstall);
  return child;
}

/// The child's exit status; -1 where it was killed.
int wait_for(pid_t child) {
  bool told = false;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (ended < 0 && errno != EINTR) return -1;
    if (interrupted() && !told) {
      kill(child, SIGINT);
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

[[noreturn]] void throw_told(const std::string& path) {
  const Json error = Json::parse(read_file(path));
  const std::string name = error.value("code", "internal");
  ErrorCode code = ErrorCode::internal;
  for (const ErrorCode known :
       {ErrorCode::bad_params, ErrorCode::bad_data, ErrorCode::bad_model, ErrorCode::io,
        ErrorCode::not_supported, ErrorCode::cancelled, ErrorCode::out_of_memory})
    if (error_name(known) == name) code = known;
  throw Error(code, error.value("message", ""), error.value("hint", ""));
}

bool consists_of(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           more.find(c) != std::string_view::npos;
  });
}

// [tcp://]host:port[/path], where a host in brackets is an address of IPv6.
bool is_address(std::string_view text) {
  for (const std::string_view scheme : {"tcp://", "tls://", "ws://", "wss://", "ucx://"})
    if (text.starts_with(scheme)) {
      text.remove_prefix(scheme.size());
      break;
    }
  text = text.substr(0, text.find('/'));
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, colon), port = text.substr(colon + 1);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  if (!host.starts_with('[')) return consists_of(host, "._-");
  return host.ends_with(']') && consists_of(host.substr(1, host.size() - 2), ":.%");
}

}  // namespace

void check_cluster_address(const std::string& address) {
  // Other words would make Dask wait for a long time, or mean an option whose address was forgotten.
  if (address.starts_with('-') || !is_address(address))
    throw Error(ErrorCode::bad_params,
                fmt::format("--dask: '{}' is not the address of a Dask scheduler", address),
                "an address looks like tcp://host:8786; the scheduler prints its own when it starts");
}

Model train_on_cluster(const ClusterJob& job) {
  const TemporaryFolder folder;
  const Json written = job_json(job, folder);
  write_file(folder.file("job.json"), written.dump());
  const char* wished = std::getenv("BOUGH_PYTHON");
  const std::string python = wished == nullptr || *wished == 0 ? "python3" : wished;
  const CleanStop clean;
  const int status = wait_for(start({python, "-m", "bough", "dask-train", folder.file("job.json")}));
  throw_if_interrupted();
  const std::string error = written["error"].get<std::string>(), model = written["model"].get<std::string>();
  if (std::filesystem::exists(error)) throw_told(error);
  if (status != 0 || !std::filesystem::exists(model))
    throw Error(ErrorCode::not_supported,
                fmt::format("--dask needs Python with the package bough; '{} -m bough' ended with status {}",
                            python, status),
                kInstall);
  return Model::load(model);
}

}  // namespace bough::cli
