// SPDX-License-Identifier: Apache-2.0
// One verb of the command line: its options, its help, and what it does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effects.hpp"

namespace CLI {
class App;
}

namespace bough::cli {

/// How an option is written and what is said about it.
struct Flag {
  std::string names;  ///< "-o,--output"; a bare name is an argument without a dash
  std::string doc;
  std::string value = {};                 ///< what stands for the value in --help ("FILE")
  std::vector<std::string> choices = {};  ///< the words that are allowed; empty: any
  bool expert = false;                    ///< shown by --help-all only
  std::string hint = {};                  ///< said when a value is none of the choices
};

/// An option as help and completion see it.
struct FlagInfo {
  std::string group;
  std::vector<std::string> names;  ///< with dashes; one bare name for an argument
  std::string doc;
  std::string value;  ///< empty for a switch
  std::vector<std::string> choices;
  bool expert = false;
  bool argument = false;
  bool required = false;
  bool repeats = false;
  std::string usual = {};  ///< the value of an option of words that was not given
};

/// Options are bound to variables that must live until run() has returned.
class Command {
 public:
  Command(std::string name, std::string summary);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Title under which --help lists the options that follow.
  void group(std::string title) { group_ = std::move(title); }
  void option(std::string& value, const Flag& flag);
  void option(std::optional<std::string>& value, const Flag& flag);
  void option(std::vector<std::string>& values, const Flag& flag);  ///< may be repeated
  void option(std::int64_t& value, const Flag& flag);
  void option(int& value, const Flag& flag);
  void option(std::optional<int>& value, const Flag& flag);  ///< not negative
  void option(double& value, const Flag& flag);
  void toggle(bool& value, const Flag& flag);
  /// An argument without a dash, in the order of the calls; must be given unless `optional_argument` is used.
  void argument(std::string& value, const Flag& flag);
  void optional_argument(std::string& value, const Flag& flag);
  /// --config FILE: options from a TOML file, which those of the command line override.
  void config_option();

  /// What several verbs take, in the same words.
  void model_argument(std::string& value) { argument(value, {"model", "model file", "MODEL"}); }
  void truth_option(std::string& value);  ///< --target where the model knows its own
  void weight_option(std::string& value) { option(value, {"-w,--weight", "Column of row weights", "NAME"}); }
  void threads_option(int& value) { option(value, {"--threads", "Threads; 0: all cores (default: 0)", "N"}); }
  void json_toggle(bool& value) { toggle(value, {"--json", "Print the result as JSON"}); }

  /// Where options have an effect; elsewhere they are refused, before anything is read.
  void effects(std::vector<Effect> rows);
  /// The value that an option has where others imply it, for needs such as "--method=leaves".
  void implied(std::string option, std::function<std::string()> value) {
    implied_.emplace_back(std::move(option), std::move(value));
  }
  /// The rows of an option.
  [[nodiscard]] std::vector<Effect> effects_of(const FlagInfo& info) const;
  /// Whether an option or argument was given, by the command line or --config; a switch: whether it is on.
  [[nodiscard]] bool is_given(const std::string& name) const;
  /// What an option or argument was given last; empty where it was not.
  [[nodiscard]] std::string typed(const std::string& name) const;

  /// The options that --help shows where all would be too many; --help-all shows the others, too.
  void essentials(std::vector<std::string> names) { essentials_ = std::move(names); }
  void examples(std::vector<std::string> lines) { examples_ = std::move(lines); }
  /// A paragraph after the options.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// Words and what they mean, one line each, after the options.
  void words(std::string title, std::vector<std::pair<std::string, std::string>> meanings) {
    words_.emplace_back(std::move(title), std::move(meanings));
  }
  void action(std::function<void()> body) { action_ = std::move(body); }
  /// The variables of a verb, whose action is body(variables).
  template <class Flags>
  std::shared_ptr<Flags> runs(void (*body)(const Flags&)) {
    auto flags = std::make_shared<Flags>();
    action([flags, body] { body(*flags); });
    return flags;
  }
  /// The same for a verb whose one argument is a model; its options follow.
  template <class Flags>
  std::shared_ptr<Flags> runs_on_model(void (*body)(const Flags&)) {
    auto flags = runs(body);
    model_argument(flags->model);
    group("Options");
    return flags;
  }

  /// Parses the words after the verb and runs the action; --help prints and returns. Throws bad_params.
  void run(std::span<const std::string> words);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& summary() const noexcept { return summary_; }
  [[nodiscard]] const std::vector<FlagInfo>& flags() const noexcept { return flags_; }

  enum class HelpDepth : std::uint8_t { basic, all };
  [[nodiscard]] std::string help(HelpDepth depth) const;

 private:
  /// Puts one value into the bound variable; called once per value.
  using Setter = std::function<void(const std::string&)>;
  enum class Shape : std::uint8_t { value, list, toggle, argument, optional_argument };
  void add(const Flag& flag, Shape shape, Setter set);
  /// True when only help was wanted.
  bool parse(std::span<const std::string> words);
  void apply_config();
  [[noreturn]] void check_section(const std::string& section) const;
  void set_from_config(const std::string& key, std::span<const std::string> values);
  bool take_data(const std::string& word);
  [[noreturn]] void refuse(std::span<const std::string> rest) const;
  void require_arguments() const;
  [[nodiscard]] bool given(const FlagInfo& info) const;
  [[nodiscard]] std::size_t find_flag(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> value_of(const std::string& name) const;
  void refuse_idle() const;

  /// What an option or argument was given, and where.
  struct Given {
    std::optional<std::string> text;
    std::string key;  // of --config; empty: on the command line
  };

  std::string name_;
  std::string summary_;
  std::string group_ = "Options";
  std::vector<FlagInfo> flags_;
  std::vector<Setter> setters_;                                                          // of flags_
  std::shared_ptr<std::vector<Given>> givens_ = std::make_shared<std::vector<Given>>();  // of flags_
  std::vector<Effect> effects_;
  std::vector<std::pair<std::string, std::function<std::string()>>> implied_;
  [[nodiscard]] bool is_basic(const FlagInfo& info) const;

  std::vector<std::string> essentials_;
  std::vector<std::string> examples_;
  std::vector<std::string> notes_;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> words_;
  std::function<void()> action_;
  std::string config_path_;
  std::unique_ptr<CLI::App> app_;
};

/// The command line that is running, as one would type it.
std::string command_line();
/// Whether the verb that runs has this option ("--repeats").
bool is_option_of_verb(const std::string& option);
/// Whether an option of the verb that runs can have this value ("reduced_error").
bool is_choice_of_verb(const std::string& word);
void set_command_line(std::span<const std::string> words);

}  // namespace bough::cli
