// SPDX-License-Identifier: Apache-2.0
// A model as PMML 4.4: a TreeModel, or a MiningModel of them for several trees and several targets.
#include <fmt/format.h>

#include <algorithm>

#include "explain/words.hpp"
#include "export/code_text.hpp"
#include "export/formats.hpp"
#include "export/pmml_text.hpp"
#include "model/combine.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostIndent = 20;
// Readers of XML walk nested elements by recursion.
constexpr std::int32_t kMostDepth = 1000;

class PmmlWriter {
 public:
  explicit PmmlWriter(const Model& model) : model_(model), predicates_(model) {
    check();
    Identifiers names;
    for (const Field& field : model.features().fields) names.make(field.name, "x");
    for (const Field& field : model.targets().fields) names.make(field.name, "y");
    for (std::size_t i = 0; i < model.targets().fields.size(); ++i) {
      const bool one = model.targets().fields.size() == 1;
      prefixes_.push_back(names.make(one ? "answer" : fmt::format("answer_{}", i + 1), "answer"));
    }
  }

  std::string write() {
    text_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n";
    line(1, fmt::format("<Header><Application name=\"bough\" version=\"{}\"/></Header>", version()));
    dictionary();
    sums();
    const std::size_t outputs = model_.n_outputs();
    if (outputs == 1) {
      answer_of(0, 1, true);
    } else {
      line(1, fmt::format("<MiningModel functionName=\"{}\">", function()));
      schema(2, 0, outputs);
      line(2, "<Segmentation multipleModelMethod=\"x-multiModelChain\">");
      for (std::size_t output = 0; output < outputs; ++output) {
        line(3, fmt::format("<Segment id=\"{}\"><True/>", output + 1));
        answer_of(output, 4, true);
        line(3, "</Segment>");
      }
      line(2, "</Segmentation>");
      line(1, "</MiningModel>");
    }
    return std::move(text_) + "</PMML>\n";
  }

 private:
  void check() const {
    if (model_.parts().combine != Combine::single && !model_.params().loss_matrix.empty())
      throw Error(ErrorCode::not_supported, "PMML cannot weigh losses over the sum of several trees",
                  "Export c, cpp or python.");
    for (std::size_t i = 0; i < model_.trees().size(); ++i) {
      if (model_.trees()[i].depth() <= kMostDepth) continue;
      throw Error(ErrorCode::not_supported,
                  fmt::format("tree {} is {} levels deep; PMML nests them, and its readers end near {}", i,
                              model_.trees()[i].depth(), kMostDepth),
                  "Prune the tree, or export c, cpp, python or json.");
    }
  }

  [[nodiscard]] const char* function() const {
    return model_.task() == Task::classification ? "classification" : "regression";
  }

  void line(std::size_t depth, const std::string& text) {
    text_.append(2 * std::min(depth, kMostIndent), ' ');
    text_ += text;
    text_ += '\n';
  }

  void dictionary() {
    const auto& fields = model_.features().fields;
    line(1, fmt::format("<DataDictionary numberOfFields=\"{}\">", fields.size() + model_.n_outputs()));
    for (const Field& field : fields) {
      if (field.kind == Kind::numeric) {
        line(2, fmt::format("<DataField name=\"{}\" optype=\"continuous\" dataType=\"double\"/>",
                            xml_attribute(field.name)));
        continue;
      }
      const Levels::Type type = field.levels.type;
      const char* word = type == Levels::Type::text      ? "string"
                         : type == Levels::Type::boolean ? "boolean"
                                                         : "double";
      values(field, field.kind == Kind::ordinal ? "ordinal" : "categorical", word);
    }
    for (const Field& field : model_.targets().fields) {
      if (model_.task() == Task::classification) {
        values(field, "categorical", "string");
      } else {
        line(2, fmt::format("<DataField name=\"{}\" optype=\"continuous\" dataType=\"double\"/>",
                            xml_attribute(field.name)));
      }
    }
    line(1, "</DataDictionary>");
  }

  void values(const Field& field, const char* optype, const char* type) {
    line(2, fmt::format("<DataField name=\"{}\" optype=\"{}\" dataType=\"{}\">", xml_attribute(field.name),
                        optype, type));
    const bool numbers = std::string_view(type) == "double";
    for (std::size_t i = 0; i < field.levels.size(); ++i)
      line(3, fmt::format("<Value value=\"{}\"/>", numbers ? fmt::format("{}", field.levels.numbers[i])
                                                           : xml_attribute(field.levels.names[i])));
    line(2, "</DataField>");
  }

  // Weighted sums are fields of their own. One that is not a number (infinities that cancel) counts as
  // missing.
  void sums() {
    bool open = false;
    for (std::size_t number = 0; number < model_.trees().size(); ++number) {
      const Tree& tree = model_.trees()[number];
      for (NodeId node = 0; node < tree.n_nodes(); ++node) {
        if (tree.kind(node) != NodeKind::oblique) continue;
        if (!open) line(1, "<TransformationDictionary>");
        open = true;
        sum(tree, number, node);
      }
    }
    if (open) line(1, "</TransformationDictionary>");
  }

  void sum(const Tree& tree, std::size_t number, NodeId node) {
    std::string formula;
    for (const ObliqueTerm& term : tree.terms(node)) {
      const Field& field = model_.features().fields[static_cast<std::size_t>(term.column)];
      if (field.kind != Kind::numeric)
        throw Error(ErrorCode::not_supported,
                    fmt::format("node {} of tree {} adds the levels of {}, which PMML cannot", node, number,
                                shown_name(field.name)),
                    "Export c, cpp or python.");
      const std::string product = fmt::format(
          "<Apply function=\"*\" invalidValueTreatment=\"asMissing\"><Constant "
          "dataType=\"double\">{}</Constant><FieldRef field=\"{}\"/></Apply>",
          double_literal(term.weight), xml_attribute(field.name));
      formula = formula.empty()
                    ? product
                    : fmt::format("<Apply function=\"+\" invalidValueTreatment=\"asMissing\">{}{}</Apply>",
                                  formula, product);
    }
    line(2,
         fmt::format("<DerivedField name=\"{}\" optype=\"continuous\" dataType=\"double\">{}</DerivedField>",
                     PmmlPredicates::sum_name(number, node), formula));
  }

  // ---------------------------------------------------------------- one target
  void answer_of(std::size_t output, std::size_t depth, bool is_top) {
    if (model_.parts().combine == Combine::single) return tree_model(0, output, depth, is_top);
    line(depth, fmt::format("<MiningModel functionName=\"{}\">", function()));
    schema(depth + 1, output, output + 1);
    outputs(depth + 1, output, false);
    line(depth + 1, fmt::format("<Segmentation multipleModelMethod=\"{}\">",
                                model_.parts().combine == Combine::vote ? "majorityVote" : "average"));
    for (std::size_t tree = 0; tree < model_.trees().size(); ++tree) {
      line(depth + 2, fmt::format("<Segment id=\"{}\"><True/>", tree + 1));
      tree_model(tree, output, depth + 3, false);
      line(depth + 2, "</Segment>");
    }
    line(depth + 1, "</Segmentation>");
    line(depth, "</MiningModel>");
  }

  void schema(std::size_t depth, std::size_t first, std::size_t last) {
    line(depth, "<MiningSchema>");
    for (std::size_t i = first; i < last; ++i)
      line(depth + 1, fmt::format("<MiningField name=\"{}\" usageType=\"target\"/>",
                                  xml_attribute(model_.targets().fields[i].name)));
    for (const Field& field : model_.features().fields)
      line(depth + 1, fmt::format("<MiningField name=\"{}\" invalidValueTreatment=\"asIs\"/>",
                                  xml_attribute(field.name)));
    line(depth, "</MiningSchema>");
  }

  void outputs(std::size_t depth, std::size_t output, bool nodes) {
    const std::string& prefix = prefixes_[output];
    const bool classes = model_.task() == Task::classification;
    const bool alone = model_.parts().combine == Combine::single;
    const std::string shape =
        fmt::format("<OutputField name=\"{}\" optype=\"{}\" dataType=\"{}\"", prefix,
                    classes ? "categorical" : "continuous", classes ? "string" : "double");
    line(depth, "<Output>");
    if (alone || !classes) line(depth + 1, shape + " feature=\"predictedValue\"/>");
    if (classes) {
      const auto& names = model_.targets().fields[output].levels.names;
      for (std::size_t i = 0; i < names.size(); ++i)
        line(depth + 1,
             fmt::format("<OutputField name=\"{}_share_{}\" optype=\"continuous\" dataType=\"double\""
                         " feature=\"probability\" value=\"{}\"/>",
                         prefix, i + 1, xml_attribute(names[i])));
      if (!alone) first_largest(depth + 1, shape, prefix, names);
    }
    if (nodes)
      line(depth + 1, fmt::format("<OutputField name=\"{}_node\" optype=\"categorical\" dataType=\"string\""
                                  " feature=\"entityId\"/>",
                                  prefix));
    line(depth, "</Output>");
  }

  // Of equal shares the first: readers are free to take another one for their predicted value.
  void first_largest(std::size_t depth, const std::string& shape, const std::string& prefix,
                     const std::vector<std::string>& names) {
    const auto constant = [&](std::size_t i) {
      return fmt::format("<Constant dataType=\"string\">{}</Constant>", xml_attribute(names[i]));
    };
    line(depth, shape + " feature=\"transformedValue\">");
    std::string shares;
    for (std::size_t i = 0; i < names.size(); ++i)
      shares += fmt::format("<FieldRef field=\"{}_share_{}\"/>", prefix, i + 1);
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      line(depth + 1,
           fmt::format("<Apply function=\"if\"><Apply function=\"equal\"><FieldRef field=\"{}_share_{}\"/>"
                       "<Apply function=\"max\">{}</Apply></Apply>{}",
                       prefix, i + 1, shares, constant(i)));
    line(depth + 1, constant(names.size() - 1));
    std::string ends;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) ends += "</Apply>";
    line(depth, ends + "</OutputField>");
  }

  void tree_model(std::size_t number, std::size_t output, std::size_t depth, bool is_top) {
    line(depth,
         fmt::format("<TreeModel functionName=\"{}\" missingValueStrategy=\"defaultChild\""
                     " noTrueChildStrategy=\"returnLastPrediction\" splitCharacteristic=\"multiSplit\">",
                     function()));
    schema(depth + 1, output, output + 1);
    if (is_top) outputs(depth + 1, output, true);
    nodes(number, output, depth + 1);
    line(depth, "</TreeModel>");
  }

  struct Open {
    NodeId node = 0;
    std::size_t depth = 0;
    std::string predicate{};
    bool closes = false;
  };

  void nodes(std::size_t number, std::size_t output, std::size_t depth) {
    const Tree& tree = model_.trees()[number];
    std::vector<Open> open{{0, depth, "<True/>", false}};
    while (!open.empty()) {
      const Open at = std::move(open.back());
      open.pop_back();
      if (at.closes) {
        line(at.depth, "</Node>");
        continue;
      }
      const bool leaf = tree.is_leaf(at.node);
      PmmlPredicates::Children below;
      if (!leaf) below = predicates_.of(tree, number, at.node);
      const auto children = tree.children(at.node);
      const std::string missing =
          below.default_child < 0
              ? std::string()
              : fmt::format(" defaultChild=\"{}\"", children[static_cast<std::size_t>(below.default_child)]);
      line(at.depth, fmt::format("<Node id=\"{}\" score=\"{}\" recordCount=\"{}\"{}>", at.node,
                                 score(tree, at.node, output), tree.weight(at.node), missing));
      line(at.depth + 1, at.predicate);
      if (model_.task() == Task::classification) distribution(tree, at.node, output, at.depth + 1);
      open.push_back({at.node, at.depth, {}, true});
      for (std::size_t i = children.size(); i-- > 0;)
        open.push_back({children[i], at.depth + 1, std::move(below.predicates[i]), false});
    }
  }

  [[nodiscard]] std::vector<double> weights(const Tree& tree, NodeId node) const {
    std::vector<double> out(tree.value_width());
    node_weights(tree, node, extra_weight(model_.parts()), out);
    return out;
  }

  [[nodiscard]] std::string score(const Tree& tree, NodeId node, std::size_t output) const {
    const std::vector<double> all = weights(tree, node);
    const std::size_t start = output_start(model_.parts(), output);
    if (model_.task() == Task::regression) return double_literal(all[start]);
    const auto own = std::span<const double>(all).subspan(start, tree.output_widths()[output]);
    const std::size_t choice =
        model_.parts().combine == Combine::single ? choose_class(model_.parts(), own) : largest(own);
    return xml_attribute(model_.targets().fields[output].levels.names[choice]);
  }

  // Readers divide the counts by their sum, as the model does; a node without weight answers equal shares.
  void distribution(const Tree& tree, NodeId node, std::size_t output, std::size_t depth) {
    const std::vector<double> all = weights(tree, node);
    const auto own = std::span<const double>(all).subspan(output_start(model_.parts(), output),
                                                          tree.output_widths()[output]);
    const bool empty = std::ranges::all_of(own, [](double weight) { return weight == 0.0; });
    const auto& names = model_.targets().fields[output].levels.names;
    for (std::size_t i = 0; i < names.size(); ++i)
      line(depth, fmt::format("<ScoreDistribution value=\"{}\" recordCount=\"{}\"/>", xml_attribute(names[i]),
                              empty ? 1.0 : own[i]));
  }

  const Model& model_;
  PmmlPredicates predicates_;
  std::vector<std::string> prefixes_;  // of the names of outputs
  std::string text_;
};

}  // namespace

std::string write_pmml(const Model& model, const ExportOptions&) {
  return PmmlWriter(model).write();
}

}  // namespace bough
