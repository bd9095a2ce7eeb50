// SPDX-License-Identifier: Apache-2.0
// open_table_blocks: the kind of the files decides who reads them.
#include "bough/table_blocks.hpp"

#include "data/arrow_files.hpp"
#include "data/data_files.hpp"
#include "data/text_blocks.hpp"

namespace bough {

std::unique_ptr<TableBlocks> open_table_blocks(std::span<const std::string> paths, const ReadOptions& options,
                                               std::span<const std::string> ignored) {
  if (paths.empty()) throw Error(ErrorCode::bad_params, "no file is given", "give at least one");
  const std::vector<std::string> files = data_files(paths);
  if (is_arrow_path(files.front(), options))
    return open_arrow_blocks(files, options, {.blank = {ignored.begin(), ignored.end()}});
  return open_text_blocks(files, options);
}

}  // namespace bough
