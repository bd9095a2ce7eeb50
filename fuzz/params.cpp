// SPDX-License-Identifier: Apache-2.0
// Parameters: as JSON, and one by one as "name=text" lines.
#include "bough/params.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "bough/presets.hpp"
#include "fuzz/support.hpp"

namespace bough::fuzz {
namespace {

void check_json(const Params& params) {
  std::string json;
  if (!accepted([&] { json = params_to_json(params); })) return;  // a name that is not UTF-8
  promise(params_from_json(json) == params, "parameters survive their JSON", json);
}

/// Every parameter that is not as it was in the beginning, printed and set again.
void check_texts(const Params& params) {
  const static Params kDefaults;
  Params again;
  for (const ParamRow& row : kParams) {
    const std::string text = param_text(params, row);
    if (text == param_text(kDefaults, row)) continue;
    promise(accepted([&] { set_param(again, row.name, text); }), "a parameter reads what it prints", text);
    promise(param_text(again, row) == text, "a parameter prints what it read", text);
  }
}

void set_lines(std::string_view text) {
  Params params;
  std::vector<std::string_view> lines = split_text(text, '\n');
  lines.resize(std::min<std::size_t>(lines.size(), 12));  // most are refused, and exceptions take their time
  for (const std::string_view line : lines) {
    const std::size_t equals = line.find('=');
    const Params before = params;
    const bool done = accepted([&] {
      if (equals == std::string_view::npos) {
        apply_preset(params, line);
      } else {
        set_param(params, line.substr(0, equals), line.substr(equals + 1));
      }
    });
    promise(done || params == before, "a refused value leaves the parameters as they were", line);
  }
  check_texts(params);
  if (accepted([&] { validate(params); }) && choice_of(text, 8) == 0) check_json(params);
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string_view text = text_of(data, size);
  if (text.find('{') != 0) {
    set_lines(text);
    return 0;
  }
  accepted([&] {
    const Params params = params_from_json(text);
    if (choice_of(text, 4) == 0) check_json(params);
    check_texts(params);
  });
  return 0;
}
