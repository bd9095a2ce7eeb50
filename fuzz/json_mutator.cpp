// SPDX-License-Identifier: Apache-2.0
// JSON changed as JSON.
#include "fuzz/json_mutator.hpp"

#include <algorithm>
#include <iterator>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace bough::fuzz {
namespace {

using Json = nlohmann::json;

std::size_t below(Random& random, std::size_t n) {
  return n == 0 ? 0 : random() % n;
}

Json odd_value(Random& random) {
  switch (below(random, 14)) {
    case 0:
      return nullptr;
    case 1:
      return Json::array();
    case 2:
      return Json::object();
    case 3:
      return -1;
    case 4:
      return 18446744073709551615ULL;
    case 5:
      return 4294967295LL;
    case 6:
      return 2147483648LL;
    case 7:
      return "nan";
    case 8:
      return "-inf";
    case 9:
      return 1e308;
    case 10:
      return 5e-324;
    case 11:
      return true;
    case 12:
      return {{"hex", "ff"}};
    default:
      return static_cast<int>(below(random, 9));
  }
}

void mutate_text(Json& value) {
  std::string text = value.get<std::string>();
  const std::size_t size = text.size();
  text.resize(size + 8);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
  value = text;
}

void mutate_number(Json& value, Random& random) {
  const std::size_t how = below(random, 5);
  if (how == 0) {
    value = odd_value(random);
  } else if (value.is_number_float()) {
    value = how < 3 ? value.get<double>() + 0.5 : -value.get<double>();
  } else {
    const std::uint64_t step = how < 3 ? 1 : below(random, 64);
    value = static_cast<std::int64_t>(how % 2 == 0 ? value.get<std::uint64_t>() + step
                                                   : value.get<std::uint64_t>() - step);
  }
}

void mutate_array(Json& array, Random& random) {
  const std::size_t at = below(random, array.size());
  const std::size_t other = below(random, array.size());
  switch (below(random, 5)) {
    case 0:
      if (!array.empty()) array.erase(at);
      return;
    case 1:
      if (!array.empty()) array.push_back(Json(array[at]));
      return;
    case 2:
      if (!array.empty()) std::swap(array[at], array[other]);
      return;
    case 3:
      if (!array.empty()) array[at] = Json(array[other]);
      return;
    default:
      array.push_back(odd_value(random));
  }
}

void mutate_object(Json& object, Random& random) {
  if (object.empty()) {
    object["x"] = odd_value(random);
    return;
  }
  const auto member = std::next(object.begin(), static_cast<std::ptrdiff_t>(below(random, object.size())));
  const auto other = std::next(object.begin(), static_cast<std::ptrdiff_t>(below(random, object.size())));
  switch (below(random, 4)) {
    case 0:
      object.erase(member);
      return;
    case 1:
      member.value() = Json(other.value());
      return;
    case 2:
      member.value() = odd_value(random);
      return;
    default:
      object[member.key() + "x"] = Json(other.value());
  }
}

/// The containers that the arrays of a tree are in have many neighbours: those that are large are met more
/// often.
Json& somewhere(Json& document, Random& random) {
  Json* at = &document;
  while (at->is_structured() && !at->empty() && below(random, 12) != 0)
    at = at->is_array()
             ? &(*at)[below(random, at->size())]
             : &std::next(at->begin(), static_cast<std::ptrdiff_t>(below(random, at->size()))).value();
  return *at;
}

}  // namespace

void mutate_json(Json& document, Random& random) {
  Json& value = somewhere(document, random);
  if (value.is_string() && below(random, 4) != 0) {
    mutate_text(value);
  } else if (value.is_number()) {
    mutate_number(value, random);
  } else if (value.is_array()) {
    mutate_array(value, random);
  } else if (value.is_object()) {
    mutate_object(value, random);
  } else if (value.is_boolean()) {
    value = !value.get<bool>();
  } else {
    value = odd_value(random);
  }
}

}  // namespace bough::fuzz
