// SPDX-License-Identifier: Apache-2.0
// Rows from blocks to one table, subtrees by the ordinary engines, and back as bytes.
#include "scale/ship_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "grow/steps.hpp"
#include "model/engine_choice.hpp"
#include "scale/plan.hpp"
#include "scale/scale_spec.hpp"

namespace bough {
namespace {

// The rows of a group as columns; a row's targets beside it.
struct GatheredRows {
  std::vector<std::vector<float>> floats;  // by feature
  std::vector<std::vector<double>> doubles;
  std::vector<std::vector<std::int32_t>> levels;
  std::vector<std::vector<std::uint32_t>> classes;  // by output
  std::vector<std::vector<double>> numbers;
  std::vector<std::int64_t> weights;
  std::vector<std::vector<RowId>> nodes;  // rows of each of the group's nodes
  std::size_t n_rows = 0;
};

template <class T>
void append(std::vector<T>& to, Unpacker& from, std::size_t n) {
  const std::vector<T> values = from.all<T>();
  if (values.size() != n) from.fail("hold columns of different lengths");
  to.insert(to.end(), values.begin(), values.end());
}

void unpack_rows(const ScalePlan::Parts& plan, bool weighted, std::string_view part, GatheredRows& out) {
  Unpacker from(part, "rows of a block");
  for (std::vector<RowId>& node : out.nodes) {
    const auto n = static_cast<std::size_t>(from.get<std::uint32_t>());
    for (std::size_t j = 0; j < plan.features.fields.size(); ++j) {
      if (plan.features.fields[j].kind != Kind::numeric) {
        append(out.levels[j], from, n);
      } else if (plan.columns[j].is_float) {
        append(out.floats[j], from, n);
      } else {
        append(out.doubles[j], from, n);
      }
    }
    for (std::vector<std::uint32_t>& target : out.classes) append(target, from, n);
    for (std::vector<double>& target : out.numbers) append(target, from, n);
    if (weighted) append(out.weights, from, n);
    for (std::size_t i = 0; i < n; ++i) node.push_back(static_cast<RowId>(out.n_rows + i));
    out.n_rows += n;
  }
  from.end();
}

Table to_table(const ScalePlan::Parts& plan, const GatheredRows& rows) {
  Table table;
  for (std::size_t j = 0; j < plan.features.fields.size(); ++j) {
    const Field& field = plan.features.fields[j];
    ColumnView view;
    const auto chunk = [&](Dtype dtype, const auto& values) {
      view.dtype = dtype;
      view.chunks.push_back({.data = values.data(),
                             .stride = sizeof(values[0]),
                             .length = static_cast<std::int64_t>(values.size())});
      table.view(field.name, view);
    };
    if (field.kind == Kind::numeric) {
      plan.columns[j].is_float ? chunk(Dtype::f32, rows.floats[j]) : chunk(Dtype::f64, rows.doubles[j]);
    } else {
      table.add(field.name, rows.levels[j], field.levels.names);
    }
  }
  return table;
}

// The levels of a gathered table are texts, whatever the values of the column were.
Schema text_levels(Schema features) {
  for (Field& field : features.fields) {
    field.levels.type = Levels::Type::text;
    field.levels.numbers.clear();
  }
  return features;
}

Targets to_targets(const ScalePlan::Parts& plan, const TreeFrame& frame, GatheredRows& rows) {
  Targets targets = target_shape(plan, frame);
  for (std::size_t o = 0; o < rows.classes.size(); ++o) targets.classes[o].codes = std::move(rows.classes[o]);
  for (std::size_t o = 0; o < rows.numbers.size(); ++o) {
    NumberTarget& target = targets.numbers[o];
    target.raw = std::move(rows.numbers[o]);
    const PowerOfTwo scale(target.fixed.exponent);
    for (const double y : target.raw) target.fixed.values.push_back(scale.nearest(y));
  }
  targets.weights = std::move(rows.weights);
  return targets;
}

void pack_split(const FinishedNode& node, Packer& to) {
  to.put(node.right).put(static_cast<std::uint8_t>(node.heuristic));
  if (node.right < 0) return;
  const Split& s = node.split;
  to.put(s.kind).put(s.column).put(s.threshold).put(s.missing_to).put(s.unseen_to).put(s.gain).put(s.score);
  to.put(s.map_levels).put(s.map_children);
}

FinishedNode unpack_split(Unpacker& from) {
  FinishedNode node;
  node.right = from.get<std::int32_t>();
  node.heuristic = from.yes();
  if (node.right < 0) return node;
  Split& s = node.split;
  s.kind = from.get<NodeKind>();
  s.column = from.get<ColId>();
  s.threshold = from.get<double>();
  s.missing_to = from.get<std::int32_t>();
  s.unseen_to = from.get<std::int32_t>();
  s.gain = from.get<double>();
  s.score = from.get<double>();
  s.map_levels = from.all<std::uint32_t>();
  s.map_children = from.all<std::uint16_t>();
  return node;
}

// Grows the subtrees of one group.
class GroupGrower {
 public:
  GroupGrower(const ScalePlan::Parts& plan, const TreeFrame& frame, CriterionId criterion, GatheredRows rows)
      : features_(text_levels(plan.features)),
        spec_(block_grow_spec(plan, frame, 0)),  // nodes bring their keys
        table_(to_table(plan, rows)),
        targets_(to_targets(plan, frame, rows)),
        criterion_(criterion),
        poisson_(frame.poisson()),
        rows_(std::move(rows)) {
    Fingerprint unused;
    targets_.rows.resize(rows_.n_rows);
    std::iota(targets_.rows.begin(), targets_.rows.end(), RowId{0});
    if (fast_engine_fits(targets_, spec_.engine, features_.fields.size(), targets_.rows.size())) {
      codes_ = make_codes(table_, features_, CodeUse::search, unused, monitor_);
      put_classes(*codes_, targets_);
    } else {
      encoded_ = encode(table_, features_, unused, monitor_);
    }
  }

  void grow(std::size_t i, const GatheredNode& node, Packer& to) {
    GrowSpec spec = spec_;
    if (spec.max_depth != INT32_MAX) spec.max_depth -= node.depth;
    spec.root_key = node.key;
    Targets targets = targets_;
    targets.rows = rows_.nodes[i];
    const std::unique_ptr<Engine> engine =
        codes_ ? make_fast_engine(*codes_, targets, spec.engine) : make_any_lists(*encoded_, targets, spec);
    LevelGrower grower(*engine, features_.fields.size(), targets, spec, monitor_);
    while (grower.open()) {
      auto finished = engine->finish(grower.to_finish(), grower.rules(), monitor_);
      auto proposals = engine->best(grower.to_search(), monitor_);
      grower.take(std::move(finished), std::move(proposals));
    }
    const std::vector<FinishedNode> nodes = grower.preorder();
    to.put(static_cast<std::uint64_t>(nodes.size()));
    for (const FinishedNode& one : nodes) {
      pack_split(one, to);
      if (one.right < 0)
        leaf_totals(engine->rows(one.node), targets, criterion_, poisson_).append_to(to.bytes());
    }
  }

 private:
  Schema features_;
  GrowSpec spec_;
  Table table_;  // views rows_
  Targets targets_;
  CriterionId criterion_;
  std::vector<PoissonFrame> poisson_;
  GatheredRows rows_;
  Monitor monitor_;
  std::optional<CodedTable> codes_;
  std::optional<EncodedTable> encoded_;
};

}  // namespace

void pack_rows(const BlockRows& block, const Targets& targets, bool weighted, Rows rows, Packer& to) {
  to.put(static_cast<std::uint32_t>(rows.size()));
  const auto put = [&](const auto& value_of) {
    std::vector<std::decay_t<decltype(value_of(RowId{0}))>> values;
    values.reserve(rows.size());
    for (const RowId row : rows) values.push_back(value_of(row));
    to.put(values);
  };
  for (std::size_t j = 0; j < block.table.columns.size(); ++j) {
    const CodedColumn& column = block.table.columns[j];
    const auto id = static_cast<ColId>(j);
    if (column.kind != Kind::numeric) {
      put([&](RowId row) {
        const double cell = block.table.cell(id, row);
        return std::isnan(cell) ? std::int32_t{-1} : static_cast<std::int32_t>(cell);
      });
    } else if (column.numbers.is_float()) {
      put([&](RowId row) { return column.numbers.float_at(row); });
    } else {
      put([&](RowId row) { return column.numbers.at(row); });
    }
  }
  for (const ClassTarget& target : targets.classes) put([&](RowId row) { return target.codes[row]; });
  for (const NumberTarget& target : targets.numbers) put([&](RowId row) { return target.raw[row]; });
  if (weighted) put([&](RowId row) { return targets.weights[row]; });
}

std::size_t gathered_row_bytes(const ScalePlan& plan, bool weighted) {
  const ScalePlan::Parts& parts = plan.parts();
  std::size_t bytes = weighted ? 8 : 0;
  for (std::size_t j = 0; j < parts.features.fields.size(); ++j)
    bytes += parts.features.fields[j].kind == Kind::numeric && !parts.columns[j].is_float ? 8 : 4;
  return bytes + parts.targets.fields.size() * (parts.task == Task::classification ? 4 : 8);
}

std::string finish_group(const ScalePlan& plan, std::string_view bytes, std::size_t group,
                         std::span<const std::string> parts) {
  const Request request = Request::from_bytes(bytes);
  Packer to;
  // Nodes of a group are of one tree: their targets have one frame.
  for (const TreeRequest& tree : request.trees) {
    std::vector<GatheredNode> nodes;
    for (const GatheredNode& node : tree.gathered)
      if (node.group == group) nodes.push_back(node);
    if (nodes.empty()) continue;
    GatheredRows rows;
    const std::size_t n_columns = plan.features().fields.size(), n_outputs = plan.targets().fields.size();
    rows.floats.resize(n_columns);
    rows.doubles.resize(n_columns);
    rows.levels.resize(n_columns);
    (plan.parts().task == Task::classification ? rows.classes.resize(n_outputs)
                                               : rows.numbers.resize(n_outputs));
    rows.nodes.resize(nodes.size());
    for (const std::string& part : parts) unpack_rows(plan.parts(), tree.frame.weighted, part, rows);
    GroupGrower grower(plan.parts(), tree.frame, request.criterion, std::move(rows));
    for (std::size_t i = 0; i < nodes.size(); ++i) grower.grow(i, nodes[i], to);
    break;
  }
  return to.take();
}

std::vector<GrownSubtree> unpack_subtrees(std::string_view bytes) {
  Unpacker from(bytes, "subtrees that were grown elsewhere");
  std::vector<GrownSubtree> subtrees;
  while (!from.rest().empty()) {
    GrownSubtree& subtree = subtrees.emplace_back();
    const std::size_t n = from.size(5);
    subtree.totals.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      subtree.nodes.push_back(unpack_split(from));
      if (subtree.nodes.back().right < 0) subtree.totals[i] = LeafTotals::read(from.rest());
    }
  }
  return subtrees;
}

}  // namespace bough
