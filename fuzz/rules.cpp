// SPDX-License-Identifier: Apache-2.0
// Rule sets as people edit them, in JSON: what is read answers, is written in every format, and stays what it
// is.
#include "bough/rules.hpp"

#include <algorithm>

#include "fuzz/json_mutator.hpp"
#include "fuzz/support.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace bough::fuzz;
  Random random(seed);
  nlohmann::json document = nlohmann::json::parse(text_of(data, size), nullptr, false);
  if (document.is_discarded() || random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t n = 1 + random() % 3; n > 0; --n) mutate_json(document, random);
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), reinterpret_cast<char*>(data));
  return text.size();
}

namespace bough::fuzz {
namespace {

void use(const RuleSet& rules, std::string_view input) {
  const std::string json = rules.to_json();
  promise(RuleSet::from_json(json).to_json() == json, "rules survive their JSON", json);
  promise(is_rule_set(json), "rules look like rules");
  const auto formats = rule_formats();
  accepted([&] { (void)formats[choice_of(input, formats.size())].write(rules); });
  accepted([&] {
    Table rows;
    for (const Field& field : rules.parts().features.fields) {
      if (field.kind == Kind::numeric) {
        rows.add(field.name, std::span<const double>(std::vector<double>{0.0, 1.5, -1e300, 4.0, 1.0 / 0.0}));
      } else {
        std::vector<std::string> cells(5, "never seen");
        std::copy_n(field.levels.names.begin(), std::min<std::size_t>(field.levels.size(), 5), cells.begin());
        rows.add(field.name, std::span<const std::string>(cells));
      }
    }
    (void)rules.apply(rows, {.threads = 1});
    (void)rules.predict(rows, {.threads = 1});
  });
}

}  // namespace
}  // namespace bough::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string_view text = text_of(data, size);
  (void)is_rule_set(text);
  accepted([&] { use(RuleSet::from_json(text), text); });
  return 0;
}
