// SPDX-License-Identifier: Apache-2.0
// Training on tables that are larger than memory: their rows lie in a scratch file and are looked at block by
// block.
#pragma once

#include <cstdint>
#include <string>

#include "bough/model.hpp"
#include "bough/table_blocks.hpp"

namespace bough {

/// What training may use; nothing here changes a model.
struct OutOfCore {
  std::int64_t memory = std::int64_t{2} << 30;  ///< bytes, about: of the whole process
  /// Folder of the scratch file, which has no name and is always deleted after training; "":
  /// $TMPDIR, else /tmp. A folder that lies in memory itself (tmpfs) saves nothing.
  std::string scratch{};
  std::int64_t block_rows = 0;  ///< rows that are looked at together; 0: chosen by the memory
};

/// The model that fit() gives on all rows of the files, byte by byte. Reads them twice, a third time where a
/// column turns out to be text late. Stages of progress: read, code, grow. Throws as fit() does;
/// not_supported for what cannot be trained on blocks (check_scale_params); bad_params where the memory is
/// too little, naming how much it takes; io where the scratch file cannot be written or a file has changed
/// meanwhile.
Model fit_out_of_core(TableBlocks& rows, const FitSpec& spec, const Params& params, const OutOfCore& limits,
                      const Execution& execution = {});

/// A size in bytes: 500MB, 2GB (powers of 1000), 1.5GiB, 512MiB (powers of 1024), or a bare number of bytes.
/// Throws bad_params.
std::int64_t parse_bytes(const std::string& text);

}  // namespace bough
