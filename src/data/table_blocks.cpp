// SPDX-License-Identifier: Apache-2.0
// open_table_blocks: the kind of the files decides who reads them.
#include "bough/table_blocks.hpp"

#include "data/text_blocks.hpp"

namespace bough {

std::unique_ptr<TableBlocks> open_table_blocks(std::span<const std::string> paths,
                                               const ReadOptions& options) {
  if (paths.empty()) throw Error(ErrorCode::bad_params, "no file is given", "give at least one");
  return open_text_blocks(paths, options);
}

}  // namespace bough
