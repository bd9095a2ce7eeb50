// SPDX-License-Identifier: Apache-2.0
// Schemas as people edit them, in JSON.
#include "fuzz/support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  accepted([&] {
    const Schema schema = schema_from_json(text_of(data, size));
    const std::string text = schema_to_json(schema);
    promise(schema_from_json(text) == schema, "a schema survives its JSON", text);
    (void)schema_specs(schema);
  });
  return 0;
}
