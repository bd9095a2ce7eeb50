// SPDX-License-Identifier: Apache-2.0
// Memory runs out at every point of every job: an error comes out, nothing leaks, nothing is changed, and the
// job done again gives the same bytes. BOUGH_FULL=1 refuses every request up to the 3,000th of a job and a
// sample of the rest, once with the requests after it granted and once with all of them refused; without it a
// sample.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include "bough/forest.hpp"
#include "bough/out_of_core.hpp"
#include "bough/prune.hpp"
#include "bough/shap.hpp"
#include "threads/failing_memory.hpp"
#include "threads/jobs.hpp"

namespace bough {
namespace {

using failing_memory::Fail;
namespace fs = std::filesystem;

const bool full = std::getenv("BOUGH_FULL") != nullptr;

// Where a run is, for the message of a program that ends itself.
char now[200] = "no job";
[[noreturn]] void say_and_abort() {
  failing_memory::disarm();
  static_cast<void>(!write(STDERR_FILENO, now, std::strlen(now)));
  static_cast<void>(!write(STDERR_FILENO, ": std::terminate\n", 17));
  std::abort();
}

struct Tally {
  std::int64_t runs = 0, refused = 0, survived = 0;
};

// The requests to refuse among so many: the first ones, then evenly spread ones.
std::vector<std::int64_t> chosen(std::int64_t requests, std::int64_t first, std::int64_t later) {
  std::vector<std::int64_t> out;
  for (std::int64_t n = 1; n <= std::min(requests, first); ++n) out.push_back(n);
  for (std::int64_t i = 1; requests > first && i <= later; ++i) {
    const std::int64_t n = first + (requests - first) * i / later;
    if (out.empty() || n > out.back()) out.push_back(n);
  }
  return out;
}

// How one run with refused memory ended; empty: as it should.
std::string ending(const std::function<std::string()>& job, const std::string& expected, Tally& tally) {
  std::string got, wrong;
  bool threw = true;
  try {
    got = job();
    threw = false;
  } catch (const Error& error) {
    failing_memory::disarm();
    if (error.code() != ErrorCode::out_of_memory) wrong = std::string("another error: ") + error.what();
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& error) {
    failing_memory::disarm();
    wrong = std::string("no error of ours: ") + error.what();
  }
  const bool refused = failing_memory::disarm();
  ++tally.runs;
  tally.refused += refused ? 1 : 0;
  if (threw) return refused ? wrong : "an error though nothing was refused: " + wrong;
  if (refused) ++tally.survived;
  return got == expected ? "" : "another result";
}

// Refuses requests of a job one after the other. `unchanged` says what is wrong with the things that the job
// looked at.
void starve(
    const std::string& name, const std::function<std::string()>& job,
    const std::function<std::string()>& unchanged = [] { return std::string(); }, std::int64_t slack = 0) {
  SCOPED_TRACE(name);
  std::string expected = job();
  ASSERT_EQ(job(), expected);  // what threads keep for themselves is there now
  std::int64_t requests = -failing_memory::requests();
  ASSERT_EQ(job(), expected);
  requests += failing_memory::requests();
  Tally tally;
  int problems = 0;
  const std::int64_t held_before = failing_memory::live();
  for (const Fail fail : {Fail::once, Fail::forever}) {
    for (const std::int64_t n :
         chosen(requests, full ? (slack > 0 ? 150 : 3000) : 12, full ? (slack > 0 ? 150 : 500) : 12)) {
      std::snprintf(now, sizeof now, "%s, request %lld of %lld, %s", name.c_str(), static_cast<long long>(n),
                    static_cast<long long>(requests), fail == Fail::once ? "once" : "forever");
      const std::int64_t held = failing_memory::live();
      failing_memory::arm(n, fail);
      std::string wrong = ending(job, expected, tally);
      const std::int64_t more = failing_memory::live() - held - (wrong.empty() ? 0 : 1);
      if (wrong.empty()) wrong = unchanged();
      if (wrong.empty() && more > slack) {
        // A vector that a thread keeps may have come new; then it is there the next time.
        job();
        const std::int64_t again = failing_memory::live();
        failing_memory::arm(n, fail);
        Tally ignored;
        static_cast<void>(ending(job, expected, ignored));
        if (failing_memory::live() > again) wrong = std::to_string(more) + " pieces of memory lost";
      }
      if (wrong.empty()) continue;
      ADD_FAILURE() << now << ": " << wrong;
      if (++problems == 5) return;
    }
  }
  EXPECT_EQ(job(), expected) << "after all that";
  EXPECT_LE(failing_memory::live(), held_before + 300) << "over the whole sweep";
  EXPECT_GT(tally.refused, 0);
  if (full)
    std::cout << name << ": " << requests << " requests, " << tally.runs << " runs, "
              << tally.refused - tally.survived << " errors, " << tally.survived << " did without\n";
}

// The bytes of a result; making them is another job.
std::string whole(const Model& model) {
  failing_memory::pause();
  return model.to_bytes();
}

std::string bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

class OutOfMemory : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::set_terminate(say_and_abort); }
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] Model model(const char* name) const {
    for (const FitJob& job : fit_jobs())
      if (job.name == name) return fit(table_, job.spec, job.params, {.threads = 1, .engine = job.engine});
    throw Error(ErrorCode::internal, "no such job");
  }

  Table table_ = job_table(80, 5);
  fs::path folder_ = fs::temp_directory_path() / ("bough-memory-" + std::to_string(getpid()));
};

TEST_F(OutOfMemory, reading_a_table_fails_clean) {
  std::string csv = "a,b,colour,label\n",
              arff = "@relation r\n@attribute a numeric\n@attribute c {u,v}\n@data\n", svm;
  for (int i = 0; i < 60; ++i) {
    csv += std::to_string(i) + "," + (i % 7 == 0 ? "NA" : std::to_string(i * 0.25)) +
           (i % 2 ? ",red,yes\n" : ",\"dark, blue\",no\n");
    arff += std::to_string(i) + (i % 2 ? ",u\n" : ",v\n");
    svm += std::to_string(i % 2) + " 1:" + std::to_string(i) + " 9:0.5\n";
  }
  const auto as_text = [](const Table& table) {
    std::string out;
    for (std::size_t j = 0; j < table.n_columns(); ++j)
      for (std::int64_t i = 0; i < table.n_rows(); ++i) out += cell_text(table.column(j), i) + "|";
    return out;
  };
  for (const auto& [name, content] :
       {std::pair("csv", csv), std::pair("arff", arff), std::pair("svmlight", svm)}) {
    const std::string& text = content;  // clang 14 does not capture the names of a pair
    ReadOptions options;
    options.format = name;
    starve(std::string("parse ") + name, [&] { return as_text(parse_table(text, options)); });
    const std::string file = path(name);
    std::ofstream(file) << text;
    starve(std::string("read ") + name, [&] { return as_text(read_table(file, options)); });
  }
}

TEST_F(OutOfMemory, a_table_that_gets_a_column_stays_as_it_was) {
  const std::vector<double> cells(50, 1.5);
  const std::vector<std::string> words(50, "a word that is too long for the room inside a string");
  for (const Fail fail : {Fail::once, Fail::forever}) {
    for (std::int64_t n = 1; n < 60; ++n) {
      Table table;
      table.add("first", cells);
      failing_memory::arm(n, fail);
      bool added = false;
      try {
        table.add("a name that is too long for the room inside a string", words);
        added = true;
      } catch (const std::bad_alloc&) {
      }
      if (!failing_memory::disarm()) break;
      if (added) continue;  // without what was refused
      ASSERT_EQ(table.n_columns(), 1U) << n;
      table.add("a name that is too long for the room inside a string", words);
      ASSERT_EQ(table.n_columns(), 2U) << n;
      ASSERT_EQ(cell_text(table.column(1), 49), words[49]) << n;
    }
  }
}

TEST_F(OutOfMemory, every_fit_fails_clean) {
  for (const FitJob& job : fit_jobs())
    starve("fit " + job.name,
           [&] { return whole(fit(table_, job.spec, job.params, {.threads = 1, .engine = job.engine})); });
}

TEST_F(OutOfMemory, fits_with_two_threads_fail_clean) {
  const Table larger = job_table(1500, 7);
  for (const FitJob& job : fit_jobs()) {
    if (job.name != "classes, refine" && job.name != "numbers, lists" && job.name != "forest of classes" &&
        job.name != "oblique" && !full)
      continue;
    starve(
        "fit with two threads " + job.name,
        [&] { return whole(fit(larger, job.spec, job.params, {.threads = 2, .engine = job.engine})); },
        [] { return std::string(); }, 200);
  }
}

TEST_F(OutOfMemory, more_trees_and_training_from_files_fail_clean) {
  const Model forest = model("forest of classes");
  Params more = forest.params();
  more.forest = 9;
  const std::string before = forest.to_bytes();
  starve(
      "more trees",
      [&] { return whole(grow_more(forest, table_, job_spec({"label"}), more, {.threads = 1})); },
      [&] { return forest.to_bytes() == before ? std::string() : "the forest has changed"; });
  const std::string file = path("rows.csv");
  std::ofstream out(file);
  out << "a,b,label\n";
  for (int i = 0; i < 90; ++i) out << i % 13 << ',' << i * 0.5 << ',' << (i % 13 > 6 ? "u\n" : "v\n");
  out.close();
  starve(
      "out of core",
      [&] {
        const std::string paths[] = {file};
        const auto blocks = open_table_blocks(paths);
        FitSpec spec;
        spec.targets = {"label"};
        return whole(fit_out_of_core(*blocks, spec, {},
                                     {.memory = 1 << 30, .scratch = folder_.string(), .block_rows = 40},
                                     {.threads = 1}));
      },
      [] { return std::string(); }, 200);
}

TEST_F(OutOfMemory, answers_fail_clean_and_leave_the_model) {
  for (const char* name :
       {"classes, lists", "numbers, refine", "c45", "forest of classes", "surrogates", "two outputs"}) {
    const Model model = this->model(name);
    const std::string before = model.to_bytes();
    const auto unchanged = [&] {
      return model.to_bytes() == before ? std::string() : "the model has changed";
    };
    starve(
        std::string("predict ") + name, [&] { return bytes_of(model.predict(table_, {.threads = 1})); },
        unchanged);
    if (model.task() == Task::classification)
      starve(
          std::string("predict_proba ") + name, [&] { return bytes_of(model.predict_proba(table_)); },
          unchanged, 100);
    starve(
        std::string("text ") + name, [&] { return to_text(model); }, unchanged);
  }
}

TEST_F(OutOfMemory, what_is_made_of_models_fails_clean) {
  const Model model = this->model("classes, lists");
  const std::string before = model.to_bytes();
  const auto unchanged = [&] { return model.to_bytes() == before ? std::string() : "the model has changed"; };
  starve(
      "prune", [&] { return whole(prune(model, 0.01)); }, unchanged);
  starve(
      "reduced_error", [&] { return whole(reduced_error(model, table_)); }, unchanged, 100);
  starve(
      "simplify", [&] { return whole(simplify(model)); }, unchanged);
  starve(
      "shap", [&] { return bytes_of(shap_values(model, table_, {}, {.threads = 1}).values); }, unchanged);
}

}  // namespace
}  // namespace bough
