// SPDX-License-Identifier: Apache-2.0
// Fits, answers, loading and cancelling at once in one process; every result is that of a single run. The
// thread sanitizer runs this program (tools/test.sh long); its own loops are small enough for that.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/parallel.hpp"
#include "bough/forest.hpp"
#include "bough/out_of_core.hpp"
#include "bough/prune.hpp"
#include "scale/memory_blocks.hpp"
#include "threads/jobs.hpp"

namespace bough {
namespace {

// Runs body(0), body(1), ... each in a thread of its own.
template <class Body>
void at_once(int n, const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

const Table& table() {
  static const Table made = job_table(1200, 11);
  return made;
}

std::string fit_bytes(const FitJob& job, int threads) {
  return fit(table(), job.spec, job.params, {.threads = threads, .engine = job.engine}).to_bytes();
}

TEST(Threads, every_fit_with_two_threads_gives_the_bytes_of_one) {
  for (const FitJob& job : fit_jobs()) EXPECT_EQ(fit_bytes(job, 2), fit_bytes(job, 1)) << job.name;
}

TEST(Threads, fits_of_all_kinds_at_once_give_the_bytes_of_single_runs) {
  const std::vector<FitJob> jobs = fit_jobs();
  std::vector<std::string> expected;
  for (const FitJob& job : jobs) expected.push_back(fit_bytes(job, 1));
  std::atomic<std::size_t> next{0};
  std::array<std::atomic<int>, 64> wrong{};
  at_once(4, [&](int thread) {
    for (std::size_t i = next++; i < 2 * jobs.size(); i = next++)
      if (fit_bytes(jobs[i % jobs.size()], 1 + thread % 2) != expected[i % jobs.size()])
        ++wrong[i % jobs.size()];
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(wrong[i], 0) << jobs[i].name;
}

TEST(Threads, training_on_blocks_gives_the_same_bytes_beside_other_fits) {
  const FitSpec spec = job_spec({"label"});
  const std::string expected = fit(table(), spec, {}, {.threads = 1}).to_bytes();
  std::atomic<int> right{0};
  at_once(3, [&](int thread) {
    if (thread == 2) {
      right += fit(table(), spec, {}, {.threads = 2}).to_bytes() == expected;
      return;
    }
    MemoryBlocks blocks(table());
    const OutOfCore limits{.memory = 1 << 30, .block_rows = 500};
    right += fit_out_of_core(blocks, spec, {}, limits, {.threads = 1 + thread}).to_bytes() == expected;
  });
  EXPECT_EQ(right, 3);
}

// The table as a matrix of the model's cells.
struct Matrix {
  std::vector<double> cells;
  std::int64_t rows, columns;
  explicit Matrix(const Model& model, std::int64_t n)
      : rows(n), columns(static_cast<std::int64_t>(model.features().fields.size())) {
    std::mt19937 random(3);
    for (std::int64_t i = 0; i < rows * columns; ++i) cells.push_back(static_cast<double>(random() % 40) / 4);
  }
  [[nodiscard]] MatrixView view() const { return {Dtype::f64, cells.data(), rows, columns, columns * 8, 8}; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(cells).subspan(i * static_cast<std::size_t>(columns), static_cast<std::size_t>(columns));
  }
};

TEST(Threads, many_answers_of_one_model_at_once_from_its_first_answer_on) {
  for (const FitJob& job : fit_jobs()) {
    const Model judge = fit(table(), job.spec, job.params, {.threads = 2, .engine = job.engine});
    const Matrix matrix(judge, 3000);
    const std::size_t width = judge.n_outputs();
    std::vector<double> expected(3000 * width);
    judge.predict(matrix.view(), expected, {.threads = 1});
    const std::vector<double> of_table = judge.predict(table(), {.threads = 1});
    const Model model = Model::from_bytes(judge.to_bytes());  // nobody has asked it anything
    std::atomic<int> wrong{0};
    at_once(4, [&](int thread) {
      std::vector<double> out(thread < 2 ? expected.size() : width);
      if (thread < 2) {
        model.predict(matrix.view(), out, {.threads = 1 + thread});
        wrong += out != expected || model.predict(table(), {.threads = 2 - thread}) != of_table;
        return;
      }
      for (std::size_t i = 0; i < 300; ++i) {
        model.predict_row(matrix.row(i), out);
        wrong +=
            !std::equal(out.begin(), out.end(), expected.begin() + static_cast<std::ptrdiff_t>(i * width));
      }
    });
    EXPECT_EQ(wrong, 0) << job.name;
  }
}

TEST(Threads, models_are_loaded_and_saved_while_others_answer) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("bough-threads-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "m.bough").string();
  const FitSpec spec = job_spec({"label"});
  const Model old = fit(table(), spec, params_from_json(R"({"max_depth": 2})")),
              now = fit(table(), spec, params_from_json(R"({"forest": 5})"));
  const std::vector<double> answers[] = {old.predict(table()), now.predict(table())};
  old.save(path);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  at_once(4, [&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < 30; ++i) (i % 2 == 0 ? now : old).save(path);
      done = true;
      return;
    }
    while (!done) {
      const std::vector<double> said = Model::load(path).predict(table(), {.threads = thread});
      wrong += said != answers[0] && said != answers[1];
    }
  });
  EXPECT_EQ(wrong, 0);
  fs::remove_all(folder);
}

TEST(Threads, cancelling_from_another_thread_ends_the_fit_and_nothing_else) {
  const std::vector<FitJob> jobs = fit_jobs();
  const Table large = job_table(6000, 2);
  for (const int threads : {1, 2}) {
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      std::atomic<bool> stop{false};
      Execution execution{.threads = threads, .engine = jobs[k].engine};
      execution.progress = [&](const Progress&) { return !stop; };
      std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(500 * (k + 1)));
        stop = true;
      });
      try {
        static_cast<void>(fit(k % 3 == 0 ? large : table(), jobs[k].spec, jobs[k].params, execution));
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << jobs[k].name << ": " << error.what();
      }
      canceller.join();
    }
  }
  EXPECT_EQ(fit_bytes(jobs[0], 2), fit_bytes(jobs[0], 1));
}

TEST(Threads, what_a_callback_throws_comes_out_of_the_fit) {
  struct Enough {};
  const FitJob job = fit_jobs()[1];
  Execution execution{.threads = 2};
  execution.progress = [](const Progress&) -> bool { throw Enough(); };
  EXPECT_THROW(static_cast<void>(fit(table(), job.spec, job.params, execution)), Enough);
}

TEST(Threads, an_error_in_one_piece_does_not_stop_loops_inside_others) {
  std::atomic<int> done{0};
  const auto run = [&] {
    with_threads(2, [&] {
      parallel_for(8, [&](std::size_t i) {
        if (i == 7) throw Error(ErrorCode::bad_data, "seven");
        int own = 0;
        std::array<int, 200> pieces{};
        parallel_for(pieces.size(), [&](std::size_t j) { pieces[j] = 1; });
        for (const int piece : pieces) own += piece;
        if (own == 200) ++done;
      });
    });
  };
  EXPECT_THROW(run(), Error);
  EXPECT_GE(done, 0);
  with_threads(1, [] { EXPECT_EQ(available_threads(), 1); });
  const int all = available_threads();
  with_threads(1, [&] { with_threads(0, [&] { EXPECT_EQ(available_threads(), all); }); });
}

// The thread sanitizer does not follow a process that forks while it has threads, and the address sanitizer's allocator stays
// locked in the child if another thread was allocating: the optimised build has this test alone.
#if !defined(BOUGH_CHECKED)
TEST(Threads, a_forked_child_fits_and_answers) {
  const std::vector<FitJob> jobs = fit_jobs();
  std::vector<std::string> expected;
  for (const FitJob& job : jobs) expected.push_back(fit_bytes(job, 2));
  std::atomic<bool> done{false};
  // The parent forks while another thread of it is in the middle of a fit.
  std::thread busy([&] {
    while (!done) static_cast<void>(fit_bytes(jobs[0], 2));
  });
  for (int round = 0; round < 2; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        if (fit_bytes(jobs[i], 2) != expected[i]) _exit(1);
      _exit(available_threads() == 1 ? 0 : 2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  done = true;
  busy.join();
}
#endif

}  // namespace
}  // namespace bough
