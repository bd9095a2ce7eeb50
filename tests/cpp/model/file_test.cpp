// SPDX-License-Identifier: Apache-2.0
// Model files on disk: written whole or not at all, refused by name.
#include "model/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/small_model.hpp"

namespace bough {
namespace {

namespace fs = std::filesystem;
using samples::small_model;

// A directory of its own for every test.
class ModelFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "bough-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  [[nodiscard]] std::string at(const std::string& name) const { return (directory_ / name).string(); }
  [[nodiscard]] std::size_t n_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  fs::path directory_;
};

// Code and message of the error that `action` throws.
template <class Action>
std::pair<ErrorCode, std::string> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return {error.code(), error.what()};
  }
  return {ErrorCode::internal, "nothing thrown"};
}

TEST_F(ModelFile, saves_binary_by_default_and_json_by_extension) {
  const Model model = small_model();
  model.save(at("m.bough"));
  model.save(at("m.json"));
  EXPECT_EQ(read_file(at("m.bough")), model.to_bytes());
  EXPECT_EQ(read_file(at("m.json")), model.to_json());
  EXPECT_EQ(Model::load(at("m.bough")).to_bytes(), model.to_bytes());
  EXPECT_EQ(Model::load(at("m.json")).to_bytes(), model.to_bytes());
  EXPECT_EQ(n_files(), 2U);  // no temporary file is left
}

TEST_F(ModelFile, loading_goes_by_content_not_by_name) {
  const Model model = small_model();
  write_file(at("binary.json"), model.to_bytes());
  write_file(at("text.bough"), model.to_json());
  EXPECT_EQ(Model::load(at("binary.json")).to_bytes(), model.to_bytes());
  EXPECT_EQ(Model::load(at("text.bough")).to_bytes(), model.to_bytes());
}

TEST_F(ModelFile, an_old_file_is_replaced_and_keeps_its_permissions) {
  write_file(at("m"), "old");
  fs::permissions(at("m"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  write_file(at("m"), "new and longer");
  EXPECT_EQ(read_file(at("m")), "new and longer");
  EXPECT_EQ(fs::status(at("m")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(ModelFile, a_symbolic_link_stays_a_link) {
  write_file(at("real"), "old");
  fs::create_symlink(at("real"), at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("real")), "new");
}

TEST_F(ModelFile, a_link_to_nothing_yet_stays_a_link) {
  fs::create_symlink(at("real"), at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("real")), "new");
}

TEST_F(ModelFile, a_hard_link_keeps_the_old_bytes) {
  write_file(at("m"), "old");
  fs::create_hard_link(at("m"), at("other"));
  write_file(at("m"), "new");
  EXPECT_EQ(read_file(at("m")), "new");
  EXPECT_EQ(read_file(at("other")), "old");
}

// A process that was killed may have had this one's number, in another container even at the same time.
TEST_F(ModelFile, names_left_by_a_killed_process_do_not_hinder) {
  write_file(at("m"), "old");
  for (int i = 0; i < 300; ++i)
    std::ofstream(at("m.tmp-" + std::to_string(getpid()) + "-" + std::to_string(i))) << "left";
  for (int i = 0; i < 3; ++i) write_file(at("m"), "new " + std::to_string(i));
  EXPECT_EQ(read_file(at("m")), "new 2");
  EXPECT_EQ(n_files(), 301U);
}

TEST_F(ModelFile, a_file_without_commit_never_was) {
  write_file(at("m"), "old");
  {
    OutputFile file(at("m"));
    file.write(std::string(200'000, 'x'));
  }
  EXPECT_EQ(read_file(at("m")), "old");
  EXPECT_EQ(n_files(), 1U);
}

TEST_F(ModelFile, pieces_of_any_size_come_out_in_order) {
  std::string all;
  OutputFile file(at("m"));
  for (std::size_t i = 0; i < 300; ++i) {
    const std::string piece(i * i * 7 % 90'000, static_cast<char>('a' + i % 26));
    file.write(piece);
    all += piece;
  }
  file.commit();
  EXPECT_EQ(read_file(at("m")), all);
}

TEST_F(ModelFile, a_path_that_cannot_be_written_is_named) {
  const std::string path = at("nowhere/m.bough");
  const auto [code, message] = error_of([&] { small_model().save(path); });
  EXPECT_EQ(code, ErrorCode::io);
  EXPECT_EQ(message, "cannot write '" + path + "': No such file or directory");
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(ModelFile, a_directory_is_no_file) {
  EXPECT_EQ(error_of([&] { small_model().save(directory_.string()); }).first, ErrorCode::io);
  EXPECT_EQ(error_of([&] { Model::load(directory_.string()); }).first, ErrorCode::io);
}

TEST_F(ModelFile, a_full_device_is_an_error) {
  const auto [code, message] = error_of([] { small_model().save("/dev/full"); });
  EXPECT_EQ(code, ErrorCode::io);
  EXPECT_NE(message.find("'/dev/full'"), std::string::npos);
}

TEST_F(ModelFile, a_device_is_written_to_and_not_replaced) {
  EXPECT_NO_THROW(small_model().save("/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ModelFile, a_write_that_fails_half_way_leaves_the_old_file_and_nothing_else) {
  write_file(at("m.bough"), "old");
  // Files of this process may grow to 100 bytes only: the write of a model fails in the middle.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto [code, message] = error_of([&] { small_model().save(at("m.bough")); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(code, ErrorCode::io);
  EXPECT_NE(message.find(at("m.bough")), std::string::npos);
  EXPECT_EQ(read_file(at("m.bough")), "old");
  EXPECT_EQ(n_files(), 1U);
}

TEST_F(ModelFile, a_read_only_directory_keeps_its_old_file) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  write_file(at("m.bough"), "old");
  fs::permissions(directory_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(error_of([&] { small_model().save(at("m.bough")); }).first, ErrorCode::io);
  EXPECT_EQ(read_file(at("m.bough")), "old");
  fs::permissions(directory_, fs::perms::owner_all);
}

TEST_F(ModelFile, errors_of_loading_name_the_file) {
  const std::string path = at("m.bough");
  auto [code, message] = error_of([&] { Model::load(path); });
  EXPECT_EQ(code, ErrorCode::io);
  EXPECT_EQ(message, "cannot read '" + path + "': No such file or directory");
  write_file(path, small_model().to_bytes().substr(0, 300));
  std::tie(code, message) = error_of([&] { Model::load(path); });
  EXPECT_EQ(code, ErrorCode::bad_model);
  EXPECT_EQ(message.find("'" + path + "': the model is truncated: 300 of"), 0U);
  write_file(path, "");
  EXPECT_EQ(error_of([&] { Model::load(path); }).first, ErrorCode::bad_model);
}

TEST_F(ModelFile, reading_a_pipe_takes_all_of_it) {
  const std::string pipe = at("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes(200'000, 'x');
  std::thread writer([&] { std::ofstream(pipe) << bytes; });
  EXPECT_EQ(read_file(pipe), bytes);
  writer.join();
}

}  // namespace
}  // namespace bough
