// SPDX-License-Identifier: Apache-2.0
// Writes the seeds that nobody can write by hand: fuzz_make_seeds FOLDER makes models of every kind of node,
// rule sets, and what blocks send, all small. The others in fuzz/seeds are texts.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bough/export.hpp"
#include "bough/rules.hpp"
#include "bough/scale.hpp"
#include "fuzz/model_parts.hpp"
#include "model/random_model.hpp"

namespace {

using namespace bough;
using Json = nlohmann::json;

void write(const std::string& folder, const std::string& name, std::string_view bytes) {
  std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
}

/// Parameters are defaults and need not be in a file.
std::string small_binary(const Model& model) {
  fuzz::ModelParts parts;
  if (!fuzz::take_apart(model.to_bytes(), parts)) std::abort();
  Json metadata = Json::parse(parts.metadata);
  metadata["params"] = Json::object();
  parts.metadata = metadata.dump();
  return fuzz::put_together(parts);
}

std::string small_json(const Model& model) {
  Json document = Json::parse(model.to_json());
  document["params"] = Json::object();
  document.erase("checksum");
  document["checksum"] = fmt::format("xxh3:{:016x}", hash_text(document.dump()));
  return document.dump();
}

void write_models(const std::string& folder) {
  int kept = 0;
  int rules = 0;
  for (std::uint64_t seed = 1; kept < 20 && seed < 4000; ++seed) {
    const Model model = samples::RandomModel(seed).make();
    const std::string bytes = small_binary(model);
    if (bytes.size() > 4000 || model.tree().n_nodes() < 4) continue;
    write(folder + "/model", fmt::format("random{}", seed), bytes);
    write(folder + "/model_json", fmt::format("random{}", seed), small_json(model));
    ++kept;
    try {
      if (rules < 8) write(folder + "/rules", fmt::format("random{}", seed), tree_rules(model).to_json());
      ++rules;
    } catch (const Error&) {  // rules that cannot be told
    }
  }
}

Table some_rows() {
  Table table;
  table.add("x", std::span<const double>(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  table.add("c",
            std::span<const std::string>(std::vector<std::string>{"a", "b", "a", "c", "b", "c", "a", "a"}));
  table.add("y",
            std::span<const std::string>(std::vector<std::string>{"n", "n", "p", "p", "p", "n", "p", "p"}));
  return table;
}

/// Models that were fitted, with what only fitting makes: surrogates, tables, samples.
void write_fits(const std::string& folder) {
  const char* const wishes[] = {"max_depth=2",  "missing_policy=surrogate", "algorithm=c45",
                                "forest=2",     "leaf_samples=true",        "honest=true",
                                "competitors=2"};
  int number = 0;
  for (const std::string_view wish : wishes) {
    Params params;
    set_param(params, wish.substr(0, wish.find('=')), wish.substr(wish.find('=') + 1));
    const bool numbers = wish.starts_with("leaf_samples");
    try {
      const Model model = fit(some_rows(), {.targets = {numbers ? "x" : "y"}}, params, {.threads = 1});
      write(folder + "/model", fmt::format("fit{}", number), small_binary(model));
      write(folder + "/model_json", fmt::format("fit{}", number), small_json(model));
    } catch (const Error& error) {
      fmt::print(stderr, "{}: {}\n", wish, error.what());
    }
    ++number;
  }
}

/// Keeps what is asked and answered; the first byte says what it is (blocks.cpp).
class Recorder final : public BlockExecutor {
 public:
  Recorder(const ScalePlan& plan, std::span<RowBlock> blocks, std::string folder)
      : local_(plan, blocks), folder_(std::move(folder)) {}
  std::string ask(const std::string& request) override {
    std::string reply = local_.ask(request);
    write(folder_, fmt::format("request{}", number_), '\2' + request);
    write(folder_, fmt::format("answer{}", number_++), '\3' + reply);
    return reply;
  }
  std::vector<std::string> regroup(const std::string& request) override { return local_.regroup(request); }

 private:
  LocalExecutor local_;
  std::string folder_;
  int number_ = 0;
};

void write_blocks(const std::string& folder) {
  const Table rows = some_rows();
  const FitSpec spec{.targets = {"y"}};
  const std::string summary = summarise(rows, spec, {});
  write(folder, "summary", '\0' + summary);
  const ScalePlan plan = make_plan(merge_summaries(std::vector<std::string>{summary}), spec, {});
  write(folder, "plan", '\1' + plan.bytes());
  std::vector<RowBlock> blocks;
  blocks.emplace_back(rows, plan, 0);
  const auto image = blocks.front().image();
  write(folder, "image", '\4' + std::string(reinterpret_cast<const char*>(image.data()), image.size()));
  Recorder recorder(plan, blocks, folder);
  (void)fit_blocks(plan, recorder, {.threads = 1}, {.gather_bytes = 0});
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "fuzz/seeds";
  write_models(folder);
  write_fits(folder);
  write_blocks(folder + "/blocks");
}
