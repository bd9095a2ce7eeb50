// SPDX-License-Identifier: Apache-2.0
// Pieces of record batches, put together as one C stream for Table::from_arrow.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bough/arrow_abi.h"

namespace bough {

/// A struct of the C interface that is released with its last user.
template <class T>
struct SharedArrow {
  T value{};
  std::shared_ptr<const void> memory;  ///< what it views
  SharedArrow() = default;
  SharedArrow(const SharedArrow&) = delete;
  SharedArrow& operator=(const SharedArrow&) = delete;
  ~SharedArrow() {
    if (value.release != nullptr) value.release(&value);
  }
};
using SharedBatch = std::shared_ptr<const SharedArrow<ArrowArray>>;
using SharedSchema = std::shared_ptr<const SharedArrow<ArrowSchema>>;

/// Which child of a batch is column k; kNoChild: its cells are all missing.
using ChildOrder = std::vector<std::size_t>;
inline constexpr std::size_t kNoChild = static_cast<std::size_t>(-1);

/// A column of the stream: the child of a schema.
struct PieceField {
  SharedSchema owner;
  ArrowSchema* schema = nullptr;
};

/// Rows [first, first + count) of a batch.
struct BatchPiece {
  SharedBatch batch;
  std::shared_ptr<const ChildOrder> order;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Pieces as a C stream. Batches and schemas stay alive as long as something of them is in use.
class PieceStream {
 public:
  PieceStream(const std::vector<PieceField>& fields, std::vector<BatchPiece> pieces)
      : fields_(&fields), pieces_(std::move(pieces)) {}
  /// Must not outlive this.
  ArrowArrayStream stream() noexcept;

 private:
  static int give_schema(ArrowArrayStream* self, ArrowSchema* out);
  static int give_next(ArrowArrayStream* self, ArrowArray* out);

  const std::vector<PieceField>* fields_;
  std::vector<BatchPiece> pieces_;
  std::size_t at_ = 0;
};

}  // namespace bough
