// SPDX-License-Identifier: Apache-2.0
// Blocks in the scratch file.
#include "scale/disk_executor.hpp"

#include "base/parallel.hpp"
#include "scale/row_block.hpp"

namespace bough {
namespace {

/// Bytes of the image up to the end of its codes, which most requests look at.
std::size_t code_bytes(RowBlock& block) noexcept {
  const CodedTable& table = block.state().rows.table;
  const auto* end = reinterpret_cast<const std::byte*>(table.by_row.data()) +
                    table.row_stride * static_cast<std::size_t>(table.n_rows);
  return static_cast<std::size_t>(end - block.image().data());
}

}  // namespace

void DiskExecutor::add(std::shared_ptr<const StoredImage> image) {
  RowBlock rows = RowBlock::view(image, image->bytes());
  rows.state().frugal = true;
  image->drop();
  blocks_.push_back({std::move(image), std::move(rows)});
}

template <class F>
void DiskExecutor::each(F&& body) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Stored& block = blocks_[i];
    if (i + 1 < blocks_.size()) blocks_[i + 1].image->prefetch(code_bytes(blocks_[i + 1].rows));
    body(block.rows);
    if (!keep_notes_) block.rows.state().notes.reset();
    block.image->drop();
    on_rows_(block.rows.n_rows());
  }
}

std::string DiskExecutor::ask(const std::string& request) {
  AnswerSum sum(request);
  each([&](RowBlock& block) { sum.add(block); });
  return sum.take();
}

std::vector<std::string> DiskExecutor::regroup(const std::string& request) {
  const std::size_t n_groups = request_info(request).n_groups;
  std::vector<std::vector<std::string>> parts(n_groups);
  each([&](RowBlock& block) {
    std::vector<std::string> own = parts_of(block, request);
    for (std::size_t group = 0; group < n_groups; ++group) parts[group].push_back(std::move(own[group]));
  });
  std::vector<std::string> finished(n_groups);
  parallel_for(n_groups, [&](std::size_t group) {
    finished[group] = finish_group(plan_, request, group, parts[group]);
    parts[group] = {};
  });
  on_rows_(0);
  return finished;
}

}  // namespace bough
