// SPDX-License-Identifier: Apache-2.0
// Trees of tables so small that all or most of them is one tile: sorted tiles (numbers as targets) and tiles of bytes (classes),
// where the processor has them, give the bytes of the other tiles and of the lists engine.
#include "split/ranked/sorted_tile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <string>

#include "base/instruction_sets.hpp"
#include "bough/model.hpp"
#include "engines/random_cases.hpp"
#include "split/ranked/byte_tile.hpp"

namespace bough {
namespace {

class Maker : CaseMaker {
 public:
  using CaseMaker::CaseMaker;

  // Sizes around those at which a node of a tile is searched in another way, and all others now and then.
  Case make(bool classes) {
    static constexpr int sizes[] = {2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64};
    Case c;
    // The last ones have columns of more than 256 values.
    const int n = chance(60)   ? sizes[below(13)]
                  : chance(80) ? 2 + below(63)
                               : 260 + below(200),
              n_columns = chance(80) ? 1 + below(9) : 60 + below(10);
    std::vector<double> y(static_cast<std::size_t>(n)), x(y.size()), w(y.size());
    const int style = below(5), ties = 1 + below(n + 3), n_classes = 2 + below(chance(70) ? 3 : 60);
    for (int j = 0; j < n_columns; ++j) {
      const int kind = below(5);
      for (double& v : x)
        v = kind == 0   ? normal()
            : kind == 1 ? below(2)
            : kind == 2 ? below(ties)
            : kind == 3 ? (chance(90) ? 0.0 : normal())
                        : 4.0;
      c.table.add(std::string("x").append(std::to_string(j)), std::span<const double>(x));
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = classes      ? below(n_classes)
             : style == 0 ? below(3)
             : style == 1 ? below(100000)
             : style == 2 ? normal()
             : style == 3 ? 1e6 + normal() * 1e-9
                          : std::ldexp(normal(), below(60));
      w[i] = chance(90) ? 1 + below(chance(50) ? 2 : 3000) : 0;
    }
    if (classes) y.back() = y.front() == 0.0 ? 1.0 : 0.0;  // two at least
    w[0] = 1.0;
    c.table.add("y", std::span<const double>(y));
    c.spec.targets = {"y"};
    if (chance(40)) {
      c.table.add("w", std::span<const double>(w));
      c.spec.weight.assign(1, 'w');
    }
    c.params.task = classes ? "classification" : "regression";
    if (chance(30)) c.params.forest = 1 + below(3);
    if (chance(50)) c.params.max_features = Amount::count(1 + below(n_columns));
    if (chance(20)) c.params.max_depth = 1 + below(6);
    if (chance(20)) c.params.min_samples_split = Amount::count(2 + below(20));
    if (chance(10)) c.params.min_impurity_decrease = 0.001 * below(20);
    c.params.seed = below(1000);
    return c;
  }
};

std::string bytes_of(const Case& c, const char* engine) {
  Execution execution;
  execution.threads = 1;
  execution.engine = engine;
  const Model model = fit(c.table, c.spec, c.params, execution);
  EXPECT_EQ(model.parts().provenance.engine, engine);
  return model.to_bytes();
}

void compare(bool classes, bool (*has_such)() noexcept) {
  const std::uint64_t base = base_seed();
  std::cout << "BOUGH_SEED=" << base << (has_such() ? "\n" : ", no such tiles on this processor\n");
  for (int i = 0; i < cases_or(1500, 60); ++i) {
    const Case c = Maker(base + static_cast<std::uint64_t>(i)).make(classes);
    const std::string expected = bytes_of(c, "lists");
    int n_such = 0, n_others = 0;
    for (const std::int64_t target : instruction_sets()) {
      const Only only(target);
      ++(has_such() ? n_such : n_others);
      ASSERT_EQ(bytes_of(c, "ranked"), expected)
          << hwy::TargetName(target) << ", seed " << base + static_cast<std::uint64_t>(i) << ", "
          << c.table.n_rows() << " rows, " << params_to_json(c.params);
    }
    ASSERT_LE(n_such, 1);
    ASSERT_GE(n_others, 1);
  }
}

TEST(sorted_tile, models_are_those_of_other_tiles_and_of_the_lists_engine) {
  compare(false, has_sorted_tiles);
}

TEST(byte_tile, models_are_those_of_other_tiles_and_of_the_lists_engine) {
  compare(true, has_byte_tiles);
}

}  // namespace
}  // namespace bough
