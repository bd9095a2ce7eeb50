// SPDX-License-Identifier: Apache-2.0
// JSON models. Inputs are changed as JSON, mostly, and get the checksum of what they say.
#include <fmt/format.h>

#include <algorithm>

#include "fuzz/json_mutator.hpp"
#include "fuzz/model_use.hpp"
#include "fuzz/support.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace bough;
  using namespace bough::fuzz;
  using Json = nlohmann::json;
  Random random(seed);
  const bool as_text = random() % 8 == 0;
  if (as_text) size = LLVMFuzzerMutate(data, size, most);
  Json document = Json::parse(text_of(data, size), nullptr, false);
  if (!document.is_object()) return as_text ? size : LLVMFuzzerMutate(data, size, most);
  if (!as_text)
    for (std::size_t n = 1 + random() % 3; n > 0; --n) mutate_json(document, random);
  if (!document.is_object()) return 0;
  document.erase("checksum");
  constexpr auto kLoose = Json::error_handler_t::replace;
  const std::string canonical = document.dump(-1, ' ', false, kLoose);
  document["checksum"] = fmt::format("xxh3:{:016x}", hash_text(canonical));
  const std::string text = document.dump(-1, ' ', false, kLoose);
  if (text.size() > most) return size;
  std::copy(text.begin(), text.end(), reinterpret_cast<char*>(data));
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string_view text = text_of(data, size);
  std::optional<Model> model;
  if (accepted([&] { model = Model::from_json(text); })) use_model(*model, text);
  return 0;
}
