// SPDX-License-Identifier: Apache-2.0
// Fixed points of trees whose rows are in blocks, stage by stage: as to_fixed_point() finds them from all rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/fixed_scale.hpp"
#include "model/prepare_rules.hpp"
#include "scale/tree_job.hpp"
#include "split/histogram/number_sums.hpp"

namespace bough {
namespace {

class FrameMeasurer {
 public:
  FrameMeasurer(const BlockJob& job, std::span<const std::uint32_t> trees, RequestChannel& channel)
      : job_(job), trees_(trees), channel_(channel), frames_(trees.size()) {}

  std::vector<TreeFrame> run(bool weighted) {
    const bool numbers = job_.plan->task == Task::regression;
    for (TreeFrame& frame : frames_) {
      frame.weighted = frame.layout.weighted = weighted;
      frame.n_rows = frame.total_weight = job_.plan->n_rows;
      if (numbers) frame.outputs.resize(job_.plan->targets.fields.size());
    }
    if (!weighted && !numbers) return std::move(frames_);
    largest();
    if (weighted) weight_units();
    fixed_weights();
    if (numbers) {
      sums();
      centred();
    }
    return std::move(frames_);
  }

 private:
  std::vector<TreeMeasure> stage(std::int32_t number) {
    Request request = job_.request(Phase::measure, 0);
    request.stage = number;
    for (std::size_t i = 0; i < trees_.size(); ++i)
      request.trees.push_back({trees_[i], frames_[i], {}, {}, {}, {}, {}, {}, {}, {}});
    return channel_.ask(request).measures;
  }

  void largest() {
    const std::vector<TreeMeasure> measures = stage(0);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      frames_[i].largest_weight = measures[i].largest_weight;
      bits_.push_back(measures[i].fraction_bits);
      if (frames_[i].weighted && measures[i].largest_weight <= 0.0)
        throw Error(ErrorCode::bad_data,
                    fmt::format("tree {} of the forest drew rows of weight 0 only", trees_[i] + 1),
                    "raise max_samples, or give more rows a weight");
      for (std::size_t o = 0; o < frames_[i].outputs.size(); ++o) {
        TreeFrame::Output& output = frames_[i].outputs[o];
        output.largest = measures[i].outputs[o].largest;
        output.fine = fine_exponent(std::span(&output.largest, 1));
      }
    }
  }

  void weight_units() {
    const std::vector<TreeMeasure> measures = stage(1);
    for (std::size_t i = 0; i < frames_.size(); ++i)
      frames_[i].weight_exponent =
          weight_exponent(frames_[i].largest_weight, measures[i].weight_units, bits_[i]);
  }

  void fixed_weights() {
    const std::vector<TreeMeasure> measures = stage(2);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      TreeFrame& frame = frames_[i];
      if (measures[i].lost != INT64_MAX)
        throw Error(
            ErrorCode::bad_data,
            fmt::format(
                "the weight of row {} is lost beside the sum of all weights (some 2^52 times smaller)",
                measures[i].lost + 1),
            "use weights of comparable size, or 0 to leave a row out");
      check_total_weight(measures[i].total_weight, frame.weight_exponent);
      frame.total_weight = measures[i].total_weight;
      frame.n_rows = measures[i].n_rows;
      frame.layout.frame.n_rows = frame.n_rows;
      for (std::size_t o = 0; o < frame.outputs.size(); ++o) {
        TreeFrame::Output& output = frame.outputs[o];
        check_target_size(job_.plan->targets.fields[o].name, output.largest, frame.total_weight,
                          frame.weight_exponent);
        if (output.largest > 0.0)
          output.exponent = target_exponent(output.largest, measures[i].outputs[o].units,
                                            frame.weight_exponent, frame.total_weight);
      }
    }
  }

  void sums() {
    const std::vector<TreeMeasure> measures = stage(3);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      TreeFrame& frame = frames_[i];
      for (std::size_t o = 0; o < frame.outputs.size(); ++o) {
        const int128 sum = measures[i].outputs[o].sum;
        frame.layout.frame.centres.push_back(NumberSums<std::int64_t>::centre_of({sum, frame.total_weight}));
        frame.outputs[o].poisson.centre = poisson_centre(sum, frame.total_weight, frame.outputs[o].exponent);
      }
    }
  }

  void centred() {
    const std::vector<TreeMeasure> measures = stage(4);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      TreeFrame& frame = frames_[i];
      frame.layout.narrow = true;
      for (std::size_t o = 0; o < frame.outputs.size(); ++o) {
        const TreeMeasure::Output& measured = measures[i].outputs[o];
        frame.layout.frame.spreads.push_back(measured.squares);
        frame.layout.narrow &= measured.around <= NumberSums<std::int64_t>::kReach &&
                               measured.plain <= NumberSums<std::int64_t>::kReach;
        frame.outputs[o].poisson = poisson_frame(frame.outputs[o].poisson.centre, measured.excess);
      }
    }
    // Trees that are counted together have histograms of one kind.
    const bool narrow = std::all_of(frames_.begin(), frames_.end(),
                                    [](const TreeFrame& frame) { return frame.layout.narrow; });
    for (TreeFrame& frame : frames_) frame.layout.narrow = narrow;
  }

  const BlockJob& job_;
  std::span<const std::uint32_t> trees_;
  RequestChannel& channel_;
  std::vector<TreeFrame> frames_;
  std::vector<int> bits_;
};

}  // namespace

std::vector<TreeFrame> measure_frames(const BlockJob& job, std::span<const std::uint32_t> trees,
                                      bool weighted, RequestChannel& channel) {
  return FrameMeasurer(job, trees, channel).run(weighted);
}

}  // namespace bough
