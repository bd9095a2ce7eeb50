// SPDX-License-Identifier: Apache-2.0
// Times prediction of the training rows; the fit before it is not timed.
#include <numeric>

#include "driver/jobs.hpp"

namespace bench {
namespace {

class PredictJob final : public Job {
 public:
  PredictJob(const Dataset& data, const Options& options)
      : options_(options), table_(table_of(data, options)), model_(fit(table_, options)) {
    execution_.threads = options.threads;
  }

  void reset() override { answers_ = {}; }
  void run() override { answers_ = model_.predict(table_, execution_); }

  nlohmann::json describe() override {
    const double sum = std::accumulate(answers_.begin(), answers_.end(), 0.0);
    return {{"nodes", model_.tree().n_nodes()},
            {"depth", model_.tree().depth()},
            {"column", model_.tree().column(0)},
            {"threshold", model_.tree().threshold(0)},
            {"score", sum / static_cast<double>(answers_.size())}};
  }

 private:
  Options options_;
  bough::Table table_;
  bough::Model model_;
  bough::Execution execution_;
  std::vector<double> answers_;
};

}  // namespace

std::unique_ptr<Job> predict_job(const Dataset& data, const Options& options) {
  return std::make_unique<PredictJob>(data, options);
}

}  // namespace bench
