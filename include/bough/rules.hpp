// SPDX-License-Identifier: Apache-2.0
// Rules: a tree as a list of if-then sentences, and C4.5rules, which makes them fewer and shorter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "bough/table.hpp"
#include "bough/tree.hpp"

namespace bough {

/// What one column, or one weighted sum of columns, must hold for a row to be covered by a rule.
struct RuleCondition {
  enum class Form : std::uint8_t {
    range,    ///< above < x <= at_most; at least one of the two is set
    one_of,   ///< a level of `levels`; no other one, no unseen category
    none_of,  ///< any level but `levels`; unseen categories too
    known,    ///< anything but a missing cell
    missing   ///< a missing cell and nothing else
  };
  Form form = Form::range;
  ColId column = -1;                 ///< index into the features; -1: the sum over `terms`
  std::vector<ObliqueTerm> terms{};  ///< columns increasing; a missing cell makes the sum missing
  std::optional<double> above{};     ///< range; of an ordinal column: the level index is above it
  std::optional<double> at_most{};
  std::vector<std::uint32_t> levels{};  ///< one_of, none_of: increasing level indices
  /// Share of a row with a missing cell that passes: 0 or 1, in between where a tree divides such rows.
  double missing = 0.0;
  bool operator==(const RuleCondition&) const = default;
};

/// Conditions that must all hold, and the answer for the rows where they do.
struct Rule {
  std::vector<RuleCondition> conditions{};
  std::vector<double>
      values{};             ///< class weights of every output one after the other, or the outputs' values
  std::int64_t n_rows = 0;  ///< rows covered
  double weight = 0.0;      ///< their weight
  /// Classification, per output: the weight of those of the rule's class. Empty where nobody has counted: leaves that were
  /// shrunk, or filled from other rows, do not know (measure() counts).
  std::vector<double> right{};
  std::optional<double> spread{};           ///< regression: root mean square distance from the values
  std::optional<double> estimated_error{};  ///< C4.5rules: the pessimistic error rate
  NodeId node = -1;                         ///< the node of the tree it comes from
  bool operator==(const Rule&) const = default;
};

/// How the rules of a set answer together.
enum class RuleMatch : std::uint8_t {
  shares,  ///< all rules that cover a row, by the share of it that they cover: the rules of a tree
  first    ///< the first rule that covers the whole row, else the default: C4.5rules
};

/// What a rule is worth in one output.
struct RuleScore {
  double coverage = 0.0;               ///< share of all weight that the rule covers
  std::optional<double> support{};     ///< share of all weight that it covers and answers rightly
  std::optional<double> confidence{};  ///< support over coverage
  std::optional<double> lift{};        ///< confidence over the share of its class among all rows
};

/// An immutable list of rules that answers like a model. Safe to share between threads.
class RuleSet {
 public:
  struct Parts {
    Task task = Task::classification;
    RuleMatch match = RuleMatch::shares;
    Schema features{};
    Schema targets{};  ///< class labels are the levels of the fields
    std::string
        effect{};  ///< "effect of drug on y" where rules answer with effects, which no row shows; else empty
    /// Numeric features whose cells may be dates, as a model notes them; increasing. Nothing: not known, any may.
    std::optional<std::vector<ColId>> dates{};
    std::vector<ColId> days{};  ///< those of them that hold nothing else, whose bounds are shown as dates
    std::vector<Rule> rules{};
    std::vector<double>
        fallback{};           ///< first: the answer where no rule covers a row; shaped like Rule::values
    std::int64_t n_rows = 0;  ///< rows behind the numbers of the rules
    double weight = 0.0;
    std::vector<double> base{};  ///< classification: class weights of all these rows
    bool operator==(const Parts&) const = default;
  };
  explicit RuleSet(Parts parts);  ///< throws bad_model, naming the rule, when the parts do not fit

  [[nodiscard]] const Parts& parts() const noexcept { return *parts_; }
  [[nodiscard]] std::span<const Rule> rules() const noexcept { return parts_->rules; }
  [[nodiscard]] std::size_t n_outputs() const noexcept { return parts_->targets.fields.size(); }
  /// Bounds, level sets, and tests for missing cells of all rules.
  [[nodiscard]] std::size_t n_conditions() const noexcept;
  /// Class index of a rule's answer (classification) or its value, in one output.
  [[nodiscard]] double answer(const Rule& rule, std::size_t output = 0) const;
  [[nodiscard]] RuleScore score(const Rule& rule, std::size_t output = 0) const;

  /// As Model's members of these names.
  [[nodiscard]] std::vector<double> predict(const Table& rows, const Execution& execution = {}) const;
  [[nodiscard]] std::vector<std::string> predict_labels(const Table& rows,
                                                        const Execution& execution = {}) const;
  [[nodiscard]] std::vector<double> predict_proba(const Table& rows, std::size_t output = 0,
                                                  const Execution& execution = {}) const;
  /// Number of the rule that answers for every row (the one of the largest share); -1 where none covers it.
  [[nodiscard]] std::vector<std::int64_t> apply(const Table& rows, const Execution& execution = {}) const;

  /// The whole set as JSON and back. Throws bad_model on anything that is no rule set, whatever the bytes.
  [[nodiscard]] std::string to_json() const;
  static RuleSet from_json(std::string_view text);
  void save(const std::string& path) const;  ///< writes the JSON atomically
  static RuleSet load(const std::string& path);

  bool operator==(const RuleSet& other) const { return *parts_ == *other.parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// One rule for every end of a tree that a row can reach, in the order of the nodes, with the conditions of
/// the way merged. Every row is covered once (by shares that add up to 1 where the tree divides rows) and
/// gets the answer of the tree. Numbers are those of training. Throws bad_params when there is no such tree.
RuleSet tree_rules(const Model& model, std::size_t tree = 0);

/// The same rules with their numbers counted on `table`, which must hold the targets. `weight`: a column of
/// row weights, or empty. Throws bad_data naming a label that the rules do not know.
RuleSet measure(const RuleSet& rules, const Table& table, std::string_view weight = {},
                const Execution& execution = {});

/// Share of the weight of `table` that every class output of the set answers rightly. Throws as measure().
std::vector<double> accuracy(const RuleSet& rules, const Table& table, std::string_view weight = {},
                             const Execution& execution = {});

/// In which order C4.5rules puts what it has kept.
enum class RuleOrder : std::uint8_t {
  accuracy,  ///< lowest pessimistic error first
  classes    ///< class after class, those with the fewest false positives first
};

struct C45RulesOptions {
  double confidence = 0.25;  ///< confidence factor of the pessimistic error, in (0, 0.5]
  RuleOrder order = RuleOrder::accuracy;
  double theory_weight = 0.5;  ///< what a bit of rules costs beside a bit of exceptions, >= 0
  std::size_t tree = 0;
  std::string weight{};  ///< column of row weights, or empty
};

/// C4.5rules: the rules of a classification tree of one output, generalised and chosen on its training rows
/// (docs/rules.md). execution.progress is told and may cancel. Throws not_supported for numbers or several
/// outputs, bad_params, bad_data.
RuleSet c45_rules(const Model& model, const Table& table, const C45RulesOptions& options = {},
                  const Execution& execution = {});

/// A condition in words with the names of the set: "age > 41.5", "job is one of a, b or missing". `digits`:
/// about so many significant digits (0: all).
std::string condition_text(const RuleSet& rules, const RuleCondition& condition, int digits = 6);

struct RuleFormat {
  std::string_view name;       ///< "md"
  std::string_view extension;  ///< ".md"
  std::string_view doc;
  std::string (*write)(const RuleSet&);
};

/// Every format, in the order of their names.
std::span<const RuleFormat> rule_formats() noexcept;
/// Throws bad_params listing the formats when the name is unknown, not_supported when the format cannot hold
/// the set. SQL is that of rules_as_sql() (export.hpp) in its first dialect.
std::string write_rules(const RuleSet& rules, std::string_view format);

/// True when the bytes look like a rule set (and not a model): what a program may ask before loading a file.
bool is_rule_set(std::string_view bytes) noexcept;

}  // namespace bough
