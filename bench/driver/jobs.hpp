// SPDX-License-Identifier: Apache-2.0
// What a benchmark can time: one file and one row of job() each.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "driver/dataset.hpp"

namespace bench {

class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;
  /// Forgets the last result; not timed.
  virtual void reset() = 0;
  /// The timed work.
  virtual void run() = 0;
  /// The last result in numbers that a peer can be compared with.
  virtual nlohmann::json describe() = 0;
};

std::unique_ptr<Job> fit_job(const Dataset& data, const Options& options);
std::unique_ptr<Job> predict_job(const Dataset& data, const Options& options);
std::unique_ptr<Job> path_job(const Dataset& data, const Options& options);

/// The job named in the options. Throws std::runtime_error when there is none.
std::unique_ptr<Job> job(const Dataset& data, const Options& options);

/// A fit as the options want it; `table` from table_of().
bough::Model fit(const bough::Table& table, const Options& options);
/// FNV-1a of the bytes of a model file.
std::uint64_t hash_of(const bough::Model& model);

}  // namespace bench
