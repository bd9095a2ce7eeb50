// SPDX-License-Identifier: Apache-2.0
// Where options have an effect: the rows that verbs declare, and what is said where an option has none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bough::cli {

/// One row: the options have an effect where one of the needs holds. No needs: always. An option of several rows needs one
/// of each. Every option of every verb has a row: tests/cli/test_idle_options.py walks them.
struct Effect {
  std::string options;  ///< with commas: "--repeats,--seed"
  /// "--data": it is given. "!--json": it is not. "--kind=tree|fit": it has one of these values, typed or not.
  std::vector<std::string> needs = {};
  std::string why = {};  ///< what is the case where none holds, if the needs do not say it well
};

/// A need taken apart.
struct Need {
  enum class Kind { given, absent, valued };
  Kind kind = Kind::given;
  std::string option;
  std::vector<std::string> values = {};
};
Need parse_need(const std::string& text);

/// What was typed, as the rows see it.
struct Typed {
  /// The value of an option or argument: typed, from --config, or where there is one the usual; a switch that is off has none.
  std::function<std::optional<std::string>(const std::string& option)> value;
  std::function<bool(const std::string& option)> given;
  std::string verb;
};

bool holds(const Need& need, const Typed& typed);
/// "--seed does nothing, because --importance is not given", and the way out.
struct IdleWords {
  std::string problem, hint;
};
/// What to say about an option, written as it was typed, whose row does not hold.
IdleWords idle_words(const std::string& option, const Effect& row, const Typed& typed);
/// "with --importance", "without --json", "with --kind tree or fit"; several needs with "or".
std::string needs_text(const Effect& row);

}  // namespace bough::cli
