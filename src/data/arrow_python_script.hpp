// SPDX-License-Identifier: Apache-2.0
// What the Python process of arrow_python.cpp runs.
//
// Standard input and output are one socket. First it says what the file is, then it answers every line
// "first last batch_rows column column..." with batches. A message is a line of JSON and the buffers that it names, each
// filled up to a multiple of 64 bytes. Only the working folder is taken off the path of imports: it may be a stranger's.
#pragma once

namespace bough {

inline constexpr const char* kArrowReaderScript = R"python(
import sys
sys.path[:] = [p for p in sys.path if p]
import ctypes, json, os

class CSchema(ctypes.Structure):
    pass

CSchema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.POINTER(CSchema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(CSchema))), ("private", ctypes.c_void_p)]

out = open(1, "wb", buffering=1 << 20, closefd=False)

def say(message, buffers=()):
    out.write(json.dumps(message).encode() + b"\n")
    for b in buffers:
        out.write(b)
        out.write(bytes(-b.size % 64))
    out.flush()

def given(t):
    # Half floats as floats, views as plain texts: every value stays what it is.
    if pa.types.is_float16(t):
        return pa.float32()
    if hasattr(pa.types, "is_string_view") and pa.types.is_string_view(t):
        return pa.large_string()
    if pa.types.is_dictionary(t):
        return pa.dictionary(t.index_type, given(t.value_type), t.ordered)
    return t

def cast(a):
    t = given(a.type)
    if a.type == t:
        return a
    if pa.types.is_dictionary(t):
        return pa.DictionaryArray.from_arrays(a.indices, cast(a.dictionary), ordered=t.ordered)
    return a.cast(t)

def described(field):
    s = CSchema()
    field._export_to_c(ctypes.addressof(s))
    dictionary = s.dictionary[0].format.decode() if s.dictionary else None
    told = {"name": field.name, "format": s.format.decode(), "flags": s.flags, "dictionary": dictionary}
    s.release(ctypes.byref(s))
    return told

def compact(arrays):
    # A slice shares the buffers of what it was cut from; a written message holds its own cells only.
    batch = pa.RecordBatch.from_arrays(arrays, [str(i) for i in range(len(arrays))])
    return pa.ipc.read_record_batch(batch.serialize(), batch.schema).columns

def flat(a):
    buffers = a.buffers()
    told = {"length": len(a), "nulls": a.null_count, "buffers": [-1 if b is None else b.size for b in buffers]}
    return told, [b for b in buffers if b is not None]

def send(batch, fields, sent):
    columns, data = [], []
    arrays = []
    for field, a in zip(fields, batch.columns):
        try:
            a.validate(full=True)
        except pa.ArrowException as e:
            raise pa.ArrowInvalid('column "%s": %s' % (field.name, e))
        a = cast(a)
        if a.type != field.type:
            raise pa.ArrowInvalid('column "%s" changes its type from %s to %s' % (field.name, field.type, a.type))
        arrays.append(a)
    codes = compact([a.indices if pa.types.is_dictionary(a.type) else a for a in arrays])
    for i, a in enumerate(arrays):
        told, buffers = flat(codes[i])
        data += buffers
        if pa.types.is_dictionary(a.type):
            if i in sent and sent[i].equals(a.dictionary):
                told["dictionary"] = "same"
            else:
                sent[i] = a.dictionary
                told["dictionary"], buffers = flat(compact([a.dictionary])[0])
                data += buffers
        columns.append(told)
    say({"length": batch.num_rows, "columns": columns}, data)

def run(path):
    with open(path, "rb") as f:
        head = f.read(6)
    if head.startswith(b"PAR1"):
        import pyarrow.parquet as pq
        f = pq.ParquetFile(path, page_checksum_verification=True, buffer_size=1 << 18)
        schema, groups, rows = f.schema_arrow, f.num_row_groups, f.metadata.num_rows
    elif head == b"ARROW1":
        f = pa.ipc.open_file(pa.OSFile(path))
        schema, groups, rows = f.schema, f.num_record_batches, -1  # the rows would have to be read
    else:
        schema, groups, rows = pa.ipc.open_stream(pa.OSFile(path)).schema, 1, -1
    fields = [f.with_type(given(f.type)) for f in schema]
    say({"arrow": pa.__version__, "groups": groups, "rows": rows, "fields": [described(f) for f in fields]})
    for line in open(0, "r", closefd=False):
        first, last, most, *columns = map(int, line.split())
        wanted, sent = [fields[c] for c in columns], {}
        if head.startswith(b"PAR1"):
            batches = f.iter_batches(batch_size=most, row_groups=list(range(first, last)),
                                     columns=[field.name for field in wanted], use_threads=False)
        elif head == b"ARROW1":
            batches = (f.get_batch(i).select(columns) for i in range(first, last))
        else:
            batches = (b.select(columns) for b in pa.ipc.open_stream(pa.OSFile(path)))
        for batch in batches:
            for start in range(0, batch.num_rows, most):
                send(batch.slice(start, most), wanted, sent)
        say({"end": True})

try:
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError as e:
        say({"kind": "absent", "error": str(e)})
    else:
        run(sys.argv[1])
except MemoryError:
    say({"kind": "memory", "error": "out of memory"})
except OSError as e:
    say({"kind": "io" if e.errno else "bad", "error": str(e)})
except Exception as e:
    say({"kind": "bad", "error": str(e) or type(e).__name__})
)python";

}  // namespace bough
