// SPDX-License-Identifier: Apache-2.0
// Binary models. A changed file fails its checksum, so inputs are changed part by part (metadata as JSON or
// as text, arrays as numbers) and put together again with the right sizes and the right checksum.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "fuzz/json_mutator.hpp"
#include "fuzz/model_parts.hpp"
#include "fuzz/model_use.hpp"
#include "fuzz/support.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace bough::fuzz {
namespace {

void mutate_text(std::string& text, std::size_t room) {
  const std::size_t size = text.size();
  text.resize(size + room);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
}

/// One number of an array: small, odd, or that of another place.
void mutate_number(std::string& arrays, Random& random) {
  constexpr std::size_t kSizes[] = {1, 2, 4, 8};
  const std::size_t size = kSizes[random() % 4];
  if (arrays.size() < size) return;
  const std::size_t at = random() % (arrays.size() / size) * size;
  const std::size_t from = random() % (arrays.size() / size) * size;
  const double reals[] = {-0.0, 1e308, std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity(), 0.5};
  const std::int64_t wholes[] = {0,  1, 2, -1,  -2,        -3,
                                 -4, 3, 7, 255, 1LL << 31, std::numeric_limits<std::int64_t>::max()};
  switch (random() % 4) {
    case 0:
      std::memmove(arrays.data() + at, arrays.data() + from, size);
      return;
    case 1:
      if (size == 8) std::memcpy(arrays.data() + at, &reals[random() % std::size(reals)], size);
      return;
    default:
      std::memcpy(arrays.data() + at, &wholes[random() % std::size(wholes)], size);
  }
}

void mutate(ModelParts& parts, Random& random) {
  switch (random() % 8) {
    case 0:
      mutate_text(parts.metadata, 64);
      return;
    case 1:
      mutate_text(parts.arrays, 64);
      return;
    case 2:
    case 3:
    case 4: {
      nlohmann::json metadata = nlohmann::json::parse(parts.metadata, nullptr, false);
      if (metadata.is_discarded()) return mutate_text(parts.metadata, 16);
      mutate_json(metadata, random);
      parts.metadata = metadata.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return;
    }
    default:
      for (std::size_t n = 1 + random() % 3; n > 0; --n) mutate_number(parts.arrays, random);
  }
}

}  // namespace
}  // namespace bough::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace bough::fuzz;
  Random random(seed);
  ModelParts parts;
  if (random() % 32 == 0 || !take_apart(text_of(data, size), parts))
    return LLVMFuzzerMutate(data, size, most);
  mutate(parts, random);
  const std::string file = put_together(parts);
  if (file.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(file.begin(), file.end(), reinterpret_cast<char*>(data));
  return file.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bough;
  using namespace bough::fuzz;
  const std::string_view bytes = text_of(data, size);
  std::optional<Model> model;
  if (accepted([&] { model = Model::from_bytes(bytes); })) use_model(*model, bytes);
  return 0;
}
