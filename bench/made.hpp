// SPDX-License-Identifier: Apache-2.0
// The made data of the benchmarks: 28 float columns, some with repeated values, interactions and label noise.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace bench {

/// A fixed generator (splitmix64), so that every machine and language can make the same numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// About normal: the sum of four uniform numbers, scaled to variance 1.
  double bell() { return (unit() + unit() + unit() + unit() - 2.0) * 1.7320508075688772; }

 private:
  std::uint64_t state_;
};

struct Made {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> x;         ///< row after row
  std::vector<std::int32_t> y;  ///< two classes
  std::vector<double> z;        ///< number target
};

inline Made make(std::int64_t rows, std::int64_t columns = 28, std::uint64_t seed = 1) {
  Made made{rows, columns, {}, {}, {}};
  made.x.resize(static_cast<std::size_t>(rows * columns));
  made.y.resize(static_cast<std::size_t>(rows));
  made.z.resize(static_cast<std::size_t>(rows));
  Random random(seed);
  for (std::int64_t i = 0; i < rows; ++i) {
    float* row = made.x.data() + i * columns;
    for (std::int64_t j = 0; j < columns; ++j) {
      const double v = random.bell();
      switch (j % 7) {
        case 2:
          row[j] = static_cast<float>(std::floor(v * 4.0) / 4.0);
          break;  // few values
        case 4:
          row[j] = static_cast<float>(std::floor(v * 250.0) / 250.0);
          break;  // many repeated values
        case 5:
          row[j] = static_cast<float>(v * v * v);
          break;  // long tails
        default:
          row[j] = static_cast<float>(v);
      }
    }
    const auto at = [&](std::int64_t j) { return static_cast<double>(row[j % columns]); };
    const double signal = at(0) * at(1) + 0.8 * at(3) + (at(6) > 0.3 ? 1.0 : 0.0) * at(8) + 0.5 * at(2) -
                          0.4 * at(5) + 0.6 * (at(10) > at(13) ? 1.0 : -1.0) + 0.3 * at(4) * at(7);
    made.z[static_cast<std::size_t>(i)] = signal + 0.5 * random.bell();
    made.y[static_cast<std::size_t>(i)] = signal + 0.8 * random.bell() > 0.2 ? 1 : 0;
  }
  return made;
}

}  // namespace bench
