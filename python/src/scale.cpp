// SPDX-License-Identifier: Apache-2.0
// Training on blocks of rows: what workers do with their rows, and the fit that asks them through Python.
#include "bough/scale.hpp"

#include <nanobind/stl/tuple.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>

#include "bindings.hpp"

namespace bough::python {
namespace {

/// A block and who uses it: the tasks of a worker may share it, one after the other.
struct Block {
  explicit Block(RowBlock made) : rows(std::move(made)) {}
  RowBlock rows;
  std::mutex busy;
};

nb::bytes to_bytes(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}
std::string_view view_of(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Bytes, or an array of them, which pickle sends without copying.
std::string string_of(const nb::handle& item) {
  if (nb::isinstance<nb::bytes>(item)) return std::string(view_of(nb::borrow<nb::bytes>(item)));
  const auto array = nb::cast<Bytes>(item);
  return {reinterpret_cast<const char*>(array.data()), array.size()};
}
std::vector<std::string> strings_of(const nb::list& items) {
  std::vector<std::string> out;
  out.reserve(items.size());
  for (const nb::handle item : items) out.push_back(string_of(item));
  return out;
}
nb::object to_array(std::string text) {
  auto* kept = new std::string(std::move(text));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::string*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(kept->data(), {kept->size()}, owner));
}
nb::list to_list(const std::vector<std::string>& items) {
  nb::list out;
  for (const std::string& item : items) out.append(to_bytes(item));
  return out;
}
/// Runs `job` without the interpreter's lock, with so many threads.
template <class Job>
auto freely(int threads, const Job& job) {
  const nb::gil_scoped_release free;
  std::optional<std::invoke_result_t<const Job&>> out;
  with_threads(threads, [&] { out.emplace(job()); });
  return std::move(*out);
}

// ---------------------------------------------------------------- specs, tables and plans
using SpecState = std::tuple<std::vector<std::string>, std::string, nb::list, std::vector<std::string>>;

FitSpec make_spec(const std::vector<std::string>& targets, const std::string& weight, const nb::list& columns,
                  const std::vector<std::string>& ignored) {
  FitSpec spec;
  spec.targets = targets;
  spec.weight = weight;
  spec.columns = column_specs(columns);
  spec.ignored = ignored;
  return spec;
}

SpecState state_of(const FitSpec& spec) {
  constexpr const char* kKinds[] = {"numeric", "ordinal", "category"};
  nb::list columns;
  for (const ColumnSpec& column : spec.columns)
    columns.append(nb::make_tuple(
        column.name, column.kind ? kKinds[static_cast<std::size_t>(*column.kind)] : "", column.order));
  return {spec.targets, spec.weight, columns, spec.ignored};
}

Table read_file(const std::string& path, const std::string& delimiter, std::optional<bool> header,
                const std::optional<std::vector<std::string>>& missing,
                const std::vector<std::string>& numeric_columns, const std::vector<std::string>& text_columns,
                const std::vector<std::string>& known_names, const std::string& format) {
  ReadOptions options;
  if (!delimiter.empty()) options.delimiter = delimiter[0];
  options.header = header;
  if (missing) options.missing = *missing;
  options.numeric_columns = numeric_columns;
  options.text_columns = text_columns;
  options.known_names = known_names;
  options.format = format;
  return freely(1, [&] { return read_table(path, options); });
}

void add_plans(nb::module_& module) {
  nb::class_<FitSpec>(module, "FitSpec", "Which columns of a table play which part.")
      .def(
          "__init__",
          [](FitSpec* self, const std::vector<std::string>& targets, const std::string& weight,
             const nb::list& columns, const std::vector<std::string>& ignored) {
            new (self) FitSpec(make_spec(targets, weight, columns, ignored));
          },
          "targets"_a, "weight"_a = "", "columns"_a = nb::list(), "ignored"_a = std::vector<std::string>())
      .def("__getstate__", &state_of)
      .def("__setstate__", [](FitSpec* self, const SpecState& state) {
        new (self) FitSpec(
            make_spec(std::get<0>(state), std::get<1>(state), std::get<2>(state), std::get<3>(state)));
      });
  module.def("read_table", &read_file, "path"_a, "delimiter"_a = "", "header"_a.none() = nb::none(),
             "missing"_a.none() = nb::none(), "numeric_columns"_a = std::vector<std::string>(),
             "text_columns"_a = std::vector<std::string>(), "known_names"_a = std::vector<std::string>(),
             "format"_a = "", "The rows of a file, as the command line reads them.");
  module.def(
      "summarise",
      [](const Table& rows, const FitSpec& spec, const Params& params) {
        return to_bytes(freely(1, [&] { return summarise(rows, spec, params); }));
      },
      "rows"_a, "spec"_a, "params"_a, "What one block says about its columns.");
  module.def(
      "merge_summaries",
      [](const nb::list& summaries) {
        const auto parts = strings_of(summaries);
        return to_bytes(freely(1, [&] { return merge_summaries(parts); }));
      },
      "summaries"_a, "Several summaries as one; the order does not matter.");
  module.def(
      "check_scale_params",
      [](const FitSpec& spec, const Params& params) { check_scale_params(spec, params); }, "spec"_a,
      "params"_a, "Refuses by name what cannot be trained on blocks.");
  nb::class_<ScalePlan>(module, "Plan", "What all blocks agree on. Immutable.")
      .def_static(
          "from_bytes", [](const nb::bytes& bytes) { return ScalePlan::from_bytes(view_of(bytes)); },
          "data"_a)
      .def("to_bytes", [](const ScalePlan& plan) { return to_bytes(plan.bytes()); })
      .def_prop_ro("n_rows", [](const ScalePlan& plan) { return plan.n_rows(); })
      .def_prop_ro("bytes_per_row", [](const ScalePlan& plan) { return plan.bytes_per_row(); })
      .def("__getstate__", [](const ScalePlan& plan) { return to_bytes(plan.bytes()); })
      .def("__setstate__", [](ScalePlan* self, const nb::bytes& bytes) {
        new (self) ScalePlan(ScalePlan::from_bytes(view_of(bytes)));
      });
  module.def(
      "make_plan",
      [](const nb::bytes& summary, const FitSpec& spec, const Params& params) {
        return freely(1, [&] { return make_plan(view_of(summary), spec, params); });
      },
      "summary"_a, "spec"_a, "params"_a, "The plan of all blocks out of their merged summaries.");
}

// ---------------------------------------------------------------- blocks
/// A block out of an image that came from elsewhere: copied once, to where blocks may lie.
RowBlock block_of(const void* data, std::size_t size) {
  constexpr std::size_t kAlign = 64, kBeyond = 256;
  const std::size_t room = (size + kBeyond + kAlign - 1) / kAlign * kAlign;
  std::shared_ptr<std::byte> kept(static_cast<std::byte*>(std::aligned_alloc(kAlign, room)),
                                  [](std::byte* p) { std::free(p); });
  if (!kept) throw std::bad_alloc();
  std::memcpy(kept.get(), data, size);
  std::memset(kept.get() + size, 0, room - size);
  const std::span<const std::byte> image{kept.get(), size};
  return RowBlock::view(std::move(kept), image);
}

/// The image where it lies; the block lives as long as the array.
nb::object image_of(const nb::handle_t<Block>& self) {
  const auto image = nb::cast<const Block&>(self).rows.image();
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(image.data(), {image.size()}, self));
}

std::vector<Block*> blocks_of(const nb::list& list) {
  std::vector<Block*> out;
  for (const nb::handle item : list) out.push_back(&nb::cast<Block&>(item));
  if (out.empty()) throw Error(ErrorCode::bad_params, "no blocks were given");
  return out;
}

nb::object answer_blocks(const nb::list& list, const nb::bytes& asked, int threads) {
  const std::vector<Block*> blocks = blocks_of(list);
  return to_array(freely(threads, [&] {
    AnswerSum sum{std::string(view_of(asked))};
    for (Block* block : blocks) {
      const std::lock_guard lock(block->busy);
      sum.add(block->rows);
    }
    return sum.take();
  }));
}

/// By block, what it gives to every group.
nb::list parts_of_blocks(const nb::list& list, const nb::bytes& asked, int threads) {
  const std::vector<Block*> blocks = blocks_of(list);
  const auto found = freely(threads, [&] {
    std::vector<std::vector<std::string>> parts;
    for (Block* block : blocks) {
      const std::lock_guard lock(block->busy);
      parts.push_back(parts_of(block->rows, view_of(asked)));
    }
    return parts;
  });
  nb::list out;
  for (const auto& parts : found) out.append(to_list(parts));
  return out;
}

void add_blocks(nb::module_& module) {
  nb::class_<Block>(module, "RowBlock", "The rows of one block, coded by a plan.")
      .def(
          "__init__",
          [](Block* self, const Table& rows, const ScalePlan& plan, std::int64_t first_row) {
            new (self) Block(freely(1, [&] { return RowBlock(rows, plan, first_row); }));
          },
          "rows"_a, "plan"_a, "first_row"_a)
      .def_prop_ro("n_rows", [](const Block& block) { return block.rows.n_rows(); })
      .def_prop_ro("nbytes", [](const Block& block) { return block.rows.image().size(); })
      .def_prop_ro("image", &image_of, nb::sig("def image(self) -> numpy.typing.NDArray"))
      // What it notes between requests is about an order of its rows and their sums.
      .def("__sizeof__",
           [](const Block& block) {
             return sizeof(Block) + block.rows.image().size() +
                    8 * static_cast<std::size_t>(block.rows.n_rows());
           })
      // An array goes by itself through pickle's buffers, uncopied.
      .def("__getstate__", &image_of)
      .def("__setstate__",
           [](Block* self, const Bytes& image) { new (self) Block(block_of(image.data(), image.size())); });
  module.def("answer", &answer_blocks, "blocks"_a, "request"_a, "threads"_a = 1,
             "The answer of some blocks to a request of fit_blocks, merged.");
  module.def(
      "merge_answers",
      [](const nb::list& answers) {
        const auto parts = strings_of(answers);
        return to_array(freely(1, [&] { return merge_answers(parts); }));
      },
      "answers"_a, "Several answers to one request as one; the order does not matter.");
  module.def("parts_of", &parts_of_blocks, "blocks"_a, "request"_a, "threads"_a = 1,
             "By block, what it gives to every group that a request names.");
  module.def(
      "finish_group",
      [](const ScalePlan& plan, const nb::bytes& request, std::size_t group, const nb::list& parts) {
        const auto given = strings_of(parts);
        return to_bytes(freely(1, [&] { return finish_group(plan, view_of(request), group, given); }));
      },
      "plan"_a, "request"_a, "group"_a, "parts"_a,
      "Grows the subtrees of one group from the parts of all blocks.");
}

// ---------------------------------------------------------------- the fit
/// Asks through Python's callables. What they raise ends the fit and comes out of it as it was.
class PythonCohort final : public BlockExecutor {
 public:
  PythonCohort(const nb::object& ask, const nb::object& regroup) : ask_(ask), regroup_(regroup) {}

  std::string ask(const std::string& request) override {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return string_of(ask_(to_bytes(request))); });
  }
  std::vector<std::string> regroup(const std::string& request) override {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return strings_of(nb::cast<nb::list>(regroup_(to_bytes(request)))); });
  }
  bool check_signals() {
    const nb::gil_scoped_acquire lock;
    try {
      guarded([] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return 0;
      });
    } catch (const Error&) {
      return false;
    }
    return true;
  }
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  template <class Call>
  std::invoke_result_t<const Call&> guarded(const Call& call) {
    try {
      return call();
    } catch (nb::python_error&) {
      raised_ = std::current_exception();
    }
    throw Error(ErrorCode::cancelled, "whoever holds the blocks has failed");
  }
  const nb::object& ask_;
  const nb::object& regroup_;
  std::exception_ptr raised_;
};

// On the calling thread: Ctrl-C comes to the callables as it comes to other Python.
Model fit_through(const ScalePlan& plan, const nb::object& ask, const nb::object& regroup, int threads,
                  std::int64_t gather_bytes, std::size_t groups_at_once, std::int64_t histogram_bytes) {
  PythonCohort cohort(ask, regroup);
  Execution execution;
  execution.threads = threads;
  execution.progress = [&](const Progress&) { return cohort.check_signals(); };
  BlockOptions options;
  if (gather_bytes > 0) options.gather_bytes = gather_bytes;
  if (histogram_bytes > 0) options.histogram_bytes = histogram_bytes;
  options.groups_at_once = groups_at_once;
  try {
    return freely(threads, [&] { return fit_blocks(plan, cohort, execution, options); });
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) cohort.rethrow();
    throw;
  }
}

}  // namespace

void add_scale(nb::module_& module) {
  add_plans(module);
  add_blocks(module);
  module.def(
      "request_info",
      [](const nb::bytes& request) {
        const RequestInfo info = request_info(view_of(request));
        nb::dict out;
        out["phase"] = info.phase;
        out["level"] = info.level;
        out["nodes"] = info.nodes;
        out["n_groups"] = info.n_groups;
        return out;
      },
      "request"_a, "What a request is about: phase, level, nodes, n_groups.");
  module.def(
      "fit_blocks", &fit_through, "plan"_a, "ask"_a, "regroup"_a, "threads"_a = 1, "gather_bytes"_a = 0,
      "groups_at_once"_a = 0, "histogram_bytes"_a = 0,
      "Trains on the blocks of a plan. ask(request) -> the merged answer of all blocks; regroup(request) -> "
      "the finished groups in their order.");
}

}  // namespace bough::python
