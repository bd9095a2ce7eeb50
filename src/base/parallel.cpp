// SPDX-License-Identifier: Apache-2.0
// Loops over independent pieces: the only place that knows oneTBB.
//
// A loop that may use one thread only never meets oneTBB: it runs right here, so that small jobs (one row to
// predict, one tree of a forest) pay for no arena and take no lock. The same holds in a process that was
// forked from one that had used threads: they do not exist there, and what they held at that moment stays
// locked for ever.
#include "base/parallel.hpp"

#include <algorithm>

#if !defined(BOUGH_SERIAL)
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>
#endif

#if defined(BOUGH_TSAN)  // by the build, which does not let the sanitizer watch this file itself
#include <sanitizer/tsan_interface.h>
#endif

namespace bough {

#if defined(BOUGH_SERIAL)

void with_threads(int, const std::function<void()>& body) {
  body();
}

int available_threads() {
  return 1;
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

void parallel_ranges(std::size_t count, std::size_t,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  if (count > 0) body(0, count);
}

#else

namespace {

thread_local bool alone = false;  // inside with_threads(1)

std::atomic<bool> forked{false};

bool is_serial() noexcept {
  return alone || forked.load(std::memory_order_relaxed);
}

// From now on there are other threads; a child of this process will have none of them.
void remember_threads() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  static_cast<void>(registered);
}

// Sets `alone` for a while.
class Alone {
 public:
  explicit Alone(bool now) noexcept : before_(std::exchange(alone, now)) {}
  ~Alone() { alone = before_; }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  bool before_;
};

// An arena for one call, of those that earlier calls have left. To make one for every call is what oneTBB
// invites to, but it gives back the memory of an arena only when its workers happen to come by: a service
// that asked all cores for an answer now and then grew by megabytes a minute. Calls at the same time have
// arenas of their own, so that nobody who waits for his pieces runs into those of another.
class BorrowedArena {
 public:
  using Arena = oneapi::tbb::task_arena;

  explicit BorrowedArena(int threads) : arena_(idle(threads)) {
    if (arena_ == nullptr) arena_ = std::make_unique<Arena>(threads);
  }
  ~BorrowedArena() {
    try {
      const std::lock_guard lock(shelf().mutex);
      shelf().arenas.push_back(std::move(arena_));
    } catch (...) {  // no memory for its place on the shelf: the arena goes
    }
  }
  BorrowedArena(const BorrowedArena&) = delete;
  BorrowedArena& operator=(const BorrowedArena&) = delete;

  Arena& operator*() const noexcept { return *arena_; }

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<Arena> > arenas;
  };
  static Shelf& shelf() {
    static Shelf& shelf = *new Shelf;  // never destroyed: threads may still be at work when the program ends
    return shelf;
  }
  static std::unique_ptr<Arena> idle(int threads) {
    const std::lock_guard lock(shelf().mutex);
    std::vector<std::unique_ptr<Arena> >& all = shelf().arenas;
    const auto found =
        std::ranges::find_if(all, [&](const auto& arena) { return arena->max_concurrency() == threads; });
    if (found == all.end()) return nullptr;
    std::unique_ptr<Arena> arena = std::move(*found);
    all.erase(found);
    return arena;
  }

  std::unique_ptr<Arena> arena_;
};

// What a loop's pieces share: the body, and the first exception. After one the pieces that are left do
// nothing, and oneTBB is not asked to stop: it would stop loops inside other pieces too, which then went on
// with work half done.
//
// The library of oneTBB is not watched by the thread
// sanitizer, so what it promises is told here: what was written before the loop is seen by the pieces, and
// what they wrote by whoever comes after the loop. Pieces promise each other nothing.
template <class... At>
class Loop {
 public:
  explicit Loop(const std::function<void(At...)>& body) : body_(body) { release(&begin_); }

  void piece(At... at) noexcept {
    acquire(&begin_);
    try {
      if (!failed_.load(std::memory_order_relaxed)) body_(at...);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failed_.exchange(true, std::memory_order_relaxed)) thrown_ = std::current_exception();
    }
    release(&end_);
  }
  /// After the last piece.
  void finish() {
    acquire(&end_);
    if (thrown_) std::rethrow_exception(std::move(thrown_));
  }

 private:
#if defined(BOUGH_TSAN)
  static void acquire(char* tag) noexcept {
    __tsan_acquire(tag);
  }
  static void release(char* tag) noexcept {
    __tsan_release(tag);
  }
#else
  static void acquire(char*) noexcept {}
  static void release(char*) noexcept {}
#endif

  const std::function<void(At...)>& body_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
  std::atomic<bool> failed_{false};
  char begin_ = 0, end_ = 0;
};

}  // namespace

void with_threads(int threads, const std::function<void()>& body) {
  // Asked for more threads than there are cores, oneTBB prints a warning.
  const auto cores = [] { return oneapi::tbb::info::default_concurrency(); };
  const int most = threads == 1 || forked.load(std::memory_order_relaxed) ? 1
                   : threads > 0                                          ? std::min(threads, cores())
                                                                          : cores();
  const Alone scope(most == 1);
  if (most == 1) {
    body();
    return;
  }
  remember_threads();
  const BorrowedArena arena(most);
  Loop<> once(body);
  Loop<>* const at = &once;
  (*arena).execute([at]() { at->piece(); });
  once.finish();
}

int available_threads() {
  return is_serial() ? 1 : oneapi::tbb::this_task_arena::max_concurrency();
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count <= 1 || is_serial()) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  remember_threads();
  Loop<std::size_t> loop(body);
  Loop<std::size_t>* const at = &loop;
  oneapi::tbb::parallel_for(std::size_t{0}, count, [at](std::size_t i) { at->piece(i); });
  loop.finish();
}

void parallel_ranges(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  if (count <= grain || is_serial()) {
    if (count > 0) body(0, count);
    return;
  }
  remember_threads();
  Loop<std::size_t, std::size_t> loop(body);
  Loop<std::size_t, std::size_t>* const at = &loop;
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain),
                            [at](const auto& range) { at->piece(range.begin(), range.end()); });
  loop.finish();
}

#endif

}  // namespace bough
