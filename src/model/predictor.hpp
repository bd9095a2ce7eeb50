// SPDX-License-Identifier: Apache-2.0
// A model made ready to answer: its trees laid out compactly, and what their ends say.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "bough/model.hpp"
#include "model/combine.hpp"
#include "model/end_sums.hpp"
#include "predict/compact.hpp"

namespace bough {

/// Answers for blocks of rows, the same as Combiner's. Immutable; `parts` must outlive it.
class Predictor {
 public:
  explicit Predictor(const Model::Parts& parts);

  /// n_outputs numbers per row: class indices or values.
  template <class T>
  void predict(const CellGrid<T>& cells, std::span<double> out) const;
  /// The class shares of the output whose numbers begin at `start`, `width` per row.
  template <class T>
  void shares(const CellGrid<T>& cells, std::size_t start, std::size_t width, std::span<double> out) const;
  /// The leaf of every row in one tree.
  template <class T>
  void apply(std::size_t tree, const CellGrid<T>& cells, std::span<NodeId> out) const;
  /// Rows that are best answered in one call: enough of them that every tree is worth fetching.
  [[nodiscard]] std::size_t rows_at_once() const noexcept { return together_; }

 private:
  static constexpr std::size_t kBlock = 256;   // rows whose ends are held at once
  static constexpr std::size_t kFewRows = 32;  // not worth turning

  /// Numbers of every end, of which those from `start` on are wanted.
  struct Ready {
    std::span<const double> numbers;
    std::size_t start, width;
  };

  template <class T, class Each>
  void combine_rows(const CellGrid<T>& cells, std::size_t count, const Each& each) const;
  template <class T, class Each>
  void sum_trees(const CellGrid<T>& cells, std::size_t count, const Each& each) const;
  template <class T, class Each>
  void sum_rows(const CellGrid<T>& rows, std::size_t count, const Each& each) const;
  template <class T, class Told>
  void sum_different(const CellGrid<T>& rows, std::size_t count, const Told& told) const;
  template <class T>
  void add_trees(const CellGrid<T>& rows, Combiner& combiner, std::span<double> sums,
                 std::span<std::uint32_t> silent) const;
  template <class T>
  CellGrid<T> row_by_row(const CellGrid<T>& cells, std::size_t count, std::vector<T>& turned) const;
  template <class T, class Split>
  void copy_ready(const CellGrid<T>& cells, const Ready& ready, std::span<double> out,
                  const Split& split) const;
  template <class T, class Each>
  void for_ends(const CompactTree& tree, const CellGrid<T>& cells, std::size_t count, const Each& each) const;
  void make_answers();
  void make_shares();

  const Model::Parts* parts_;
  std::vector<CompactTree> trees_;
  std::vector<double> answers_;  // single tree: n_outputs numbers per end
  std::vector<double> shares_;   // single tree: the class shares of every end; empty where they would be many
  std::vector<EndSums> ends_;    // several trees: of each
  std::size_t n_columns_ = 0;
  std::size_t together_ = 2048;  // rows that go through one tree of a forest after the other
};

/// Makes the Predictor of a model when it is first asked for. Threads may race: one of them wins, all get the
/// same answers.
class PredictorCache {
 public:
  PredictorCache() = default;
  PredictorCache(const PredictorCache&) = delete;
  PredictorCache& operator=(const PredictorCache&) = delete;
  ~PredictorCache() { delete made_.load(); }

  const Predictor& of(const Model::Parts& parts) {
    if (const Predictor* made = made_.load(std::memory_order_acquire)) return *made;
    auto own = std::make_unique<const Predictor>(parts);
    const Predictor* expected = nullptr;
    if (made_.compare_exchange_strong(expected, own.get(), std::memory_order_acq_rel)) return *own.release();
    return *expected;
  }

 private:
  std::atomic<const Predictor*> made_{nullptr};
};

}  // namespace bough
