// SPDX-License-Identifier: Apache-2.0
// Linked to every test program of the mutated build: with BOUGH_REACHED=file it writes, for every test, its
// time in milliseconds and the mutants that it reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/mutant.hpp"

namespace {

class Listener : public testing::EmptyTestEventListener {
 public:
  explicit Listener(const char* file) : out_(file) {}
  void OnTestStart(const testing::TestInfo&) override {
    std::fill(std::begin(bough::mutants::reached), std::end(bough::mutants::reached),
              static_cast<unsigned char>(0));
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    out_ << test.test_suite_name() << '.' << test.name() << ' ' << test.result()->elapsed_time();
    for (int i = 0; i < bough::mutants::kMost; ++i)
      if (bough::mutants::reached[i] != 0) out_ << ' ' << i;
    out_ << std::endl;
  }

 private:
  std::ofstream out_;
};

const bool listening = [] {
  if (const char* file = std::getenv("BOUGH_REACHED"))
    testing::UnitTest::GetInstance()->listeners().Append(new Listener(file));
  return true;
}();

}  // namespace
