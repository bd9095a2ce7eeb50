// SPDX-License-Identifier: Apache-2.0
// Growing a model from Python: the lock released, Ctrl-C and callbacks heard.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bindings.hpp"
#include "bough/forest.hpp"

namespace bough::python {
namespace {

// What ends a job from outside: a signal that Python turned into an exception, or a callback that raised or
// said stop.
class CancelState {
 public:
  explicit CancelState(const nb::object& progress) : progress_(progress) {}

  /// Called with the lock free, from the job's threads.
  bool report(const Progress& progress, bool signals) {
    if (stop_) return false;
    if (!signals && progress_.is_none()) return true;
    const nb::gil_scoped_acquire lock;
    try {
      if (signals && PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress_.is_none() &&
          !nb::cast<bool>(progress_(nb::str(progress.stage.data(), progress.stage.size()), progress.fraction,
                                    progress.nodes)))
        stop_ = true;
    } catch (nb::python_error&) {
      raised_ = std::current_exception();
      stop_ = true;
    }
    return !stop_;
  }
  /// Called with the lock held, from Python's own thread.
  void check_signals() {
    if (stop_ || PyErr_CheckSignals() == 0) return;
    try {
      throw nb::python_error();
    } catch (nb::python_error&) {
      raised_ = std::current_exception();
    }
    stop_ = true;
  }
  /// Throws what Python raised, if it did.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const nb::object& progress_;
  std::atomic<bool> stop_{false};
  std::exception_ptr raised_;
};

// Python handles signals on the thread that called us. With one thread that is also the one that works; with
// several it must not depend on which of them reports, so a helper runs the job and this one waits.
void run_beside(CancelState& cancel, const std::function<void()>& job) {
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false;
  std::exception_ptr thrown;
  const nb::gil_scoped_release free;
  std::thread worker([&] {
    try {
      job();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    finished = true;
    done.notify_one();
  });
  for (;;) {
    {
      std::unique_lock lock(mutex);
      if (done.wait_for(lock, std::chrono::milliseconds(50), [&] { return finished; })) break;
    }
    const nb::gil_scoped_acquire lock;
    cancel.check_signals();
  }
  worker.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

void run_free(int threads, bool watch_signals, const nb::object& progress,
              const std::function<void(const Execution&)>& job) {
  Execution execution;
  execution.threads = threads;
  if (!watch_signals && progress.is_none()) {
    const nb::gil_scoped_release free;
    job(execution);
    return;
  }
  CancelState cancel(progress);
  const bool alone = threads == 1;
  execution.progress = [&](const Progress& now) { return cancel.report(now, alone); };
  try {
    if (alone) {
      const nb::gil_scoped_release free;
      job(execution);
    } else {
      run_beside(cancel, [&] { job(execution); });
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) cancel.rethrow();
    throw;
  }
}

namespace {

std::optional<Kind> kind_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "numeric") return Kind::numeric;
  if (name == "ordinal") return Kind::ordinal;
  if (name == "category") return Kind::category;
  throw Error(ErrorCode::bad_params, "unknown kind of column '" + name + "'",
              "use numeric, ordinal or category");
}

}  // namespace

std::vector<ColumnSpec> column_specs(const nb::list& columns) {
  std::vector<ColumnSpec> specs;
  for (const nb::handle item : columns) {
    const auto parts = nb::cast<nb::tuple>(item);
    ColumnSpec spec;
    spec.name = nb::cast<std::string>(parts[0]);
    spec.kind = kind_named(nb::cast<std::string>(parts[1]));
    spec.order = nb::cast<std::vector<std::string>>(parts[2]);
    specs.push_back(std::move(spec));
  }
  return specs;
}

namespace {

FoldSpec::Kind fold_kind_named(const std::string& name) {
  if (name == "grouped") return FoldSpec::Kind::grouped;
  if (name == "ordered") return FoldSpec::Kind::ordered;
  if (name == "given") return FoldSpec::Kind::given;
  return FoldSpec::Kind::stratified;
}

Model fit_table(const Table& table, const std::vector<std::string>& targets, const std::string& weight,
                const nb::list& columns, const Params& params, int threads, const nb::object& progress,
                const std::string& engine, const std::string& fold_kind, const std::string& fold_column,
                const Model* so_far, const std::string& treatment) {
  FitSpec spec;
  spec.targets = targets;
  spec.weight = weight;
  spec.treatment = treatment;
  spec.columns = column_specs(columns);
  spec.folds = {fold_kind_named(fold_kind), fold_column};
  std::optional<Model> model;
  run_free(threads, true, progress, [&](const Execution& execution) {
    Execution own = execution;
    own.engine = engine;
    model = so_far ? grow_more(*so_far, table, spec, params, own) : fit(table, spec, params, own);
  });
  return std::move(*model);
}

}  // namespace

void add_fit(nb::module_& module) {
  module.def(
      "fit", &fit_table, "table"_a, "targets"_a, "weight"_a, "columns"_a, "params"_a, "threads"_a,
      "progress"_a.none() = nb::none(), "engine"_a = "auto", "fold_kind"_a = "stratified",
      "fold_column"_a = "", "so_far"_a.none() = nb::none(), "treatment"_a = "",
      "Grows a model on the columns of a table; `columns` lists (name, kind, order of levels). `so_far` is a "
      "forest to add trees to.");
}

}  // namespace bough::python
