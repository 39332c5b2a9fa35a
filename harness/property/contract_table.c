/* contract_table.c: the promises themselves. The first row of a field that fits wins; special before general.
 *
 * Each row was also seen on the versions that it names. Where a library documents nothing, its code is the source,
 * named with the version that was read; a field of which nobody says anything ends in ANY. Words of a source:
 *   "npy format"  documentation of numpy.lib.format, NumPy 1.23 to 2.4
 *   "_format_impl.py", "methods.c", "buffer.c", "memmap.py"  NumPy's files of these names, read in 1.23 to 2.4
 *     (lib/format.py and core/ before 2.0)
 *   "testee protocol"  harness/testees/README.md
 */
#include "model/dict.h"
#include "model/graph_features.h"
#include "property/contract.h"

#define FEATURE(name) ((uint32_t)NDP_FEATURE_##name)
#define ROW(name, kept, ...)                                                                                           \
    { .field = NDP_FIELD_##name, .promise = NDP_PROMISE_##kept, __VA_ARGS__ }

#define NUMPY                                                                                                          \
    { .name = "numpy" }
#define NUMPY_SINCE(from)                                                                                              \
    { .name = "numpy", .since = (from) }
#define NUMPY_BEFORE(end)                                                                                              \
    { .name = "numpy", .before = (end) }
#define REFERENCE                                                                                                      \
    { .name = "reference" }

#define ANY_CONTIGUOUS (FEATURE(C_CONTIGUOUS) | FEATURE(F_CONTIGUOUS))

/* Where protocol 5 exports no buffer, it falls back to what protocols 0 to 4 do. One row for each reason. */
#define FALLBACK_SOURCE "methods.c, array_reduce_ex: "
#define FALLBACK_ROW(reader, name, kept, feature, except, why)                                                         \
    ROW(name, kept, .decoder = reader, .format = "pickle", .protocol_min = 5, .protocol_max = 5, .with = (feature),    \
        .without = (except), .source = FALLBACK_SOURCE why)
#define FALLBACK_ROWS(reader, name, kept, except)                                                                      \
    FALLBACK_ROW(reader, name, kept, FEATURE(TIME), except,                                                            \
                 "dates and times export no buffer, so __reduce__ is used"),                                           \
        FALLBACK_ROW(reader, name, kept, FEATURE(LONGDOUBLE), (except) | FEATURE(NATIVE_ORDER),                        \
                     "native-only types in foreign byte order export no buffer (buffer.c)"),                           \
        FALLBACK_ROW(reader, name, kept, FEATURE(OBJECT), except, "objects inside use __reduce__"),                    \
        FALLBACK_ROW(reader, name, kept, FEATURE(ITEMSIZE_ZERO), except, "itemsize 0 uses __reduce__"),                \
        ROW(name, kept, .encoder = NUMPY, .decoder = reader, .format = "pickle", .protocol_min = 5, .protocol_max = 5, \
            .with = FEATURE(SUBCLASS), .without = (except),                                                            \
            .source = FALLBACK_SOURCE "subclasses, memmap among them, use __reduce__"),                                \
        ROW(name, kept, .encoder = REFERENCE, .decoder = reader, .format = "pickle", .protocol_min = 5,                \
            .protocol_max = 5, .with = FEATURE(SUBCLASS) | NDP_FEATURE_IN_GRAPH, .without = (except),                  \
            .source = WRITES_AS_NUMPY "; " FALLBACK_SOURCE "subclasses, memmap among them, use __reduce__")

/* Structures that no PEP 3118 format string describes; their byte order is kept on both roads. */
#define STRUCTURE_FALLBACK_ROWS(reader, name, kept, feature)                                                           \
    FALLBACK_ROW(reader, name, kept, FEATURE(OVERLAP) | (feature), 0,                                                  \
                 "overlapping or out-of-order fields export no buffer (buffer.c)"),                                    \
        FALLBACK_ROW(reader, name, ANY, FEATURE(NON_LATIN_NAMES) | (feature), 0,                                       \
                     "names that UTF-8 cannot encode export no buffer (buffer.c), others do"),                         \
        FALLBACK_ROW(reader, name, ANY, FEATURE(STRUCTURED) | FEATURE(LONGDOUBLE) | (feature), FEATURE(NATIVE_ORDER),  \
                     "a long double field exports no buffer when it is the one in foreign byte order (buffer.c)")

#define WRITES_AS_NUMPY                                                                                                \
    "target/reference/reference_pickle.h: entry c writes what NumPy 2.3 writes, entry python what NumPy 1.26 writes"

/* Whether an array of a pickle may be written to: its bytes say so, and those who read them agree. */
#define PICKLED_WRITEABLE_ROWS(reader)                                                                                 \
    ROW(WRITEABLE, TRUE, .decoder = reader, .format = "pickle", .protocol_max = 4,                                     \
        .source = "methods.c, array_setstate: the array gets memory of its own, or the bytes as writable"),            \
        STRUCTURE_FALLBACK_ROWS(reader, WRITEABLE, TRUE, FEATURE(READONLY)),                                           \
        FALLBACK_ROWS(reader, WRITEABLE, TRUE, 0),                                                                     \
        ROW(WRITEABLE, TRUE, .encoder = REFERENCE, .decoder = reader, .format = "pickle", .encode = "python",          \
            .protocol_min = 5, .protocol_max = 5, .without = ANY_CONTIGUOUS, .source = WRITES_AS_NUMPY),               \
        ROW(WRITEABLE, TRUE, .encoder = REFERENCE, .decoder = reader, .format = "pickle", .encode = "c",               \
            .protocol_min = 5, .protocol_max = 5, .without = FEATURE(PERMUTED) | ANY_CONTIGUOUS,                       \
            .source = WRITES_AS_NUMPY),                                                                                \
        ROW(WRITEABLE, TRUE, .encoder = NUMPY_BEFORE("2.3"), .decoder = reader, .format = "pickle", .protocol_min = 5, \
            .protocol_max = 5, .without = ANY_CONTIGUOUS,                                                              \
            .source = FALLBACK_SOURCE "arrays that are not contiguous use __reduce__"),                                \
        ROW(WRITEABLE, TRUE, .encoder = NUMPY_SINCE("2.3"), .decoder = reader, .format = "pickle", .protocol_min = 5,  \
            .protocol_max = 5, .without = ANY_CONTIGUOUS | FEATURE(PERMUTED),                                          \
            .source = FALLBACK_SOURCE "arrays that no permutation makes contiguous use __reduce__; gh-28105"),         \
        ROW(WRITEABLE, SAME, .decoder = reader, .format = "pickle", .protocol_min = 5, .protocol_max = 5,              \
            .source = "PEP 574: a read-only buffer stays read-only, in band as bytes, out of band as READONLY_BUFFER")

/* What makes protocol 5 fall back to __reduce__ whoever reads it. */
#define NO_BUFFER (FEATURE(TIME) | FEATURE(OBJECT) | FEATURE(OVERLAP) | FEATURE(ITEMSIZE_ZERO))

/* Features of graphs. */
#define GRAPH(name)         (NDP_GRAPH_VALUE | (uint32_t)NDP_GRAPH_##name)
#define GRAPH_STREAM_SOURCE "harness/codec, graph_stream.h: everything that can be observed is kept"
#define BY_NAME_SOURCE                                                                                                 \
    "Python pickle documentation, What can be pickled and unpickled: functions are pickled by their qualified name; "  \
    "lambdas and nested functions are not"
#define DILL_DESCRIPTION_SOURCE                                                                                        \
    "dill issue 420, an enhancement: functions are pickled with their annotations, documentation and qualified name "  \
    "since 0.3.5"
#define METHOD_SOURCE                                                                                                  \
    "CPython, Objects/classobject.c, method___reduce__: a bound method is pickled as an attribute of its object"

static const struct ndp_contract_row rows[] = {
    /* --- accepted ------------------------------------------------------------------------------------------- */
    ROW(ACCEPTED, MAY_REFUSE, .format = "pickle", .with = GRAPH(LOCAL_FUNCTION), .source = BY_NAME_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .format = "joblib", .with = GRAPH(LOCAL_FUNCTION),
        .source = BY_NAME_SOURCE "; joblib.dump documentation: NumpyPickler is a pickler"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "joblib.Parallel", .encode = "multiprocessing*", .with = GRAPH(LOCAL_FUNCTION),
        .source = BY_NAME_SOURCE "; joblib documentation, Serialization & Processes: multiprocessing uses pickle"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "multiprocessing", .with = GRAPH(LOCAL_FUNCTION),
        .source = BY_NAME_SOURCE "; multiprocessing documentation, Programming guidelines: picklability"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "pickle", .with = GRAPH(METHOD), .source = METHOD_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .format = "joblib", .with = GRAPH(METHOD), .source = METHOD_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .format = "joblib.Parallel", .encode = "multiprocessing*", .with = GRAPH(METHOD),
        .source = METHOD_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .format = "multiprocessing", .with = GRAPH(METHOD), .source = METHOD_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .format = "joblib.Parallel", .encode = "loky*", .with = GRAPH(METHOD),
        .source = "loky/backend/reduction.py, _reduce_method: a method is sent as an attribute of its object"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "copy", .with = GRAPH(METHOD), .source = METHOD_SOURCE),
    ROW(ACCEPTED, MAY_REFUSE, .with = GRAPH(FROMPYFUNC),
        .source = "numpy/_core/__init__.py, _ufunc_reduce: a ufunc is pickled as its name alone"),
    ROW(ACCEPTED, MAY_REFUSE, .decoder = NUMPY_BEFORE("2.0"), .with = FEATURE(OVER_32_DIMS),
        .source = "NumPy 2.0.0 release notes: the maximum number of dimensions is 64, it was 32"),
    ROW(ACCEPTED, REFUSED, .format = "np*", .with = FEATURE(OVERLAP),
        .source = "_format_impl.py, dtype_to_descr uses dtype.descr, which is not defined for overlapping or "
                  "out-of-order fields (_internal.py, _array_descr)"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "np*", .with = FEATURE(PADDING_NAME),
        .source =
            "_format_impl.py, descr_to_dtype takes void fields without a name for padding: an encoder may refuse"),
    ROW(ACCEPTED, REFUSED, .format = "np*", .decode = "mmap:*", .with = FEATURE(OBJECT),
        .source = "numpy.lib.format.open_memmap: an object dtype cannot be memory-mapped"),
    ROW(ACCEPTED, REFUSED, .format = "np*", .encode = "mapped", .with = FEATURE(OBJECT),
        .source = "numpy.lib.format.open_memmap: an object dtype cannot be memory-mapped"),
    ROW(ACCEPTED, REFUSED, .encoder = REFERENCE, .with = FEATURE(OBJECT),
        .source = "harness/codec: objects need a pickle machine, which the reference does not have"),
    ROW(ACCEPTED, REFUSED, .decoder = REFERENCE, .with = FEATURE(OBJECT),
        .source = "harness/codec: objects need a pickle machine, which the reference does not have"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "np*", .with = FEATURE(OBJECT),
        .source = "numpy.load documentation: object arrays need allow_pickle, which is off by default"),
    ROW(ACCEPTED, REFUSED, .format = "raw", .with = FEATURE(OBJECT),
        .source = "numpy.ndarray.tofile documentation: fails for object arrays, whose elements are addresses"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "np*", .with = FEATURE(LONG_HEADER),
        .source =
            "numpy.load documentation: a header longer than max_header_size (10000) is refused; readers may bound it"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = NUMPY_BEFORE("1.25"), .format = "np*",
        .with = FEATURE(METADATA) | FEATURE(STRUCTURED),
        .source = "lib/format.py 1.23, dtype_to_descr warns: metadata may be saved, but will raise when read"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "raw", .decode = "mmap:*", .with = FEATURE(ZERO_SIZE),
        .source = "mmap(2), Python mmap documentation: an empty file cannot be mapped; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .format = "raw", .decode = "mmap:*", .with = FEATURE(ITEMSIZE_ZERO),
        .source = "mmap(2), Python mmap documentation: an empty file cannot be mapped; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = NUMPY_BEFORE("2.2"), .format = "raw", .encode = "mapped",
        .with = FEATURE(ZERO_SIZE), .source = "memmap.py before 2.2 maps no zero bytes; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = NUMPY_BEFORE("2.2"), .format = "raw", .encode = "mapped",
        .with = FEATURE(ITEMSIZE_ZERO), .source = "memmap.py before 2.2 maps no zero bytes; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .decoder = NUMPY_BEFORE("2.2"), .format = "npy", .decode = "mmap:*",
        .with = FEATURE(ZERO_SIZE),
        .source = "memmap.py before 2.2 maps no zero bytes behind a header that ends on a page; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .decoder = NUMPY_BEFORE("2.2"), .format = "npy", .decode = "mmap:*",
        .with = FEATURE(ITEMSIZE_ZERO),
        .source = "memmap.py before 2.2 maps no zero bytes behind a header that ends on a page; NumPy gh-27723"),
    ROW(ACCEPTED, MAY_REFUSE, .decoder = NUMPY, .format = "raw", .with = FEATURE(ITEMSIZE_ZERO),
        .source = "multiarray/ctors.c, PyArray_FromBuffer and PyArray_FromFile: itemsize cannot be zero"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = NUMPY_SINCE("2.0"), .decoder = NUMPY_BEFORE("2.0"), .format = "pickle",
        .source = "NumPy 2.0 migration guide: numpy.core became numpy._core, which pickles name; only 1.26.1 and "
                  "later of 1.x know a part of it"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = NUMPY_SINCE("2.3"), .decoder = NUMPY_BEFORE("2.3"), .format = "pickle",
        .protocol_min = 5, .protocol_max = 5, .with = FEATURE(PERMUTED),
        .source = "NumPy gh-28105 (2.3.0): permuted arrays are written in a form that _frombuffer takes since then"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = REFERENCE, .decoder = NUMPY_BEFORE("2.0"), .format = "pickle", .encode = "c",
        .source = WRITES_AS_NUMPY "; NumPy 2.0 migration guide: numpy.core became numpy._core, which pickles name"),
    ROW(ACCEPTED, MAY_REFUSE, .encoder = REFERENCE, .decoder = NUMPY_BEFORE("2.3"), .format = "pickle", .encode = "c",
        .protocol_min = 5, .protocol_max = 5, .with = FEATURE(PERMUTED),
        .source = WRITES_AS_NUMPY "; NumPy gh-28105 (2.3.0): permuted arrays have a form of their own"),
    ROW(ACCEPTED, SAME, .source = "README: what can be built survives; a refusal needs a row that allows it"),

    /* --- values --------------------------------------------------------------------------------------------- */
    ROW(VALUES, SAME, .source = "README: every element has its value, whatever the route"),

    /* --- byte order ----------------------------------------------------------------------------------------- */
    ROW(BYTE_ORDER, NATIVE, .decoder = NUMPY, .format = "pickle", .protocol_max = 4, .without = FEATURE(STRUCTURED),
        .source = "methods.c, array_setstate: swapped elements are turned native; structures keep theirs"),
    FALLBACK_ROWS(NUMPY, BYTE_ORDER, NATIVE, FEATURE(STRUCTURED)),
    ROW(BYTE_ORDER, NATIVE, .encoder = REFERENCE, .decoder = NUMPY, .format = "pickle", .encode = "python",
        .protocol_min = 5, .protocol_max = 5, .without = FEATURE(STRUCTURED) | ANY_CONTIGUOUS,
        .source = WRITES_AS_NUMPY),
    ROW(BYTE_ORDER, NATIVE, .encoder = REFERENCE, .decoder = NUMPY, .format = "pickle", .encode = "c",
        .protocol_min = 5, .protocol_max = 5, .without = FEATURE(STRUCTURED) | FEATURE(PERMUTED) | ANY_CONTIGUOUS,
        .source = WRITES_AS_NUMPY),
    ROW(BYTE_ORDER, NATIVE, .encoder = NUMPY_BEFORE("2.3"), .decoder = NUMPY, .format = "pickle", .protocol_min = 5,
        .protocol_max = 5, .without = FEATURE(STRUCTURED) | ANY_CONTIGUOUS,
        .source = FALLBACK_SOURCE "arrays that are not contiguous use __reduce__"),
    ROW(BYTE_ORDER, NATIVE, .encoder = NUMPY_SINCE("2.3"), .decoder = NUMPY, .format = "pickle", .protocol_min = 5,
        .protocol_max = 5, .without = FEATURE(STRUCTURED) | FEATURE(PERMUTED) | ANY_CONTIGUOUS,
        .source = FALLBACK_SOURCE "arrays that no permutation makes contiguous use __reduce__; gh-28105"),
    ROW(BYTE_ORDER, SAME, .source = "npy format: descr holds the byte order; a dtype is part of the value"),

    /* --- shape ---------------------------------------------------------------------------------------------- */
    ROW(SHAPE, SAME, .source = "README: every extent is kept, zero extents and no dimensions at all too"),

    /* --- memory order --------------------------------------------------------------------------------------- */
    ROW(MEMORY_ORDER, ANY, .decoder = NUMPY, .format = "np*", .with = FEATURE(ITEMSIZE_ZERO),
        .source = "multiarray/ctors.c, _array_fill_strides: a new array without bytes has the flag that was asked for"),
    ROW(MEMORY_ORDER, ANY, .decoder = NUMPY, .format = "raw", .with = FEATURE(ITEMSIZE_ZERO),
        .source = "multiarray/ctors.c, _array_fill_strides: a new array without bytes has the flag that was asked for"),
    STRUCTURE_FALLBACK_ROWS(NUMPY, MEMORY_ORDER, CONTIGUOUS, FEATURE(PERMUTED)),
    FALLBACK_ROWS(NUMPY, MEMORY_ORDER, CONTIGUOUS, 0),
    ROW(MEMORY_ORDER, PERMUTED, .encoder = NUMPY_SINCE("2.3"), .decoder = NUMPY, .format = "pickle", .protocol_min = 5,
        .protocol_max = 5,
        .source = "NumPy gh-28105 (2.3.0): protocol 5 keeps any permutation of a C-contiguous array"),
    ROW(MEMORY_ORDER, ANY, .decoder = REFERENCE, .format = "pickle", .protocol_min = 5, .protocol_max = 5,
        .with = FEATURE(LONGDOUBLE),
        .source = FALLBACK_SOURCE "one in foreign byte order exports no buffer (buffer.c)"),
    ROW(MEMORY_ORDER, ANY, .decoder = REFERENCE, .format = "pickle", .protocol_min = 5, .protocol_max = 5,
        .with = FEATURE(NON_LATIN_NAMES),
        .source = FALLBACK_SOURCE "names that UTF-8 cannot encode export no buffer (buffer.c), others do"),
    ROW(MEMORY_ORDER, PERMUTED, .encoder = NUMPY_SINCE("2.3"), .decoder = REFERENCE, .format = "pickle",
        .protocol_min = 5, .protocol_max = 5, .without = NO_BUFFER | FEATURE(SUBCLASS),
        .source = "NumPy gh-28105 (2.3.0): protocol 5 keeps any permutation of a C-contiguous array"),
    ROW(MEMORY_ORDER, CONTIGUOUS, .encoder = REFERENCE, .format = "pickle", .protocol_min = 5, .protocol_max = 5,
        .with = FEATURE(SUBCLASS) | NDP_FEATURE_IN_GRAPH,
        .source = WRITES_AS_NUMPY "; " FALLBACK_SOURCE "subclasses, memmap among them, use __reduce__"),
    ROW(MEMORY_ORDER, PERMUTED, .encoder = REFERENCE, .format = "pickle", .encode = "c", .protocol_min = 5,
        .protocol_max = 5, .without = NO_BUFFER, .source = WRITES_AS_NUMPY),
    ROW(MEMORY_ORDER, CONTIGUOUS, .format = "pickle",
        .source = "methods.c, array_reduce: is_fortran when F- and not C-contiguous; else C"),
    ROW(MEMORY_ORDER, CONTIGUOUS, .format = "np*",
        .source = "npy format: fortran_order; arrays that are not contiguous are written in C order"),
    ROW(MEMORY_ORDER, CONTIGUOUS, .format = "raw",
        .source = "testee protocol: raw elements are in F order when the array is F- and not C-contiguous"),
    ROW(MEMORY_ORDER, ANY, .source = "nothing is promised where no row says so"),

    /* --- strides: those of the promised memory order -------------------------------------------------------- */
    ROW(STRIDES, SAME, .format = "np*", .source = "npy format: the data are contiguous in the order of the header"),
    ROW(STRIDES, SAME, .format = "raw", .source = "testee protocol: the elements alone, nothing between them"),
    ROW(STRIDES, SAME, .format = "pickle",
        .source = "methods.c, array_setstate and numeric.py, _frombuffer: the strides of the memory order"),
    ROW(STRIDES, ANY, .source = "nothing is promised where no row says so"),

    /* --- dtype: names, titles, offsets, itemsize, units, sub-array shapes ------------------------------------- */
    ROW(DTYPE, LOST, .format = "np*", .with = FEATURE(PADDING_NAME),
        .source = "_format_impl.py, descr_to_dtype documents that it removes fields that stand for padding"),
    ROW(DTYPE, SAME, .source = "README: the element type is part of the value; npy format: descr"),

    ROW(ALIGNED_STRUCT, LOST, .format = "np*",
        .source = "npy format: descr has no word for the flag; offsets and itemsize are kept (_array_descr)"),
    ROW(ALIGNED_STRUCT, SAME, .format = "pickle",
        .source = "multiarray/descriptor.c, arraydescr_reduce: the flags are part of the state"),
    ROW(ALIGNED_STRUCT, SAME, .format = "raw", .source = "testee protocol: the reader is told the dtype"),
    ROW(ALIGNED_STRUCT, ANY, .source = "nothing is promised where no row says so"),

    ROW(METADATA, LOST, .format = "np*",
        .source = "_format_impl.py, dtype_to_descr warns: metadata on a dtype is not saved to an npy/npz"),
    ROW(METADATA, SAME, .format = "pickle",
        .source = "multiarray/descriptor.c, arraydescr_reduce: version 4 of the state holds the metadata"),
    ROW(METADATA, SAME, .format = "raw", .source = "testee protocol: the reader is told the dtype"),
    ROW(METADATA, ANY, .source = "nothing is promised where no row says so"),

    /* --- writeable ------------------------------------------------------------------------------------------ */
    ROW(WRITEABLE, MODE, .decode = "mmap:*",
        .source = "numpy.memmap documentation, mode: r is read-only, r+ and c can be written"),
    ROW(WRITEABLE, TRUE, .decoder = NUMPY, .format = "np*",
        .source = "_format_impl.py, read_array: the data are read into a new array"),
    ROW(WRITEABLE, FALSE, .decoder = NUMPY, .format = "raw", .decode = "memory",
        .source = "numpy.frombuffer documentation: the array is read-only when the buffer is (bytes)"),
    ROW(WRITEABLE, TRUE, .decoder = NUMPY, .format = "raw", .decode = "file",
        .source = "numpy.fromfile documentation: reads into a new array"),
    ROW(WRITEABLE, TRUE, .format = "np*", .source = "testee protocol: a decoded array is the caller's own"),
    ROW(WRITEABLE, TRUE, .format = "raw", .source = "testee protocol: a decoded array is the caller's own"),
    PICKLED_WRITEABLE_ROWS(NUMPY),
    PICKLED_WRITEABLE_ROWS(REFERENCE),
    ROW(WRITEABLE, SAME, .format = "pickle", .buffers = "out-of-band", .with = FEATURE(C_CONTIGUOUS),
        .without = NO_BUFFER | FEATURE(STRUCTURED) | FEATURE(LONGDOUBLE) | FEATURE(SUBCLASS),
        .source = "PEP 574: the pickle says READONLY_BUFFER of a buffer that nobody may write to"),
    ROW(WRITEABLE, SAME, .format = "graph", .source = GRAPH_STREAM_SOURCE),
    ROW(WRITEABLE, ANY, .source = "nothing is promised where no row says so"),

    /* --- alignment ------------------------------------------------------------------------------------------ */
    ROW(ALIGNMENT, ANY, .format = "raw", .decode = "mmap:*", .with = FEATURE(ITEMSIZE_ZERO),
        .source = "mmap(2): where no byte lies, no address is promised"),
    ROW(ALIGNMENT, PLACE, .format = "raw", .decode = "mmap:*",
        .source = "numpy.memmap documentation, offset: need not be a multiple of the item; maps start on pages"),
    ROW(ALIGNMENT, TRUE, .decoder = REFERENCE,
        .source = "harness/codec, npy_decode.h: decoded data begin on a multiple of 64"),
    ROW(ALIGNMENT, ANY, .format = "raw", .decode = "memory",
        .source = "numpy.frombuffer documentation: a view of the buffer at `offset`, wherever that lies"),
    ROW(ALIGNMENT, TRUE, .format = "np*",
        .source = "npy format: the data begin on a multiple of 64 bytes (ARRAY_ALIGN, 1.14 and later)"),
    ROW(ALIGNMENT, ANY, .format = "pickle", .buffers = "out-of-band", .with = FEATURE(UNALIGNED),
        .source = "PEP 574: the array is a view of the buffer that the caller supplies"),
    ROW(ALIGNMENT, TRUE, .decoder = NUMPY, .format = "pickle",
        .source = "methods.c, array_setstate copies unaligned bytes; the memory of bytes objects is aligned to 16"),
    ROW(ALIGNMENT, TRUE, .decoder = NUMPY, .source = "multiarray/ctors.c: a new array is aligned for its dtype"),
    ROW(ALIGNMENT, ANY, .source = "nothing is promised where no row says so"),

    /* --- class ---------------------------------------------------------------------------------------------- */
    ROW(CLASS, MEMMAP, .decoder = NUMPY, .decode = "mmap:*",
        .source = "numpy.load documentation, mmap_mode, and numpy.memmap: the result is a memmap"),
    ROW(CLASS, NDARRAY, .decoder = NUMPY, .format = "np*",
        .source = "npy format: a subclass is written as the ndarray that it is"),
    ROW(CLASS, NDARRAY, .decoder = NUMPY, .format = "raw",
        .source = "numpy.frombuffer and numpy.fromfile documentation: the result is an ndarray"),
    ROW(CLASS, SAME, .encoder = NUMPY, .decoder = NUMPY, .format = "pickle",
        .source = "methods.c, array_reduce: type(self) is named"),
    ROW(CLASS, SAME, .format = "pickle", .with = NDP_FEATURE_IN_GRAPH,
        .source = "plugin_graph.h: an array among other objects has a class"),
    ROW(CLASS, NDARRAY, .format = "pickle", .source = "plugin.h: an array that is no map is an ndarray"),
    ROW(CLASS, MEMMAP, .decode = "mmap:*", .source = "plugin.h: an array that says that it is a map is a memmap"),
    ROW(CLASS, NDARRAY, .format = "np*", .source = "plugin.h: an array that is no map is an ndarray"),
    ROW(CLASS, NDARRAY, .format = "raw", .source = "plugin.h: an array that is no map is an ndarray"),
    ROW(CLASS, SAME, .format = "graph", .source = GRAPH_STREAM_SOURCE),
    ROW(CLASS, ANY, .source = "nothing is promised where no row says so"),

    /* --- backing -------------------------------------------------------------------------------------------- */
    ROW(BACKING, MAPPED, .decode = "mmap:*",
        .source = "numpy.memmap documentation: filename, offset and mode; testee protocol: mmap entries"),
    ROW(BACKING, DETACHED, .source = "README: what is not a map of the file does not claim to be one"),

    /* --- encoding: whether encoding the same value again gives the same bytes --------------------------------- */
    ROW(ENCODING, ANY, .format = "pickle",
        .source = "Python pickle documentation: equal objects may have different pickles"),
    ROW(ENCODING, ANY, .with = FEATURE(OBJECT), .source = "npy format: objects are written as a pickle"),
    ROW(ENCODING, ANY, .with = FEATURE(PADDING),
        .source = "_format_impl.py, write_array: items that are copied have undefined bytes between their fields"),
    ROW(ENCODING, ANY, .format = "np*", .with = FEATURE(PADDING_NAME),
        .source = "_format_impl.py, descr_to_dtype: what was read back as padding is undefined when it is copied"),
    ROW(ENCODING, ANY, .with = FEATURE(LONGDOUBLE),
        .source = "System V ABI, x86-64: the last six of the sixteen bytes of a long double are undefined"),
    ROW(ENCODING, ANY, .encoder = NUMPY, .with = FEATURE(ITEMSIZE_ZERO),
        .source =
            "multiarray/ctors.c, _array_fill_strides: the order that the header tells depends on how it was made"),
    ROW(ENCODING, ANY, .format = "raw", .encode = "mapped", .with = FEATURE(ZERO_SIZE),
        .source = "memmap.py since 2.2 writes one byte where there is nothing to map; NumPy gh-27723"),
    ROW(ENCODING, SAME, .format = "npz", .encode = "compressed",
        .source = "lib/_npyio_impl.py, _savez: fixed names, dates and level; other bytes than without compression"),
    ROW(ENCODING, SAME, .format = "npz", .source = "lib/_npyio_impl.py, _savez: fixed names and dates, no compression"),
    ROW(ENCODING, SAME, .format = "npy", .source = "npy format: keys are sorted, padding is spaces"),
    ROW(ENCODING, SAME, .format = "raw", .source = "testee protocol: the elements alone behind 0xEE filler"),
    ROW(ENCODING, ANY, .source = "nothing is promised where no row says so"),

    /* --- truncation: whether bytes that end before the array does are refused --------------------------------- */
    ROW(TRUNCATION, ANY, .decoder = NUMPY, .format = "raw", .decode = "mmap:r+",
        .source = "numpy.memmap documentation, offset: when mode is not r, the file is extended for the data"),
    ROW(TRUNCATION, LOST, .decoder = NUMPY, .format = "npy", .decode = "mmap:r+",
        .source = "numpy.load documentation, mmap_mode: the modes of numpy.memmap, of which r+ extends a short file"),
    ROW(TRUNCATION, REFUSED, .source = "README: an array is whole or refused, never filled up"),

    /* --- graphs: attributes of objects, and whether objects can be used --------------------------------------- */
    ROW(ATTRIBUTES, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(ATTRIBUTES, LOST, .with = GRAPH(NO_PICKLING),
        .source = "methods.c, array_reduce: the state is version, shape, dtype, order and data, no attributes of a "
                  "subclass that defines no __reduce__ of its own; NumPy gh-13373"),
    ROW(ATTRIBUTES, SAME,
        .source = "Python pickle documentation, object.__reduce__: what a class hands over as its state comes back"),
    ROW(WHOLE, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(WHOLE, LOST, .with = GRAPH(NO_PICKLING),
        .source =
            "NumPy documentation, Subclassing ndarray: __array_finalize__ is called with None by _reconstruct, and "
            "nothing else sets attributes of a subclass that defines no __reduce__; NumPy gh-13373"),
    ROW(WHOLE, SAME, .source = "README: what arrives can be used, or was refused"),

    /* --- graphs: identity and memory --------------------------------------------------------------------------- */
    ROW(IDENTITY, SAME, .format = "joblib.Parallel", .encode = "threading*", .with = NDP_GRAPH_VALUE,
        .source = "joblib documentation, Parallel: threads share the memory of the caller"),
    ROW(IDENTITY, ANY, .format = "joblib*",
        .source = "joblib/numpy_pickle.py, NumpyPickler.save: an array is written wherever it is met, past the memo"),
    ROW(IDENTITY, ANY, .format = "copy", .with = GRAPH(FUNCTIONS),
        .source = "Python copy documentation: functions, modules and methods are returned unchanged, not copied"),
    ROW(IDENTITY, ANY, .format = "copy", .with = GRAPH(ATTRIBUTES),
        .source = "multiarray/methods.c, array_deepcopy: attributes come from __array_finalize__, nothing copies them"),
    ROW(IDENTITY, ANY, .format = "copy", .encode = "copy", .with = GRAPH(CYCLE),
        .source = "Python copy documentation: what leads back to the original in a shallow copy still does"),
    ROW(IDENTITY, SAME, .format = "copy",
        .source = "Python copy documentation: a memo of what was copied keeps what is shared, shared; a shallow copy "
                  "holds the very objects that the original holds"),
    ROW(IDENTITY, ANY, .with = GRAPH(MASK),
        .source = "numpy/ma/core.py, MaskedArray.__getstate__: the bytes of the mask are a part of the state"),
    ROW(IDENTITY, SAME,
        .source = "Python pickle documentation, Comparison with marshal: later references to the same object are kept, "
                  "recursive and shared objects alike"),
    ROW(ALIASING, SAME, .format = "joblib.Parallel", .encode = "threading*", .with = NDP_GRAPH_VALUE,
        .source = "joblib documentation, Parallel: threads share the memory of the caller"),
    ROW(ALIASING, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(ALIASING, ANY, .source = "methods.c, array_reduce: each array is pickled with data of its own, views too"),
    ROW(APART, ANY, .format = "joblib.Parallel", .encode = "threading*", .with = NDP_GRAPH_VALUE,
        .source = "joblib documentation, Parallel: threads share the memory of the caller"),
    ROW(APART, ANY, .format = "joblib.Parallel", .with = GRAPH(MAPS),
        .source = "joblib/pool.py, MemmappingPool: a memmap is preserved, its memory shared in the original mode"),
    ROW(APART, ANY, .format = "pickle", .buffers = "out-of-band",
        .source = "PEP 574: out-of-band buffers are views of the sender's memory, which the receiver may be given"),
    ROW(APART, ANY, .format = "copy", .encode = "copy",
        .source = "Python copy documentation: a shallow copy holds the objects that the original holds"),
    ROW(APART, ANY, .format = "copy", .with = GRAPH(ATTRIBUTES),
        .source = "multiarray/methods.c, array_deepcopy: attributes come from __array_finalize__, nothing copies them"),
    ROW(APART, ANY, .format = "copy", .with = GRAPH(FUNCTIONS),
        .source = "Python copy documentation: functions are returned unchanged, with all that they hold"),
    ROW(APART, SAME, .source = "README: what arrives is the receiver's own"),
    ROW(TOGETHER, SAME, .format = "joblib.Parallel", .encode = "threading:return", .with = NDP_GRAPH_VALUE,
        .source = "joblib documentation, Parallel: threads share the memory of the caller"),
    ROW(TOGETHER, ANY, .source = "nothing is promised where no row says so"),
    ROW(DISTINCT, SAME,
        .source = "README: what is written to one object changes no other that it did not change before"),

    /* --- graphs: functions -------------------------------------------------------------------------------------- */
    ROW(CELLS, SAME, .format = "joblib.Parallel", .encode = "threading*", .with = NDP_GRAPH_VALUE,
        .source = "joblib documentation, Parallel: threads share the memory of the caller"),
    ROW(CELLS, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(CELLS, ANY, .source = "nothing is promised where no row says so"),
    ROW(GLOBALS, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(GLOBALS, ANY, .source = "nothing is promised where no row says so: libraries send the names that are used"),
    ROW(SCOPE, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(SCOPE, SAME, .encoder = {.name = "cloudpickle", .since = "1.6"}, .decoder = {.name = "cloudpickle"},
        .format = "cloudpickle", .with = NDP_GRAPH_VALUE,
        .source = "cloudpickle/cloudpickle.py, Pickler._function_getnewargs: functions that share their globals share "
                  "them once unpickled, when one call saves them"),
    ROW(SCOPE, ANY, .source = "nothing is promised where no row says so"),
    ROW(STRUCTURE, SAME,
        .source = "cloudpickle README: a function is sent by value with its code, closure, defaults and attributes"),
    ROW(DESCRIPTION, LOST, .encoder = {.name = "dill", .before = "0.3.5"}, .source = DILL_DESCRIPTION_SOURCE),
    ROW(DESCRIPTION, LOST, .encoder = {.name = "multiprocess", .before = "0.70.13"},
        .source = DILL_DESCRIPTION_SOURCE "; multiprocess takes it since 0.70.13"),
    ROW(DESCRIPTION, SAME,
        .source = "cloudpickle/cloudpickle.py, _function_getstate, and dill/_dill.py, save_function: the state has "
                  "qualified name, module, documentation and annotations"),
    ROW(RESULTS, SAME, .format = "graph", .with = NDP_GRAPH_VALUE, .source = GRAPH_STREAM_SOURCE),
    ROW(RESULTS, ANY, .encoder = REFERENCE,
        .source = "target/probe_call.h: what a call gives there is told in words of its own"),
    ROW(RESULTS, ANY, .decoder = REFERENCE,
        .source = "target/probe_call.h: what a call gives there is told in words of its own"),
    ROW(RESULTS, SAME, .source = "README: a function that arrives gives what it gave before"),
    ROW(HISTORY, SAME,
        .source = "Python pickle documentation, What can be pickled and unpickled: it depends on what an object is"),

    /* --- resources: what a case took and did not give back ------------------------------------------------------ */
    ROW(RESOURCES, SAME, .source = "README: whatever a case takes of the system is given back, however often it runs"),
    ROW(FILES, SAME, .source = "README: whatever a case takes of the system is given back, however often it runs"),

    /* --- process: whether it lives, answers in time and answers right when threads share what it works on ------ */
    ROW(PROCESS, SAME, .format = "dict", .source = "harness/target, reference_dict.h: one lock around each operation"),
    ROW(PROCESS, HAZARD, .format = "typed.Dict", .with = NDP_DICT_RACES,
        .source = "Numba documentation, Automatic parallelization with @jit: containers such as lists, sets and dicts "
                  "are not thread safe; numba issue 9511"),
    ROW(PROCESS, SAME, .format = "typed.Dict",
        .source = "cext/dictobject.c: looking up changes nothing, and a present key's item is replaced in its place"),
    ROW(PROCESS, SAME, .source = "README: nothing that a target is given ends its process"),
};

const struct ndp_contract_row *ndp_contract_rows(uint32_t *count) {
    *count = (uint32_t)NDP_ARRAY_LEN(rows);
    return rows;
}
