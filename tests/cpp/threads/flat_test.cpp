// SPDX-License-Identifier: Apache-2.0
// Memory stays flat in a process that lives long: fits of every kind and answers, again and again.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iostream>

#include "threads/jobs.hpp"

namespace bough {
namespace {

double resident_mb() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// What the first tenth has taken (arenas, pools, the allocator's free lists) may grow by this much, whatever comes after.
constexpr double kMoreMb = 4.0;

TEST(Flat, a_thousand_fits_take_no_more_memory_than_a_hundred) {
#if defined(BOUGH_CHECKED)
  GTEST_SKIP() << "the sanitizer's own memory grows";
#endif
  const Table table = job_table(400, 5);
  const std::vector<FitJob> jobs = fit_jobs();
  double before = 0.0;
  for (std::size_t i = 0; i < 1000; ++i) {
    if (i == 100) before = resident_mb();
    const FitJob& job = jobs[i % jobs.size()];
    const Execution execution{.threads = 1 + static_cast<int>(i % 2), .engine = job.engine};
    EXPECT_GT(fit(table, job.spec, job.params, execution).predict(table).size(), 0U);
  }
  std::cout << before << " MB after 100 fits, " << resident_mb() << " MB after 1000\n";
  EXPECT_LT(resident_mb() - before, kMoreMb);
}

TEST(Flat, a_hundred_thousand_answers_take_no_more_memory_than_ten_thousand) {
#if defined(BOUGH_CHECKED)
  GTEST_SKIP() << "the sanitizer's own memory grows";
#endif
  const Table table = job_table(400, 5), few = job_table(3, 6);
  std::vector<Model> models;
  for (const FitJob& job : fit_jobs())
    models.push_back(fit(table, job.spec, job.params, {.threads = 1, .engine = job.engine}));
  double before = 0.0;
  for (std::size_t i = 0; i < 100'000; ++i) {
    if (i == 10'000) before = resident_mb();
    const Model& model = models[i % models.size()];
    if (i % 3 == 0) {
      EXPECT_GT(model.predict(i % 100 == 0 ? table : few).size(), 0U);
    } else {
      const std::vector<double> row(model.features().fields.size(), static_cast<double>(i % 5));
      std::vector<double> out(model.n_outputs());
      model.predict_row(row, out);
    }
  }
  std::cout << before << " MB after 10,000 answers, " << resident_mb() << " MB after 100,000\n";
  EXPECT_LT(resident_mb() - before, kMoreMb);
}

}  // namespace
}  // namespace bough
