// SPDX-License-Identifier: Apache-2.0
// Pieces of record batches, put together as one C stream.
#include "data/arrow_pieces.hpp"

#include <array>
#include <iterator>

namespace bough {
namespace {

/// Nothing but missing cells, in every layout: one piece of zeros is validity, cells, offsets and views.
struct MissingCells {
  std::vector<std::int64_t> zeros;
  std::array<const void*, 3> buffers{};
  ArrowArray values{};  // an empty dictionary
  ArrowArray array{};

  MissingCells(std::int64_t length, bool dictionary) : zeros(2 * static_cast<std::size_t>(length + 1)) {
    buffers.fill(zeros.data());
    values.n_buffers = array.n_buffers = std::ssize(buffers);
    values.buffers = array.buffers = buffers.data();
    array.length = array.null_count = length;
    if (dictionary) array.dictionary = &values;
  }
  MissingCells(const MissingCells&) = delete;
  MissingCells& operator=(const MissingCells&) = delete;
};

struct GivenSchema {
  std::vector<PieceField> fields;
  std::vector<ArrowSchema*> children;
};

struct GivenBatch {
  BatchPiece piece;
  std::vector<std::unique_ptr<MissingCells>> missing;
  std::vector<ArrowArray*> children;
};

}  // namespace

ArrowArrayStream PieceStream::stream() noexcept {
  return {give_schema, give_next, [](ArrowArrayStream*) -> const char* { return nullptr; },
          [](ArrowArrayStream* self) { self->release = nullptr; }, this};
}

int PieceStream::give_schema(ArrowArrayStream* self, ArrowSchema* out) {
  auto given = std::make_unique<GivenSchema>();
  given->fields = *static_cast<PieceStream*>(self->private_data)->fields_;
  for (const PieceField& field : given->fields) given->children.push_back(field.schema);
  *out = {};
  out->format = "+s";
  out->name = "";
  out->n_children = std::ssize(given->children);
  out->children = given->children.data();
  out->private_data = given.release();
  out->release = [](ArrowSchema* schema) {
    delete static_cast<GivenSchema*>(schema->private_data);
    schema->release = nullptr;
  };
  return 0;
}

int PieceStream::give_next(ArrowArrayStream* self, ArrowArray* out) {
  auto& stream = *static_cast<PieceStream*>(self->private_data);
  *out = {};
  if (stream.at_ == stream.pieces_.size()) return 0;
  auto given = std::make_unique<GivenBatch>();
  given->piece = std::move(stream.pieces_[stream.at_++]);
  const ArrowArray& batch = given->piece.batch->value;
  for (std::size_t k = 0; k < given->piece.order->size(); ++k) {
    const std::size_t child = (*given->piece.order)[k];
    if (child == kNoChild) {
      const bool dictionary = (*stream.fields_)[k].schema->dictionary != nullptr;
      given->missing.push_back(std::make_unique<MissingCells>(batch.offset + batch.length, dictionary));
    }
    given->children.push_back(child == kNoChild ? &given->missing.back()->array : batch.children[child]);
  }
  out->length = given->piece.count;
  out->offset = batch.offset + given->piece.first;
  out->n_buffers = batch.n_buffers;
  out->buffers = batch.buffers;
  out->n_children = std::ssize(given->children);
  out->children = given->children.data();
  out->private_data = given.release();
  out->release = [](ArrowArray* array) {
    delete static_cast<GivenBatch*>(array->private_data);
    array->release = nullptr;
  };
  return 0;
}

}  // namespace bough
