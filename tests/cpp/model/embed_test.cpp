// SPDX-License-Identifier: Apache-2.0
// The C API from a plain C program that links bough_embed alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "model/small_model.hpp"

namespace bough {
namespace {

using samples::small_model;

// Standard output of a command.
std::string output_of(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  for (char buffer[256]; pipe && std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr;) text += buffer;
  return text;
}

TEST(Embed, a_plain_c_program_loads_and_predicts) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("bough-embed-" + std::to_string(getpid()) + ".bough"))
          .string();
  small_model().save(path);
  const std::string said = output_of(std::string(BOUGH_EMBED_PROGRAM) + " " + path + " 2>&1");
  std::filesystem::remove(path);
  EXPECT_EQ(said,
            "3 features: age size colour\n"
            "25 small blue: no 0.800 0.200\n"
            "40 small blue: yes 0.000 1.000\n"
            "40 small violet: no 0.750 0.250\n"
            "missing small red: no 0.800 0.200\n");
}

TEST(Embed, the_c_program_reports_a_bad_model) {
  EXPECT_NE(output_of(std::string(BOUGH_EMBED_PROGRAM) + " /nowhere 2>&1").find("cannot read '/nowhere'"),
            std::string::npos);
}

TEST(Embed, neither_program_nor_library_needs_tbb) {
  const std::string libraries = output_of(std::string("ldd ") + BOUGH_EMBED_PROGRAM);
  ASSERT_NE(libraries.find("libc.so"), std::string::npos) << libraries;
  for (const char* unwanted : {"tbb", "fmt", "libz.", "zstd"}) {
    EXPECT_EQ(libraries.find(unwanted), std::string::npos) << libraries;
  }
  const std::string symbols = output_of(std::string("nm --undefined-only ") + BOUGH_EMBED_LIBRARY);
  ASSERT_NE(symbols.find(" U "), std::string::npos);
  EXPECT_EQ(symbols.find("tbb"), std::string::npos);
}

}  // namespace
}  // namespace bough
