// SPDX-License-Identifier: Apache-2.0
// What answers for rows: a model or a rule set, whichever a file holds.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "bough/model.hpp"
#include "bough/rules.hpp"

namespace bough::cli {

/// A model, or a rule set when the file is one.
using Answering = std::variant<Model, RuleSet>;
Answering load_answering(const std::string& path);

class Answerer {
 public:
  explicit Answerer(const std::string& path) : held_(load_answering(path)) {}

  [[nodiscard]] Task task() const;
  [[nodiscard]] const Schema& features() const;
  /// The features by which cells are read (plain_features of tables.hpp).
  [[nodiscard]] Schema plain_features() const;
  [[nodiscard]] const Schema& targets() const;
  [[nodiscard]] std::size_t n_outputs() const { return targets().fields.size(); }
  [[nodiscard]] std::vector<double> predict(const Table& rows, const Execution& execution) const;
  [[nodiscard]] std::vector<std::string> predict_labels(const Table& rows, const Execution& execution) const;
  [[nodiscard]] std::vector<double> predict_proba(const Table& rows, std::size_t output,
                                                  const Execution& execution) const;
  /// Trees of a model; 1 for a rule set.
  [[nodiscard]] std::size_t n_trees() const;
  /// Leaf of every row in one tree; the number of the rule, from 1, where 0 is the default.
  [[nodiscard]] std::vector<std::int64_t> apply(const Table& rows, std::size_t tree,
                                                const Execution& execution) const;
  /// What apply() gives: "leaf" or "rule".
  [[nodiscard]] const char* end_name() const;
  /// The model, or null for a rule set.
  [[nodiscard]] const Model* model() const { return std::get_if<Model>(&held_); }

 private:
  Answering held_;
};

}  // namespace bough::cli
