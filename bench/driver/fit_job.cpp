// SPDX-License-Identifier: Apache-2.0
// Times fits.
#include <optional>

#include "driver/jobs.hpp"

namespace bench {
namespace {

/// Share of rows answered right, or the mean squared error.
double score(const bough::Model& model, const bough::Table& table, const Dataset& data,
             const Options& options) {
  bough::Execution execution;
  execution.threads = options.threads;
  const std::vector<double> answers = model.predict(table, execution);
  const std::string target = options.target_name();
  double sum = 0.0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (target == "y") {
      const auto level = static_cast<std::size_t>(answers[i]);
      sum += model.targets().fields[0].levels.numbers[level] == static_cast<double>(data.y[i]) ? 1.0 : 0.0;
    } else {
      const double miss = answers[i] - (target == "counts" ? data.counts[i] : data.z[i]);
      sum += miss * miss;
    }
  }
  return sum / static_cast<double>(answers.size());
}

class FitJob final : public Job {
 public:
  FitJob(const Dataset& data, const Options& options)
      : data_(data), options_(options), table_(table_of(data, options)) {}

  void reset() override { model_.reset(); }
  void run() override { model_ = fit(table_, options_); }

  nlohmann::json describe() override {
    const bough::Tree& tree = model_->tree();
    const double impurity = tree.weight(0) * tree.impurity(0);
    return {{"nodes", tree.n_nodes()},
            {"leaves", tree.n_leaves()},
            {"depth", tree.depth()},
            {"column", tree.column(0)},
            {"threshold", tree.threshold(0)},
            {"kind", static_cast<int>(tree.kind(0))},
            {"root_share", impurity > 0.0 ? tree.gain(0) / impurity : 0.0},
            {"score", score(*model_, table_, data_, options_)},
            {"engine", model_->parts().provenance.engine},
            {"hash", std::to_string(hash_of(*model_))}};
  }

 private:
  const Dataset& data_;
  Options options_;
  bough::Table table_;
  std::optional<bough::Model> model_;
};

}  // namespace

bough::Model fit(const bough::Table& table, const Options& options) {
  bough::Params params;
  params.task = options.classes() ? "classification" : "regression";
  params.criterion = options.criterion;
  params.splitter = options.splitter;
  if (options.depth > 0) params.max_depth = options.depth;
  bough::FitSpec spec;
  spec.targets = {"target"};
  if (options.weights) spec.weight = "weight";
  bough::Execution execution;
  execution.threads = options.threads;
  execution.engine = options.engine;
  return bough::fit(table, spec, params, execution);
}

std::uint64_t hash_of(const bough::Model& model) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : model.to_bytes()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::unique_ptr<Job> fit_job(const Dataset& data, const Options& options) {
  return std::make_unique<FitJob>(data, options);
}

}  // namespace bench
