// SPDX-License-Identifier: Apache-2.0
// Tables for the tests of studies.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bough/study.hpp"

namespace bough::testing {

inline Table iris_table() {
  return read_table("cli/data/iris.csv");
}

inline FitSpec target(const std::string& name) {
  FitSpec spec;
  spec.targets = {name};
  return spec;
}

inline Params depth(std::int32_t levels) {
  Params params;
  params.max_depth = levels;
  return params;
}

/// Numbers a, b, c, a category and a target: y follows a and the category when `linked`, else nothing.
inline Table mixed(std::size_t n_rows, unsigned seed, bool linked = true, bool classes = true) {
  std::mt19937 random(seed);
  std::vector<double> a, b, c, numbers;
  std::vector<std::string> colour, labels;
  const std::vector<std::string> names{"red", "green", "blue", "</script>"};
  for (std::size_t i = 0; i < n_rows; ++i) {
    a.push_back(static_cast<double>(random() % 50));
    b.push_back(static_cast<double>(random() % 7));
    c.push_back(random() % 9 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : static_cast<double>(random() % 13));
    colour.push_back(names[random() % names.size()]);
    const double noise = static_cast<double>(random() % 20);
    const double truth = linked ? a.back() + (colour.back() == "red" ? 15.0 : 0.0) : 0.0;
    numbers.push_back(truth + noise);
    labels.push_back(linked ? (truth + noise > 35.0 ? "yes" : "no") : (random() % 2 == 0 ? "yes" : "no"));
  }
  Table table;
  table.add("a", std::span<const double>(a));
  table.add("b", std::span<const double>(b));
  table.add("c", std::span<const double>(c));
  table.add("colour", std::span<const std::string>(colour));
  if (classes)
    table.add("y", std::span<const std::string>(labels));
  else
    table.add("y", std::span<const double>(numbers));
  return table;
}

inline std::string complaint(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

}  // namespace bough::testing
