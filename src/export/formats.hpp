// SPDX-License-Identifier: Apache-2.0
// The writers of every format, and what they share.
#pragma once

#include <string>
#include <vector>

#include "bough/export.hpp"

namespace bough {

std::string write_c(const Model& model, const ExportOptions& options);
std::string write_cpp(const Model& model, const ExportOptions& options);
std::string write_dot(const Model& model, const ExportOptions& options);
std::string write_json(const Model& model, const ExportOptions& options);
std::string write_json_schema(const Model& model, const ExportOptions& options);
std::string write_onnx(const Model& model, const ExportOptions& options);
std::string write_pmml(const Model& model, const ExportOptions& options);
std::string write_python(const Model& model, const ExportOptions& options);
std::string write_rules_text(const Model& model, const ExportOptions& options);
std::string write_sklearn(const Model& model, const ExportOptions& options);
std::string write_sql(const Model& model, const ExportOptions& options);
std::string write_svg(const Model& model, const ExportOptions& options);
std::string write_text(const Model& model, const ExportOptions& options);
std::string write_treelite(const Model& model, const ExportOptions& options);

/// "tables of 123 bytes", read out of a header.
std::string header_note(std::string_view written);

/// The model with the names of columns and classes that the options give. Throws bad_params when their number is wrong.
Model renamed(const Model& model, const ExportOptions& options);

/// The tree the options name. Throws bad_params when there is none.
const Tree& chosen_tree(const Model& model, const ExportOptions& options);

/// Nodes below every node. Ids are preorder, so a node's descendants are the ids that follow it.
std::vector<NodeId> descendants(const Tree& tree);

}  // namespace bough
