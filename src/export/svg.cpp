// SPDX-License-Identifier: Apache-2.0
// A tree as an SVG picture, and other names for pictures.
#include <fmt/format.h>

#include "base/text.hpp"
#include "bough/draw.hpp"
#include "explain/words.hpp"
#include "export/formats.hpp"

namespace bough {
namespace {

std::vector<std::string> name_list(std::string_view option, const std::string& text, std::size_t wanted) {
  std::vector<std::string> names;
  for (const std::string_view name : split_text(text, ',')) names.emplace_back(trim(name));
  if (names.size() == wanted) return names;
  throw Error(ErrorCode::bad_params,
              fmt::format("the export option {} names {} things, not {}", option, names.size(), wanted),
              "names are given in the model's order, separated by commas");
}

}  // namespace

Model renamed(const Model& model, const ExportOptions& options) {
  if (options.feature_names.empty() && options.class_names.empty()) return model;
  Model::Parts parts = model.parts();
  if (!options.feature_names.empty()) {
    const auto names = name_list("feature_names", options.feature_names, parts.features.fields.size());
    for (std::size_t i = 0; i < names.size(); ++i) parts.features.fields[i].name = names[i];
  }
  if (!options.class_names.empty()) {
    if (parts.task != Task::classification || parts.targets.fields.size() != 1)
      throw Error(ErrorCode::bad_params, "class_names is for models of one target with classes");
    Levels& levels = parts.targets.fields.front().levels;
    levels.names = name_list("class_names", options.class_names, levels.size());
    levels.type = Levels::Type::text;
    levels.numbers.clear();
  }
  return Model(std::move(parts));
}

std::string write_svg(const Model& model, const ExportOptions& options) {
  static_cast<void>(chosen_tree(model, options));
  TreePictureOptions picture;
  picture.picture.tree = options.tree;
  picture.picture.precision = options.precision;
  if (options.max_depth >= 0) picture.view.max_depth = options.max_depth;
  picture.colour = options.filled;
  picture.impurity = options.impurity;
  picture.node_ids = options.node_ids;
  if (options.missing) picture.missing = true;
  return draw_tree(renamed(model, options), picture);
}

}  // namespace bough
