// SPDX-License-Identifier: Apache-2.0
// Times the cost-complexity path of a tree; the fit before it is not timed.
#include <stdexcept>

#include "driver/jobs.hpp"

#if __has_include(<bough/prune.hpp>)
#include <bough/prune.hpp>

namespace bench {
namespace {

class PathJob final : public Job {
 public:
  PathJob(const Dataset& data, const Options& options) : model_(fit(table_of(data, options), options)) {}

  void reset() override { path_ = {}; }
  void run() override { path_ = bough::cost_complexity_path(model_.tree()); }

  nlohmann::json describe() override {
    return {{"nodes", model_.tree().n_nodes()},
            {"depth", model_.tree().depth()},
            {"column", model_.tree().column(0)},
            {"threshold", model_.tree().threshold(0)},
            {"score", path_.alphas.back()}};
  }

 private:
  bough::Model model_;
  bough::PruningPath path_;
};

}  // namespace

std::unique_ptr<Job> path_job(const Dataset& data, const Options& options) {
  return std::make_unique<PathJob>(data, options);
}

}  // namespace bench

#else

namespace bench {

std::unique_ptr<Job> path_job(const Dataset&, const Options&) {
  throw std::runtime_error("this build of bough has no pruning");
}

}  // namespace bench

#endif
