// SPDX-License-Identifier: Apache-2.0
// Reads the options of the benchmark programs.
#include "driver/options.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>
#include <variant>

namespace bench {
namespace {

using Member = std::variant<std::string Options::*, bool Options::*, int Options::*, std::int64_t Options::*,
                            double Options::*>;

struct Key {
  std::string_view name;
  Member member;
};

const std::array kKeys{Key{"data", &Options::data},
                       Key{"rows", &Options::rows},
                       Key{"columns", &Options::columns},
                       Key{"missing", &Options::missing},
                       Key{"dtype", &Options::dtype},
                       Key{"dense", &Options::dense},
                       Key{"weights", &Options::weights},
                       Key{"target", &Options::target},
                       Key{"criterion", &Options::criterion},
                       Key{"splitter", &Options::splitter},
                       Key{"depth", &Options::depth},
                       Key{"threads", &Options::threads},
                       Key{"engine", &Options::engine},
                       Key{"simd", &Options::simd},
                       Key{"fits", &Options::fits},
                       Key{"inner", &Options::inner},
                       Key{"serve", &Options::serve},
                       Key{"out", &Options::out},
                       Key{"thread_list", &Options::thread_list}};

[[noreturn]] void refuse(const std::string& word) {
  std::cerr << "bench: cannot use '" << word << "'; options are key=value with the keys";
  for (const Key& key : kKeys) std::cerr << ' ' << key.name;
  std::cerr << '\n';
  std::exit(2);
}

template <class T>
void read(std::string_view text, T& value, const std::string& word) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = text;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "0" && text != "1") refuse(word);
    value = text == "1";
  } else {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size()) refuse(word);
  }
}

void set(Options& options, const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos) refuse(word);
  for (const Key& key : kKeys) {
    if (key.name != std::string_view(word).substr(0, at)) continue;
    const std::string_view text = std::string_view(word).substr(at + 1);
    std::visit([&](auto member) { read(text, options.*member, word); }, key.member);
    return;
  }
  refuse(word);
}

}  // namespace

bool Options::classes() const {
  return criterion == "gini" || criterion == "entropy" || criterion == "misclassification" ||
         criterion == "hellinger";
}

std::string Options::target_name() const {
  if (!target.empty()) return target;
  if (criterion == "poisson") return "counts";
  return classes() ? "y" : "z";
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (i == 1 && word.find('=') == std::string::npos) {
      options.job = word;
    } else {
      set(options, word);
    }
  }
  return options;
}

std::vector<int> numbers(const std::string& list) {
  std::vector<int> result;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) result.push_back(std::atoi(word.c_str()));
  return result;
}

}  // namespace bench
