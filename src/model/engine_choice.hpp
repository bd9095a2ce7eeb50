// SPDX-License-Identifier: Apache-2.0
// Which engine searches, and the table as that engine reads it: for one tree or for all trees of a forest.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "data/codes.hpp"
#include "data/encoded.hpp"
#include "data/fingerprint.hpp"
#include "grow/grow.hpp"
#include "split/ranked/ranked_table.hpp"

namespace bough {

/// What the choice depends on besides the specification of growing.
struct EngineRequest {
  std::string_view forced;    ///< Execution::engine
  bool buckets = false;       ///< splitter=hist: search sees buckets instead of values
  bool many_trees = false;    ///< a forest: the table is coded once for all
  bool alike = false;         ///< of these: an engine that fits the weights of one tree fits those of all
  std::size_t most_rows = 0;  ///< that a tree is grown on
};

/// The feature columns coded for the engine that fits, and engines over them. Which engine it is shows in the
/// provenance and nowhere else.
class EngineTable {
 public:
  /// `targets` stand for those of all trees. Sets the buckets of `spec` where they are asked for. Throws
  /// not_supported for buckets of sparse columns. The memory of `table` must stay valid.
  EngineTable(const Table& table, const Schema& features, const Targets& targets, GrowSpec& spec,
              const EngineRequest& request, Fingerprint& fingerprint, Monitor& monitor);

  [[nodiscard]] std::unique_ptr<Engine> engine(const Targets& targets, const GrowSpec& spec) const;
  [[nodiscard]] std::string_view name() const noexcept { return name_; }

 private:
  using Maker = std::unique_ptr<Engine> (*)(const EngineTable&, const Targets&, const GrowSpec&);
  struct Search;
  struct Choice;
  static const Choice& choose(const Search& search);
  void code(const Table& table, const Schema& features, const Targets& targets, GrowSpec& spec,
            const EngineRequest& request, Fingerprint& fingerprint, Monitor& monitor);

  std::string_view name_;
  Maker make_ = nullptr;
  std::optional<CodedTable> codes_;      // the fast engine
  std::optional<RankedTable> ranked_;    // the ranked engine, for the trees that it fits
  std::optional<EncodedTable> encoded_;  // all others
};

/// The lists engine, of one arm or two.
std::unique_ptr<Engine> make_any_lists(const EncodedTable& table, const Targets& targets,
                                       const GrowSpec& spec);

}  // namespace bough
