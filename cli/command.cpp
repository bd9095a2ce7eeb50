// SPDX-License-Identifier: Apache-2.0
// Options of a verb on CLI11: binding, parsing, and errors that say what to do.
#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "bough/error.hpp"
#include "config.hpp"
#include "output.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

std::string running_command;
std::set<std::string> options_of_verb, choices_of_verb;

std::string see_help(const std::string& verb) {
  return fmt::format("'bough {} --help' lists the options", verb);
}

template <class Number>
Number number_from(const std::string& text, const std::string& option, const char* wanted) {
  Number value{};
  const auto [end, status] = parse_chars(text, value);
  if (status != std::errc() || end != text.data() + text.size())
    throw Error(ErrorCode::bad_params, fmt::format("{} wants {}, not '{}'", option, wanted, text));
  return value;
}

std::string long_name(const std::string& names) {
  return names.substr(names.rfind(',') == std::string::npos ? 0 : names.rfind(',') + 1);
}

std::vector<std::string> quoted_words(std::span<const std::string> words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(fmt::format("'{}'", word));
  return out;
}

void check_choice(const Flag& flag, const std::string& text) {
  if (flag.choices.empty() || std::find(flag.choices.begin(), flag.choices.end(), text) != flag.choices.end())
    return;
  throw Error(
      ErrorCode::bad_params,
      fmt::format("{} is one of {}, not '{}'", long_name(flag.names), fmt::join(flag.choices, ", "), text),
      flag.hint.empty() ? did_you_mean(text, flag.choices) : flag.hint);
}

// What is to be named by an option must have a name.
void check_name(const Flag& flag, const std::string& text) {
  const std::string_view value = flag.value;
  const bool file = value == "FILE", folder = value == "FOLDER" || value == "DIR";
  const bool column = value == "NAME" || value == "NAMES" || value == "SPEC";
  if (column ? !split_list(text).empty() : !text.empty() || !(file || folder)) return;
  throw Error(ErrorCode::bad_params, fmt::format("{}: '{}' is not a name", long_name(flag.names), text),
              fmt::format("name a {}, or leave {} out",
                          file     ? "file"
                          : folder ? "folder"
                                   : "column",
                          long_name(flag.names)));
}

}  // namespace

Command::Command(std::string name, std::string summary)
    : name_(std::move(name)), summary_(std::move(summary)), app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag("-h,--help");
  app_->set_help_all_flag("--help-all");
  app_->allow_extras();
}

Command::~Command() = default;

void Command::add(const Flag& flag, Shape shape, Setter set) {
  const auto checked = [flag, set = std::move(set), givens = givens_,
                        index = flags_.size()](const std::string& text) {
    check_choice(flag, text);
    check_name(flag, text);
    set(text);
    (*givens)[index].text = text;
  };
  givens_->emplace_back();
  const bool once = shape == Shape::value;
  const CLI::callback_t callback = [checked, once,
                                    name = long_name(flag.names)](const std::vector<std::string>& values) {
    if (once && values.size() > 1)
      throw Error(ErrorCode::bad_params,
                  fmt::format("{} is given {}", name,
                              values.size() == 2 ? "twice" : fmt::format("{} times", values.size())),
                  fmt::format("keep one of {}", fmt::join(quoted_words(values), ", ")));
    for (const std::string& value : values) checked(value);
    return true;
  };
  if (shape == Shape::toggle) {
    app_->add_flag_callback(flag.names, [checked] { checked("true"); });
  } else {
    CLI::Option* option = app_->add_option(flag.names, callback);
    option->type_size(1)->expected(1);
    if (shape == Shape::list)
      option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
    else
      option->multi_option_policy(once ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
  }
  FlagInfo info;
  info.group = group_;
  info.names = split_list(flag.names);
  info.doc = flag.doc;
  info.value = shape == Shape::toggle ? "" : flag.value.empty() ? "TEXT" : flag.value;
  info.choices = flag.choices;
  info.expert = flag.expert;
  info.argument = shape == Shape::argument || shape == Shape::optional_argument;
  info.required = shape == Shape::argument;
  info.repeats = shape == Shape::list;
  flags_.push_back(std::move(info));
  setters_.emplace_back(checked);
}

void Command::option(std::string& value, const Flag& flag) {
  add(flag, Shape::value, [&value](const std::string& text) { value = text; });
  flags_.back().usual = value;
}

void Command::option(std::optional<std::string>& value, const Flag& flag) {
  add(flag, Shape::value, [&value](const std::string& text) { value = text; });
}

void Command::option(std::vector<std::string>& values, const Flag& flag) {
  add(flag, Shape::list, [&values](const std::string& text) { values.push_back(text); });
}

void Command::option(std::int64_t& value, const Flag& flag) {
  add(flag, Shape::value, [&value, name = long_name(flag.names)](const std::string& text) {
    value = number_from<std::int64_t>(text, name, "a whole number");
  });
}

void Command::option(int& value, const Flag& flag) {
  add(flag, Shape::value, [&value, name = long_name(flag.names)](const std::string& text) {
    value = number_from<int>(text, name, "a whole number");
  });
}

void Command::option(std::optional<int>& value, const Flag& flag) {
  add(flag, Shape::value, [&value, name = long_name(flag.names)](const std::string& text) {
    value = number_from<int>(text, name, "a whole number");
    if (*value < 0)
      throw Error(ErrorCode::bad_params, fmt::format("{} must not be negative, but is {}", name, text));
  });
}

void Command::option(double& value, const Flag& flag) {
  add(flag, Shape::value, [&value, name = long_name(flag.names)](const std::string& text) {
    value = number_from<double>(text, name, "a number");
    if (!std::isfinite(value))
      throw Error(ErrorCode::bad_params, fmt::format("{} wants a number, not '{}'", name, text));
  });
}

void Command::truth_option(std::string& value) {
  option(value, {"--target", "Column that holds the truth, if the table names it differently from the model",
                 "NAME"});
}

void Command::toggle(bool& value, const Flag& flag) {
  add(flag, Shape::toggle, [&value, name = long_name(flag.names)](const std::string& text) {
    if (text != "true" && text != "false")
      throw Error(ErrorCode::bad_params, fmt::format("{} is true or false, not '{}'", name, text));
    value = text == "true";
  });
}

void Command::argument(std::string& value, const Flag& flag) {
  add(flag, Shape::argument, [&value](const std::string& text) { value = text; });
}

void Command::optional_argument(std::string& value, const Flag& flag) {
  add(flag, Shape::optional_argument, [&value](const std::string& text) { value = text; });
}

void Command::config_option() {
  option(
      config_path_,
      {"--config", "Read options from a TOML file (max_depth = 5); the command line overrides it", "FILE"});
}

void Command::run(std::span<const std::string> words) {
  options_of_verb.clear();
  choices_of_verb.clear();
  for (const FlagInfo& info : flags_) {
    if (!info.argument) options_of_verb.insert(info.names.begin(), info.names.end());
    choices_of_verb.insert(info.choices.begin(), info.choices.end());
  }
  if (parse(words)) return;
  if (!config_path_.empty()) apply_config();
  require_arguments();
  refuse_idle();
  action_();
}

// --max_depth, as parameters are called elsewhere, is --max-depth.
static std::string with_dashes(const std::string& word, std::span<const FlagInfo> flags) {
  const std::size_t end = std::min(word.find('='), word.size());
  if (!word.starts_with("--") || word.substr(0, end).find('_') == std::string::npos) return word;
  std::string dashed = word;
  std::replace(dashed.begin(), dashed.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
  for (const FlagInfo& info : flags)
    if (std::find(info.names.begin(), info.names.end(), dashed.substr(0, end)) != info.names.end())
      return dashed;
  return word;
}

// --honest alone means --honest true.
static std::vector<std::string> with_truths(std::span<const std::string> typed,
                                            std::span<const FlagInfo> flags) {
  std::vector<std::string> words;
  const auto options_end = std::find(typed.begin(), typed.end(), "--");
  for (auto word = typed.begin(); word != typed.end(); ++word)
    words.push_back(word < options_end ? with_dashes(*word, flags) : *word);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.push_back(words[i]);
    if (words[i] == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    const bool yes_or_no = std::any_of(flags.begin(), flags.end(), [&](const FlagInfo& info) {
      return info.value == "bool" &&
             std::find(info.names.begin(), info.names.end(), words[i]) != info.names.end();
    });
    if (yes_or_no && (i + 1 == words.size() || (words[i + 1] != "true" && words[i + 1] != "false")))
      out.emplace_back("true");
  }
  return out;
}

// Verbs that take their table as an argument take --data, as the others have it, too.
static std::vector<std::string> with_data_last(std::vector<std::string> words,
                                               std::span<const FlagInfo> flags) {
  const auto is_called = [&](std::string_view name) {
    return std::any_of(flags.begin(), flags.end(),
                       [&](const FlagInfo& info) { return info.names.back() == name; });
  };
  if (!is_called("data") || is_called("--data")) return words;
  const auto option = std::find(words.begin(), words.end(), "--data");
  const auto options_end = std::find(words.begin(), words.end(), "--");
  if (option >= options_end || option + 1 == words.end()) return words;
  std::rotate(option, option + 2, words.end());
  words.erase(words.end() - 2);
  return words;
}

bool Command::parse(std::span<const std::string> words) {
  const std::vector<std::string> whole = with_data_last(with_truths(words, flags_), flags_);
  std::vector<std::string> reversed(whole.rbegin(), whole.rend());
  try {
    app_->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    print(help(HelpDepth::basic));
    return true;
  } catch (const CLI::CallForAllHelp&) {
    print(help(HelpDepth::all));
    return true;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view text = error.what();
    throw Error(ErrorCode::bad_params, fmt::format("{} needs a value", text.substr(0, text.find(':'))),
                see_help(name_));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::bad_params, error.what(), see_help(name_));
  }
  std::vector<std::string> rest = app_->remaining();
  std::erase(rest, "--");  // the end of the options
  if (rest.size() == 1 && take_data(rest.front())) return false;
  if (!rest.empty()) refuse(rest);
  return false;
}

// Verbs that have --data take their table as a last argument, as the others have it, too.
bool Command::take_data(const std::string& word) {
  if (word.size() > 1 && word.front() == '-') return false;
  for (std::size_t i = 0; i < flags_.size(); ++i) {
    if (flags_[i].names.back() != "--data" || given(flags_[i])) continue;
    setters_[i](word);
    return true;
  }
  return false;
}

void Command::refuse(std::span<const std::string> rest) const {
  const auto unknown = std::find_if(rest.begin(), rest.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (unknown == rest.end()) {
    throw Error(ErrorCode::bad_params,
                fmt::format("bough {} does not know what to do with '{}'", name_, rest.front()),
                see_help(name_));
  }
  std::string written = unknown->substr(0, unknown->find('='));
  std::string wanted = written;
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> known{"--help", "--help-all"};
  for (const FlagInfo& info : flags_) {
    if (!info.argument) known.insert(known.end(), info.names.begin(), info.names.end());
  }
  const std::string elsewhere = option_elsewhere(wanted, known);
  const std::string near =
      elsewhere.empty() ? did_you_mean(wanted, known) : "it is called " + elsewhere + " here";
  throw Error(ErrorCode::bad_params, fmt::format("bough {} has no option {}", name_, written),
              near.empty() ? see_help(name_) : near);
}

bool Command::given(const FlagInfo& info) const {
  return app_->get_option(info.names.back())->count() > 0;
}

void Command::effects(std::vector<Effect> rows) {
  effects_.insert(effects_.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

std::size_t Command::find_flag(const std::string& name) const {
  for (std::size_t i = 0; i < flags_.size(); ++i)
    if (std::find(flags_[i].names.begin(), flags_[i].names.end(), name) != flags_[i].names.end()) return i;
  throw Error(ErrorCode::internal, fmt::format("bough {} has no option {}", name_, name));
}

bool Command::is_given(const std::string& name) const {
  const std::size_t i = find_flag(name);
  const std::optional<std::string>& text = (*givens_)[i].text;
  // A switch that is off in a file says nothing.
  return text.has_value() && !(flags_[i].value.empty() && *text == "false");
}

std::string Command::typed(const std::string& name) const {
  return (*givens_)[find_flag(name)].text.value_or("");
}

std::optional<std::string> Command::value_of(const std::string& name) const {
  for (const auto& [option, value] : implied_)
    if (option == name) return value();
  const std::size_t i = find_flag(name);
  if (is_given(name)) return (*givens_)[i].text;
  return flags_[i].usual.empty() ? std::nullopt : std::optional(flags_[i].usual);
}

std::vector<Effect> Command::effects_of(const FlagInfo& info) const {
  std::vector<Effect> rows;
  for (const Effect& row : effects_)
    for (const std::string& name : split_list(row.options))
      if (name == info.names.back()) rows.push_back(row);
  return rows;
}

void Command::refuse_idle() const {
  const Typed typed{[this](const std::string& option) { return value_of(option); },
                    [this](const std::string& option) { return is_given(option); }, name_};
  for (std::size_t i = 0; i < flags_.size(); ++i) {
    const FlagInfo& info = flags_[i];
    if (!is_given(info.names.back())) continue;
    for (const Effect& row : effects_of(info)) {
      const auto is_met = [&](const std::string& need) { return holds(parse_need(need), typed); };
      if (row.needs.empty() || std::ranges::any_of(row.needs, is_met)) continue;
      const Given& given = (*givens_)[i];
      const std::string shown = info.argument ? fmt::format("'{}'", *given.text)
                                : given.key.empty() || this->given(info)
                                    ? info.names.back()
                                    : fmt::format("'{}' in {}", given.key, config_path_);
      IdleWords words = idle_words(shown, row, typed);
      throw Error(ErrorCode::bad_params, words.problem, words.hint);
    }
  }
}

void Command::require_arguments() const {
  for (const FlagInfo& info : flags_) {
    if (!info.required || given(info)) continue;
    const std::string hint =
        examples_.empty() ? see_help(name_) : fmt::format("for example: {}", examples_.front());
    const std::string doc = info.doc.substr(0, info.doc.find_first_of(":;"));
    throw Error(ErrorCode::bad_params, fmt::format("bough {} needs {}, the {}", name_, info.value, doc),
                hint);
  }
}

void Command::apply_config() {
  std::istringstream text(plain_toml(read_file(config_path_), config_path_));
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(text)) {
    // CLI11 marks the ends of sections with these names.
    if (item.name == "++" || item.name == "--") continue;
    if (!item.parents.empty() && item.parents != std::vector<std::string>{name_})
      check_section(item.parents.front());
    set_from_config(item.name, item.inputs);
  }
}

// A section that this verb does not read is read by nobody: no other verb takes --config.
void Command::check_section(const std::string& section) const {
  const bool is_verb = std::ranges::any_of(verbs(), [&](const Verb& verb) { return verb.name == section; });
  throw Error(
      ErrorCode::bad_params,
      is_verb ? fmt::format("{}: the section [{}] does nothing, because 'bough {}' takes no --config",
                            config_path_, section, section)
              : fmt::format("{}: there is no section [{}]", config_path_, section),
      fmt::format("write the options of this command under [{}], or before all sections{}", name_,
                  is_verb ? fmt::format("; those of 'bough {}' go on its command line", section) : ""));
}

void Command::set_from_config(const std::string& key, std::span<const std::string> values) {
  std::string wanted = "--" + key;
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> known;
  for (std::size_t i = 0; i < flags_.size(); ++i) {
    const FlagInfo& info = flags_[i];
    if (info.argument || info.names.back() == "--config") continue;  // a file in a file is read by nobody
    known.push_back(info.names.back().substr(2));
    if (info.names.back() != wanted) continue;
    std::string& known_key = (*givens_)[i].key;
    if (!known_key.empty())
      throw Error(ErrorCode::bad_params,
                  known_key == key ? fmt::format("{}: '{}' is set twice, before the sections and in [{}]",
                                                 config_path_, key, name_)
                                   : fmt::format("{}: '{}' and '{}' are the same option, set twice",
                                                 config_path_, known_key, key),
                  "keep one of the two");
    known_key = key;
    if (given(info)) return;
    if (info.repeats) {
      for (const std::string& value : values) setters_[i](value);
    } else {
      setters_[i](
          fmt::format("{}", fmt::join(values.begin(), values.end(), key == "interaction_cst" ? ";" : ",")));
    }
    return;
  }
  throw Error(ErrorCode::bad_params,
              fmt::format("'{}' in {} is not an option of bough {}", key, config_path_, name_),
              did_you_mean(wanted.substr(2), known));
}

namespace {

// What changes nothing about a model may not change its file either.
bool says_how_to_run(std::string_view word) {
  for (const std::string_view option : {"--threads", "--memory", "--scratch", "--dask"})
    if (word == option || (word.starts_with(option) && word[option.size()] == '=')) return true;
  return false;
}

}  // namespace

bool is_option_of_verb(const std::string& option) {
  return options_of_verb.contains(option);
}

bool is_choice_of_verb(const std::string& word) {
  return choices_of_verb.contains(word);
}

std::string command_line() {
  return running_command;
}

void set_command_line(std::span<const std::string> words) {
  running_command = "bough";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (says_how_to_run(words[i])) {
      if (words[i].find('=') == std::string::npos) ++i;
    } else {
      running_command += ' ' + shell_word(words[i]);
    }
  }
}

}  // namespace bough::cli
