// SPDX-License-Identifier: Apache-2.0
// What answers for rows: a model or a rule set.
#include "answerer.hpp"

#include "tables.hpp"

namespace bough::cli {

Answering load_answering(const std::string& path) {
  if (holds_rules(path)) return RuleSet::load(path);
  return load_model(path);
}

Task Answerer::task() const {
  if (const auto* model = std::get_if<Model>(&held_)) return model->task();
  return std::get<RuleSet>(held_).parts().task;
}

const Schema& Answerer::features() const {
  if (const auto* model = std::get_if<Model>(&held_)) return model->features();
  return std::get<RuleSet>(held_).parts().features;
}

Schema Answerer::plain_features() const {
  return std::visit([](const auto& held) { return cli::plain_features(held); }, held_);
}

const Schema& Answerer::targets() const {
  if (const auto* model = std::get_if<Model>(&held_)) return model->targets();
  return std::get<RuleSet>(held_).parts().targets;
}

std::vector<double> Answerer::predict(const Table& rows, const Execution& execution) const {
  return std::visit([&](const auto& held) { return held.predict(rows, execution); }, held_);
}

std::vector<std::string> Answerer::predict_labels(const Table& rows, const Execution& execution) const {
  return std::visit([&](const auto& held) { return held.predict_labels(rows, execution); }, held_);
}

std::vector<double> Answerer::predict_proba(const Table& rows, std::size_t output,
                                            const Execution& execution) const {
  return std::visit([&](const auto& held) { return held.predict_proba(rows, output, execution); }, held_);
}

std::size_t Answerer::n_trees() const {
  const auto* model = std::get_if<Model>(&held_);
  return model == nullptr ? 1 : model->trees().size();
}

std::vector<std::int64_t> Answerer::apply(const Table& rows, std::size_t tree,
                                          const Execution& execution) const {
  if (const auto* model = std::get_if<Model>(&held_)) {
    const std::vector<NodeId> leaves = model->apply(rows, tree, execution);
    return {leaves.begin(), leaves.end()};
  }
  std::vector<std::int64_t> numbers = std::get<RuleSet>(held_).apply(rows, execution);
  for (std::int64_t& number : numbers) ++number;
  return numbers;
}

const char* Answerer::end_name() const {
  return std::holds_alternative<Model>(held_) ? "leaf" : "rule";
}

}  // namespace bough::cli
