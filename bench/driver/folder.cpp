// SPDX-License-Identifier: Apache-2.0
// Reads and writes folders of raw benchmark files.
#include "driver/folder.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
void read(const fs::path& path, std::size_t count, std::vector<T>& values) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::file_size(path) != count * sizeof(T))
    throw std::runtime_error(path.string() + " is missing or has another size than meta.json says");
  values.resize(count);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
}

template <class T>
void read_if_there(const fs::path& path, std::size_t count, std::vector<T>& values) {
  if (fs::exists(path)) read(path, count, values);
}

template <class T>
void write(const fs::path& path, const std::vector<T>& values) {
  if (values.empty()) return;
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

json read_meta(const fs::path& folder) {
  std::ifstream file(folder / "meta.json");
  if (!file) throw std::runtime_error("there is no meta.json in " + folder.string());
  return json::parse(file);
}

std::vector<Category> read_categories(const fs::path& folder, const json& meta, std::size_t rows) {
  std::vector<Category> categories;
  const json list = meta.value("categories", json::array());
  std::vector<std::int32_t> codes;
  if (!list.empty()) read(folder / "codes.i32", list.size() * rows, codes);
  for (const json& entry : list) {
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(categories.size() * rows);
    categories.push_back(
        {entry.at("name"), entry.at("levels"), {begin, begin + static_cast<std::ptrdiff_t>(rows)}});
  }
  return categories;
}

}  // namespace

Dataset read_folder(const std::string& name) {
  const fs::path folder(name);
  const json meta = read_meta(folder);
  Dataset data;
  data.rows = meta.at("rows");
  data.columns = meta.at("columns");
  const auto rows = static_cast<std::size_t>(data.rows);
  const auto columns = static_cast<std::size_t>(data.columns);
  if (meta.contains("stored")) {
    const std::size_t stored = meta.at("stored");
    read(folder / "values.f32", stored, data.values);
    read(folder / "rows.i32", stored, data.indices);
    read(folder / "starts.i32", columns + 1, data.starts);
  } else if (fs::exists(folder / "x.f64")) {
    read(folder / "x.f64", rows * columns, data.x64);
  } else if (columns > 0) {
    read(folder / "x.f32", rows * columns, data.x32);
  }
  data.categories = read_categories(folder, meta, rows);
  read_if_there(folder / "y.i32", rows, data.y);
  read_if_there(folder / "z.f64", rows, data.z);
  read_if_there(folder / "counts.f64", rows, data.counts);
  read_if_there(folder / "weights.f64", rows, data.weights);
  return data;
}

void write_folder(const Dataset& data, const std::string& name) {
  const fs::path folder(name);
  fs::create_directories(folder);
  write(folder / "x.f32", data.x32);
  write(folder / "x.f64", data.x64);
  write(folder / "values.f32", data.values);
  write(folder / "rows.i32", data.indices);
  write(folder / "starts.i32", data.starts);
  write(folder / "y.i32", data.y);
  write(folder / "z.f64", data.z);
  write(folder / "counts.f64", data.counts);
  write(folder / "weights.f64", data.weights);
  json meta = {{"rows", data.rows}, {"columns", data.columns}};
  if (data.sparse()) meta["stored"] = data.values.size();
  // Last, so that a folder with a meta.json is complete.
  std::ofstream(folder / "meta.json") << meta.dump(1) << '\n';
}

}  // namespace bench
