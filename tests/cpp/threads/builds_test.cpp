// SPDX-License-Identifier: Apache-2.0
// Every build gives the same bytes: models of every kind and their answers against prints.txt, whatever the compiler, its
// options, the instruction set (BOUGH_SIMD) and the number of threads. Where bytes are meant to change (a new format, a new
// version, a better rule), BOUGH_UPDATE=1 test_builds writes the list again; its change then shows in the commit.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "base/hash.hpp"
#include "threads/jobs.hpp"

namespace bough {
namespace {

constexpr const char* kPrints = "tests/cpp/threads/prints.txt";

#if defined(BOUGH_CHECKED)
constexpr int kLargest = 1200;
#else
constexpr int kLargest = 9000;
#endif

std::string print_of(const FitJob& job, const Table& table, int threads) {
  const Model model = fit(table, job.spec, job.params, {.threads = threads, .engine = job.engine});
  std::ostringstream out;
  out << std::hex << hash_text(model.to_bytes()) << ' ';
  const bool classes = model.task() == Task::classification;
  std::string answers;
  for (const double value : classes ? model.predict_proba(table) : model.predict(table)) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte) answers.push_back(static_cast<char>(bits >> (8 * byte)));
  }
  out << hash_text(answers);
  return out.str();
}

template <class Use>
void each_case(const Use& use) {
  for (const int n : {60, 1200, 9000}) {
    if (n > kLargest) continue;
    const Table table = job_table(n, static_cast<unsigned>(n));
    for (const FitJob& job : fit_jobs()) {
      use(std::to_string(n) + " rows, " + job.name, job, table);
    }
  }
}

std::map<std::string, std::string> known_prints() {
  std::map<std::string, std::string> known;
  std::ifstream in(kPrints);
  for (std::string line; std::getline(in, line);)
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
      known[line.substr(0, tab)] = line.substr(tab + 1);
  return known;
}

TEST(Builds, models_and_answers_are_those_of_every_other_build) {
  if (std::getenv("BOUGH_UPDATE") != nullptr) {
    std::ofstream out(kPrints);
    each_case([&](const std::string& name, const FitJob& job, const Table& table) {
      out << name << '\t' << print_of(job, table, 1) << '\n';
    });
    return;
  }
  const std::map<std::string, std::string> known = known_prints();
  ASSERT_FALSE(known.empty()) << kPrints << " is not there: run the program in the project's folder";
  each_case([&](const std::string& name, const FitJob& job, const Table& table) {
    const auto print = known.find(name);
    ASSERT_NE(print, known.end()) << name;
    EXPECT_EQ(print_of(job, table, 1), print->second) << name;
  });
}

TEST(Builds, one_to_sixteen_threads_give_the_same_models_and_answers) {
  const std::map<std::string, std::string> known = known_prints();
  const bool all = std::getenv("BOUGH_FULL") != nullptr;
  each_case([&](const std::string& name, const FitJob& job, const Table& table) {
    for (int threads = 2; threads <= 16; ++threads) {
      if (!all && threads != 3 && threads != 16) continue;
      if (!all && table.n_rows() > 1200 && threads == 16) continue;
      EXPECT_EQ(print_of(job, table, threads), known.at(name)) << name << ", " << threads << " threads";
    }
  });
}

}  // namespace
}  // namespace bough
