// SPDX-License-Identifier: Apache-2.0
// Pieces of PMML: escaped text, and predicates of two values.
//
// A predicate of PMML that looks at a missing field is UNKNOWN, and what then happens is a setting of the
// whole model. Where nodes differ in what they do with missing cells, predicates are written so that none is
// ever UNKNOWN: `isNotMissing and ...` is false for a missing field, `isMissing or ...` is true.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "export/binary_ir.hpp"

namespace bough {

/// Text as the value of an attribute. Throws not_supported, naming it, when XML has no form for it.
std::string xml_attribute(std::string_view text);

/// Predicates of one model.
class PmmlPredicates {
 public:
  explicit PmmlPredicates(const Model& model) : model_(model), divided_(divided_in_training(model)) {}

  /// The predicates of all children of an inner node.
  /// `default_child`: number of the child of missing cells where the model's setting sends them; -1 where the
  /// predicates say it.
  struct Children {
    std::vector<std::string> predicates;
    std::int32_t default_child = -1;
  };
  /// Throws not_supported for a node that divides rows.
  [[nodiscard]] Children of(const Tree& tree, std::size_t number, NodeId node) const;

  /// Name of the derived field of an oblique node.
  [[nodiscard]] static std::string sum_name(std::size_t tree, NodeId node);

 private:
  [[nodiscard]] std::string simple(std::string_view field, const char* op, const std::string& value) const;
  [[nodiscard]] std::string one_of(ColId column, std::span<const std::uint32_t> levels, bool in) const;
  [[nodiscard]] std::string level_text(ColId column, std::uint32_t level) const;
  [[nodiscard]] std::string number_test(std::string_view field, double threshold, bool holds) const;
  [[nodiscard]] std::string known(const Tree& tree, std::size_t number, NodeId node,
                                  std::int32_t child) const;
  [[nodiscard]] std::string mapped(const Tree& tree, NodeId node, std::int32_t child) const;
  [[nodiscard]] std::string surrogate(const Alternative& test, std::int32_t child) const;
  [[nodiscard]] std::string undecided(const Alternative& test) const;
  [[nodiscard]] std::string undecided(const Tree& tree, std::string_view field, NodeId node) const;
  [[nodiscard]] std::vector<std::uint32_t> all_levels(ColId column) const;
  [[nodiscard]] const std::string& name(ColId column) const {
    return model_.features().fields[static_cast<std::size_t>(column)].name;
  }

  const Model& model_;
  std::vector<bool> divided_;  // per tree
};

}  // namespace bough
