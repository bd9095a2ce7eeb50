// SPDX-License-Identifier: Apache-2.0
// Answers to bytes and back, and their sums.
#include "scale/answer.hpp"

#include <algorithm>

namespace bough {
namespace {

constexpr std::uint32_t kAnswerMagic = 0x31615342;  // "BSa1"

template <class T>
void join(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty()) {
    to = std::move(from);
  } else {
    to.insert(to.end(), from.begin(), from.end());
  }
}

void check_same(bool same) {
  if (!same) throw Error(ErrorCode::bad_data, "answers of blocks to different requests cannot be merged");
}

// Class numbers mostly fit a byte.
void pack_classes(const std::vector<std::uint32_t>& classes, Packer& to) {
  const bool narrow = std::all_of(classes.begin(), classes.end(), [](std::uint32_t c) { return c < 256; });
  to.put(static_cast<std::uint8_t>(narrow));
  if (!narrow) {
    to.put(classes);
    return;
  }
  to.put(std::vector<std::uint8_t>(classes.begin(), classes.end()));
}

void pack_cells(const CellList& cells, Packer& to) {
  to.put(cells.floats).put(cells.doubles).put(cells.numbers).put(cells.weights);
  pack_classes(cells.classes, to);
}

CellList unpack_cells(Unpacker& from) {
  CellList cells;
  cells.floats = from.all<float>();
  cells.doubles = from.all<double>();
  cells.numbers = from.all<std::int64_t>();
  cells.weights = from.all<std::int64_t>();
  if (from.yes()) {
    const std::vector<std::uint8_t> narrow = from.all<std::uint8_t>();
    cells.classes.assign(narrow.begin(), narrow.end());
  } else {
    cells.classes = from.all<std::uint32_t>();
  }
  return cells;
}

void pack_measure(const TreeMeasure& m, Packer& to) {
  to.put(m.largest_weight)
      .put(m.fraction_bits)
      .put(m.weight_units)
      .put(m.total_weight)
      .put(m.n_rows)
      .put(m.lost)
      .put(m.outputs);
}

TreeMeasure unpack_measure(Unpacker& from) {
  TreeMeasure m;
  m.largest_weight = from.get<double>();
  m.fraction_bits = from.get<int>();
  m.weight_units = from.get<uint128>();
  m.total_weight = from.get<std::int64_t>();
  m.n_rows = from.get<std::int64_t>();
  m.lost = from.get<std::int64_t>();
  m.outputs = from.all<TreeMeasure::Output>();
  return m;
}

}  // namespace

void TreeMeasure::merge(const TreeMeasure& other) {
  check_same(outputs.size() == other.outputs.size());
  largest_weight = std::max(largest_weight, other.largest_weight);
  fraction_bits = std::max(fraction_bits, other.fraction_bits);
  weight_units += other.weight_units;
  total_weight += other.total_weight;
  n_rows += other.n_rows;
  lost = std::min(lost, other.lost);
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    Output& to = outputs[o];
    const Output& from = other.outputs[o];
    to.largest = std::max(to.largest, from.largest);
    to.squares += from.squares;
    to.excess = std::max(to.excess, from.excess);
    to.units += from.units;
    to.sum += from.sum;
    to.around += from.around;
    to.plain += from.plain;
  }
}

void CellList::merge(CellList&& other) {
  join(floats, std::move(other.floats));
  join(doubles, std::move(other.doubles));
  join(classes, std::move(other.classes));
  join(numbers, std::move(other.numbers));
  join(weights, std::move(other.weights));
}

void Answer::resize_histograms(std::size_t bytes, std::size_t count) {
  histogram_bytes = bytes;
  n_histograms = count;
  histograms = Buffer<unsigned char>(bytes * count);
  std::fill_n(histograms.data(), bytes * count, static_cast<unsigned char>(0));
}

void Answer::merge(Answer&& other) {
  check_same(phase == other.phase && measures.size() == other.measures.size() &&
             extremes.size() == other.extremes.size() && cells.size() == other.cells.size() &&
             extents.size() == other.extents.size() && totals.size() == other.totals.size() &&
             parts.size() == other.parts.size() && lanes == other.lanes &&
             histogram_bytes == other.histogram_bytes && n_histograms == other.n_histograms);
  if (phase == Phase::describe) facts.merge(other.facts);
  for (std::size_t i = 0; i < measures.size(); ++i) measures[i].merge(other.measures[i]);
  for (std::size_t i = 0; i < n_histograms; ++i) add_lanes(lanes, histogram(i), other.histogram(i));
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    extremes[i].low = std::min(extremes[i].low, other.extremes[i].low);
    extremes[i].high = std::max(extremes[i].high, other.extremes[i].high);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].merge(std::move(other.cells[i]));
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const RangeDouble& from = other.extents[i];
    RangeDouble& to = extents[i];
    if (from.low > from.high) continue;
    to = to.low > to.high ? from : RangeDouble{std::min(to.low, from.low), std::max(to.high, from.high)};
  }
  for (std::size_t i = 0; i < totals.size(); ++i) totals[i].merge(other.totals[i]);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check_same(parts[i].size() == other.parts[i].size());
    add_lanes(lanes, counted(i), other.counted(i));
  }
}

std::string Answer::bytes() const {
  Packer to;
  to.bytes().reserve(histogram_bytes * n_histograms + 1024);
  to.put(kAnswerMagic).put(phase);
  if (phase == Phase::describe) to.put(facts.bytes());
  to.put(static_cast<std::uint64_t>(measures.size()));
  for (const TreeMeasure& measure : measures) pack_measure(measure, to);
  to.put(lanes)
      .put(static_cast<std::uint64_t>(histogram_bytes))
      .put(static_cast<std::uint64_t>(n_histograms));
  to.put_all(histograms.data(), histogram_bytes * n_histograms);
  to.put(extremes).put(extents).put(static_cast<std::uint64_t>(cells.size()));
  for (const CellList& list : cells) pack_cells(list, to);
  to.put(static_cast<std::uint64_t>(totals.size()));
  for (const LeafTotals& leaf : totals) leaf.append_to(to.bytes());
  to.put(static_cast<std::uint64_t>(parts.size()));
  for (const Buffer<unsigned char>& part : parts) to.put_all(part.data(), part.size());
  return to.take();
}

Answer Answer::from_bytes(std::string_view bytes) {
  Unpacker from(bytes, "an answer of a block", kAnswerMagic);
  Answer answer;
  answer.phase = from.choice<Phase>(kPhases);
  if (answer.phase == Phase::describe) answer.facts = BlockFacts::from_bytes(from.text());
  answer.measures.resize(from.size(56));
  for (TreeMeasure& measure : answer.measures) measure = unpack_measure(from);
  answer.lanes = from.choice<Lanes>(3);
  answer.histogram_bytes = static_cast<std::size_t>(from.get<std::uint64_t>());
  answer.n_histograms = static_cast<std::size_t>(from.get<std::uint64_t>());
  const std::string_view words = from.text();
  if (answer.n_histograms > 0 &&
      (answer.histogram_bytes == 0 || words.size() / answer.histogram_bytes != answer.n_histograms ||
       words.size() % answer.histogram_bytes != 0))
    from.fail("hold histograms of another size than they say");
  answer.histograms = Buffer<unsigned char>(words.size());
  std::copy(words.begin(), words.end(), answer.histograms.data());
  answer.extremes = from.all<Range64>();
  answer.extents = from.all<RangeDouble>();
  answer.cells.resize(from.size(33));
  for (CellList& list : answer.cells) list = unpack_cells(from);
  answer.totals.resize(from.size(1));
  for (LeafTotals& leaf : answer.totals) leaf = LeafTotals::read(from.rest());
  answer.parts.resize(from.size(8));
  for (Buffer<unsigned char>& part : answer.parts) {
    const std::string_view bytes_of_part = from.text();
    part = Buffer<unsigned char>(bytes_of_part.size());
    std::copy(bytes_of_part.begin(), bytes_of_part.end(), part.data());
  }
  from.end();
  return answer;
}

std::string merge_answers(std::span<const std::string> answers) {
  if (answers.empty()) throw Error(ErrorCode::bad_data, "there is no answer to merge");
  Answer sum = Answer::from_bytes(answers.front());
  for (const std::string& next : answers.subspan(1)) sum.merge(Answer::from_bytes(next));
  return sum.bytes();
}

}  // namespace bough
