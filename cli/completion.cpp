// SPDX-License-Identifier: Apache-2.0
// bough completion: scripts for bash, zsh and fish, made from the options of every verb.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "bough/json.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const Verb& verb : verbs()) {
    commands.push_back(std::make_unique<Command>(std::string(verb.name), std::string(verb.summary)));
    verb.add(*commands.back());
  }
  return commands;
}

using Commands = std::vector<std::unique_ptr<Command>>;

bool wants_file(const FlagInfo& info) {
  return info.value == "FILE" || info.value == "DATA" || info.value == "MODEL" || info.value == "FOLDER";
}

std::string replaced(std::string_view text, std::string_view signs, std::string_view prefix) {
  std::string out;
  for (const char c : text) {
    if (signs.find(c) != std::string_view::npos) out += prefix;
    out += c;
  }
  return out;
}

// Text between single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("'{}'", out);
}

std::string bash_verb(const Command& command) {
  std::string options = "--help";
  std::string values;
  std::string words;
  for (const FlagInfo& info : command.flags()) {
    if (info.argument) {
      words += fmt::format(" {}", fmt::join(info.choices, " "));
      continue;
    }
    options += fmt::format(" {}", fmt::join(info.names, " "));
    if (info.value.empty()) continue;
    const std::string reply = !info.choices.empty()
                                  ? fmt::format("compgen -W '{}' -- \"$cur\"", fmt::join(info.choices, " "))
                              : wants_file(info) ? "compgen -f -- \"$cur\""
                                                 : "";
    values += fmt::format("        {}) COMPREPLY=({}); return ;;\n", fmt::join(info.names, "|"),
                          reply.empty() ? "" : fmt::format("$({})", reply));
  }
  return fmt::format(
      "    {0})\n"
      "      case \"$prev\" in\n{1}      esac\n"
      "      if [[ $cur == -* ]]; then\n"
      "        COMPREPLY=($(compgen -W '{2}' -- \"$cur\"))\n"
      "      else\n"
      "        COMPREPLY=($(compgen -f -W '{3}' -- \"$cur\"))\n"
      "      fi ;;\n",
      command.name(), values, options, words);
}

std::string bash_script(const Commands& commands) {
  std::string names;
  std::string cases;
  for (const auto& command : commands) {
    names += fmt::format("{}{}", names.empty() ? "" : " ", command->name());
    cases += bash_verb(*command);
  }
  return "# bash completion of bough: source <(bough completion bash)\n"
         "_bough() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if (( COMP_CWORD == 1 )); then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         " --help --version' -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases +
         "  esac\n"
         "}\n"
         "complete -o filenames -F _bough bough\n";
}

std::string zsh_flag(const FlagInfo& info) {
  const std::string doc = replaced(info.doc, "[]:\\", "\\");
  const std::string values = !info.choices.empty() ? fmt::format("({})", fmt::join(info.choices, " "))
                             : wants_file(info)    ? "_files"
                                                   : " ";
  if (info.argument)
    return shell_quoted(fmt::format("{}:{}:{}", info.required ? "" : ":", info.value, values));
  std::string out;
  for (const std::string& name : info.names) {
    std::string spec = fmt::format("{}{}[{}]", info.repeats ? "*" : "", name, doc);
    if (!info.value.empty()) spec += fmt::format(":{}:{}", info.value, values);
    out += fmt::format("{}{}", out.empty() ? "" : " ", shell_quoted(spec));
  }
  return out;
}

std::string zsh_script(const Commands& commands) {
  std::string list;
  std::string cases;
  for (const auto& command : commands) {
    list += fmt::format("    {}\n",
                        shell_quoted(command->name() + ':' + replaced(command->summary(), ":\\", "\\")));
    cases += fmt::format("    {})\n      _arguments '--help[show the options]'", command->name());
    for (const FlagInfo& info : command->flags()) cases += fmt::format(" \\\n        {}", zsh_flag(info));
    cases += " ;;\n";
  }
  return "#compdef bough\n"
         "# zsh completion of bough: bough completion zsh > _bough, in a folder of $fpath\n"
         "_bough() {\n"
         "  local -a verbs\n"
         "  verbs=(\n" +
         list +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe 'verb' verbs\n"
         "    return\n"
         "  fi\n"
         "  local verb=${words[2]}\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $verb in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _bough ]]; then _bough \"$@\"; else compdef _bough bough; fi\n";
}

std::string fish_flag(const std::string& verb, const FlagInfo& info) {
  std::string line = fmt::format("complete -c bough -n '__fish_seen_subcommand_from {}'", verb);
  if (!info.argument) {
    for (const std::string& name : info.names)
      line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                     : fmt::format(" -s {}", name.substr(1));
  }
  if (!info.choices.empty())
    line += fmt::format(" -x -a {}", shell_quoted(fmt::format("{}", fmt::join(info.choices, " "))));
  if (info.choices.empty() && !info.value.empty()) line += wants_file(info) ? " -r -F" : " -x";
  return fmt::format("{} -d {}\n", line, shell_quoted(info.doc));
}

std::string fish_script(const Commands& commands) {
  std::string text =
      "# fish completion of bough: bough completion fish > ~/.config/fish/completions/bough.fish\n";
  for (const auto& command : commands) {
    text += fmt::format("complete -c bough -f -n __fish_use_subcommand -a {} -d {}\n", command->name(),
                        shell_quoted(command->summary()));
  }
  for (const auto& command : commands) {
    for (const FlagInfo& info : command->flags()) {
      if (!info.argument || !info.choices.empty()) text += fish_flag(command->name(), info);
    }
  }
  return text;
}

Json needs_json(const Effect& row) {
  Json needs = Json::array();
  for (const std::string& text : row.needs) {
    const Need need = parse_need(text);
    Json json{{"option", need.option}, {"given", need.kind != Need::Kind::absent}};
    if (need.kind == Need::Kind::valued) json["values"] = need.values;
    needs.push_back(std::move(json));
  }
  return needs;
}

// Everything that the verbs take, for other programs.
std::string options_json(const Commands& commands) {
  Json verbs = Json::object();
  for (const auto& command : commands) {
    Json options = Json::array();
    for (const FlagInfo& info : command->flags()) {
      Json option{{"names", info.names}, {"value", info.value},       {"choices", info.choices},
                  {"doc", info.doc},     {"argument", info.argument}, {"required", info.required}};
      option["effects"] = Json::array();
      for (const Effect& row : command->effects_of(info)) option["effects"].push_back(needs_json(row));
      options.push_back(std::move(option));
    }
    verbs[command->name()] = std::move(options);
  }
  return verbs.dump(2) + '\n';
}

void run_completion(const std::string& shell) {
  const Commands commands = all_commands();
  print(shell == "bash"   ? bash_script(commands)
        : shell == "zsh"  ? zsh_script(commands)
        : shell == "fish" ? fish_script(commands)
                          : options_json(commands));
}

}  // namespace

void add_completion(Command& command) {
  const auto shell = std::make_shared<std::string>();
  command.argument(*shell,
                   {"shell",
                    "shell to complete for; json: the options of all commands, and what each needs to "
                    "have an effect (one of every list), for other programs",
                    "SHELL",
                    {"bash", "zsh", "fish", "json"}});
  command.examples({"source <(bough completion bash)"});
  command.action([shell] { run_completion(*shell); });
}

}  // namespace bough::cli
