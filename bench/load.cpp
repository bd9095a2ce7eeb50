// SPDX-License-Identifier: Apache-2.0
// bench_load: prediction as a long-lived service does it. Threads answer single rows and batches while the
// model's file is replaced on the disk and loaded again and again, an old model and a new one in turns. Every
// answer is compared with what the model that gave it has said alone, before all this; memory is watched.
// Needs no other file on the machine.
//
// usage: bench_load [--seconds 10] [--threads 8] [--trees 40] [--every-ms 50] [--out load]
// Writes OUT.csv and OUT.md. Status 1 after a wrong answer or when memory grows.
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "bough/bough.hpp"
#include "latency.hpp"
#include "made.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using bench::Latencies;

struct Wishes {
  double seconds = 10.0;
  int threads = 8, trees = 40, every_ms = 50;
  std::string out = "load";
};

enum Kind : std::size_t { kRow, kProba, kTable, kBatch, kLarge, kKinds };
constexpr std::array<const char*, kKinds> kNames{"one row (predict_row)", "one row, class shares",
                                                 "one row, as a table", "256 rows, one thread",
                                                 "4096 rows, all cores"};
constexpr std::int64_t kRows = 8192, kColumns = 28, kFew = 256, kMany = 4096;

/// What one model says about all rows, asked alone and before everything else.
struct Judged {
  bough::Model model;
  std::vector<double> answers, shares;
};

/// How many models are in memory: the one in use, and those that a slow answer still holds.
struct Alive {
  std::atomic<int> now{0}, most{0};
  void add() {
    const int count = ++now;
    for (int seen = most; seen < count && !most.compare_exchange_weak(seen, count);) continue;
  }
};

/// The model in use; which of the two it is was read from its own file.
struct Served {
  Served(bough::Model made, std::size_t is, Alive& count) : model(std::move(made)), which(is), alive(count) {
    alive.add();
  }
  ~Served() { --alive.now; }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  bough::Model model;
  std::size_t which;
  Alive& alive;
};

class Service {
 public:
  explicit Service(const Wishes& wishes)
      : wishes_(wishes),
        made_(bench::make(kRows, kColumns)),
        judged_{judge(wishes.trees, 1), judge(wishes.trees / 2 + 1, 2)} {
    folder_ = std::filesystem::temp_directory_path() / ("bough-load-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "model.bough").string();
    judged_[0].model.save(path_);
    reload();
  }
  ~Service() { std::filesystem::remove_all(folder_); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  int run() {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(wishes_.threads) + 2);
    std::vector<std::array<Latencies, kKinds>> times(static_cast<std::size_t>(wishes_.threads));
    threads.emplace_back([&] { every([&] { judged_[++saves_ % 2].model.save(path_); }); });
    threads.emplace_back([&] { every([&] { reload(); }); });
    for (int i = 0; i < wishes_.threads; ++i)
      threads.emplace_back(
          [&, i] { answer(static_cast<std::uint64_t>(i), times[static_cast<std::size_t>(i)]); });
    watch_memory();
    stop_ = true;
    for (std::thread& thread : threads) thread.join();
    std::array<Latencies, kKinds> all;
    for (const auto& one : times)
      for (std::size_t k = 0; k < kKinds; ++k) all[k].add(one[k]);
    return tell(all);
  }

 private:
  Judged judge(int trees, std::int64_t seed) const {
    bough::Table table = matrix(0, kRows);
    std::vector<std::int64_t> y(made_.y.begin(), made_.y.end());
    table.add("y", y);
    bough::FitSpec spec;
    spec.targets = {"y"};
    bough::Params params;
    params.task = "classification";
    params.forest = trees;
    params.seed = seed;
    params.max_features = bough::Amount::named(bough::Amount::Unit::sqrt);
    bough::Model::Parts parts = bough::fit(table, spec, params).parts();
    parts.provenance.command = seed == 1 ? "old" : "new";
    const bough::Model model(std::move(parts));
    return {model, model.predict(matrix(0, kRows), {.threads = 1}),
            model.predict_proba(matrix(0, kRows), 0, {.threads = 1})};
  }

  [[nodiscard]] bough::Table matrix(std::int64_t first, std::int64_t rows) const {
    bough::Table table;
    table.view_matrix(bough::Dtype::f32, made_.x.data() + first * kColumns, rows, kColumns, kColumns * 4, 4);
    return table;
  }
  [[nodiscard]] bough::MatrixView view(std::int64_t first, std::int64_t rows) const {
    return {bough::Dtype::f32, made_.x.data() + first * kColumns, rows, kColumns, kColumns * 4, 4};
  }

  template <class Body>
  void every(const Body& body) {
    while (!stop_) {
      body();
      std::this_thread::sleep_for(std::chrono::milliseconds(wishes_.every_ms));
    }
  }

  // As a service does it: load, let it answer once, then let all others have it.
  void reload() {
    bough::Model model = bough::Model::load(path_);
    double out = 0.0;
    model.predict_row(row(0), {&out, 1});
    const std::size_t which = model.parts().provenance.command == "old" ? 0 : 1;
    const auto served = std::make_shared<const Served>(std::move(model), which, alive_);
    const std::lock_guard lock(mutex_);
    served_ = served;
    ++reloads_;
  }
  [[nodiscard]] std::shared_ptr<const Served> served() const {
    const std::lock_guard lock(mutex_);
    return served_;
  }
  [[nodiscard]] std::span<const float> row(std::int64_t i) const {
    return {made_.x.data() + i * kColumns, static_cast<std::size_t>(kColumns)};
  }

  // One of the answering threads.
  void answer(std::uint64_t seed, std::array<Latencies, kKinds>& times) {
    bench::Random random(seed);
    std::vector<double> out(static_cast<std::size_t>(2 * kMany));
    while (!stop_) {
      const std::uint64_t draw = random.next();
      const Kind kind = draw % 1024 == 0 ? kLarge
                        : draw % 64 == 1 ? kBatch
                        : draw % 8 == 2  ? kTable
                        : draw % 4 == 3  ? kProba
                                         : kRow;
      const std::int64_t rows = kind == kLarge ? kMany : kind == kBatch ? kFew : 1;
      const auto first =
          static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(kRows - rows + 1));
      const auto begin = Clock::now();
      const std::shared_ptr<const Served> now = served();
      ask(now->model, kind, first, rows, out);
      times[kind].add(static_cast<std::uint64_t>((Clock::now() - begin).count()));
      check(judged_[now->which], kind, first, rows, out);
    }
  }

  void ask(const bough::Model& model, Kind kind, std::int64_t first, std::int64_t rows,
           std::vector<double>& out) const {
    const std::span<double> room(out.data(), static_cast<std::size_t>(kind == kProba ? 2 : rows));
    if (kind == kRow) model.predict_row(row(first), room);
    if (kind == kProba) model.predict_proba(view(first, 1), 0, room, {.threads = 1});
    if (kind == kTable) room[0] = model.predict(matrix(first, 1))[0];
    if (kind == kBatch) model.predict(view(first, rows), room, {.threads = 1});
    if (kind == kLarge) model.predict(view(first, rows), room);
  }

  void check(const Judged& judged, Kind kind, std::int64_t first, std::int64_t rows,
             const std::vector<double>& out) {
    const double* expected =
        kind == kProba ? judged.shares.data() + 2 * first : judged.answers.data() + first;
    if (std::memcmp(out.data(), expected,
                    static_cast<std::size_t>(kind == kProba ? 2 : rows) * sizeof(double)) != 0)
      ++wrong_;
  }

  static double resident_mb() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
  }

  // Samples until the time is over; the first fifth is warm-up.
  void watch_memory() {
    const auto begin = Clock::now();
    const double step = std::min(1.0, wishes_.seconds / 50);
    for (double at = 0.0; at < wishes_.seconds;
         at = std::chrono::duration<double>(Clock::now() - begin).count()) {
      std::this_thread::sleep_for(std::chrono::duration<double>(step));
      if (at >= wishes_.seconds / 5) memory_.push_back(resident_mb());
    }
  }
  [[nodiscard]] double most(std::size_t from, std::size_t to) const {
    return *std::max_element(memory_.begin() + static_cast<std::ptrdiff_t>(from),
                             memory_.begin() + static_cast<std::ptrdiff_t>(to));
  }

  int tell(const std::array<Latencies, kKinds>& times) const {
    std::ofstream csv(wishes_.out + ".csv"), page(wishes_.out + ".md");
    csv << "what,answers,p50_us,p90_us,p99_us,p999_us,max_us\n";
    std::string table =
        "| answer | how many | p50 | p90 | p99 | p99.9 | longest |\n|---|---|---|---|---|---|---|\n";
    std::uint64_t answers = 0;
    for (std::size_t k = 0; k < kKinds; ++k) {
      const Latencies& one = times[k];
      answers += one.count();
      char line[400];
      std::snprintf(line, sizeof line, "\"%s\",%llu,%.2f,%.2f,%.2f,%.2f,%.2f\n", kNames[k],
                    static_cast<unsigned long long>(one.count()), one.share_us(0.5), one.share_us(0.9),
                    one.share_us(0.99), one.share_us(0.999), one.max_us());
      csv << line;
      std::snprintf(line, sizeof line, "| %s | %llu | %.1f µs | %.1f µs | %.1f µs | %.1f µs | %.2f ms |\n",
                    kNames[k], static_cast<unsigned long long>(one.count()), one.share_us(0.5),
                    one.share_us(0.9), one.share_us(0.99), one.share_us(0.999), one.max_us() / 1000.0);
      table += line;
    }
    // Memory of the last third against that of the first one after the warm-up; a leaked model a second would
    // be megabytes.
    const std::size_t third = std::max<std::size_t>(1, memory_.size() / 3);
    const bool grows = most(memory_.size() - third, memory_.size()) > most(0, third) * 1.1 + 8.0;
    char words[800];
    std::snprintf(
        words, sizeof words,
        "%d threads on %u cores for %.0f s: %llu answers, %llu wrong; %llu times the file was replaced, %llu "
        "times a model "
        "loaded, %d of them in memory at most. Resident memory after the warm-up: %.1f MB first, %.1f MB "
        "last, "
        "%.1f MB at most%s.\n",
        wishes_.threads, std::thread::hardware_concurrency(), wishes_.seconds,
        static_cast<unsigned long long>(answers), static_cast<unsigned long long>(wrong_.load()),
        static_cast<unsigned long long>(saves_.load()), static_cast<unsigned long long>(reloads_.load()),
        alive_.most.load(), memory_.front(), memory_.back(), most(0, memory_.size()),
        grows ? " (IT GROWS)" : "");
    page << "# Prediction as a service\n\nForests of " << wishes_.trees << " and " << wishes_.trees / 2 + 1
         << " trees, 28 columns; written by `bench_load`.\n\n"
         << words << '\n'
         << table;
    std::printf("%s\n%s", words, table.c_str());
    return wrong_ > 0 || grows ? 1 : 0;
  }

  Wishes wishes_;
  bench::Made made_;
  std::array<Judged, 2> judged_;
  std::filesystem::path folder_;
  std::string path_;
  mutable std::mutex mutex_;
  Alive alive_;
  std::shared_ptr<const Served> served_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> saves_{0}, reloads_{0}, wrong_{0};
  std::vector<double> memory_;
};

Wishes parse(int argc, char** argv) {
  Wishes wishes;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (value != nullptr && key == "--seconds") {
      wishes.seconds = std::atof(value);
    } else if (value != nullptr && key == "--threads") {
      wishes.threads = std::atoi(value);
    } else if (value != nullptr && key == "--trees") {
      wishes.trees = std::atoi(value);
    } else if (value != nullptr && key == "--every-ms") {
      wishes.every_ms = std::atoi(value);
    } else if (value != nullptr && key == "--out") {
      wishes.out = value;
    } else {
      std::fprintf(
          stderr,
          "usage: bench_load [--seconds 10] [--threads 8] [--trees 40] [--every-ms 50] [--out load]\n");
      std::exit(2);
    }
  }
  return wishes;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Service(parse(argc, argv)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_load: %s\n", error.what());
    return 1;
  }
}
