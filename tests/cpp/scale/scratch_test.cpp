// SPDX-License-Identifier: Apache-2.0
// Tests of the scratch file: what is written comes back, memory is given back, full disks are told, nothing
// is left.
#include "scale/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "bough/error.hpp"
#include "bough/out_of_core.hpp"
#include "scale/sizes.hpp"

namespace bough {
namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("bough_scratch_" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

std::vector<std::byte> image_of(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> image(bytes);
  for (std::size_t i = 0; i < bytes; ++i) image[i] = static_cast<std::byte>((i * 2654435761u + seed) >> 7);
  return image;
}

std::string message_of(const std::function<void()>& body, ErrorCode code) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

std::size_t resident_pages(std::span<const std::byte> bytes) {
  // How much of it this process holds: the resident set before and after looking would count other things
  // too.
  std::FILE* file = std::fopen("/proc/self/pagemap", "rb");
  if (file == nullptr) return 0;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += page) {
    std::uint64_t entry = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data()) + at;
    std::fseek(file, static_cast<long>(address / page * 8), SEEK_SET);
    if (std::fread(&entry, 8, 1, file) == 1) count += entry >> 63;
  }
  std::fclose(file);
  return count;
}

TEST(Scratch, images_come_back_with_readable_bytes_behind_them_and_no_file_is_seen) {
  const Folder folder;
  ScratchFile scratch(folder.path(), 1 << 20);
  EXPECT_TRUE(folder.is_empty());
  std::vector<std::shared_ptr<const StoredImage>> stored;
  const std::vector<std::size_t> sizes = {1, 4096, 4096 - 256, 4096 - 255, 100000};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    stored.push_back(scratch.append(image_of(sizes[i], static_cast<unsigned>(i))));
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::span<const std::byte> bytes = stored[i]->bytes();
      stored[i]->prefetch(sizes[i]);
      ASSERT_EQ(bytes.size(), sizes[i]);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64, 0u);
      const std::vector<std::byte> expected = image_of(sizes[i], static_cast<unsigned>(i));
      EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), sizes[i]), 0);
      unsigned behind = 0;
      for (std::size_t k = 0; k < 256; ++k) behind += static_cast<unsigned>(*(bytes.data() + sizes[i] + k));
      EXPECT_EQ(behind, 0u);
      EXPECT_GT(resident_pages(bytes), 0u);
      stored[i]->drop();
      EXPECT_EQ(resident_pages(bytes), 0u);
    }
  EXPECT_TRUE(folder.is_empty());
}

TEST(Scratch, more_than_the_disk_has_is_refused_before_the_work) {
  const Folder folder;
  const std::string message =
      message_of([&] { ScratchFile scratch(folder.path(), std::int64_t{1} << 60); }, ErrorCode::io);
  EXPECT_NE(message.find(folder.path()), std::string::npos) << message;
  EXPECT_NE(message.find("1.15e+06 TB needed"), std::string::npos) << message;
  EXPECT_NE(message.find("free"), std::string::npos) << message;
  EXPECT_TRUE(folder.is_empty());
}

TEST(Scratch, a_disk_that_fills_up_while_writing_is_told) {
  const Folder folder;
  ScratchFile scratch(folder.path(), 0);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit kept{};
  getrlimit(RLIMIT_FSIZE, &kept);
  const rlimit small{1 << 16, kept.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of([&] { scratch.append(image_of(1 << 20, 1)); }, ErrorCode::io);
  setrlimit(RLIMIT_FSIZE, &kept);
  std::signal(SIGXFSZ, before);
  EXPECT_NE(message.find(folder.path()), std::string::npos) << message;
  EXPECT_NE(message.find("65.5 kB written so far"), std::string::npos) << message;
  EXPECT_TRUE(folder.is_empty());
}

TEST(Scratch, a_folder_that_is_not_there_is_named) {
  const std::string message = message_of([] { ScratchFile scratch("/no/such/folder", 10); }, ErrorCode::io);
  EXPECT_NE(message.find("/no/such/folder"), std::string::npos) << message;
}

TEST(Sizes, are_read_with_their_units_and_nonsense_is_refused) {
  EXPECT_EQ(parse_bytes("500MB"), 500'000'000);
  EXPECT_EQ(parse_bytes("2GB"), 2'000'000'000);
  EXPECT_EQ(parse_bytes("2 gb"), 2'000'000'000);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1'610'612'736);
  EXPECT_EQ(parse_bytes("64 kib"), 65'536);
  EXPECT_EQ(parse_bytes("123"), 123);
  for (const char* bad :
       {"", "GB", "2XB", "-1GB", "2GB2", "0", "1e3GB", "two", "1.2.3GB", "99999999999TB", "nan"})
    EXPECT_NE(message_of([&] { parse_bytes(bad); }, ErrorCode::bad_params).find("is no size"),
              std::string::npos)
        << bad;
}

TEST(Sizes, are_told_in_powers_of_a_thousand) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1000), "1 kB");
  EXPECT_EQ(bytes_text(1'610'612'736), "1.61 GB");
}

}  // namespace
}  // namespace bough
