// SPDX-License-Identifier: Apache-2.0
// Training on blocks gives the bytes of training on all rows together: however rows are divided, in whichever order blocks
// answer, whatever is gathered, and when blocks lose their notes on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>

#include "bough/scale.hpp"
#include "engines/maker.hpp"
#include "scale/row_block.hpp"

namespace bough {
namespace {

std::uint64_t base_seed() {
  const char* text = std::getenv("BOUGH_SEED");
  return text == nullptr ? 20261115 : std::strtoull(text, nullptr, 10);
}

int n_cases() {
  if (const char* text = std::getenv("BOUGH_CASES")) return std::atoi(text);
#if defined(BOUGH_CHECKED)
  return 30;  // sanitizers
#else
  return 600;
#endif
}

class Divider {
 public:
  explicit Divider(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  /// Contiguous pieces, some of them empty.
  std::vector<Table> divide(const Table& table) {
    const auto n = static_cast<std::size_t>(table.n_rows());
    std::vector<std::size_t> ends(below(7));
    for (std::size_t& end : ends) end = below(n + 1);
    ends.push_back(n);
    std::sort(ends.begin(), ends.end());
    std::vector<Table> pieces;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      std::vector<RowId> rows(end - begin);
      std::iota(rows.begin(), rows.end(), static_cast<RowId>(begin));
      pieces.push_back(table.take(rows));
      begin = end;
    }
    return pieces;
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    std::shuffle(items.begin(), items.end(), random_);
  }

 private:
  std::mt19937_64 random_;
};

/// Blocks in some order; now and then one forgets what it noted, as a block that is made again elsewhere has nothing noted.
class ForgetfulExecutor final : public BlockExecutor {
 public:
  ForgetfulExecutor(const ScalePlan& plan, std::vector<RowBlock>& blocks, Divider& divider)
      : local_(plan, blocks), blocks_(&blocks), divider_(&divider) {}
  std::string ask(const std::string& request) override {
    forget();
    std::vector<std::string> answers;
    for (RowBlock& block : *blocks_) answers.push_back(answer(block, request));
    divider_->shuffle(answers);
    // Merged pair by pair, as workers do.
    while (answers.size() > 1) {
      std::vector<std::string> fewer;
      for (std::size_t i = 0; i < answers.size(); i += 2)
        fewer.push_back(
            merge_answers(std::span(answers).subspan(i, std::min<std::size_t>(2, answers.size() - i))));
      answers = std::move(fewer);
    }
    return answers.front();
  }
  std::vector<std::string> regroup(const std::string& request) override {
    forget();
    return local_.regroup(request);
  }

 private:
  void forget() {
    if (divider_->below(4) == 0) (*blocks_)[divider_->below(blocks_->size())].state().notes.reset();
  }
  LocalExecutor local_;
  std::vector<RowBlock>* blocks_;
  Divider* divider_;
};

// What training on blocks refuses becomes what it knows.
void make_fit(MadeCase& c, Divider& divider) {
  Params& p = c.params;
  p.splitter = "best";
  p.max_leaf_nodes.reset();
  if (p.criterion == "gain_ratio") p.criterion = "entropy";
  if (p.criterion == "absolute_error" || p.criterion == "quantile") p.criterion = "squared_error";
  if (divider.below(5) == 0) {
    p.forest = static_cast<std::int32_t>(1 + divider.below(4));
    p.bootstrap = c.spec.weight.empty() && divider.below(4) != 0;
    if (p.bootstrap && divider.below(2) == 0) p.max_samples = Amount::fraction(0.5);
  }
  if (divider.below(6) == 0) p.ccp_alpha = 0.001;
  if (p.task == "classification" && divider.below(6) == 0 && !p.bootstrap) p.class_weight.balanced = true;
}

BlockOptions draw_options(Divider& divider) {
  BlockOptions options;
  const std::int64_t gather[] = {0, 2000, 40000, std::int64_t{1} << 26};
  options.gather_bytes = gather[divider.below(4)];
  options.groups_at_once = divider.below(3);
  if (divider.below(3) == 0) options.histogram_bytes = 100000;
  if (divider.below(2) == 0) options.most_cells = divider.below(200);
  return options;
}

TEST(Blocks, give_the_bytes_of_all_rows_together) {
  const std::uint64_t base = base_seed();
  for (int i = 0; i < n_cases(); ++i) {
    const std::uint64_t seed = base + static_cast<std::uint64_t>(i);
    Maker maker(seed);
    MadeCase c = maker.make();
    Divider divider(seed);
    make_fit(c, divider);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + c.words + " forest " +
                 std::to_string(c.params.forest) + " bootstrap " + std::to_string(c.params.bootstrap) + " " +
                 c.params.criterion);
    const Model expected = fit(c.table, c.spec, c.params);
    const std::vector<Table> pieces = divider.divide(c.table);
    std::vector<std::string> summaries;
    for (const Table& piece : pieces) summaries.push_back(summarise(piece, c.spec, c.params));
    divider.shuffle(summaries);
    const ScalePlan plan = make_plan(merge_summaries(summaries), c.spec, c.params);
    std::vector<RowBlock> blocks;
    std::int64_t first = 0;
    for (const Table& piece : pieces) {
      blocks.emplace_back(piece, plan, first);
      first += piece.n_rows();
    }
    divider.shuffle(blocks);
    ForgetfulExecutor executor(plan, blocks, divider);
    Execution execution;
    execution.threads = 1 + i % 2;
    const Model model = fit_blocks(plan, executor, execution, draw_options(divider));
    ASSERT_EQ(model.trees().size(), expected.trees().size());
    for (std::size_t t = 0; t < model.trees().size(); ++t) {
      const Tree &got = model.trees()[t], &want = expected.trees()[t];
      ASSERT_EQ(got.n_nodes(), want.n_nodes()) << "tree " << t;
      for (NodeId node = 0; node < got.n_nodes(); ++node) {
        ASSERT_EQ(got.kind(node), want.kind(node)) << "tree " << t << " node " << node;
        ASSERT_EQ(got.column(node), want.column(node)) << "tree " << t << " node " << node;
        ASSERT_EQ(got.threshold(node), want.threshold(node)) << "tree " << t << " node " << node;
        ASSERT_EQ(got.gain(node), want.gain(node)) << "tree " << t << " node " << node;
        ASSERT_EQ(got.impurity(node), want.impurity(node)) << "tree " << t << " node " << node;
      }
      ASSERT_TRUE(got == want) << "tree " << t;
    }
    ASSERT_EQ(model.to_json(), expected.to_json());
    ASSERT_EQ(model.to_bytes(), expected.to_bytes());
  }
}

}  // namespace
}  // namespace bough
