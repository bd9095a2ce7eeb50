// SPDX-License-Identifier: Apache-2.0
// The same place in two trees: what is tested there, as something that can be compared and shown.
#pragma once

#include <string>

#include "bough/study.hpp"

namespace bough {

/// Name of the tested column; the formula of an oblique test; "" for a leaf.
std::string tested_column(const Model& model, NodeId node);
/// Column and kind of the test: equal where two trees ask the same thing, at whatever cut.
std::string subject_key(const Model& model, NodeId node);
/// The whole test by names of columns and categories, missing cells aside: equal exactly where two tests are.
std::string test_key(const Model& model, NodeId node);
/// The test as people read it: the condition of the first child, or "leaf: setosa".
std::string test_words(const Model& model, NodeId node, int digits = 6);
/// A fingerprint of all tests of the tree.
std::uint64_t tests_hash(const Model& model);

}  // namespace bough
