// SPDX-License-Identifier: Apache-2.0
// Blocks in the scratch file.
#include "scale/disk_cohort.hpp"

#include <span>

#include "scale/row_block.hpp"

namespace bough {

void DiskCohort::add(std::shared_ptr<const StoredImage> image) {
  RowBlock rows = RowBlock::view(image, image->bytes());
  rows.state().frugal = true;
  image->drop();
  blocks_.push_back({std::move(image), std::move(rows)});
}

template <class F>
void DiskCohort::each(F&& body) {
  for (Stored& block : blocks_) {
    body(block.rows);
    if (!keep_notes_) block.rows.state().notes.reset();
    block.image->drop();
    on_rows_(block.rows.n_rows());
  }
}

std::string DiskCohort::ask(const std::string& request) {
  AnswerSum sum(request);
  each([&](RowBlock& block) { sum.add(block); });
  return sum.take();
}

std::vector<std::string> DiskCohort::regroup(const std::string& request) {
  const std::size_t n_groups = request_info(request).n_groups;
  std::vector<std::vector<std::string>> parts(n_groups);
  each([&](RowBlock& block) {
    std::vector<std::string> own = parts_of(block, request);
    for (std::size_t group = 0; group < n_groups; ++group) parts[group].push_back(std::move(own[group]));
  });
  std::vector<std::string> finished;
  for (std::size_t group = 0; group < n_groups; ++group) {
    finished.push_back(finish_group(plan_, request, group, parts[group]));
    parts[group] = {};
    on_rows_(0);
  }
  return finished;
}

}  // namespace bough
