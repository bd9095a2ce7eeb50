// SPDX-License-Identifier: Apache-2.0
// The Arrow component: Parquet files, Arrow IPC files and streams, by the Arrow C++ library, as C streams of
// record batches.
//
// Nothing is thrown over the border. Every batch is checked in full before it leaves, so that damaged files
// are errors: the core trusts offsets and codes. Files are read, not mapped: one that shrinks while it is
// read must not end the process.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/util/config.h>
#include <arrow/util/float16.h>
#include <arrow/util/io_util.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>

#include "data/arrow_component.h"

namespace {

using arrow::Result;
using arrow::Status;
using Columns = std::vector<int>;
using ReaderPtr = std::shared_ptr<arrow::RecordBatchReader>;

/// Runs `body`; what it throws becomes a Status.
template <class F>
auto guarded(F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Status::OutOfMemory("out of memory");
  } catch (const std::exception& error) {
    return Status::Invalid(error.what());
  }
}

int report(const Status& status, BoughArrowError error) {
  if (status.ok()) return BOUGH_ARROW_OK;
  const std::string text = status.message();
  if (error.room > 0) {
    const std::size_t length = std::min(text.size(), error.room - 1);
    std::memcpy(error.text, text.data(), length);
    error.text[length] = '\0';
  }
  if (status.IsOutOfMemory()) return BOUGH_ARROW_NO_MEMORY;
  return arrow::internal::ErrnoFromStatus(status) != 0 ? BOUGH_ARROW_IO : BOUGH_ARROW_BAD_DATA;
}

std::shared_ptr<arrow::Field> given_field(const std::shared_ptr<arrow::Field>& field) {
  return field->type()->id() == arrow::Type::HALF_FLOAT ? field->WithType(arrow::float32()) : field;
}

std::shared_ptr<arrow::Schema> given_schema(const arrow::Schema& schema, const Columns& columns) {
  arrow::FieldVector fields;
  for (const int column : columns) fields.push_back(given_field(schema.field(column)));
  return arrow::schema(std::move(fields));
}

/// Half floats as floats, which hold every one of them.
Result<std::shared_ptr<arrow::Array>> widen(const arrow::Array& halves) {
  arrow::FloatBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(halves.length()));
  const auto& cells = static_cast<const arrow::HalfFloatArray&>(halves);
  for (std::int64_t i = 0; i < cells.length(); ++i) {
    if (cells.IsNull(i))
      builder.UnsafeAppendNull();
    else
      builder.UnsafeAppend(arrow::util::Float16::FromBits(cells.Value(i)).ToFloat());
  }
  return builder.Finish();
}

/// Batches of another reader, checked, in the given schema and at most `most` rows long.
class CheckedReader final : public arrow::RecordBatchReader {
 public:
  CheckedReader(ReaderPtr inner, std::shared_ptr<arrow::Schema> schema, std::int64_t most,
                std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), inner_(std::move(inner)), schema_(std::move(schema)), most_(most) {}
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    return guarded([&]() -> Status { return read(out); });
  }

 private:
  Status read(std::shared_ptr<arrow::RecordBatch>* out) {
    while (rest_ == nullptr) {
      std::shared_ptr<arrow::RecordBatch> batch;
      ARROW_RETURN_NOT_OK(inner_->ReadNext(&batch));
      if (batch == nullptr) {
        *out = nullptr;
        return Status::OK();
      }
      if (batch->num_rows() == 0) continue;
      ARROW_ASSIGN_OR_RAISE(rest_, checked(*batch));
    }
    if (rest_->num_rows() <= most_) {
      *out = std::move(rest_);
      rest_ = nullptr;
    } else {
      *out = rest_->Slice(0, most_);
      rest_ = rest_->Slice(most_);
    }
    return Status::OK();
  }
  Result<std::shared_ptr<arrow::RecordBatch>> checked(const arrow::RecordBatch& batch) {
    if (batch.num_columns() != schema_->num_fields())
      return Status::Invalid("a batch has ", batch.num_columns(), " columns instead of ",
                             schema_->num_fields());
    arrow::ArrayVector arrays;
    for (int c = 0; c < batch.num_columns(); ++c) {
      std::shared_ptr<arrow::Array> array = batch.column(c);
      const Status valid = array->ValidateFull();
      if (!valid.ok())
        return valid.WithMessage("column \"", schema_->field(c)->name(), "\": ", valid.message());
      if (array->type_id() == arrow::Type::HALF_FLOAT) {
        ARROW_ASSIGN_OR_RAISE(array, widen(*array));
      }
      if (!array->type()->Equals(*schema_->field(c)->type()))
        return Status::Invalid("column \"", schema_->field(c)->name(), "\" changes its type from ",
                               schema_->field(c)->type()->ToString(), " to ", array->type()->ToString());
      arrays.push_back(std::move(array));
    }
    return arrow::RecordBatch::Make(schema_, batch.num_rows(), std::move(arrays));
  }

  std::shared_ptr<const void> owner_;  // first: the last to go
  ReaderPtr inner_;
  std::shared_ptr<arrow::Schema> schema_;
  std::int64_t most_;
  std::shared_ptr<arrow::RecordBatch> rest_;
};

struct Request {
  int first = 0;
  int last = 0;
  Columns columns;
  std::int64_t batch_rows = 0;
};

using Source = std::shared_ptr<arrow::io::RandomAccessFile>;

/// A file of one of the three kinds.
class Kind {
 public:
  virtual ~Kind() = default;
  virtual int n_groups() const = 0;
  virtual std::int64_t n_rows() const = 0;
  virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  virtual Result<ReaderPtr> batches(const Request& request) = 0;
};

class ParquetKind final : public Kind {
 public:
  static Result<std::shared_ptr<Kind>> open(const Source& source) {
    auto kind = std::make_shared<ParquetKind>();
    kind->source_ = source;
    ARROW_ASSIGN_OR_RAISE(kind->plain_, kind->reader(std::int64_t{1} << 16));
    ARROW_RETURN_NOT_OK(kind->plain_->GetSchema(&kind->schema_));
    return kind;
  }
  int n_groups() const override { return plain_->num_row_groups(); }
  std::int64_t n_rows() const override { return plain_->parquet_reader()->metadata()->num_rows(); }
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<ReaderPtr> batches(const Request& request) override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<parquet::arrow::FileReader> file, reader(request.batch_rows));
    std::vector<int> groups(static_cast<std::size_t>(request.last - request.first));
    std::iota(groups.begin(), groups.end(), request.first);
    std::vector<int> leaves;
    for (const int column : request.columns)
      add_leaves(file->manifest().schema_fields.at(static_cast<std::size_t>(column)), leaves);
    ARROW_ASSIGN_OR_RAISE(ReaderPtr batches, file->GetRecordBatchReader(groups, leaves));
    return std::make_shared<CheckedReader>(batches, given_schema(*schema_, request.columns),
                                           request.batch_rows, file);
  }

 private:
  /// Pages come through small buffers and nothing is fetched ahead: memory does not grow with row groups.
  Result<std::shared_ptr<parquet::arrow::FileReader>> reader(std::int64_t batch_rows) {
    parquet::ReaderProperties reading = parquet::default_reader_properties();
    reading.enable_buffered_stream();
    reading.set_buffer_size(1 << 18);
    reading.set_page_checksum_verification(true);
    parquet::ArrowReaderProperties giving;
    giving.set_batch_size(batch_rows);
    giving.set_pre_buffer(false);
    giving.set_use_threads(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(source_, reading, metadata_));
    builder.properties(giving);
    std::unique_ptr<parquet::arrow::FileReader> file;
    ARROW_RETURN_NOT_OK(builder.Build(&file));
    metadata_ = file->parquet_reader()->metadata();
    return std::shared_ptr<parquet::arrow::FileReader>(std::move(file));
  }
  static void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
    std::vector<const parquet::arrow::SchemaField*> open{&field};
    while (!open.empty()) {
      const parquet::arrow::SchemaField* top = open.back();
      open.pop_back();
      if (top->is_leaf()) leaves.push_back(top->column_index);
      for (const auto& child : top->children) open.push_back(&child);
    }
  }

  Source source_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::shared_ptr<parquet::arrow::FileReader> plain_;
  std::shared_ptr<arrow::Schema> schema_;
};

arrow::ipc::IpcReadOptions ipc_options(const Columns& columns) {
  arrow::ipc::IpcReadOptions options = arrow::ipc::IpcReadOptions::Defaults();
  options.included_fields = columns;
  options.use_threads = false;
  return options;
}

/// An IPC reader that was told to read no columns reads all of them.
ReaderPtr only_given(ReaderPtr inner, const arrow::Schema& schema, const Request& request) {
  return std::make_shared<CheckedReader>(std::move(inner), given_schema(schema, request.columns),
                                         request.batch_rows, nullptr);
}

class IpcFileKind final : public Kind {
 public:
  static Result<std::shared_ptr<Kind>> open(const Source& source) {
    auto kind = std::make_shared<IpcFileKind>();
    kind->source_ = source;
    ARROW_ASSIGN_OR_RAISE(const auto file, arrow::ipc::RecordBatchFileReader::Open(source));
    kind->schema_ = file->schema();
    kind->n_groups_ = file->num_record_batches();
    ARROW_ASSIGN_OR_RAISE(kind->n_rows_, file->CountRows());
    return kind;
  }
  int n_groups() const override { return n_groups_; }
  std::int64_t n_rows() const override { return n_rows_; }
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<ReaderPtr> batches(const Request& request) override {
    ARROW_ASSIGN_OR_RAISE(auto file,
                          arrow::ipc::RecordBatchFileReader::Open(source_, ipc_options(request.columns)));
    auto batches = std::make_shared<Batches>(std::move(file), request.first, request.last);
    return only_given(std::move(batches), *schema_, request);
  }

 private:
  class Batches final : public arrow::RecordBatchReader {
   public:
    Batches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file, int first, int last)
        : file_(std::move(file)), at_(first), last_(last) {}
    std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
    Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
      *out = nullptr;
      if (at_ >= last_) return Status::OK();
      return file_->ReadRecordBatch(at_++).Value(out);
    }

   private:
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
    int at_;
    int last_;
  };

  Source source_;
  std::shared_ptr<arrow::Schema> schema_;
  int n_groups_ = 0;
  std::int64_t n_rows_ = 0;
};

class IpcStreamKind final : public Kind {
 public:
  static Result<std::shared_ptr<Kind>> open(const Source& source) {
    auto kind = std::make_shared<IpcStreamKind>();
    kind->source_ = source;
    ARROW_ASSIGN_OR_RAISE(const auto stream, kind->reader(arrow::ipc::IpcReadOptions::Defaults()));
    kind->schema_ = stream->schema();
    return kind;
  }
  int n_groups() const override { return 1; }
  std::int64_t n_rows() const override { return -1; }
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<ReaderPtr> batches(const Request& request) override {
    ARROW_ASSIGN_OR_RAISE(ReaderPtr stream, reader(ipc_options(request.columns)));
    return only_given(std::move(stream), *schema_, request);
  }

 private:
  /// A reader with a place of its own in the file.
  Result<ReaderPtr> reader(const arrow::ipc::IpcReadOptions& options) {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t size, source_->GetSize());
    ARROW_ASSIGN_OR_RAISE(auto input, arrow::io::RandomAccessFile::GetStream(source_, 0, size));
    return arrow::ipc::RecordBatchStreamReader::Open(std::move(input), options);
  }
  Source source_;
  std::shared_ptr<arrow::Schema> schema_;
};

Result<std::shared_ptr<Kind>> open_kind(const Source& source) {
  char head[8] = {};
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, source->ReadAt(0, sizeof head, head));
  const std::string_view start(head, static_cast<std::size_t>(size));
  if (start.starts_with("PAR1")) return ParquetKind::open(source);
  if (start.starts_with("ARROW1")) return IpcFileKind::open(source);
  if (start.starts_with("\xFF\xFF\xFF\xFF")) return IpcStreamKind::open(source);
  return Status::Invalid("it is neither a Parquet nor an Arrow IPC file");
}

}  // namespace

struct BoughArrowFile {
  std::shared_ptr<Kind> kind;
};

namespace {

int open_source(Result<Source> source, BoughArrowFile** out, BoughArrowError error) {
  const Status status = guarded([&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(const Source opened, std::move(source));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<Kind> kind, open_kind(opened));
    *out = new BoughArrowFile{std::move(kind)};
    return Status::OK();
  });
  return report(status, error);
}

int open_path(const char* path, BoughArrowFile** out, BoughArrowError error) {
  return open_source(guarded([&]() -> Result<Source> { return arrow::io::ReadableFile::Open(path); }), out,
                     error);
}

int open_memory(const void* bytes, std::int64_t size, BoughArrowFile** out, BoughArrowError error) {
  return open_source(guarded([&]() -> Result<Source> {
                       return std::make_shared<arrow::io::BufferReader>(
                           std::make_shared<arrow::Buffer>(static_cast<const std::uint8_t*>(bytes), size));
                     }),
                     out, error);
}

void close_file(BoughArrowFile* file) {
  delete file;
}

std::int32_t n_groups(const BoughArrowFile* file) {
  return file->kind->n_groups();
}

std::int64_t n_rows(const BoughArrowFile* file) {
  return file->kind->n_rows();
}

Columns all_columns(const Kind& kind) {
  Columns columns(static_cast<std::size_t>(kind.schema()->num_fields()));
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

int schema_of(BoughArrowFile* file, ArrowSchema* out, BoughArrowError error) {
  return report(guarded([&]() -> Status {
                  return arrow::ExportSchema(*given_schema(*file->kind->schema(), all_columns(*file->kind)),
                                             out);
                }),
                error);
}

int stream_of(BoughArrowFile* file, std::int32_t first, std::int32_t last, const std::int32_t* columns,
              std::int32_t n_columns, std::int64_t batch_rows, ArrowArrayStream* out, BoughArrowError error) {
  return report(guarded([&]() -> Status {
                  const Request request{first, last, Columns(columns, columns + n_columns), batch_rows};
                  ARROW_ASSIGN_OR_RAISE(ReaderPtr batches, file->kind->batches(request));
                  return arrow::ExportRecordBatchReader(std::move(batches), out);
                }),
                error);
}

constexpr BoughArrowFunctions kFunctions{BOUGH_ARROW_COMPONENT_ABI,
                                         ARROW_VERSION_STRING,
                                         open_path,
                                         open_memory,
                                         close_file,
                                         n_groups,
                                         n_rows,
                                         schema_of,
                                         stream_of};

}  // namespace

extern "C" __attribute__((visibility("default"))) const BoughArrowFunctions* bough_arrow_component(
    std::int32_t abi) {
  return abi == BOUGH_ARROW_COMPONENT_ABI ? &kFunctions : nullptr;
}
