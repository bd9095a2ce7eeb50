/* SPDX-License-Identifier: Apache-2.0 */
/* What the core and the Arrow component (libbough_arrow.so, src/arrow_files) say to each other. The core never links Arrow: it
 * loads the component when a Parquet or Arrow file is read, and asks it for this table of functions. */
#ifndef BOUGH_ARROW_COMPONENT_H
#define BOUGH_ARROW_COMPONENT_H

#include <stddef.h>
#include <stdint.h>

#include "bough/arrow_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by every change of this file: core and component must agree. */
#define BOUGH_ARROW_COMPONENT_ABI 1
#define BOUGH_ARROW_COMPONENT_ENTRY "bough_arrow_component"

enum { BOUGH_ARROW_OK = 0, BOUGH_ARROW_BAD_DATA = 1, BOUGH_ARROW_IO = 2, BOUGH_ARROW_NO_MEMORY = 3 };

/* Where a function says what went wrong: text of at most room - 1 bytes and a NUL. */
struct BoughArrowError {
  char* text;
  size_t room;
};

struct BoughArrowFile;

struct BoughArrowFunctions {
  int32_t abi;
  const char* arrow_version;
  /* Parquet, Arrow IPC file or Arrow IPC stream, told by the first bytes. The memory of open_memory must outlive the file, its
   * streams and their batches. */
  int (*open_path)(const char* path, struct BoughArrowFile** out, struct BoughArrowError error);
  int (*open_memory)(const void* bytes, int64_t size, struct BoughArrowFile** out,
                     struct BoughArrowError error);
  void (*close)(struct BoughArrowFile* file);
  /* Row groups (Parquet) or record batches (IPC file); 1 for an IPC stream. */
  int32_t (*n_groups)(const struct BoughArrowFile* file);
  /* Rows of all groups together; -1 where only reading tells (IPC stream). */
  int64_t (*n_rows)(const struct BoughArrowFile* file);
  /* Names and types of all columns. */
  int (*schema)(struct BoughArrowFile* file, struct ArrowSchema* out, struct BoughArrowError error);
  /* The rows of groups [first, last) in batches of at most batch_rows rows; of an IPC stream, all. Only the given columns are
   * read, in the order of the file. Streams and batches may outlive the file. */
  int (*stream)(struct BoughArrowFile* file, int32_t first, int32_t last, const int32_t* columns,
                int32_t n_columns, int64_t batch_rows, struct ArrowArrayStream* out,
                struct BoughArrowError error);
};

/* The one symbol of the component; null where it does not speak the caller's version. */
typedef const struct BoughArrowFunctions* (*BoughArrowEntry)(int32_t abi);

#ifdef __cplusplus
}
#endif

#endif /* BOUGH_ARROW_COMPONENT_H */
