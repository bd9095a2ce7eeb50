// SPDX-License-Identifier: Apache-2.0
// Progress and cancellation.
#include "base/monitor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace bough {
namespace {

TEST(Monitor, without_a_listener_ticks_do_nothing) {
  Monitor monitor;
  monitor.stage("grow");
  for (int i = 0; i < 1000; ++i) monitor.tick();
}

TEST(Monitor, the_first_tick_reports_stage_share_and_nodes) {
  std::string stage;
  double fraction = -1.0;
  std::int64_t nodes = -1;
  Monitor monitor([&](std::string_view name, double share, std::int64_t count) {
    stage = name;
    fraction = share;
    nodes = count;
    return true;
  });
  monitor.stage("encode");
  monitor.total(8);
  monitor.advance(2);
  monitor.nodes(5);
  monitor.tick();
  EXPECT_EQ(stage, "encode");
  EXPECT_EQ(fraction, 0.25);
  EXPECT_EQ(nodes, 5);
}

TEST(Monitor, ticks_in_quick_succession_are_reported_once) {
  int reports = 0;
  Monitor monitor([&](std::string_view, double, std::int64_t) {
    ++reports;
    return true;
  });
  for (int i = 0; i < 100; ++i) monitor.tick();
  EXPECT_GE(reports, 1);
  EXPECT_LT(reports, 100);
}

TEST(Monitor, a_refusal_cancels_here_and_at_every_later_tick) {
  int reports = 0;
  Monitor monitor([&](std::string_view, double, std::int64_t) {
    ++reports;
    return false;
  });
  for (int i = 0; i < 3; ++i) {
    try {
      monitor.tick();
      ADD_FAILURE() << "no tick may return";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
  }
  EXPECT_EQ(reports, 1);
}

TEST(Monitor, a_refusal_stops_every_thread) {
  Monitor monitor([](std::string_view, double, std::int64_t) { return false; });
  std::vector<std::thread> threads;
  std::atomic<int> stopped{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      try {
        for (;;) monitor.tick();
      } catch (const Error&) {
        ++stopped;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stopped, 4);
}

}  // namespace
}  // namespace bough
