// SPDX-License-Identifier: Apache-2.0
// The report: gathers what is known about a model and puts it into the page.
#include <fmt/format.h>

#include "bough/causal.hpp"
#include "bough/report.hpp"
#include "bough/seen_rows.hpp"
#include "explain/words.hpp"
#include "report/page_text.hpp"
#include "report/report_data.hpp"

namespace bough {
namespace {

void check_options(const ReportOptions& options) {
  if (options.max_rows < 1)
    throw Error(ErrorCode::bad_params, fmt::format("max_rows is {}", options.max_rows), "give 1 or more");
  if (options.repeats < 0)
    throw Error(ErrorCode::bad_params, fmt::format("repeats is {}", options.repeats), "give 0 or more");
}

std::string title_of(const Model& model, const ReportOptions& options) {
  if (!options.title.empty()) return options.title;
  std::string names;
  for (const Field& field : model.targets().fields)
    names += (names.empty() ? "" : ", ") + shown_name(field.name);
  const std::string what =
      is_causal(model)
          ? fmt::format("Effect of {} on {}", shown_name(model.parts().treatment.fields.front().name), names)
          : fmt::format("Predicting {}", names);
  return options.source.empty() ? what : fmt::format("{} · {}", what, shown_name(options.source));
}

std::string blob_element(const Blob& blob) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", blob.id, blob.text);
}

// The page without the panel of forests.
std::string frame_of_one_tree() {
  constexpr std::string_view begins = "'forest begins';", ends = "'forest ends';";
  const std::string_view page = page_text();
  const std::size_t from = page.find(begins), to = page.find(ends);
  return std::string(page.substr(0, from)) + std::string(page.substr(to + ends.size()));
}

// Puts `parts` in the places of their marks, which the page holds in this order.
std::string filled(std::string_view page,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> parts) {
  std::string out;
  for (const auto& [mark, text] : parts) {
    const std::size_t at = page.find(mark);
    out += page.substr(0, at);
    out += text;
    page.remove_prefix(at + mark.size());
  }
  return out += page;
}

}  // namespace

std::string report_page(const Model& model, const Table* held_out, const ReportOptions& options) {
  check_options(options);
  const Table* shown = options.training != nullptr ? options.training : held_out;
  RowLabels truth;
  Json data = model_facts(model);
  data["title"] = title_of(model, options);
  data["features"] = features_data(model, shown);
  data["described"] = shown == nullptr ? "" : shown == held_out ? "held_out" : "training";
  data["pruning"] = pruning_data(model);
  data["sizes"] = sizes_data(model);
  data["source"] = options.source;
  data["given"] = "rows";
  std::string blobs;
  if (held_out != nullptr) {
    truth = read_row_labels(model, *held_out, options.weight);
    if (truth.known) data["quality"] = quality_data(model, *held_out, truth, options);
    if (truth.known && options.repeats > 0 && !model.features().fields.empty())
      data["permutation"] = permutation_data(model, *held_out, options);
    Blob blob{"rows", {}};
    data["rows"] = rows_data(model, *held_out, truth, options, options.row_numbers, blob);
    blobs += blob_element(blob);
  }
  if (options.training != nullptr) {
    Blob blob{"training", {}};
    data["training"] =
        rows_data(model, *options.training, read_row_labels(model, *options.training, options.weight),
                  options, options.training_numbers, blob);
    blobs += blob_element(blob);
    data["why"] = why_data(model, *options.training, options);
    data["roots"] = roots_data(model, *options.training, options);
  }
  data["forest"] = forest_data(model, held_out, options);
  data["trees"] = Json::array();
  for (std::size_t i = 0; i < model.trees().size(); ++i) {
    Blob blob{fmt::format("tree{}", i), {}};
    NodeLosses losses;
    if (truth.known) losses = table_losses(model, model.trees()[i], *held_out, truth);
    if (truth.known && i == 0 && (holds_training_rows(model, *held_out) || fall_as_training(model, losses)))
      data["given"] = "training";
    data["trees"].push_back(tree_data(model, i, truth.known ? &losses : nullptr, blob));
    blobs += blob_element(blob);
  }
  const std::string document =
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n{}", script_json(data), blobs);
  return filled(data["forest"].empty() ? frame_of_one_tree() : std::string(page_text()),
                {{"<!--TITLE-->", html_text(data["title"].get<std::string>())}, {"<!--DATA-->", document}});
}

bool looks_like_training(const Model& model, const Table& table, const std::string& weight) {
  if (holds_training_rows(model, table)) return true;
  const RowLabels truth = read_row_labels(model, table, weight);
  return truth.known && model.trees().size() == 1 &&
         fall_as_training(model, table_losses(model, model.tree(), table, truth));
}

std::size_t report_frame_size() {
  return frame_of_one_tree().size();
}

}  // namespace bough
