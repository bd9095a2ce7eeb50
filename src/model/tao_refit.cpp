// SPDX-License-Identifier: Apache-2.0
// Which number of passes of tree alternating optimisation helps, and the passes themselves.
#include "model/tao_refit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grow/tao.hpp"
#include "model/classics.hpp"
#include "model/folds.hpp"
#include "model/grow_spec.hpp"

namespace bough {
namespace {

TaoSpec tao_spec(const TaoRefitJob& job, const Prepared& rows) {
  TaoSpec spec;
  spec.criterion = resolve_criterion(job.criterion, rows.task);
  spec.min_samples_leaf = job.params.min_samples_leaf.resolve_up(rows.n_weighted);
  spec.min_weight_leaf = job.params.min_weight_fraction_leaf * static_cast<double>(rows.values.total_weight);
  spec.equality = job.params.category_split == "equality";
  spec.oblique = job.params.oblique;
  return spec;
}

std::string passes(std::int32_t n) {
  return n == 1 ? "1 pass" : fmt::format("{} passes", n);
}

std::vector<char> held_out(const TaoRefitJob& job) {
  try {
    return hold_out(job.prepared, job.params.tao_fraction, static_cast<std::uint64_t>(job.params.seed));
  } catch (const Error&) {
    throw Error(ErrorCode::bad_data,
                fmt::format("{} rows are too few to hold a share of {} out for tao",
                            job.prepared.values.rows.size(), job.params.tao_fraction),
                "raise tao_fraction, or set it to 0 to judge passes on the training rows");
  }
}

struct Gate {
  std::int32_t passes = 0;
  double before = 0.0;  // loss per weight on the rows held out
  double after = 0.0;
};

Gate choose_passes(const TaoRefitJob& job, const EncodedTable& encoded, const MakeTree& make) {
  const std::vector<char> held = held_out(job);
  std::vector<char> keep(held.size());
  std::ranges::transform(held, keep.begin(), [](char out) { return out ? char{0} : char{1}; });
  const Prepared grows = part_of(job.prepared, keep), judges = part_of(job.prepared, held);
  const double weight =
      std::ldexp(static_cast<double>(judges.values.total_weight), -judges.values.weight_exponent);
  TreeRefiner refiner(make(grows).grown.tree, encoded, grows.values, tao_spec(job, grows));
  Gate gate;
  gate.before = gate.after = refiner.loss(judges.values) / weight;
  job.monitor.stage("refine");
  for (std::int32_t pass = 1; pass <= job.params.tao && refiner.pass(job.monitor); ++pass) {
    const double loss = refiner.loss(judges.values) / weight;
    if (loss >= gate.after) continue;
    gate.passes = pass;
    gate.after = loss;
  }
  return gate;
}

// What was judged and what was done: the tree of all rows is another one than the tree that was judged.
std::string note_of(const std::optional<Gate>& gate, std::int32_t made) {
  const std::string done =
      made == 0 ? "tao left the tree as it was" : fmt::format("tao changed the tree in {}", passes(made));
  if (!gate) return done;
  if (gate->passes == 0)
    return fmt::format("{}: no pass lowered the loss on the rows held out ({:.4g} per row)", done,
                       gate->before);
  const std::string judged = fmt::format("{} lowered the loss per row on rows held out from {:.4g} to {:.4g}",
                                         passes(gate->passes), gate->before, gate->after);
  if (made > 0) return fmt::format("{}: {}", done, judged);
  return fmt::format(
      "{}: a pass over the tree of all rows found nothing to change, although {} for a tree grown without "
      "them",
      done, judged);
}

}  // namespace

PrunedTree refit_by_tao(const TaoRefitJob& job, const MakeTree& make) {
  const Params& params = job.params;
  Fingerprint fingerprint;
  const EncodedTable encoded = encode(job.table, job.prepared.features, fingerprint, job.monitor);
  std::optional<Gate> gate;
  if (params.tao_fraction > 0.0) gate = choose_passes(job, encoded, make);
  PrunedTree out = make(job.prepared);
  const std::int32_t wanted = gate ? gate->passes : params.tao;
  std::int32_t made = 0;
  if (wanted > 0) {
    TreeRefiner refiner(out.grown.tree, encoded, job.prepared.values, tao_spec(job, job.prepared));
    job.monitor.stage("refine");
    while (made < wanted && refiner.pass(job.monitor)) ++made;
    if (made > 0) out.grown.tree = refiner.finish();
  }
  job.prepared.notes.push_back(note_of(gate, made));
  return out;
}

}  // namespace bough
