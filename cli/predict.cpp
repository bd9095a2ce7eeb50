// SPDX-License-Identifier: Apache-2.0
// bough predict: rows in, predictions out, block by block in constant memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "answerer.hpp"
#include "bough/causal.hpp"
#include "bough/explain.hpp"
#include "bough/json.hpp"
#include "bough/seen_rows.hpp"
#include "bough/table_blocks.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report.hpp"
#include "spread.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct PredictFlags {
  std::string model;
  std::string data = "-";
  std::string output;
  std::string form = "csv";
  std::vector<std::string> ids;
  std::int64_t batch = 10'000;
  int threads = 0;
  bool proba = false;
  bool keep = false;
  bool leaf = false;
  SpreadFlags spread;
  ReadFlags read;
};

// What the model says about one block of rows.
struct Answers {
  std::vector<std::string> labels;                // row after row, n_outputs each
  std::vector<double> values;                     // regression: the same as numbers
  std::vector<std::vector<double>> shares;        // per output, row after row
  std::vector<std::vector<std::int64_t>> leaves;  // per tree
  std::vector<double> low, high;                  // ends of intervals
  std::vector<SpreadColumn> spread;
};

using Columns = std::vector<const Table::Column*>;

class Predictor {
 public:
  explicit Predictor(const PredictFlags& flags)
      : flags_(flags), model_(flags.model), ids_(split_lists(flags.ids)) {
    if (flags.proba && model_.task() == Task::regression) {
      throw Error(ErrorCode::bad_params, "--proba needs a model of classes, and this one predicts numbers",
                  "leave --proba out");
    }
    if (flags.spread.any() && model_.model() == nullptr) {
      throw Error(ErrorCode::not_supported, "a rule set has no intervals or quantiles",
                  "ask the tree it came from");
    }
    if (is_effect() && !flags.spread.method.empty()) {
      throw Error(ErrorCode::not_supported,
                  "--interval-by is about targets, and this model estimates effects",
                  "leave --interval-by out");
    }
    if (is_effect() && flags.spread.mean_interval != SpreadFlags::kNone) {
      throw Error(ErrorCode::not_supported,
                  "--mean-interval is about means, and this model estimates effects",
                  "--interval adds the ends of an interval for the effect");
    }
  }

  void run() {
    for (std::size_t i = 1; i < ids_.size(); ++i)
      if (std::find(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(i), ids_[i]) !=
          ids_.begin() + static_cast<std::ptrdiff_t>(i))
        throw Error(ErrorCode::bad_params, fmt::format("--id: '{}' is given twice", ids_[i]),
                    "name every column once");
    Output output(flags_.output);
    announce_standard_input(flags_.data);
    TableStream stream(flags_.data, stream_options(), model_.plain_features());
    // Answers on the terminal show by themselves how far they are.
    const bool silent = is_terminal(stdout) && (flags_.output.empty() || flags_.output == "-");
    bool first = true;
    std::int64_t n_rows = 0;
    while (const std::optional<Table> block = stream.next(flags_.batch)) {
      if (first && flags_.keep) ids_ = column_names(*block);
      if (first)
        for (const std::string& id : ids_) require_column(*block, id, "--id", flags_.data);
      count_unseen(*block);
      const Answers answers = answer(*block);
      if (first) refuse_taken_names(answers);
      const Columns ids = id_columns(*block, stream.written());
      const auto n = static_cast<std::size_t>(block->n_rows());
      const std::string rows = flags_.form == "csv" ? csv_rows(ids, n, answers) : json_rows(ids, n, answers);
      if (first && flags_.form == "csv") output.write(csv_head(answers));
      output.write(rows);
      first = false;
      n_rows += block->n_rows();
      if (!silent) show_progress("predicting", {rows_text(n_rows)});
    }
    output.commit();
    for (const UnseenCells& cells : unseen_)
      warn(fmt::format(
          "in {} {}, column '{}' holds a value that the model has not seen, such as '{}': at tests of this "
          "column, such rows take the branch for unseen values",
          grouped(cells.count), cells.count == 1 ? "row" : "rows", cells.column, cells.example));
  }

 private:
  [[nodiscard]] bool is_effect() const { return model_.model() != nullptr && is_causal(*model_.model()); }
  [[nodiscard]] bool wants_effect_ends() const {
    return is_effect() && flags_.spread.interval != SpreadFlags::kNone;
  }
  void count_unseen(const Table& block) {
    for (UnseenCells& cells : unseen_cells(model_.features(), block)) {
      const auto known = std::ranges::find(unseen_, cells.column, &UnseenCells::column);
      if (known == unseen_.end())
        unseen_.push_back(std::move(cells));
      else
        known->count += cells.count;
    }
  }
  // What the answers are called.
  [[nodiscard]] std::string_view answer_name() const { return is_effect() ? "effect" : "prediction"; }

  // Columns that are copied are read as text, to stay as they are.
  [[nodiscard]] ReadOptions stream_options() const {
    ReadOptions options = options_for(read_options(flags_.read), model_.features(), model_.targets());
    options.text_others = flags_.keep;
    options.text_columns = ids_;
    if (flags_.keep)
      for (const Field& field : model_.features().fields) options.text_columns.push_back(field.name);
    return options;
  }

  [[nodiscard]] std::string suffix(std::size_t output) const {
    return model_.n_outputs() == 1 ? "" : fmt::format("_{}", model_.targets().fields[output].name);
  }

  [[nodiscard]] Answers answer(const Table& block) const {
    const Execution execution{flags_.threads, {}};
    Answers answers;
    answers.labels = model_.predict_labels(block, execution);
    if (model_.task() == Task::regression && flags_.form == "jsonl")
      answers.values = model_.predict(block, execution);
    for (std::size_t output = 0; flags_.proba && output < model_.n_outputs(); ++output)
      answers.shares.push_back(model_.predict_proba(block, output, execution));
    for (std::size_t tree = 0; flags_.leaf && tree < model_.n_trees(); ++tree)
      answers.leaves.push_back(model_.apply(block, tree, execution));
    SpreadFlags asked = flags_.spread;
    if (wants_effect_ends()) {
      EffectIntervals intervals = effect_intervals(*model_.model(), block, asked.interval, execution);
      answers.low = std::move(intervals.low);
      answers.high = std::move(intervals.high);
      asked.interval = SpreadFlags::kNone;
    }
    if (asked.any()) answers.spread = spread_columns(*model_.model(), block, asked, execution);
    return answers;
  }

  // Two columns of one name cannot be told apart, and JSON would keep only one of them.
  void refuse_taken_names(const Answers& answers) const {
    std::vector<std::string> names = answer_names(answers);
    if (flags_.form == "jsonl") {  // lists have one name
      for (std::size_t output = 0; output < answers.shares.size(); ++output)
        names.push_back("proba" + suffix(output));
      if (answers.leaves.size() > 1) names.emplace_back("leaf");
    }
    for (const std::string& name : names)
      if (std::ranges::find(ids_, name) != ids_.end())
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}: the column '{}' is called like a column of the answers",
                                source_name(flags_.data), one_line(name)),
                    flags_.keep ? "rename it, or name the columns to copy with --id instead of --keep"
                                : "rename it, or leave it out of --id");
  }

  // The columns of the answers.
  [[nodiscard]] std::vector<std::string> answer_names(const Answers& answers) const {
    std::vector<std::string> names;
    for (std::size_t output = 0; output < model_.n_outputs(); ++output)
      names.push_back(fmt::format("{}{}", answer_name(), suffix(output)));
    if (wants_effect_ends())
      for (const char* end : {"low", "high"}) names.push_back(fmt::format("{}_{}", answer_name(), end));
    for (std::size_t output = 0; flags_.proba && output < model_.n_outputs(); ++output)
      for (const std::string& label : model_.targets().fields[output].levels.names)
        names.push_back(fmt::format("proba{}_{}", suffix(output), label));
    for (std::size_t tree = 0; flags_.leaf && tree < model_.n_trees(); ++tree)
      names.push_back(model_.n_trees() == 1 ? std::string(model_.end_name())
                                            : fmt::format("leaf_{}", tree + 1));
    for (const SpreadColumn& column : answers.spread) names.push_back(column.name);
    return names;
  }

  [[nodiscard]] std::string csv_head(const Answers& answers) const {
    std::vector<std::string> names = ids_;
    std::ranges::copy(answer_names(answers), std::back_inserter(names));
    std::string line;
    for (const std::string& name : names)
      line += fmt::format("{}{}", line.empty() ? "" : ",", csv_cell(name));
    return line + '\n';
  }

  // The columns to copy, as they are written where that is known.
  [[nodiscard]] Columns id_columns(const Table& block, const Table& written) const {
    Columns columns;
    for (const std::string& id : ids_) {
      const Table& from = written.find(id) ? written : block;
      columns.push_back(&from.column(from.find(id).value()));
    }
    return columns;
  }

  [[nodiscard]] std::string csv_rows(const Columns& ids, std::size_t n, const Answers& answers) const {
    const std::size_t n_outputs = model_.n_outputs();
    std::string text;
    for (std::size_t row = 0; row < n; ++row) {
      for (const Table::Column* id : ids)
        text += csv_cell(cell_text(*id, static_cast<std::int64_t>(row))) + ',';
      for (std::size_t output = 0; output < n_outputs; ++output)
        text += csv_cell(answers.labels[row * n_outputs + output]) + ',';
      if (!answers.low.empty())
        fmt::format_to(std::back_inserter(text), "{},{},", answers.low[row], answers.high[row]);
      for (const std::vector<double>& shares : answers.shares) {
        const std::size_t width = shares.size() / n;
        for (std::size_t k = 0; k < width; ++k)
          fmt::format_to(std::back_inserter(text), "{},", shares[row * width + k]);
      }
      for (const std::vector<std::int64_t>& leaves : answers.leaves)
        fmt::format_to(std::back_inserter(text), "{},", leaves[row]);
      for (const SpreadColumn& column : answers.spread)
        text += (column.sets.empty() ? fmt::format("{}", column.numbers[row])
                                     : csv_cell(fmt::format("{}", fmt::join(column.sets[row], ";")))) +
                ',';
      text.back() = '\n';
    }
    return text;
  }

  [[nodiscard]] Json prediction_json(const Answers& answers, std::size_t cell) const {
    if (answers.values.empty()) return answers.labels[cell];
    return answers.values[cell];
  }

  [[nodiscard]] std::string json_rows(const Columns& ids, std::size_t n, const Answers& answers) const {
    const std::size_t n_outputs = model_.n_outputs();
    std::string text;
    for (std::size_t row = 0; row < n; ++row) {
      Json line;
      for (std::size_t i = 0; i < ids.size(); ++i)
        line[ids_[i]] = cell_text(*ids[i], static_cast<std::int64_t>(row));
      for (std::size_t output = 0; output < n_outputs; ++output)
        line[fmt::format("{}{}", answer_name(), suffix(output))] =
            prediction_json(answers, row * n_outputs + output);
      if (!answers.low.empty()) {
        line[fmt::format("{}_low", answer_name())] = answers.low[row];
        line[fmt::format("{}_high", answer_name())] = answers.high[row];
      }
      for (std::size_t output = 0; output < answers.shares.size(); ++output) {
        const std::vector<std::string>& labels = model_.targets().fields[output].levels.names;
        Json& shares = line[fmt::format("proba{}", suffix(output))];
        for (std::size_t k = 0; k < labels.size(); ++k)
          shares[labels[k]] = answers.shares[output][row * labels.size() + k];
      }
      if (answers.leaves.size() == 1) line[model_.end_name()] = answers.leaves[0][row];
      for (std::size_t tree = 0; answers.leaves.size() > 1 && tree < answers.leaves.size(); ++tree)
        line["leaf"].push_back(answers.leaves[tree][row]);
      for (const SpreadColumn& column : answers.spread) {
        if (column.sets.empty())
          line[column.name] = column.numbers[row];
        else
          line[column.name] = column.sets[row];
      }
      text += line.dump(-1, Json::BadText::replaced) + '\n';
    }
    return text;
  }

  const PredictFlags& flags_;
  Answerer model_;
  std::vector<std::string> ids_;  // columns that are copied
  std::vector<UnseenCells> unseen_;
};

// --output used to be the form of the result.
PredictFlags with_old_form(PredictFlags flags) {
  if (flags.output != "csv" && flags.output != "jsonl") return flags;
  tell(fmt::format(
      "--output {0} means the form of the result, which is --to {0} now; --output ./{0} is a file",
      flags.output));
  flags.form = std::exchange(flags.output, "");
  return flags;
}

void run_predict(const PredictFlags& given) {
  const PredictFlags flags = with_old_form(given);
  require_at_least(1, flags.batch, "--batch", "it is the number of rows held in memory at a time");
  check_spread_flags(flags.spread);
  check_writable(flags.output, {flags.data, flags.model});
  Predictor(flags).run();
}

}  // namespace

void add_predict(Command& command) {
  const auto flags = command.runs(run_predict);
  command.argument(flags->model,
                   {"model", "model file, or a rule set that bough rules wrote as JSON", "MODEL"});
  command.optional_argument(flags->data, {"data", "table of rows; default: standard input", "DATA"});
  command.group("Options");
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.toggle(flags->proba, {"--proba", "Add the probability of every class"});
  command.toggle(
      flags->leaf,
      {"--leaf", "Add the number of the leaf (of the rule, from 1, in a rule set; 0: the default)"});
  command.option(flags->form, {"--to", "Form of the result (default: csv)", "FORM", {"csv", "jsonl"}});
  command.option(flags->ids, {"--id", "Columns to copy to the output", "NAMES"});
  command.toggle(flags->keep, {"--keep", "Copy all columns to the output"});
  command.option(flags->batch, {"--batch", "Rows held in memory at a time (default: 10000)", "ROWS"});
  command.threads_option(flags->threads);
  add_spread_flags(command, flags->spread);
  add_read_flags(command, flags->read);
  command.effects({{"--output,--proba,--leaf,--to,--keep,--batch,--threads"},
                   {"--id", {"!--keep"}, "--keep copies all columns"}});
  command.note("Columns are matched by name; their order does not matter, and extra columns are ignored.");
  command.examples({"bough predict model.bough new.csv > predictions.csv",
                    "zcat huge.csv.gz | bough predict model.bough --proba --id key -o scored.csv",
                    "bough predict model.bough new.csv --to jsonl --leaf",
                    "bough predict calibrated.bough new.csv --interval 0.9"});
}

}  // namespace bough::cli
