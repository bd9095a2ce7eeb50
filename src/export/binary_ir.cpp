// SPDX-License-Identifier: Apache-2.0
// Trees as questions with two answers. A node of many children becomes a search by halves over its children,
// so that a wide node adds depth by its logarithm only.
#include "export/binary_ir.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "explain/words.hpp"
#include "predict/route.hpp"

namespace bough {

void refuse_node(std::string_view format, std::size_t tree, NodeId node, const std::string& reason,
                 const std::string& way_out) {
  throw Error(ErrorCode::not_supported,
              fmt::format("{} cannot say node {} of tree {}: {}", format, node, tree, reason), way_out);
}

namespace {

bool divided_in_training(const Tree& tree) {
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    std::int64_t below = 0;
    for (const NodeId child : tree.children(node)) below += tree.n_rows(child);
    if (below != tree.n_rows(node)) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> divided_in_training(const Model& model) {
  std::vector<bool> divided;
  for (const Tree& tree : model.trees()) divided.push_back(divided_in_training(tree));
  return divided;
}

bool divides_rows(const Model& model) {
  for (const Tree& tree : model.trees())
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (!tree.is_leaf(node) && tree.missing_to(node) == missing_by_share) return true;
  return false;
}

namespace {

constexpr std::size_t kMostMembers = std::size_t{1} << 27;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the number of a new node is to be written.
struct Slot {
  std::int32_t at = -1;  // -1: nowhere, the root
  bool yes = false;
};

// Children [low, high) of a node, still to be told apart.
struct Item {
  NodeId node = 0;
  std::int32_t low = 0, high = 0;
  Slot slot;
  bool fresh = true;  // nothing about the node has been asked yet
};

class Writer {
 public:
  Writer(const Model& model, const YesNoWishes& wishes)
      : model_(model), wishes_(wishes), n_levels_(model.n_levels()), divided_(divided_in_training(model)) {}

  YesNoModel run() {
    for (std::size_t i = 0; i < model_.trees().size(); ++i) {
      tree_ = &model_.trees()[i];
      number_ = i;
      out_.trees.emplace_back();
      write_tree();
    }
    return std::move(out_);
  }

 private:
  void write_tree() {
    later_.clear();
    place_.assign(static_cast<std::size_t>(tree_->n_nodes()), -1);
    open_.assign(1, whole(0, Slot{}));
    while (!open_.empty()) {
      const Item item = open_.back();
      open_.pop_back();
      if (item.fresh) place_[static_cast<std::size_t>(item.node)] = static_cast<std::int32_t>(nodes().size());
      if (tree_->is_leaf(item.node)) {
        add(YesNoNode{.origin = item.node}, item.slot);
      } else if (item.fresh) {
        start(item);
      } else {
        halve(item);
      }
    }
    for (const auto& [slot, node] : later_) connect(slot, place_[static_cast<std::size_t>(node)]);
  }

  std::vector<YesNoNode>& nodes() { return out_.trees.back().nodes; }

  [[nodiscard]] Item whole(NodeId node, Slot slot) const {
    return {node, 0, static_cast<std::int32_t>(tree_->children(node).size()), slot, true};
  }

  void connect(Slot slot, std::int32_t to) {
    if (slot.at < 0) return;
    YesNoNode& from = nodes()[static_cast<std::size_t>(slot.at)];
    (slot.yes ? from.yes : from.no) = to;
  }

  std::int32_t add(YesNoNode node, Slot slot) {
    const auto at = static_cast<std::int32_t>(nodes().size());
    nodes().push_back(node);
    connect(slot, at);
    return at;
  }

  // Sends rows on that the node's own test does not decide, then asks the test itself.
  void start(Item item) {
    check(item.node);
    item.fresh = false;
    const bool surrogates = has_surrogates(*tree_, item.node) &&
                            tree_->missing_to(item.node) < missing_by_share &&
                            tree_->missing_to(item.node) != missing_stops;
    if (!surrogates && missing_way(item.node) != missing_stops) {
      halve(item);
      return;
    }
    YesNoNode known = question(item.node, [](std::int32_t child) { return child >= 0; });
    if (!is_set(item.node)) known.threshold = kInfinity;
    const std::int32_t at = add(known, item.slot);
    item.slot = {at, true};
    open_.push_back(item);
    if (surrogates) {
      ask_surrogates(item.node, {at, false});
    } else {
      add(YesNoNode{.origin = item.node}, {at, false});
    }
  }

  void ask_surrogates(NodeId node, Slot slot) {
    for (const Alternative& test : tree_->alternatives(node)) {
      if (test.role != AlternativeRole::surrogate) continue;
      const SurrogateQuestions asked = surrogate_questions(node, test);
      const std::int32_t first = add(asked.known, slot);
      const std::int32_t second = add(asked.holds, {first, true});
      later_.push_back({{second, true}, tree_->children(node)[asked.yes_child]});
      later_.push_back({{second, false}, tree_->children(node)[1 - asked.yes_child]});
      slot = {first, false};
    }
    const std::int32_t to = route_missing(*tree_, node);
    if (to == missing_stops) {
      add(YesNoNode{.origin = node}, slot);
    } else {
      later_.push_back({slot, tree_->children(node)[static_cast<std::size_t>(to)]});
    }
  }

  struct SurrogateQuestions {
    YesNoNode known;  // does the surrogate decide
    YesNoNode holds;  // asked of rows that it decides
    std::size_t yes_child = 0;
  };

  SurrogateQuestions surrogate_questions(NodeId node, const Alternative& test) {
    YesNoNode known{.column = test.column, .origin = node};
    if (test.kind == NodeKind::numeric) {
      known.question = Question::number;
      YesNoNode holds = known;
      known.threshold = kInfinity;
      holds.threshold = test.threshold;
      return {known, holds, test.turned ? std::size_t{1} : std::size_t{0}};
    }
    known.question = Question::set;
    YesNoNode holds = known;
    const std::size_t n_codes = n_codes_of(test.column);
    std::string decides(n_codes, '0'), left(n_codes, '0');
    for (std::uint32_t code = 0; code + 2 < n_codes; ++code) {
      const std::int32_t child = route_surrogate(test, code);
      if (child >= 0) decides[code] = '1';
      if (child == 0) left[code] = '1';
    }
    known.part = set_number(test.column, decides);
    holds.part = set_number(test.column, left);
    return {known, holds, 0};
  }

  // Tells the children [low, high) apart: is it one of the lower half?
  void halve(const Item& item) {
    if (item.high - item.low == 1) {
      open_.push_back(whole(tree_->children(item.node)[static_cast<std::size_t>(item.low)], item.slot));
      return;
    }
    const std::int32_t middle = item.low + (item.high - item.low) / 2;
    YesNoNode node = question(item.node, [&](std::int32_t child) { return child >= 0 && child < middle; });
    if (node.question != Question::set) {
      const auto cuts = tree_->cuts(item.node);
      node.threshold =
          cuts.empty() ? tree_->threshold(item.node) : cuts[static_cast<std::size_t>(middle) - 1];
      const std::int32_t to = missing_way(item.node);
      node.missing_yes = to >= 0 && to < middle;
    }
    const bool first = item.low == 0 && item.high == std::ssize(tree_->children(item.node));
    if (first) mark_divided(item.node, node);
    const std::int32_t at = add(node, item.slot);
    open_.push_back({item.node, middle, item.high, {at, false}, false});
    open_.push_back({item.node, item.low, middle, {at, true}, false});
  }

  void mark_divided(NodeId at, YesNoNode& node) const {
    node.divides_missing = missing_way(at) == missing_by_share;
    if (node.question != Question::set) return;
    const std::size_t n_codes = n_codes_of(node.column);
    const auto unknown = static_cast<std::uint32_t>(n_codes - 2);
    node.divides_unknown = child_of(at, unknown, n_codes) == missing_by_share;
  }

  [[nodiscard]] bool is_set(NodeId node) const {
    const NodeKind kind = tree_->kind(node);
    return kind == NodeKind::ordinal || kind == NodeKind::equality || kind == NodeKind::subset ||
           kind == NodeKind::multiway;
  }

  // The question of a node: number and sum without a threshold, or the set of the codes whose child fits.
  template <class Fits>
  YesNoNode question(NodeId node, const Fits& fits) {
    YesNoNode out{.column = tree_->column(node), .origin = node};
    if (tree_->kind(node) == NodeKind::oblique) {
      out.question = Question::sum;
      out.part = sum_number(node);
    } else if (!is_set(node)) {
      out.question = Question::number;
    } else {
      out.question = Question::set;
      std::string members(n_codes_of(out.column), '0');
      for (std::uint32_t code = 0; code < members.size(); ++code)
        if (fits(child_of(node, code, members.size()))) members[code] = '1';
      out.part = set_number(out.column, members);
    }
    return out;
  }

  // Child of a code; missing_stops where the row stops or surrogates are asked.
  [[nodiscard]] std::int32_t child_of(NodeId node, std::uint32_t code, std::size_t n_codes) const {
    const double cell = code + 1 == n_codes   ? std::numeric_limits<double>::quiet_NaN()
                        : code + 2 == n_codes ? -1.0
                                              : static_cast<double>(code);
    const NodeKind kind = tree_->kind(node);
    std::int32_t child = missing_stops;
    const bool undecided = std::isnan(cell) || (kind == NodeKind::ordinal && cell < 0.0);
    if (!undecided) {
      const auto none = [cell](ColId) { return cell; };
      child = kind == NodeKind::subset || kind == NodeKind::multiway ? route_level(*tree_, node, cell)
                                                                     : route(*tree_, node, none);
    }
    if (child >= 0) return child;
    const bool asks = has_surrogates(*tree_, node) && tree_->missing_to(node) != missing_stops;
    return asks && tree_->missing_to(node) < missing_by_share ? static_cast<std::int32_t>(missing_stops)
                                                              : missing_way(node);
  }

  // Where missing cells go that no surrogate decides.
  [[nodiscard]] std::int32_t missing_way(NodeId node) const {
    const std::int32_t to = route_missing(*tree_, node);
    return to == missing_by_share && wishes_.divided == Divided::largest ? largest_child(*tree_, node) : to;
  }

  [[nodiscard]] std::size_t n_codes_of(ColId column) const {
    return n_levels_[static_cast<std::size_t>(column)] + std::size_t{2};
  }

  std::uint32_t set_number(ColId column, const std::string& members) {
    const auto [found, fresh] =
        set_numbers_.try_emplace({column, members}, static_cast<std::uint32_t>(out_.sets.size()));
    if (!fresh) return found->second;
    out_.sets.push_back({column, members});
    n_members_ += members.size();
    if (n_members_ > kMostMembers)
      throw Error(ErrorCode::not_supported,
                  fmt::format("{} would need more than {} entries for the sets of categories of this model",
                              wishes_.format, kMostMembers),
                  "prune the tree or join rare categories, or export c, cpp, python or json");
    return found->second;
  }

  std::uint32_t sum_number(NodeId node) {
    const auto terms = tree_->terms(node);
    std::vector<std::pair<ColId, double>> key;
    for (const ObliqueTerm& term : terms) key.emplace_back(term.column, term.weight);
    const auto [found, fresh] =
        sum_numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(out_.sums.size()));
    if (fresh) out_.sums.emplace_back(terms.begin(), terms.end());
    return found->second;
  }

  void check(NodeId node) const {
    const auto refuse = [&](const std::string& reason, const std::string& way_out) {
      refuse_node(wishes_.format, number_, node, reason, way_out);
    };
    const bool refused =
        wishes_.divided == Divided::refused || (wishes_.divided == Divided::largest && divided_[number_]);
    if (tree_->missing_to(node) == missing_by_share && refused) {
      refuse("its missing cells go to all children by share",
             "export as SQL, C or Python; or fill the missing cells and train again (--algorithm cart learns "
             "a side "
             "for them)");
    }
    const bool asks =
        tree_->missing_to(node) == missing_surrogate || tree_->missing_to(node) == missing_surrogate_or_stops;
    if (!wishes_.shared && asks && has_surrogates(*tree_, node)) {
      refuse("its missing cells go by surrogate splits",
             "export as SQL, C or Python, or train without surrogates");
    }
    if (tree_->kind(node) != NodeKind::oblique) return;
    if (!wishes_.sums) {
      refuse("it tests a sum of columns (oblique)",
             "export as ONNX, SQL, C or Python, or train without oblique splits");
    }
    for (const ObliqueTerm& term : tree_->terms(node)) {
      const Field& field = model_.features().fields[static_cast<std::size_t>(term.column)];
      if (field.kind == Kind::numeric) continue;
      refuse(fmt::format("its sum holds the column {}, whose cells are levels", shown_name(field.name)),
             "predict with bough, or train with that column as a number");
    }
  }

  const Model& model_;
  YesNoWishes wishes_;
  std::vector<std::uint32_t> n_levels_;
  std::vector<bool> divided_;
  const Tree* tree_ = nullptr;
  std::size_t number_ = 0;
  YesNoModel out_;
  std::vector<Item> open_;
  std::vector<std::int32_t> place_;             // of every node of the tree
  std::vector<std::pair<Slot, NodeId>> later_;  // to connect when every node has its place
  std::map<std::pair<ColId, std::string>, std::uint32_t> set_numbers_;
  std::size_t n_members_ = 0;
  std::map<std::vector<std::pair<ColId, double>>, std::uint32_t> sum_numbers_;
};

}  // namespace

YesNoModel yes_no_model(const Model& model, const YesNoWishes& wishes) {
  return Writer(model, wishes).run();
}

}  // namespace bough
