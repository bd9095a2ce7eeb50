// SPDX-License-Identifier: Apache-2.0
// Text files as blocks of rows with the types that reading them whole gives.
#pragma once

#include "bough/table_blocks.hpp"

namespace bough {

std::unique_ptr<TableBlocks> open_text_blocks(std::span<const std::string> paths, const ReadOptions& options);

}  // namespace bough
