// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line; main.cpp holds their table.
#pragma once

#include <span>
#include <string_view>

#include "command.hpp"

namespace bough::cli {

/// A verb, what it does in one line, and the function that gives it options and an action.
struct Verb {
  std::string_view name;
  std::string_view summary;
  void (*add)(Command&);
};

std::span<const Verb> verbs() noexcept;

void add_train(Command& command);
void add_predict(Command& command);
void add_evaluate(Command& command);
void add_show(Command& command);
void add_export(Command& command);
void add_plot(Command& command);
void add_prune(Command& command);
void add_explain(Command& command);
void add_forest(Command& command);
void add_rules(Command& command);
void add_info(Command& command);
void add_params(Command& command);
void add_prune(Command& command);
void add_report(Command& command);
void add_schema(Command& command);
void add_demo(Command& command);
void add_compare(Command& command);
void add_completion(Command& command);
void add_study(Command& command);

}  // namespace bough::cli
