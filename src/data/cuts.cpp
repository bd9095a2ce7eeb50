// SPDX-License-Identifier: Apache-2.0
// Few values, or quantiles.
#include "data/cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vector_sort.hpp"

namespace bough {
namespace {

constexpr std::size_t kMaxCuts = 254;  // buckets 0 .. 254

// Quantiles of the sample: 226 even ones and 14 geometric ones at each end.
std::vector<double> sample_levels() {
  constexpr int even = 226, ends = 7;
  std::vector<double> levels;
  for (int j = 1; j < even; ++j) levels.push_back(static_cast<double>(j) / even);
  for (int g = 1; g <= ends; ++g) {
    levels.push_back(std::ldexp(1.0 / even, -g));
    levels.push_back(1.0 - std::ldexp(1.0 / even, -g));
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

// Cuts from a sorted sample. All values when they are few; otherwise quantiles, where a value that is hit
// twice gets a bucket of its own by a second cut just below it.
template <class T>
std::vector<T> cuts_of(const std::vector<T>& sample, bool& dense) {
  std::vector<T> cuts;
  for (const T x : sample) {
    if (!cuts.empty() && cuts.back() == x) continue;
    if (cuts.size() == kMaxCuts) break;
    cuts.push_back(x);
  }
  dense = sample.empty() || cuts.back() == sample.back();
  if (dense) return cuts;
  cuts.clear();
  static const std::vector<double> levels = sample_levels();
  std::vector<T> heavy;
  for (const double level : levels) {
    const T x = sample[std::min(sample.size() - 1,
                                static_cast<std::size_t>(level * static_cast<double>(sample.size())))];
    if (cuts.empty() || cuts.back() != x) {
      cuts.push_back(x);
    } else if (heavy.empty() || heavy.back() != x) {
      heavy.push_back(x);
    }
  }
  for (const T x : heavy) cuts.push_back(std::nextafter(x, -std::numeric_limits<T>::infinity()));
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.resize(std::min(cuts.size(), kMaxCuts));
  return cuts;
}

template <class T>
ColumnCuts choose(std::vector<T> sample) {
  std::erase_if(sample, [](T x) { return std::isnan(x); });
  vector_sort(std::span(sample));
  ColumnCuts chosen;
  const std::vector<T> cuts = cuts_of(sample, chosen.dense);
  chosen.cuts.assign(cuts.begin(), cuts.end());
  return chosen;
}

}  // namespace

ColumnCuts choose_cuts(std::vector<double> sample, bool is_float) {
  ColumnCuts chosen =
      is_float ? choose(std::vector<float>(sample.begin(), sample.end())) : choose(std::move(sample));
  chosen.is_float = is_float;
  return chosen;
}

}  // namespace bough
