// SPDX-License-Identifier: Apache-2.0
// Training on tables that are larger than memory.
#include "out_of_core.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "bough/out_of_core.hpp"
#include "bough/seen_rows.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

// What the system could give without taking it from others; nothing where it does not say.
std::optional<std::int64_t> free_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::int64_t kilobytes = 0;
    if (words >> name >> kilobytes && name == "MemAvailable:") return kilobytes * 1024;
  }
  return std::nullopt;
}

// The checks of a whole table, block by block. Rows without a target are left out.
class CheckedBlocks final : public TableBlocks {
 public:
  CheckedBlocks(TableBlocks& rows, const ColumnPlan& plan, const std::string& path,
                const ReadOptions& reading)
      : rows_(rows), plan_(plan), path_(path), mixed_(plan, path, reading) {
    rows_.on_tick([this] { tick(); });
  }
  ~CheckedBlocks() override { rows_.on_tick({}); }

  std::optional<Table> next(std::int64_t rows) override {
    started_over_ = false;
    while (std::optional<Table> table = rows_.next(rows)) {
      if (rows_.started_over()) {
        started_over_ = true;
        n_seen_ = n_left_out_ = 0;
        mixed_.start_over();
      }
      if (first_pass_) {
        if (!checked_) require_columns(*table);
        mixed_.look(*table);
      }
      const std::vector<RowId> known = rows_with_targets(*table, plan_.spec.targets);
      n_seen_ += table->n_rows();
      n_left_out_ += table->n_rows() - std::ssize(known);
      if (std::ssize(known) == table->n_rows()) return table;
      if (!known.empty()) return table->take(known);
    }
    if (first_pass_) tell_of_rows_without_targets(path_, plan_.spec.targets, n_left_out_, n_seen_);
    return std::nullopt;
  }
  [[nodiscard]] bool started_over() const noexcept override { return started_over_; }
  void rewind() override {
    first_pass_ = false;
    rows_.rewind();
  }
  [[nodiscard]] double fraction() const noexcept override { return rows_.fraction(); }

 private:
  void require_columns(const Table& table) {
    require_target(plan_, table);
    plan_.check(table, path_);
    checked_ = true;
  }

  TableBlocks& rows_;
  const ColumnPlan& plan_;
  std::string path_;
  MixedColumns mixed_;
  bool first_pass_ = true;
  bool checked_ = false;
  bool started_over_ = false;
  std::int64_t n_seen_ = 0, n_left_out_ = 0;
};

// A pass that only looks: which columns are left out must be known before the first row is learned from.
void leave_columns_out(TableBlocks& rows, ColumnPlan& plan, const std::string& path,
                       const ReadOptions& reading) {
  constexpr std::int64_t kRows = 50'000;
  ColumnLooks looks(plan, path, reading, false);
  bool first = true;
  while (const std::optional<Table> block = rows.next(kRows)) {
    throw_if_interrupted();
    if (rows.started_over()) looks.start_over();
    if (first) require_target(plan, *block);
    if (first) plan.check(*block, path);
    if (first) warn_of_first_line(*block, path, reading);
    first = false;
    looks.look(*block);
  }
  for (const LeftOut& column : looks.finish()) plan.spec.ignored.push_back(column.name);
  rows.rewind();
}

}  // namespace

void add_memory_flags(Command& command, MemoryFlags& flags) {
  command.option(
      flags.memory,
      {"--memory",
       "Train on a table that is larger than memory: rows are read in blocks and kept in a scratch file, and "
       "at most this much memory is used (500MB, 2GB, 1.5GiB). The model is the same. Without it all rows "
       "are "
       "read at once",
       "SIZE"});
  command.option(flags.scratch, {"--scratch",
                                 "Folder of the scratch file, always deleted after training "
                                 "(default: $TMPDIR, else /tmp)",
                                 "DIR"});
  command.effects({{"--scratch", {"--memory"}}});
}

void check_memory_flags(const MemoryFlags& flags) {
  if (flags.scratch && flags.scratch->empty())
    throw Error(ErrorCode::bad_params, "--scratch: '' is not a folder",
                "name a folder, or leave --scratch out");
  if (!flags.memory) return;
  try {
    parse_bytes(*flags.memory);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--memory: {}", error.what()), error.hint());
  }
}

Model train_out_of_core(const std::string& path, const ReadOptions& reading, ColumnPlan& plan,
                        const Params& params, const MemoryFlags& flags, const Execution& execution) {
  const std::string paths[] = {path};
  const std::unique_ptr<TableBlocks> rows = open_table_blocks(paths, reading, plan.spec.ignored);
  leave_columns_out(*rows, plan, path, reading);
  CheckedBlocks checked(*rows, plan, path, reading);
  return fit_out_of_core(checked, plan.spec, params,
                         {parse_bytes(flags.memory.value()), flags.scratch.value_or("")}, execution);
}

void hint_at_memory(const std::string& path) {
  struct stat status {};
  if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::optional<std::int64_t> free = free_memory();
  if (!free || status.st_size < *free) return;
  warn(fmt::format("{} is larger than the memory that is free; --memory 2GB trains on it from disk", path));
}

}  // namespace bough::cli
