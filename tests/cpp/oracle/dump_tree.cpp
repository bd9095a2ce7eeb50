// SPDX-License-Identifier: Apache-2.0
// Fits a tree on a CSV file and prints its JSON twin, for comparison with other programs:
//   dump_tree data.csv target task criterion max_depth|none engine
#include <cstdio>
#include <exception>

#include "bough/model.hpp"

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("usage: dump_tree data.csv target task criterion max_depth|none engine\n", stderr);
    return 2;
  }
  try {
    bough::FitSpec spec;
    spec.targets.emplace_back(argv[2]);
    bough::Params params;
    bough::set_param(params, "task", argv[3]);
    bough::set_param(params, "criterion", argv[4]);
    bough::set_param(params, "max_depth", argv[5]);
    bough::Execution execution;
    execution.engine = argv[6];
    const bough::Model model = bough::fit(bough::read_table(argv[1]), spec, params, execution);
    std::puts(model.to_json().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
